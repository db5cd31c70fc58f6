/* polynomial.c: a response as a polynomial of two factors. See polynomial.h.
 *
 *     z = sum_k beta_k P_a(k)(x) P_b(k)(y) + e          a + b <= d
 *
 * P are polynomials that are orthonormal over the values of their factor (Stieltjes, three terms):
 *
 *     norm_k P_k = (t - shift_k) P_k-1 - norm_k-1 P_k-2      shift_k = <t P_k-1^2>
 *
 * so that the Gram matrix G of the terms is about the unit matrix where factors are independent,
 * and Cholesky's factor G = L L^T is sure of its digits. Terms stand in the order of their total
 * degree: the factor of the terms up to a degree is the leading block of L, and one factorisation
 * serves all degrees. With w = L^-1 (terms of a case), c = sum z w:
 *
 *     fit      sum_k c_k w_k                            leverage   h = sum_k w_k^2
 *     what is left of a case that is left out of the fit           (z - fit)/(1 - h)
 *
 * which is exact for least squares (Allen's PRESS). The degree with the least mean square of this
 * is taken. The standard error of the fit at a place is s sqrt(h), s^2 = sum (z - fit)^2/(n - terms).
 */
#include "study/polynomial.h"

#include <math.h>
#include <stdlib.h>

/* Cases that are worked on together, so that loops over them run in lanes. */
enum { BLOCK = 64 };

/* ---- one factor ---- */

void hol__orthogonal_at(const hol__orthogonal *o, double x, double *p) {
    const double t = (x - o->centre) / o->half;
    p[0] = 1;
    for (int k = 1; k <= o->degree; k++)
        p[k] =
            ((t - o->shift[k]) * p[k - 1] - (k > 1 ? o->norm[k - 1] * p[k - 2] : 0)) / o->norm[k];
}

static int rising(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Ends and number of different values, up to one more than the highest degree. */
static hol_status count_values(hol__arena *room, int n, const double *x, hol__orthogonal *o) {
    double *sorted = HOL__NEW_N(room, double, n + 1);
    if (!sorted) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) sorted[i] = x[i];
    qsort(sorted, (size_t)n, sizeof *sorted, rising);
    o->centre = 0.5 * (sorted[0] + sorted[n - 1]);
    o->half = 0.5 * (sorted[n - 1] - sorted[0]);
    for (int i = 1; i < n && o->degree < HOL__DEGREE; i++) o->degree += sorted[i] > sorted[i - 1];
    if (!(o->half > 0)) o->half = 1;
    return HOL_OK;
}

/* The polynomials over n values. */
static hol_status orthogonal(hol__arena *room, int n, const double *x, hol__orthogonal *o) {
    *o = (hol__orthogonal){0};
    const hol_status status = count_values(room, n, x, o);
    const int highest = o->degree;
    for (int k = 1; k <= highest && !status; k++) {
        double shift = 0, square = 0, p[HOL__DEGREE + 1];
        o->degree = k - 1;
        for (int i = 0; i < n; i++) {
            hol__orthogonal_at(o, x[i], p);
            shift += (x[i] - o->centre) / o->half * p[k - 1] * p[k - 1] / n;
        }
        for (int i = 0; i < n; i++) {
            hol__orthogonal_at(o, x[i], p);
            const double next = ((x[i] - o->centre) / o->half - shift) * p[k - 1] -
                                (k > 1 ? o->norm[k - 1] * p[k - 2] : 0);
            square += next * next / n;
        }
        if (!(square > 0)) break;
        o->shift[k] = shift;
        o->norm[k] = sqrt(square);
        o->degree = k;
    }
    return status;
}

/* ---- terms ---- */

/* The terms in the order of their degrees. */
static void list_terms(hol__polynomial *f) {
    f->terms = 0;
    for (int d = 0; d <= HOL__DEGREE; d++)
        for (int b = 0; b <= d; b++) {
            const int a = d - b;
            if (a > f->of[0].degree || b > f->of[1].degree) continue;
            f->a[f->terms] = (unsigned char)a;
            f->b[f->terms++] = (unsigned char)b;
        }
}

static int degree_of(const hol__polynomial *f, int term) {
    return f->a[term] + f->b[term];
}

/* The terms of `count` cases, each over its cases. */
static void terms_of(const hol__polynomial *f, int count, const double *x, const double *y,
                     double w[HOL__TERMS][BLOCK]) {
    for (int r = 0; r < count; r++) {
        double p[HOL__DEGREE + 1], q[HOL__DEGREE + 1];
        hol__orthogonal_at(&f->of[0], x[r], p);
        hol__orthogonal_at(&f->of[1], y[r], q);
        for (int k = 0; k < f->terms; k++) w[k][r] = p[f->a[k]] * q[f->b[k]];
    }
}

/* w <- L^-1 w for the cases of a block. */
static void solve(const hol__polynomial *f, double w[HOL__TERMS][BLOCK]) {
    for (int k = 0; k < f->terms; k++) {
        for (int l = 0; l < k; l++)
            for (int r = 0; r < BLOCK; r++) w[k][r] -= f->L[k][l] * w[l][r];
        for (int r = 0; r < BLOCK; r++) w[k][r] /= f->L[k][k];
    }
}

/* ---- the fit ---- */

/* Gram matrix of the terms in the lower triangle of L, and <terms, z> in c. */
static void add_up(hol__polynomial *f, const double *x, const double *y, const double *z,
                   double mean, double w[HOL__TERMS][BLOCK]) {
    for (int at = 0; at < f->n; at += BLOCK) {
        const int count = f->n - at < BLOCK ? f->n - at : BLOCK;
        terms_of(f, count, x + at, y + at, w);
        for (int k = 0; k < f->terms; k++) {
            for (int l = 0; l <= k; l++) {
                double sum = 0;
                for (int r = 0; r < count; r++) sum += w[k][r] * w[l][r];
                f->L[k][l] += sum;
            }
            for (int r = 0; r < count; r++) f->c[k] += w[k][r] * (z[at + r] - mean);
        }
    }
}

/* L of the Gram matrix, and c <- L^-1 c. Terms end before one that the cases do not tell from
 * those before it: its pivot is what n roundings leave. */
static void factor(hol__polynomial *f) {
    for (int k = 0; k < f->terms; k++) {
        const double whole = f->L[k][k];
        for (int l = 0; l <= k; l++) {
            double sum = f->L[k][l];
            for (int m = 0; m < l; m++) sum -= f->L[k][m] * f->L[l][m];
            if (l == k && !(sum > 0x1p-52 * f->n * whole)) {
                f->terms = k;
                return;
            }
            f->L[k][l] = l < k ? sum / f->L[l][l] : sqrt(sum);
        }
        for (int m = 0; m < k; m++) f->c[k] -= f->L[k][m] * f->c[m];
        f->c[k] /= f->L[k][k];
    }
}

/* Sums of squares over all cases, by the number of terms: left by the fit, and by that without the
 * case itself; infinite where a case is the only one that tells a term. */
typedef struct left {
    double fit[HOL__TERMS], out[HOL__TERMS];
} left;

static void leave_out(const hol__polynomial *f, const double *x, const double *y, const double *z,
                      double mean, double w[HOL__TERMS][BLOCK], left *sums) {
    for (int at = 0; at < f->n; at += BLOCK) {
        const int count = f->n - at < BLOCK ? f->n - at : BLOCK;
        double rest[BLOCK], free[BLOCK]; /* z - fit, 1 - h */
        terms_of(f, count, x + at, y + at, w);
        solve(f, w);
        for (int r = 0; r < count; r++) rest[r] = z[at + r] - mean, free[r] = 1;
        for (int k = 0; k < f->terms; k++)
            for (int r = 0; r < count; r++) {
                rest[r] -= f->c[k] * w[k][r];
                free[r] -= w[k][r] * w[k][r];
                const double out = free[r] > 0x1p-52 * f->n ? rest[r] / free[r] : (double)INFINITY;
                sums->fit[k] += rest[r] * rest[r];
                sums->out[k] += out * out;
            }
    }
}

/* The degree with the least error, whose terms stay. */
static void choose(hol__polynomial *f, const left *sums) {
    int best = 0;
    for (int k = 0; k < f->terms; k++) {
        const int whole = k + 1 == f->terms || degree_of(f, k + 1) > degree_of(f, k);
        if (whole && sums->out[k] < sums->out[best]) best = k;
    }
    f->terms = best + 1;
    f->degree = degree_of(f, best);
    f->left_out = sqrt(sums->out[best] / f->n);
    f->constant = sqrt(sums->out[0] / f->n);
    f->scatter = f->n > f->terms ? sqrt(sums->fit[best] / (f->n - f->terms)) : (double)NAN;
}

hol_status hol__polynomial_fit(hol__arena *room, int n, const double *x, const double *y,
                               const double *z, hol__polynomial *f) {
    double(*w)[BLOCK] = hol__arena_alloc(room, HOL__TERMS, sizeof *w);
    left *sums = HOL__NEW(room, left);
    double mean = 0;
    *f = (hol__polynomial){.n = n};
    if (!w || !sums) return HOL_ERR_MEMORY;
    if (n < 2) {
        f->left_out = f->constant = f->scatter = NAN;
        return HOL_OK;
    }
    hol_status status = orthogonal(room, n, x, &f->of[0]);
    if (!status) status = orthogonal(room, n, y, &f->of[1]);
    if (status) return status;
    for (int i = 0; i < n; i++) mean += z[i] / n;
    list_terms(f);
    add_up(f, x, y, z, mean, w);
    factor(f);
    leave_out(f, x, y, z, mean, w, sums);
    choose(f, sums);
    f->c[0] += mean * f->L[0][0]; /* the first term is 1 */
    return HOL_OK;
}

double hol__polynomial_at(const hol__polynomial *f, double x, double y, double *error) {
    double p[HOL__DEGREE + 1], q[HOL__DEGREE + 1], w[HOL__TERMS], value = 0, h = 0;
    hol__orthogonal_at(&f->of[0], x, p);
    hol__orthogonal_at(&f->of[1], y, q);
    for (int k = 0; k < f->terms; k++) {
        w[k] = p[f->a[k]] * q[f->b[k]];
        for (int l = 0; l < k; l++) w[k] -= f->L[k][l] * w[l];
        w[k] /= f->L[k][k];
        value += f->c[k] * w[k];
        h += w[k] * w[k];
    }
    if (error) *error = f->scatter * sqrt(h);
    return value;
}
