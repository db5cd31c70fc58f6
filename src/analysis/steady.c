/* steady.c: the search for a steady motion. See steady.h. */
#include "analysis/steady.h"

#include "analysis/linearize.h"
#include "analysis/settle.h"
#include "analysis/static_contact.h"
#include "analysis/static_search.h"

#include <math.h>
#include <string.h>

/* How far from a state a motion may be that is taken at once, in lengths and radians. */
static const double near_by = 0.5;

typedef enum kind { RIDE, NEAR, FREE } kind;

typedef struct search {
    hol__static_case *c;
    hol__equilibrium *e;
    hol_data *start;   /* where it begins */
    hol__small *small; /* the linear equations of what a way came to; NULL: not steady */
    double far;        /* how far that is from the start, in lengths and radians */
    double off;        /* the least that accelerations missed on all ways … */
    int body;          /* … and the body that missed most there; -1: none */
    int fits;          /* an instant was that of a steady motion which did not stay one */
} search;

/* ---- one way ---- */

/* Back to the start, with the gaps that are closed there. */
static hol_status begin_again(search *w) {
    hol__static_case *c = w->c;
    hol__static_ride(c->system, NULL);
    if (!c->gaps) return hol_data_copy(c->data, w->start);
    memcpy(c->data->q, w->start->q, sizeof(double) * (size_t)w->start->model->nq);
    memcpy(c->data->v, w->start->v, sizeof(double) * (size_t)w->start->model->nv);
    hol_data_set(c->data, w->start->t, NULL, NULL);
    if (w->start->model->n_aux) hol__data_set_aux(c->data, w->start->aux);
    hol__frame_free(c->ctx, c->frame);
    c->frame = NULL;
    return hol__static_case_touch(c);
}

/* To the balance of forces in the frame of the start. */
static hol_status ride(search *w, int which) {
    hol__static_case *c = w->c;
    hol_status status = hol__steady_frame(c, which);
    if (status) return status;
    /* what is near has been looked for: from farther away, downhill */
    const hol__statics_method method = w->e->method;
    if (method == HOL__STATICS_NEWTON) w->e->method = HOL__STATICS_AUTO;
    status = c->gaps ? hol__static_case_rounds(c, w->e) : hol__equilibrium_find(c->system, w->e);
    w->e->method = method;
    return status;
}

/* Newton's iteration on positions and velocities. */
static hol_status settle(search *w, int which, int freely) {
    hol__static_case *c = w->c;
    hol__small *s = NULL;
    hol_status status = hol__small_blank(c->data, &s);
    if (!status) status = hol__settle(s, which, freely);
    if (!status) status = hol_data_copy(c->data, s->data);
    hol__small_free(s);
    if (status || !c->gaps) return status;
    return hol__static_passes(c->system) ? HOL_RETRY : hol__static_case_touch(c);
}

/* The body whose velocity or acceleration is farthest from that of the carrier. */
static int farthest_body(const hol__small *s) {
    const hol_model *m = s->model;
    const int width = m->bw * m->nb;
    double *room = HOL__NEW_N(&((hol__small *)s)->arena, double, 2 * width + 1), most = -1;
    int at = -1;
    if (!room) return -1;
    hol__carrier_residual(&s->carrier, s->data, room, room + width);
    for (int i = 0; i < m->nb; i++) {
        const double size = hol__norm(room + width + m->bw * i, m->bw);
        if (size > most) most = size, at = i;
    }
    return at;
}

/* What kind of motion it came to, riding a frame or not: keeps its linear equations where it is
 * steady. */
static hol_status judge(search *w, int riding) {
    const hol_data *data = w->c->data;
    const hol_model *m = data->model;
    hol__small *s = NULL;
    w->far = INFINITY;
    hol_status status = hol__small_blank(data, &s);
    if (!status) status = hol__small_found(s);
    if (!status && s->off < w->off) w->off = s->off, w->body = farthest_body(s);
    if (!status) w->fits |= s->off <= HOL__STEADY;
    /* light bodies may turn what is left of forces into much: at rest the forces decide */
    if (!status && riding && hol__norm(data->v, m->nv) == 0) s->motion = HOL__MOTION_REST;
    if (status || s->motion == HOL__MOTION_STATE) {
        hol__small_free(s);
        return status < 0 ? status : HOL_OK;
    }
    double *d = HOL__NEW_N(&s->arena, double, m->nv + 1);
    w->small = s;
    if (!d) return HOL_ERR_MEMORY;
    m->coords->minus(m, data->q, w->start->q, d);
    w->far = 0;
    for (int j = 0; j < m->nv; j++) w->far = fmax(w->far, fabs(d[j]) / hol__coordinate_size(m, j));
    return HOL_OK;
}

/* One way from the start; w->small is NULL where it leads to no steady motion. */
static hol_status try_way(search *w, kind way, int which) {
    hol__small_free(w->small);
    w->small = NULL;
    w->far = INFINITY;
    hol_status status = begin_again(w);
    if (!status) status = way == RIDE ? ride(w, which) : settle(w, which, way == FREE);
    if (!status) status = judge(w, way == RIDE);
    return status < 0 ? status : HOL_OK;
}

/* ---- all ways ---- */

/* Say that no way led to a steady motion. */
static hol_status none(const search *w) {
    const hol_model *m = w->c->data->model;
    const hol__body *b = w->body >= 0 && w->body < m->nb ? &m->bodies[w->body] : NULL;
    if (w->fits)
        return hol__report(w->c->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, b ? &b->where : NULL,
                           b ? b->label : "steady motion",
                           "no steady motion was found near this state: carried on with its "
                           "velocities the mechanism does not stay the same (a body that turns is "
                           "not symmetric about its axis, gravity is across the axis, or something "
                           "depends on where it is); a motion that repeats itself has linearize "
                           "--floquet");
    return hol__report(w->c->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, b ? &b->where : NULL,
                       b ? b->label : "steady motion",
                       "no steady motion was found near this state: where the search ended, its "
                       "accelerations still miss one by %.3g of their size; start nearer to it, "
                       "give drivers constant rates, or start from a later time of a damped run "
                       "(linearize --at); what only repeats itself, as a crank with its rod does, "
                       "is no steady motion and has linearize --floquet",
                       w->off);
}

/* All ways in their order: the first, or, near, the nearest unless one is near by. */
static hol_status go(search *w) {
    static const kind orders[2][3] = {{RIDE, NEAR, FREE}, {NEAR, FREE, RIDE}};
    const int near = w->e->method == HOL__STATICS_NEWTON;
    double least = INFINITY;
    int best = -1, last = -1;
    for (int i = 0; i < 3 * HOL__FRAMES; i++) {
        const kind way = orders[near][i / HOL__FRAMES];
        const int which = i % HOL__FRAMES;
        if (way != RIDE && which >= HOL__CARRIERS) continue;
        const hol_status status = try_way(w, way, which);
        if (status) return status;
        last = i;
        if (w->small && w->far < least) best = i, least = w->far;
        if (w->small && (!near || w->far <= near_by)) return HOL_OK;
    }
    if (best < 0) return none(w);
    return best == last ? HOL_OK : try_way(w, orders[near][best / HOL__FRAMES], best % HOL__FRAMES);
}

/* The system rides the frame that was found with the motion, unless it has come there riding. */
static hol_status take(search *w) {
    hol__static_case *c = w->c;
    hol__equilibrium *e = w->e;
    if (c->system->carrier) return HOL_OK;
    hol__frame_free(c->ctx, c->frame);
    c->frame = hol__alloc(c->ctx, 1, sizeof *c->frame);
    if (!c->frame) return HOL_ERR_MEMORY;
    c->frame->which = -1;
    hol__arena_init(&c->frame->arena, c->ctx);
    c->frame->carrier = hol__carrier_new(c->data->model, &c->frame->arena);
    if (c->frame->arena.failed) return HOL_ERR_MEMORY;
    hol__carrier_copy(c->data->model, &w->small->carrier, &c->frame->carrier);
    hol_status status = hol__static_ride(c->system, &c->frame->carrier);
    if (!status) status = hol__static_evaluate(c->system);
    if (!status) status = hol__static_stiffness(c->system);
    e->residual = hol__static_unbalance(c->system);
    e->rest = hol__static_unrest(c->system, &e->state);
    e->moved = w->far * hol__mechanism_size(c->data->model);
    return status;
}

/* How many of its small motions grow. */
static hol_status count_growing(search *w) {
    hol__spectrum x;
    const hol_status status = hol__small_spectrum(w->small, NULL, &x);
    for (int k = 0; !status && k < x.n - x.n_zero; k++)
        w->c->frame->growing += x.re[k] > 1e-10 * hypot(x.re[k], x.im[k]);
    return status;
}

hol_status hol__steady_find(hol__static_case *c, hol__equilibrium *e, hol__small **small) {
    search w = {.c = c, .e = e, .off = INFINITY, .body = -1};
    if (small) *small = NULL;
    w.start = hol_data_new(c->ctx, c->data->model);
    hol_status status = w.start ? hol_data_copy(w.start, c->data) : HOL_ERR_MEMORY;
    if (!status) status = go(&w);
    if (!status) status = take(&w);
    if (!status) status = count_growing(&w);
    if (!status && small)
        *small = w.small;
    else
        hol__small_free(w.small);
    hol_data_free(w.start);
    return status;
}

hol_status hol__steady_about(const hol_data *data, hol__small **out) {
    hol__static_case c = {.ctx = data->ctx, .model = (hol_model *)data->model, .steady = 1};
    hol__equilibrium e = {.method = HOL__STATICS_NEWTON, .tolerance = 1e-11};
    hol__arena arena;
    *out = NULL;
    hol__arena_init(&arena, data->ctx);
    c.data = hol_data_new(data->ctx, data->model);
    hol_status status = c.data ? hol_data_copy(c.data, data) : HOL_ERR_MEMORY;
    if (!status) status = hol__perturb_close(c.data, &arena);
    if (!status) status = hol__static_new(c.data, &c.system);
    if (!status) status = hol__steady_find(&c, &e, out);
    if (status > 0) status = hol__data_answer(c.data, status);
    hol__static_case_forget(&c);
    hol__arena_free(&arena);
    return status;
}

hol_status hol__steady_check(hol__static_case *c, int *steady) {
    hol__small *s = NULL;
    hol_status status = hol__small_blank(c->data, &s);
    if (!status) status = hol__small_found(s);
    *steady = !status && s->motion != HOL__MOTION_STATE;
    hol__small_free(s);
    return status < 0 ? status : HOL_OK;
}
