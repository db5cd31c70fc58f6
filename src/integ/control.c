/* control.c: how long the next step is.
 *
 *     h_new = 0.9 h |e|^-alpha |e_old|^beta,  beta = 0.2/k,  alpha = 1/k - 0.75 beta      [HW IV.2]
 *
 * with k = error_order + 1 and |e| from the stepper, relative to the scale at the start of the
 * step. A step passes when |e| <= 1.
 *
 * The first step follows [HNW II.4]: from y, f and one explicit Euler step that shows how fast f
 * changes. Here s is the size of y also where y is zero, which increments are at the start of a
 * step.
 */
#include "integ/integ.h"

#include <math.h>

/* Of 18 sets over 14 models the cheapest at equal error takes 1.2 % fewer evaluations, which is
 * within the scatter; other safeties and exponents take up to 12 % more (bench/bench_control.c). */
const hol__pace_gains hol__pace_own = {
    .safety = 0.9, .beta = 0.2, .lean = 0.75, .least = 0.2, .most = 6};
static const double LEAST_MEMORY = 1e-4; /* |e_old| below this says no more about the next step */
static const double BLIND_STEP = 1e-6;   /* where nothing sets a time scale */

void hol__control_scale(hol__integrator *integ) {
    const hol__system *system = integ->system;
    if (system->scale) {
        system->scale(system->self, integ->step.y_old, integ->scale);
        return;
    }
    for (int i = 0; i < integ->n; i++) integ->scale[i] = 1 + fabs(integ->step.y_old[i]);
}

double hol__control_error(hol__integrator *integ) {
    hol__stepper *stepper = integ->leapt ? &integ->leaper : &integ->stepper;
    return stepper->type->ops->error(stepper, &integ->step, integ->scale, integ->control.tolerance);
}

static const hol__pace_gains *gains_of(const hol__integrator *integ) {
    return integ->control.gains ? integ->control.gains : &hol__pace_own;
}

double hol__control_growth(const hol__integrator *integ, double err) {
    if (integ->type->ops->growth) return integ->type->ops->growth(&integ->stepper, err);
    const hol__pace_gains *g = gains_of(integ);
    const double k = integ->type->error_order + 1, beta = g->beta / k,
                 alpha = 1 / k - g->lean * beta;
    const double factor =
        g->safety * pow(err, -alpha) * pow(fmax(integ->memory.err_old, LEAST_MEMORY), beta);
    return fmin(g->most, fmax(g->least, factor));
}

/* After a rejection the memory is of another regime: the plain controller, which always
 * shortens. */
double hol__control_cut(const hol__integrator *integ, double err) {
    if (integ->type->ops->growth) return integ->type->ops->growth(&integ->stepper, err);
    const hol__pace_gains *g = gains_of(integ);
    return fmax(g->least, g->safety * pow(err, -1.0 / (integ->type->error_order + 1)));
}

/* An Euler step of length h into y and f there into f; shorter while f asks for it. */
static hol_status euler_probe(hol__integrator *integ, double *h) {
    const hol__step *step = &integ->step;
    hol_status status = HOL_RETRY;
    for (int i = 0; i < 10 && status > 0; i++) {
        if (i > 0) *h /= 4;
        for (int j = 0; j < integ->n; j++) step->y[j] = step->y_old[j] + *h * step->f_old[j];
        status = hol__stepper_rhs(&integ->stepper, step->t + *h, step->y, step->f);
    }
    return status;
}

/* The step that d1 = |f| and d2 = |df/dt| suggest, with h the length of the probe (both norms
 * relative to scale alone). */
static double first_from_rates(const hol__integrator *integ, double h, double d1, double d2) {
    const double most = fmax(d1, d2) / integ->control.tolerance, k = integ->type->error_order + 1;
    const double guess = most <= 1e-15 ? fmax(BLIND_STEP, 1e-3 * h) : pow(0.01 / most, 1 / k);
    return fmin(100 * h, guess);
}

hol_status hol__control_first(hol__integrator *integ) {
    const hol__control *control = &integ->control;
    hol__step *step = &integ->step;
    const int n = integ->n;
    double h = BLIND_STEP;
    hol_status status = hol__stepper_first(&integ->stepper, step);
    if (status == HOL_OK) {
        const double d1 = sqrt(hol__mean_square(n, step->f_old, integ->scale));
        if (d1 > 1e-10) h = 0.01 / d1;
        if (control->max_step > 0) h = fmin(h, control->max_step);
        status = euler_probe(integ, &h);
        if (status == HOL_OK) {
            for (int i = 0; i < n; i++) step->y[i] = (step->f[i] - step->f_old[i]) / h;
            h = first_from_rates(integ, h, d1, sqrt(hol__mean_square(n, step->y, integ->scale)));
        }
    }
    if (status < 0) return status;
    if (!(h > 0) || !isfinite(h)) h = BLIND_STEP;
    integ->memory.h_next = fmax(h, control->min_step);
    return HOL_OK;
}
