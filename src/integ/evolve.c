/* evolve.c: from step to step: plan, attempt, test, retry; landing on a wanted time, the grid of
 * fixed steps, retakes.
 *
 * Error-controlled. With h the step that the controller wants and r = t_stop - t: r <= 1.05 h is
 * taken whole, r < 2 h in two halves, so that no sliver remains. h itself survives such a cut: it
 * is what the controller wants next.
 *
 * Fixed. Grid points are t_k = t_start + k step, by multiplication, so that they do not drift. A
 * t_stop within 1e-9 step of t_k counts as t_k; one inside a step cuts it, and the next step
 * returns to the grid.
 */
#include "integ/integ.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST_TRIES = 90 };

/* At a place to get over: after EASE_AFTER failures a long step is tried anew; every other time the tolerance is eased by this
 * factor, as long as it stays below EASED_TOLERANCE. */
enum { EASE_AFTER = 5, MOST_LENGTHENED = 3, MOST_ROUNDS = 10 };
#define EASE 30.0
#define EASED_TOLERANCE 1e-7

static const double GRID_SLACK = 1e-9;

/* Where the next attempt goes. */
typedef struct plan {
    double t_new, h;
    int cut;    /* not as long as the controller wants because of t_stop or of a place to pass */
    int forced; /* longer than it, because a shorter one would lead into the place */
} plan;

/* ---- construction */

/* HOL_OK, or a message that says which number of control does not go with the table. */
static hol_status check_control(hol_context *ctx, const hol__rk_table *table,
                                const hol__control *c) {
    const char *wrong = NULL;
    if (!(c->step >= 0) || !isfinite(c->step))
        wrong = "step must be positive, or 0 for error control";
    else if (c->step == 0 && table->error_order == 0)
        wrong =
            "the method has no error estimate; give a fixed step, or take bs32, dopri5 or dop853";
    else if (c->step == 0 && (!(c->tolerance > 0) || !isfinite(c->tolerance)))
        wrong = "tolerance must be positive";
    else if (!(c->first >= 0) || !(c->max_step >= 0) || !(c->min_step >= 0) ||
             !isfinite(c->first) || c->max_steps < 0)
        wrong = "first, max_step, min_step and max_steps must be positive, or 0 where they do not "
                "matter";
    else if (c->max_step > 0 && c->min_step > c->max_step)
        wrong = "min_step is larger than max_step";
    return wrong ? hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL, "integrator '%s': %s",
                               table->name, wrong)
                 : HOL_OK;
}

/* All vectors out of one block; 0 without memory. */
static int allocate_vectors(hol__integrator *integ) {
    const size_t n = (size_t)integ->n;
    const int vectors = 5 + integ->slopes + integ->table->dense_rows;
    integ->block = hol__alloc(integ->ctx, (size_t)vectors * n, sizeof *integ->block);
    if (!integ->block) return 0;
    double *at = integ->block;
    double **const single[] = {&integ->y, &integ->y_old, &integ->err, &integ->err2, &integ->scale};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++, at += n) *single[i] = at;
    for (int i = 0; i < integ->slopes; i++, at += n) integ->k[i] = at;
    for (int i = 0; i < integ->table->dense_rows; i++, at += n) integ->d[i] = at;
    return 1;
}

hol__integrator *hol__integrator_new(hol_context *ctx, const hol__rk_table *table,
                                     const hol__ode *ode, const hol__control *control) {
    if (check_control(ctx, table, control) != HOL_OK) return NULL;
    hol__integrator *integ = hol__alloc(ctx, 1, sizeof *integ);
    if (!integ) return NULL;
    integ->ctx = ctx;
    integ->table = table;
    integ->ode = ode;
    integ->control = *control;
    integ->n = ode->n;
    integ->last = table->fsal ? table->stages - 1 : table->stages;
    integ->slopes = integ->last + 1 + table->extra_stages;
    hol__pass_gaps(integ);
    if (allocate_vectors(integ)) return integ;
    hol__integrator_free(integ);
    return NULL;
}

void hol__integrator_free(hol__integrator *integ) {
    if (!integ) return;
    hol_context *ctx = integ->ctx;
    hol__release(ctx, integ->block);
    hol__release(ctx, integ);
}

hol_status hol__integrator_start(hol__integrator *integ, double t, const double *y) {
    if (!isfinite(t) || !hol__rk_finite(integ->n, y))
        return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "integrator '%s': the state at the start (t = %.12g) is not finite",
                           integ->table->name, t);
    memcpy(integ->y, y, (size_t)integ->n * sizeof *y);
    integ->t = integ->t_old = integ->t_reach = integ->t_grid = t;
    integ->grid = integ->grid_old = 0;
    integ->open = integ->first_known = integ->last_known = integ->dense_ready = 0;
    integ->h_next = integ->control.first;
    integ->err_old = integ->h_long = 0;
    integ->ease = 1;
    return HOL_OK;
}

hol_status hol__integrator_continue(hol__integrator *integ, const double *y) {
    if (integ->open) return HOL_ERR_ARGUMENT;
    memcpy(integ->y, y, (size_t)integ->n * sizeof *y);
    integ->first_known = integ->last_known = integ->dense_ready = 0;
    integ->err_old = 0;
    return HOL_OK;
}

/* ---- bookkeeping of a step */

/* Exchange two vectors. */
static void swap(double **a, double **b) {
    double *const was = *a;
    *a = *b;
    *b = was;
}

/* The end becomes the start, f there the first stage. */
static void begin_step(hol__integrator *integ) {
    swap(&integ->y, &integ->y_old);
    swap(&integ->k[0], &integ->k[integ->last]);
    integ->t_old = integ->t;
    integ->grid_old = integ->grid;
    integ->first_known = integ->last_known;
    integ->last_known = integ->dense_ready = 0;
}

/* Back at the start, nothing lost that was known there. */
static void undo_step(hol__integrator *integ) {
    swap(&integ->y, &integ->y_old);
    swap(&integ->k[0], &integ->k[integ->last]);
    integ->t = integ->t_old;
    integ->grid = integ->grid_old;
    integ->last_known = integ->first_known;
    integ->open = integ->first_known = integ->dense_ready = 0;
}

/* The grid point k. */
static double grid_time(const hol__integrator *integ, long long k) {
    return integ->t_grid + (double)k * integ->control.step;
}

/* The step ends at t_new = t_old + h. */
static void end_step(hol__integrator *integ, double t_new, double h) {
    const double step = integ->control.step;
    integ->t = t_new;
    integ->open = 1;
    integ->dense_ready = 0;
    integ->stats.last_step = h;
    integ->grid = integ->grid_old;
    if (step > 0 && t_new >= grid_time(integ, integ->grid + 1) - GRID_SLACK * step) integ->grid++;
}

void hol__integrator_commit(hol__integrator *integ) {
    const hol__ode *ode = integ->ode;
    if (!integ->open) return;
    integ->open = 0;
    if (!ode->rebase) return;
    ode->rebase(ode->self, integ->t, integ->y);
    if (ode->rebase_rate && integ->last_known)
        ode->rebase_rate(ode->self, integ->t, integ->y, integ->k[integ->last]);
}

/* ---- fixed steps */

/* To the next grid point, or to t_stop when that comes first. */
static plan plan_fixed(const hol__integrator *integ, double t_stop) {
    const double step = integ->control.step, t = integ->t_old,
                 next = grid_time(integ, integ->grid + 1);
    if (t_stop > next + GRID_SLACK * step || t_stop == next) {
        const int whole = t == grid_time(integ, integ->grid);
        return (plan){next, whole ? step : next - t, 0, 0};
    }
    return (plan){t_stop, t_stop - t, 1, 0};
}

/* A step that cannot be shortened has failed. */
static hol_status give_up_fixed(const hol__integrator *integ, const plan *p, hol_status cause) {
    return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "integrator '%s': the step of %.6g from t = %.12g failed: %s (%s); a fixed "
                       "step is not shortened: "
                       "try a smaller one, or error control with bs32, dopri5 or dop853",
                       integ->table->name, p->h, integ->t_old, hol_status_text(cause),
                       hol_status_name(cause));
}

/* One attempt without error test. */
static hol_status step_fixed(hol__integrator *integ, double t_stop) {
    const plan p = plan_fixed(integ, t_stop);
    if (!(p.t_new > integ->t_old))
        return hol__report(
            integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
            "integrator '%s': the step of %.6g is below the resolution of time at t = %.12g",
            integ->table->name, integ->control.step, integ->t_old);
    integ->h_try = 0;
    hol_status status = hol__rk_attempt(integ, p.t_new, p.h);
    if (status == HOL_OK && !hol__rk_finite(integ->n, integ->y)) {
        status = HOL_NONFINITE;
        integ->stats.rejected++;
    } else if (status > 0)
        integ->stats.failures++;
    if (status != HOL_OK) return status < 0 ? status : give_up_fixed(integ, &p, status);
    end_step(integ, p.t_new, p.h);
    return HOL_OK;
}

/* ---- error-controlled steps */

/* The step that the controller wants, cut or stretched where t_stop or a place to pass is near. */
static plan plan_controlled(const hol__integrator *integ, double t_stop, int tries) {
    int forced;
    const double max_step = integ->control.max_step, t = integ->t_old, rest = t_stop - t,
                 length = hol__pass_length(integ, tries, &forced),
                 h = max_step > 0 ? fmin(length, max_step) : length;
    const int laid = h != integ->h_next;
    const double whole = max_step > 0 ? fmin(1.05 * h, max_step) : 1.05 * h;
    if (rest <= whole)
        return (plan){t_stop, rest, laid || rest < h, forced && rest > integ->h_next};
    const int halved = rest < 2 * h && !laid;
    const double t_new = t + (halved ? rest / 2 : h);
    return (plan){t_new, t_new - t, laid || halved, forced && h > integ->h_next};
}

/* The step is accepted with the estimate err: what comes next. A cut step says nothing against the
 * step that was wanted. */
static void accept(hol__integrator *integ, const plan *p, double err, int tries) {
    const double growth = hol__control_growth(integ, err),
                 h_new = p->h * (tries ? fmin(1, growth) : growth);
    integ->h_next = p->cut ? fmax(integ->h_next, h_new) : h_new;
    if (!p->cut) integ->err_old = err;
    if (integ->control.max_step > 0) integ->h_next = fmin(integ->h_next, integ->control.max_step);
    end_step(integ, p->t_new, p->h);
}

/* The attempt failed with a status > 0 of f or correct, or by its estimate (status HOL_OK): a
 * shorter one next. */
static void reject(hol__integrator *integ, const plan *p, hol_status status, double err) {
    if (status > 0)
        integ->stats.failures++;
    else
        integ->stats.rejected++;
    integ->h_next = p->h * (status > 0 || !isfinite(err) ? 0.25 : hol__control_cut(integ, err));
}

/* No step that is long enough passes. */
static hol_status give_up_controlled(const hol__integrator *integ, const plan *p, hol_status status,
                                     double err) {
    const char *cause = status > 0      ? hol_status_text(status)
                        : isfinite(err) ? "the estimated error stays above the tolerance"
                                        : hol_status_text(HOL_NONFINITE);
    return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "integrator '%s': no step from t = %.12g passes, down to %.3g (tolerance "
                       "%.3g): %s%s%s%s; look at what the "
                       "model does at this time (a singular position, a jump, a stop), or loosen "
                       "the tolerance",
                       integ->table->name, integ->t_old, p->h, integ->control.tolerance, cause,
                       status > 0 ? " (" : "", status > 0 ? hol_status_name(status) : "",
                       status > 0 ? ")" : "");
}

/* The shortest step worth trying from here. */
static double least_step(const hol__integrator *integ) {
    return fmax(integ->control.min_step, 16 * DBL_EPSILON * fabs(integ->t_old));
}

/* Ease the tolerance of the step under way; 0 when it may not be eased further. */
static int ease(hol__integrator *integ) {
    const double most = fmax(1, EASED_TOLERANCE / integ->control.tolerance), was = integ->ease;
    integ->ease = fmin(EASE * was, most);
    return integ->ease > was;
}

/* Attempts until one passes the error test. */
static hol_status step_controlled(hol__integrator *integ, double t_stop) {
    hol__control_scale(integ);
    hol_status status = integ->h_next > 0 ? HOL_OK : hol__control_first(integ);
    if (status < 0) return status;
    if (integ->control.max_step > 0) integ->h_next = fmin(integ->h_next, integ->control.max_step);
    integ->h_next = fmax(integ->h_next, least_step(integ));
    const double wanted = integ->h_next;
    int since = 0, lengthened = 0, rounds = 0;
    integ->ease = 1;
    integ->narrow = 0;
    integ->h_try = 0;
    for (int tries = 0;; tries++) {
        const plan p = plan_controlled(integ, t_stop, tries);
        double err = 0;
        status = hol__rk_attempt(integ, p.t_new, p.h);
        if (status == HOL_OK) {
            err = hol__control_error(integ, p.h);
            if (!hol__rk_finite(integ->n, integ->y)) err = NAN;
            if (err <= 1) {
                accept(integ, &p, err, tries);
                integ->stats.eased += integ->ease > 1;
                integ->ease = 1;
                integ->h_long = fmax(p.h, 0.99 * integ->h_long);
                return HOL_OK;
            }
        } else if (status < 0)
            return status;
        reject(integ, &p, status, err);
        if (p.forced && ease(integ)) continue;
        integ->narrow |= p.forced;
        /* too near to a place to get over: end behind it */
        if (status == HOL_RETRY && lengthened < MOST_LENGTHENED && integ->ode->passes &&
            integ->ode->passes(integ->ode->self)) {
            integ->h_next = fmax(1.7 * p.h, (0.9 - 0.25 * lengthened) * integ->h_long);
            lengthened++;
            continue;
        }
        if (++since == EASE_AFTER && rounds < MOST_ROUNDS && integ->ode->passes &&
            integ->ode->passes(integ->ode->self)) {
            /* a long step again, of another length each time, so that the stages fall elsewhere */
            integ->h_next = fmax(wanted, (0.9 - 0.07 * rounds) * integ->h_long);
            if (rounds++ % 2) ease(integ);
            since = 0;
        }
        if (integ->h_next < least_step(integ) || tries + 1 == MOST_TRIES) {
            integ->h_next = wanted;
            integ->ease = 1;
            return give_up_controlled(integ, &p, status, err);
        }
    }
}

/* ---- steps */

/* HOL_OK when a step may be made. */
static hol_status check_step(const hol__integrator *integ, double t_stop) {
    const long max_steps = integ->control.max_steps;
    if (!(t_stop > integ->t))
        return hol__report(
            integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
            "integrator '%s': asked to step from t = %.12g to t = %.12g; time only goes forward",
            integ->table->name, integ->t, t_stop);
    if (max_steps > 0 && integ->stats.steps >= max_steps)
        return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "integrator '%s': %ld steps made, as many as max_steps allows, and only "
                           "t = %.12g reached (last step "
                           "%.3g); raise max_steps, or loosen the tolerance or lengthen the step",
                           integ->table->name, integ->stats.steps, integ->t,
                           integ->stats.last_step);
    return HOL_OK;
}

hol_status hol__integrator_step(hol__integrator *integ, double t_stop) {
    hol_status status = check_step(integ, t_stop);
    if (status != HOL_OK) return status;
    hol__integrator_commit(integ);
    begin_step(integ);
    status = integ->control.step > 0 ? step_fixed(integ, t_stop) : step_controlled(integ, t_stop);
    if (status != HOL_OK) {
        if (integ->first_known) integ->first_known = hol__rk_finite(integ->n, integ->k[0]);
        undo_step(integ);
        return status;
    }
    integ->t_reach = integ->t;
    integ->stats.steps++;
    return HOL_OK;
}

hol_status hol__integrator_retake(hol__integrator *integ, double t_new) {
    if (!integ->open || !(t_new > integ->t_old && t_new <= integ->t_reach))
        return hol__report(
            integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
            "integrator '%s': a retake to t = %.12g; %s (%.12g, %.12g]", integ->table->name, t_new,
            integ->open ? "the step spans" : "there is no step open, the last one spanned",
            integ->t_old, integ->t_reach);
    if (t_new == integ->t) return HOL_OK;
    const double h = t_new - integ->t_old;
    integ->h_try = 0;
    hol_status status = hol__rk_attempt(integ, t_new, h);
    if (status == HOL_OK && !hol__rk_finite(integ->n, integ->y)) status = HOL_NONFINITE;
    if (status == HOL_OK) {
        end_step(integ, t_new, h);
        return HOL_OK;
    }
    undo_step(integ);
    integ->stats.steps--;
    if (status < 0) return status;
    integ->stats.failures++;
    return hol__report(
        integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
        "integrator '%s': the step from t = %.12g cannot be repeated up to t = %.12g: %s (%s)",
        integ->table->name, integ->t_old, t_new, hol_status_text(status), hol_status_name(status));
}

int hol__integrator_passing(const hol__integrator *integ) {
    return integ->h_next > 0 && hol__pass_near(integ, integ->t);
}

double hol__integrator_time(const hol__integrator *integ) {
    return integ->t;
}

double hol__integrator_old_time(const hol__integrator *integ) {
    return integ->t_old;
}

const double *hol__integrator_state(const hol__integrator *integ) {
    return integ->y;
}

const double *hol__integrator_derivative(const hol__integrator *integ) {
    return integ->last_known ? integ->k[integ->last] : NULL;
}

double hol__integrator_trial(const hol__integrator *integ) {
    return integ->h_try;
}

hol__integ_stats hol__integrator_stats(const hol__integrator *integ) {
    return integ->stats;
}
