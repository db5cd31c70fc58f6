/* static_curve.h: equilibria over a parameter of the model file, followed by arc length.
 *
 * With a state of length 1 for the mechanism and of 1 for the whole range of the parameter,
 *     f(q, p) = 0      t^T (x/L^2, dp/span^2) = 0 in a step that is corrected
 * where t is the tangent of the curve, H t_x = g t_p, g = Z^T d(Q - A^T lambda)/dp along the motion
 * that p forces on the joints. So the curve is followed around points where it turns back. Where
 * the number of negative eigenvalues of H changes, the point at which one is zero is found on the
 * curve: a limit point where the parameter turns back (e^T g is not zero, e its direction), else a
 * bifurcation, at which another branch leaves in the direction e.
 */
#ifndef HOL_ANALYSIS_STATIC_CURVE_H
#define HOL_ANALYSIS_STATIC_CURVE_H

#include "analysis/static_case.h"

typedef enum hol__curve_kind {
    HOL__CURVE_POINT,
    HOL__CURVE_LIMIT,
    HOL__CURVE_BIFURCATION,
    HOL__CURVE_CHANGE /* another contact carries, or one lets go */
} hol__curve_kind;

/* A point of the curve: the case is at the equilibrium, with its stiffness. */
typedef struct hol__curve_point {
    hol__curve_kind kind;
    double p, least; /* of the parameter; least eigenvalue of H, N/m */
    int negative;    /* eigenvalues */
    hol__static_case *at;
    const double *motion; /* limit and bifurcation: e */
    const char *change;   /* change: in words */
} hol__curve_point;

/* Who is told of each point, in the order of the curve; anything but HOL_OK ends it. */
typedef hol_status hol__curve_fn(void *self, const hol__curve_point *point);

typedef struct hol__curve_options {
    const char *name; /* of the parameter, or a path */
    double from, to;
    double time;
    int steady, most; /* points at most; 0: 400 */
    hol__statics_method method;
} hol__curve_options;

/* How it ended: at the end of the range, back at its beginning, after so many points, or where it
 * could not be followed. */
typedef enum hol__curve_end {
    HOL__CURVE_REACHED,
    HOL__CURVE_RETURNED,
    HOL__CURVE_MANY,
    HOL__CURVE_LOST
} hol__curve_end;

hol_status hol__static_curve(hol_context *ctx, const hol_spec *spec,
                             const hol__curve_options *options, hol__curve_fn *fn, void *self,
                             hol__curve_end *end);

/* static_sweep.c: the same where joints push and do not pull, in equal steps of the parameter. */
typedef struct hol__sweep {
    hol_context *ctx;
    hol_spec *spec;
    const hol__curve_options *options;
    const char *path; /* of the parameter in the description */
    hol__curve_fn *fn;
    void *self;
} hol__sweep;

/* From the equilibrium in first, which is another one afterwards. */
hol_status hol__static_sweep(const hol__sweep *sweep, hol__static_case *first);

#endif
