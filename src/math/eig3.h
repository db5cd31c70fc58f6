/* eig3.h: eigenvalues and axes of a symmetric 3x3 matrix by Jacobi rotations. */
#ifndef HOL_MATH_EIG3_H
#define HOL_MATH_EIG3_H

#include "math/vec3.h"

/* Rows i, j of S turned by an angle with this cosine and sine. */
static inline void hol__turn_rows3(double *S, int i, int j, double c, double s) {
    for (int k = 0; k < 3; k++) {
        const double a = S[3 * i + k], b = S[3 * j + k];
        S[3 * i + k] = c * a - s * b;
        S[3 * j + k] = s * a + c * b;
    }
}

/* Rotate rows and columns i, j of S so that S_ij becomes zero; and the rows of V (NULL: none). */
static inline void hol__jacobi3_axes(double *S, double *V, int i, int j) {
    const double off = S[3 * i + j];
    if (off == 0) return;
    const double phi = 0.5 * atan2(2 * off, S[4 * j] - S[4 * i]), c = cos(phi), s = sin(phi);
    hol__turn_rows3(S, i, j, c, s);
    if (V) hol__turn_rows3(V, i, j, c, s);
    for (int k = 0; k < 3; k++) {
        const double a = S[3 * k + i], b = S[3 * k + j];
        S[3 * k + i] = c * a - s * b;
        S[3 * k + j] = s * a + c * b;
    }
}

static inline void hol__jacobi3(double *S, int i, int j) {
    hol__jacobi3_axes(S, NULL, i, j);
}

/* J = V^T diag(e) V: the eigenvalues and, as rows of the rotation V, their axes. */
static inline void hol__eigen3(const double *J, double e[3], double V[9]) {
    double S[9];
    for (int i = 0; i < 9; i++) S[i] = J[i], V[i] = i % 4 == 0;
    for (int sweep = 0; sweep < 12; sweep++) {
        hol__jacobi3_axes(S, V, 0, 1);
        hol__jacobi3_axes(S, V, 0, 2);
        hol__jacobi3_axes(S, V, 1, 2);
    }
    for (int i = 0; i < 3; i++) e[i] = S[4 * i];
}

/* The eigenvalues of J in ascending order. */
static inline void hol__eigenvalues3(const double *J, double out[3]) {
    double S[9];
    for (int i = 0; i < 9; i++) S[i] = J[i];
    for (int sweep = 0; sweep < 12; sweep++) {
        hol__jacobi3(S, 0, 1);
        hol__jacobi3(S, 0, 2);
        hol__jacobi3(S, 1, 2);
    }
    for (int i = 0; i < 3; i++) out[i] = S[4 * i];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (out[j] > out[j + 1]) {
                const double swap = out[j];
                out[j] = out[j + 1];
                out[j + 1] = swap;
            }
}

#endif
