/* dense.h: dense factorisations with their workspace made once. Matrices are column-major with
 * leading dimension = rows.
 *
 * An object lives in an arena; after its constructor nothing allocates. Functions that return int
 * return LAPACK's info: 0 is well, k > 0 says where the factorisation broke down. Constructors
 * return NULL without memory.
 */
#ifndef HOL_LA_DENSE_H
#define HOL_LA_DENSE_H

#include "base/arena.h"

/* Not numbers: what a call of LAPACK would have written that cannot be loaded (late.h). */
void hol__no_numbers(double *x, size_t n);

/* How many numbers an m x n matrix has. */
static inline size_t hol__area(int m, int n) {
    return (size_t)m * (size_t)n;
}

/* Cholesky, a = L L^T in the lower triangle of a (n x n); then b <- a^-1 b for nrhs columns. */
int hol__chol_factor(int n, double *a);
void hol__chol_solve(int n, int nrhs, const double *l, double *b);

/* b <- L^-1 b, b <- L^-T b with the lower triangle of l (n x n), b (n x nrhs). */
void hol__lower_solve(int n, int nrhs, const double *l, double *b);
void hol__lower_solve_t(int n, int nrhs, const double *l, double *b);

/* b <- R^-1 b, b <- R^-T b with the leading upper triangle r x r of a matrix with leading
 * dimension lda; one column. */
void hol__upper_solve(int r, const double *a, int lda, double *b);
void hol__upper_solve_t(int r, const double *a, int lda, double *b);

/* y = alpha A x + beta y and with A^T, A (m x n). */
void hol__dense_mul(int m, int n, double alpha, const double *a, const double *x, double beta,
                    double *y);
void hol__dense_mul_t(int m, int n, double alpha, const double *a, const double *x, double beta,
                      double *y);

/* c (n x n, lower triangle) = A^T A, A (k x n). */
void hol__dense_gram(int k, int n, const double *a, double *c);

/* c (m x n) = op(A) op(B) with inner size k. */
void hol__dense_product(int trans_a, int trans_b, int m, int n, int k, const double *a,
                        const double *b, double *c);

/* Symmetric indefinite, Bunch-Kaufman: a = L D L^T with blocks 1 x 1 and 2 x 2 (lower triangle). */
typedef struct hol__bk {
    int n, lwork;
    double *a; /* fill before factor; the factor after */
    int *pivot;
    double *work;
} hol__bk;

hol__bk *hol__bk_new(hol__arena *arena, int n);
int hol__bk_factor(hol__bk *bk);
void hol__bk_solve(const hol__bk *bk, double *b);

/* The smallest and largest magnitude of an eigenvalue of the blocks of D. */
void hol__bk_pivots(const hol__bk *bk, double *smallest, double *largest);

/* LU with partial pivoting of a (n x n). */
typedef struct hol__lu {
    int n;
    double *a;
    int *pivot;
} hol__lu;

hol__lu *hol__lu_new(hol__arena *arena, int n);
int hol__lu_factor(hol__lu *lu);
void hol__lu_solve(const hol__lu *lu, int transposed, double *b);

/* The sign of the determinant of what was factored; 0 where the least pivot is below that share of
 * the largest. */
int hol__lu_sign(const hol__lu *lu, double share);

/* As hol__lu_solve for the columns of b (n x count). */
void hol__lu_solve_n(const hol__lu *lu, int transposed, int count, double *b);

/* QR with column pivoting: a P = Q R, a (m x n); |R_11| >= |R_22| >= …  */
typedef struct hol__qrp {
    int m, n, lwork;
    double *a;   /* fill before factor; R above and the reflectors below the diagonal after */
    int *column; /* column[k]: which column of a stands at place k (from 0) */
    double *tau, *work;
    int plain; /* in loops, without LAPACK (qr_plain.h) */
} hol__qrp;

hol__qrp *hol__qrp_new(hol__arena *arena, int m, int n);

/* In loops from now on where that is faster. */
void hol__qrp_prefer_plain(hol__qrp *qr);

int hol__qrp_factor(hol__qrp *qr);

/* b <- Q b or Q^T b with the first k reflectors, one column of length m. */
void hol__qrp_apply(const hol__qrp *qr, int k, int transposed, double *b);

/* r (m x (m - k)) = the last columns of Q, of which only the first k reflectors count. */
void hol__qrp_complement(const hol__qrp *qr, int k, double *r);

/* Singular value decomposition a = U diag(s) V^T, all of U (m x m) and V^T (n x n). a is
 * destroyed. */
typedef struct hol__svd {
    int m, n, lwork;
    double *a, *s, *u, *vt, *work;
} hol__svd;

hol__svd *hol__svd_new(hol__arena *arena, int m, int n);
int hol__svd_factor(hol__svd *svd);

/* Eigenvalues in rising order and orthonormal eigenvectors (in the columns of a) of a symmetric
 * a, size up to n. */
typedef struct hol__eigh {
    int n, lwork;
    double *a, *values, *work;
} hol__eigh;

hol__eigh *hol__eigh_new(hol__arena *arena, int n);
int hol__eigh_factor(hol__eigh *eigh, int size);

/* The eigenvalues alone, at a seventh of the cost; a is destroyed. */
int hol__eigh_values(hol__eigh *eigh, int size);

/* Real Schur form a = V T V^T, a of a size up to n; T takes the place of a. */
typedef struct hol__schur {
    int n, lwork;
    double *a, *v, *re, *im, *work;
} hol__schur;

hol__schur *hol__schur_new(hol__arena *arena, int n);
int hol__schur_factor(hol__schur *schur, int size);

#endif
