/* controlled.c: steps whose estimated error stays below the tolerance.
 *
 * With h the step that the controller (control.c) wants and r = t_stop - t: r <= 1.05 h is taken
 * whole, r < 2 h in two halves, so that no sliver remains. h itself survives such a cut: it is what
 * the controller wants next.
 */
#include "integ/integ.h"

#include <float.h>
#include <math.h>

enum { MOST_TRIES = 90 };

/* Where the next attempt goes. */
typedef struct plan {
    double t_new, h;
    int cut; /* not as long as the controller wants because of t_stop */
} plan;

/* The step that the controller wants, cut or stretched where t_stop is near. */
static plan plan_step(const hol__integrator *integ, double t_stop) {
    const double max_step = integ->control.max_step, t = integ->step.t, rest = t_stop - t,
                 h = integ->memory.h_next,
                 whole = max_step > 0 ? fmin(1.05 * h, max_step) : 1.05 * h;
    if (rest <= whole) return (plan){t_stop, rest, rest < h};
    const int halved = rest < 2 * h;
    const double t_new = t + (halved ? rest / 2 : h);
    return (plan){t_new, t_new - t, halved};
}

/* The step is accepted with the estimate err: what comes next. A cut step says nothing against the
 * step that was wanted. */
static void accept(hol__integrator *integ, const plan *p, double err, int tries) {
    const double growth = hol__control_growth(integ, err),
                 h_new = p->h * (tries ? fmin(1, growth) : growth);
    integ->memory.h_next = p->cut ? fmax(integ->memory.h_next, h_new) : h_new;
    if (!p->cut) integ->memory.err_old = err;
    if (integ->control.max_step > 0)
        integ->memory.h_next = fmin(integ->memory.h_next, integ->control.max_step);
    hol__evolve_end(integ);
}

/* The attempt failed with a status > 0 of f or project, or by its estimate (status HOL_OK): a
 * shorter one next. */
static void reject(hol__integrator *integ, const plan *p, hol_status status, double err) {
    if (status > 0)
        integ->stats.failures++;
    else
        integ->stats.rejected++;
    integ->memory.h_next =
        p->h * (status > 0 || !isfinite(err) ? 0.25 : hol__control_cut(integ, err));
}

/* No step that is long enough passes. */
static hol_status give_up(const hol__integrator *integ, const plan *p, hol_status status,
                          double err) {
    const char *cause = status > 0      ? hol_status_text(status)
                        : isfinite(err) ? "the estimated error stays above the tolerance"
                                        : hol_status_text(HOL_NONFINITE);
    const hol_status known = hol__evolve_explained(integ);
    if (known) return known;
    return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "integrator '%s': no step from t = %.12g passes, down to %.3g (tolerance "
                       "%.3g): %s; look at what the "
                       "model does at this time (a singular position, a jump, a stop), or loosen "
                       "the tolerance",
                       integ->type->name, integ->step.t, p->h, hol__evolve_tolerance(integ), cause);
}

/* The shortest step worth trying from here where a step of that length was wanted. */
static double least_step(const hol__integrator *integ, double wanted) {
    return fmax(integ->control.min_step, 16 * DBL_EPSILON * fmax(fabs(integ->step.t), wanted));
}

/* The norm of the estimate of the attempt just made, NaN where its end is not finite. */
static double estimate(hol__integrator *integ) {
    integ->error = hol__control_error(integ);
    if (!hol__all_finite(integ->n, integ->step.y)) integ->error = NAN;
    return integ->error;
}

/* What the controller wants at the start of a step. */
static hol_status begin(hol__integrator *integ) {
    double *const h_next = &integ->memory.h_next;
    hol__control_scale(integ);
    const hol_status status = *h_next > 0 ? HOL_OK : hol__control_first(integ);
    if (integ->control.max_step > 0) *h_next = fmin(*h_next, integ->control.max_step);
    *h_next = fmax(*h_next, least_step(integ, 0));
    return status;
}

/* Attempts until one passes the error test. */
hol_status hol__step_controlled(hol__integrator *integ, double t_stop) {
    hol_status status = begin(integ);
    if (status < 0) return status;
    const double least = least_step(integ, integ->memory.h_next);
    integ->step.tested = 1;
    for (int tries = 0;; tries++) {
        const plan p = plan_step(integ, t_stop);
        status = hol__evolve_attempt(integ, p.t_new, p.h);
        const double err = status == HOL_OK ? estimate(integ) : 0;
        if (status < 0) return status;
        if (status == HOL_OK && err <= 1) {
            accept(integ, &p, err, tries);
            return HOL_OK;
        }
        reject(integ, &p, status, err);
        if (integ->memory.h_next < least || tries + 1 == MOST_TRIES)
            return give_up(integ, &p, status, err);
    }
}
