/* lufp.h: LU factorisation of a dense rectangular matrix with full pivoting.
 *
 *     P b Q = [L1; L2] [U1 U2]        b (n x m), L1 unit lower and U1 upper triangular, r x r
 *
 * Elimination goes on until the rest is zero; the caller chooses the rank r by the pivots |U_kk|
 * and hands it to the rest. row[0 … r-1] and column[0 … r-1] name the regular block. Column-major;
 * after the constructor nothing allocates.
 */
#ifndef HOL_LA_LUFP_H
#define HOL_LA_LUFP_H

#include "base/arena.h"

typedef struct hol__lufp {
    int n, m;
    double *b;         /* fill before factor; L below and U on and above the diagonal after */
    int *row, *column; /* row[k], column[k]: what stands at place k */
    double *work;      /* max(n, m) */
} hol__lufp;

/* NULL without memory. */
hol__lufp *hol__lufp_new(hol__arena *arena, int n, int m);

void hol__lufp_factor(hol__lufp *lu);

/* The elimination of another matrix (n x m) in the places of the last choice, without looking for
 * pivots: r of them. Returns the smallest, 0 when one is zero; *left: the largest entry of the
 * rest. */
double hol__lufp_repeat(hol__lufp *lu, const double *b, int r, double *left);

/* |U_kk|. */
double hol__lufp_pivot(const hol__lufp *lu, int k);

/* The basic solution y (m) of b y = g (n) and x (n) of b^T x = c (m), zero outside the regular
 * block. */
void hol__lufp_solve(hol__lufp *lu, int r, const double *g, double *y);
void hol__lufp_solve_t(hol__lufp *lu, int r, const double *c, double *x);

/* The k-th null vector of b (m), 1 at column[r + k], and of b^T (n), 1 at row[r + k]. */
void hol__lufp_null(hol__lufp *lu, int r, int k, double *v);
void hol__lufp_null_t(hol__lufp *lu, int r, int k, double *v);

#endif
