/* event_actions.c: what the events of a model do in a run.
 *
 * At an instant at which conditions have become true (event.c) elements switch by their own
 * conditions first, all together; then events happen in the order of the file, each with its
 * actions in their order, and conditions are read again: a cascade at the same instant. An event
 * happens once at an instant. One that comes again before time has advanced by more than two
 * intervals of the search and rounding stops the run, with the names of all that took part.
 */
#include "sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

hol_status hol__events_init(hol_sim *sim) {
    hol__events *e = &sim->events;
    const hol_model *m = sim->whole;
    e->by = -1;
    e->n = m->n_events;
    if (!e->n) return HOL_OK;
    e->fired = hol__alloc(sim->ctx, (size_t)e->n, 1);
    e->count = hol__alloc(sim->ctx, (size_t)e->n, sizeof *e->count);
    e->last = hol__alloc(sim->ctx, (size_t)e->n, sizeof *e->last);
    e->none = hol__alloc(sim->ctx, (size_t)(m->n_joints + m->n_forces), 1);
    e->rests = hol__alloc(sim->ctx, 2 * (size_t)m->n_joints, 1);
    e->holds = e->rests ? e->rests + m->n_joints : NULL;
    if (!e->fired || !e->count || !e->last || !e->none || !e->rests) return HOL_ERR_MEMORY;
    for (int i = 0; i < e->n; i++) e->last[i] = -INFINITY;
    e->values = hol__alloc(sim->ctx, (size_t)m->n_assigned, sizeof *e->values);
    for (int i = 0; e->values && i < m->n_assigned; i++) e->values[i] = NAN;
    return e->values ? HOL_OK : HOL_ERR_MEMORY;
}

void hol__events_free(hol_sim *sim) {
    hol__events *e = &sim->events;
    void *const all[] = {e->fired, e->count, e->last,   e->list, e->none,
                         e->times, e->text,  e->values, e->rests};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) hol__release(sim->ctx, all[i]);
}

int hol__events_may(const hol_sim *sim, int i, int now) {
    const hol__event *event = &sim->laws->events[i];
    return (now || event->both) && (!event->times || sim->events.count[i] < event->times);
}

/* ---- cascades ---- */

/* Whether two times are one instant: two intervals of the search, and rounding. */
static int is_same(double t, double other) {
    return t - other <= 3 * hol__sim_same_instant(t);
}

/* The names of the events that have happened at this instant. */
static void name_cascade(const hol_sim *sim, char *out, size_t size) {
    const hol__events *e = &sim->events;
    out[0] = '\0';
    for (int i = 0; i < e->n; i++) {
        const size_t used = strlen(out);
        if (is_same(sim->data->t, e->last[i]))
            snprintf(out + used, size - used, "%s'%.100s'", used ? ", " : "",
                     sim->whole->events[i].name);
    }
}

/* Stop where an event comes again without time advancing. */
static hol_status check_again(hol_sim *sim, int i) {
    const hol__event *event = &sim->whole->events[i];
    const double t = sim->data->t;
    char names[512];
    if (!is_same(t, sim->events.last[i])) return HOL_OK;
    name_cascade(sim, names, sizeof names);
    return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &event->where, event->label,
                       "happens again without time advancing, at t = %.12g (events there: %s; it "
                       "has happened %ld times so far); make the conditions leave room between "
                       "one event and the next, or give `times`",
                       t, names, sim->events.count[i]);
}

/* ---- actions ---- */

static hol_status do_stop(hol_sim *sim, const hol__action *action) {
    (void)action;
    sim->end = HOL_END_STOP;
    return HOL_OK;
}

static hol_status do_record(hol_sim *sim, const hol__action *action) {
    (void)action;
    return hol__sim_record(sim);
}

/* Elements take hold, or let go, together. */
static hol_status do_switch(hol_sim *sim, const hol__action *action) {
    for (int k = 0; k < action->n; k++)
        sim->switching.next[action->elements[k]] = action->kind == HOL__DO_RELEASE;
    return hol__switching_change(sim);
}

/* The values of the variables that an action sets, at the state in data; those that are not finite
 * are an error. */
static hol_status evaluate(hol_sim *sim, const hol__action *action, double *values) {
    const hol_status status = hol__form_solve(&sim->form);
    if (status) return status;
    hol__measure_all(sim->data, NULL);
    for (int k = 0; k < action->n_settings; k++) {
        const hol__setting *s = &action->settings[k];
        values[k] = hol__expr_value(s->value, sim->data->inputs, sim->switching.scratch);
        if (!isfinite(values[k]))
            return hol__report(sim->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, &s->where,
                               sim->whole->events[sim->events.by].label,
                               "the value of '%s' is NaN or infinite at t = %.9g", s->name,
                               sim->data->t);
    }
    return HOL_OK;
}

/* Give the values; whether parameters are among what was set. */
static int assign(hol_sim *sim, const hol__action *action, const double *values) {
    int parameters = 0;
    for (int k = 0; k < action->n_settings; k++) {
        const hol__setting *s = &action->settings[k];
        if (s->memory >= 0)
            sim->data->memory[s->memory] = values[k];
        else
            sim->events.values[s->parameter] = values[k], parameters = 1;
    }
    return parameters;
}

/* Variables and parameters get their values; what that does to the energy is work, and nothing that
 * is known of the forces holds any more. */
static hol_status do_set(hol_sim *sim, const hol__action *action) {
    double *values = hol__alloc(sim->ctx, (size_t)action->n_settings, sizeof *values);
    hol_data *data = sim->data;
    hol_status status = values ? evaluate(sim, action, values) : HOL_ERR_MEMORY;
    if (!status) {
        const double before = data->potential;
        const int parameters = assign(sim, action, values);
        hol_data_set(data, data->t, NULL, NULL);
        if (parameters)
            status = hol__sim_reassign(sim, before + hol__data_kinetic(data, data->v));
        else {
            status = hol_data_update(data, HOL_STAGE_DYN);
            data->work += data->potential - before;
            if (!status) status = hol__sim_change_integrator(sim);
        }
    }
    hol__release(sim->ctx, values);
    return status;
}

/* What is done, by kind; whether it changes the state or the equations. */
static const struct deed {
    hol_status (*run)(hol_sim *sim, const hol__action *action);
    int changes;
} deeds[] = {
    [HOL__DO_STOP] = {do_stop, 0},       [HOL__DO_RECORD] = {do_record, 0},
    [HOL__DO_ACTIVATE] = {do_switch, 1}, [HOL__DO_RELEASE] = {do_switch, 1},
    [HOL__DO_SET] = {do_set, 1},         [HOL__DO_IMPACT] = {hol__sim_impact, 1},
};

/* Event i happens at the state in data. */
static hol_status happen(hol_sim *sim, int i) {
    hol__events *e = &sim->events;
    const int n = e->n_list;
    hol_status status = check_again(sim, i);
    if (status) return status;
    e->count[i]++;
    e->last[i] = sim->data->t;
    e->by = i;
    /* the laws may be others after each of them */
    for (int k = 0; k < sim->laws->events[i].n_actions && !status; k++) {
        const hol__action *action = &sim->laws->events[i].actions[k];
        const struct deed *deed = &deeds[action->kind];
        if (deed->changes) e->fresh = 0;
        status = deed->run(sim, action);
    }
    if (!status && e->n_list == n) status = hol__events_note(sim, -1);
    e->by = -1;
    return status;
}

hol_status hol__events_run(hol_sim *sim) {
    hol__events *e = &sim->events;
    hol_status status = HOL_OK;
    for (int i = 0; i < e->n && !status && sim->end == HOL_END_RUNNING; i++) {
        if (!e->fired[i]) continue;
        e->fired[i] = 0;
        status = happen(sim, i);
    }
    return status;
}
