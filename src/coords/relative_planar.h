/* relative_planar.h: the records of the recursions in the plane, shared by kinematics
 * (relative_planar.c) and dynamics (relative_planar_dyn.c). */
#ifndef HOL_COORDS_RELATIVE_PLANAR_H
#define HOL_COORDS_RELATIVE_PLANAR_H

#include "coords/tree.h"

typedef struct hol__work2 {
    double P[2], D[2], c[2], e[2]; /* e: x axis of the marker on the parent, global */
    double phi;                    /* angle without the full turns that were taken out */
    double v[2], bias[2];          /* of P: velocity, and acceleration where v' = 0 */
    double Mxx, Mxy, Myy, Hx, Hy, I, f[2], n;
    double a[2], alpha; /* accelerations; in momentum_rate a is the momentum beyond the link */
} hol__work2;

static inline hol__work2 *hol__work2_of(double *work) {
    return (hol__work2 *)(void *)work;
}

static inline const hol__work2 *hol__work2_in(const double *work) {
    return (const hol__work2 *)(const void *)work;
}

/* The direction of translation k of a link, global. */
static inline void hol__direction2(const hol__link *link, const hol__work2 *w, int k, double s[2]) {
    const int y = link->move == 2 || k == 1;
    s[0] = y ? -w->e[1] : w->e[0];
    s[1] = y ? w->e[0] : w->e[1];
}

/* J' v of a body: its angular part is zero. */
static inline void hol__bias2(const hol__body2 *b, const hol__work2 *w, double out[2]) {
    for (int k = 0; k < 2; k++) out[k] = w->bias[k] - b->w * b->w * w->c[k];
}

HOL__TREE_DYNAMICS(planar);

#endif
