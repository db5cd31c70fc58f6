/* cod.h: complete orthogonal decomposition of a dense matrix: the pseudoinverse of a rank-deficient
 * matrix.
 *
 *     a P = Q [R11 R12; 0 R22],  R22 dropped,  [R11 R12] = [T 0] Z       a (m x n), rank r
 *     a^+ = P Z^T [T^-1; 0] Q1^T
 *
 * Column-major; workspace made once. Use: fill a, hol__cod_factor, choose a rank (hol__cod_rank
 * gives one), hol__cod_truncate, then the solves.
 */
#ifndef HOL_LA_COD_H
#define HOL_LA_COD_H

#include "la/dense.h"

typedef struct hol__cod {
    hol__qrp *qr; /* qr->a is the matrix to fill */
    int rank;
    double *tau, *work, *y; /* of Z; workspace; a vector of length max(m, n) */
    int lwork;
} hol__cod;

hol__cod *hol__cod_new(hol__arena *arena, int m, int n);

/* The pivoted QR; |R_kk| by hol__cod_pivot. Returns 0, or LAPACK's info. */
int hol__cod_factor(hol__cod *cod);
double hol__cod_pivot(const hol__cod *cod, int k);

/* How many pivots exceed tolerance times the first; 0 for a zero matrix. */
int hol__cod_rank(const hol__cod *cod, double tolerance);

/* Take the rank as given and finish the decomposition. */
void hol__cod_truncate(hol__cod *cod, int rank);

/* x (n) = a^+ b (m): least squares, minimum norm. */
void hol__cod_solve(hol__cod *cod, const double *b, double *x);

/* y (m) = (a^+)^T c (n). */
void hol__cod_solve_t(hol__cod *cod, const double *c, double *y);

/* u (m) <- x, the point nearest to u with a^T x = c (n) in the least squares, and
 * y (n) = a^+ (u - x); y may be NULL. */
void hol__cod_move(hol__cod *cod, const double *c, double *u, double *y);

/* b (m) <- (I - Q1 Q1^T) b: the part outside the range of a. */
void hol__cod_outside_range(hol__cod *cod, double *b);

/* v (n) = the k-th vector of an orthonormal basis of the null space of a, k = 0 … n - rank - 1. */
void hol__cod_null_vector(hol__cod *cod, int k, double *v);

#endif
