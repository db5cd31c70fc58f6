/* nearest_point.c: nonnegative least squares by an active set, and what follows from it. */
#include "la/nearest_point.h"

#include <float.h>
#include <math.h>
#include <string.h>

hol__nearest_point *hol__nearest_point_new(hol__arena *arena, int m, int n) {
    const int rows = n + 1;
    hol__nearest_point *p = HOL__NEW(arena, hol__nearest_point);
    if (!p) return NULL;
    *p = (hol__nearest_point){.m = m,
                              .n = n,
                              .B = HOL__NEW_N(arena, double, m *n + 1),
                              .h = HOL__NEW_N(arena, double, m + 1),
                              .z = HOL__NEW_N(arena, double, n + 1),
                              .force = HOL__NEW_N(arena, double, m + 1),
                              .length = HOL__NEW_N(arena, double, m + 1),
                              .E = HOL__NEW_N(arena, double, rows *m + 1),
                              .y = HOL__NEW_N(arena, double, m + 1),
                              .s = HOL__NEW_N(arena, double, m + 1),
                              .r = HOL__NEW_N(arena, double, rows),
                              .w = HOL__NEW_N(arena, double, m + 1),
                              .a = HOL__NEW_N(arena, double, rows *rows),
                              .tau = HOL__NEW_N(arena, double, rows),
                              .passive = HOL__NEW_N(arena, int, m + 1),
                              .order = HOL__NEW_N(arena, int, m + 1)};
    return arena->failed ? NULL : p;
}

/* The least squares solution over the k columns in order (as many as there are rows at most), by
 * Householder's reflections: s in their order. 0 where they depend on each other. */
static int fit(hol__nearest_point *p, int k) {
    const int rows = p->n + 1;
    double *a = p->a, *b = p->tau;
    for (int j = 0; j < k; j++)
        memcpy(a + j * rows, p->E + p->order[j] * rows, sizeof *a * (size_t)rows);
    memset(b, 0, sizeof *b * (size_t)rows);
    b[rows - 1] = 1;
    for (int j = 0; j < k; j++) {
        double *v = a + j * rows, norm = 0;
        for (int i = j; i < rows; i++) norm = hypot(norm, v[i]);
        if (!(norm > 16 * DBL_EPSILON)) return 0; /* columns have length one */
        const double alpha = v[j] > 0 ? -norm : norm, head = v[j] - alpha;
        for (int l = j + 1; l <= k; l++) {
            double *x = l < k ? a + l * rows : b, dot = head * x[j];
            for (int i = j + 1; i < rows; i++) dot += v[i] * x[i];
            const double f = dot / (-alpha * head);
            x[j] -= f * head;
            for (int i = j + 1; i < rows; i++) x[i] -= f * v[i];
        }
        v[j] = alpha;
    }
    for (int j = k - 1; j >= 0; j--) {
        double x = b[j];
        for (int l = j + 1; l < k; l++) x -= a[l * rows + j] * p->s[l];
        p->s[j] = x / a[j * rows + j];
    }
    return 1;
}

/* r = e - E y, and how much each column would lessen it. */
static void weigh(hol__nearest_point *p) {
    const int rows = p->n + 1;
    memset(p->r, 0, sizeof *p->r * (size_t)rows);
    p->r[rows - 1] = 1;
    for (int j = 0; j < p->m; j++)
        for (int i = 0; i < rows && p->y[j] > 0; i++) p->r[i] -= p->y[j] * p->E[j * rows + i];
    for (int j = 0; j < p->m; j++) {
        p->w[j] = 0;
        for (int i = 0; i < rows; i++) p->w[j] += p->E[j * rows + i] * p->r[i];
    }
}

/* The column that lessens the residual most, -1: none does. */
static int best_column(const hol__nearest_point *p) {
    const double least = 64 * DBL_EPSILON * (p->n + 1);
    int best = -1;
    for (int j = 0; j < p->m; j++)
        if (!p->passive[j] && p->w[j] > (best < 0 ? least : p->w[best])) best = j;
    return best;
}

/* Go towards the fit as far as nothing becomes negative, and let go of what is zero there. Returns
 * whether all of it was reached. */
static int approach(hol__nearest_point *p, int k) {
    double share = 1;
    for (int j = 0; j < k; j++)
        if (p->s[j] <= 0) {
            const double y = p->y[p->order[j]], f = y / (y - p->s[j]);
            if (f < share) share = f;
        }
    int whole = 1;
    for (int j = 0; j < k; j++) {
        double *y = &p->y[p->order[j]];
        const int goes = p->s[j] <= 0 && *y / (*y - p->s[j]) <= share;
        *y += share * (p->s[j] - *y);
        if (p->s[j] <= 0) whole = 0;
        if (goes) *y = 0, p->passive[p->order[j]] = 0;
    }
    return whole;
}

/* Columns of length one from B and h, and how long they were. */
static void set_columns(hol__nearest_point *p) {
    const int rows = p->n + 1;
    for (int j = 0; j < p->m; j++) {
        double *e = p->E + j * rows, norm = 0;
        for (int i = 0; i < p->n; i++) e[i] = p->B[j * p->n + i];
        e[p->n] = p->h[j];
        for (int i = 0; i < rows; i++) norm = hypot(norm, e[i]);
        for (int i = 0; i < rows && norm > 0; i++) e[i] /= norm;
        p->length[j] = norm;
        p->y[j] = 0;
        p->passive[j] = 0;
    }
}

hol_status hol__nearest_point_solve(hol__nearest_point *p) {
    const int rows = p->n + 1;
    set_columns(p);
    weigh(p);
    for (int round = 0, j; round < 3 * p->m + 3 && (j = best_column(p)) >= 0; round++) {
        p->passive[j] = 1;
        for (int whole = 0; !whole;) {
            int k = 0;
            for (int i = 0; i < p->m; i++)
                if (p->passive[i] && k < rows) p->order[k++] = i;
            if (!k) break;
            if (!fit(p, k)) {
                p->passive[j] = 0; /* it depends on the others: nothing to gain */
                p->y[j] = 0;
                break;
            }
            whole = approach(p, k);
        }
        weigh(p);
    }
    const double last = p->r[p->n];
    if (!(last > 1024 * DBL_EPSILON)) return HOL_SINGULAR; /* |r|^2 = r_n */
    for (int i = 0; i < p->n; i++) p->z[i] = -p->r[i] / last;
    for (int j = 0; j < p->m; j++)
        p->force[j] = p->length[j] > 0 ? p->y[j] / (p->length[j] * last) : 0;
    return HOL_OK;
}
