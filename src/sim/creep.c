/* creep.c: runs that take ever so many steps.
 *
 * Once a second of the clock, spent in steps, the pace since the last look is taken. A run with
 * chosen steps creeps where the rest of the run would take a hundred such seconds and more, and a
 * step moves the mechanism by less than a thousandth of its size or a radian; or steps become so
 * much shorter from look to look that the end is never reached: with means h and r h,
 *
 *     h + r h + r^2 h + ...  ->  t_end > t + (t - t_look) r/(1 - r)
 *
 * A driver whose law grows without bound before the end is an error. Else a warning says once what
 * holds the run back, in this order: a singular position nearby; the force with the fastest time
 * scale, where the steps follow it; steps that are thrown away; or the velocity that changes the
 * fastest.
 *
 * The clock decides what is said and when a run ends, never a number of it.
 */
#include "dyn/stiffness.h"
#include "sim/sim.h"

#include <holonom/matrix.h>

#include <float.h>
#include <math.h>
#include <stdio.h>

static const double look_every = 1;    /* s */
static const double small_step = 1e-3; /* radians or sizes */
static const double little = 1e-2;     /* of the rest of the run, a look */
static const double follows = 0.01;    /* steps times a rate from which on they follow it */

/* What a formula without stiffness in it has to offer. */
static const char *implicit_advice(const hol_sim *sim) {
    return sim->stepper->implicit
               ? "loosen the tolerance, or make it softer"
               : "use an implicit integrator (radau5, esdirk4), or make it softer";
}

/* Joints near a singular position; 0 when there are none. */
static int is_singular(hol_sim *sim, const char *pace) {
    double share;
    hol__crossing *c = &sim->crossing;
    if (!c->gauge || hol__crossing_read(sim, &share) || share > HOL__SMOOTH) return 0;
    hol__warn(sim->ctx, NULL, NULL,
              "%s; the constraints are close to a singular position: use the method auto, or "
              "crossing: on",
              pace);
    hol__crossing_name(sim, HOL_OK);
    return 1;
}

/* Steps that are thrown away; 0 when most are kept. */
static int is_rejected(hol_sim *sim, const char *pace, long steps, long rejected) {
    if (rejected < steps / 2) return 0;
    hol__warn(sim->ctx, NULL, NULL,
              "%s; %ld attempts were thrown away for %ld steps: something jumps or has a corner "
              "here (a comparison, a table, a stop); make it smooth, or loosen the tolerance",
              pace, rejected, steps);
    return 1;
}

/* The force whose time scale the steps follow; 0 when there is none. */
static int is_stiff(hol_sim *sim, const char *pace, double step) {
    hol__fastest f;
    if (hol__data_fastest(sim->data, &f) || !f.force || f.rate * step < follows) return 0;
    hol__warn(
        sim->ctx, &f.force->where, f.force->label,
        "%s; held back by this force, whose %s of %.3g %s on what it moves has a time scale of "
        "%.2g s: %s",
        pace, f.damps ? "damping" : "stiffness", f.coefficient, hol__fastest_unit(&f), 1 / f.rate,
        implicit_advice(sim));
    return 1;
}

void hol__creep_fastest(const hol_sim *sim, char *name, size_t size) {
    const hol_model *m = sim->model;
    double most = -1;
    int fastest = 0;
    name[0] = '\0';
    for (int i = 0; i < m->nv; i++) {
        const double rate = fabs(sim->data->a[i]) / (hol__is_turn(m, i) ? 1 : m->length);
        if (rate > most) most = rate, fastest = i;
    }
    if (m->nv) hol_model_velocity_name(m, fastest, name, size);
}

static void name_fastest(hol_sim *sim, const char *pace) {
    char name[128];
    hol__creep_fastest(sim, name, sizeof name);
    hol__warn(sim->ctx, NULL, NULL, "%s; the velocity that changes the fastest is '%s'. %s", pace,
              name,
              "Loosen the tolerance, try another method or integrator (radau5, esdirk4 for stiff "
              "models), or set max_creep to stop");
}

/* Say what holds the run back. during: "in a second of the clock". */
static void explain(hol_sim *sim, const char *during, double step, long steps, long rejected) {
    const double rest = sim->options[HOL__OPT_END] - sim->data->t;
    char pace[192];
    sim->creep.told = 1;
    hol__print(pace, sizeof pace,
               "the run creeps at t = %.6g: %ld steps of %.2g s %s, %.2g more to the end",
               sim->data->t, steps, step, during, rest / step);
    if (is_singular(sim, pace) || is_stiff(sim, pace, step) ||
        is_rejected(sim, pace, steps, rejected))
        return;
    name_fastest(sim, pace);
}

/* Whether steps become shorter and shorter, so that they never come to the end. */
static int slows(const hol_sim *sim, double step) {
    const hol__creep *c = &sim->creep;
    const double t = sim->data->t, rest = sim->options[HOL__OPT_END] - t;
    return step < c->step && step * (t - c->t) < rest * (c->step - step);
}

/* Whether the run creeps, by what it did since the last look. */
static int creeps(const hol_sim *sim, double step) {
    const hol__creep *c = &sim->creep;
    const double t = sim->data->t, rest = sim->options[HOL__OPT_END] - c->t;
    return sim->options[HOL__OPT_STEP] == 0 && t - c->t < little * rest &&
           (step * hol__sim_frequency(sim) < small_step || slows(sim, step));
}

/* An error of a driver whose law cannot be followed to the end. It is looked for from here on in
 * ever longer spans, of which the first that has it is not much longer than it is away. */
static hol_status driver_breaks(hol_sim *sim) {
    hol_data *data = sim->data;
    const double t = data->t, end = sim->options[HOL__OPT_END];
    double span = fmax(t - sim->creep.t, DBL_EPSILON * fabs(t)), when;
    for (int more = 1; more && span > 0 && isfinite(t + span); span *= 2) {
        more = t + span < end;
        const hol__element *e = hol__data_driver_breaks(data, t, more ? t + span : end, &when);
        if (e) return hol__data_report_break(data, e, when, HOL_ERR_TOLERANCE);
    }
    return HOL_OK;
}

/* The pace since the last look. */
static hol_status look(hol_sim *sim) {
    hol__creep *c = &sim->creep;
    const hol__integ_stats stats = hol__integrator_stats(sim->integ);
    const long steps = stats.steps - c->steps,
               rejected = stats.rejected + stats.failures - c->rejected;
    const double step = steps > 0 ? (sim->data->t - c->t) / (double)steps : INFINITY,
                 limit = sim->options[HOL__OPT_MAX_CREEP], seconds = c->spent - c->looked;
    c->crept = creeps(sim, step) ? c->crept + seconds : 0;
    if (c->crept > 0 && !c->told) {
        const hol_status status = driver_breaks(sim);
        if (status) return status;
        explain(sim, "in a second of the clock", step, steps, rejected);
    }
    c->looked = c->spent;
    c->step = step;
    c->t = sim->data->t;
    c->steps = stats.steps;
    c->rejected = stats.rejected + stats.failures;
    if (!(limit > 0) || c->crept < limit) return HOL_OK;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "no relevant progress for %.3g s of the clock at t = %.9g (steps of %.2g "
                       "s), as many as max_creep allows; what it computed is kept",
                       c->crept, sim->data->t, step);
}

hol_status hol__creep_watch(hol_sim *sim, double seconds) {
    hol__creep *c = &sim->creep;
    const double limit = sim->options[HOL__OPT_MAX_TIME];
    if (c->spent == 0) {
        const hol__integ_stats stats = hol__integrator_stats(sim->integ);
        c->t = sim->data->t;
        c->steps = stats.steps;
        c->rejected = stats.rejected + stats.failures;
    }
    c->spent += seconds;
    if (limit > 0 && c->spent > limit)
        return hol__report(
            sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
            "the run stopped at t = %.9g after %.3g s of the clock, as many as max_time "
            "allows; what it computed is kept",
            sim->data->t, c->spent);
    return c->spent - c->looked < look_every ? HOL_OK : look(sim);
}

void hol__creep_stopped(hol_sim *sim) {
    const hol__integ_stats stats = hol__integrator_stats(sim->integ);
    const double most = sim->options[HOL__OPT_MAX_STEPS];
    if (sim->creep.told || sim->options[HOL__OPT_STEP] != 0 || !(most > 0) ||
        (double)stats.steps < most)
        return;
    explain(sim, "so far", (sim->data->t - sim->options[HOL__OPT_START]) / (double)stats.steps,
            stats.steps, stats.rejected + stats.failures);
}
