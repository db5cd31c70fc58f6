/* dense.c: the solution between the ends of the last step.
 *
 * With s = (t - t_old)/h, r = 1 - s, D = y_1 - y_0, f_0 and f_1 the slopes at the two ends (f_1 at
 * the corrected end):
 *
 *     y(s) = y_0 + s^2 (1 + 2 r) D + s r^2 h f_0 - s^2 r h f_1
 *                + s^2 r^2 d_1 + s^3 r^2 d_2 + s^3 r^3 d_3 + s^4 r^3 d_4
 *     d_j  = h sum_i D_ji k_i                                                            [HNW II.6]
 *
 * The first line is the cubic Hermite polynomial; Dormand–Prince 5(4) adds d_1 (order 4), 8(5,3)
 * all four (order 7, with three extra stages). What is added vanishes with its slope at both ends,
 * so that y_0, y_1, f_0 and f_1 are met whatever the correction did.
 */
#include "integ/integ.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* The extra stages: k_i = f(t_old + c_i h, y_old + h sum a_ij k_j). */
static hol_status extra_stages(hol__integrator *integ, double h) {
    const hol__rk_table *table = integ->table;
    hol_status status = HOL_OK;
    for (int e = 0; e < table->extra_stages && status == HOL_OK; e++) {
        const int slot = integ->last + 1 + e;
        hol__rk_combine(integ->n, integ->y_old, h, slot, table->dense_a + e * integ->slopes,
                        integ->k, integ->err);
        status =
            hol__rk_rhs(integ, integ->t_old + table->dense_c[e] * h, integ->err, integ->k[slot]);
    }
    return status;
}

/* Everything that does not depend on where the interpolant is asked for. */
static hol_status prepare(hol__integrator *integ, double h) {
    const hol__rk_table *table = integ->table;
    if (integ->dense_ready) return HOL_OK;
    hol_status status = hol__rk_last(integ);
    if (status == HOL_OK) status = extra_stages(integ, h);
    if (status != HOL_OK) return status;
    for (int j = 0; j < table->dense_rows; j++)
        hol__rk_combine(integ->n, NULL, h, integ->slopes, table->dense_d + j * integ->slopes,
                        integ->k, integ->d[j]);
    integ->dense_ready = 1;
    return HOL_OK;
}

/* y(s) by the formula at the top. */
static void evaluate(const hol__integrator *integ, double s, double h, double *y) {
    const double r = 1 - s, wD = s * s * (1 + 2 * r), w0 = s * r * r * h, w1 = s * s * r * h;
    const double w[HOL__MAX_DENSE_ROWS] = {s * s * r * r, s * s * s * r * r, s * s * s * r * r * r,
                                           s * s * s * s * r * r * r};
    const double *y0 = integ->y_old, *y1 = integ->y, *f0 = integ->k[0], *f1 = integ->k[integ->last];
    for (int i = 0; i < integ->n; i++)
        y[i] = y0[i] + (wD * (y1[i] - y0[i]) + (w0 * f0[i] - w1 * f1[i]));
    for (int j = 0; j < integ->table->dense_rows; j++) {
        const double *d = integ->d[j];
        for (int i = 0; i < integ->n; i++) y[i] += w[j] * d[i];
    }
}

hol_status hol__integrator_dense(hol__integrator *integ, double t, double *y) {
    if (!integ->open || !(t >= integ->t_old && t <= integ->t))
        return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the interpolant is asked for at t = %.12g; %s [%.12g, %.12g]", t,
                           integ->open ? "the last step spans"
                                       : "there is no step open, the last one spanned",
                           integ->t_old, integ->t);
    const size_t size = (size_t)integ->n * sizeof *y;
    if (t == integ->t_old || t == integ->t) {
        memcpy(y, t == integ->t ? integ->y : integ->y_old, size);
        return HOL_OK;
    }
    const double h = integ->t - integ->t_old;
    const hol_status status = prepare(integ, h);
    if (status != HOL_OK) return status;
    evaluate(integ, (t - integ->t_old) / h, h, y);
    return HOL_OK;
}
