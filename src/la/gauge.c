/* gauge.c: the smallest share of a row that is independent of the others. See gauge.h.
 *
 *     S_ij = sum_k A_ik A_jk / (W_k l_i l_j)       on a fixed pattern, by a list of products
 *     S = L D L^T, share = min sqrt(D_k)           rank = m
 *     S v = share^2 v                              rank < m, or where the list would be too long
 */
#include "la/gauge.h"

#include "la/dense.h"
#include "la/ldl.h"
#include "la/order.h"
#include "la/tolerances.h"

#include <math.h>

/* The list of products takes memory; beyond this many the dense form is taken. */
#define MOST_PRODUCTS 4000000LL

#define GOLDEN 0.618033988749894848

/* One product: S at `to` receives A_p A_q / W. */
typedef struct product {
    int to, p, q;
} product;

struct hol__gauge {
    int rows, cols;
    double *inverse; /* 1 / W_k */
    double *root;    /* of it */
    int n;           /* shares there are */
    double *share;   /* by place of elimination, or rising */
    /* sparse */
    hol__ldl *ldl;
    int products;
    product *list;
    int *first, *second; /* rows of entry e of S */
    int *to;             /* its place in ldl->value */
    int entries;
    double *S;
    /* dense */
    hol__eigh *eigh;
    double *B; /* B^T, column by column */
};

/* Whether entry p of A can be other than zero. */
static int lives(const hol__csr *A, int p) {
    return !A->live || A->live[p];
}

/* The entries of A by columns: their places and rows. */
typedef struct by_columns {
    int *ptr, *place, *row;
} by_columns;

static int sort_columns(hol__arena *arena, const hol__csr *A, by_columns *c) {
    c->ptr = HOL__NEW_N(arena, int, A->cols + 2);
    c->place = HOL__NEW_N(arena, int, A->ptr[A->rows] + 1);
    c->row = HOL__NEW_N(arena, int, A->ptr[A->rows] + 1);
    if (arena->failed) return 0;
    for (int p = 0; p < A->ptr[A->rows]; p++)
        if (lives(A, p)) c->ptr[A->idx[p] + 2]++;
    for (int k = 0; k < A->cols; k++) c->ptr[k + 2] += c->ptr[k + 1];
    for (int i = 0; i < A->rows; i++)
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
            if (!lives(A, p)) continue;
            const int at = c->ptr[A->idx[p] + 1]++;
            c->place[at] = p;
            c->row[at] = i;
        }
    return 1;
}

/* How many products S takes. */
static long long count_products(const by_columns *c, int cols) {
    long long sum = 0;
    for (int k = 0; k < cols; k++) {
        const long long n = c->ptr[k + 1] - c->ptr[k];
        sum += n * (n + 1) / 2;
    }
    return sum;
}

/* The list of products, with entries of S numbered as row i meets them; entry i is the diagonal. */
static void list_products(hol__gauge *g, const hol__csr *A, const by_columns *c, int *mark) {
    for (int i = 0; i < g->rows; i++) {
        g->first[i] = g->second[i] = i;
        mark[i] = -1;
    }
    g->entries = g->rows;
    for (int i = 0; i < g->rows; i++) {
        const int fresh = g->entries;
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
            if (!lives(A, p)) continue;
            const int k = A->idx[p];
            for (int at = c->ptr[k]; at < c->ptr[k + 1] && c->row[at] <= i; at++) {
                const int j = c->row[at];
                if (j < i && mark[j] < fresh) {
                    mark[j] = g->entries;
                    g->first[g->entries] = i;
                    g->second[g->entries++] = j;
                }
                g->list[g->products++] = (product){j == i ? i : mark[j], p, c->place[at]};
            }
        }
    }
}

/* The order of elimination of S. */
static hol_status order_rows(const hol__gauge *g, hol__arena *arena, int *perm) {
    int *ptr = HOL__NEW_N(arena, int, g->rows + 2),
        *idx = HOL__NEW_N(arena, int, 2 * g->entries + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int e = g->rows; e < g->entries; e++) ptr[g->first[e] + 2]++, ptr[g->second[e] + 2]++;
    for (int i = 0; i < g->rows; i++) ptr[i + 2] += ptr[i + 1];
    for (int e = g->rows; e < g->entries; e++) {
        idx[ptr[g->first[e] + 1]++] = g->second[e];
        idx[ptr[g->second[e] + 1]++] = g->first[e];
    }
    return hol__order(arena->ctx, g->rows, ptr, idx, perm);
}

/* The sparse form; 0 without memory. */
static int make_sparse(hol__gauge *g, hol__arena *arena, const hol__csr *A, const by_columns *c,
                       long long products) {
    const size_t most = (size_t)products + 1;
    int *perm = HOL__NEW_N(arena, int, g->rows + 1), *mark = HOL__NEW_N(arena, int, g->rows + 1);
    g->list = HOL__NEW_N(arena, product, most);
    g->first = HOL__NEW_N(arena, int, most + (size_t)g->rows);
    g->second = HOL__NEW_N(arena, int, most + (size_t)g->rows);
    g->to = HOL__NEW_N(arena, int, most + (size_t)g->rows);
    if (arena->failed) return 0;
    list_products(g, A, c, mark);
    g->S = HOL__NEW_N(arena, double, g->entries + 1);
    if (arena->failed || order_rows(g, arena, perm)) return 0;
    g->ldl = hol__ldl_new(arena, g->rows, g->entries, g->first, g->second, perm, NULL, g->to);
    return g->ldl != NULL;
}

hol__gauge *hol__gauge_new(hol__arena *arena, const hol__csr *A, const double *weight, int rank) {
    hol__gauge *g = HOL__NEW(arena, hol__gauge);
    by_columns columns;
    if (!g || !sort_columns(arena, A, &columns)) return NULL;
    g->rows = A->rows;
    g->cols = A->cols;
    g->inverse = HOL__NEW_N(arena, double, A->cols + 1);
    g->root = HOL__NEW_N(arena, double, A->cols + 1);
    g->share = HOL__NEW_N(arena, double, A->rows + 1);
    if (arena->failed) return NULL;
    for (int k = 0; k < A->cols; k++)
        g->inverse[k] = 1 / weight[k], g->root[k] = sqrt(g->inverse[k]);
    const long long products = count_products(&columns, A->cols);
    const int sparse = rank == A->rows && products <= MOST_PRODUCTS;
    g->n = rank < A->rows ? rank : A->rows;
    if (sparse && !make_sparse(g, arena, A, &columns, products)) return NULL;
    if (!sparse) {
        g->eigh = hol__eigh_new(arena, A->rows);
        g->B = HOL__NEW_N(arena, double, (size_t)A->rows *(size_t)A->cols + 1);
    }
    return arena->failed || (!sparse && !g->eigh) ? NULL : g;
}

/* D of S, row by row. A pivot that vanished counts as a share of zero. */
static hol_status read_sparse(hol__gauge *g, const hol__csr *A, const double *length) {
    for (int e = 0; e < g->entries; e++) g->S[e] = 0;
    for (int n = 0; n < g->products; n++) {
        const product *x = &g->list[n];
        g->S[x->to] += A->x[x->p] * A->x[x->q] * g->inverse[A->idx[x->p]];
    }
    hol__ldl_clear(g->ldl);
    for (int e = 0; e < g->entries; e++)
        g->ldl->value[g->to[e]] = g->S[e] / (length[g->first[e]] * length[g->second[e]]);
    if (hol__ldl_factor(g->ldl) < 0) return HOL_NONFINITE;
    for (int k = 0; k < g->rows; k++) g->share[k] = sqrt(fmax(0, g->ldl->value[k]));
    return HOL_OK;
}

/* S as a full matrix. */
static void fill_dense(hol__gauge *g, const hol__csr *A, const double *length) {
    const size_t n = (size_t)g->cols, m = (size_t)g->rows;
    for (size_t e = 0; e < n * m; e++) g->B[e] = 0;
    for (int i = 0; i < g->rows; i++)
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
            g->B[(size_t)i * n + (size_t)A->idx[p]] = A->x[p] * g->root[A->idx[p]] / length[i];
    hol__dense_gram(g->cols, g->rows, g->B, g->eigh->a);
}

/* The eigenvalues of S beyond the m - rank that are always zero. */
static hol_status read_dense(hol__gauge *g, const hol__csr *A, const double *length) {
    if (!hol__csr_is_finite(A)) return HOL_NONFINITE;
    fill_dense(g, A, length);
    if (hol__eigh_values(g->eigh, g->rows)) return HOL_NOT_CONVERGED;
    for (int k = 0; k < g->n; k++) g->share[k] = sqrt(fmax(0, g->eigh->values[g->rows - g->n + k]));
    return HOL_OK;
}

hol_status hol__gauge_read(hol__gauge *gauge, const hol__csr *A, const double *length,
                           double *share) {
    *share = 1;
    const hol_status status =
        gauge->eigh ? read_dense(gauge, A, length) : read_sparse(gauge, A, length);
    for (int k = 0; !status && k < gauge->n; k++) *share = fmin(*share, gauge->share[k]);
    return status;
}

const double *hol__gauge_shares(const hol__gauge *gauge, int *n) {
    *n = gauge->n;
    return gauge->share;
}

void hol__gauge_rows(hol__gauge *gauge, const hol__csr *A, const double *length, double *out) {
    const size_t m = (size_t)gauge->rows;
    for (int i = 0; i < gauge->rows; i++)
        out[i] = gauge->eigh ? 1 : gauge->share[gauge->ldl->place[i]];
    if (!gauge->eigh) return;
    fill_dense(gauge, A, length);
    if (hol__eigh_factor(gauge->eigh, gauge->rows)) return;
    for (int k = 0; k < gauge->n; k++)
        for (size_t i = 0; i < m; i++) {
            const double part = gauge->eigh->a[(m - (size_t)gauge->n + (size_t)k) * m + i];
            if (part * part * gauge->rows > 1) out[i] = fmin(out[i], gauge->share[k]);
        }
}

/* ---- what residuals mean ---- */

/* w <- w + v (v . r) / lambda for eigenvalue k of the n largest. */
static void add_part(const hol__gauge *g, int k, const double *r, double *w) {
    const int m = g->rows, at = m - g->n + k;
    const double *v = g->eigh->a + (size_t)at * (size_t)m;
    double sum = 0;
    for (int i = 0; i < m; i++) sum += v[i] * r[i];
    for (int i = 0; i < m; i++) w[i] += v[i] * sum / g->eigh->values[at];
}

/* w = S^-1 r; 0 where it cannot be had. */
static int solve_gram(hol__gauge *g, const hol__csr *A, const double *length, const double *r,
                      double *w) {
    if (!g->eigh) {
        hol__ldl_solve(g->ldl, r, w);
        return 1;
    }
    fill_dense(g, A, length);
    if (hol__eigh_factor(g->eigh, g->rows)) return 0;
    for (int i = 0; i < g->rows; i++) w[i] = 0;
    for (int k = 0; k < g->n; k++) add_part(g, k, r, w);
    return 1;
}

double hol__gauge_pull(hol__gauge *gauge, const hol__csr *A, const double *length, const double *r,
                       double *scratch) {
    double *scaled = scratch, *w = scratch + gauge->rows, most = 0;
    for (int k = 0; k < gauge->n; k++)
        if (!(gauge->share[k] > 0)) return INFINITY;
    for (int i = 0; i < gauge->rows; i++) scaled[i] = r[i] / length[i];
    if (!solve_gram(gauge, A, length, scaled, w)) return INFINITY;
    for (int i = 0; i < gauge->rows; i++) most = fmax(most, fabs(w[i]));
    return most;
}

/* ---- what the rows leave free ---- */

int hol__gauge_is_factored(const hol__gauge *gauge) {
    return gauge->ldl != NULL;
}

double hol__gauge_along(const hol__gauge *gauge, const hol__csr *A, int row, double length,
                        const double *z) {
    double sum = 0;
    for (int p = A->ptr[row]; p < A->ptr[row + 1]; p++)
        sum += A->x[p] * gauge->root[A->idx[p]] * z[A->idx[p]];
    return fabs(sum) / length;
}

/* z <- z - B^T S^-1 B z. */
static void take_out(hol__gauge *g, const hol__csr *A, const double *length, double *y, double *z) {
    for (int i = 0; i < A->rows; i++) {
        y[i] = 0;
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
            y[i] += A->x[p] * g->root[A->idx[p]] * z[A->idx[p]];
        y[i] /= length[i];
    }
    hol__ldl_solve(g->ldl, y, y);
    for (int i = 0; i < A->rows; i++)
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
            z[A->idx[p]] -= A->x[p] * g->root[A->idx[p]] * y[i] / length[i];
}

int hol__gauge_free(hol__gauge *gauge, const hol__csr *A, const double *length, double *scratch,
                    double *z) {
    /* the fractional parts of the multiples of the golden section, less their mean */
    for (int k = 0; k < gauge->cols; k++) z[k] = fmod(GOLDEN * (k + 1), 1) - 0.5;
    double whole = 0, left = 0;
    for (int k = 0; k < gauge->cols; k++) whole += z[k] * z[k];
    for (int pass = 0; pass < 2; pass++) take_out(gauge, A, length, scratch, z);
    for (int k = 0; k < gauge->cols; k++) left += z[k] * z[k];
    if (!(left > HOL__CANCELLED * HOL__CANCELLED * whole)) return 0;
    for (int k = 0; k < gauge->cols; k++) z[k] /= sqrt(left);
    return 1;
}
