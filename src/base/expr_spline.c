/* expr_spline.c: the curves of tables: natural and periodic cubic splines, straight lines.
 *
 * Through (x_i, y_i), i = 0 … n-1, with h_i = x_{i+1} - x_i and d_i = (y_{i+1} - y_i)/h_i, the
 * second derivatives m_i solve
 *
 *     h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 (d_i - d_{i-1}),
 *     m_0 = m_{n-1} = 0,
 *
 * a diagonally dominant tridiagonal system. Between x_i and x_{i+1}, with t = x - x_i,
 *
 *     f = y_i + t (s_i + t (m_i/2 + t (m_{i+1} - m_i)/(6 h_i))),
 *     s_i = d_i - h_i (2 m_i + m_{i+1})/6.
 *
 * Outside f goes on along its end slopes; because m is zero at the ends, f is C2 everywhere.
 *
 * Of a periodic spline the ends are one point, m_0 = m_{n-1}, with the same equation there; the
 * corner entries of the system are taken out by the formula of Sherman and Morrison. Straight lines
 * have m = 0 and s_i = d_i.
 */
#include "base/expr_internal.h"

#include <math.h>
#include <string.h>

/* m from x and y; p is scratch (elimination without pivoting, the matrix is diagonally
 * dominant). */
static void solve_second_derivatives(int n, const double *x, const double *y, double *m,
                                     double *p) {
    m[0] = p[0] = 0;
    for (int i = 1; i < n - 1; i++) {
        const double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
        const double rhs = 6 * ((y[i + 1] - y[i]) / h1 - (y[i] - y[i - 1]) / h0);
        const double pivot = 2 * (h0 + h1) - h0 * p[i - 1];
        p[i] = h1 / pivot;
        m[i] = (rhs - h0 * m[i - 1]) / pivot;
    }
    m[n - 1] = 0;
    for (int i = n - 2; i > 0; i--) m[i] -= p[i] * m[i + 1];
}

/* The tridiagonal system with the entries below, on and above the diagonal; b becomes x. p is
 * scratch. */
static void solve_tridiagonal(int n, const double *low, const double *on, const double *up,
                              double *b, double *p) {
    for (int i = 0; i < n; i++) {
        const double pivot = on[i] - (i ? low[i] * p[i - 1] : 0);
        p[i] = i < n - 1 ? up[i] / pivot : 0;
        b[i] = (b[i] - (i ? low[i] * b[i - 1] : 0)) / pivot;
    }
    for (int i = n - 2; i >= 0; i--) b[i] -= p[i] * b[i + 1];
}

/* m of the spline whose ends meet; work: 6 n. */
static void solve_periodic(int n, const double *x, const double *y, double *m, double *work) {
    const int k = n - 1; /* unknowns */
    double *low = work, *on = work + n, *up = work + 2 * n, *u = work + 3 * n, *p = work + 4 * n;
    if (k < 3) {
        memset(m, 0, sizeof(double) * (size_t)n); /* two intervals: a straight line and back */
        if (k == 2) {
            const double h0 = x[1] - x[0], h1 = x[2] - x[1];
            const double d = (y[2] - y[1]) / h1 - (y[1] - y[0]) / h0;
            /* 2 (h0 + h1) m0 + (h0 + h1) m1 = -6 d, and with 6 d: m1 = -m0 */
            m[1] = 6 * d / (h0 + h1);
            m[0] = m[2] = -m[1];
        }
        return;
    }
    for (int i = 0; i < k; i++) {
        const int before = i ? i - 1 : k - 1;
        const double h0 = x[before + 1] - x[before], h1 = x[i + 1] - x[i];
        low[i] = h0, on[i] = 2 * (h0 + h1), up[i] = h1;
        m[i] = 6 * ((y[i + 1] - y[i]) / h1 - (y[before + 1] - y[before]) / h0);
        u[i] = 0;
    }
    /* A = T + u v^T with u = (g, 0 … 0, a), v = (1, 0 … 0, a/g), a the corner entry */
    const double a = low[0], g = -on[0];
    on[0] -= g, on[k - 1] -= a * a / g;
    u[0] = g, u[k - 1] = a;
    solve_tridiagonal(k, low, on, up, m, p);
    solve_tridiagonal(k, low, on, up, u, p);
    const double factor = (m[0] + a / g * m[k - 1]) / (1 + u[0] + a / g * u[k - 1]);
    for (int i = 0; i < k; i++) m[i] -= factor * u[i];
    m[k] = m[0];
}

/* s from x, y and m. */
static void find_slopes(int n, const double *x, const double *y, const double *m, double *s) {
    for (int i = 0; i < n - 1; i++) {
        const double h = x[i + 1] - x[i];
        s[i] = (y[i + 1] - y[i]) / h - h * (2 * m[i] + m[i + 1]) / 6;
    }
    const double h = x[n - 1] - x[n - 2];
    s[n - 1] = (y[n - 1] - y[n - 2]) / h + h * (2 * m[n - 1] + m[n - 2]) / 6;
}

int hol__expr_spline_make(hol__arena *arena, hol__spline_kind kind, int n, const double *x,
                          const double *y, hol__expr_spline *spline) {
    const size_t work = kind == HOL__SPLINE_PERIODIC ? 5 : 1;
    double *block = HOL__NEW_N(arena, double, (4 + work) * (size_t)n);
    if (!block) return 0;
    double *own_x = block, *own_y = block + n, *s = block + 2 * n, *m = block + 3 * n;
    memcpy(own_x, x, (size_t)n * sizeof *x);
    memcpy(own_y, y, (size_t)n * sizeof *y);
    if (kind == HOL__SPLINE_NATURAL)
        solve_second_derivatives(n, x, y, m, block + 4 * n);
    else if (kind == HOL__SPLINE_PERIODIC)
        solve_periodic(n, x, y, m, block + 4 * n);
    else
        memset(m, 0, (size_t)n * sizeof *m);
    find_slopes(n, x, y, m, s);
    *spline = (hol__expr_spline){n, own_x, own_y, s, m, kind, NULL};
    return 1;
}

/* The i with x_i <= x < x_{i+1}, for x inside. */
static int find_interval(const hol__expr_spline *spline, double x) {
    int low = 0, high = spline->n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (x < spline->x[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

void hol__expr_spline_at(const hol__expr_spline *spline, double x, double f[3]) {
    const int last = spline->n - 1;
    const int left = x < spline->x[0];
    if (left || !(x < spline->x[last])) {
        const int end = left ? 0 : last;
        f[0] = spline->y[end] + spline->s[end] * (x - spline->x[end]);
        f[1] = spline->s[end];
        f[2] = 0;
        return;
    }
    const int i = find_interval(spline, x);
    const double t = x - spline->x[i], h = spline->x[i + 1] - spline->x[i];
    const double m = spline->m[i], slope = (spline->m[i + 1] - m) / h;
    f[0] = spline->y[i] + t * (spline->s[i] + t * (m / 2 + t * slope / 6));
    f[1] = spline->s[i] + t * (m + t * slope / 2);
    f[2] = m + t * slope;
}

/* Widen f by the values at x, and where the cubic of the piece around it has a slope of zero. */
static void widen(const hol__expr_spline *spline, double x, hol__range *f) {
    double at[3];
    hol__expr_spline_at(spline, x, at);
    f->low = fmin(f->low, at[0]);
    f->high = fmax(f->high, at[0]);
}

/* The extremes inside piece i, between from and to: s + t m + t^2 slope/2 = 0. */
static void widen_piece(const hol__expr_spline *spline, int i, hol__range x, hol__range *f) {
    const double h = spline->x[i + 1] - spline->x[i],
                 a = (spline->m[i + 1] - spline->m[i]) / (2 * h), b = spline->m[i],
                 c = spline->s[i], root = sqrt(fmax(0, b * b - 4 * a * c));
    const double q = -0.5 * (b + (b < 0 ? -root : root)), t[2] = {q / a, c / q};
    for (int k = 0; k < 2; k++)
        if (t[k] > 0 && t[k] < h && spline->x[i] + t[k] > x.low && spline->x[i] + t[k] < x.high)
            widen(spline, spline->x[i] + t[k], f);
}

hol__range hol__expr_spline_range(const hol__expr_spline *spline, hol__range x) {
    hol__range f = {INFINITY, -INFINITY};
    widen(spline, x.low, &f);
    widen(spline, x.high, &f);
    for (int i = 0; i < spline->n; i++) {
        if (spline->x[i] > x.low && spline->x[i] < x.high) widen(spline, spline->x[i], &f);
        if (i < spline->n - 1) widen_piece(spline, i, x, &f);
    }
    const double slack = 1e-14 * fmax(fabs(f.low), fabs(f.high));
    return (hol__range){f.low - slack, f.high + slack};
}

/* ---- how far it goes beyond its points ---- */

enum { LOOKS = 8 };

double hol__expr_spline_overshoot(const hol__expr_spline *spline, double *x, double *y) {
    double low = INFINITY, high = -INFINITY, most = 0;
    for (int i = 0; i < spline->n; i++)
        low = fmin(low, spline->y[i]), high = fmax(high, spline->y[i]);
    for (int i = 0; i + 1 < spline->n && spline->kind != HOL__SPLINE_LINEAR; i++)
        for (int k = 1; k < LOOKS; k++) {
            const double at = spline->x[i] + (spline->x[i + 1] - spline->x[i]) * k / LOOKS;
            double f[3];
            hol__expr_spline_at(spline, at, f);
            const double beyond = fmax(f[0] - high, low - f[0]);
            if (!(beyond > most)) continue;
            most = beyond;
            *x = at, *y = f[0];
        }
    return high > low ? most / (high - low) : 0;
}

double hol__table_overshoot(hol__arena *arena, const hol__table *table, double *x, double *y) {
    hol__expr_spline spline;
    if (!hol__expr_spline_make(arena, hol__table_kind(table), table->n, table->x, table->y,
                               &spline))
        return 0;
    return hol__expr_spline_overshoot(&spline, x, y);
}

hol__spline_kind hol__table_kind(const hol__table *table) {
    if (table->linear) return HOL__SPLINE_LINEAR;
    return table->outside == HOL__OUTSIDE_PERIODIC ? HOL__SPLINE_PERIODIC : HOL__SPLINE_NATURAL;
}
