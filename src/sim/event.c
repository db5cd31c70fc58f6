/* event.c: instants at which a condition changes: stop_when, and when joints and forces act.
 *
 * After a step across which one of them changes, the first instant is found on the interpolant by
 * bisection; the step is then taken again so that it ends there, with its correction, and the state
 * is a true point of the integration. What changes is decided on the interpolant at the end of the
 * bisection and not asked again at that instant: there a condition is zero but for rounding.
 */
#include "sim/sim.h"

#include <math.h>

/* Instants are found to this, relative to the time. */
static const double resolution = 1e-14;

double hol__sim_same_instant(double t) {
    return resolution * fmax(1, fabs(t));
}

/* Whether a watched expression is positive at the state in data, solved (NaN counts as not
 * positive). */
static int is_positive(hol_sim *sim, const hol__watch *w) {
    hol__measure_all(sim->data, NULL);
    return hol__expr_value(w->e, sim->data->inputs, sim->data->scratch) > 0;
}

/* Whether a change from `positive` to `now` decides something. */
static int decides(const hol_sim *sim, const hol__watch *w, int now) {
    const int off = w->element >= 0 && sim->switching.off[w->element];
    if (now == w->positive || w->decided) return 0;
    switch (w->role) {
    case HOL__WATCH_STOP: return now;
    case HOL__WATCH_WHEN: return 1;
    case HOL__WATCH_UNTIL: return now && !off;
    case HOL__WATCH_FROM: return now && off;
    }
    return 0;
}

/* Read all watches at the state in data, solved; whether one of them decides something. */
static int read_watches(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    int any = 0;
    for (int i = 0; i < s->n_watches; i++) {
        s->watches[i].now = is_positive(sim, &s->watches[i]);
        any |= decides(sim, &s->watches[i], s->watches[i].now);
    }
    return any;
}

/* The same on the interpolant at t. */
static hol_status read_at(hol_sim *sim, double t, int *any) {
    hol_status status = hol__integrator_dense(sim->integ, t, sim->y);
    if (status) return status;
    hol__form_unpack(&sim->form, t, sim->y);
    status = hol__form_solve(&sim->form);
    *any = read_watches(sim);
    return status;
}

/* What was read holds at the end of the interval. */
static void keep_high(hol__switching *s) {
    for (int i = 0; i < s->n_watches; i++) s->watches[i].at_high = s->watches[i].now;
}

/* The first instant of the step at which something is decided; the step ends there. */
static hol_status locate(hol_sim *sim) {
    double low = hol__integrator_old_time(sim->integ), high = hol__integrator_time(sim->integ);
    const double end = high;
    for (int i = 0; i < 60 && high - low > hol__sim_same_instant(high); i++) {
        const double middle = 0.5 * (low + high);
        int any;
        const hol_status status = read_at(sim, middle, &any);
        if (status) return status;
        if (any) {
            high = middle;
            keep_high(&sim->switching);
        } else
            low = middle;
    }
    return high < end ? hol__integrator_retake(sim->integ, high) : HOL_OK;
}

/* What follows from the signs at_high: the end of the run, or another set of elements that act. */
static void decide(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    for (int i = 0; i < s->n_watches; i++) {
        hol__watch *w = &s->watches[i];
        if (decides(sim, w, w->at_high)) {
            w->decided = 1;
            if (w->role == HOL__WATCH_STOP)
                sim->end = HOL_END_STOP;
            else {
                s->fired = 1;
                s->next[w->element] =
                    w->role == HOL__WATCH_WHEN ? !w->at_high : w->role == HOL__WATCH_UNTIL;
            }
        }
        w->positive = w->at_high;
    }
    if (sim->end == HOL_END_STOP) s->fired = 0;
}

hol_status hol__sim_end_of_step(hol_sim *sim) {
    hol__form_unpack(&sim->form, hol__integrator_time(sim->integ),
                     hol__integrator_state(sim->integ));
    hol_status status = hol__form_solve(&sim->form);
    if (status) return status;
    const int any = read_watches(sim);
    keep_high(&sim->switching);
    if (any) status = locate(sim);
    if (!status) decide(sim);
    return status;
}

hol_status hol__sim_read_again(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    const hol_status status = hol__form_solve(&sim->form);
    if (status) return status;
    read_watches(sim);
    for (int i = 0; i < s->n_watches; i++)
        s->watches[i].at_high = s->watches[i].decided ? s->watches[i].positive : s->watches[i].now;
    decide(sim);
    return HOL_OK;
}

void hol__sim_next_instant(hol_sim *sim) {
    for (int i = 0; i < sim->switching.n_watches; i++) sim->switching.watches[i].decided = 0;
}

hol_status hol__sim_first_reading(hol_sim *sim) {
    hol__switching *s = &sim->switching;
    hol__sim_next_instant(sim);
    for (int i = 0; i < 2 * s->n_elements; i++) s->last[i] = -INFINITY;
    if (!s->n_watches) return HOL_OK;
    const hol_status status = hol__form_solve(&sim->form);
    if (status) return status;
    read_watches(sim);
    for (int i = 0; i < s->n_watches; i++) {
        hol__watch *w = &s->watches[i];
        w->at_high = w->now;
        w->positive = w->role == HOL__WATCH_WHEN ? !s->off[w->element] : w->now;
    }
    decide(sim);
    return HOL_OK;
}
