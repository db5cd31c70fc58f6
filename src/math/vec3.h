/* vec3.h: vectors of three and row-major 3x3 matrices, as plain arrays. Outputs may not alias
 * inputs. */
#ifndef HOL_MATH_VEC3_H
#define HOL_MATH_VEC3_H

#include <math.h>

/* a . b */
static inline double hol__dot3(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* out = a x b */
static inline void hol__cross3(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* out = a + b, out = a - b (aliasing allowed) */
static inline void hol__add3(const double *a, const double *b, double *out) {
    for (int i = 0; i < 3; i++) out[i] = a[i] + b[i];
}

static inline void hol__sub3(const double *a, const double *b, double *out) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

static inline double hol__norm3(const double *a) {
    return sqrt(hol__dot3(a, a));
}

/* out = R a, out = R^T a */
static inline void hol__mul3(const double *R, const double *a, double *out) {
    for (int i = 0; i < 3; i++)
        out[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

static inline void hol__mul3_t(const double *R, const double *a, double *out) {
    for (int i = 0; i < 3; i++) out[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

/* C = A B, C = A^T B */
static inline void hol__mat3_mul(const double *A, const double *B, double *C) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* C = A^T B */
static inline void hol__mat3_mul_t(const double *A, const double *B, double *C) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

/* S = the matrix of a x (.) */
static inline void hol__skew3(const double *a, double *S) {
    S[0] = 0, S[1] = -a[2], S[2] = a[1];
    S[3] = a[2], S[4] = 0, S[5] = -a[0];
    S[6] = -a[1], S[7] = a[0], S[8] = 0;
}

/* v: a unit vector perpendicular to the unit vector u, the same for the same u */
static inline void hol__perpendicular3(const double *u, double *v) {
    const int k = fabs(u[0]) <= fabs(u[1]) ? (fabs(u[0]) <= fabs(u[2]) ? 0 : 2)
                                           : (fabs(u[1]) <= fabs(u[2]) ? 1 : 2);
    for (int i = 0; i < 3; i++) v[i] = (i == k) - u[k] * u[i];
    const double s = 1 / hol__norm3(v);
    for (int i = 0; i < 3; i++) v[i] *= s;
}

#endif
