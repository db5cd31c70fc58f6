/* ldl.h: sparse P K P^T = L D L^T with a static pattern and no pivoting, for quasi-definite and
 * saddle point matrices.
 *
 * The signs of the pivots are known beforehand (+1 positive, -1 negative). A pivot is compared with
 * the sum of the magnitudes of the terms that made it: d_k = K_kk - sum l_kj^2 d_j, g_k = |K_kk| +
 * sum |l_kj^2 d_j|. Where sign_k d_k <= threshold_k g_k the pivot is dropped: row and column k are
 * left out (its unknown is zero, its equation ignored) and the rest is factored as if they were not
 * there.
 *
 * Use: hol__ldl_clear, value[map[e]] = entry e for all entries, hol__ldl_factor, hol__ldl_solve.
 */
#ifndef HOL_LA_LDL_H
#define HOL_LA_LDL_H

#include "base/arena.h"

/* Up to this size L is stored full, and factorisation and solution run without lists. */
enum { HOL__LDL_FULL = 6 };

typedef struct hol__ldl {
    int n;
    const int *perm;  /* perm[k]: the original index at place k */
    const int *place; /* place[i]: where index i stands */
    int *ptr, *row; /* L by columns without diagonal, rows rising; column k: ptr[k] … ptr[k+1]-1 */
    double *value;  /* D at 0 … n-1, then L */
    double *inverse;   /* 1/d_k, 0 where dropped */
    double *magnitude; /* g_k */
    double *threshold; /* of place k; set by the caller, zero at first. Above 1: always dropped */
    double *sign;      /* of place k */
    int *dropped;      /* places of the dropped pivots, rising */
    int n_dropped;
    double smallest;   /* min of sign_k d_k / g_k over the kept pivots; 1 when there are none */
    long long updates; /* multiplications in the factorisation, off the diagonal */
    int *target;       /* where each update goes, or NULL: then by rows with a work vector */
    int *row_ptr, *row_col, *row_at; /* without target: L by rows, and where each entry stands */
    double *work;                    /* n */
} hol__ldl;

/* Multiplications and entries of L for an ordering; -1 updates without memory. */
long long hol__ldl_count(hol_context *ctx, int n, int nz, const int *row, const int *col,
                         const int *perm, long long *entries);

/* Symbolic analysis. The nz entries (row, col) name each unordered pair once; the diagonal is
 * always there. sign (n, by original index) may be NULL: all positive. map (nz) receives where
 * in value each entry goes. NULL without memory. */
hol__ldl *hol__ldl_new(hol__arena *arena, int n, int nz, const int *row, const int *col,
                       const int *perm, const signed char *sign, int *map);

/* Whether a dense factorisation would be faster, whose n^3/6 multiplications BLAS makes. */
int hol__ldl_wants_dense(const hol__ldl *ldl);

/* Set all values to zero before they are filled in. */
void hol__ldl_clear(hol__ldl *ldl);

/* Factor. Returns the number of dropped pivots, or -1 when a value is not finite. */
int hol__ldl_factor(hol__ldl *ldl);

/* w <- (L D L^T)^-1 w, w in the order of the places. */
void hol__ldl_solve_places(const hol__ldl *ldl, double *w);

/* x = K^-1 b in the original order; x may be b. */
void hol__ldl_solve(hol__ldl *ldl, const double *b, double *x);

#endif
