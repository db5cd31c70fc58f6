/* dual3.h: numbers and vectors with their rates of change, x + x' dt with dt^2 = 0.
 *
 * What is computed once with these gives a quantity and its exact time derivative together: f is
 * the value, d the rate. A direction that is fixed in a body has the rate R (omega x e'), with
 * omega in the body frame.
 */
#ifndef HOL_MATH_DUAL3_H
#define HOL_MATH_DUAL3_H

#include "math/vec3.h"

typedef struct hol__dual {
    double f, d;
} hol__dual;

typedef struct hol__dual3 {
    double f[3], d[3];
} hol__dual3;

/* a + k b for a plain number k */
static inline hol__dual3 hol__dual3_add(hol__dual3 a, double k, hol__dual3 b) {
    for (int i = 0; i < 3; i++) a.f[i] += k * b.f[i], a.d[i] += k * b.d[i];
    return a;
}

/* k a for a dual number k */
static inline hol__dual3 hol__dual3_scale(hol__dual k, hol__dual3 a) {
    for (int i = 0; i < 3; i++) {
        a.d[i] = k.f * a.d[i] + k.d * a.f[i];
        a.f[i] *= k.f;
    }
    return a;
}

/* a . b */
static inline hol__dual hol__dual3_dot(hol__dual3 a, hol__dual3 b) {
    return (hol__dual){hol__dot3(a.f, b.f), hol__dot3(a.f, b.d) + hol__dot3(a.d, b.f)};
}

/* a x b */
static inline hol__dual3 hol__dual3_cross(hol__dual3 a, hol__dual3 b) {
    hol__dual3 out;
    double second[3];
    hol__cross3(a.f, b.f, out.f);
    hol__cross3(a.f, b.d, out.d);
    hol__cross3(a.d, b.f, second);
    hol__add3(out.d, second, out.d);
    return out;
}

/* a / |a|, and |a| into *length unless it is NULL */
static inline hol__dual3 hol__dual3_unit(hol__dual3 a, hol__dual *length) {
    const hol__dual square = hol__dual3_dot(a, a);
    const double n = sqrt(square.f);
    const hol__dual size = {n, 0.5 * square.d / n}, inverse = {1 / n, -size.d / square.f};
    if (length) *length = size;
    return hol__dual3_scale(inverse, a);
}

/* The direction e of a frame with orientation R and angular velocity w (in the frame); e moves in
 * it with its rate. */
static inline hol__dual3 hol__dual3_out(const double *R, const double *w, hol__dual3 e) {
    hol__dual3 out;
    double turn[3];
    hol__cross3(w, e.f, turn);
    hol__add3(turn, e.d, turn);
    hol__mul3(R, e.f, out.f);
    hol__mul3(R, turn, out.d);
    return out;
}

/* A global vector in the components of such a frame. */
static inline hol__dual3 hol__dual3_in(const double *R, const double *w, hol__dual3 a) {
    hol__dual3 out;
    double turn[3];
    hol__mul3_t(R, a.f, out.f);
    hol__mul3_t(R, a.d, out.d);
    hol__cross3(w, out.f, turn);
    hol__sub3(out.d, turn, out.d);
    return out;
}

/* A vector that does not change. */
static inline hol__dual3 hol__dual3_still(const double *a) {
    return (hol__dual3){{a[0], a[1], a[2]}, {0, 0, 0}};
}

#endif
