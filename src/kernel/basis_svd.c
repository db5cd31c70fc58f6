/* basis_svd.c: A^^T = U diag(s) V^T; R = the left singular vectors beyond the rank [PV 7.5].
 *
 *     S c = U1 s^-1 V1^T c,   A^^T y = g: y = V1 s^-1 U1^T g
 * The surest of the bases and the dearest: about 4 n^2 m + 8 m^2 n for the decomposition.
 */
#include "kernel/basis.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

typedef struct svd {
    hol__svd *svd;
    double *t;
} svd;

static hol_status create(hol__basis *b, hol__arena *arena) {
    svd *v = b->self = HOL__NEW(arena, svd);
    if (!v) return HOL_ERR_MEMORY;
    v->svd = hol__svd_new(arena, b->n, b->m);
    v->t = HOL__NEW_N(arena, double, b->n + b->m);
    return v->svd && v->t ? HOL_OK : HOL_ERR_MEMORY;
}

/* Without constraints every direction is free. */
static void all_free(hol__basis *b) {
    const size_t n = (size_t)b->n;
    b->rank = 0;
    for (size_t i = 0; i < n * n; i++) b->R[i] = i % (n + 1) == 0;
}

static hol_status factor(hol__basis *b) {
    const svd *v = b->self;
    const size_t n = (size_t)b->n, m = (size_t)b->m;
    if (n == 0 || m == 0) {
        all_free(b);
        return HOL_OK;
    }
    memcpy(v->svd->a, b->At, n * m * sizeof *b->At);
    if (hol__svd_factor(v->svd) != 0) return HOL_SINGULAR;
    const int rank = b->rank = hol__basis_choose_rank(b, v->svd->s, n < m ? b->n : b->m);
    if (rank > 0) b->share = fmin(1, v->svd->s[rank - 1]);
    memcpy(b->R, v->svd->u + (size_t)rank * n, (n - (size_t)rank) * n * sizeof *b->R);
    for (size_t k = 0; k < m - (size_t)rank; k++)
        for (size_t i = 0; i < m; i++) b->N[k * m + i] = v->svd->vt[i * m + (size_t)rank + k];
    return HOL_OK;
}

static void solve(hol__basis *b, const double *c, double *x) {
    const svd *v = b->self;
    const size_t m = (size_t)b->m;
    for (int i = 0; i < b->n; i++) x[i] = 0;
    for (int k = 0; k < b->rank; k++) {
        double sum = 0;
        for (size_t i = 0; i < m; i++) sum += v->svd->vt[i * m + (size_t)k] * c[i];
        v->t[k] = sum / v->svd->s[k];
    }
    if (b->rank > 0) hol__dense_mul(b->n, b->rank, 1, v->svd->u, v->t, 0, x);
}

static void solve_t(hol__basis *b, const double *g, double *y) {
    const svd *v = b->self;
    const size_t m = (size_t)b->m;
    if (b->rank > 0) hol__dense_mul_t(b->n, b->rank, 1, v->svd->u, g, 0, v->t);
    for (int k = 0; k < b->rank; k++) v->t[k] /= v->svd->s[k];
    for (size_t i = 0; i < m; i++) {
        y[i] = 0;
        for (int k = 0; k < b->rank; k++) y[i] += v->svd->vt[i * m + (size_t)k] * v->t[k];
    }
}

const hol__basis_type hol__basis_svd = {
    .name = "svd",
    .source = "PV 7.5",
    .flags = HOL__BASIS_ORTHONORMAL | HOL__BASIS_MINIMUM,
    .title = "Singular value decomposition",
    .create = create,
    .factor = factor,
    .solve = solve,
    .solve_t = solve_t,
};
