/* kinematics.h: points of bodies and their velocities, shared by all elements. */
#ifndef HOL_ELEMENT_KINEMATICS_H
#define HOL_ELEMENT_KINEMATICS_H

#include "math/vec3.h"
#include "model/element.h"

/* u = R s in the plane */
static inline void hol__arm2(const hol__body2 *b, const double *s, double *u) {
    u[0] = b->c * s[0] - b->s * s[1];
    u[1] = b->s * s[0] + b->c * s[1];
}

/* d = r2 + u2 - r1 - u1, and its rate e, for arms u1, u2 in the plane */
static inline void hol__gap2(const hol__body2 *b1, const double *u1, const hol__body2 *b2, const double *u2, double *d,
                             double *e) {
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
static inline void hol__gap3(const hol__body3 *b1, const double *s1, const hol__body3 *b2, const double *s2, double *d,
                             double *e) {
    double P1[3], P2[3], V1[3], V2[3];
    hol__point_of3(b1, s1, P1, V1);
    hol__point_of3(b2, s2, P2, V2);
    hol__sub3(P2, P1, d);
    hol__sub3(V2, V1, e);
}

#endif
