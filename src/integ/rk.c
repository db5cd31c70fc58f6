/* rk.c: one explicit Runge–Kutta step over a table.
 *
 *     k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j)
 *     y*  = y + h sum b_i k_i,   y_1 = correct(t + h, y*)
 *
 * First-same-as-last tables have b as the last row of a; their last stage is taken at y_1, not at
 * y*: k_s = f(t + h, y_1). It enters the error estimate and is the first stage of the next step.
 * The other methods leave f(t + h, y_1) until somebody needs it (hol__rk_last).
 */
#include "integ/integ.h"

#include <math.h>
#include <stddef.h>

/* out = base + sum of m <= 4 terms g_j k_j, base NULL: without it; g is zero past m. out may be
 * base, nothing else. */
static void add_terms(int n, const double *base, int m, const double *g, const double *const *k,
                      double *out) {
    const double *restrict k0 = k[0], *restrict k1 = k[m > 1 ? 1 : 0];
    const double *restrict k2 = k[m > 2 ? 2 : 0], *restrict k3 = k[m > 3 ? 3 : 0];
    const double g0 = g[0], g1 = g[1], g2 = g[2], g3 = g[3];
    if (!base)
        for (int i = 0; i < n; i++) out[i] = g0 * k0[i] + g1 * k1[i] + (g2 * k2[i] + g3 * k3[i]);
    else if (m == 1)
        for (int i = 0; i < n; i++) out[i] = base[i] + g0 * k0[i];
    else if (m == 2)
        for (int i = 0; i < n; i++) out[i] = base[i] + (g0 * k0[i] + g1 * k1[i]);
    else if (m == 3)
        for (int i = 0; i < n; i++) out[i] = base[i] + (g0 * k0[i] + g1 * k1[i] + g2 * k2[i]);
    else
        for (int i = 0; i < n; i++)
            out[i] = base[i] + (g0 * k0[i] + g1 * k1[i] + (g2 * k2[i] + g3 * k3[i]));
}

/* The terms that are not zero, four in one pass; y comes last, so that increments are summed before
 * they meet it. */
void hol__rk_combine(int n, const double *y, double h, int m, const double *a, double *const *k,
                     double *out) {
    double g[HOL__MAX_SLOPES + 4];
    const double *slope[HOL__MAX_SLOPES + 4];
    int terms = 0;
    for (int j = 0; j < m; j++) {
        if (a[j] == 0) continue;
        g[terms] = h * a[j];
        slope[terms++] = k[j];
    }
    if (terms == 0) {
        for (int i = 0; i < n; i++) out[i] = y ? y[i] : 0;
        return;
    }
    for (int j = 0; j < 3; j++) g[terms + j] = 0;
    int at = 0;
    for (; terms - at > 4; at += 4) add_terms(n, at ? out : NULL, 4, g + at, slope + at, out);
    add_terms(n, at ? out : y, terms - at, g + at, slope + at, out);
    if (at && y)
        for (int i = 0; i < n; i++) out[i] += y[i];
}

hol_status hol__rk_rhs(hol__integrator *integ, double t, const double *y, double *ydot) {
    integ->stats.evaluations++;
    return integ->ode->rhs(integ->ode->self, t, y, ydot);
}

hol_status hol__rk_first(hol__integrator *integ) {
    if (integ->first_known) return HOL_OK;
    const hol_status status = hol__rk_rhs(integ, integ->t_old, integ->y_old, integ->k[0]);
    integ->first_known = status == HOL_OK;
    return status;
}

hol_status hol__rk_last(hol__integrator *integ) {
    if (integ->last_known) return HOL_OK;
    const hol_status status = hol__rk_rhs(integ, integ->t, integ->y, integ->k[integ->last]);
    integ->last_known = status == HOL_OK;
    return status;
}

/* k_1 … k_m by the rows of a; stage points are built in y. A stage at c = 1 sees t_new itself. */
static hol_status stages(hol__integrator *integ, double t_new, double h, int m) {
    const hol__rk_table *table = integ->table;
    hol_status status = hol__rk_first(integ);
    for (int i = 1; i < m && status == HOL_OK; i++) {
        const double t = table->c[i] == 1 ? t_new : integ->t_old + table->c[i] * h;
        hol__rk_combine(integ->n, integ->y_old, h, i, table->a + i * table->stages, integ->k,
                        integ->y);
        status = hol__rk_rhs(integ, t, integ->y, integ->k[i]);
    }
    return status;
}

hol_status hol__rk_attempt(hol__integrator *integ, double t_new, double h) {
    const hol__rk_table *table = integ->table;
    const hol__ode *ode = integ->ode;
    const int m = table->fsal ? table->stages - 1 : table->stages;
    integ->last_known = 0;
    integ->h_try = fmax(integ->h_try, h);
    hol_status status = stages(integ, t_new, h, m);
    if (status != HOL_OK) return status;
    hol__rk_combine(integ->n, integ->y_old, h, m, table->b, integ->k, integ->y);
    if (ode->correct) status = ode->correct(ode->self, t_new, integ->y);
    if (status != HOL_OK || !table->fsal) return status;
    status = hol__rk_rhs(integ, t_new, integ->y, integ->k[integ->last]);
    integ->last_known = status == HOL_OK;
    return status;
}

/* 0 x is 0 for every finite x and NaN for every other. */
int hol__rk_finite(int n, const double *x) {
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int j = 0; j < 4; j++) sum[j] += 0 * x[i + j];
    for (; i < n; i++) sum[0] += 0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0;
}
