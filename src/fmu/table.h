/* table.h: the variables of an FMU, made from the model: one table, from which both descriptions
 * are written and by which the runtime reads and sets values. The value reference of a variable is
 * its row.
 *
 *     time | parameters | inputs | outputs | states x | their derivatives x' | event indicators
 *
 * Parameters that the file gives as numbers are set before the run; those that follow from others
 * are calculated. Inputs are the variables of the model that no event sets, outputs all other
 * measured columns, x the vector of holonom/drive.h. Variables may be named to be parameters that
 * can change during the run: they stand among the inputs, which they are to the library.
 */
#ifndef HOL_FMU_TABLE_H
#define HOL_FMU_TABLE_H

#include "base/arena.h"

#include <holonom/drive.h>

typedef enum hol__fmu_kind {
    HOL__FMU_TIME,
    HOL__FMU_CONSTANT, /* of FMUs of sources: a parameter that is a number of the code */
    HOL__FMU_PARAMETER,
    HOL__FMU_CALCULATED,
    HOL__FMU_TUNABLE, /* a parameter that can change during the run */
    HOL__FMU_INPUT,
    HOL__FMU_OUTPUT,
    HOL__FMU_STATE,
    HOL__FMU_RATE,
    HOL__FMU_CONDITION
} hol__fmu_kind;

/* One variable. index: of the parameter in the model, of the measured column, or in x. */
typedef struct hol__fmu_variable {
    hol__fmu_kind kind;
    int index;
    const char *name, *unit, *doc; /* unit "": a plain number */
    double start;
} hol__fmu_variable;

typedef struct hol__fmu_table {
    hol__arena arena;
    int n;
    hol__fmu_variable *rows;
    int n_inputs, n_outputs, n_states, n_q, n_v, n_conditions;
    int first_parameter, first_input, first_output, first_state, first_rate, first_condition;
    int *input_columns; /* n_inputs */
    int exchanges;      /* states and their number are the same all along: model exchange works */
    char token[64];     /* of the model and of this table */
    const char *name;   /* of the model */
    double start, end, tolerance, step; /* of the run that the model describes */
} hol__fmu_table;

/* A description compiled as the FMU runs it: as `holonom run` does. */
typedef struct hol__fmu_model {
    hol_model *model;
    hol_options *options;
} hol__fmu_model;

/* The model and options of a description; errors are reported to ctx. */
hol_status hol__fmu_compile(hol_context *ctx, const hol_spec *spec, hol__fmu_model *out);
void hol__fmu_model_free(hol__fmu_model *of);

/* The table of a simulation at its start. tunables: names of variables that are parameters, each
 * with a line feed behind it (NULL: none). */
hol_status hol__fmu_table_make(hol_context *ctx, const hol_spec *spec, hol_sim *sim,
                               const char *tunables, hol__fmu_table *table);

/* Its token anew: a hash of the model, of the names and of what else makes an FMU another one, in
 * the form of a GUID. */
void hol__fmu_table_sign(hol__fmu_table *table, const hol_model *model, const char *more);

/* Whether the name is in such a list. */
int hol__fmu_is_listed(const char *names, const char *name);
void hol__fmu_table_free(hol__fmu_table *table);

#endif
