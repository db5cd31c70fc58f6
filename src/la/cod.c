/* cod.c: complete orthogonal decomposition by pivoted QR (dgeqp3) and an RZ factorisation of its
 * upper rows (dtzrzf).
 *
 *     a P = Q R,   [R11 R12] = [T 0] Z,   a^+ = P Z^T [T^-1; 0] Q1^T
 *
 * Where the rank is full (r = n) there is no R12 and Z is the identity.
 */
#include "la/cod.h"

#include "la/openblas_calls.h"
#include "la/qr_plain.h"

#include <math.h>

static const int single = 1;

hol__cod *hol__cod_new(hol__arena *arena, int m, int n) {
    hol__cod *cod = HOL__NEW(arena, hol__cod);
    if (!cod) return NULL;
    const int longer = m > n ? m : n, k = m < n ? m : n;
    /* The rank is not known yet: room for blocks of 64 at any rank, and for the triangular
     * factor of dormrz. */
    cod->lwork = 64 * (longer + 1) + 65 * 64;
    cod->qr = hol__qrp_new(arena, m, n);
    cod->tau = HOL__NEW_N(arena, double, k);
    cod->work = HOL__NEW_N(arena, double, cod->lwork);
    cod->y = HOL__NEW_N(arena, double, longer);
    return cod->qr && cod->tau && cod->work && cod->y ? cod : NULL;
}

/* a P = Q R. */
int hol__cod_factor(hol__cod *cod) {
    cod->rank = 0;
    return hol__qrp_factor(cod->qr);
}

/* |R_kk|. */
double hol__cod_pivot(const hol__cod *cod, int k) {
    return fabs(cod->qr->a[(size_t)k * (size_t)cod->qr->m + (size_t)k]);
}

/* The number of pivots above tolerance * |R_11|. */
int hol__cod_rank(const hol__cod *cod, double tolerance) {
    const int most = cod->qr->m < cod->qr->n ? cod->qr->m : cod->qr->n;
    int rank = 0;
    while (rank < most && hol__cod_pivot(cod, rank) > tolerance * hol__cod_pivot(cod, 0)) rank++;
    return rank;
}

/* [R11 R12] = [T 0] Z. */
void hol__cod_truncate(hol__cod *cod, int rank) {
    const int m = cod->qr->m, n = cod->qr->n, lda = m > 1 ? m : 1;
    int info;
    cod->rank = rank;
    if (rank > 0 && rank < n)
        HOL__BLAS(dtzrzf_(&rank, &n, cod->qr->a, &lda, cod->tau, cod->work, &cod->lwork, &info));
}

/* y <- Z y or Z^T y. */
static void apply_z(hol__cod *cod, int transposed, double *y) {
    const int n = cod->qr->n, r = cod->rank, l = n - r, lda = cod->qr->m > 1 ? cod->qr->m : 1,
              ldc = n > 1 ? n : 1;
    int info;
    if (r > 0 && l > 0 &&
        !HOL__BLAS(dormrz_("L", transposed ? "T" : "N", &n, &single, &r, &l, cod->qr->a, &lda,
                           cod->tau, y, &ldc, cod->work, &cod->lwork, &info, 1, 1)))
        hol__no_numbers(y, (size_t)n);
}

/* y <- T^-1 y and T^-T y. */
static void upper_solve(const hol__cod *cod, double *y) {
    if (cod->qr->plain)
        hol__qr_plain_solve(cod->qr->m, cod->rank, cod->qr->a, y);
    else
        hol__upper_solve(cod->rank, cod->qr->a, cod->qr->m, y);
}

static void upper_solve_t(const hol__cod *cod, double *y) {
    if (cod->qr->plain)
        hol__qr_plain_solve_t(cod->qr->m, cod->rank, cod->qr->a, y);
    else
        hol__upper_solve_t(cod->rank, cod->qr->a, cod->qr->m, y);
}

/* x = P Z^T [T^-1 Q1^T b; 0]. */
void hol__cod_solve(hol__cod *cod, const double *b, double *x) {
    const int m = cod->qr->m, n = cod->qr->n, r = cod->rank;
    double *y = cod->y;
    for (int i = 0; i < m; i++) y[i] = b[i];
    hol__qrp_apply(cod->qr, r, 1, y);
    upper_solve(cod, y);
    for (int i = r; i < n; i++) y[i] = 0;
    apply_z(cod, 1, y);
    for (int i = 0; i < n; i++) x[cod->qr->column[i]] = y[i];
}

/* y = Q1 T^-T (Z P^T c)_1. */
void hol__cod_solve_t(hol__cod *cod, const double *c, double *y) {
    const int m = cod->qr->m, n = cod->qr->n, r = cod->rank;
    double *z = cod->y;
    for (int i = 0; i < n; i++) z[i] = c[cod->qr->column[i]];
    apply_z(cod, 0, z);
    upper_solve_t(cod, z);
    for (int i = 0; i < r; i++) y[i] = z[i];
    for (int i = r; i < m; i++) y[i] = 0;
    hol__qrp_apply(cod->qr, r, 0, y);
}

/* With w = Q^T u and z = T^-T (Z P^T c)_1: x = Q [z; w_2], y = P Z^T [T^-1 (w_1 - z); 0]. */
void hol__cod_move(hol__cod *cod, const double *c, double *u, double *y) {
    const int n = cod->qr->n, r = cod->rank;
    double *z = cod->y;
    for (int i = 0; i < n; i++) z[i] = c[cod->qr->column[i]];
    apply_z(cod, 0, z);
    upper_solve_t(cod, z);
    hol__qrp_apply(cod->qr, r, 1, u);
    for (int i = 0; i < r; i++) {
        const double moved = u[i] - z[i];
        u[i] = z[i];
        z[i] = moved;
    }
    hol__qrp_apply(cod->qr, r, 0, u);
    if (!y) return;
    upper_solve(cod, z);
    for (int i = r; i < n; i++) z[i] = 0;
    apply_z(cod, 1, z);
    for (int i = 0; i < n; i++) y[cod->qr->column[i]] = z[i];
}

/* b <- Q [0; (Q^T b)_2]. */
void hol__cod_outside_range(hol__cod *cod, double *b) {
    hol__qrp_apply(cod->qr, cod->rank, 1, b);
    for (int i = 0; i < cod->rank; i++) b[i] = 0;
    hol__qrp_apply(cod->qr, cod->rank, 0, b);
}

/* v = P Z^T e_(r+k). */
void hol__cod_null_vector(hol__cod *cod, int k, double *v) {
    const int n = cod->qr->n;
    for (int i = 0; i < n; i++) cod->y[i] = i == cod->rank + k;
    apply_z(cod, 1, cod->y);
    for (int i = 0; i < n; i++) v[cod->qr->column[i]] = cod->y[i];
}
