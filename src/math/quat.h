/* quat.h: unit quaternions, scalar first, p = (p0, p1, p2, p3).
 *
 * R(p) turns body coordinates into global ones; p' = 1/2 p (0, omega) with omega in the body frame.
 * Increments u (rotation vectors in the body frame): p (+) u = p exp(u). Along p(t) = p_base
 * exp(u(t)):
 *
 *     u' = omega + 1/2 u x omega + g(|u|) u x (u x omega),   g(s) = (1 - (s/2) cot(s/2)) / s^2
 */
#ifndef HOL_MATH_QUAT_H
#define HOL_MATH_QUAT_H

#include "math/vec3.h"

/* out = a b (no aliasing) */
static inline void hol__quat_mul(const double *a, const double *b, double *out) {
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

/* out = conjugate(a) b */
static inline void hol__quat_mul_c(const double *a, const double *b, double *out) {
    const double conjugate[4] = {a[0], -a[1], -a[2], -a[3]};
    hol__quat_mul(conjugate, b, out);
}

static inline void hol__quat_normalize(double *p) {
    const double s = 1 / sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    for (int i = 0; i < 4; i++) p[i] *= s;
}

/* R = R(p) for a unit p */
static inline void hol__quat_matrix(const double *p, double *R) {
    const double xx = p[1] * p[1], yy = p[2] * p[2], zz = p[3] * p[3];
    const double xy = p[1] * p[2], xz = p[1] * p[3], yz = p[2] * p[3];
    const double wx = p[0] * p[1], wy = p[0] * p[2], wz = p[0] * p[3];
    R[0] = 1 - 2 * (yy + zz), R[1] = 2 * (xy - wz), R[2] = 2 * (xz + wy);
    R[3] = 2 * (xy + wz), R[4] = 1 - 2 * (xx + zz), R[5] = 2 * (yz - wx);
    R[6] = 2 * (xz - wy), R[7] = 2 * (yz + wx), R[8] = 1 - 2 * (xx + yy);
}

/* p = exp(u): the rotation by |u| about u */
static inline void hol__quat_exp(const double *u, double *p) {
    const double s2 = hol__dot3(u, u);
    const double s = sqrt(s2);
    const double k = s < 1e-4 ? 0.5 - s2 / 48 : sin(0.5 * s) / s;
    p[0] = cos(0.5 * s);
    for (int i = 0; i < 3; i++) p[i + 1] = k * u[i];
}

/* u = log(p), |u| <= pi */
static inline void hol__quat_log(const double *p, double *u) {
    const double n = sqrt(p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    const double sign = p[0] < 0 ? -1 : 1;
    const double k = n < 1e-12 ? 2 * sign : 2 * sign * atan2(n, fabs(p[0])) / n;
    for (int i = 0; i < 3; i++) u[i] = k * p[i + 1];
}

/* out = p (+) u, normalised (no aliasing) */
static inline void hol__quat_plus(const double *p, const double *u, double *out) {
    double e[4];
    hol__quat_exp(u, e);
    hol__quat_mul(p, e, out);
    hol__quat_normalize(out);
}

/* udot: the rate of the increment u for the body angular velocity omega */
static inline void hol__quat_dexpinv(const double *u, const double *omega, double *udot) {
    const double s2 = hol__dot3(u, u), s = sqrt(s2);
    const double g =
        s < 0.03 ? (1.0 / 12) * (1 + s2 / 60 * (1 + s2 / 42)) : (1 - 0.5 * s / tan(0.5 * s)) / s2;
    double first[3], second[3];
    hol__cross3(u, omega, first);
    hol__cross3(u, first, second);
    for (int i = 0; i < 3; i++) udot[i] = omega[i] + 0.5 * first[i] + g * second[i];
}

/* p from a rotation matrix, by the largest component */
static inline void hol__quat_from_matrix(const double *R, double *p) {
    const double d[4] = {R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8],
                         R[8] - R[0] - R[4]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (d[i] > d[k]) k = i;
    const double s[6] = {R[7] - R[5], R[2] - R[6], R[3] - R[1],
                         R[1] + R[3], R[2] + R[6], R[5] + R[7]};
    const double big = 1 + d[k];
    switch (k) {
    case 0: p[0] = big, p[1] = s[0], p[2] = s[1], p[3] = s[2]; break;
    case 1: p[0] = s[0], p[1] = big, p[2] = s[3], p[3] = s[4]; break;
    case 2: p[0] = s[1], p[1] = s[3], p[2] = big, p[3] = s[5]; break;
    default: p[0] = s[2], p[1] = s[4], p[2] = s[5], p[3] = big; break;
    }
    hol__quat_normalize(p);
}

#endif
