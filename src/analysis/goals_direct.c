/* goals_direct.c: derivatives of goals along the run, a column for each parameter. See bundle.h. */
#include "analysis/change.h"
#include "analysis/goals_linear.h"
#include "analysis/tally.h"

#include <math.h>
#include <string.h>

/* A pass over the run. */
typedef struct direct {
    hol__linear *l;
    hol__bundle bundle;
    hol__change_work change;
    double *times;    /* room for those that goals name */
    double *measures; /* how measures follow a column */
    double *values;   /* of the measures */
    int done;         /* the columns have moved to the end of the run already */
} direct;

/* The place of the gradient for goal i and parameter j. */
static double *entry(direct *d, int i, int j) {
    return &d->l->gradient[i * d->l->family->n + j];
}

/* Values that goals take at the state of the passage. */
static hol_status take(direct *d, hol__passage *p, hol__spot place, int is_end) {
    const hol__gather *found = d->l->found;
    int some = 0;
    for (int i = 0; i < found->n; i++) some |= hol__tally_takes(found, i, place, is_end);
    hol_status status = HOL_OK;
    for (int j = 0; j < d->bundle.columns && some && !status; j++) {
        status =
            hol__bundle_measure(&d->bundle, p->at, d->bundle.Y, j, place.change < 0, d->measures);
        for (int i = 0; i < found->n; i++)
            if (hol__tally_takes(found, i, place, is_end))
                *entry(d, i, j) = d->measures[found->goals[i].column];
    }
    return status;
}

static hol_status begin(void *self, hol__passage *p) {
    direct *d = self;
    hol__family *f = d->l->family;
    hol_status status = hol__bundle_open(&d->bundle, f, p->at, 0);
    if (status) return status;
    hol__family_start(f, p->at, d->bundle.Y);
    status = hol__bundle_settle(&d->bundle, p->at);
    if (!status) status = hol__linear_begin(d->l, p);
    return status ? status : take(d, p, (hol__spot){p->at->t, -1, 0}, 0);
}

/* ---- smooth motion ---- */

/* The derivatives of integrals, from the stages of a step. */
static hol_status integrate(direct *d, hol__passage *p, const hol__collocation *f, double t,
                            double h) {
    const hol__gather *found = d->l->found;
    hol_status status = HOL_OK;
    if (!d->l->gathers) return HOL_OK;
    for (int k = 0; k < HOL__STAGES && !status; k++) {
        status = hol__passage_look(p, t + h * f->c[k]);
        if (!status) status = hol__measure_all(p->at, d->values);
        hol__variation_stage(d->bundle.equations, h, k, d->bundle.stage);
        for (int j = 0; j < d->bundle.columns && !status; j++) {
            status = hol__bundle_measure(&d->bundle, p->at, d->bundle.stage, j, 1, d->measures);
            for (int i = 0; i < found->n; i++) {
                const int column = found->goals[i].column;
                if (hol__goal_gathers(&found->goals[i]))
                    *entry(d, i, j) += h * f->b[k] *
                                       hol__tally_weight(&found->goals[i], d->values[column]) *
                                       d->measures[column];
            }
        }
    }
    return status;
}

/* From t0 to t1, within a step of the run, in steps of the formula. */
static hol_status follow(direct *d, hol__passage *p, double t0, double t1, const double step[2]) {
    hol_status status = HOL_OK;
    for (int i = 0; i < hol__linear_parts(d->l, p) && !status; i++) {
        const double t = hol__linear_place(d->l, p, t0, t1, step, i),
                     h = hol__linear_place(d->l, p, t0, t1, step, i + 1) - t;
        const hol__collocation *f =
            hol__variation_choose(d->bundle.equations, hol__linear_inside(p, t, h, step));
        for (int k = 0; k < HOL__STAGES && !status; k++) {
            status = hol__passage_look(p, t + h * f->c[k]);
            if (!status) status = hol__bundle_node(&d->bundle, p->at, k);
        }
        if (!status) status = hol__bundle_step(&d->bundle, h);
        if (!status) status = integrate(d, p, f, t, h);
        if (!status && hol__bundle_settles(&d->bundle, f))
            status = hol__bundle_settle_step(&d->bundle);
        d->l->steps++;
    }
    return status;
}

static hol_status span(void *self, hol__passage *p, double t0, double t1) {
    direct *d = self;
    const int n = hol__tally_times(d->l->found, t0, t1, d->times);
    hol_status status = HOL_OK;
    const double step[2] = {t0, t1};
    double t = t0;
    for (int i = 0; i < n && !status; i++) {
        status = follow(d, p, t, d->times[i], step);
        t = d->times[i];
        if (!status) status = hol__passage_look(p, t);
        if (!status) status = hol__bundle_settle(&d->bundle, p->at);
        if (!status) status = take(d, p, (hol__spot){t, -1, 0}, 0);
    }
    return status || !(t1 > t) ? status : follow(d, p, t, t1, step);
}

/* ---- changes ---- */

/* The limits of integrals move: upper (values of the measures there) and lower; NULL: it is the end
 * of the run. */
static void move_limits(direct *d, const double *upper, const double *lower) {
    const hol__gather *found = d->l->found;
    for (int i = 0; i < found->n; i++) {
        if (!hol__goal_gathers(&found->goals[i])) continue;
        const double term = hol__tally_limits(found, i, upper, lower);
        for (int j = 0; j < d->l->family->n; j++) *entry(d, i, j) += term * d->bundle.dt[j];
    }
}

static hol_status before(void *self, hol__passage *p, hol__change_kind kind) {
    direct *d = self;
    hol_status status = hol__bundle_settle(&d->bundle, p->at);
    if (!status) status = hol__change_meet(&d->change, &d->bundle, p, kind);
    /* how the instant of a corner moves is known behind it */
    if (!status && kind != HOL__CHANGE_CORNER)
        status = take(d, p, (hol__spot){p->at->t, p->changes, 0}, 0);
    d->done = kind == HOL__CHANGE_STOP;
    return status || d->done ? status : hol__change_cross(&d->change, &d->bundle, p, kind);
}

static hol_status after(void *self, hol__passage *p, hol__change_kind kind) {
    direct *d = self;
    hol_status status = hol__change_behind(&d->change, &d->bundle, p, kind);
    if (!status && kind == HOL__CHANGE_CORNER)
        status = take(d, p, (hol__spot){p->at->t, p->changes - 1, 0}, 0);
    if (!status) status = take(d, p, (hol__spot){p->at->t, p->changes - 1, 1}, 0);
    if (!status) status = hol__measure_all(p->at, d->values);
    if (status) return status;
    d->done = p->sim->end == HOL_END_STOP; /* the end moves with it */
    if (d->done) return HOL_OK;
    move_limits(d, d->change.measures, d->values);
    hol__change_leave(&d->bundle, p->at);
    return take(d, p, (hol__spot){p->at->t, p->changes - 1, 2}, 0);
}

/* ---- the end ---- */

static hol_status end(void *self, hol__passage *p) {
    direct *d = self;
    const hol__gather *found = d->l->found;
    hol_status status = d->done ? HOL_OK : hol__bundle_settle(&d->bundle, p->at);
    if (!status && !d->done) hol__linear_move_end(d->l, p, &d->bundle);
    if (!status) status = take(d, p, (hol__spot){p->at->t, p->changes, 0}, 1);
    if (!status) status = hol__measure_all(p->at, d->values);
    if (status) return status;
    move_limits(d, d->done ? d->change.measures : d->values, NULL);
    for (int i = 0; i < found->n; i++)
        for (int j = 0; j < d->bundle.columns; j++) *entry(d, i, j) /= hol__tally_divisor(found, i);
    return HOL_OK;
}

hol_status hol__linear_direct(hol__linear *l, hol_sim *sim) {
    static const hol__passage_watcher watcher = {begin, span, before, after, end};
    direct d = {.l = l};
    hol__arena room;
    hol__arena_init(&room, l->goals->own);
    d.times = HOL__NEW_N(&room, double, l->found->n + 1);
    d.measures = HOL__NEW_N(&room, double, l->goals->columns + 1);
    d.values = HOL__NEW_N(&room, double, l->goals->columns + 1);
    memset(l->gradient, 0, sizeof *l->gradient * hol__area(l->found->n, l->family->n));
    hol_status status = room.failed ? HOL_ERR_MEMORY : hol__change_open(&d.change, l->family, NULL);
    if (!status) status = hol__family_reset(l->family);
    if (!status) status = hol__passage_run(sim, &watcher, &d);
    l->too_far = d.change.too_far;
    hol__bundle_close(&d.bundle);
    hol__change_close(&d.change);
    hol__arena_free(&room);
    return status;
}
