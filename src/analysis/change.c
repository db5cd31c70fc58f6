/* change.c: changes of a run, to first order. See change.h. */
#include "analysis/change.h"

#include "analysis/perturb.h"

#include <math.h>
#include <string.h>

/* A number falls off at an instant if its rate counts against its curvature over that share of the
 * time in which the motion changes; times of the same instant agree to that; and what of f must
 * jump for the instant of a corner to matter. */
static const double GRAZED = 1e-7, SAME = 1e-6, JUMP = 1e-9;

/* The time around an instant in which a number crosses its boundary, at times of 1 s. */
static const double MOMENT = 1e-9;

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

/* ---- instants by conditions ---- */

/* Numbers that decide are counted as corners.c does: those of the laws that act, those of the
 * conditions, and then the values of the conditions themselves, which have numbers of their own
 * only where they compare. */
static const hol__corner *corner(const hol_sim *sim, int k) {
    const int n = sim->model->n_corners;
    if (k >= sim->corners.n) return NULL;
    return k < n ? &sim->model->corners[k] : &sim->laws->corners[k - n];
}

/* Number k of a simulation at a state. */
static hol_status read_number(hol_sim *sim, int k, hol_data *at, double *g) {
    const int n = sim->model->n_corners;
    hol__switching *s = &sim->switching;
    hol_status status = hol_data_update(at, HOL_STAGE_DYN);
    if (!status) status = hol__measure_all(at, NULL);
    for (int i = 0; i < s->n_watches && k >= n; i++) {
        const double value = hol__expr_value(s->watches[i].e, at->inputs, s->scratch);
        if (i == k - sim->corners.n) *g = value;
    }
    if (k < sim->corners.n)
        *g = k < n ? *hol__recorded(at->scratch, k) : *hol__recorded(s->scratch, k - n);
    return status == HOL_ERR_SINGULAR ? HOL_SINGULAR : status;
}

/* The boundary that number k crosses between a and b. */
static double boundary(const hol_sim *sim, int k, double a, double b) {
    const hol__corner *c = corner(sim, k);
    return c ? hol__cell_boundary(&c->cells, fmin(a, b), fmax(a, b)) : 0;
}

/* Whether it crosses one. */
static int crosses(const hol_sim *sim, int k, double a, double b) {
    const hol__corner *c = corner(sim, k);
    if (!c) return a > 0 ? b <= 0 : b > 0;
    return c->thick >= 0 && hol__cell(&c->cells, a) != hol__cell(&c->cells, b);
}

/* What has gone wrong at an instant, by the name of what decides it. */
static hol_status refuse(hol__change_work *w, const hol_sim *sim, int k, double t,
                         const char *what) {
    const hol__corner *c = corner(sim, k);
    const hol_location *where = NULL;
    const char *label = c ? c->label : "stop_when";
    for (int i = 0; i < sim->switching.n_watches; i++) {
        const hol__watch *watch = &sim->switching.watches[i];
        if (!watch->decided || watch->role != HOL__WATCH_EVENT) continue;
        label = sim->whole->events[watch->element].label;
        where = &sim->whole->events[watch->element].where;
    }
    return hol__report(w->family->goals->own, HOL_ERROR, HOL_ERR_TOLERANCE, where, label,
                       "at t = %.9g %s, so that the run has no derivative by parameters there", t,
                       what);
}

/* The derivative of a number along a direction at a state; *bend receives the second one. */
static hol_status number_along(hol__bundle *b, hol_sim *sim, int k, hol_data *at, double rate,
                               const hol__direction *along, double *out, double *bend) {
    const double h = hol__nudge_step(at, rate, along);
    double g[HOL__STENCIL], g0;
    hol_status status = hol_data_copy(b->side, at);
    *out = 0;
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        hol__nudge_put(&b->nudge, at, hol__stencil[i].at * h, along, b->side);
        status = read_number(sim, k, b->side, &g[i]);
        *out += hol__stencil[i].weight / h * g[i];
    }
    if (!status && bend) {
        status = read_number(sim, k, at, &g0);
        *bend = -2 * g0 / (h * h);
        for (int i = 0; i < HOL__STENCIL; i++)
            if (fabs(hol__stencil[i].at) == 1) *bend += g[i] / (h * h);
    }
    return status;
}

/* g_p of a number for parameter j, where it crosses a boundary from a to b. */
static hol_status number_by(hol__change_work *w, int k, int j, hol_sim *sim, hol_data *at,
                            const double *ends, double *out) {
    const hol__family *f = w->family;
    double g = 0, here = 0;
    *out = 0;
    hol_status status = read_number(sim, k, at, &here);
    here -= boundary(sim, k, ends[0], ends[1]);
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        hol_sim *other = hol__family_get(f, j, i)->trial.sim;
        status = read_number(other, k, hol__family_put(f, j, i, at), &g);
        g -= boundary(other, k, ends[0], ends[1]);
        *out += hol__family_get(f, j, i)->weight * (g - here);
    }
    return status;
}

/* tau of all columns of the bundle for the instant at which number k crosses a boundary. */
static hol_status find_tau(hol__change_work *w, hol__bundle *b, hol_sim *sim, int k, hol_data *at,
                           const double *ends, double *tau) {
    const hol__direction motion = {w->f, w->f + b->nv, w->f + 2 * b->nv, 1};
    double rate, bend;
    hol_status status = number_along(b, sim, k, at, w->rate, &motion, &rate, &bend);
    if (!status && !(fabs(rate) > GRAZED * fabs(bend) / w->rate))
        return refuse(w, sim, k, at->t, "what decides it is only grazed");
    for (int c = 0; c < b->columns && !status; c++) {
        const hol__direction along = hol__bundle_direction(b, b->Y, c);
        double by_state, by_parameter = 0;
        status = number_along(b, sim, k, at, w->rate, &along, &by_state, NULL);
        if (!status && c >= b->free)
            status = number_by(w, k, c - b->free, sim, at, ends, &by_parameter);
        tau[c] = -(by_state + by_parameter) / rate;
    }
    return status;
}

/* Whether two conditions come at the same instant nearby as well. */
static int agree(const hol__change_work *w, const double *a, const double *b) {
    for (int c = 0; c < w->columns; c++)
        if (fabs(a[c] - b[c]) > SAME * (fabs(a[c]) + fabs(b[c]))) return 0;
    return 1;
}

/* Number k a moment before and after the instant, along the motion; 1 where it crosses a boundary
 * in between. */
static int is_met(hol__change_work *w, hol__bundle *b, hol_sim *sim, int k, hol_data *at,
                  double *ends, hol_status *status) {
    const hol__direction motion = {w->f, w->f + b->nv, w->f + 2 * b->nv, 1};
    const double moment = MOMENT * fmax(1, fabs(at->t));
    if (!*status) *status = hol_data_copy(b->side, at);
    for (int i = 0; i < 2 && !*status; i++) {
        hol__nudge_put(&b->nudge, at, i ? moment : -moment, &motion, b->side);
        *status = read_number(sim, k, b->side, &ends[i]);
    }
    return !*status && crosses(sim, k, ends[0], ends[1]);
}

/* tau of an event, of all numbers from `first` to `last` that are met there, which must agree;
 * *found: how many. */
static hol_status numbers_tau(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *at,
                              int first, int last, int *found) {
    double *other = HOL__NEW_N(&w->arena, double, w->columns + 1), ends[2];
    hol_status status = other ? HOL_OK : HOL_ERR_MEMORY;
    *found = 0;
    for (int k = first; k < last && !status; k++) {
        if (k >= sim->corners.n && !sim->switching.watches[k - sim->corners.n].decided) continue;
        if (!is_met(w, b, sim, k, at, ends, &status)) continue;
        status = find_tau(w, b, sim, k, at, ends, *found ? other : w->tau);
        if (!status && *found && !agree(w, w->tau, other))
            status = refuse(w, sim, k, at->t,
                            "its condition meets another one, and their order changes");
        ++*found;
    }
    return status;
}

/* tau of an event. */
static hol_status event_tau(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *at) {
    const int n = sim->corners.n;
    int found;
    if (sim->switching.resolve)
        return hol__report(w->family->goals->own, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                           "at t = %.9g a rigid contact opens, closes, sticks or slides; "
                           "derivatives of a run do not go through these yet: use a contact force, "
                           "or an event with the action `impact`",
                           at->t);
    hol_status status = numbers_tau(w, b, sim, at, 0, n, &found);
    if (!status && !found)
        status = numbers_tau(w, b, sim, at, n, n + sim->switching.n_watches, &found);
    if (!status && !found) return refuse(w, sim, n, at->t, "what decides it is only grazed");
    return status;
}

/* ---- instants by the time ---- */

/* tau of the instants that the run has reached: how those of the neighbours lie. */
static hol_status instant_tau(hol__change_work *w, hol_sim *sim) {
    const double *o = sim->options, t = sim->data->t,
                 end = o[HOL__OPT_END] + 0.01 * (o[HOL__OPT_END] - o[HOL__OPT_START]);
    double *other = HOL__NEW_N(&w->arena, double, w->columns + 1);
    int found = 0;
    if (w->n_last < sim->instants.n) {
        w->last = HOL__NEW_N(&w->arena, double, sim->instants.n);
        for (int k = 0; w->last && k < sim->instants.n; k++)
            w->last[k] = sim->options[HOL__OPT_START];
        w->n_last = sim->instants.n;
    }
    if (!other || (w->n_last && !w->last)) return HOL_ERR_MEMORY;
    for (int k = 0; k < sim->instants.n; k++) {
        if (!hol__instants_reached(sim, k)) continue;
        const double from = 0.5 * (w->last[k] + t), here = hol__instants_when(sim, k, from, end);
        double *tau = found ? other : w->tau;
        memset(tau, 0, sizeof *tau * (size_t)w->columns);
        double most = 0;
        for (int j = 0; j < w->family->n; j++)
            for (int i = 0; i < HOL__STENCIL; i++) {
                const hol__neighbour *x = hol__family_get(w->family, j, i);
                const double by = hol__instants_when(x->trial.sim, k, from, end) - here;
                tau[w->free + j] += x->weight * by;
                most = fmax(most, fabs(by));
            }
        hol__family_pass(w->family, t, most);
        if (found && !agree(w, w->tau, other))
            return hol__report(w->family->goals->own, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                               "at t = %.9g two instants of laws coincide, and their order changes "
                               "with the parameters, so that there is no derivative",
                               t);
        w->last[k] = t;
        found = 1;
    }
    return HOL_OK;
}

/* ---- the state before ---- */

/* Room for what is kept of it. */
static hol_status keep(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *at) {
    const hol_model *m = at->model;
    if (w->size != b->n || w->columns != b->columns || !w->f) {
        w->size = b->n;
        w->free = b->free;
        w->columns = b->columns;
        w->tau = HOL__NEW_N(&w->arena, double, b->columns + 1);
        w->step = HOL__NEW_N(&w->arena, double, b->columns + 1);
        w->f = HOL__NEW_N(&w->arena, double, b->n + 1);
        w->measures = HOL__NEW_N(&w->arena, double, m->n_columns + 1);
    }
    w->numbers = HOL__NEW_N(&w->arena, double, m->n_corners + 1);
    if (w->arena.failed) return HOL_ERR_MEMORY;
    w->rate = hol__nudge_rate(at);
    hol__bundle_rate(b, at, w->f);
    for (int i = 0; i < m->n_corners; i++) w->numbers[i] = *hol__recorded(at->scratch, i);
    for (int i = 0; i < sim->corners.n; i++)
        if (sim->corners.loose[i] && i < m->n_corners)
            return refuse(w, sim, i, at->t, "a condition in its law goes back and forth");
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
    if (status) return status;
    memset(w->tau, 0, sizeof *w->tau * (size_t)w->columns);
    if (!status && (kind == HOL__CHANGE_EVENT || kind == HOL__CHANGE_STOP))
        status = event_tau(w, b, p->sim, p->at);
    if (!status && kind == HOL__CHANGE_INSTANT) status = instant_tau(w, p->sim);
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
                          hol__change_kind kind, hol_sim *other, int c, double h) {
    const hol__direction along = hol__bundle_direction(b, b->Y, c);
    hol__arena room;
    hol__nudge_put(&b->nudge, p->at, h, &along, other->data);
    hol__arena_init(&room, w->arena.ctx);
    hol_status status = hol__perturb_close(other->data, &room);
    hol__arena_free(&room);
    if (!status) status = hol__sim_change_integrator(other);
    if (!status && kind == HOL__CHANGE_INSTANT)
        return hol__sim_pass_instants(other, other->options[HOL__OPT_END]);
    if (!status) fire(p->sim, other);
    return status ? status : hol__switching_run(other);
}

/* Neighbour i of parameter j. */
static hol_status cross_one(hol__change_work *w, hol__bundle *b, hol__passage *p,
                            hol__change_kind kind, int j, int i) {
    const hol__neighbour *x = hol__family_get(w->family, j, i);
    const hol__direction along = hol__bundle_direction(b, b->Y, b->free + j);
    w->too_far = fmax(w->too_far, fabs(x->by) / (FAR * hol__nudge_step(p->at, w->rate, &along)));
    hol__family_put(w->family, j, i, p->at);
    return go_over(w, b, p, kind, x->trial.sim, b->free + j, x->by);
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
    status = go_over(w, b, p, kind, sim, c, hol__stencil[i].at * w->step[c]);
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
    if (status) hol__context_take_messages(w->family->goals->own, w->family->ctx);
    for (int i = 0; i < b->free * HOL__STENCIL && !status; i++)
        status = cross_free(w, b, p, kind, i / HOL__STENCIL, i % HOL__STENCIL);
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

/* tau of the corner that has been crossed, where f jumps there; Y moves along f-. */
static hol_status corner_tau(hol__change_work *w, hol__bundle *b, hol__passage *p) {
    const hol_model *m = b->model;
    double jump = 0, size = 0;
    hol__bundle_rate(b, p->at, b->x);
    for (int i = 0; i < b->n; i++) {
        jump = fmax(jump, fabs(b->x[i] - w->f[i]));
        size = fmax(size, fabs(b->x[i]) + fabs(w->f[i]));
    }
    if (!(jump > JUMP * size)) return HOL_OK;
    for (int i = 0; i < m->n_corners; i++) {
        const double ends[2] = {w->numbers[i], *hol__recorded(p->at->scratch, i)};
        if (!crosses(p->sim, i, ends[0], ends[1])) continue;
        const hol_status status = find_tau(w, b, p->sim, i, p->at, ends, w->tau);
        if (!status) move(b, w->f, w->tau, 1);
        return status;
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
    if (!status && kind == HOL__CHANGE_CORNER) status = corner_tau(w, b, p);
    if (!status) memcpy(b->dt, w->tau, sizeof *b->dt * (size_t)b->columns);
    return status;
}

void hol__change_leave(hol__bundle *b, const hol_data *after) {
    hol__bundle_rate(b, after, b->x);
    move(b, b->x, b->dt, -1);
    memset(b->dt, 0, sizeof *b->dt * (size_t)b->columns);
}
