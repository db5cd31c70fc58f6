/* ldl.c: the numeric part of the static sparse L D L^T.
 *
 * Right-looking, with the place of every update known beforehand:
 *     for each column k:  for rows i <= j of the column:  K_ji -= (K_ik / d_k) K_jk
 * or, where that list would be too long, by rows with a work vector (up-looking): row k of L solves
 *     L(1:k-1, 1:k-1) y = K(1:k-1, k),   l_kj = y_j / d_j,   d_k = K_kk - sum l_kj y_j.
 * Small matrices (n <= HOL__LDL_FULL) are full: column k of L is the n - k - 1 values behind those
 * of the columns before. Invariant: value holds K on entry and D, L on exit; a dropped pivot has
 * inverse 0, so its column of L is zero.
 */
#include "la/ldl.h"

#include <math.h>
#include <string.h>

void hol__ldl_clear(hol__ldl *ldl) {
    memset(ldl->value, 0, ((size_t)ldl->n + (size_t)ldl->ptr[ldl->n]) * sizeof *ldl->value);
}

/* The smallest relative pivot so far as a fraction, compared by cross multiplication. */
typedef struct fraction {
    double over, under;
} fraction;

/* Accept or drop pivot k: sets inverse[k]; 0 when it is not finite. */
static inline int take_pivot(hol__ldl *ldl, int k, double d, fraction *least) {
    const double s = ldl->sign[k] * d, g = ldl->magnitude[k];
    if (s > ldl->threshold[k] * g) {
        ldl->inverse[k] = 1.0 / d;
        if (s * least->under < least->over * g) *least = (fraction){s, g};
        return 1;
    }
    if (!isfinite(d) || !isfinite(g)) return 0;
    ldl->inverse[k] = 0;
    ldl->dropped[ldl->n_dropped++] = k;
    return 1;
}

/* w_i -= l_i w_k for a column of so many entries, their rows all different. */
static inline void spread(const int count, const int *restrict row, const double *restrict l,
                          double wk, double *restrict w) {
    int p = 0;
    for (; p + 4 <= count; p += 4) {
        w[row[p]] -= l[p] * wk;
        w[row[p + 1]] -= l[p + 1] * wk;
        w[row[p + 2]] -= l[p + 2] * wk;
        w[row[p + 3]] -= l[p + 3] * wk;
    }
    for (; p < count; p++) w[row[p]] -= l[p] * wk;
}

/* w_k less the products l_i w_i of a column of so many entries, in their order. */
static inline double collect(const int count, const int *restrict row, const double *restrict l,
                             double wk, const double *restrict w) {
    int p = 0;
    for (; p + 4 <= count; p += 4) {
        wk -= l[p] * w[row[p]];
        wk -= l[p + 1] * w[row[p + 1]];
        wk -= l[p + 2] * w[row[p + 2]];
        wk -= l[p + 3] * w[row[p + 3]];
    }
    for (; p < count; p++) wk -= l[p] * w[row[p]];
    return wk;
}

/* One column of so many entries: D and its magnitudes by the squares of the column, what stands in
 * later columns by its products, and the column itself becomes L. Returns the next target. */
static inline const int *eliminate(const int count, const int *restrict row,
                                   const int *restrict target, double inverse, double *restrict d,
                                   double *restrict g, double *restrict column,
                                   double *restrict x) {
    for (int p = 0; p < count; p++) {
        const double xp = column[p], l = xp * inverse, t = l * xp;
        d[row[p]] -= t;
        g[row[p]] += fabs(t);
        for (int q = p + 1; q < count; q++) x[*target++] -= l * column[q];
        column[p] = l;
    }
    return target;
}

/* Right-looking factorisation over the list of targets. Most columns are short: their loops are
 * written out by the compiler. */
static int factor_by_targets(hol__ldl *ldl, fraction *least) {
    const int n = ldl->n, *restrict ptr = ldl->ptr, *target = ldl->target;
    double *d = ldl->value, *x = ldl->value + n, *g = ldl->magnitude;
    for (int k = 0; k < n; k++) {
        if (!take_pivot(ldl, k, d[k], least)) return 0;
        const double inverse = ldl->inverse[k];
        const int begin = ptr[k], count = ptr[k + 1] - begin, *row = ldl->row + begin;
#define ELIMINATE(count) target = eliminate(count, row, target, inverse, d, g, x + begin, x)
        switch (count) {
        case 0: break;
        case 1: ELIMINATE(1); break;
        case 2: ELIMINATE(2); break;
        case 3: ELIMINATE(3); break;
        case 4: ELIMINATE(4); break;
        case 5: ELIMINATE(5); break;
        case 6: ELIMINATE(6); break;
        case 7: ELIMINATE(7); break;
        case 8: ELIMINATE(8); break;
        default: ELIMINATE(count);
        }
#undef ELIMINATE
    }
    return 1;
}

/* Up-looking factorisation, row by row. */
static int factor_by_rows(hol__ldl *ldl, fraction *least) {
    const int n = ldl->n;
    double *d = ldl->value, *x = ldl->value + n, *y = ldl->work;
    for (int k = 0; k < n; k++) {
        double dk = d[k], g = ldl->magnitude[k];
        for (int t = ldl->row_ptr[k]; t < ldl->row_ptr[k + 1]; t++)
            y[ldl->row_col[t]] = x[ldl->row_at[t]];
        for (int t = ldl->row_ptr[k]; t < ldl->row_ptr[k + 1]; t++) {
            const int j = ldl->row_col[t], at = ldl->row_at[t];
            const double yj = y[j], l = yj * ldl->inverse[j];
            for (int p = ldl->ptr[j]; p < at; p++) y[ldl->row[p]] -= x[p] * yj;
            dk -= l * yj;
            g += fabs(l * yj);
            x[at] = l;
            y[j] = 0;
        }
        d[k] = dk;
        ldl->magnitude[k] = g;
        if (!take_pivot(ldl, k, dk, least)) return 0;
    }
    return 1;
}

/* Right-looking factorisation of a full matrix. */
static inline int factor_full(hol__ldl *ldl, fraction *least, const int n) {
    double *d = ldl->value, *g = ldl->magnitude, *column = ldl->value + n;
    for (int k = 0; k < n; k++) {
        if (!take_pivot(ldl, k, d[k], least)) return 0;
        const double inverse = ldl->inverse[k];
        const int count = n - k - 1;
        double *next = column + count;
        for (int p = 0; p < count; p++) {
            const double xp = column[p], l = xp * inverse, t = l * xp;
            d[k + 1 + p] -= t;
            g[k + 1 + p] += fabs(t);
            for (int q = p + 1; q < count; q++) *next++ -= l * column[q];
            column[p] = l;
        }
        column += count;
    }
    return 1;
}

/* w <- L^-T D^-1 L^-1 w for a full L. */
static inline void solve_full(const hol__ldl *ldl, double *restrict w, const int n) {
    const double *restrict column = ldl->value + n, *restrict inverse = ldl->inverse;
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) w[i] -= *column++ * w[k];
        w[k] *= inverse[k];
    }
    for (int k = n - 1; k >= 0; k--)
        for (int i = n - 1; i > k; i--) w[k] -= *--column * w[i];
}

/* The same with the size known to the compiler. */
static int factor_small(hol__ldl *ldl, fraction *least) {
    switch (ldl->n) {
    case 2: return factor_full(ldl, least, 2);
    case 3: return factor_full(ldl, least, 3);
    case 4: return factor_full(ldl, least, 4);
    case 5: return factor_full(ldl, least, 5);
    case 6: return factor_full(ldl, least, 6);
    default: return factor_full(ldl, least, ldl->n);
    }
}

static void solve_small(const hol__ldl *ldl, double *w) {
    switch (ldl->n) {
    case 2: solve_full(ldl, w, 2); break;
    case 3: solve_full(ldl, w, 3); break;
    case 4: solve_full(ldl, w, 4); break;
    case 5: solve_full(ldl, w, 5); break;
    case 6: solve_full(ldl, w, 6); break;
    default: solve_full(ldl, w, ldl->n);
    }
}

int hol__ldl_factor(hol__ldl *ldl) {
    fraction least = {1, 1};
    ldl->n_dropped = 0;
    for (int k = 0; k < ldl->n; k++) ldl->magnitude[k] = fabs(ldl->value[k]);
    const int fine = ldl->n <= HOL__LDL_FULL ? factor_small(ldl, &least)
                     : ldl->target           ? factor_by_targets(ldl, &least)
                                             : factor_by_rows(ldl, &least);
    ldl->smallest = least.over / least.under;
    return fine ? ldl->n_dropped : -1;
}

/* w <- L^-T D^-1 L^-1 w. */
void hol__ldl_solve_places(const hol__ldl *ldl, double *restrict w) {
    if (ldl->n <= HOL__LDL_FULL) {
        solve_small(ldl, w);
        return;
    }
    const int n = ldl->n, *restrict ptr = ldl->ptr;
    const double *restrict x = ldl->value + n, *restrict inverse = ldl->inverse;
    for (int k = 0; k < n; k++) {
        const double wk = w[k], *l = x + ptr[k];
        const int count = ptr[k + 1] - ptr[k], *row = ldl->row + ptr[k];
        switch (count) {
        case 0: break;
        case 1: spread(1, row, l, wk, w); break;
        case 2: spread(2, row, l, wk, w); break;
        case 3: spread(3, row, l, wk, w); break;
        case 4: spread(4, row, l, wk, w); break;
        case 5: spread(5, row, l, wk, w); break;
        case 6: spread(6, row, l, wk, w); break;
        case 7: spread(7, row, l, wk, w); break;
        case 8: spread(8, row, l, wk, w); break;
        default: spread(count, row, l, wk, w);
        }
        w[k] = wk * inverse[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double wk = w[k], *l = x + ptr[k];
        const int count = ptr[k + 1] - ptr[k], *row = ldl->row + ptr[k];
        switch (count) {
        case 0: break;
        case 1: w[k] = collect(1, row, l, wk, w); break;
        case 2: w[k] = collect(2, row, l, wk, w); break;
        case 3: w[k] = collect(3, row, l, wk, w); break;
        case 4: w[k] = collect(4, row, l, wk, w); break;
        case 5: w[k] = collect(5, row, l, wk, w); break;
        case 6: w[k] = collect(6, row, l, wk, w); break;
        case 7: w[k] = collect(7, row, l, wk, w); break;
        case 8: w[k] = collect(8, row, l, wk, w); break;
        default: w[k] = collect(count, row, l, wk, w);
        }
    }
}

void hol__ldl_solve(hol__ldl *ldl, const double *b, double *x) {
    for (int k = 0; k < ldl->n; k++) ldl->work[k] = b[ldl->perm[k]];
    hol__ldl_solve_places(ldl, ldl->work);
    for (int k = 0; k < ldl->n; k++) x[ldl->perm[k]] = ldl->work[k];
    memset(ldl->work, 0, (size_t)ldl->n * sizeof *ldl->work);
}
