/* change_tau.c: how the instant of a change moves. See change.h. */
#include "analysis/change.h"

#include "analysis/carrier.h"

#include <math.h>
#include <string.h>

/* A number falls off at an instant if its rate counts against its curvature over that share of the
 * time in which the motion changes; times of the same instant agree to that; and what of f must
 * jump for the instant of a corner to matter. */
static const double GRAZED = 1e-7, SAME = 1e-6, JUMP = 1e-9;

/* Instants are moved by that share of the time in which the rate of what decides changes. */
static const double SHIFT = 0.01;

/* The time around an instant in which a number crosses its boundary, at times of 1 s. */
static const double MOMENT = 1e-9;

/* ---- instants by conditions ---- */

/* Numbers that decide are counted as corners.c does: those of the laws that act, those of the
 * conditions, and then the values of the conditions themselves, which have numbers of their own
 * only where they compare. */
static const hol__corner *corner(const hol_sim *sim, int k) {
    const int n = sim->model->n_corners;
    if (k >= sim->corners.n) return NULL;
    return k < n ? &sim->model->corners[k] : &sim->laws->corners[k - n];
}

/* The first number of rigid contacts, behind those. */
static int first_rigid(const hol_sim *sim) {
    return sim->corners.n + sim->switching.n_watches;
}

/* Number k of a simulation at a state. */
static hol_status read_number(hol_sim *sim, int k, hol_data *at, double *g) {
    const int n = sim->model->n_corners;
    hol__switching *s = &sim->switching;
    if (k >= first_rigid(sim)) return hol__change_rigid_number(at, k - first_rigid(sim), g);
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

const char *hol__change_name(const hol_sim *sim, int k, const hol_location **where) {
    const hol__corner *c = k >= 0 ? corner(sim, k) : NULL;
    const char *label = c ? c->label : "stop_when";
    *where = NULL;
    for (int i = 0; i < sim->model->n_choosing && k < 0; i++)
        if (sim->model->choosing[i].e == sim->instants.list[-1 - k].e)
            return sim->model->choosing[i].label;
    if (k >= first_rigid(sim)) {
        const hol__element *joint = hol__change_rigid_joint(sim, k - first_rigid(sim));
        label = joint->label;
        *where = &joint->where;
    }
    for (int i = 0; i < sim->switching.n_watches && k < first_rigid(sim); i++) {
        const hol__watch *watch = &sim->switching.watches[i];
        if (!watch->decided || watch->role != HOL__WATCH_EVENT) continue;
        label = sim->whole->events[watch->element].label;
        *where = &sim->whole->events[watch->element].where;
    }
    return label;
}

hol_status hol__change_refuse(hol__change_work *w, const hol_sim *sim, int k, double t,
                              const char *what) {
    const hol_location *where;
    const char *label = hol__change_name(sim, k, &where);
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
        return hol__change_refuse(w, sim, k, at->t, "what decides it is only grazed");
    w->moment = fmin(w->moment, SHIFT * fabs(rate / bend));
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

/* Whether number k may decide what has fired. */
static int may_decide(const hol_sim *sim, int k) {
    if (k < sim->corners.n) return 1;
    if (k < first_rigid(sim)) return sim->switching.watches[k - sim->corners.n].decided;
    return hol__change_rigid_counts(sim, k - first_rigid(sim));
}

/* No number tells how the instant moves: without an impact that is looked at behind the change. */
static hol_status doubt(hol__change_work *w, const hol_sim *sim, int k, double t, const char *why) {
    if (k < first_rigid(sim) || w->hit) return hol__change_refuse(w, sim, k, t, why);
    w->doubt = why;
    w->doubtful = k - first_rigid(sim);
    return HOL_OK;
}

/* tau of an event, of all numbers from `first` to `last` that are met there, which must agree;
 * *found: how many. */
static hol_status numbers_tau(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *at,
                              int first, int last, int *found) {
    double *other = HOL__NEW_N(&w->arena, double, w->columns + 1), ends[2];
    hol_status status = other ? HOL_OK : HOL_ERR_MEMORY;
    *found = 0;
    for (int k = first; k < last && !status; k++) {
        if (!may_decide(sim, k) || !is_met(w, b, sim, k, at, ends, &status)) continue;
        if (!*found) w->decides = k;
        if (k >= first_rigid(sim) && (k - first_rigid(sim)) % HOL__RIGID_KINDS == HOL__RIGID_GAP)
            w->closes = (k - first_rigid(sim)) / HOL__RIGID_KINDS;
        status = find_tau(w, b, sim, k, at, ends, *found ? other : w->tau);
        if (!status && *found && !agree(w, w->tau, other))
            status =
                doubt(w, sim, k, at->t, "its condition meets another one, and their order changes");
        ++*found;
    }
    return status;
}

/* How a number moves with column c, at the instant that moves by tau. */
static hol_status moves_by(hol__change_work *w, hol__bundle *b, hol_sim *sim, int k, hol_data *at,
                           int c, double *out, double *size) {
    static const double ends[2] = {1, -1};
    const hol__direction motion = {w->f, w->f + b->nv, w->f + 2 * b->nv, 1},
                         along = hol__bundle_direction(b, b->Y, c);
    double rate, by_state, by_parameter = 0;
    hol_status status = number_along(b, sim, k, at, w->rate, &motion, &rate, NULL);
    if (!status) status = number_along(b, sim, k, at, w->rate, &along, &by_state, NULL);
    if (!status && c >= b->free)
        status = number_by(w, k, c - b->free, sim, at, ends, &by_parameter);
    *out = by_state + by_parameter + rate * w->tau[c];
    *size = fabs(by_state) + fabs(by_parameter) + fabs(rate * w->tau[c]);
    return status;
}

/* Open slots that touch when others are hit, which they have to do nearby as well. */
static hol_status find_touching(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *at) {
    const int first = first_rigid(sim), n = sim->switching.n_slots;
    hol_status status = HOL_OK;
    w->n_touching = 0;
    w->touching = HOL__NEW_N(&w->arena, int, n + 1);
    if (!w->touching) return HOL_ERR_MEMORY;
    for (int i = 0; i < n && w->hit && !status; i++) {
        if (i == w->closes || !hol__change_rigid_touches(sim, at, i)) continue;
        w->touching[w->n_touching++] = i;
        const int k = first + HOL__RIGID_KINDS * i + HOL__RIGID_GAP;
        for (int c = 0; c < b->columns && !status; c++) {
            double by, size;
            status = moves_by(w, b, sim, k, at, c, &by, &size);
            if (!status && fabs(by) > SAME * fmax(size, 1e-3 * at->model->length))
                return hol__change_refuse(
                    w, sim, k, at->t,
                    c < b->free ? "it touches when another contact is hit, and not from states "
                                  "nearby (--by direct may help)"
                                : "it touches when another contact is hit, and no longer when a "
                                  "parameter changes");
        }
    }
    return status;
}

/* tau of a change of rigid contacts. */
static hol_status rigid_tau(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *at) {
    const int first = first_rigid(sim);
    int found = 0;
    hol_status status = hol__change_foresee(w, sim);
    if (!status)
        status = numbers_tau(w, b, sim, at, first,
                             first + HOL__RIGID_KINDS * sim->switching.n_slots, &found);
    if (!status && !found)
        status = doubt(w, sim, first, at->t,
                       "contacts that share a load change together, or one leaves the face it is "
                       "on, with a jump of the accelerations");
    return status ? status : find_touching(w, b, sim, at);
}

hol_status hol__change_event_tau(hol__change_work *w, hol__bundle *b, hol_sim *sim, hol_data *at) {
    const int n = sim->corners.n;
    int found = 0;
    w->closes = -1;
    if (sim->switching.resolve) return rigid_tau(w, b, sim, at);
    hol_status status = numbers_tau(w, b, sim, at, 0, n, &found);
    if (!status && !found)
        status = numbers_tau(w, b, sim, at, n, n + sim->switching.n_watches, &found);
    if (!status && !found)
        return hol__change_refuse(w, sim, n, at->t, "what decides it is only grazed");
    return status;
}

/* The largest acceleration of a coordinate that the forces at a state could give alone, over its
 * size. */
static double free_acceleration(hol_data *at) {
    const hol__csr *M = hol__data_mass(at);
    double most = 0;
    for (int i = 0; i < at->model->nv; i++)
        for (int k = M->ptr[i]; k < M->ptr[i + 1]; k++)
            if (M->idx[k] == i && M->x[k] > 0)
                most = fmax(most, fabs(at->Q[i]) / M->x[k] / hol__coordinate_size(at->model, i));
    return most;
}

/* An instant that is off by d leaves (f- - f+) d in the columns, of which what the constraints
 * after the change do not let be is taken away: where nothing is left it need not be known (SAME:
 * as much as is left by instants that are known to it). So it is where friction that sticks with
 * the same mu begins to slide, and where a corner leaves a face as an edge takes over. */
hol_status hol__change_needs_no_instant(hol__change_work *w, hol__bundle *b, hol__passage *p) {
    const hol_model *m = b->model;
    double v = 0, a = 0, z = 0, v_size = w->rate, a_size, z_size = 0;
    hol_status status = HOL_OK;
    if (!w->doubt) return HOL_OK;
    a_size = free_acceleration(p->at);
    hol__bundle_rate(b, p->at, b->x);
    for (int i = 0; i < b->n && b->n == w->size; i++) {
        const double size = fabs(b->x[i]) + fabs(w->f[i]);
        if (i >= 2 * b->nv)
            z_size = fmax(z_size, size);
        else if (i >= b->nv)
            a_size = fmax(a_size, size / hol__coordinate_size(m, i - b->nv));
        else
            v_size = fmax(v_size, size / hol__coordinate_size(m, i));
        b->x[i] = w->f[i] - b->x[i];
    }
    if (b->n == w->size) status = hol__variation_take(b->equations, p->at);
    if (b->n == w->size && m->m && !status)
        status = hol__variation_settle(b->equations, NULL, b->x);
    if (status) return status;
    for (int i = 0; i < b->nv; i++) {
        v = fmax(v, fabs(b->x[i]) / hol__coordinate_size(m, i));
        a = fmax(a, fabs(b->x[b->nv + i]) / hol__coordinate_size(m, i));
    }
    for (int i = 0; i < m->n_aux; i++) z = fmax(z, fabs(b->x[2 * b->nv + i]));
    if (b->n == w->size && v <= SAME * v_size && a <= SAME * a_size && z <= SAME * z_size)
        return HOL_OK;
    return hol__change_refuse(w, p->sim, first_rigid(p->sim) + w->doubtful, p->at->t, w->doubt);
}

/* ---- instants by the time ---- */

hol_status hol__change_instant_tau(hol__change_work *w, hol_sim *sim) {
    const double *o = sim->options, t = sim->data->t,
                 end = o[HOL__OPT_END] + 0.01 * (o[HOL__OPT_END] - o[HOL__OPT_START]);
    double *other = HOL__NEW_N(&w->arena, double, w->columns + 1);
    int found = 0;
    w->when = HOL__NEW_N(&w->arena, double, w->family->n *HOL__STENCIL + 1);
    if (!w->when) return HOL_ERR_MEMORY;
    for (int i = 0; i < w->family->n * HOL__STENCIL; i++) w->when[i] = NAN;
    if (w->n_last < sim->instants.n) {
        w->last = HOL__NEW_N(&w->arena, double, sim->instants.n);
        for (int k = 0; w->last && k < sim->instants.n; k++)
            w->last[k] = sim->options[HOL__OPT_START];
        w->n_last = sim->instants.n;
    }
    if (!other || (w->n_last && !w->last)) return HOL_ERR_MEMORY;
    for (int k = 0; k < sim->instants.n; k++) {
        if (!hol__instants_reached(sim, k, t)) continue;
        w->decides = -1 - k;
        const double from = 0.5 * (w->last[k] + t), here = hol__instants_when(sim, k, from, end);
        double *tau = found ? other : w->tau;
        memset(tau, 0, sizeof *tau * (size_t)w->columns);
        double most = 0;
        for (int j = 0; j < w->family->n; j++)
            for (int i = 0; i < HOL__STENCIL; i++) {
                const hol__neighbour *x = hol__family_get(w->family, j, i);
                const double there = hol__instants_when(x->trial.sim, k, from, end),
                             by = there - here;
                w->when[j * HOL__STENCIL + i] = there;
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

/* ---- corners ---- */

hol_status hol__change_corner_tau(hol__change_work *w, hol__bundle *b, hol__passage *p) {
    const hol_model *m = b->model;
    double jump = 0, size = 0;
    hol__bundle_rate(b, p->at, b->x);
    for (int i = 0; i < b->n; i++) {
        jump = fmax(jump, fabs(b->x[i] - w->f[i]));
        size = fmax(size, fabs(b->x[i]) + fabs(w->f[i]));
    }
    if (!(jump > JUMP * size) && !hol__change_remembers(w, p->at)) return HOL_OK;
    for (int i = 0; i < m->n_corners; i++) {
        const double ends[2] = {w->numbers[i], *hol__recorded(p->at->scratch, i)};
        if (!crosses(p->sim, i, ends[0], ends[1])) continue;
        w->corner = w->decides = i;
        memcpy(w->ends, ends, sizeof ends);
        return find_tau(w, b, p->sim, i, p->at, ends, w->tau);
    }
    return HOL_OK;
}

hol_status hol__change_corner_number(const hol__change_work *w, hol__bundle *b, hol_sim *sim,
                                     hol_data *data, double *over, double *rate) {
    const hol__direction motion = {w->f, w->f + b->nv, w->f + 2 * b->nv, 1};
    const double h = MOMENT * fmax(1, fabs(data->t));
    double g[2];
    hol_status status = HOL_OK;
    for (int i = 0; i < 2 && !status; i++) {
        hol__nudge_put(&b->nudge, data, i ? -h : h, &motion, data);
        status = read_number(sim, w->corner, data, &g[i]);
    }
    *rate = (g[0] - g[1]) / h;
    *over = g[1] - boundary(sim, w->corner, w->ends[0], w->ends[1]);
    return status;
}
