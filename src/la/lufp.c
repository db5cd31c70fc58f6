/* lufp.c: LU with full pivoting by outer products; r (n - r/2) (m - r/2) multiplications. See
 * lufp.h.
 *
 *     b y = g:      L1 t = g_1, U1 y_1 = t             null vector of b:    U1 v_1 = -U2 e_k
 *     b^T x = c:    U1^T t = c_1, L1^T x_1 = t         null vector of b^T:  L1^T v_1 = -L2^T e_k
 */
#include "la/lufp.h"

#include <math.h>

hol__lufp *hol__lufp_new(hol__arena *arena, int n, int m) {
    hol__lufp *lu = HOL__NEW(arena, hol__lufp);
    if (!lu) return NULL;
    *lu = (hol__lufp){.n = n, .m = m};
    lu->b = HOL__NEW_N(arena, double, (size_t)n *(size_t)m);
    lu->row = HOL__NEW_N(arena, int, n);
    lu->column = HOL__NEW_N(arena, int, m);
    lu->work = HOL__NEW_N(arena, double, n > m ? n : m);
    return lu->b && lu->row && lu->column && lu->work ? lu : NULL;
}

static double *column_of(const hol__lufp *lu, int j) {
    return lu->b + (size_t)j * (size_t)lu->n;
}

static void swap_int(int *a, int i, int j) {
    const int t = a[i];
    a[i] = a[j];
    a[j] = t;
}

static void swap_double(double *a, double *b) {
    const double t = *a;
    *a = *b;
    *b = t;
}

/* Bring entry (p, q) to place (k, k). */
static void exchange(hol__lufp *lu, int k, int p, int q) {
    if (q != k) {
        double *a = column_of(lu, k), *b = column_of(lu, q);
        for (int i = 0; i < lu->n; i++) swap_double(&a[i], &b[i]);
        swap_int(lu->column, k, q);
    }
    if (p != k) {
        for (int j = 0; j < lu->m; j++) swap_double(column_of(lu, j) + k, column_of(lu, j) + p);
        swap_int(lu->row, k, p);
    }
}

/* Where the largest entry of the rest from (k, k) on is; returns its magnitude. */
static double find_pivot(const hol__lufp *lu, int k, int *p, int *q) {
    double most = 0;
    for (int j = k; j < lu->m; j++) {
        const double *b = column_of(lu, j);
        for (int i = k; i < lu->n; i++)
            if (fabs(b[i]) > most) {
                most = fabs(b[i]);
                *p = i;
                *q = j;
            }
    }
    return most;
}

/* Column k of L, and what it takes from the rest. */
static void eliminate(const hol__lufp *lu, int k) {
    double *restrict l = column_of(lu, k);
    const double inverse = 1 / l[k];
    for (int i = k + 1; i < lu->n; i++) l[i] *= inverse;
    for (int j = k + 1; j < lu->m; j++) {
        double *restrict b = column_of(lu, j);
        const double u = b[k];
        if (u == 0) continue;
        for (int i = k + 1; i < lu->n; i++) b[i] -= l[i] * u;
    }
}

double hol__lufp_repeat(hol__lufp *lu, const double *b, int r, double *left) {
    double least = HUGE_VAL;
    for (int j = 0; j < lu->m; j++) {
        const double *from = b + (size_t)lu->column[j] * (size_t)lu->n;
        double *to = column_of(lu, j);
        for (int i = 0; i < lu->n; i++) to[i] = from[lu->row[i]];
    }
    for (int k = 0; k < r; k++) {
        least = fmin(least, hol__lufp_pivot(lu, k));
        if (!(least > 0)) return 0;
        eliminate(lu, k);
    }
    *left = 0;
    for (int j = r; j < lu->m; j++)
        for (int i = r; i < lu->n; i++) *left = fmax(*left, fabs(column_of(lu, j)[i]));
    return least;
}

void hol__lufp_factor(hol__lufp *lu) {
    const int n = lu->n, m = lu->m, most = n < m ? n : m;
    for (int i = 0; i < n; i++) lu->row[i] = i;
    for (int j = 0; j < m; j++) lu->column[j] = j;
    for (int k = 0; k < most; k++) {
        int p = k, q = k;
        if (find_pivot(lu, k, &p, &q) == 0) return;
        exchange(lu, k, p, q);
        eliminate(lu, k);
    }
}

double hol__lufp_pivot(const hol__lufp *lu, int k) {
    return fabs(column_of(lu, k)[k]);
}

/* t <- L1^-1 t. */
static void lower_solve(const hol__lufp *lu, int r, double *t) {
    for (int j = 0; j < r; j++) {
        const double *l = column_of(lu, j);
        for (int i = j + 1; i < r; i++) t[i] -= l[i] * t[j];
    }
}

/* t <- L1^-T t. */
static void lower_solve_t(const hol__lufp *lu, int r, double *t) {
    for (int j = r - 1; j >= 0; j--) {
        const double *l = column_of(lu, j);
        for (int i = j + 1; i < r; i++) t[j] -= l[i] * t[i];
    }
}

/* t <- U1^-1 t. */
static void upper_solve(const hol__lufp *lu, int r, double *t) {
    for (int j = r - 1; j >= 0; j--) {
        const double *u = column_of(lu, j);
        t[j] /= u[j];
        for (int i = 0; i < j; i++) t[i] -= u[i] * t[j];
    }
}

/* t <- U1^-T t. */
static void upper_solve_t(const hol__lufp *lu, int r, double *t) {
    for (int j = 0; j < r; j++) {
        const double *u = column_of(lu, j);
        for (int i = 0; i < j; i++) t[j] -= u[i] * t[i];
        t[j] /= u[j];
    }
}

void hol__lufp_solve(hol__lufp *lu, int r, const double *g, double *y) {
    double *t = lu->work;
    for (int i = 0; i < r; i++) t[i] = g[lu->row[i]];
    lower_solve(lu, r, t);
    upper_solve(lu, r, t);
    for (int j = 0; j < lu->m; j++) y[lu->column[j]] = j < r ? t[j] : 0;
}

void hol__lufp_solve_t(hol__lufp *lu, int r, const double *c, double *x) {
    double *t = lu->work;
    for (int j = 0; j < r; j++) t[j] = c[lu->column[j]];
    upper_solve_t(lu, r, t);
    lower_solve_t(lu, r, t);
    for (int i = 0; i < lu->n; i++) x[lu->row[i]] = i < r ? t[i] : 0;
}

void hol__lufp_null(hol__lufp *lu, int r, int k, double *v) {
    double *t = lu->work;
    const double *u = column_of(lu, r + k);
    for (int i = 0; i < r; i++) t[i] = -u[i];
    upper_solve(lu, r, t);
    for (int j = 0; j < lu->m; j++) v[lu->column[j]] = j < r ? t[j] : j == r + k;
}

void hol__lufp_null_t(hol__lufp *lu, int r, int k, double *v) {
    double *t = lu->work;
    for (int j = 0; j < r; j++) t[j] = -column_of(lu, j)[r + k];
    lower_solve_t(lu, r, t);
    for (int i = 0; i < lu->n; i++) v[lu->row[i]] = i < r ? t[i] : i == r + k;
}
