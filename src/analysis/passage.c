/* passage.c: a run and its changes. See passage.h. */
#include "analysis/passage.h"

#include <math.h>

/* The state in the data of the simulation into `at`, solved. */
static hol_status take(hol__passage *c) {
    if (!c->at) c->at = hol_data_new(c->sim->ctx, c->sim->data->model);
    if (!c->at) return HOL_ERR_MEMORY;
    const hol_status status = hol_data_copy(c->at, c->sim->data);
    /* without the terms by which a method pulls the motion back onto the constraints */
    hol__data_stale(c->at);
    return status ? status : hol__data_accelerate(c->at);
}

hol_status hol__passage_look(hol__passage *c, double t) {
    hol_sim *sim = c->sim;
    const double end = hol__integrator_time(sim->integ);
    hol_status status = HOL_OK;
    if (t >= end)
        hol__form_unpack(&sim->form, end, hol__integrator_state(sim->integ));
    else {
        status = hol__integrator_dense(sim->integ, t, sim->y);
        if (!status) status = hol__form_unpack(&sim->form, t, sim->y);
        if (!status) status = hol__crossing_correct(sim, t, sim->y);
    }
    return status ? status : take(c);
}

/* The model of the state may go. */
static void let_go(hol__passage *c) {
    hol_data_free(c->at);
    c->at = NULL;
}

/* Something happens at the end of the step that is open, or it leads over a corner. */
static int kind_met(const hol_sim *sim) {
    if (sim->end == HOL_END_STOP) return 1 + HOL__CHANGE_STOP;
    if (sim->switching.fired) return 1 + HOL__CHANGE_EVENT;
    return sim->corners.leapt ? 1 + HOL__CHANGE_CORNER : 0;
}

/* Whether an instant that is known from the time alone is reached at t. */
static int reaches_instant(const hol_sim *sim, double t) {
    for (int k = 0; k < sim->instants.n; k++)
        if (hol__instants_reached(sim, k, t)) return 1;
    return 0;
}

/* When the step from t0 to t1 crosses a singular position; NaN: it does not. */
static double singular_within(const hol_sim *sim, double t0, double t1) {
    const hol__crossing *x = &sim->crossing;
    return x->kept && x->active && x->t_singular > t0 && x->t_singular < t1 ? x->t_singular : NAN;
}

/* Before the step is accepted, while its interpolant is valid. */
static hol_status inside(hol_sim *sim, void *self) {
    hol__passage *c = self;
    const double t0 = hol__integrator_old_time(sim->integ), t1 = hol__integrator_time(sim->integ);
    const int met = kind_met(sim), leaps = met == 1 + HOL__CHANGE_CORNER;
    c->ahead = sim->corners.met && !leaps;
    c->singular = singular_within(sim, t0, t1);
    c->jumps = met || c->ahead || reaches_instant(sim, t1);
    hol_status status = leaps ? HOL_OK : c->watcher->span(c->self, c, t0, t1);
    if (!leaps) c->behind = 0;
    if (status || !met) return status;
    c->met = met;
    status = hol__passage_look(c, leaps ? t0 : t1);
    if (!status && c->watcher->before)
        status = c->watcher->before(c->self, c, (hol__change_kind)(met - 1));
    if (met == 1 + HOL__CHANGE_EVENT) let_go(c);
    return status;
}

/* What a change has made of the state. */
static hol_status tell_after(hol__passage *c) {
    const int met = c->met;
    c->met = 0;
    if (!met) return HOL_OK;
    c->changes++;
    c->behind = met == 1 + HOL__CHANGE_CORNER;
    if (met == 1 + HOL__CHANGE_STOP || !c->watcher->after) return HOL_OK;
    const hol_status status = take(c);
    return status ? status : c->watcher->after(c->self, c, (hol__change_kind)(met - 1));
}

/* The simulation as it is between two steps. */
static hol_status mark(hol__passage *c) {
    if (!c->marks) return HOL_OK;
    const size_t size = hol_sim_state_size(c->sim);
    if (size > c->room) {
        hol__release(c->sim->ctx, c->marked);
        c->marked = hol__alloc(c->sim->ctx, size, 1);
        c->room = c->marked ? size : 0;
        if (!c->marked) return HOL_ERR_MEMORY;
    }
    c->marked_size = size;
    return hol_sim_state_save(c->sim, c->marked, size);
}

/* Instants that the state has reached. */
static hol_status pass(hol__passage *c) {
    hol_sim *sim = c->sim;
    if (!reaches_instant(sim, sim->data->t)) return HOL_OK;
    hol_status status = take(c);
    if (!status && c->watcher->before) status = c->watcher->before(c->self, c, HOL__CHANGE_INSTANT);
    let_go(c);
    if (!status) status = hol__sim_pass_instants(sim, c->end);
    c->met = 1 + HOL__CHANGE_INSTANT;
    if (!status) status = tell_after(c);
    return status ? status : mark(c);
}

static hol_status go(hol__passage *c) {
    hol_sim *sim = c->sim;
    hol_status status = hol_sim_advance(sim, sim->data->t);
    if (!status) status = take(c);
    if (!status) status = c->watcher->begin(c->self, c);
    while (!status && sim->end == HOL_END_RUNNING && sim->data->t < c->end) {
        status = mark(c);
        if (!status) status = pass(c);
        if (!status && sim->end == HOL_END_RUNNING)
            status = hol__sim_step(sim, c->end, c->end, inside, c);
        if (!status) status = tell_after(c);
    }
    if (!status && sim->end == HOL_END_RUNNING) sim->end = HOL_END_TIME;
    if (!status) status = take(c);
    return status ? status : c->watcher->end(c->self, c);
}

hol_status hol__passage_run(hol_sim *sim, const hol__passage_watcher *watcher, void *self) {
    hol__passage c = {
        .sim = sim, .end = sim->options[HOL__OPT_END], .watcher = watcher, .self = self};
    const int errors = hol_message_count_of(sim->ctx, HOL_ERROR);
    const hol_status status = go(&c);
    hol_data_free(c.at);
    hol__release(sim->ctx, c.marked);
    return hol__sim_explain(sim, errors, status);
}
