/* kinematics.h: points of bodies and their velocities, shared by all elements. */
#ifndef HOL_ELEMENT_KINEMATICS_H
#define HOL_ELEMENT_KINEMATICS_H

#include "math/quat.h"
#include "model/element.h"

/* u = R s in the plane */
static inline void hol__arm2(const hol__body2 *b, const double *s, double *u) {
    u[0] = b->c * s[0] - b->s * s[1];
    u[1] = b->s * s[0] + b->c * s[1];
}

/* d = r2 + u2 - r1 - u1, and its rate e, for arms u1, u2 in the plane */
static inline void hol__gap2(const hol__body2 *b1, const double *u1, const hol__body2 *b2,
                             const double *u2, double *d, double *e) {
    d[0] = b2->r[0] + u2[0] - b1->r[0] - u1[0];
    d[1] = b2->r[1] + u2[1] - b1->r[1] - u1[1];
    e[0] = b2->v[0] - b2->w * u2[1] - b1->v[0] + b1->w * u1[1];
    e[1] = b2->v[1] + b2->w * u2[0] - b1->v[1] - b1->w * u1[0];
}

/* P = r + R s, V = v + R (w x s) in space */
static inline void hol__point_of3(const hol__body3 *b, const double *s, double *P, double *V) {
    double u[3], ws[3], wu[3];
    hol__mul3(b->R, s, u);
    hol__cross3(b->w, s, ws);
    hol__mul3(b->R, ws, wu);
    hol__add3(b->r, u, P);
    hol__add3(b->v, wu, V);
}

/* d = P2 - P1 and its rate e in space */
static inline void hol__gap3(const hol__body3 *b1, const double *s1, const hol__body3 *b2,
                             const double *s2, double *d, double *e) {
    double P1[3], P2[3], V1[3], V2[3];
    hol__point_of3(b1, s1, P1, V1);
    hol__point_of3(b2, s2, P2, V2);
    hol__sub3(P2, P1, d);
    hol__sub3(V2, V1, e);
}

/* The gradient g of the twist phi of frame 2 (f2 on body 2) against frame 1 (f1 on body 1) about
 * their z axes, in the global frame: phi' = g . (omega2 - omega1). With p the relative quaternion
 * and g in frame 2,
 *     phi = 2 atan2(p3, p0),   g = (p1 p3 - p0 p2, p0 p1 + p2 p3, p0^2 + p3^2) / (p0^2 + p3^2)
 * which is the axis itself where the axes coincide (p1 = p2 = 0). */
static inline void hol__twist3(const hol__body3 *b1, const double *f1, const hol__body3 *b2,
                               const double *f2, double *g) {
    double q1[4], q2[4], p[4], R[9];
    hol__quat_mul(b1->p, f1, q1);
    hol__quat_mul(b2->p, f2, q2);
    hol__quat_mul_c(q1, q2, p);
    const double n = p[0] * p[0] + p[3] * p[3], k = n > 0 ? 1 / n : 0;
    const double local[3] = {k * (p[1] * p[3] - p[0] * p[2]), k * (p[0] * p[1] + p[2] * p[3]), 1};
    hol__quat_matrix(q2, R);
    hol__mul3(R, local, g);
}

#endif
