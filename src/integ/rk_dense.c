/* rk_dense.c: the solution between the ends of the last step.
 *
 * With s = (t - t_old)/h, r = 1 - s, D = y_1 - y_0, f_0 and f_1 the slopes at the two ends (f_1 at
 * the projected end):
 *
 *     y(s) = y_0 + s^2 (1 + 2 r) D + s r^2 h f_0 - s^2 r h f_1
 *                + s^2 r^2 d_1 + s^3 r^2 d_2 + s^3 r^3 d_3 + s^4 r^3 d_4
 *     d_j  = h sum_i D_ji k_i                                                            [HNW II.6]
 *
 * The first line is the cubic Hermite polynomial; Dormand–Prince 5(4) adds d_1 (order 4), 8(5,3)
 * all four (order 7, with three extra stages). What is added vanishes with its slope at both ends,
 * so that y_0, y_1, f_0 and f_1 are met whatever the projection did.
 *
 * 8(5,3) has a second set of D_ji (free_d) for the slopes that are there anyway, of order 6: f_1 is
 * the first slope of the next step. Its error is estimated by e = h sum_i E_i k_i = O(h^7), with E
 * the one direction that the conditions up to order 6 leave open. Where somebody is content with
 * the tolerance (step->content) and |e| is below it, the extra stages are not made.
 */
#include "integ/rk.h"

/* The extra stages: k_i = f(t_old + c_i h, y_old + h sum a_ij k_j). */
static hol_status extra_stages(hol__stepper *stepper, const hol__step *step, double h) {
    const hol__rk_table *table = stepper->type->table;
    const hol__rk_state *rk = stepper->state;
    hol_status status = HOL_OK;
    for (int e = 0; e < table->extra_stages && status == HOL_OK; e++) {
        const int slot = rk->last + 1 + e;
        hol__combine(stepper->n, step->y_old, h, slot, table->dense_a + e * rk->slopes, rk->k,
                     rk->err);
        status = hol__stepper_rhs(stepper, step->t + table->dense_c[e] * h, rk->err, rk->k[slot]);
    }
    return status;
}

/* Whether the interpolant that needs no extra stages will do. */
static int free_will_do(const hol__stepper *stepper, const hol__step *step, double h) {
    const hol__rk_table *table = stepper->type->table;
    const hol__rk_state *rk = stepper->state;
    if (!table->free_d || !step->content) return 0;
    hol__combine(stepper->n, NULL, h / step->tolerance, rk->last + 1, table->free_e, rk->k,
                 rk->err);
    return hol__mean_square(stepper->n, rk->err, step->scale) <= 1;
}

/* d_j from the first m slopes. */
static void make_rows(hol__stepper *stepper, double h, int m, const double *weights) {
    const hol__rk_table *table = stepper->type->table;
    hol__rk_state *rk = stepper->state;
    for (int j = 0; j < table->dense_rows; j++)
        hol__combine(stepper->n, NULL, h, m, weights + j * m, rk->k, rk->d[j]);
}

/* Everything that does not depend on where the interpolant is asked for. */
static hol_status prepare(hol__stepper *stepper, hol__step *step, double h) {
    const hol__rk_table *table = stepper->type->table;
    hol__rk_state *rk = stepper->state;
    if (rk->dense_ready == HOL__DENSE_WHOLE || (rk->dense_ready && step->content)) return HOL_OK;
    hol__rk_bind(rk, step);
    hol_status status = hol__stepper_last(stepper, step);
    if (status != HOL_OK) return status;
    if (free_will_do(stepper, step, h)) {
        make_rows(stepper, h, rk->last + 1, table->free_d);
        rk->dense_ready = HOL__DENSE_FREE;
        return HOL_OK;
    }
    status = extra_stages(stepper, step, h);
    if (status != HOL_OK) return status;
    make_rows(stepper, h, rk->slopes, table->dense_d);
    rk->dense_ready = HOL__DENSE_WHOLE;
    return HOL_OK;
}

/* y(s) by the formula at the top. */
static void evaluate(const hol__stepper *stepper, const hol__step *step, double h, double s,
                     double *y) {
    const hol__rk_table *table = stepper->type->table;
    const hol__rk_state *rk = stepper->state;
    const double r = 1 - s, wD = s * s * (1 + 2 * r), w0 = s * r * r * h, w1 = s * s * r * h;
    const double w[HOL__MAX_DENSE_ROWS] = {s * s * r * r, s * s * s * r * r, s * s * s * r * r * r,
                                           s * s * s * s * r * r * r};
    const double *y0 = step->y_old, *y1 = step->y, *f0 = step->f_old, *f1 = step->f;
    for (int i = 0; i < stepper->n; i++)
        y[i] = y0[i] + (wD * (y1[i] - y0[i]) + (w0 * f0[i] - w1 * f1[i]));
    for (int j = 0; j < table->dense_rows; j++) {
        const double *d = rk->d[j];
        for (int i = 0; i < stepper->n; i++) y[i] += w[j] * d[i];
    }
}

hol_status hol__rk_dense(hol__stepper *stepper, hol__step *step, double s, double *y) {
    const double h = step->t_new - step->t;
    const hol_status status = prepare(stepper, step, h);
    if (status == HOL_OK) evaluate(stepper, step, h, s, y);
    return status;
}
