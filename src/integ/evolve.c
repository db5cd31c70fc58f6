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
 *
 * Paced. A formula with a history of steps chooses and tests them itself and is only told where to
 * end at the latest. The history moves with the base of the increments, or the base stays where it
 * is while the history is kept. Steps of a given length, over singular positions and corners, are
 * made by another formula, its leaper.
 */
#include "integ/integ.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TRIES = 90 };

static const double GRID_SLACK = 1e-9;

/* Steps of fewer units of rounding than this are too short to build a history on. */
static const double SLIVER = 1000;

/* A formula of one step makes that many steps of a formula with a history at once. */
static const double LEAP = 8;

/* For iterations in fixed steps that nobody gave a tolerance. */
static const double TIGHT = 1e-12;

/* Where the next attempt goes. */
typedef struct plan {
    double t_new, h;
    int cut; /* not as long as the controller wants because of t_stop */
} plan;

/* ---- construction */

/* HOL_OK, or a message that says which number of control does not go with the formula. */
static hol_status check_control(hol_context *ctx, const hol__stepper_type *type,
                                const hol__control *c) {
    const char *wrong = NULL;
    char names[256] = "";
    if (type->missing)
        wrong = "this build lacks the library ", snprintf(names, sizeof names, "%s", type->missing);
    else if (c->step > 0 && type->paces)
        wrong = "it chooses its own steps; give a tolerance instead of a fixed step";
    else if (!(c->step >= 0) || !isfinite(c->step))
        wrong = "step must be positive, or 0 for error control";
    else if (c->step == 0 && type->error_order == 0) {
        wrong = "the method has no error estimate; give a fixed step, or take ";
        hol__stepper_controlled(names, sizeof names);
    } else if (c->step == 0 && (!(c->tolerance > 0) || !isfinite(c->tolerance)))
        wrong = "tolerance must be positive";
    else if (!(c->first >= 0) || !(c->max_step >= 0) || !(c->min_step >= 0) ||
             !isfinite(c->first) || c->max_steps < 0)
        wrong = "first, max_step, min_step and max_steps must be positive, or 0 where they do not "
                "matter";
    else if (c->max_step > 0 && c->min_step > c->max_step)
        wrong = "min_step is larger than max_step";
    return wrong ? hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "integrator '%s': %s%s", type->name, wrong, names)
                 : HOL_OK;
}

/* The vectors of the step, and the scale, out of one block; 0 without memory. */
static int allocate_vectors(hol__integrator *integ) {
    hol__step *s = &integ->step;
    double **const vectors[] = {&s->y, &s->y_old, &s->f, &s->f_old, &integ->scale};
    const size_t n = (size_t)integ->n, count = sizeof vectors / sizeof *vectors;
    integ->block = hol__alloc(integ->ctx, count * n, sizeof *integ->block);
    for (size_t i = 0; integ->block && i < count; i++) *vectors[i] = integ->block + i * n;
    s->scale = integ->scale;
    return integ->block != NULL;
}

/* HOL_OK, or a message where an implicit formula has no derivatives to work with. */
static hol_status check_system(hol_context *ctx, const hol__stepper_type *type,
                               const hol__system *system) {
    if (!type->implicit || system->linearize) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "integrator '%s': the formula is implicit, and the system does not give its "
                       "derivatives",
                       type->name);
}

/* The stepper, and the one that makes its leaps. */
static hol_status open_steppers(hol__integrator *integ) {
    const hol__stepper_type *type = integ->type;
    const hol_status status = hol__stepper_open(&integ->stepper, integ->ctx, type, integ->system);
    if (status || !type->paces) return status;
    return hol__stepper_open(&integ->leaper, integ->ctx, type->leaper, integ->system);
}

hol__integrator *hol__integrator_new(hol_context *ctx, const hol__stepper_type *type,
                                     const hol__system *system, const hol__control *control) {
    if (check_control(ctx, type, control) || check_system(ctx, type, system)) return NULL;
    hol__integrator *integ = hol__alloc(ctx, 1, sizeof *integ);
    if (!integ) return NULL;
    integ->ctx = ctx;
    integ->type = type;
    integ->system = system;
    integ->control = *control;
    integ->n = system->n;
    integ->error = NAN;
    integ->step.tolerance = control->tolerance > 0 ? control->tolerance : TIGHT;
    integ->step.first = control->first;
    integ->step.longest = control->max_step;
    if (allocate_vectors(integ) && open_steppers(integ) == HOL_OK) {
        integ->stepper.watched = control->watched;
        if (control->radius_given) integ->stepper.radius = control->radius;
        return integ;
    }
    hol__integrator_free(integ);
    return NULL;
}

void hol__integrator_free(hol__integrator *integ) {
    if (!integ) return;
    hol_context *ctx = integ->ctx;
    hol__stepper_close(&integ->stepper);
    hol__stepper_close(&integ->leaper);
    hol__release(ctx, integ->block);
    hol__release(ctx, integ);
}

/* What the steppers know from before does not hold any more. */
static void reset(hol__integrator *integ) {
    hol__stepper_reset(&integ->stepper);
    if (integ->type->paces) hol__stepper_reset(&integ->leaper);
}

hol_status hol__integrator_start(hol__integrator *integ, double t, const double *y) {
    hol__step *step = &integ->step;
    if (!isfinite(t) || !hol__all_finite(integ->n, y))
        return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "integrator '%s': the state at the start (t = %.12g) is not finite",
                           integ->type->name, t);
    memcpy(step->y, y, (size_t)integ->n * sizeof *y);
    integ->t = step->t = integ->t_reach = integ->t_grid = t;
    integ->grid = integ->grid_old = 0;
    integ->open = step->f_old_known = step->f_known = 0;
    integ->memory = (hol__control_memory){.h_next = integ->control.first};
    reset(integ);
    return HOL_OK;
}

hol_status hol__integrator_continue(hol__integrator *integ, const double *y) {
    if (integ->open) return HOL_ERR_ARGUMENT;
    memcpy(integ->step.y, y, (size_t)integ->n * sizeof *y);
    integ->step.f_old_known = integ->step.f_known = 0;
    integ->memory.err_old = 0;
    reset(integ);
    return HOL_OK;
}

hol_status hol__integrator_hop(hol__integrator *integ, double t) {
    if (integ->open || !(t >= integ->t)) return HOL_ERR_ARGUMENT;
    integ->t = integ->t_reach = t;
    integ->step.f_old_known = integ->step.f_known = 0;
    integ->memory.err_old = 0;
    reset(integ);
    return HOL_OK;
}

void hol__integrator_succeed(hol__integrator *integ, const hol__integrator *before) {
    integ->stats = before->stats;
    integ->stepper.evaluations = before->stepper.evaluations + before->leaper.evaluations;
    integ->stepper.rejected = before->stepper.rejected;
    integ->t_grid = before->t_grid;
    integ->grid = integ->grid_old = before->grid;
}

/* ---- bookkeeping of a step */

/* Exchange two vectors. */
static void swap(double **a, double **b) {
    double *const was = *a;
    *a = *b;
    *b = was;
}

/* Exchange the ends of the step, with the slopes there. */
static void swap_ends(hol__step *step) {
    swap(&step->y, &step->y_old);
    swap(&step->f, &step->f_old);
}

/* The end becomes the start, f there the first slope. */
static void begin_step(hol__integrator *integ) {
    hol__step *step = &integ->step;
    swap_ends(step);
    step->t = integ->t;
    step->f_old_known = step->f_known;
    step->f_known = 0;
    integ->grid_old = integ->grid;
    integ->memory_old = integ->memory;
    integ->h_try = 0;
    integ->leapt = 0;
    if (integ->type->iterates) hol__control_scale(integ);
}

/* Back at the start, nothing lost that was known there. */
static void undo_step(hol__integrator *integ) {
    hol__step *step = &integ->step;
    swap_ends(step);
    step->f_known = step->f_old_known;
    step->f_old_known = 0;
    integ->t = step->t;
    integ->open = 0;
    integ->grid = integ->grid_old;
    integ->memory = integ->memory_old;
}

/* The stepper that makes the step, or has made the open one. */
static hol__stepper *maker(hol__integrator *integ) {
    return integ->leapt ? &integ->leaper : &integ->stepper;
}

/* One attempt from the start of the step to t_new = t + h; the system is told before. */
static hol_status attempt(hol__integrator *integ, double t_new, double h) {
    const hol__system *system = integ->system;
    hol__step *step = &integ->step;
    step->t_new = t_new;
    step->h = h;
    step->f_known = 0;
    integ->error = NAN;
    if (h > integ->h_try) integ->h_try = h;
    if (system->begin_step && system->begin_step(system->self, step->t, integ->h_try) &&
        step->f_old_known != HOL__GIVEN)
        step->f_old_known = 0;
    return maker(integ)->type->ops->attempt(maker(integ), step);
}

/* The same; HOL_NONFINITE where the end is not finite. */
static hol_status attempt_finite(hol__integrator *integ, double t_new, double h) {
    const hol_status status = attempt(integ, t_new, h);
    return status || hol__all_finite(integ->n, integ->step.y) ? status : HOL_NONFINITE;
}

/* The grid point k. */
static double grid_time(const hol__integrator *integ, long long k) {
    return integ->t_grid + (double)k * integ->control.step;
}

/* The step ends where the last attempt did. */
static void end_step(hol__integrator *integ) {
    const double step = integ->control.step;
    integ->t = integ->step.t_new;
    integ->open = 1;
    integ->stats.last_step = integ->step.h;
    integ->grid = integ->grid_old;
    while (step > 0 && integ->t >= grid_time(integ, integ->grid + 1) - GRID_SLACK * step)
        integ->grid++;
}

/* The history of a formula that paces itself stays: the base does, or the history moves with it. */
static int keeps_base(hol__integrator *integ) {
    const hol__system *system = integ->system;
    hol__step *step = &integ->step;
    if (!system->shifts) return !(system->far && system->far(system->self, integ->t, step->y));
    memcpy(step->y_old, step->y, (size_t)integ->n * sizeof *step->y);
    system->retract(system->self, integ->t, step->y);
    integ->type->ops->shift(&integ->stepper, step->y_old, step->y);
    return 1;
}

void hol__integrator_commit(hol__integrator *integ) {
    const hol__system *system = integ->system;
    hol__step *step = &integ->step;
    if (!integ->open) return;
    integ->open = 0;
    if (!system->retract) return;
    if (integ->type->paces && !integ->leapt && keeps_base(integ)) return;
    system->retract(system->self, integ->t, step->y);
    if (system->retract_rate && step->f_known)
        system->retract_rate(system->self, integ->t, step->y, step->f);
}

void hol__integrator_undo(hol__integrator *integ) {
    if (!integ->open) return;
    undo_step(integ);
    integ->stats.steps--;
}

/* ---- fixed steps */

/* To the next grid point, or to t_stop when that comes first. */
static plan plan_fixed(const hol__integrator *integ, double t_stop) {
    const double step = integ->control.step, t = integ->step.t,
                 next = grid_time(integ, integ->grid + 1);
    if (t_stop > next + GRID_SLACK * step || t_stop == next) {
        const int whole = t == grid_time(integ, integ->grid);
        return (plan){next, whole ? step : next - t, 0};
    }
    return (plan){t_stop, t_stop - t, 1};
}

/* What the system knows of why no step from here succeeds. */
static hol_status explained(const hol__integrator *integ) {
    const hol__system *system = integ->system;
    return system->explain ? system->explain(system->self, integ->step.t, integ->step.y_old)
                           : HOL_OK;
}

/* A step that cannot be shortened has failed. */
static hol_status give_up_fixed(const hol__integrator *integ, const plan *p, hol_status cause) {
    char names[256];
    const hol_status known = explained(integ);
    if (known) return known;
    return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "integrator '%s': the step of %.6g from t = %.12g failed: %s (%s); a fixed "
                       "step is not shortened: look at what the model does at this time (a "
                       "singular position, a jump, a stop), try a smaller step, or error control "
                       "with %s",
                       integ->type->name, p->h, integ->step.t, hol_status_text(cause),
                       hol_status_name(cause), hol__stepper_controlled(names, sizeof names));
}

/* One attempt without error test. */
static hol_status step_fixed(hol__integrator *integ, double t_stop) {
    const plan p = plan_fixed(integ, t_stop);
    if (!(p.t_new > integ->step.t))
        return hol__report(
            integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
            "integrator '%s': the step of %.6g is below the resolution of time at t = %.12g",
            integ->type->name, integ->control.step, integ->step.t);
    const hol_status status = attempt_finite(integ, p.t_new, p.h);
    if (status == HOL_NONFINITE)
        integ->stats.rejected++;
    else if (status > 0)
        integ->stats.failures++;
    if (status != HOL_OK) return status < 0 ? status : give_up_fixed(integ, &p, status);
    end_step(integ);
    return HOL_OK;
}

/* ---- error-controlled steps */

/* The step that the controller wants, cut or stretched where t_stop is near. */
static plan plan_controlled(const hol__integrator *integ, double t_stop) {
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
    end_step(integ);
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

/* The tolerance as its user knows it. */
static double stated_tolerance(const hol__integrator *integ) {
    return integ->control.stated > 0 ? integ->control.stated : integ->control.tolerance;
}

/* No step that is long enough passes. */
static hol_status give_up_controlled(const hol__integrator *integ, const plan *p, hol_status status,
                                     double err) {
    const char *cause = status > 0      ? hol_status_text(status)
                        : isfinite(err) ? "the estimated error stays above the tolerance"
                                        : hol_status_text(HOL_NONFINITE);
    const hol_status known = explained(integ);
    if (known) return known;
    return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "integrator '%s': no step from t = %.12g passes, down to %.3g (tolerance "
                       "%.3g): %s%s%s%s; look at what the "
                       "model does at this time (a singular position, a jump, a stop), or loosen "
                       "the tolerance",
                       integ->type->name, integ->step.t, p->h, stated_tolerance(integ), cause,
                       status > 0 ? " (" : "", status > 0 ? hol_status_name(status) : "",
                       status > 0 ? ")" : "");
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
static hol_status begin_controlled(hol__integrator *integ) {
    double *const h_next = &integ->memory.h_next;
    hol__control_scale(integ);
    const hol_status status = *h_next > 0 ? HOL_OK : hol__control_first(integ);
    if (integ->control.max_step > 0) *h_next = fmin(*h_next, integ->control.max_step);
    *h_next = fmax(*h_next, least_step(integ, 0));
    return status;
}

/* Attempts until one passes the error test. */
static hol_status step_controlled(hol__integrator *integ, double t_stop) {
    hol_status status = begin_controlled(integ);
    if (status < 0) return status;
    const double least = least_step(integ, integ->memory.h_next);
    for (int tries = 0;; tries++) {
        const plan p = plan_controlled(integ, t_stop);
        status = attempt(integ, p.t_new, p.h);
        const double err = status == HOL_OK ? estimate(integ) : 0;
        if (status < 0) return status;
        if (status == HOL_OK && err <= 1) {
            accept(integ, &p, err, tries);
            return HOL_OK;
        }
        reject(integ, &p, status, err);
        if (integ->memory.h_next < least || tries + 1 == MOST_TRIES)
            return give_up_controlled(integ, &p, status, err);
    }
}

/* ---- steps of formulas that pace themselves */

/* No step passes, also from a fresh start. */
static hol_status give_up_paced(const hol__integrator *integ, hol_status cause) {
    const hol_status known = explained(integ);
    const char *said = integ->stepper.said;
    if (known) return known;
    return hol__report(
        integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
        "integrator '%s': no step from t = %.12g passes (tolerance %.3g): %s (%s)%s%s; "
        "look at what the model does at this time (a singular position, a jump, a "
        "stop), or loosen the tolerance",
        integ->type->name, integ->step.t, stated_tolerance(integ), hol_status_text(cause),
        hol_status_name(cause), *said ? "; " : "", said);
}

/* One step of the formula's own choice; what it can do from a fresh start is tried once. */
static hol_status step_paced(hol__integrator *integ, double t_stop) {
    const double t = integ->step.t, rest = t_stop - t;
    hol_status status = HOL_OK;
    integ->leapt = rest <= SLIVER * DBL_EPSILON * fmax(fabs(t), fabs(t_stop));
    for (int tries = 0; tries < 2; tries++) {
        const double wanted = integ->memory.h_next;
        integ->step.next = wanted;
        status = attempt_finite(integ, t_stop, wanted > 0 ? fmin(wanted, rest) : rest);
        if (status < 0) return status;
        if (status == HOL_OK) {
            integ->memory.h_next = integ->step.next;
            end_step(integ);
            return HOL_OK;
        }
        integ->stats.failures++;
        hol__stepper_reset(&integ->stepper);
    }
    return give_up_paced(integ, status);
}

/* ---- steps */

/* HOL_OK when a step may be made. */
static hol_status check_step(const hol__integrator *integ, double t_stop) {
    const long max_steps = integ->control.max_steps;
    if (!(t_stop > integ->t))
        return hol__report(
            integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
            "integrator '%s': asked to step from t = %.12g to t = %.12g; time only goes forward",
            integ->type->name, integ->t, t_stop);
    if (max_steps > 0 && integ->stats.steps >= max_steps)
        return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "integrator '%s': %ld steps made, as many as max_steps allows, and only "
                           "t = %.12g reached (last step "
                           "%.3g); raise max_steps, or loosen the tolerance or lengthen the step",
                           integ->type->name, integ->stats.steps, integ->t, integ->stats.last_step);
    return HOL_OK;
}

/* Where a step failed: back at its start, without a slope that is of no use. */
static void abandon_step(hol__integrator *integ) {
    hol__step *step = &integ->step;
    if (step->f_old_known) step->f_old_known = hol__all_finite(integ->n, step->f_old);
    undo_step(integ);
}

hol_status hol__integrator_step(hol__integrator *integ, double t_stop) {
    hol_status status = check_step(integ, t_stop);
    if (status != HOL_OK) return status;
    hol__integrator_commit(integ);
    begin_step(integ);
    status = integ->control.step > 0 ? step_fixed(integ, t_stop)
             : integ->type->paces    ? step_paced(integ, t_stop)
                                     : step_controlled(integ, t_stop);
    if (status != HOL_OK) {
        abandon_step(integ);
        return status;
    }
    integ->t_reach = integ->t;
    integ->stats.steps++;
    return HOL_OK;
}

hol_status hol__integrator_leap(hol__integrator *integ, double t_new) {
    hol_status status = check_step(integ, t_new);
    if (status != HOL_OK) return status;
    hol__integrator_commit(integ);
    begin_step(integ);
    integ->leapt = integ->type->paces;
    if (maker(integ)->type->iterates) hol__control_scale(integ);
    status = attempt_finite(integ, t_new, t_new - integ->step.t);
    if (status != HOL_OK) {
        if (status > 0) integ->stats.failures++;
        abandon_step(integ);
        return status;
    }
    if (integ->type->error_order && integ->control.tolerance > 0) {
        hol__control_scale(integ);
        integ->error = hol__control_error(integ);
    }
    end_step(integ);
    integ->t_reach = integ->t;
    integ->stats.steps++;
    return HOL_OK;
}

/* The open step so that it ends at t_new inside it. */
static hol_status again(hol__integrator *integ, double t_new, double h) {
    if (!integ->type->paces || integ->leapt) return attempt_finite(integ, t_new, h);
    integ->step.f_known = 0;
    integ->error = NAN;
    return integ->type->ops->shorten(&integ->stepper, &integ->step, t_new);
}

hol_status hol__integrator_retake(hol__integrator *integ, double t_new) {
    const double t_old = integ->step.t;
    if (!integ->open || !(t_new > t_old && t_new <= integ->t_reach))
        return hol__report(
            integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
            "integrator '%s': a retake to t = %.12g; %s (%.12g, %.12g]", integ->type->name, t_new,
            integ->open ? "the step spans" : "there is no step open, the last one spanned", t_old,
            integ->t_reach);
    if (t_new == integ->t) return HOL_OK;
    integ->h_try = 0;
    const hol_status status = again(integ, t_new, t_new - t_old);
    if (status == HOL_OK) {
        end_step(integ);
        return HOL_OK;
    }
    hol__integrator_undo(integ);
    if (status < 0) return status;
    integ->stats.failures++;
    return hol__report(
        integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
        "integrator '%s': the step from t = %.12g cannot be repeated up to t = %.12g: %s (%s)",
        integ->type->name, t_old, t_new, hol_status_text(status), hol_status_name(status));
}

hol_status hol__integrator_dense(hol__integrator *integ, double t, double *y) {
    hol__step *step = &integ->step;
    if (!integ->open || !(t >= step->t && t <= integ->t))
        return hol__report(integ->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the interpolant is asked for at t = %.12g; %s [%.12g, %.12g]", t,
                           integ->open ? "the last step spans"
                                       : "there is no step open, the last one spanned",
                           step->t, integ->t);
    if (t == step->t || t == integ->t) {
        memcpy(y, t == integ->t ? step->y : step->y_old, (size_t)integ->n * sizeof *y);
        return HOL_OK;
    }
    const double s = (t - step->t) / (step->t_new - step->t);
    return maker(integ)->type->ops->dense(maker(integ), step, s, y);
}

/* ---- what is known */

void hol__integrator_prime(hol__integrator *integ, const double *f) {
    memcpy(integ->step.f, f, (size_t)integ->n * sizeof *f);
    integ->step.f_known = HOL__GIVEN;
}

double hol__integrator_time(const hol__integrator *integ) {
    return integ->t;
}

double hol__integrator_old_time(const hol__integrator *integ) {
    return integ->step.t;
}

const double *hol__integrator_state(const hol__integrator *integ) {
    return integ->step.y;
}

const double *hol__integrator_derivative(const hol__integrator *integ) {
    return integ->step.f_known ? integ->step.f : NULL;
}

double hol__integrator_wanted(const hol__integrator *integ) {
    return integ->memory.h_next * (integ->type->paces ? LEAP : 1);
}

double hol__integrator_stretch(const hol__integrator *integ) {
    return integ->type->ops->stretch ? integ->type->ops->stretch(&integ->stepper) : NAN;
}

double hol__integrator_error(const hol__integrator *integ) {
    return integ->error;
}

int hol__integrator_stages(const hol__integrator *integ, double *c) {
    const hol__stepper *stepper = integ->type->paces ? &integ->leaper : &integ->stepper;
    return stepper->type->ops->abscissae(stepper, c);
}

hol__integ_stats hol__integrator_stats(const hol__integrator *integ) {
    if (!integ) return (hol__integ_stats){0};
    hol__integ_stats stats = integ->stats;
    stats.evaluations = integ->stepper.evaluations + integ->leaper.evaluations;
    stats.rejected += integ->stepper.rejected;
    return stats;
}
