/* instants.c: steps end at the instants that are known from the time alone.
 *
 * Every comparison, step(), table(), floor, … of the model whose argument depends on time (and
 * parameters) alone changes at instants that can be found before a step is made. Between two of
 * them f is smooth as far as these are concerned, because no stage lies behind the end of its step:
 *
 *     low    the last time before the change: a step ends there, and f at its end is that before
 *     high   the next number: the state goes on from there, and f is evaluated anew
 *
 * They are looked for a few steps ahead, so that a condition which changes a million times costs no
 * more than the steps that it asks for.
 */
#include "model/fields.h"
#include "sim/sim.h"

#include <math.h>

/* How far ahead of the next step, in its lengths; spans that one search looks at; and the share of
 * the run where no length is known. */
static const double AHEAD = 4, SHARE = 1e-3;
enum { LOOKS = 256 };

static int is_law(void *user, const hol__key *key, const hol__law *law) {
    (void)key;
    return law->e == user;
}

/* Whether an expression is a law of a joint. */
static int is_of_joint(const hol_model *m, hol__expr *e) {
    for (int i = 0; i < m->n_joints; i++)
        if (hol__params_laws(m->joints[i].params, is_law, e)) return 1;
    return 0;
}

hol_status hol__instants_init(hol_sim *sim) {
    const hol_model *m = sim->model;
    hol__instants *s = &sim->instants;
    s->n = 0;
    int n = 0;
    for (int i = 0; i < m->n_choosing; i++) n += hol__expr_timed(m->choosing[i].e);
    s->list = hol__arena_alloc(&sim->arena, (size_t)n, sizeof *s->list);
    s->in = HOL__NEW_N(&sim->arena, double, n ? m->n_inputs + HOL__LOCALS : 0);
    s->scratch = HOL__NEW_N(&sim->arena, double, n ? m->scratch : 0);
    if (sim->arena.failed) return HOL_ERR_MEMORY;
    int some = 0;
    for (int i = 0; i < m->n_choosing; i++) {
        hol__expr *e = m->choosing[i].e;
        const int drives = hol__expr_timed(e) > 0 && is_of_joint(m, e);
        for (int k = 0; k < hol__expr_timed(e); k++)
            s->list[s->n++] = (struct hol__timed){.e = e, .k = k, .drives = drives};
        some |= drives;
    }
    return some ? hol__leap_init(sim) : HOL_OK;
}

void hol__instants_start(hol_sim *sim) {
    for (int i = 0; i < sim->instants.n; i++)
        sim->instants.list[i].search = (hol__instant){.clear = sim->data->t};
}

static int jumps(const struct hol__timed *x) {
    return !hol__cells_are_smooth(hol__expr_timed_cells(x->e, x->k));
}

/* Where a step ends: before a jump; at a corner, where it does not matter, on the number itself. */
static double landing(const struct hol__timed *x) {
    return jumps(x) ? x->search.low : x->search.high;
}

/* What one switch has to say about the steps from t on: the instant, or as far as it was looked. */
static double limit_of(hol__instants *s, struct hol__timed *x, double reach, double end) {
    while (!x->search.found && x->search.clear < fmin(reach, end))
        hol__expr_next_instant(x->e, x->k, end, LOOKS, &x->search, s->in, s->scratch);
    if (!x->search.found) return x->search.clear >= end ? INFINITY : x->search.clear;
    return landing(x);
}

/* Where the next step has to end at the latest. */
static double limit(hol_sim *sim, double t_hard) {
    hol__instants *s = &sim->instants;
    const double t = sim->data->t, end = fmax(sim->options[HOL__OPT_END], t_hard),
                 h = hol__crossing_next_step(sim),
                 reach = t + (h > 0 ? AHEAD * h : SHARE * (end - t));
    double first = INFINITY;
    for (int i = 0; i < s->n; i++) first = fmin(first, limit_of(s, &s->list[i], reach, end));
    return first;
}

/* The state stays, and the time goes over to the other side of a jump; not where nothing is
 * finite there or positions would jump, so that the last good state is that in front of it. */
static hol_status hop(hol_sim *sim, double t, int drives) {
    const double before = hol__integrator_time(sim->integ);
    if (drives) hol__leap_before(sim);
    hol_status status = hol__form_unpack(&sim->form, t, hol__integrator_state(sim->integ));
    if (!status) status = hol__form_solve(&sim->form);
    if (status == HOL_NONFINITE) {
        sim->data->culprit = hol__data_blame(sim->data);
        sim->data->culprit_time = t;
    }
    if (!status && drives) status = hol__leap_check(sim);
    if (status == HOL_NONFINITE || status == HOL_ERR_INPUT)
        hol__form_unpack(&sim->form, before, hol__integrator_state(sim->integ));
    if (!status) status = hol__integrator_hop(sim->integ, t);
    if (!status && drives) status = hol__leap_after(sim);
    if (!status && (sim->switching.n_watches || sim->switching.n_slots))
        status = hol__sim_read_again(sim, 1);
    return status ? status : hol__sim_read_corners(sim);
}

/* On behind all that were found up to t or a moment later. */
static hol_status pass(hol_sim *sim, double t) {
    hol__instants *s = &sim->instants;
    const double moment = t + hol__sim_same_instant(t);
    double high = t;
    int some = 0, drives = 0;
    for (int i = 0; i < s->n; i++) {
        struct hol__timed *x = &s->list[i];
        if (!x->search.found || landing(x) > moment) continue;
        high = fmax(high, x->search.high);
        some |= jumps(x);
        drives |= x->drives;
        x->search = (hol__instant){.clear = fmax(t, x->search.high)};
        s->count++;
    }
    return some && high > t ? hop(sim, high, drives) : HOL_OK;
}

hol_status hol__instants_pass(hol_sim *sim, double t_hard) {
    hol__instants *s = &sim->instants;
    hol_status status = HOL_OK;
    s->limit = INFINITY;
    while (s->n && !status && !sim->switching.fired && sim->end == HOL_END_RUNNING) {
        const double t = sim->data->t;
        s->limit = limit(sim, t_hard);
        if (s->limit > t + hol__sim_same_instant(t)) break;
        status = pass(sim, t);
    }
    return status;
}

int hol__instants_reached(const hol_sim *sim, int k, double t) {
    const struct hol__timed *x = &sim->instants.list[k];
    return x->search.found && landing(x) <= t + hol__sim_same_instant(t);
}

double hol__instants_when(hol_sim *sim, int k, double from, double end) {
    hol__instants *s = &sim->instants;
    struct hol__timed x = s->list[k];
    x.search = (hol__instant){.clear = from};
    while (!x.search.found && x.search.clear < end)
        hol__expr_next_instant(x.e, x.k, end, LOOKS, &x.search, s->in, s->scratch);
    return x.search.found ? landing(&x) : NAN;
}

void hol__instants_walk(hol_sim *sim, hol__archive *archive) {
    hol__instants *s = &sim->instants;
    for (int i = 0; i < s->n; i++) HOL__ARCHIVE(archive, s->list[i].search);
    HOL__ARCHIVE(archive, s->count);
}
