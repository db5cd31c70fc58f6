/* lu_fixed.c: sparse LU with pivots that are kept, row by row. See lu_fixed.h.
 *
 *     for the k-th pivot row:  w = its entries;
 *         for each j < k of its pattern:  l_kj = w_j / u_jj,  w -= l_kj u_j
 *     K x = b:      L y = P b,  U z = y,  x = Q z
 *     K^T y = g:    U^T z = Q^T g,  L^T t = z,  y = P^T t
 */
#include "la/lu_fixed.h"
#include "la/tolerances.h"

#include <math.h>
#include <string.h>

/* A pivot has at least this share of the largest entry of its row. */
static const double threshold = 0.1;

hol__lu_fixed *hol__lu_fixed_new(hol__arena *arena, int n) {
    const size_t sn = (size_t)n, all = sn * sn;
    hol__lu_fixed *lu = HOL__NEW(arena, hol__lu_fixed);
    if (!lu) return NULL;
    *lu = (hol__lu_fixed){.n = n};
    lu->row = HOL__NEW_N(arena, int, sn);
    lu->place = HOL__NEW_N(arena, int, sn);
    lu->lower_ptr = HOL__NEW_N(arena, int, sn + 1);
    lu->upper_ptr = HOL__NEW_N(arena, int, sn + 1);
    lu->lower_idx = HOL__NEW_N(arena, int, all);
    lu->upper_idx = HOL__NEW_N(arena, int, all);
    lu->lower = HOL__NEW_N(arena, double, all);
    lu->upper = HOL__NEW_N(arena, double, all);
    lu->inverse = HOL__NEW_N(arena, double, sn);
    lu->chosen = HOL__NEW_N(arena, double, sn);
    lu->full = HOL__NEW_N(arena, double, all);
    lu->used = HOL__NEW_N(arena, unsigned char, all);
    lu->work = HOL__NEW_N(arena, double, sn);
    lu->count = HOL__NEW_N(arena, int, 4 * sn);
    return arena->failed ? NULL : lu;
}

/* ---- choice ---- */

/* Until the patterns are laid `lower` holds, entry by entry, the terms that an entry is made of:
 * what is rounding of them is zero for the choice. The rest of its row says nothing of that, since
 * it may have other units (masses beside directions of constraints). */

/* What is left of the elimination: rows and columns without a pivot, and how many entries each has
 * among the rest. */
typedef struct rest {
    int *in_row, *in_column;
    int *row_done,
        *column; /* row_done[i]: pivot of row i, or -1; column[k]: column of the k-th pivot */
} rest;

static void fill(hol__lu_fixed *lu, const hol__csr *K, rest *r) {
    const size_t n = (size_t)lu->n;
    memset(lu->full, 0, sizeof(double) * n * n);
    memset(lu->lower, 0, sizeof(double) * n * n);
    memset(lu->used, 0, n * n);
    memset(lu->count, 0, sizeof(int) * 4 * n);
    for (int i = 0; i < lu->n; i++) {
        for (int k = K->ptr[i]; k < K->ptr[i + 1]; k++) {
            lu->full[(size_t)i * n + (size_t)K->idx[k]] = K->x[k];
            lu->lower[(size_t)i * n + (size_t)K->idx[k]] = fabs(K->x[k]);
            lu->used[(size_t)i * n + (size_t)K->idx[k]] = 1;
            r->in_row[i]++;
            r->in_column[K->idx[k]]++;
        }
        r->row_done[i] = lu->place[i] = -1;
    }
}

/* The largest entry of row i among the columns without a pivot; 0 where elimination has wiped it
 * out: then it depends on the others. */
static double row_largest(const hol__lu_fixed *lu, int i) {
    const double *a = lu->full + (size_t)i * (size_t)lu->n;
    double most = 0;
    for (int j = 0; j < lu->n; j++)
        if (lu->place[j] < 0) most = fmax(most, fabs(a[j]));
    return most;
}

/* The cheapest acceptable entry of the rest; rows that are longer than it is dear are passed over.
 * Returns its share of the largest of its row, 0 when there is none. */
static double find_pivot(const hol__lu_fixed *lu, const rest *r, int *p, int *q) {
    long cheapest = -1;
    double best = 0;
    for (int i = 0; i < lu->n && cheapest != 0; i++) {
        if (r->row_done[i] >= 0 || (cheapest >= 0 && r->in_row[i] - 1 > cheapest)) continue;
        const double *a = lu->full + (size_t)i * (size_t)lu->n, most = lu->inverse[i];
        const unsigned char *has = lu->used + (size_t)i * (size_t)lu->n;
        if (!(most > 0)) return 0;
        for (int j = 0; j < lu->n; j++) {
            if (!has[j] || lu->place[j] >= 0 || !(fabs(a[j]) >= threshold * most)) continue;
            const long cost = (long)(r->in_row[i] - 1) * (r->in_column[j] - 1);
            const double share = fabs(a[j]) / most;
            if (cheapest >= 0 && (cost > cheapest || (cost == cheapest && share <= best))) continue;
            cheapest = cost;
            best = share;
            *p = i;
            *q = j;
        }
    }
    return best;
}

/* Take row p and column q out of the rest; what they eliminate fills in. */
static void eliminate(hol__lu_fixed *lu, rest *r, int k, int p, int q) {
    const size_t n = (size_t)lu->n;
    const double *u = lu->full + (size_t)p * n;
    const unsigned char *in = lu->used + (size_t)p * n;
    lu->row[k] = p;
    r->row_done[p] = k;
    r->column[k] = q;
    lu->place[q] = k;
    for (int j = 0; j < lu->n; j++) r->in_column[j] -= in[j] && lu->place[j] < 0;
    for (int i = 0; i < lu->n; i++) {
        double *a = lu->full + (size_t)i * n, *terms = lu->lower + (size_t)i * n;
        unsigned char *has = lu->used + (size_t)i * n;
        if (r->row_done[i] >= 0 || !has[q]) continue;
        r->in_row[i]--;
        const double l = a[q] /= u[q];
        for (int j = 0; j < lu->n; j++) {
            if (!in[j] || lu->place[j] >= 0) continue;
            a[j] -= l * u[j];
            terms[j] = fmax(terms[j], fabs(l * u[j]));
            if (fabs(a[j]) <= HOL__PIVOT_ROUNDING * terms[j]) a[j] = 0;
            r->in_row[i] += !has[j];
            r->in_column[j] += !has[j];
            has[j] = 1;
        }
        lu->inverse[i] = row_largest(lu, i);
    }
}

void hol__lu_fixed_lay(hol__lu_fixed *lu, const hol__csr *K) {
    const size_t n = (size_t)lu->n;
    int nl = 0, nu = 0;
    memset(lu->used, 0, n * n);
    for (int k = 0; k < lu->n; k++) {
        unsigned char *has = lu->used + (size_t)k * n;
        const int i = lu->row[k];
        lu->lower_ptr[k] = nl;
        lu->upper_ptr[k] = nu;
        for (int e = K->ptr[i]; e < K->ptr[i + 1]; e++) has[lu->place[K->idx[e]]] = 1;
        for (int j = 0; j < k; j++) {
            if (!has[j]) continue;
            lu->lower_idx[nl++] = j;
            for (int u = lu->upper_ptr[j]; u < lu->upper_ptr[j + 1]; u++) has[lu->upper_idx[u]] = 1;
        }
        for (int j = k + 1; j < lu->n; j++)
            if (has[j]) lu->upper_idx[nu++] = j;
        lu->upper_ptr[k + 1] = nu;
    }
    lu->lower_ptr[lu->n] = nl;
}

int hol__lu_fixed_choose(hol__lu_fixed *lu, const hol__csr *K) {
    rest r = {lu->count, lu->count + lu->n, lu->count + 2 * lu->n, lu->count + 3 * lu->n};
    fill(lu, K, &r);
    /* until they are factored inverse holds the largest entry of each row of the rest */
    for (int i = 0; i < lu->n; i++) lu->inverse[i] = row_largest(lu, i);
    for (int k = 0; k < lu->n; k++) {
        int p = 0, q = 0;
        if (!(find_pivot(lu, &r, &p, &q) > 0)) break;
        eliminate(lu, &r, k, p, q);
        lu->chosen[k] = 1;
    }
    memset(lu->work, 0, sizeof(double) * (size_t)lu->n); /* of a factorisation cut short */
    for (int j = 0; j < lu->n; j++)
        if (lu->place[j] < 0) return 0;
    hol__lu_fixed_lay(lu, K);
    if (!(hol__lu_fixed_factor(lu, K) > 0)) return 0;
    for (int k = 0; k < lu->n; k++) lu->chosen[k] = fabs(1 / lu->inverse[k]);
    return 1;
}

/* ---- factorisation and solution ---- */

double hol__lu_fixed_factor(hol__lu_fixed *lu, const hol__csr *K) {
    double *w = lu->work, least = HUGE_VAL;
    for (int k = 0; k < lu->n; k++) {
        const int i = lu->row[k];
        for (int e = K->ptr[i]; e < K->ptr[i + 1]; e++) w[lu->place[K->idx[e]]] = K->x[e];
        for (int e = lu->lower_ptr[k]; e < lu->lower_ptr[k + 1]; e++) {
            const int j = lu->lower_idx[e];
            const double l = w[j] * lu->inverse[j];
            w[j] = 0;
            lu->lower[e] = l;
            for (int u = lu->upper_ptr[j]; u < lu->upper_ptr[j + 1]; u++)
                w[lu->upper_idx[u]] -= l * lu->upper[u];
        }
        for (int u = lu->upper_ptr[k]; u < lu->upper_ptr[k + 1]; u++) {
            lu->upper[u] = w[lu->upper_idx[u]];
            w[lu->upper_idx[u]] = 0;
        }
        const double share = fabs(w[k]) / lu->chosen[k];
        lu->inverse[k] = 1 / w[k];
        w[k] = 0;
        least = share > 0 && isfinite(share) ? fmin(least, share) : 0;
        if (!(least > 0)) break;
    }
    return least;
}

void hol__lu_fixed_solve(const hol__lu_fixed *lu, const double *b, double *x) {
    double *w = lu->work;
    for (int k = 0; k < lu->n; k++) {
        double sum = b[lu->row[k]];
        for (int e = lu->lower_ptr[k]; e < lu->lower_ptr[k + 1]; e++)
            sum -= lu->lower[e] * w[lu->lower_idx[e]];
        w[k] = sum;
    }
    for (int k = lu->n - 1; k >= 0; k--) {
        double sum = w[k];
        for (int u = lu->upper_ptr[k]; u < lu->upper_ptr[k + 1]; u++)
            sum -= lu->upper[u] * w[lu->upper_idx[u]];
        w[k] = sum * lu->inverse[k];
    }
    for (int j = 0; j < lu->n; j++) x[j] = w[lu->place[j]];
    memset(w, 0, sizeof(double) * (size_t)lu->n);
}

void hol__lu_fixed_solve_t(const hol__lu_fixed *lu, const double *g, double *y) {
    double *w = lu->work;
    for (int j = 0; j < lu->n; j++) w[lu->place[j]] = g[j];
    for (int k = 0; k < lu->n; k++) {
        w[k] *= lu->inverse[k];
        for (int u = lu->upper_ptr[k]; u < lu->upper_ptr[k + 1]; u++)
            w[lu->upper_idx[u]] -= lu->upper[u] * w[k];
    }
    for (int k = lu->n - 1; k >= 0; k--)
        for (int e = lu->lower_ptr[k]; e < lu->lower_ptr[k + 1]; e++)
            w[lu->lower_idx[e]] -= lu->lower[e] * w[k];
    for (int k = 0; k < lu->n; k++) y[lu->row[k]] = w[k];
    memset(w, 0, sizeof(double) * (size_t)lu->n);
}

void hol__lu_fixed_walk(hol__lu_fixed *lu, hol__archive *archive) {
    const int n = lu->n;
    HOL__ARCHIVE_N(archive, lu->row, n);
    HOL__ARCHIVE_N(archive, lu->place, n);
    HOL__ARCHIVE_N(archive, lu->lower_ptr, n + 1);
    HOL__ARCHIVE_N(archive, lu->upper_ptr, n + 1);
    HOL__ARCHIVE_N(archive, lu->lower_idx, lu->lower_ptr[n]);
    HOL__ARCHIVE_N(archive, lu->upper_idx, lu->upper_ptr[n]);
    HOL__ARCHIVE_N(archive, lu->lower, lu->lower_ptr[n]);
    HOL__ARCHIVE_N(archive, lu->upper, lu->upper_ptr[n]);
    HOL__ARCHIVE_N(archive, lu->inverse, n);
    HOL__ARCHIVE_N(archive, lu->chosen, n);
}
