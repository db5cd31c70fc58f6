/* expr_spline.c: the natural cubic spline of table().
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

/* s from x, y and m. */
static void find_slopes(int n, const double *x, const double *y, const double *m, double *s) {
    for (int i = 0; i < n - 1; i++) {
        const double h = x[i + 1] - x[i];
        s[i] = (y[i + 1] - y[i]) / h - h * (2 * m[i] + m[i + 1]) / 6;
    }
    const double h = x[n - 1] - x[n - 2];
    s[n - 1] = (y[n - 1] - y[n - 2]) / h + h * (2 * m[n - 1] + m[n - 2]) / 6;
}

int hol__expr_spline_make(hol__arena *arena, int n, const double *x, const double *y,
                          hol__expr_spline *spline) {
    double *block = HOL__NEW_N(arena, double, 5 * (size_t)n);
    if (!block) return 0;
    double *own_x = block, *own_y = block + n, *s = block + 2 * n, *m = block + 3 * n;
    memcpy(own_x, x, (size_t)n * sizeof *x);
    memcpy(own_y, y, (size_t)n * sizeof *y);
    solve_second_derivatives(n, x, y, m, block + 4 * n);
    find_slopes(n, x, y, m, s);
    *spline = (hol__expr_spline){n, own_x, own_y, s, m};
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
