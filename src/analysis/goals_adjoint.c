/* goals_adjoint.c: the chain of linear maps of a run, kept. See adjoint.h. */
#include "analysis/adjoint.h"
#include "analysis/perturb.h"
#include "analysis/tally.h"

#include <string.h>

static double *numbers(hol__adjoint *a, size_t n) {
    return HOL__NEW_N(&a->arena, double, n + 1);
}

/* ---- stations ---- */

/* Independent perturbations and a particular one for each parameter, at the state of the passage,
 * as the columns of a new bundle. */
static hol_status choose(hol__adjoint *a, hol__passage *p, hol__station *s) {
    hol__family *f = a->l->family;
    hol__bundle *b = &a->bundle, probe = {0};
    hol__perturb chosen;
    hol_status status = hol__bundle_open(&probe, f, p->at, 0);
    if (!status) status = hol__variation_take(probe.equations, p->at);
    if (!status)
        status = hol__perturb_make(hol__variation_tangent(probe.equations),
                                   hol__variation_data(probe.equations), &a->arena, &chosen);
    hol__bundle_close(&probe);
    if (status) return status;
    hol__bundle_close(b);
    status = hol__bundle_open(b, f, p->at, chosen.n);
    if (status) return status;
    s->n = b->n;
    s->size = chosen.n;
    s->E = numbers(a, hol__area(b->n, s->size));
    s->y_p = numbers(a, hol__area(b->n, f->n));
    s->Z = numbers(a, hol__area(b->n, s->size));
    s->z_p = numbers(a, hol__area(s->size, f->n));
    s->w = numbers(a, hol__area(s->size, a->l->found->n));
    s->c = numbers(a, hol__area(f->n, a->l->found->n));
    if (a->arena.failed) return HOL_ERR_MEMORY;
    status = hol__bundle_settle(b, p->at);
    memcpy(s->y_p, hol__bundle_column(b, b->Y, b->free), sizeof(double) * hol__area(b->n, f->n));
    for (int k = 0; k < s->size; k++) {
        double *e = s->E + hol__area(k, b->n), *z = s->Z + hol__area(k, b->n);
        const int rate = k >= chosen.n_q, own = k >= chosen.n_q + chosen.n_v;
        const int at = own    ? 2 * b->nv + k - chosen.n_q - chosen.n_v
                       : rate ? b->nv + chosen.at_v[k - chosen.n_q]
                              : chosen.at_q[k];
        memcpy(e, chosen.dq + hol__area(k, b->nv), sizeof(double) * (size_t)b->nv);
        memcpy(e + b->nv, chosen.dv + hol__area(k, b->nv), sizeof(double) * (size_t)b->nv);
        if (own) e[at] = 1;
        memcpy(hol__bundle_column(b, b->Y, k), e, sizeof(double) * (size_t)b->n);
        z[at] = 1;
        for (int j = 0; j < f->n; j++)
            s->z_p[k * f->n + j] = -s->y_p[hol__area(j, b->n) + (size_t)at];
        if (!status) status = hol__bundle_settle_back(b, z, s->z_p + k * f->n);
    }
    return status;
}

/* s in terms of columns Y: R of the first ones, and the others added to z_p. */
static hol_status reduce(hol__adjoint *a, hol__station *s, const double *Y, int free) {
    const int np = a->l->family->n;
    s->R = numbers(a, hol__area(s->size, free));
    if (!s->R) return HOL_ERR_MEMORY;
    for (int k = 0; k < s->size; k++)
        for (int c = 0; c < free + np; c++) {
            double sum = 0;
            for (int i = 0; i < s->n; i++)
                sum += s->Z[hol__area(k, s->n) + (size_t)i] * Y[hol__area(c, s->n) + (size_t)i];
            if (c < free)
                s->R[k * free + c] = sum;
            else
                s->z_p[k * np + c - free] += sum;
        }
    return HOL_OK;
}

/* A station at the state of the passage. Y: the columns in terms of which s is, of a change or the
 * start, `free` of them without a parameter; NULL: steps lead here. */
static hol_status arrive(hol__adjoint *a, hol__passage *p, const double *Y, int free) {
    hol__station *s = HOL__NEW(&a->arena, hol__station);
    if (!s) return HOL_ERR_MEMORY;
    hol_status status = choose(a, p, s);
    if (!status && Y) status = reduce(a, s, Y, free);
    s->before = a->last;
    a->last = s;
    return status;
}

/* What goals read at the last station, along its columns as they are in the bundle. */
static hol_status take(hol__adjoint *a, hol__passage *p, hol__spot place, int is_end) {
    const hol__gather *found = a->l->found;
    hol__bundle *b = &a->bundle;
    hol__station *s = a->last;
    const int np = a->l->family->n;
    int some = 0;
    for (int i = 0; i < found->n; i++) some |= hol__tally_takes(found, i, place, is_end);
    hol_status status = HOL_OK;
    for (int c = 0; c < b->columns && some && !status; c++) {
        status = hol__bundle_measure(b, p->at, b->Y, c, place.change < 0, a->measures);
        for (int i = 0; i < found->n; i++) {
            if (!hol__tally_takes(found, i, place, is_end)) continue;
            double *to = c < b->free ? &s->w[i * s->size + c] : &s->c[i * np + c - b->free];
            *to = a->measures[found->goals[i].column];
        }
    }
    return status;
}

static hol_status begin(void *self, hol__passage *p) {
    hol__adjoint *a = self;
    hol__family *f = a->l->family;
    p->marks = p->sim->switching.n_watches > 0 || p->sim->switching.n_slots > 0;
    const int n = 2 * p->at->model->nv + p->at->model->n_aux;
    double *Y = numbers(a, hol__area(n, f->n));
    hol_status status = Y ? hol__linear_begin(a->l, p) : HOL_ERR_MEMORY;
    if (status) return status;
    hol__family_start(f, p->at, Y);
    status = arrive(a, p, Y, 0);
    return status ? status : take(a, p, (hol__spot){p->at->t, -1, 0}, 0);
}

/* ---- smooth motion ---- */

/* How measures follow every number of the state at node k, for integrals. */
static hol_status read_stage(hol__adjoint *a, hol__passage *p, hol__link *x, int k) {
    const hol__gather *found = a->l->found;
    hol__bundle *b = &a->bundle;
    const int n = b->n, np = a->l->family->n;
    const double weight = x->h * x->formula->b[k];
    double *unit = b->stage;
    hol_status status = hol__measure_all(p->at, a->values);
    memset(unit, 0, sizeof *unit * (size_t)n);
    for (int c = 0; c < n + np && !status; c++) {
        const hol__direction along = {unit, unit + b->nv, unit + 2 * b->nv, 0};
        if (c < n) {
            unit[c] = 1;
            status = hol_data_copy(b->side, p->at);
            if (!status)
                status = hol__nudge_measures(&b->nudge, p->at,
                                             hol__nudge_step(p->at, hol__nudge_rate(p->at), &along),
                                             1, &along, b->side, a->measures);
            unit[c] = 0;
        } else
            status = hol__family_measures(a->l->family, c - n, p->at, &b->nudge, a->measures);
        for (int i = 0; i < found->n; i++) {
            const int column = found->goals[i].column;
            if (!hol__goal_gathers(&found->goals[i])) continue;
            const double dg =
                a->measures[column] * hol__tally_weight(&found->goals[i], a->values[column]);
            if (c < n)
                x->g[hol__area(i, HOL__STAGES * n) + (size_t)(k * n + c)] = dg;
            else
                a->last->c[i * np + c - n] += weight * dg;
        }
    }
    return status;
}

/* The equations at a node, kept. */
static hol_status keep_place(hol__adjoint *a, const hol__variation_place *from,
                             hol__variation_place *to) {
    const size_t area = hol__area(a->bundle.n, from->r);
    to->r = from->r;
    to->G = numbers(a, area);
    if (from->Z) to->Z = numbers(a, area);
    if (a->arena.failed) return HOL_ERR_MEMORY;
    memcpy(to->G, from->G, sizeof(double) * area);
    if (from->Z) memcpy(to->Z, from->Z, sizeof(double) * area);
    return HOL_OK;
}

/* How columns are settled at the last node, kept. */
static hol_status keep_settling(hol__adjoint *a, hol__link *x) {
    const hol__bundle *b = &a->bundle;
    const int r = x->place[HOL__STAGES - 1].r;
    const size_t area = hol__area(b->n, a->l->family->n);
    x->E = numbers(a, hol__area(b->n, r));
    x->y_p = numbers(a, area);
    if (a->arena.failed) return HOL_ERR_MEMORY;
    hol__variation_basis(b->equations, r, x->E);
    memcpy(x->y_p, b->particular, sizeof(double) * area);
    return HOL_OK;
}

/* One step of the formula, kept. */
static hol_status add_link(hol__adjoint *a, hol__passage *p, double t, double h,
                           const double step[2]) {
    hol__bundle *b = &a->bundle;
    const size_t forced = hol__area(b->n, a->l->family->n);
    hol__link *x = HOL__NEW(&a->arena, hol__link);
    hol_status status = x ? HOL_OK : HOL_ERR_MEMORY;
    if (status) return status;
    x->h = h;
    x->formula = &a->formulas[hol__linear_inside(p, t, h, step)];
    x->before = a->last->links;
    a->last->links = x;
    if (a->l->gathers) x->g = numbers(a, hol__area(HOL__STAGES * b->n, a->l->found->n));
    for (int k = 0; k < HOL__STAGES && !status; k++) {
        status = hol__passage_look(p, t + h * x->formula->c[k]);
        if (!status) status = hol__bundle_node(b, p->at, k);
        if (!status) status = keep_place(a, hol__variation_at(b->equations, k), &x->place[k]);
        x->F[k] = numbers(a, forced);
        if (status || !x->F[k]) return status ? status : HOL_ERR_MEMORY;
        memcpy(x->F[k], hol__bundle_column(b, hol__variation_forcing(b->equations, k), b->free),
               sizeof(double) * forced);
        if (a->l->gathers) status = read_stage(a, p, x, k);
    }
    a->l->steps++;
    return !status && hol__bundle_settles(b, x->formula) ? keep_settling(a, x) : status;
}

static hol_status follow(hol__adjoint *a, hol__passage *p, double t0, double t1,
                         const double step[2]) {
    hol_status status = HOL_OK;
    for (int i = 0; i < hol__linear_parts(a->l, p) && !status; i++) {
        const double t = hol__linear_place(a->l, p, t0, t1, step, i);
        status = add_link(a, p, t, hol__linear_place(a->l, p, t0, t1, step, i + 1) - t, step);
    }
    return status;
}

static hol_status span(void *self, hol__passage *p, double t0, double t1) {
    hol__adjoint *a = self;
    const int n = hol__tally_times(a->l->found, t0, t1, a->times);
    hol_status status = HOL_OK;
    const double step[2] = {t0, t1};
    double t = t0;
    for (int i = 0; i < n && !status; i++) {
        status = follow(a, p, t, a->times[i], step);
        t = a->times[i];
        if (!status) status = hol__passage_look(p, t);
        if (!status) status = arrive(a, p, NULL, 0);
        if (!status) status = take(a, p, (hol__spot){t, -1, 0}, 0);
    }
    return status || !(t1 > t) ? status : follow(a, p, t, t1, step);
}

/* ---- changes and the end ---- */

/* The limits of integrals move, as in the direct pass, in terms of the last station. */
static void move_limits(hol__adjoint *a, const double *upper, const double *lower) {
    const hol__gather *found = a->l->found;
    const double *tau = a->bundle.dt;
    hol__station *s = a->last;
    const int np = a->l->family->n;
    for (int i = 0; i < found->n; i++) {
        if (!hol__goal_gathers(&found->goals[i])) continue;
        const double term = hol__tally_limits(found, i, upper, lower);
        for (int k = 0; k < s->size; k++) s->w[i * s->size + k] += term * tau[k];
        for (int j = 0; j < np; j++) s->c[i * np + j] += term * tau[s->size + j];
    }
}

static hol_status before(void *self, hol__passage *p, hol__change_kind kind) {
    hol__adjoint *a = self;
    hol_status status = arrive(a, p, NULL, 0);
    if (!status) status = hol__change_meet(&a->change, &a->bundle, p, kind);
    /* how the instant of a corner moves is known behind it */
    if (!status && kind != HOL__CHANGE_CORNER)
        status = take(a, p, (hol__spot){p->at->t, p->changes, 0}, 0);
    a->done = kind == HOL__CHANGE_STOP;
    return status || a->done ? status : hol__change_cross(&a->change, &a->bundle, p, kind);
}

static hol_status after(void *self, hol__passage *p, hol__change_kind kind) {
    hol__adjoint *a = self;
    hol__bundle *b = &a->bundle;
    hol_status status = hol__change_behind(&a->change, b, p, kind);
    if (!status && kind == HOL__CHANGE_CORNER)
        status = take(a, p, (hol__spot){p->at->t, p->changes - 1, 0}, 0);
    if (!status) status = take(a, p, (hol__spot){p->at->t, p->changes - 1, 1}, 0);
    if (!status) status = hol__measure_all(p->at, a->values);
    if (status) return status;
    a->done = p->sim->end == HOL_END_STOP; /* the end moves with it */
    if (a->done) return HOL_OK;
    move_limits(a, a->change.measures, a->values);
    hol__change_leave(b, p->at);
    const size_t size = hol__area(b->n, b->columns);
    double *Y = numbers(a, size);
    const int free = b->free;
    if (!Y) return HOL_ERR_MEMORY;
    memcpy(Y, b->Y, sizeof *Y * size);
    status = arrive(a, p, Y, free);
    return status ? status : take(a, p, (hol__spot){p->at->t, p->changes - 1, 2}, 0);
}

static hol_status end(void *self, hol__passage *p) {
    hol__adjoint *a = self;
    hol_status status = a->done ? HOL_OK : arrive(a, p, NULL, 0);
    if (!status && !a->done) hol__linear_move_end(a->l, p, &a->bundle);
    if (!status) status = take(a, p, (hol__spot){p->at->t, p->changes, 0}, 1);
    if (!status) status = hol__measure_all(p->at, a->values);
    if (status) return status;
    move_limits(a, a->done ? a->change.measures : a->values, NULL);
    return HOL_OK;
}

hol_status hol__linear_adjoint(hol__linear *l, hol_sim *sim) {
    static const hol__passage_watcher watcher = {begin, span, before, after, end};
    hol__adjoint a = {.l = l};
    hol__trial mirror = {0};
    hol__arena_init(&a.arena, l->goals->own);
    hol__collocation_radau(&a.formulas[0]);
    hol__collocation_gauss(&a.formulas[1]);
    a.times = numbers(&a, (size_t)l->found->n);
    a.measures = numbers(&a, (size_t)l->goals->columns);
    a.values = numbers(&a, (size_t)l->goals->columns);
    memset(l->gradient, 0, sizeof *l->gradient * hol__area(l->found->n, l->family->n));
    hol_status status = a.arena.failed ? HOL_ERR_MEMORY : HOL_OK;
    if (!status && (sim->switching.n_watches || sim->switching.n_slots))
        status = hol__trial_open(l->goals, l->family->ctx, l->p, -1, 0, NULL, &mirror);
    if (!status) status = hol__change_open(&a.change, l->family, &mirror);
    if (!status) status = hol__family_reset(l->family);
    if (!status) status = hol__passage_run(sim, &watcher, &a);
    l->too_far = a.change.too_far;
    if (!status) status = hol__adjoint_sweep(&a);
    hol__trial_close(&mirror);
    hol__bundle_close(&a.bundle);
    hol__change_close(&a.change);
    hol__arena_free(&a.arena);
    return status;
}
