/* nudge.h: a state moved along a direction, and how measures follow.
 *
 *     (t + h dt, q (+) h dq, v + h dv, z + h dz)
 *
 * Derivatives along it are differences of order four (dyn/probe.h).
 */
#ifndef HOL_ANALYSIS_NUDGE_H
#define HOL_ANALYSIS_NUDGE_H

#include "dyn/data.h"

/* A direction; NULL and 0: not moved so. */
typedef struct hol__direction {
    const double *dq, *dv, *dz; /* nv, nv, n_aux */
    double dt;
} hol__direction;

/* Room for it. */
typedef struct hol__nudge {
    double *q, *v, *dq, *z, *value;
    int works; /* the work of forces follows: by what T + V differs from the state that is moved */
} hol__nudge;

/* 0 without memory. */
int hol__nudge_init(hol__nudge *nudge, const hol_model *model, hol__arena *arena);

/* The state of `from` moved by h along the direction, into a data of a model like its own. */
void hol__nudge_put(hol__nudge *nudge, const hol_data *from, double h, const hol__direction *along,
                    hol_data *to);

/* T + V at the state of a data; NaN where forces are not finite. */
double hol__nudge_energy(hol_data *data);

/* out (all columns) += weight times the measures of a data; what cannot be solved stays NaN. */
hol_status hol__nudge_add(hol__nudge *nudge, hol_data *at, double weight, double *out);

/* Whether two states, of models that are alike, lie on the same sides of all corners of laws
 * (DYN). */
int hol__nudge_same_sides(const hol_data *a, const hol_data *b);

/* out = the derivatives of all measures at `from` along the direction, with the step h, or a
 * shorter one that crosses no corner; `at` is room, a data of the same model. inside: the state
 * does not lie on a corner itself; one that is closer to it than any step counts for nothing. */
hol_status hol__nudge_measures(hol__nudge *nudge, const hol_data *from, double h, int inside,
                               const hol__direction *along, hol_data *at, double *out);

/* A step along the direction that changes places by a thousandth of the mechanism, and velocities
 * by as much of the fastest rate. */
double hol__nudge_step(const hol_data *from, double rate, const hol__direction *along);

/* The fastest rate of a state on its own: of its velocities and accelerations (solved), against the
 * size of the mechanism. */
double hol__nudge_rate(const hol_data *data);

#endif
