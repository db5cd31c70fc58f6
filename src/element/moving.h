/* moving.h: points and directions of bodies with their first and second rates while the velocities
 * of the bodies stay, and how these follow an increment of a pose: what c of a constraint is made
 * of.
 *
 *     direction   x = R e         x' = R (w x e)        x'' = R (w x (w x e))
 *     point       x = r + R s     x' = v + R (w x s)    x'' = R (w x (w x s))
 *
 * Along a rotation du of the body R e becomes R e + R (du x e). A row Phi = x . y has the bias
 * c = -(x'' . y + 2 x' . y' + x . y''), with the second derivatives of laws of time beside it.
 */
#ifndef HOL_ELEMENT_MOVING_H
#define HOL_ELEMENT_MOVING_H

#include "element/primitives.h"
#include "math/dual3.h"

typedef struct hol__moving {
    hol__dual3 x, rate, second;
} hol__moving;

hol__moving hol__moving_direction(const hol__pose_direction *at, int slot, const double *e);
hol__moving hol__moving_point(const hol__pose_direction *at, int slot, const double *s);

/* The point s2 of the body in slot 1 less the point s1 of that in slot 0. */
hol__moving hol__moving_gap(const hol__pose_direction *at, const double *s1, const double *s2);

/* The derivative of c of the row x . y. */
double hol__moving_bias(const hol__moving *x, const hol__moving *y);

#endif
