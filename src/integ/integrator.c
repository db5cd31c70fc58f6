/* integrator.c: an integrator is made, started and asked. How it steps: evolve.c. */
#include "integ/integ.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A formula of one step makes that many steps of a formula with a history at once. */
static const double LEAP = 8;

/* For iterations in fixed steps that nobody gave a tolerance. */
static const double TIGHT = 1e-12;

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
    if (!wrong) return HOL_OK;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL, "integrator '%s': %s%s",
                       type->name, wrong, names);
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
    integ->step.edge = -INFINITY;
    integ->way = control->step > 0 ? hol__step_fixed
                 : type->paces     ? hol__step_paced
                                   : hol__step_controlled;
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

hol__rates hol__integrator_rates(const hol__integrator *integ) {
    return integ->type->ops->rates ? integ->type->ops->rates(&integ->stepper)
                                   : (hol__rates){NAN, NAN};
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
    stats.starts = integ->stepper.starts;
    return stats;
}

int hol__integrator_starts(const hol__integrator *integ) {
    return !integ->type->paces || integ->anew;
}
