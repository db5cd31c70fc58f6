/* respond.h: the frequency response G(i w) = C (i w - A)^-1 B + D of a linear system.
 *
 * With the real Schur form A = V T V^T, which is made once, a frequency costs a substitution:
 * T is upper triangular but for blocks of two. For an input that moves joints B and D are
 * polynomials, B0 + i w B1 - w^2 B2 and D0 + i w D1.
 */
#ifndef HOL_ANALYSIS_RESPOND_H
#define HOL_ANALYSIS_RESPOND_H

#include "base/arena.h"

typedef struct hol__respond {
    int n;
    double *T, *V; /* n x n, column-major */
    double *x, *y; /* real and imaginary part of the states */
    double *b;     /* room: 2 n */
} hol__respond;

/* For A (n x n, column-major); in the arena. HOL_ERR_MEMORY; > 0 where there is no Schur form. */
hol_status hol__respond_new(const double *A, int n, hol__arena *arena, hol__respond *out);

/* x + i y = (i w - A)^-1 (B0 + i w B1 - w^2 B2); B1, B2 may be NULL. Infinite where i w is an
 * eigenvalue. */
void hol__respond_states(hol__respond *respond, double w, const double *B0, const double *B1,
                         const double *B2);

#endif
