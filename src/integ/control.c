/* control.c: how long the next step is.
 *
 *     |e|   = sqrt( 1/n sum (e_i / (tol s_i))^2 ),  s = scale at the start of the step
 *     |e|   = |e5|^2 / sqrt( |e5|^2 + 0.01 |e3|^2 ) for 8(5,3), which goes as h^8        [HNW II.10]
 *     h_new = 0.9 h |e|^-alpha |e_old|^beta,  beta = 0.2/k,  alpha = 1/k - 0.75 beta      [HW IV.2]
 *
 * with k = error_order + 1. A step passes when |e| <= 1.
 *
 * The first step follows [HNW II.4]: from y, f and one explicit Euler step that shows how fast f
 * changes. Here s is the size of y also where y is zero, which increments are at the start of a
 * step.
 */
#include "integ/integ.h"

#include <math.h>
#include <stddef.h>

static const double SAFETY = 0.9;
static const double LEAST_FACTOR = 0.2, MOST_FACTOR = 6;
static const double LEAST_MEMORY = 1e-4; /* |e_old| below this says no more about the next step */
static const double BLIND_STEP = 1e-6;   /* where nothing sets a time scale */

void hol__control_scale(hol__integrator *integ) {
    const hol__ode *ode = integ->ode;
    if (ode->scale) {
        ode->scale(ode->self, integ->y_old, integ->scale);
        return;
    }
    for (int i = 0; i < integ->n; i++) integ->scale[i] = 1 + fabs(integ->y_old[i]);
}

/* 1/n sum (x_i / s_i)^2; 0 for n = 0. */
static double mean_square(int n, const double *x, const double *s) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        const double r = x[i] / s[i];
        sum += r * r;
    }
    return n ? sum / n : 0;
}

double hol__control_error(hol__integrator *integ, double h) {
    const hol__rk_table *table = integ->table;
    const double tol = integ->control.tolerance * integ->ease;
    hol__rk_combine(integ->n, NULL, h / tol, table->stages, table->e, integ->k, integ->err);
    if (integ->ode->tangent) integ->ode->tangent(integ->ode->self, integ->err);
    const double e5 = mean_square(integ->n, integ->err, integ->scale);
    if (!table->e2) return sqrt(e5);
    hol__rk_combine(integ->n, NULL, h / tol, table->stages, table->e2, integ->k, integ->err2);
    if (integ->ode->tangent) integ->ode->tangent(integ->ode->self, integ->err2);
    const double e3 = mean_square(integ->n, integ->err2, integ->scale);
    return e5 == 0 ? 0 : e5 / sqrt(e5 + 0.01 * e3);
}

double hol__control_growth(const hol__integrator *integ, double err) {
    const double k = integ->table->error_order + 1, beta = 0.2 / k, alpha = 1 / k - 0.75 * beta;
    const double factor = SAFETY * pow(err, -alpha) * pow(fmax(integ->err_old, LEAST_MEMORY), beta);
    return fmin(MOST_FACTOR, fmax(LEAST_FACTOR, factor));
}

/* After a rejection the memory is of another regime: the plain controller, which always
 * shortens. */
double hol__control_cut(const hol__integrator *integ, double err) {
    const double k = integ->table->error_order + 1;
    return fmax(LEAST_FACTOR, SAFETY * pow(err, -1 / k));
}

/* An Euler step of length h into y and f there into k[1]; shorter while f asks for it. */
static hol_status euler_probe(hol__integrator *integ, double *h) {
    hol_status status = HOL_RETRY;
    for (int i = 0; i < 10 && status > 0; i++) {
        const double one = 1;
        if (i > 0) *h /= 4;
        hol__rk_combine(integ->n, integ->y_old, *h, 1, &one, integ->k, integ->y);
        status = hol__rk_rhs(integ, integ->t_old + *h, integ->y, integ->k[1]);
    }
    return status;
}

/* The step that d1 = |f| and d2 = |df/dt| suggest, with h the length of the probe (both norms
 * relative to scale alone). */
static double first_from_rates(const hol__integrator *integ, double h, double d1, double d2) {
    const double most = fmax(d1, d2) / integ->control.tolerance, k = integ->table->error_order + 1;
    const double guess = most <= 1e-15 ? fmax(BLIND_STEP, 1e-3 * h) : pow(0.01 / most, 1 / k);
    return fmin(100 * h, guess);
}

hol_status hol__control_first(hol__integrator *integ) {
    const hol__control *control = &integ->control;
    const int n = integ->n;
    double h = BLIND_STEP;
    hol_status status = hol__rk_first(integ);
    if (status == HOL_OK) {
        const double d1 = sqrt(mean_square(n, integ->k[0], integ->scale));
        if (d1 > 1e-10) h = 0.01 / d1;
        if (control->max_step > 0) h = fmin(h, control->max_step);
        status = euler_probe(integ, &h);
        if (status == HOL_OK) {
            for (int i = 0; i < n; i++) integ->err[i] = (integ->k[1][i] - integ->k[0][i]) / h;
            h = first_from_rates(integ, h, d1, sqrt(mean_square(n, integ->err, integ->scale)));
        }
    }
    if (status < 0) return status;
    if (!(h > 0) || !isfinite(h)) h = BLIND_STEP;
    integ->h_next = fmax(h, control->min_step);
    return HOL_OK;
}
