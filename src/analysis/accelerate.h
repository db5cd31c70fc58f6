/* accelerate.h: the equations of motion at a state, solved and checked.
 *
 *     M x + A^T mu = f,   A x = c
 *
 * by the kernel of the data, which divides by the inertias before it joins what the constraints tie
 * together. Where a part is much lighter than what it is tied to, a body of inertia I with the mass
 * m at the distance l from its joint, it ends in differences of terms that are m l^2/I times as
 * large as the result. The residual tells: each equation against its own terms (kernel/saddle.h).
 * Where more than rounding is left, the same is solved within the directions that the constraints
 * leave free (kernel/nullspace.c), where M is only summed up; of the two solutions the one with the
 * smaller residual is taken.
 */
#ifndef HOL_ANALYSIS_ACCELERATE_H
#define HOL_ANALYSIS_ACCELERATE_H

#include "dyn/data.h"

typedef struct hol__accelerator hol__accelerator;

/* For the states of this data, which must outlive it. */
hol_status hol__accelerator_new(hol_data *data, hol__accelerator **accelerator);
void hol__accelerator_free(hol__accelerator *accelerator);

/* hol_data_solve with a and lambda checked. */
hol_status hol__accelerator_state(hol__accelerator *accelerator);

/* hol__solve_fn (dyn/tangent.h) over a hol__accelerator, at the state in its data. */
hol_status hol__accelerator_solve(void *accelerator, const double *f, const double *c, double *x,
                                  double *mu);

#endif
