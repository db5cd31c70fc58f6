/* problem_equations.h: equations of motion written out in a test and integrated there, in plain
 * loops that share nothing with the library.
 *
 * The equations are integrated by the classical Runge–Kutta formula. With steps of h = 2e-4 s and
 * rates below 20 1/s its local error is near (20 h)^5/120 = 8e-15, over 2.5e4 steps below 1e-9
 * with a margin of five.
 */
#ifndef HOLONOM_TEST_PROBLEM_EQUATIONS_H
#define HOLONOM_TEST_PROBLEM_EQUATIONS_H

#include <math.h>
#include <string.h>

enum { MAX_STATE = 25, MAX_SYSTEM = 18 };

static const double g = 9.81, fine_step = 2e-4, exact = 1e-9;

/* ---- integration and linear systems ---- */

typedef void equations(double t, const double *y, double *ydot);

/* Integrate n states from t0 to t with steps of h. */
static inline void integrate_by(equations *f, int n, double h, double t0, double t, double *y) {
    static const double part[4] = {0, 0.5, 0.5, 1};
    const long steps = lround((t - t0) / h);
    double k[4][MAX_STATE], x[MAX_STATE];
    for (long step = 0; step < steps; step++) {
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < n; i++) x[i] = y[i] + (s ? h * part[s] * k[s - 1][i] : 0);
            f(t0 + h * ((double)step + part[s]), x, k[s]);
        }
        for (int i = 0; i < n; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static inline void integrate(equations *f, int n, double t0, double t, double *y) {
    integrate_by(f, n, fine_step, t0, t, y);
}

/* Solve S x = b by elimination with row exchanges; b becomes x. */
static inline void solve(int n, double S[MAX_SYSTEM][MAX_SYSTEM], double *b) {
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int r = i + 1; r < n; r++)
            if (fabs(S[r][i]) > fabs(S[best][i])) best = r;
        for (int c = 0; c < n; c++) {
            const double x = S[i][c];
            S[i][c] = S[best][c], S[best][c] = x;
        }
        const double x = b[i];
        b[i] = b[best], b[best] = x;
        for (int r = i + 1; r < n; r++) {
            const double f = S[r][i] / S[i][i];
            for (int c = i; c < n; c++) S[r][c] -= f * S[i][c];
            b[r] -= f * b[i];
        }
    }
    for (int i = n; i-- > 0;) {
        for (int c = i + 1; c < n; c++) b[i] -= S[i][c] * b[c];
        b[i] /= S[i][i];
    }
}

/* [M A^T; A 0] [a; lambda] = [Q; c] for n coordinates and m constraints; a into out. */
static inline void multipliers(int n, int m, const double *M, const double *A, const double *Q,
                               const double *c, double *out) {
    double S[MAX_SYSTEM][MAX_SYSTEM] = {{0}}, b[MAX_SYSTEM];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) S[i][j] = M[n * i + j];
        for (int j = 0; j < m; j++) S[i][n + j] = S[n + j][i] = A[n * j + i];
        b[i] = Q[i];
    }
    for (int j = 0; j < m; j++) b[n + j] = c[j];
    solve(n + m, S, b);
    memcpy(out, b, sizeof(double) * (size_t)n);
}

/* ---- vectors and unit quaternions ---- */

static inline void cross(const double *a, const double *b, double *out) {
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static inline double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* R(p) a. */
static inline void turned(const double *p, const double *a, double *out) {
    double b[3], c[3];
    cross(p + 1, a, b);
    for (int i = 0; i < 3; i++) b[i] += p[0] * a[i];
    cross(p + 1, b, c);
    for (int i = 0; i < 3; i++) out[i] = a[i] + 2 * c[i];
}

/* p' = p (0, w)/2 with w in the turning frame. */
static inline void turning(const double *p, const double *w, double *pdot) {
    double c[3];
    cross(p + 1, w, c);
    pdot[0] = -dot(p + 1, w) / 2;
    for (int i = 0; i < 3; i++) pdot[1 + i] = (c[i] + p[0] * w[i]) / 2;
}

#endif
