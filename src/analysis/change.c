/* change.c: changes of a run, to first order. See change.h. */
#include "analysis/change.h"

#include "analysis/perturb.h"

#include <math.h>
#include <string.h>

/* Neighbours may be off by so many steps of a difference. */
static const double FAR = 8;

hol_status hol__change_open(hol__change_work *w, hol__family *family, hol__trial *mirror) {
    *w = (hol__change_work){.family = family, .mirror = mirror};
    hol__arena_init(&w->arena, family->goals->own);
    return HOL_OK;
}

void hol__change_close(hol__change_work *w) {
    if (w->arena.ctx) hol__arena_free(&w->arena);
}

/* ---- the state before ---- */

/* Room for what is kept of it. */
static hol_status keep(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *at) {
    const hol_model *m = at->model;
    if (w->size != b->n || w->columns != b->columns || !w->f) {
        w->size = b->n;
        w->columns = b->columns;
        w->tau = HOL__NEW_N(&w->arena, double, b->columns + 1);
        w->step = HOL__NEW_N(&w->arena, double, b->columns + 1);
        w->f = HOL__NEW_N(&w->arena, double, b->n + 1);
        w->measures = HOL__NEW_N(&w->arena, double, m->n_columns + 1);
    }
    w->free = b->free;
    w->numbers = HOL__NEW_N(&w->arena, double, m->n_corners + 1);
    w->memory = HOL__NEW_N(&w->arena, double, m->n_memory + 1);
    if (w->arena.failed) return HOL_ERR_MEMORY;
    if (m->n_memory) memcpy(w->memory, at->memory, sizeof *at->memory * (size_t)m->n_memory);
    w->rate = hol__nudge_rate(at);
    hol__bundle_rate(b, at, w->f);
    for (int i = 0; i < m->n_corners; i++) w->numbers[i] = *hol__recorded(at->scratch, i);
    for (int i = 0; i < sim->corners.n; i++)
        if (sim->corners.loose[i] && i < m->n_corners)
            return hol__change_refuse(w, sim, i, at->t,
                                      "a condition in its law goes back and forth");
    return hol__measure_all(at, w->measures) == HOL_ERR_MEMORY ? HOL_ERR_MEMORY : HOL_OK;
}

/* The columns of the bundle moved along f by their tau, which becomes their dt. */
static void move(hol__bundle *b, const double *f, const double *tau, double sign) {
    for (int c = 0; c < b->columns; c++) {
        double *y = hol__bundle_column(b, b->Y, c);
        for (int i = 0; i < b->n; i++) y[i] += sign * f[i] * tau[c];
    }
}

hol_status hol__change_meet(hol__change_work *w, hol__bundle *b, hol__passage *p,
                            hol__change_kind kind) {
    hol_status status = keep(w, b, p->sim, p->at);
    if (!status) status = hol__change_goals_before(w, b, p);
    if (status) return status;
    memset(w->tau, 0, sizeof *w->tau * (size_t)w->columns);
    w->moment = INFINITY;
    w->doubt = NULL;
    if (!status && (kind == HOL__CHANGE_EVENT || kind == HOL__CHANGE_STOP))
        status = hol__change_event_tau(w, b, p->sim, p->at);
    if (!status && kind == HOL__CHANGE_INSTANT) status = hol__change_instant_tau(w, p->sim);
    if (status) return status;
    move(b, w->f, w->tau, 1);
    memcpy(b->dt, w->tau, sizeof *b->dt * (size_t)b->columns);
    return HOL_OK;
}

/* ---- over it ---- */

/* The conditions that have fired in the run fire in a neighbour. */
static void fire(const hol_sim *sim, hol_sim *other) {
    const hol__switching *s = &sim->switching;
    hol__switching *o = &other->switching;
    o->fired = s->fired;
    o->resolve = s->resolve;
    if (s->n_elements) memcpy(o->next, s->next, (size_t)s->n_elements);
    if (sim->events.n) memcpy(other->events.fired, sim->events.fired, (size_t)sim->events.n);
    for (int k = 0; k < s->n_watches; k++) {
        o->watches[k].positive = s->watches[k].positive;
        o->watches[k].decided = s->watches[k].decided;
    }
}

/* A simulation goes over the change from the state of the passage moved by h along column c. */
static hol_status go_over(hol__change_work *w, hol__bundle *b, hol__passage *p,
                          hol__change_kind kind, hol_sim *other, int c, double h, double when) {
    const hol__direction along = hol__bundle_direction(b, b->Y, c);
    hol__arena room;
    hol__nudge_put(&b->nudge, p->at, h, &along, other->data);
    /* right before its own instant, to the last bit */
    if (isfinite(when)) hol_data_set(other->data, when, NULL, NULL);
    hol__arena_init(&room, w->arena.ctx);
    hol_status status = hol__perturb_close(other->data, &room);
    hol__arena_free(&room);
    if (!status) status = hol__sim_change_integrator(other);
    if (!status && kind == HOL__CHANGE_INSTANT)
        return hol__sim_pass_instants(other, other->options[HOL__OPT_END]);
    if (!status) fire(p->sim, other);
    if (!status && p->sim->switching.resolve) return hol__change_rigid_go(w, b, p->at, other);
    return status ? status : hol__switching_run(other);
}

/* Neighbour i of parameter j. */
static hol_status cross_one(hol__change_work *w, hol__bundle *b, hol__passage *p,
                            hol__change_kind kind, int j, int i) {
    const hol__neighbour *x = hol__family_get(w->family, j, i);
    const hol__direction along = hol__bundle_direction(b, b->Y, b->free + j);
    w->too_far = fmax(w->too_far, fabs(x->by) / (FAR * hol__nudge_step(p->at, w->rate, &along)));
    hol__family_put(w->family, j, i, p->at);
    const double when = kind == HOL__CHANGE_INSTANT ? w->when[j * HOL__STENCIL + i] : NAN;
    return go_over(w, b, p, kind, x->trial.sim, b->free + j, x->by, when);
}

/* How many numbers a simulation keeps beside its state that a change may set. */
static int kept_numbers(const hol_sim *sim) {
    return sim->data->model->n_memory + sim->whole->n_assigned;
}

/* Its state with them, in a row. */
static void write_down(const hol_sim *sim, double *out) {
    const hol_data *data = sim->data;
    const hol_model *m = data->model;
    const struct part {
        const double *x;
        int n;
    } parts[] = {{data->q, m->nq},
                 {data->v, m->nv},
                 {data->aux, m->n_aux},
                 {data->memory, m->n_memory},
                 {sim->events.values, sim->whole->n_assigned}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (parts[i].n) memcpy(out, parts[i].x, sizeof *out * (size_t)parts[i].n);
        out += parts[i].n;
    }
}

/* The run once more, along free column c with point i of the difference. */
static hol_status cross_free(hol__change_work *w, hol__bundle *b, hol__passage *p,
                             hol__change_kind kind, int c, int i) {
    const hol__direction along = hol__bundle_direction(b, b->Y, c);
    hol_sim *sim = w->mirror->sim;
    hol_status status = hol_sim_state_load(sim, p->marked, p->marked_size);
    if (status) return status;
    hol__data_take_numbers(sim->data, p->at);
    w->step[c] = hol__nudge_step(p->at, w->rate, &along);
    if (w->step[c] * fabs(w->tau[c]) > w->moment) w->step[c] = w->moment / fabs(w->tau[c]);
    if (p->sim->switching.resolve)
        w->step[c] = hol__change_rigid_step(w, b, p->at, &along, w->step[c]);
    status = go_over(w, b, p, kind, sim, c, hol__stencil[i].at * w->step[c], NAN);
    if (status) return status;
    const hol_model *m = sim->data->model;
    const int width = m->nq + m->nv + m->n_aux + kept_numbers(sim);
    if (!c && !i) {
        w->width = width;
        w->mirrored = HOL__NEW_N(&w->arena, double, width * b->free * HOL__STENCIL + 1);
    }
    if (!w->mirrored) return HOL_ERR_MEMORY;
    if (width != w->width)
        return hol__report(w->family->goals->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                           "at t = %.9g joints and forces take hold or let go otherwise from a "
                           "state nearby, so that the run has no derivative",
                           p->at->t);
    write_down(sim, w->mirrored + hol__area(c * HOL__STENCIL + i, width));
    return HOL_OK;
}

hol_status hol__change_cross(hol__change_work *w, hol__bundle *b, hol__passage *p,
                             hol__change_kind kind) {
    const hol_sim *sim = p->sim;
    hol_status status = HOL_OK;
    w->replayed =
        kind == HOL__CHANGE_EVENT || (kind == HOL__CHANGE_INSTANT && sim->switching.n_watches > 0);
    if (!w->replayed) return HOL_OK;
    for (int i = 0; i < w->family->n * HOL__STENCIL && !status; i++)
        status = cross_one(w, b, p, kind, i / HOL__STENCIL, i % HOL__STENCIL);
    if (status) w->too_far = fmax(w->too_far, 50); /* those that are nearer may fare better */
    for (int i = 0; i < b->free * HOL__STENCIL && !status; i++)
        status = cross_free(w, b, p, kind, i / HOL__STENCIL, i % HOL__STENCIL);
    if (status) hol__context_take_messages(w->family->goals->own, w->family->ctx);
    if (status > 0 || (status == HOL_ERR_TOLERANCE && b->free))
        status = hol__report(w->family->goals->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                             "at t = %.9g the run cannot go over its change from states nearby "
                             "(--by direct may help)",
                             p->at->t);
    hol__bundle_close(b);
    return status;
}

/* ---- the state after ---- */

/* Whether a neighbour has ended up in the same set of elements. */
static int is_same_set(const hol_sim *sim, const hol_sim *other) {
    const hol__switching *s = &sim->switching, *o = &other->switching;
    return (!s->n_elements || memcmp(s->off, o->off, (size_t)s->n_elements) == 0) &&
           (!s->n_slots || memcmp(s->touch, o->touch, sizeof *s->touch * (size_t)s->n_slots) == 0);
}

/* E+ of a parameter from where its neighbours are. */
static hol_status difference(hol__change_work *w, hol__bundle *b, hol__passage *p, int j) {
    const hol_model *m = b->model;
    const hol_data *at = p->at;
    double *y = hol__bundle_column(b, b->Y, b->free + j);
    memset(y, 0, sizeof *y * (size_t)b->n);
    for (int i = 0; i < HOL__STENCIL; i++) {
        const hol__neighbour *x = hol__family_get(w->family, j, i);
        const hol_data *to = x->trial.sim->data;
        if (!is_same_set(p->sim, x->trial.sim))
            return hol__report(w->family->goals->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                               "at t = %.9g joints and forces take hold or let go otherwise when "
                               "parameter '%s' changes by %.3g, so that there is no derivative",
                               at->t, w->family->goals->parameters[j], x->by);
        m->coords->minus(m, to->q, at->q, b->x);
        for (int k = 0; k < b->nv; k++) {
            y[k] += x->weight * b->x[k];
            y[b->nv + k] += x->weight * (to->v[k] - at->v[k]);
        }
        for (int k = 0; k < m->n_aux; k++)
            y[2 * b->nv + k] += x->weight * (to->aux[k] - at->aux[k]);
        for (int k = 0; k < m->n_memory; k++) x->memory[k] = to->memory[k] - at->memory[k];
    }
    return HOL_OK;
}

/* E+ of a free column. What an event sets from the state would have to be followed too. */
static hol_status difference_free(hol__change_work *w, hol__bundle *b, hol__passage *p, int c) {
    const hol_model *m = b->model;
    const hol_data *at = p->at;
    const int kept = kept_numbers(p->sim), n = w->width - kept;
    double *y = hol__bundle_column(b, b->Y, c), *now = HOL__NEW_N(&w->arena, double, w->width + 1);
    memset(y, 0, sizeof *y * (size_t)b->n);
    if (!now) return HOL_ERR_MEMORY;
    write_down(p->sim, now);
    for (int i = 0; i < HOL__STENCIL; i++) {
        const double weight = hol__stencil[i].weight / w->step[c],
                     *x = w->mirrored + hol__area(c * HOL__STENCIL + i, w->width);
        for (int k = n; k < n + kept; k++)
            if (fabs(x[k] - now[k]) > 1e-12 * (1 + fabs(now[k])))
                return hol__report(w->family->goals->own, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                                   "at t = %.9g a change of the run keeps a number that depends on "
                                   "the state (`set`, or the speed of an impact); the adjoint does "
                                   "not carry these: take --by direct",
                                   at->t);
        m->coords->minus(m, x, at->q, b->x);
        for (int k = 0; k < b->nv; k++) {
            y[k] += weight * b->x[k];
            y[b->nv + k] += weight * (x[m->nq + k] - at->v[k]);
        }
        for (int k = 0; k < m->n_aux; k++)
            y[2 * b->nv + k] += weight * (x[m->nq + m->nv + k] - at->aux[k]);
    }
    return HOL_OK;
}

hol_status hol__change_behind(hol__change_work *w, hol__bundle *b, hol__passage *p,
                              hol__change_kind kind) {
    hol_status status = HOL_OK;
    if (w->replayed) status = hol__bundle_open(b, w->family, p->at, w->free);
    for (int c = 0; c < w->free && w->replayed && !status; c++)
        status = difference_free(w, b, p, c);
    for (int j = 0; j < w->family->n && w->replayed && !status; j++)
        status = difference(w, b, p, j);
    if (!status) status = hol__change_needs_no_instant(w, b, p);
    if (!status && kind == HOL__CHANGE_CORNER) {
        status = hol__change_corner_tau(w, b, p);
        if (!status) move(b, w->f, w->tau, 1);
    }
    if (!status) memcpy(b->dt, w->tau, sizeof *b->dt * (size_t)b->columns);
    if (!status) status = hol__change_goals_after(w, b, p);
    return status || kind != HOL__CHANGE_CORNER ? status : hol__change_remember(w, b, p);
}

void hol__change_leave(hol__bundle *b, const hol_data *after) {
    hol__bundle_rate(b, after, b->x);
    move(b, b->x, b->dt, -1);
    memset(b->dt, 0, sizeof *b->dt * (size_t)b->columns);
}
