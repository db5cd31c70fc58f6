/* qr_plain.h: QR with column pivoting in plain loops, for matrices so small that a call of LAPACK
 * costs more than its arithmetic. The factors are those of hol__qrp (dense.h) in the form of
 * LAPACK: R above, the reflectors 1 - tau v v^T with v_k = 1 below the diagonal.
 */
#ifndef HOL_LA_QR_PLAIN_H
#define HOL_LA_QR_PLAIN_H

/* Up to this many entries; beyond them the blocks of LAPACK are as fast. */
enum { HOL__QR_PLAIN = 2500 };

/* a P = Q R, a (m x n); norms: 2 n of scratch. */
void hol__qr_plain_factor(int m, int n, double *a, int *column, double *tau, double *norms);

/* b <- Q b or Q^T b with the first k reflectors. */
void hol__qr_plain_apply(int m, int k, const double *a, const double *tau, int transposed,
                         double *b);

/* b <- R^-1 b, b <- R^-T b with the leading triangle r x r. */
void hol__qr_plain_solve(int m, int r, const double *a, double *b);
void hol__qr_plain_solve_t(int m, int r, const double *a, double *b);

#endif
