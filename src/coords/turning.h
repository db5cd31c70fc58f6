/* turning.h: coordinates and the velocities that go with them, as numbers of a plain vector.
 *
 *     q' = T(q) v      T = 1, and for a unit quaternion p' = p (0, omega) / 2
 *
 * T^T T is 1, or 1/4 of a quaternion, so that a change dq of q is the direction w = T^-1 dq of
 * the velocities, as far as the quaternion keeps its length. A set of coordinates has one more
 * number than velocities for each rotation, in the same order.
 */
#ifndef HOL_COORDS_TURNING_H
#define HOL_COORDS_TURNING_H

#include "coords/coords.h"

/* How many rotations; and the first velocity of each (room for n_v / 3). */
int hol__turning_find(const hol_model *model, int *first);

/* out (n_q) = T(q) v; and out (n_v) = T(q)^-1 dq. Both are linear in q too. */
void hol__turning_rates(const hol_model *model, int n, const int *first, const double *q,
                        const double *v, double *out);
void hol__turning_directions(const hol_model *model, int n, const int *first, const double *q,
                             const double *dq, double *out);

#endif
