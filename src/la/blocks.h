/* blocks.h: a matrix of rows as blocks of few local rows over a Jacobian,
 *
 *     A = C J        C = diag(C_1 … C_p), C_i (m_i x n_i), m_i <= n_i <= 3, of full rank
 *                    D = diag(D_1 … D_p), D_i (n_i x (n_i - m_i)), C_i D_i = 0
 *
 * as constraints have it in local coordinates x_i of their joints, J = dx/dv [BL 7-12]. D_i is
 * found in closed form:
 *
 *     n - m = 0    nothing
 *     2 - 1        (-c_2, c_1)                       turned by a right angle
 *     3 - 2        c_1 x c_2                         across both rows
 *     3 - 1        t = e_k x c and c x t             e_k: the axis that c has the least of
 */
#ifndef HOL_LA_BLOCKS_H
#define HOL_LA_BLOCKS_H

#include "la/csr.h"

enum { HOL__BLOCK_MOST = 3 };

/* Rows row[0] … row[m - 1] of A over the n rows of J from x on. C and D: where their values begin;
 * C_i row-major, D_i column after column. */
typedef struct hol__block {
    int m, n, row[HOL__BLOCK_MOST], x;
    int C, D;
} hol__block;

typedef struct hol__blocks {
    int m, k; /* rows of A and of J */
    int n_blocks;
    hol__block *block;
    double *C, *D;
    hol__csr J;
} hol__blocks;

/* D of C as above; and in symbols, "" where there is none. */
void hol__block_complement(int m, int n, const double *C, double *D);
const char *hol__block_complement_text(int m, int n);

/* C and D as matrices by rows, in the arena; 0 without memory. */
int hol__blocks_matrices(const hol__blocks *blocks, hol__arena *arena, hol__csr *C, hol__csr *D);

/* x (k) of least norm with C x = c (m); mu (m) with C^T mu = rho (k), of least squares. Both by
 * (C_i C_i^T)^-1, block by block. */
void hol__blocks_lift(const hol__blocks *blocks, const double *c, double *x);
void hol__blocks_lower(const hol__blocks *blocks, const double *rho, double *mu);

#endif
