/* weigh.c: whether accelerations are found with M as it is.
 *
 * lambda comes from A M^-1 A^T. Light bodies between heavy ones make its entries large and its
 * pivots small against them, bodies without mass leave it undefined; with
 *
 *     W = M + s A^T A,   s = max M_ii m/|A|^2
 *
 * in place of M the accelerations are the same and A W^-1 A^T has pivots of one size. It costs more
 * operations and is taken where pivots of M or of A M^-1 A^T fall below LEAST of their diagonal
 * entries at the states of a run.
 */
#include "generate/program.h"

#include <math.h>
#include <string.h>

static const double LEAST = 1e-3;

/* L D L^T of X (n x n) in place, from the last row to the first or the other way; the smallest
 * pivot over its diagonal entry (kept in `on`), 0 where one is not positive. */
static double factor(int n, double *X, int backwards, double *on) {
    double least = 1;
    for (int j = 0; j < n; j++) on[j] = X[j * n + j];
    for (int step = 0; step < n; step++) {
        const int j = backwards ? n - 1 - step : step;
        const double D = X[j * n + j];
        if (!(D > 0)) return 0;
        least = fmin(least, D / on[j]);
        for (int i = 0; i < n; i++) {
            const int after = backwards ? i < j : i > j;
            if (!after) continue;
            const double l = X[i * n + j] / D;
            for (int k = 0; k < n; k++)
                if (backwards ? k < j : k > j) X[i * n + k] -= l * X[j * n + k];
            X[j * n + i] = l;
        }
    }
    return least;
}

/* x = M^-1 x with the factors, L^T in the rows. */
static void solve(int n, const double *X, double *x) {
    for (int j = n - 1; j >= 0; j--)
        for (int i = 0; i < j; i++) x[i] -= X[j * n + i] * x[j];
    for (int j = 0; j < n; j++) x[j] /= X[j * n + j];
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) x[j] -= X[j * n + i] * x[i];
}

/* The smallest pivot of M and of A M^-1 A^T at these values. */
static double least_pivot(const hol__program *p, const double *values, double *M, double *S,
                          double *x) {
    const int n = p->model->nv, m = p->n_kept;
    for (int i = 0; i < n * n; i++) M[i] = values[p->M[i]];
    const double least = factor(n, M, 1, x);
    if (least == 0) return 0;
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++) x[i] = values[p->A[p->kept[k] * n + i]];
        solve(n, M, x);
        for (int l = 0; l < m; l++) {
            S[l * m + k] = 0;
            for (int i = 0; i < n; i++) S[l * m + k] += values[p->A[p->kept[l] * n + i]] * x[i];
        }
    }
    return fmin(least < 1e-10 ? 0 : 1, factor(m, S, 0, x));
}

hol_status hol__program_weigh(hol__program *p, int n_states, const hol__gstate *states) {
    const int n = p->model->nv, m = p->n_kept;
    const size_t numbers = (size_t)(n * n + m * m + n + m + p->dag.n_inputs + p->dag.count) + 1;
    p->augment = 0;
    if (!m) return HOL_OK;
    double *M = hol__alloc(p->ctx, numbers, sizeof *M), *S = M + n * n, *x = S + m * m,
           *inputs = x + n + m, *values = inputs + p->dag.n_inputs;
    if (!M) return HOL_ERR_MEMORY;
    for (int s = 0; s < n_states && p->augment == 0; s++) {
        double largest = 0, square = 0;
        hol__program_values(p, &states[s], inputs, values);
        if (least_pivot(p, values, M, S, x) >= LEAST) continue;
        for (int i = 0; i < n; i++) largest = fmax(largest, values[p->M[i * n + i]]);
        for (int i = 0; i < m * n; i++) square += pow(values[p->A[p->kept[i / n] * n + i % n]], 2);
        p->augment = largest > 0 && square > 0 ? largest * m / square : 0;
    }
    hol__release(p->ctx, M);
    return HOL_OK;
}
