/* dual_forces.h: tangents of forces by dual numbers: the force written once more with a value and
 * its derivative along one direction, and called for every direction. Exact, for any force of two
 * bodies.
 *
 * A direction is an increment of the pose of a body, a velocity, an input that laws read or a
 * state. Along it a body has r + dr, R (1 + du x), v + dv, w + dw; what is fixed in it at s is at
 * r + R s + (dr + R (du x s)) eps.
 */
#ifndef HOL_ELEMENT_DUAL_FORCES_H
#define HOL_ELEMENT_DUAL_FORCES_H

#include "element/acting.h"
#include "math/dual3.h"

enum { HOL__DUAL_STATES = 4 }; /* the most that one element has */

/* A body with its variation. */
typedef struct hol__body_dual {
    double R[9], turn[3];     /* turn: du, in the body frame */
    hol__dual3 r, v, w;       /* w: angular velocity, global */
    hol__dual3 force, moment; /* what acts on it, global, about the mass centre */
} hol__body_dual;

typedef struct hol__dual_args {
    const hol__force_args *args;
    hol__body_dual body[2]; /* the bodies of the element */
    int plane;
    const double *none;      /* zeros … */
    double *along;           /* … and the direction among the inputs */
    hol__dual *state, *rate; /* states of the element, and their rates to be written */
} hol__dual_args;

/* A body without variation, nothing acting on it. */
void hol__dual_body(const hol__force_args *args, int body, hol__body_dual *out);

/* A force in dual numbers: adds to force and moment of its bodies. */
typedef void hol__dual_force(const void *record, hol__dual_args *args);

/* The tangent of a record by calls of such a force. */
void hol__dual_tangent(const void *record, hol__force_args *args, hol__dual_force *force,
                       hol__force_tangent *out);

/* ---- what the forces are made of: the functions of acting.h ---- */

/* A direction of the body. */
static inline hol__dual3 hol__dual_turned(const hol__body_dual *b, const double *e) {
    return hol__dual3_out(b->R, b->turn, hol__dual3_still(e));
}

/* The place of a point of the body. */
static inline hol__dual3 hol__dual_place(const hol__body_dual *b, const double *s) {
    return hol__dual3_add(b->r, 1, hol__dual_turned(b, s));
}

/* The velocity of the point of the body that is at P now. */
static inline hol__dual3 hol__dual_velocity(const hol__body_dual *b, hol__dual3 P) {
    return hol__dual3_add(b->v, 1, hol__dual3_cross(b->w, hol__dual3_add(P, -1, b->r)));
}

/* Add sign T, or sign F at P. */
static inline void hol__dual_turn_body(hol__body_dual *b, hol__dual3 T, double sign) {
    b->moment = hol__dual3_add(b->moment, sign, T);
}

static inline void hol__dual_push_body(hol__body_dual *b, hol__dual3 P, hol__dual3 F, double sign) {
    b->force = hol__dual3_add(b->force, sign, F);
    hol__dual_turn_body(b, hol__dual3_cross(hol__dual3_add(P, -1, b->r), F), sign);
}

/* A law along the direction; its own names have these values and rates. */
hol__dual hol__dual_law(const hol__law *law, const hol__dual_args *args, int n,
                        const hol__dual *local);

/* ---- numbers ---- */

static inline hol__dual hol__dual_mul(hol__dual a, hol__dual b) {
    return (hol__dual){a.f * b.f, a.d * b.f + a.f * b.d};
}

static inline hol__dual hol__dual_over(hol__dual a, hol__dual b) {
    const double f = a.f / b.f;
    return (hol__dual){f, (a.d - f * b.d) / b.f};
}

/* a + k b */
static inline hol__dual hol__dual_add(hol__dual a, double k, hol__dual b) {
    return (hol__dual){a.f + k * b.f, a.d + k * b.d};
}

/* |a|; at 0 it has no derivative, and that of |a| a is 0. */
static inline hol__dual hol__dual_norm(hol__dual3 a) {
    const double n = hol__norm3(a.f);
    return (hol__dual){n, n > 0 ? hol__dot3(a.f, a.d) / n : 0};
}

/* tanh(v/slow)/v for v >= 0. */
static inline hol__dual hol__dual_grip(hol__dual v, double slow) {
    const double x = v.f / slow, t = tanh(x);
    if (x < 1e-4) return (hol__dual){(1 - x * x / 3) / slow, -2 * x / (3 * slow * slow) * v.d};
    return (hol__dual){t / v.f, ((1 - t * t) / slow - t / v.f) / v.f * v.d};
}

#endif
