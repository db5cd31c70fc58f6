/* inverse.h: the least loads of actuators. */
#ifndef HOL_ANALYSIS_INVERSE_H
#define HOL_ANALYSIS_INVERSE_H

#include "analysis/actuated.h"
#include "la/dense.h"
#include "la/nearest_point.h"

/* The least loads: min sum of w u^2 where G u = g (k x n, by columns), within limits; what G has of
 * B, whose columns are as long as `sizes` say, counts where it is more than rounding of these.
 * *left: the part of g that no loads make. HOL_SINGULAR where limits do not allow it. */
typedef struct hol__loads {
    int k, n;
    hol__svd *svd;
    hol__nearest_point *nearest;
    double *root; /* of the weights */
    double *x, *part;
} hol__loads;

hol_status hol__loads_new(hol__arena *arena, int k, int n, const hol__actuator *actuators,
                          hol__loads *loads);
hol_status hol__loads_find(hol__loads *loads, const hol__actuator *actuators, const double *sizes,
                           const double *G, const double *g, double *u, double *left);

#endif
