/* la_support.h: what the tests of linear algebra and kernels share: sparse matrices from dense
 * ones, and the reference solution by singular values. */
#ifndef HOL_TESTS_LA_SUPPORT_H
#define HOL_TESTS_LA_SUPPORT_H

#include "common.h"
#include "la/csr.h"
#include "la/dense.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Uniform in (-1, 1), the same sequence everywhere. */
static inline double uniform(uint64_t *state) {
    return random_one(state);
}

/* The non-zeros of a dense row-major matrix; with dead > 0 every dead-th zero is stored as an
 * entry that is not live. */
static inline hol__csr csr_of(hol__arena *arena, int rows, int cols, const double *dense,
                              int dead) {
    hol__csr A = {.rows = rows, .cols = cols, .ptr = HOL__NEW_N(arena, int, rows + 1)};
    const size_t most = (size_t)rows * (size_t)cols;
    A.idx = HOL__NEW_N(arena, int, most);
    A.x = HOL__NEW_N(arena, double, most);
    A.live = HOL__NEW_N(arena, unsigned char, most);
    int e = 0, zeros = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < cols; j++) {
            const double x = dense[(size_t)i * (size_t)cols + (size_t)j];
            if (x == 0 && !(dead > 0 && ++zeros % dead == 0)) continue;
            A.idx[e] = j;
            A.x[e] = x;
            A.live[e++] = x != 0;
        }
        A.ptr[i + 1] = e;
    }
    return A;
}

/* Reference for W x + A^T mu = f, A x = c of any rank (tolerance on singular values over the
 * largest), by the null space:
 *     A = U S V^T, x0 = A^+ c, x = x0 + V2 (V2^T W V2)^-1 V2^T (f - W x0), mu = (A^T)^+ (f - W x).
 * W (n x n) and A (m x n) dense row-major. Returns the rank, or -1. */
static inline int reference_solve(hol__arena *arena, int n, int m, const double *W, const double *A,
                                  const double *f, const double *c, double tolerance, double *x,
                                  double *mu) {
    const size_t sn = (size_t)n, sm = (size_t)m;
    hol__svd *svd = hol__svd_new(arena, m, n);
    double *r = HOL__NEW_N(arena, double, sn), *V2 = HOL__NEW_N(arena, double, sn *sn);
    double *WV = HOL__NEW_N(arena, double, sn *sn), *B = HOL__NEW_N(arena, double, sn *sn),
           *g = HOL__NEW_N(arena, double, sn);
    if (!svd || arena->failed) return -1;
    for (size_t i = 0; i < sm; i++)
        for (size_t j = 0; j < sn; j++) svd->a[j * sm + i] = A[i * sn + j];
    if (m > 0 && hol__svd_factor(svd) != 0) return -1;
    if (m == 0)
        for (size_t j = 0; j < sn; j++) svd->vt[j * sn + j] = 1;
    const int most = m < n ? m : n;
    int rank = 0;
    while (rank < most && svd->s[rank] > tolerance * svd->s[0]) rank++;
    for (int j = 0; j < n; j++) x[j] = 0;
    for (int k = 0; k < rank; k++) {
        double share = 0;
        for (size_t i = 0; i < sm; i++) share += svd->u[(size_t)k * sm + i] * c[i];
        for (size_t j = 0; j < sn; j++) x[j] += share / svd->s[k] * svd->vt[j * sn + (size_t)k];
    }
    for (size_t i = 0; i < sn; i++) {
        r[i] = f[i];
        for (size_t j = 0; j < sn; j++) r[i] -= W[i * sn + j] * x[j];
    }
    const int k = n - rank;
    for (int col = 0; col < k; col++)
        for (size_t j = 0; j < sn; j++)
            V2[(size_t)col * sn + j] = svd->vt[j * sn + (size_t)(rank + col)];
    if (k > 0) {
        hol__dense_product(0, 0, n, k, n, W, V2, WV);
        hol__dense_product(1, 0, k, k, n, V2, WV, B);
        for (int col = 0; col < k; col++) {
            g[col] = 0;
            for (size_t j = 0; j < sn; j++) g[col] += V2[(size_t)col * sn + j] * r[j];
        }
        if (hol__chol_factor(k, B) != 0) return -1;
        hol__chol_solve(k, 1, B, g);
        for (int col = 0; col < k; col++)
            for (size_t j = 0; j < sn; j++) x[j] += V2[(size_t)col * sn + j] * g[col];
    }
    for (size_t i = 0; i < sn; i++) {
        r[i] = f[i];
        for (size_t j = 0; j < sn; j++) r[i] -= W[i * sn + j] * x[j];
    }
    for (int i = 0; i < m; i++) mu[i] = 0;
    for (int q = 0; q < rank; q++) {
        double share = 0;
        for (size_t j = 0; j < sn; j++) share += svd->vt[j * sn + (size_t)q] * r[j];
        for (size_t i = 0; i < sm; i++) mu[i] += share / svd->s[q] * svd->u[(size_t)q * sm + i];
    }
    return rank;
}

/* The largest |a_i - b_i|; b may be NULL for zero. NaN comes through. */
static inline double difference(int n, const double *a, const double *b) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(a[i] - (b ? b[i] : 0));
        if (!(d <= most)) most = d;
    }
    return most;
}

#endif
