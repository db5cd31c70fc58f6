/* sim.c: the life of a simulation, and taking steps.
 *
 * A step is: the integrator's step (with the correction inside), the check for the stop, acceptance
 * (the base point of the increments moves), and the watch over residuals and energies. The parts of
 * a simulation are made in make.c.
 */
#include "base/argument.h"
#include "base/late.h"
#include "sim/make.h"
#include "sim/step.h"

#include "common/clock.h"

#include <holonom/drive.h>

#include <math.h>
#include <string.h>

/* The angle by which a step may turn a body in space. */
static const double most_turn = 1.0;

/* No failure without a word: what the parts have not said is said by its status. */
static void tell_failure(hol_context *ctx, hol_status status) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (hol_message_get(ctx, i)->severity == HOL_ERROR) return;
    hol__report(ctx, HOL_ERROR, status, NULL, NULL, "the run cannot be set up: %s",
                hol_status_text(status));
}

hol_sim *hol__sim_new(hol_context *ctx, const hol_model *model, const hol_options *options,
                      hol__settle_fn *settle) {
    if (!ctx || hol__need(ctx, "hol_sim_new", "the model", model)) return NULL;
    hol_context *own = hol__context_child(ctx);
    hol_sim *sim = own ? hol__alloc(own, 1, sizeof *sim) : NULL;
    if (!sim) {
        hol_context_free(own);
        return NULL;
    }
    sim->ctx = own;
    sim->settle = settle;
    sim->equilibrium = "";
    sim->whole = sim->model = sim->laws = model;
    hol__arena_init(&sim->arena, own);
    hol__context_take_messages(own, model->own);
    hol_status status = hol__sim_set_up(sim, options);
    const hol_status missed = hol__late_check(own);
    if (missed) status = missed;
    if (status == HOL_OK) return sim;
    tell_failure(own, status);
    hol_sim_free(sim);
    return NULL;
}

void hol_sim_free(hol_sim *sim) {
    if (!sim) return;
    hol__integrator_free(sim->integ);
    hol__sim_free_parts(sim);
    hol_data_free(sim->data);
    hol_options_free(sim->given);
    hol__switching_free(sim);
    hol__events_free(sim);
    hol__extremes_free(sim);
    hol_context *own = sim->ctx;
    hol__release(own, sim->code_numbers);
    hol__release(own, sim);
    hol_context_free(own);
}

hol_status hol__sim_check(const hol_sim *sim, const char *call) {
    if (!sim) return HOL_ERR_ARGUMENT;
    if (!sim->broken) return HOL_OK;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "the simulation has failed for good (see the messages before); free it and "
                       "make another");
}

hol_data *hol_sim_data(hol_sim *sim) {
    return sim ? sim->data : NULL;
}

const hol_options *hol_sim_options(const hol_sim *sim) {
    return sim ? sim->given : NULL;
}

hol_location hol__sim_option_where(const hol_sim *sim, int option) {
    return hol_options_where(sim->given, hol__sim_option_name(option));
}

const hol_model *hol_sim_model(const hol_sim *sim) {
    return sim ? sim->whole : NULL;
}

hol_context *hol_sim_context(const hol_sim *sim) {
    return sim ? sim->ctx : NULL;
}

void hol_sim_on_force(hol_sim *sim, hol_force_fn *fn, void *user) {
    if (!sim) return;
    sim->data->on_force = fn;
    sim->data->user = user;
    sim->started = 0;
    sim->other_forces = 1;
    sim->data->stage = sim->data->stage > HOL_STAGE_VEL ? HOL_STAGE_VEL : sim->data->stage;
    hol__data_stale(sim->data);
}

void hol_sim_on_checkpoint(hol_sim *sim, hol_checkpoint_fn *fn, void *user) {
    if (!sim) return;
    sim->on_checkpoint = fn;
    sim->checkpoint_user = user;
}

/* ---- stepping ---- */

/* The equations at the start. */
static hol_status first_solution(hol_sim *sim) {
    hol_status status = hol__sim_solve_here(sim, 1);
    hol__extremes_start(sim);
    if (!status) hol__extremes_take(sim, 0);
    if (!status) status = hol__sim_first_reading(sim);
    if (!status) status = hol__sim_read_corners(sim);
    if (!status) status = hol__integrator_start(sim->integ, sim->data->t, sim->y);
    return status ? status : hol__crossing_start(sim);
}

/* Where conditions ask for it, other elements act from here on. Reactions behind a jump of the
 * forces are first known with these. */
static hol_status switch_sets(hol_sim *sim, int jumped) {
    if (!sim->switching.fired) return HOL_OK;
    const hol_status status = hol__switching_run(sim);
    if (status) sim->end = HOL_END_FAILED;
    if (!status && jumped) hol__extremes_take(sim, 0);
    return status;
}

/* The first call of a run solves the equations at the start. */
static hol_status start(hol_sim *sim) {
    if (sim->data->model != sim->model)
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_sim",
                           "its data was made a copy of one in which other joints and forces act; "
                           "go on from there with hol_sim_restart");
    if (sim->started) return HOL_OK;
    hol_status status = hol__sim_converge(sim);
    if (!status && sim->other_forces) status = hol__sim_make_derivatives(sim);
    if (status) return status;
    sim->other_forces = 0;
    status = first_solution(sim);
    if (status) return status;
    sim->started = 1;
    /* what was solved before belongs to another set */
    if (sim->switching.fired) hol__extremes_start(sim);
    return switch_sets(sim, 1);
}

/* Whether n numbers of the caller are finite; NULL: there are none. */
static hol_status check_numbers(const hol_sim *sim, const char *what, const double *x, int n) {
    hol_status status = HOL_OK;
    for (int i = 0; x && i < n && !status; i++)
        status = hol__need_finite(sim->ctx, "hol_sim_restart", what, x[i]);
    return status;
}

/* Whether a state of the caller's can be one. */
static hol_status check_state(const hol_sim *sim, double t, const double *q, const double *v) {
    hol_status status = hol__sim_check(sim, "hol_sim_restart");
    if (!status) status = hol__need_finite(sim->ctx, "hol_sim_restart", "the time", t);
    if (!status) status = check_numbers(sim, "a coordinate", q, sim->data->model->nq);
    return status ? status : check_numbers(sim, "a velocity", v, sim->data->model->nv);
}

hol_status hol_sim_restart(hol_sim *sim, double t, const double *q, const double *v) {
    hol_status status = check_state(sim, t, q, v);
    if (!status && sim->data->model != sim->model) status = hol__switching_adopt(sim);
    if (!status && sim->started) status = hol__switching_part(sim);
    if (status) return status;
    hol_data_set(sim->data, t, q, v);
    sim->data->work = 0;
    status = hol__sim_own_solver(sim);
    if (status) return status;
    hol__independent_restart(sim);
    sim->started = sim->crossing.at_start = sim->between = sim->described = 0;
    sim->end = HOL_END_RUNNING;
    status = hol__correction_run(sim->correction);
    if (!status) return hol__data_answer(sim->data, start(sim));
    if (status < 0) return status;
    return hol__report(
        sim->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, NULL, "restart",
        "the state at t = %.6g cannot be brought onto the constraints; where drivers or "
        "gears count full turns, copy the data of the run first (hol_data_copy)",
        t);
}

/* Give a recoverable failure that ran out of retries its place: the joint with the largest
 * residual. */
static hol_status fail(hol_sim *sim, hol_status status) {
    sim->end = HOL_END_FAILED;
    hol__data_report_culprit(sim->data, sim->data->culprit, sim->data->culprit_time);
    sim->data->culprit = NULL;
    hol__integrator_commit(sim->integ);
    hol__form_unpack(&sim->form, hol__integrator_time(sim->integ),
                     hol__integrator_state(sim->integ));
    if (status != HOL_ERR_SINGULAR) hol__crossing_name(sim, status);
    hol__contradiction_explain(sim, status);
    return hol__independent_explain(sim, status);
}

/* The latest end of a step in which no body of space turns by more than most_turn: increments of
 * rotation stay far from a half turn, where their logarithm jumps, and full turns of one body
 * against another can be counted. In the plane both do not matter; but where corners are watched,
 * what turns with a body must not come round between two samples of a step. */
static double turn_limit(const hol_sim *sim, double t_stop) {
    const hol_model *m = sim->model;
    double w2 = 0;
    if (sim->options[HOL__OPT_STEP] > 0 || (m->dim == 2 && !sim->corners.n)) return t_stop;
    for (int i = 0; i < m->nb; i++) {
        if (m->dim == 2) {
            const double turn =
                m->coords->maps ? sim->data->bodies.b2[i].w : sim->data->v[m->bw * i + 2];
            w2 = fmax(w2, turn * turn);
            continue;
        }
        const double *w =
            m->coords->maps ? sim->data->bodies.b3[i].w : sim->data->v + m->bw * i + 3;
        w2 = fmax(w2, w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    }
    return w2 > 0 ? fmin(t_stop, sim->data->t + most_turn / sqrt(w2)) : t_stop;
}

/* One step to t_soft at the latest, or to t_hard where it crosses a singular position. */
static hol_status attempt(hol_sim *sim, double t_soft, double t_hard) {
    const double most = fmin(turn_limit(sim, t_hard), sim->instants.limit);
    const double looked = fmax(sim->options[HOL__OPT_END], t_hard);
    hol__integrator_edge(sim->integ,
                         sim->instants.n ? fmin(looked, sim->instants.limit) : INFINITY);
    hol_status status = hol__crossing_step(sim, fmin(t_soft, most), most);
    return status ? status : hol__sim_check_finite(sim);
}

/* The same, tried again where it fails, up to where a condition changes. */
static hol_status step_to(hol_sim *sim, double t_soft, double t_hard) {
    hol__again_begin(sim);
    hol_status status = attempt(sim, t_soft, t_hard);
    if (status && hol__again(sim, status)) {
        const hol_status second = attempt(sim, t_soft, t_hard);
        status = second ? status : HOL_OK;
    }
    hol__again_end(sim, status);
    if (status) return fail(sim, status);
    if (sim->switching.n_watches || sim->corners.n) status = hol__sim_end_of_step(sim);
    return status ? fail(sim, status) : HOL_OK;
}

hol_status hol__sim_start_anew(hol_sim *sim) {
    memcpy(sim->y, hol__integrator_state(sim->integ), sizeof(double) * (size_t)sim->form.n);
    return hol__integrator_continue(sim->integ, sim->y);
}

/* Other independent coordinates where the watch wants them, and under integrators with a history of
 * steps where they are worth it. Whether they changed. */
static int renew(hol_sim *sim, hol_status *status) {
    hol__form *form = &sim->form;
    if (!sim->pace.on) return hol__form_renew(form, status);
    form->completion->waits = !hol__integrator_starts(sim->integ);
    if (hol__form_renew(form, status)) return 1;
    if (*status) return 0;
    if (!hol__pace_is_over(sim)) return 0;
    form->completion->waits = 0;
    return hol__form_renew(form, status);
}

/* The same, with rows that are set aside at rest where that is possible. */
static hol_status take_state(hol_sim *sim) {
    sim->data->culprit = NULL; /* a shorter step has passed */
    hol__integrator_commit(sim->integ);
    hol__form_unpack(&sim->form, hol__integrator_time(sim->integ),
                     hol__integrator_state(sim->integ));
    hol__data_keep_angles(sim->data);
    hol_status status = hol__sim_watch(sim, 0);
    if (!status && sim->switching.jumped)
        hol__extremes_take_motion(sim);
    else if (!status)
        hol__extremes_take(sim, 0);
    if (!status) hol__form_hold(&sim->form, 0);
    const int other = !status && sim->hybrid.on && hol__hybrid_accept(sim, &status);
    if (!status) status = hol__crossing_accept(sim);
    if (!status && (renew(sim, &status) || other)) {
        /* other independent coordinates, or other terms, from here on: the integrator starts anew
         * at this state */
        hol__form_pack(&sim->form, sim->y);
        status = hol__integrator_continue(sim->integ, sim->y);
    }
    const int leapt = (sim->events.n || sim->stepper->recalls) && sim->corners.leapt;
    if (!status && (hol__aside_turned(sim) || leapt)) status = hol__sim_start_anew(sim);
    return status;
}

/* Make the step just taken the state of the simulation. */
static hol_status accept(hol_sim *sim) {
    hol__aside_rest_begin(sim);
    const hol_status status = take_state(sim);
    hol__aside_rest_end(sim);
    return status ? fail(sim, status) : HOL_OK;
}

hol_status hol__sim_pass_instants(hol_sim *sim, double t_hard) {
    const double t = sim->data->t;
    hol_status status = HOL_OK;
    do {
        status = hol__instants_pass(sim, t_hard);
        if (status) return fail(sim, status);
        if (!sim->switching.fired) break;
        status = switch_sets(sim, 1);
    } while (!status);
    /* what a jump of the forces does is largest right behind it */
    if (!status && sim->data->t > t) hol__extremes_take(sim, 0);
    return status;
}

hol_status hol__sim_step(hol_sim *sim, double t_soft, double t_hard,
                         hol_status (*inside)(hol_sim *sim, void *user), void *user) {
    const double began = hol__clock_wall();
    sim->between = sim->events.fresh = 0;
    hol_status status = start(sim);
    if (!status) status = hol__sim_pass_instants(sim, t_hard);
    if (status || sim->data->t >= t_soft || sim->end != HOL_END_RUNNING) return status;
    status = step_to(sim, t_soft, t_hard);
    if (status == HOL_ERR_TOLERANCE) hol__creep_stopped(sim);
    if (!status && inside && (t_soft == t_hard || sim->crossing.active)) status = inside(sim, user);
    if (!status) status = accept(sim);
    if (!status) status = switch_sets(sim, sim->switching.jumped);
    if (!status) status = hol__stiff_watch(sim);
    if (status) return status;
    status = hol__creep_watch(sim, hol__clock_wall() - began);
    if (status) sim->end = HOL_END_FAILED;
    return status;
}

/* A run that has failed goes on only from another state. */
static hol_status check_running(const hol_sim *sim, const char *call) {
    const hol_status bad = hol__sim_check(sim, call);
    if (bad || sim->end != HOL_END_FAILED) return bad;
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "the run has failed at t = %.6g; go on from another state with "
                       "hol_sim_restart or hol_sim_state_load",
                       sim->data->t);
}

hol_status hol__sim_explain(hol_sim *sim, int errors, hol_status status) {
    hol_status said = hol__late_check(sim->ctx);
    if (said) return said;
    said = status;
    if (status > 0)
        said = hol_message_count_of(sim->ctx, HOL_ERROR) > errors
                   ? HOL_ERR_TOLERANCE
                   : hol__data_report_unsolvable(sim->data, status);
    if (status) hol__failure_describe(sim, status);
    return said;
}

hol_status hol_sim_step(hol_sim *sim) {
    static const char call[] = "hol_sim_step";
    const hol_status bad = check_running(sim, call);
    if (bad) return bad;
    const double end = sim->options[HOL__OPT_END];
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    if (sim->data->t >= end || sim->end != HOL_END_RUNNING)
        return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the run is over at t = %.6g (%s); there is no step left", sim->data->t,
                           hol_end_name(sim->end));
    const hol_status status = hol__sim_step(sim, end, end, NULL, NULL);
    if (!status && sim->end == HOL_END_RUNNING && sim->data->t >= end) sim->end = HOL_END_TIME;
    return hol__sim_explain(sim, errors, status);
}

hol_status hol_sim_step_to(hol_sim *sim, double t) {
    static const char call[] = "hol_sim_step_to";
    hol_status status = check_running(sim, call);
    if (!status) status = hol__need_finite(sim->ctx, call, "the time", t);
    if (status) return status;
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    status = start(sim);
    if (!status && sim->data->t < t && sim->end == HOL_END_RUNNING)
        status = hol__sim_step(sim, t, t, NULL, NULL);
    const int there = !(sim->data->t < t) || sim->end != HOL_END_RUNNING;
    if (!status && there) status = hol__form_solve(&sim->form);
    return hol__sim_explain(sim, errors, status);
}

hol_status hol_sim_advance(hol_sim *sim, double t) {
    static const char call[] = "hol_sim_advance";
    hol_status status = check_running(sim, call);
    if (status) return status;
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    status = hol__need_finite(sim->ctx, call, "the time", t);
    if (!status) status = start(sim);
    while (!status && sim->data->t < t && sim->end == HOL_END_RUNNING)
        status = hol__sim_step(sim, t, t, NULL, NULL);
    if (!status) status = hol__form_solve(&sim->form);
    return hol__sim_explain(sim, errors, status);
}
