/* acting.h: points, velocities and forces of bodies in three components, for elements that are
 * written once for the plane and for space. In the plane the third component of positions and
 * forces is 0, and of angular velocities and torques the only one.
 */
#ifndef HOL_ELEMENT_ACTING_H
#define HOL_ELEMENT_ACTING_H

#include "element/kinematics.h"

/* The mass centre. */
static inline void hol__center_of(const hol__force_args *args, int body, double r[3]) {
    if (args->bodies.b2)
        r[0] = args->bodies.b2[body].r[0], r[1] = args->bodies.b2[body].r[1], r[2] = 0;
    else
        for (int i = 0; i < 3; i++) r[i] = args->bodies.b3[body].r[i];
}

/* The angular velocity, global. */
static inline void hol__spin_of(const hol__force_args *args, int body, double w[3]) {
    if (args->bodies.b2)
        w[0] = w[1] = 0, w[2] = args->bodies.b2[body].w;
    else
        hol__mul3(args->bodies.b3[body].R, args->bodies.b3[body].w, w);
}

/* out = R e: a direction of the body, global. */
static inline void hol__turned(const hol__force_args *args, int body, const double *e,
                               double out[3]) {
    if (args->bodies.b2)
        hol__arm2(&args->bodies.b2[body], e, out), out[2] = e[2];
    else
        hol__mul3(args->bodies.b3[body].R, e, out);
}

/* The place of a point that is fixed in the body at s from the mass centre. */
static inline void hol__place_of(const hol__force_args *args, int body, const double *s,
                                 double P[3]) {
    double r[3], u[3];
    hol__center_of(args, body, r);
    hol__turned(args, body, s, u);
    hol__add3(r, u, P);
}

/* The velocity of the point of the body that is at P now. */
static inline void hol__velocity_at(const hol__force_args *args, int body, const double *P,
                                    double V[3]) {
    double r[3], w[3], u[3], wu[3];
    hol__center_of(args, body, r);
    hol__spin_of(args, body, w);
    hol__sub3(P, r, u);
    hol__cross3(w, u, wu);
    for (int i = 0; i < 3; i++)
        V[i] = (!args->bodies.b2 ? args->bodies.b3[body].v[i]
                : i < 2          ? args->bodies.b2[body].v[i]
                                 : 0) +
               wu[i];
}

/* Add sign T (global) to the wrench of a body. */
static inline void hol__turn_body(const hol__force_args *args, int body, const double *T,
                                  double sign) {
    if (args->bodies.b2) {
        args->wrench[3 * body + 2] += sign * T[2];
        return;
    }
    double t[3];
    hol__mul3_t(args->bodies.b3[body].R, T, t);
    for (int i = 0; i < 3; i++) args->wrench[6 * body + 3 + i] += sign * t[i];
}

/* Add sign F at P (both global) to the wrench of a body. */
static inline void hol__push_body(const hol__force_args *args, int body, const double *P,
                                  const double *F, double sign) {
    double r[3], u[3], moment[3], *w = args->wrench + (args->bodies.b2 ? 3 : 6) * body;
    hol__center_of(args, body, r);
    hol__sub3(P, r, u);
    hol__cross3(u, F, moment);
    for (int i = 0; i < (args->bodies.b2 ? 2 : 3); i++) w[i] += sign * F[i];
    hol__turn_body(args, body, moment, sign);
}

#endif
