/* dense.c: LAPACK behind objects that hold their workspace. See dense.h. */
#include "la/dense.h"

#include "la/openblas_calls.h"
#include "la/qr_plain.h"

#include <math.h>

/* Room for LAPACK's blocks of this many columns, which is all that it uses of more: where an object
 * is often made and not used, it is not asked how much it wants. */
enum { BLOCK = 64 };

static const double one = 1.0, zero = 0.0;
static const int single = 1;

/* LAPACK asks for leading dimensions of at least 1. */
static int at_least_1(int n) {
    return n > 1 ? n : 1;
}

void hol__no_numbers(double *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = NAN;
}

/* a = L L^T. */
int hol__chol_factor(int n, double *a) {
    const int lda = at_least_1(n);
    int info = HOL__NOT_CALLED;
    HOL__BLAS(dpotrf_("L", &n, a, &lda, &info, 1));
    return info;
}

/* b <- (L L^T)^-1 b. */
void hol__chol_solve(int n, int nrhs, const double *l, double *b) {
    const int lda = at_least_1(n);
    int info = HOL__NOT_CALLED;
    HOL__BLAS(dpotrs_("L", &n, &nrhs, l, &lda, b, &lda, &info, 1));
}

/* b <- L^-1 b. */
void hol__lower_solve(int n, int nrhs, const double *l, double *b) {
    const int lda = at_least_1(n);
    if (!HOL__BLAS(dtrsm_("L", "L", "N", "N", &n, &nrhs, &one, l, &lda, b, &lda, 1, 1, 1, 1)))
        hol__no_numbers(b, hol__area(n, nrhs));
}

/* b <- L^-T b. */
void hol__lower_solve_t(int n, int nrhs, const double *l, double *b) {
    const int lda = at_least_1(n);
    if (!HOL__BLAS(dtrsm_("L", "L", "T", "N", &n, &nrhs, &one, l, &lda, b, &lda, 1, 1, 1, 1)))
        hol__no_numbers(b, hol__area(n, nrhs));
}

/* b <- R^-1 b. */
void hol__upper_solve(int r, const double *a, int lda, double *b) {
    const int ldb = at_least_1(r), ld = at_least_1(lda);
    int info;
    if (!HOL__BLAS(dtrtrs_("U", "N", "N", &r, &single, a, &ld, b, &ldb, &info, 1, 1, 1)))
        hol__no_numbers(b, (size_t)r);
}

/* b <- R^-T b. */
void hol__upper_solve_t(int r, const double *a, int lda, double *b) {
    const int ldb = at_least_1(r), ld = at_least_1(lda);
    int info;
    if (!HOL__BLAS(dtrtrs_("U", "T", "N", &r, &single, a, &ld, b, &ldb, &info, 1, 1, 1)))
        hol__no_numbers(b, (size_t)r);
}

/* y = alpha A x + beta y. */
void hol__dense_mul(int m, int n, double alpha, const double *a, const double *x, double beta,
                    double *y) {
    const int lda = at_least_1(m);
    if (!HOL__BLAS(dgemv_("N", &m, &n, &alpha, a, &lda, x, &single, &beta, y, &single, 1)))
        hol__no_numbers(y, (size_t)m);
}

/* y = alpha A^T x + beta y. */
void hol__dense_mul_t(int m, int n, double alpha, const double *a, const double *x, double beta,
                      double *y) {
    const int lda = at_least_1(m);
    if (m == 0)
        for (int j = 0; j < n; j++) y[j] *= beta;
    else if (!HOL__BLAS(dgemv_("T", &m, &n, &alpha, a, &lda, x, &single, &beta, y, &single, 1)))
        hol__no_numbers(y, (size_t)n);
}

/* c = A^T A, lower triangle. */
void hol__dense_gram(int k, int n, const double *a, double *c) {
    const int lda = at_least_1(k), ldc = at_least_1(n);
    if (!HOL__BLAS(dsyrk_("L", "T", &n, &k, &one, a, &lda, &zero, c, &ldc, 1, 1)))
        hol__no_numbers(c, hol__area(n, n));
}

/* c = op(A) op(B). */
void hol__dense_product(int trans_a, int trans_b, int m, int n, int k, const double *a,
                        const double *b, double *c) {
    const int lda = at_least_1(trans_a ? k : m), ldb = at_least_1(trans_b ? n : k),
              ldc = at_least_1(m);
    if (!HOL__BLAS(dgemm_(trans_a ? "T" : "N", trans_b ? "T" : "N", &m, &n, &k, &one, a, &lda, b,
                          &ldb, &zero, c, &ldc, 1, 1)))
        hol__no_numbers(c, hol__area(m, n));
}

/* ---- Bunch-Kaufman ---- */

hol__bk *hol__bk_new(hol__arena *arena, int n) {
    hol__bk *bk = HOL__NEW(arena, hol__bk);
    if (!bk) return NULL;
    const int lda = at_least_1(n), ask = -1;
    double size = 1;
    int info = 0, none = 0;
    HOL__BLAS(dsytrf_("L", &n, &size, &lda, &none, &size, &ask, &info, 1));
    *bk = (hol__bk){.n = n, .lwork = at_least_1((int)size)};
    bk->a = HOL__NEW_N(arena, double, hol__area(n, n));
    bk->pivot = HOL__NEW_N(arena, int, n);
    bk->work = HOL__NEW_N(arena, double, bk->lwork);
    return bk->a && bk->pivot && bk->work ? bk : NULL;
}

/* a = L D L^T. */
int hol__bk_factor(hol__bk *bk) {
    const int lda = at_least_1(bk->n);
    int info = HOL__NOT_CALLED;
    HOL__BLAS(dsytrf_("L", &bk->n, bk->a, &lda, bk->pivot, bk->work, &bk->lwork, &info, 1));
    return info;
}

/* b <- a^-1 b. */
void hol__bk_solve(const hol__bk *bk, double *b) {
    const int lda = at_least_1(bk->n);
    int info = HOL__NOT_CALLED;
    HOL__BLAS(dsytrs_("L", &bk->n, &single, bk->a, &lda, bk->pivot, b, &lda, &info, 1));
}

/* Extreme magnitudes of the eigenvalues of D; for a block [a b; b c] they are (a + c)/2 ±
 * hypot((a - c)/2, b). */
void hol__bk_pivots(const hol__bk *bk, double *smallest, double *largest) {
    const size_t n = (size_t)bk->n;
    *smallest = HUGE_VAL;
    *largest = 0;
    for (size_t k = 0; k < n;) {
        double low = fabs(bk->a[k * n + k]), high = low;
        if (bk->pivot[k] < 0 && k + 1 < n) {
            const double a = bk->a[k * n + k], b = bk->a[k * n + k + 1],
                         c = bk->a[(k + 1) * n + k + 1];
            const double middle = 0.5 * fabs(a + c), spread = hypot(0.5 * (a - c), b);
            high = middle + spread;
            low = high > 0 ? fabs(a * c - b * b) / high : 0;
            k++;
        }
        /* written so that NaN comes through, and stays */
        if (!(low >= *smallest) && !isnan(*smallest)) *smallest = low;
        if (!(high <= *largest) && !isnan(*largest)) *largest = high;
        k++;
    }
}

/* ---- LU ---- */

hol__lu *hol__lu_new(hol__arena *arena, int n) {
    hol__lu *lu = HOL__NEW(arena, hol__lu);
    if (!lu) return NULL;
    *lu = (hol__lu){.n = n,
                    .a = HOL__NEW_N(arena, double, hol__area(n, n)),
                    .pivot = HOL__NEW_N(arena, int, n)};
    return lu->a && lu->pivot ? lu : NULL;
}

/* P a = L U. */
int hol__lu_factor(hol__lu *lu) {
    const int lda = at_least_1(lu->n);
    int info = HOL__NOT_CALLED;
    HOL__BLAS(dgetrf_(&lu->n, &lu->n, lu->a, &lda, lu->pivot, &info));
    return info;
}

/* b <- a^-1 b or a^-T b. */
void hol__lu_solve(const hol__lu *lu, int transposed, double *b) {
    hol__lu_solve_n(lu, transposed, 1, b);
}

/* The same for several columns. */
int hol__lu_sign(const hol__lu *lu, double share) {
    double least = INFINITY, most = 0;
    int sign = 1;
    for (int i = 0; i < lu->n; i++) {
        const double pivot = lu->a[(size_t)i * (size_t)(lu->n + 1)];
        least = fmin(least, fabs(pivot));
        most = fmax(most, fabs(pivot));
        if ((pivot < 0) != (lu->pivot[i] != i + 1)) sign = -sign;
    }
    return least > share * most ? sign : 0;
}

void hol__lu_solve_n(const hol__lu *lu, int transposed, int count, double *b) {
    const int lda = at_least_1(lu->n);
    int info = HOL__NOT_CALLED;
    HOL__BLAS(
        dgetrs_(transposed ? "T" : "N", &lu->n, &count, lu->a, &lda, lu->pivot, b, &lda, &info, 1));
}

/* ---- QR with column pivoting ---- */

hol__qrp *hol__qrp_new(hol__arena *arena, int m, int n) {
    hol__qrp *qr = HOL__NEW(arena, hol__qrp);
    if (!qr) return NULL;
    const int k = m < n ? m : n;
    *qr = (hol__qrp){.m = m, .n = n, .lwork = (BLOCK + 2) * (m > n ? m : n) + (BLOCK + 1) * BLOCK};
    qr->a = HOL__NEW_N(arena, double, hol__area(m, n));
    qr->column = HOL__NEW_N(arena, int, n);
    qr->tau = HOL__NEW_N(arena, double, k);
    qr->work = HOL__NEW_N(arena, double, qr->lwork);
    return qr->a && qr->column && qr->tau && qr->work ? qr : NULL;
}

void hol__qrp_prefer_plain(hol__qrp *qr) {
    qr->plain = hol__area(qr->m, qr->n) <= HOL__QR_PLAIN;
}

/* a P = Q R. */
int hol__qrp_factor(hol__qrp *qr) {
    const int lda = at_least_1(qr->m);
    int info = 0;
    if (qr->plain) {
        hol__qr_plain_factor(qr->m, qr->n, qr->a, qr->column, qr->tau, qr->work);
        return 0;
    }
    for (int j = 0; j < qr->n; j++) qr->column[j] = 0;
    if (qr->m > 0 && qr->n > 0) {
        info = HOL__NOT_CALLED;
        HOL__BLAS(
            dgeqp3_(&qr->m, &qr->n, qr->a, &lda, qr->column, qr->tau, qr->work, &qr->lwork, &info));
    } else
        for (int j = 0; j < qr->n; j++) qr->column[j] = j + 1;
    for (int j = 0; j < qr->n; j++) qr->column[j]--;
    return info;
}

/* b <- Q b or Q^T b. */
void hol__qrp_apply(const hol__qrp *qr, int k, int transposed, double *b) {
    const int lda = at_least_1(qr->m);
    int info = HOL__NOT_CALLED;
    if (qr->plain)
        hol__qr_plain_apply(qr->m, k, qr->a, qr->tau, transposed, b);
    else if (k > 0)
        HOL__BLAS(dormqr_("L", transposed ? "T" : "N", &qr->m, &single, &k, qr->a, &lda, qr->tau, b,
                          &lda, qr->work, &qr->lwork, &info, 1, 1));
}

/* r <- Q [0; I]. */
void hol__qrp_complement(const hol__qrp *qr, int k, double *r) {
    const int lda = at_least_1(qr->m), count = qr->m - k;
    int info = HOL__NOT_CALLED;
    for (size_t i = 0; i < hol__area(qr->m, count); i++) r[i] = 0;
    for (int j = 0; j < count; j++) r[hol__area(qr->m, j) + (size_t)(k + j)] = 1;
    if (qr->plain)
        for (int j = 0; j < count; j++)
            hol__qr_plain_apply(qr->m, k, qr->a, qr->tau, 0, r + hol__area(qr->m, j));
    else if (k > 0 && count > 0)
        HOL__BLAS(dormqr_("L", "N", &qr->m, &count, &k, qr->a, &lda, qr->tau, r, &lda, qr->work,
                          &qr->lwork, &info, 1, 1));
}

/* ---- singular values ---- */

hol__svd *hol__svd_new(hol__arena *arena, int m, int n) {
    hol__svd *svd = HOL__NEW(arena, hol__svd);
    if (!svd) return NULL;
    const int lda = at_least_1(m), ldv = at_least_1(n), ask = -1;
    double size = 1;
    int info = HOL__NOT_CALLED;
    HOL__BLAS(dgesvd_("A", "A", &m, &n, &size, &lda, &size, &size, &lda, &size, &ldv, &size, &ask,
                      &info, 1, 1));
    *svd = (hol__svd){.m = m, .n = n, .lwork = at_least_1((int)size)};
    svd->a = HOL__NEW_N(arena, double, hol__area(m, n));
    svd->s = HOL__NEW_N(arena, double, m < n ? m : n);
    svd->u = HOL__NEW_N(arena, double, hol__area(m, m));
    svd->vt = HOL__NEW_N(arena, double, hol__area(n, n));
    svd->work = HOL__NEW_N(arena, double, svd->lwork);
    return svd->a && svd->s && svd->u && svd->vt && svd->work ? svd : NULL;
}

/* a = U diag(s) V^T. */
int hol__svd_factor(hol__svd *svd) {
    const int lda = at_least_1(svd->m), ldv = at_least_1(svd->n);
    int info = HOL__NOT_CALLED;
    HOL__BLAS(dgesvd_("A", "A", &svd->m, &svd->n, svd->a, &lda, svd->s, svd->u, &lda, svd->vt, &ldv,
                      svd->work, &svd->lwork, &info, 1, 1));
    return info;
}

/* ---- symmetric eigenvalues ---- */

hol__eigh *hol__eigh_new(hol__arena *arena, int n) {
    hol__eigh *eigh = HOL__NEW(arena, hol__eigh);
    if (!eigh) return NULL;
    *eigh = (hol__eigh){.n = n, .lwork = (BLOCK + 2) * at_least_1(n)};
    eigh->a = HOL__NEW_N(arena, double, hol__area(n, n));
    eigh->values = HOL__NEW_N(arena, double, n);
    eigh->work = HOL__NEW_N(arena, double, eigh->lwork);
    return eigh->a && eigh->values && eigh->work ? eigh : NULL;
}

/* The eigenvalues of a, with the vectors where the job is "V". */
static int eigh_job(hol__eigh *eigh, int size, const char *job) {
    const int lda = at_least_1(size);
    int info = HOL__NOT_CALLED;
    if (size == 1) {
        eigh->values[0] = eigh->a[0];
        eigh->a[0] = 1;
        return 0;
    }
    HOL__BLAS(dsyev_(job, "L", &size, eigh->a, &lda, eigh->values, eigh->work, &eigh->lwork, &info,
                     1, 1));
    return info;
}

/* a = V diag(values) V^T, a of the given size stored with leading dimension size. */
int hol__eigh_factor(hol__eigh *eigh, int size) {
    return eigh_job(eigh, size, "V");
}

int hol__eigh_values(hol__eigh *eigh, int size) {
    return eigh_job(eigh, size, "N");
}

/* ---- Schur form ---- */

hol__schur *hol__schur_new(hol__arena *arena, int n) {
    hol__schur *schur = HOL__NEW(arena, hol__schur);
    if (!schur) return NULL;
    const int lda = at_least_1(n), ask = -1;
    double size = 1;
    int info = 0, none = 0;
    HOL__BLAS(dgees_("V", "N", NULL, &n, &size, &lda, &none, &size, &size, &size, &lda, &size, &ask,
                     &none, &info, 1, 1));
    *schur = (hol__schur){.n = n, .lwork = (int)fmax(size, 3.0 * n + 1)};
    schur->a = HOL__NEW_N(arena, double, hol__area(n, n));
    schur->v = HOL__NEW_N(arena, double, hol__area(n, n));
    schur->re = HOL__NEW_N(arena, double, n);
    schur->im = HOL__NEW_N(arena, double, n);
    schur->work = HOL__NEW_N(arena, double, schur->lwork);
    return schur->a && schur->v && schur->re && schur->im && schur->work ? schur : NULL;
}

/* a = V T V^T, a and V stored with leading dimension size. */
int hol__schur_factor(hol__schur *schur, int size) {
    const int lda = at_least_1(size);
    int info = HOL__NOT_CALLED, none = 0;
    HOL__BLAS(dgees_("V", "N", NULL, &size, schur->a, &lda, &none, schur->re, schur->im, schur->v,
                     &lda, schur->work, &schur->lwork, &none, &info, 1, 1));
    return info;
}
