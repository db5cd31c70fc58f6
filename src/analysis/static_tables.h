/* static_tables.h: an equilibrium as facts and tables. */
#ifndef HOL_ANALYSIS_STATIC_TABLES_H
#define HOL_ANALYSIS_STATIC_TABLES_H

#include "analysis/static_case.h"
#include "analysis/static_rest.h"
#include "base/answer.h"

/* What rests here: facts, positions, reactions, loads, measures, stiffness. The case is at the
 * equilibrium, with its stiffness. */
hol_status hol__static_tables(hol_answer *answer, hol__static_case *c, const hol__equilibrium *e);

/* The numbers that tell where the mechanism is: all measures, or the positions of the bodies where
 * there are none. How many; the name and unit of the i-th, and all of them at the state in data,
 * which is solved. */
int hol__static_numbers(const hol_model *model);
void hol__static_number_name(const hol_model *model, int i, char *name, size_t size,
                             const char **unit);
hol_status hol__static_numbers_at(hol_data *data, double *out);

/* The positions of all bodies as rows of a table, their names behind a prefix. */
hol__sheet *hol__static_positions_sheet(hol_answer *answer, const hol_model *model);
void hol__static_positions_add(hol__sheet *sheet, hol_data *data, const char *prefix);

#endif
