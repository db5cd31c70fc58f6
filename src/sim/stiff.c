/* stiff.c: stiffness noticed during a run, for the integrator `auto`.
 *
 * An explicit formula whose steps are bound by stability and not by accuracy works at the edge of
 * its region of stability, h |lambda| = R. From the last stage Y of a step and its end y_1, which
 * belong to the same time,
 *
 *     h |lambda| = h |f(y_1) - f(Y)| / |y_1 - Y|                                        [HW IV.2]
 *
 * costs no evaluation. Where the fast directions turn they are excited anew in every step, and the
 * error test cuts steps before stability does, h |lambda| > 1 and below R. The sign is then that
 * the motion does not have the rate that the field has: with h |mu| = h |f(y_1) - f(y_0)| / |y_1 -
 * y_0| accuracy alone would allow steps k of
 *
 *     (k |mu|)^(q+1) = tolerance          q: the order of the estimate of the implicit formula
 *
 * and they pay where k/h exceeds the evaluations of a step with that formula, derivatives and
 * matrices counted, over those of a step with this one. (Where nothing is stiff h is bound by
 * accuracy itself and k < h.)
 *
 * A run is stiff when one of the two is so in 15 steps without six in a row between them in which
 * neither is. It then goes on with Radau IIA, and a message names the force with the fastest time
 * scale. After 40 steps the time that an evaluation buys is compared with what it was, a step's
 * derivatives and matrices counting as ten evaluations: where it is less the explicit formula comes
 * back for good.
 *
 * Nothing here depends on the clock.
 */
#include "dyn/stiffness.h"
#include "sim/sim.h"

#include <math.h>

enum { STIFF_STEPS = 15, CALM_STEPS = 6, TRIAL_STEPS = 40, MATRIX_COST = 10 };
enum { STEP_EVALUATIONS = 20 }; /* of an implicit step: five stages, four iterations */

/* The counts begin here. */
static void begin(hol_sim *sim) {
    hol__stiff *s = &sim->stiff;
    s->t = sim->data->t;
    s->steps = hol__integrator_stats(sim->integ).steps;
    s->evaluations = sim->form.evaluations;
    s->calm = 0;
}

/* Go on with the other formula. */
static hol_status change(hol_sim *sim, int on) {
    sim->stiff.on = on;
    sim->stiff.count = 0;
    const hol_status status = hol__sim_change_integrator(sim);
    if (!status) begin(sim);
    return status;
}

/* Say what changes and why. */
static void tell(hol_sim *sim, const char *before) {
    hol__fastest f = {0};
    const double t = sim->data->t;
    if (hol__data_fastest(sim->data, &f) || !f.force) {
        hol__report(sim->ctx, HOL_NOTE, HOL_OK, NULL, "simulation",
                    "stiff at t = %.6g: the steps of %s are shorter than the motion needs; the run "
                    "goes on with %s",
                    t, before, sim->stepper->name);
        return;
    }
    hol__report(
        sim->ctx, HOL_NOTE, HOL_OK, &f.force->where, f.force->label,
        "stiff at t = %.6g: its %s of %.3g %s on what it moves has a time scale of %.2g s, and "
        "that, not the motion, limits the steps of %s; the run goes on with %s",
        t, f.damps ? "damping" : "stiffness", f.coefficient, hol__fastest_unit(&f), 1 / f.rate,
        before, sim->stepper->name);
}

/* Whether the field is faster than the motion, so much that implicit steps would pay. */
static int would_pay(const hol_sim *sim, hol__rates rates) {
    const hol__integ_stats stats = hol__integrator_stats(sim->integ);
    const hol__stepper_type *other = hol__stepper_find(hol__sim_stiff_formula(sim));
    const double k = pow(sim->options[HOL__OPT_TOLERANCE], 1.0 / (other->error_order + 1)),
                 cost = (STEP_EVALUATIONS + MATRIX_COST) * (double)stats.steps /
                        (double)stats.evaluations;
    return rates.field > 1 && rates.motion * cost < k;
}

/* A step of the explicit formula. */
static hol_status watch_explicit(hol_sim *sim) {
    hol__stiff *s = &sim->stiff;
    const hol__rates rates = hol__integrator_rates(sim->integ);
    const char *before = sim->stepper->name;
    if (!isfinite(rates.field)) return HOL_OK;
    if (rates.field <= sim->stepper->stable && !would_pay(sim, rates)) {
        if (++s->calm >= CALM_STEPS) s->count = 0;
        return HOL_OK;
    }
    if (s->count++ == 0) begin(sim);
    s->calm = 0;
    if (s->count < STIFF_STEPS) return HOL_OK;
    s->pace = (sim->data->t - s->t) / (double)(sim->form.evaluations - s->evaluations);
    const hol_status status = change(sim, 1);
    if (!status) tell(sim, before);
    return status;
}

/* A step of the implicit one. */
static hol_status watch_implicit(hol_sim *sim) {
    hol__stiff *s = &sim->stiff;
    const long steps = hol__integrator_stats(sim->integ).steps - s->steps;
    if (steps < TRIAL_STEPS) return HOL_OK;
    const double cost =
        (double)(sim->form.evaluations - s->evaluations) + MATRIX_COST * (double)steps;
    s->done = 1;
    if (sim->data->t - s->t >= s->pace * cost) return HOL_OK;
    const char *before = sim->stepper->name;
    const hol_status status = change(sim, 0);
    if (!status)
        hol__report(sim->ctx, HOL_NOTE, HOL_OK, NULL, "simulation",
                    "at t = %.6g %s does not pay; the run goes on with %s", sim->data->t, before,
                    sim->stepper->name);
    return status;
}

hol_status hol__stiff_watch(hol_sim *sim) {
    if (!sim->stiff.watches || sim->stiff.done || sim->end != HOL_END_RUNNING) return HOL_OK;
    return sim->stiff.on ? watch_implicit(sim) : watch_explicit(sim);
}

hol_status hol__stiff_walk(hol_sim *sim, hol__archive *archive) {
    hol__stiff s = sim->stiff;
    HOL__ARCHIVE(archive, s);
    if (!hol__archive_reads(archive) || archive->mismatch) return HOL_OK;
    const int other = s.on != sim->stiff.on;
    sim->stiff = s;
    const hol_status status = other ? hol__sim_remake(sim) : HOL_OK;
    sim->stiff = s;
    return status;
}
