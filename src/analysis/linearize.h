/* linearize.h: what the files of the answer of hol_linearize share. */
#ifndef HOL_ANALYSIS_LINEARIZE_H
#define HOL_ANALYSIS_LINEARIZE_H

#include "analysis/small.h"
#include "analysis/spectrum.h"
#include "base/answer.h"

#include <holonom/linearize.h>

/* The spectrum of small; like: as in spectrum.h, or NULL. */
hol_status hol__small_spectrum(hol__small *small, const hol__spectrum *like,
                               hol__spectrum *spectrum);

/* The number of modes: eigenvalues that are not zero, pairs once; and the first column of mode
 * i. */
int hol__mode_count(const hol__spectrum *spectrum);
int hol__mode_column(const hol__spectrum *spectrum, int i);

/* Facts on the state and tables of the eigenvalues. */
void hol__tell_state(hol_answer *answer, const hol__small *small);
void hol__tell_spectrum(hol_answer *answer, const hol__small *small, const hol__spectrum *spectrum);

/* How the bodies and the joints move in the modes: tables shapes, phases, joints, joint_phases. */
hol_status hol__tell_shapes(hol_answer *answer, hol__small *small, const hol__spectrum *spectrum);

/* The name and unit of state i, and the unit of its rate. */
const char *hol__state_name(hol__small *small, int i);
const char *hol__state_unit(const hol__small *small, int i);
const char *hol__state_rate_unit(const hol__small *small, int i);

/* A matrix by columns as a table, with a name and a unit for every row and column. */
typedef struct hol__side {
    int n;
    const char **name, **unit;
} hol__side;

hol_status hol__side_new(hol__arena *arena, int n, hol__side *side);
void hol__tell_matrix(hol_answer *answer, const char *name, const char *title,
                      const hol__side *rows, const hol__side *columns, const double *values);

/* The states as a side, with their units or those of their rates. */
hol_status hol__states_side(hol__small *small, int rates, hol__side *side);

/* B, C, D and the response to the inputs. */
hol_status hol__tell_inputs(hol_answer *answer, hol__small *small, const hol__spectrum *spectrum,
                            const hol_spec *spec, const hol_linearize_options *how);

/* Multipliers of a cycle. */
hol_status hol__tell_cycle(hol_answer *answer, hol_sim *sim, const hol_linearize_options *how);

#endif
