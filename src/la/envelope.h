/* envelope.h: Cholesky factorisation within the envelope of a sparse symmetric matrix.
 *
 *     W = L L^T,   row i of L from the first column of row i of W on
 *
 * No fill leaves the envelope, so a mass matrix of blocks costs its blocks. Stored full; after the
 * constructor nothing allocates.
 */
#ifndef HOL_LA_ENVELOPE_H
#define HOL_LA_ENVELOPE_H

#include "la/csr.h"

typedef struct hol__envelope {
    int n;
    int *first; /* n: the first column of each row */
    double *L;  /* n x n by rows; what lies outside the envelope is not set */
} hol__envelope;

/* NULL without memory. */
hol__envelope *hol__envelope_new(hol__arena *arena, const hol__csr *W);

/* Whether every pivot exceeds the share tolerance of its diagonal entry. */
int hol__envelope_factor(hol__envelope *e, const hol__csr *W, double tolerance);

/* b <- L^-1 b, of which the entries before `from` are zero; b <- L^-T b. */
void hol__envelope_solve(const hol__envelope *e, int from, double *b);
void hol__envelope_solve_t(const hol__envelope *e, double *b);

#endif
