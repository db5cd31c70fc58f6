/* variation.h: how the bodies follow the coordinates, to second order.
 *
 * The bodies have poses x(q), velocities V = J v and accelerations acc = J a + J' v. For a velocity
 * j and a body that it moves:
 *
 *     pose    dx/dq_j = dV/dv_j = dacc/da_j = J_j
 *     twist   dV/dq_j at fixed v
 *     acc     dacc/dq_j at fixed v and a
 *     bias    dacc/dv_j = d(J' v)/dv_j
 *
 * in the numbers in which bodies keep them (angular ones in space in the body frame), bw a pair.
 * Beyond that, for wrenches w on the bodies, J^T w and its derivative by q at fixed w.
 */
#ifndef HOL_COORDS_VARIATION_H
#define HOL_COORDS_VARIATION_H

#include "coords/coords.h"

struct hol__variation {
    int *ptr, *body;         /* pairs by velocity, and the body of each */
    int *of_ptr, *of_v, *of; /* by body: the velocities that move it, and their pairs */
    double *pose, *twist, *acc, *bias;
    double *work; /* of the set */
};

/* Pairs and arrays for a model in coordinates that have maps; 0 without memory. */
int hol__variation_init(hol__variation *variation, hol__arena *arena, const hol_model *model);

/* out = J^T w. */
void hol__variation_pull(const hol_model *model, const hol__bodies *bodies, const double *w,
                         hol__variation *variation, double *out);

#endif
