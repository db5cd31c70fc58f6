/* basis_gram.c: null-space bases from a decomposition of A^^T A^. See basis_gram.h.
 *
 * Cost: n^2 m for the product, the decomposition, 2 n r for each application of B^+.
 */
#include "kernel/basis_gram.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 3 };

typedef struct gram {
    hol__gram_decompose *decompose;
    void *decomposition;
    double *B;           /* max(n, m)^2 */
    double *V, *lambda;  /* n x n, n */
    double *other;       /* m: values of A^ A^^T */
    double *t, *u, *res; /* n, n, max(n, m) */
} gram;

hol_status hol__gram_create(hol__basis *b, hol__arena *arena, hol__gram_decompose *decompose,
                            void *decomposition) {
    const size_t n = (size_t)b->n, m = (size_t)b->m, longer = n > m ? n : m;
    gram *g = b->self = HOL__NEW(arena, gram);
    if (!g || !decomposition) return HOL_ERR_MEMORY;
    *g = (gram){.decompose = decompose, .decomposition = decomposition};
    g->B = HOL__NEW_N(arena, double, longer *longer);
    g->V = HOL__NEW_N(arena, double, n *n);
    g->lambda = HOL__NEW_N(arena, double, 3 * n + m + longer);
    if (arena->failed) return HOL_ERR_MEMORY;
    g->other = g->lambda + n;
    g->t = g->other + m;
    g->u = g->t + n;
    g->res = g->u + n;
    return HOL_OK;
}

/* How many values count, judged by their squares with the floor of rounding. */
static int choose_rank(const hol__basis *b, const double *lambda) {
    const int n = b->n, most = n < b->m ? n : b->m;
    const double floor = HOL__BASIS_FLOOR * n * fmax(1, lambda[n - 1]);
    int rank = most;
    while (rank > 0) {
        const double limit = hol__basis_limit(b, rank - 1);
        if (lambda[n - rank] > fmax(limit * limit, floor)) break;
        rank--;
    }
    return rank;
}

hol_status hol__gram_factor(hol__basis *b) {
    const gram *g = b->self;
    const int n = b->n, m = b->m;
    b->rank = 0;
    if (n == 0) return HOL_OK;
    if (m > 0)
        hol__dense_product(0, 1, n, n, m, b->At, b->At, g->B);
    else
        memset(g->B, 0, (size_t)n * (size_t)n * sizeof *g->B);
    if (g->decompose(g->decomposition, n, g->B, g->V, g->lambda) != 0) return HOL_SINGULAR;
    const int rank = b->rank = choose_rank(b, g->lambda);
    if (rank > 0) b->share = fmin(1, sqrt(g->lambda[n - rank]));
    memcpy(b->R, g->V, (size_t)n * (size_t)(n - rank) * sizeof *b->R);
    if (rank == m) return HOL_OK;
    /* The values of A^ A^^T are those of A^^T A^ and zeros: the first m - rank vectors. */
    hol__dense_product(1, 0, m, m, n, b->At, b->At, g->B);
    return g->decompose(g->decomposition, m, g->B, b->N, g->other) == 0 ? HOL_OK : HOL_SINGULAR;
}

/* out = B^+ in; out may be in. */
static void apply_inverse(const hol__basis *b, const double *in, double *out) {
    const gram *g = b->self;
    const int n = b->n, r = b->rank, first = n - r;
    const double *V1 = g->V + (size_t)first * (size_t)n;
    hol__dense_mul_t(n, r, 1, V1, in, 0, g->u);
    for (int k = 0; k < r; k++) g->u[k] /= g->lambda[first + k];
    hol__dense_mul(n, r, 1, V1, g->u, 0, out);
}

static double norm(int n, const double *v) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

/* x += B^+ A^^T (c - A^ x) from x = 0, as long as the residual halves. */
void hol__gram_solve(hol__basis *b, const double *c, double *x) {
    const gram *g = b->self;
    const int n = b->n, m = b->m;
    double before = HUGE_VAL;
    for (int i = 0; i < n; i++) x[i] = 0;
    for (int i = 0; i < m; i++) g->res[i] = c[i];
    for (int step = 0; step <= REFINEMENTS && m > 0 && b->rank > 0; step++) {
        double *d = g->t;
        hol__dense_mul(n, m, 1, b->At, g->res, 0, d);
        apply_inverse(b, d, d);
        for (int i = 0; i < n; i++) x[i] += d[i];
        for (int i = 0; i < m; i++) g->res[i] = c[i];
        hol__dense_mul_t(n, m, -1, b->At, x, 1, g->res);
        const double size = norm(m, g->res);
        if (!(size < 0.5 * before)) return;
        before = size;
    }
}

/* y += A^ B^+ (g - A^^T y) from y = 0, as long as the residual halves. */
void hol__gram_solve_t(hol__basis *b, const double *right, double *y) {
    const gram *g = b->self;
    const int n = b->n, m = b->m;
    double before = HUGE_VAL;
    for (int i = 0; i < m; i++) y[i] = 0;
    for (int i = 0; i < n; i++) g->res[i] = right[i];
    for (int step = 0; step <= REFINEMENTS && m > 0 && b->rank > 0; step++) {
        apply_inverse(b, g->res, g->t);
        hol__dense_mul_t(n, m, 1, b->At, g->t, 1, y);
        for (int i = 0; i < n; i++) g->res[i] = right[i];
        hol__dense_mul(n, m, -1, b->At, y, 1, g->res);
        const double size = norm(n, g->res);
        if (!(size < 0.5 * before)) return;
        before = size;
    }
}
