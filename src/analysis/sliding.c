/* sliding.c: boundaries of laws that the motion cannot leave. See sliding.h. */
#include "analysis/sliding.h"

#include "analysis/nudge.h"
#include "dyn/probe.h"

#include <math.h>
#include <string.h>

/* A boundary is crossed by that time, at times of 1 s; steps end as close to it. */
static const double MOMENT = 1e-9;

/* A rate is zero to that share of the other one: differences are no better. */
static const double ROUNDING = 1e-9;

/* What is looked at: a state, and room for one beyond the boundary and for others near these. */
typedef struct crossing {
    hol__nudge nudge;
    hol_data *at, *beyond, *side;
} crossing;

static double moment_at(double t) {
    return MOMENT * fmax(1, fabs(t));
}

/* The motion of a solved state. */
static hol__direction motion_of(const hol_data *d) {
    return (hol__direction){d->v, d->a, d->aux_rate, 1};
}

/* Number k near a solved state: its rate along the motion of that state. */
static hol_status rate_of(crossing *x, const hol_data *at, int k, double *out) {
    const hol__direction motion = motion_of(at);
    const double h = hol__nudge_step(at, hol__nudge_rate(at), &motion);
    hol_status status = hol_data_copy(x->side, at);
    *out = 0;
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        hol__nudge_put(&x->nudge, at, hol__stencil[i].at * h, &motion, x->side);
        status = hol_data_update(x->side, HOL_STAGE_DYN);
        *out += hol__stencil[i].weight / h * *hol__recorded(x->side->scratch, k);
    }
    return status;
}

/* Where the element stands in the file. */
static const hol_location *place_of(const hol_model *m, const char *label) {
    for (int i = 0; i < m->n_forces; i++)
        if (strcmp(m->forces[i].label, label) == 0) return &m->forces[i].where;
    for (int i = 0; i < m->n_joints; i++)
        if (strcmp(m->joints[i].label, label) == 0) return &m->joints[i].where;
    return NULL;
}

static hol_status refuse(hol_context *ctx, const hol_model *m, int k, double t) {
    const char *label = m->corners[k].label;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_TOLERANCE, place_of(m, label), label,
                       "at t = %.6g the motion cannot leave a condition in its law: on either side "
                       "the law drives it back to the other (dry friction that sticks), so that "
                       "the run chatters and has no derivatives; make the law continuous, such as "
                       "tanh(v/0.01) instead of sign(v), or use a force of type 'friction', which "
                       "is regularised or has bristles (model: lugre)",
                       t);
}

/* Whether the motion comes to a boundary of number k within the time `reach`, and is driven back
 * behind it; *when: the time it takes. */
static hol_status is_driven_back(crossing *x, int k, double reach, double *when, int *back) {
    const hol__corner *c = &x->at->model->corners[k];
    const double now = *hol__recorded(x->at->scratch, k);
    double rate, behind;
    *back = 0;
    hol_status status = rate_of(x, x->at, k, &rate);
    const double then = now + rate * reach;
    if (status || hol__cell(&c->cells, then) == hol__cell(&c->cells, now)) return status;
    *when = fmax(0, (hol__cell_boundary(&c->cells, now, then) - now) / rate);
    const hol__direction motion = motion_of(x->at);
    hol__nudge_put(&x->nudge, x->at, *when + moment_at(x->at->t), &motion, x->beyond);
    status = hol__data_accelerate(x->beyond);
    const double there = *hol__recorded(x->beyond->scratch, k);
    /* a law that bends may not get there */
    if (status || hol__cell(&c->cells, there) == hol__cell(&c->cells, now)) return status;
    status = rate_of(x, x->beyond, k, &behind);
    *back = rate * behind < 0 && fabs(behind) > ROUNDING * fabs(rate);
    return status;
}

/* All boundaries that may be met within the time `reach` from a solved state. */
static hol_status check(hol_context *ctx, hol_data *at, double reach) {
    const hol_model *m = at->model;
    crossing x = {.at = at};
    hol__arena room;
    if (!m->n_corners) return HOL_OK;
    hol__arena_init(&room, ctx);
    x.beyond = hol_data_new(at->ctx, m);
    x.side = hol_data_new(at->ctx, m);
    hol_status status = x.beyond && x.side && hol__nudge_init(&x.nudge, m, &room)
                            ? hol_data_copy(x.beyond, at)
                            : HOL_ERR_MEMORY;
    for (int k = 0; k < m->n_corners && !status; k++) {
        double when = 0;
        int back = 0;
        if (m->corners[k].thick < 0) continue;
        status = is_driven_back(&x, k, reach, &when, &back);
        if (back) status = refuse(ctx, m, k, at->t + when);
    }
    hol_data_free(x.beyond);
    hol_data_free(x.side);
    hol__arena_free(&room);
    return status;
}

/* ---- as the watcher of a run ---- */

static hol_status begin(void *self, hol__passage *p) {
    const hol__sliding *s = self;
    return hol__gather_watcher.begin(s->gather, p);
}

static hol_status span(void *self, hol__passage *p, double t0, double t1) {
    const hol__sliding *s = self;
    const double step = p->sim->options[HOL__OPT_STEP];
    hol_status status = HOL_OK;
    if (step > 0 && p->sim->data->model->n_corners) {
        status = hol__passage_look(p, t0);
        if (!status) status = check(s->ctx, p->at, step);
    }
    return status ? status : hol__gather_watcher.span(s->gather, p, t0, t1);
}

static hol_status before(void *self, hol__passage *p, hol__change_kind kind) {
    const hol__sliding *s = self;
    hol_status status = HOL_OK;
    if (kind == HOL__CHANGE_CORNER) status = check(s->ctx, p->at, moment_at(p->at->t));
    return status ? status : hol__gather_watcher.before(s->gather, p, kind);
}

static hol_status after(void *self, hol__passage *p, hol__change_kind kind) {
    const hol__sliding *s = self;
    return hol__gather_watcher.after(s->gather, p, kind);
}

static hol_status end(void *self, hol__passage *p) {
    const hol__sliding *s = self;
    return hol__gather_watcher.end(s->gather, p);
}

const hol__passage_watcher hol__sliding_watcher = {begin, span, before, after, end};
