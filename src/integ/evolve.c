/* evolve.c: from step to step: begin, make, end; commit or undo; leaps, retakes, the interpolant.
 *
 * How a step comes about, of a given length (fixed.c), by its estimated error (controlled.c) or at
 * the formula's own pace (paced.c), is the integrator's `way`, which is made of the functions
 * hol__evolve_*.
 *
 * The history of a formula that paces itself moves with the base of the increments, or the base
 * stays where it is while the history is kept.
 */
#include "integ/integ.h"

#include <math.h>
#include <string.h>

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
    integ->leapt = integ->anew = 0;
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
hol_status hol__evolve_attempt(hol__integrator *integ, double t_new, double h) {
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
hol_status hol__evolve_attempt_finite(hol__integrator *integ, double t_new, double h) {
    integ->step.tested = 0;
    const hol_status status = hol__evolve_attempt(integ, t_new, h);
    return status || hol__all_finite(integ->n, integ->step.y) ? status : HOL_NONFINITE;
}

/* The grid point k. */
double hol__evolve_grid(const hol__integrator *integ, long long k) {
    return integ->t_grid + (double)k * integ->control.step;
}

/* The step ends where the last attempt did. */
void hol__evolve_end(hol__integrator *integ) {
    const double step = integ->control.step;
    integ->t = integ->step.t_new;
    integ->open = 1;
    integ->stats.last_step = integ->step.h;
    integ->grid = integ->grid_old;
    while (step > 0 &&
           integ->t >= hol__evolve_grid(integ, integ->grid + 1) - HOL__GRID_SLACK * step)
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
    integ->anew = integ->type->paces;
    system->retract(system->self, integ->t, step->y);
    if (system->retract_rate && step->f_known)
        system->retract_rate(system->self, integ->t, step->y, step->f);
}

void hol__integrator_undo(hol__integrator *integ) {
    if (!integ->open) return;
    undo_step(integ);
    integ->stats.steps--;
}

/* What the system knows of why no step from here succeeds. */
hol_status hol__evolve_explained(const hol__integrator *integ) {
    const hol__system *system = integ->system;
    return system->explain ? system->explain(system->self, integ->step.t, integ->step.y_old)
                           : HOL_OK;
}

/* The tolerance as its user knows it. */
double hol__evolve_tolerance(const hol__integrator *integ) {
    return integ->control.stated > 0 ? integ->control.stated : integ->control.tolerance;
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
    status = integ->way(integ, t_stop);
    if (status != HOL_OK) {
        abandon_step(integ);
        return status;
    }
    integ->t_reach = integ->t;
    integ->stats.steps++;
    return HOL_OK;
}

void hol__integrator_edge(hol__integrator *integ, double t) {
    integ->step.edge = t;
}

hol_status hol__integrator_leap(hol__integrator *integ, double t_new) {
    hol_status status = check_step(integ, t_new);
    if (status != HOL_OK) return status;
    hol__integrator_commit(integ);
    begin_step(integ);
    integ->leapt = integ->type->paces;
    if (maker(integ)->type->iterates) hol__control_scale(integ);
    status = hol__evolve_attempt_finite(integ, t_new, t_new - integ->step.t);
    if (status != HOL_OK) {
        if (status > 0) integ->stats.failures++;
        abandon_step(integ);
        return status;
    }
    if (integ->type->error_order && integ->control.tolerance > 0) {
        hol__control_scale(integ);
        integ->error = hol__control_error(integ);
    }
    hol__evolve_end(integ);
    integ->t_reach = integ->t;
    integ->stats.steps++;
    return HOL_OK;
}

/* The open step so that it ends at t_new inside it. */
static hol_status again(hol__integrator *integ, double t_new, double h) {
    if (!integ->type->paces || integ->leapt) return hol__evolve_attempt_finite(integ, t_new, h);
    integ->step.f_known = 0;
    integ->error = NAN;
    return integ->type->ops->shorten(&integ->stepper, &integ->step, t_new);
}

hol_status hol__integrator_try_retake(hol__integrator *integ, double t_new) {
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
        hol__evolve_end(integ);
        return HOL_OK;
    }
    hol__integrator_undo(integ);
    if (status > 0) integ->stats.failures++;
    return status;
}

hol_status hol__integrator_retake(hol__integrator *integ, double t_new) {
    const hol_status status = hol__integrator_try_retake(integ, t_new);
    if (status <= 0) return status;
    return hol__report(
        integ->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
        "integrator '%s': the step from t = %.12g cannot be repeated up to t = %.12g: %s",
        integ->type->name, integ->t, t_new, hol_status_text(status));
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

hol_status hol__integrator_dense_rough(hol__integrator *integ, double t, double *y) {
    integ->step.content = integ->way == hol__step_controlled && !integ->leapt;
    const hol_status status = hol__integrator_dense(integ, t, y);
    integ->step.content = 0;
    return status;
}
