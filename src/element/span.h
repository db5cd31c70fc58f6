/* span.h: a scalar x between two bodies (a distance, a displacement, an angle) with its first and
 * second derivatives, for tangents of the forces that act along it.
 *
 *     w = F(x, x', u) g,   g = dx/d(pose),   x' = g . V,   H = dg/d(pose)
 *     dw/d(pose)  = g (F_x g + F_x' H^T V)^T + F H       dw/dV = F_x' g g^T       dw/du = F_u g
 */
#ifndef HOL_ELEMENT_SPAN_H
#define HOL_ELEMENT_SPAN_H

#include "element/dual_forces.h"
#include "element/travel.h"

enum { HOL__SPAN = 12 };

typedef struct hol__span {
    int n; /* 6 or 12 numbers: both bodies */
    int body[2];
    double x, rate;
    double g[HOL__SPAN], H[HOL__SPAN * HOL__SPAN];
} hol__span;

/* The distance of two points, and what forces act on in a joint. */
void hol__span_distance(const hol__force_args *args, const int body[2], const double *s1,
                        const double *s2, hol__span *out);
void hol__span_travel(const hol__travel *c, const hol__force_args *args, hol__span *out);

/* F along the span in dual numbers, of x and x' and of what the arguments hold. */
typedef hol__dual hol__span_force(const void *record, hol__dual_args *args, hol__dual x,
                                  hol__dual rate);

/* The tangent of w = F g. */
void hol__span_tangent(const void *record, hol__force_args *args, const hol__span *span,
                       hol__span_force *force, hol__force_tangent *out);

#endif
