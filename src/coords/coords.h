/* coords.h: a set of coordinates: how q and v describe the bodies.
 *
 *     q (+) d      adds an increment from the space of v (plain addition, or the exponential map for unit quaternions)
 *     d'           = rate(d, v): of an increment along a motion that started at q (equal to v where d = 0)
 *     M(q) v' + A^T lambda = Q, with the inertia terms that depend on velocity in Q
 */
#ifndef HOL_COORDS_COORDS_H
#define HOL_COORDS_COORDS_H

#include "model/model.h"

struct hol__coords {
    const char *name;
    const char *title;
    hol_space space;
    int nq_body, nv_body;
    /* q and v of the bodies as drawn. */
    void (*start)(const hol_model *model, double *q, double *v);
    /* Positions of the bodies (b2 or b3, nb + 1 of them, ground last) from q; velocities from v. */
    void (*poses)(const hol_model *model, const double *q, hol__body2 *b2, hol__body3 *b3);
    void (*twists)(const hol_model *model, const double *v, hol__body2 *b2, hol__body3 *b3);
    /* out = q (+) d, and d = a (-) b. */
    void (*plus)(const hol_model *model, const double *q, const double *d, double *out);
    void (*minus)(const hol_model *model, const double *a, const double *b, double *d);
    void (*rate)(const hol_model *model, const double *d, const double *v, double *ddot);
    /* Take full turns out of the angles in q and keep them in the bodies, so that rounding does not grow with the turns made; NULL
     * where q has no such angles. */
    void (*wrap)(const hol_model *model, double *q, hol__body2 *b2);
    /* The pattern and values of M, into the arena of the model. */
    hol_status (*mass)(hol_model *model);
    /* Q = gravity and velocity-dependent inertia terms (overwrites, ground included); returns the potential of gravity. */
    double (*inertia)(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3, double *Q);
};

/* The sets of this folder, one file each. */
extern const hol__coords hol__coords_planar, hol__coords_spatial;

/* The i-th set, NULL past the end. */
const hol__coords *hol__coords_get(int i);

/* T = 1/2 v^T M v. */
double hol__kinetic(const hol_model *model, const double *v);

/* The tracked angles at these poses, 0 as drawn and counted over full turns; in space each is the one nearest to its value in last. */
void hol__angles_update(const hol_model *model, const hol__body2 *b2, const hol__body3 *b3, const double *last,
                        double *scratch, double *angles);

#endif
