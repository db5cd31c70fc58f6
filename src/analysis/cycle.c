/* cycle.c: the monodromy matrix of a periodic motion. See cycle.h. */
#include "analysis/cycle.h"

#include "analysis/settle.h"
#include "analysis/variation.h"
#include "la/cod.h"
#include "math/quat.h"
#include "sim/sim.h"

#include <math.h>
#include <string.h>

enum { FIRST_STEPS = 16, MOST_STEPS = 4096, ROUNDS = 25 };

/* How far a motion may be from repeating itself. */
#define REPEATS 1e-6

/* Everything that a search for a cycle works with. */
typedef struct search {
    hol_sim *sim;
    hol__cycle *cycle;
    hol_data *start; /* the state at the begin of the period */
    hol__variation_equations *equations;
    double tolerance;
    double *X; /* over the bodies: what is missed */
} search;

/* sim at the state of start. */
static hol_status restart(search *c) {
    hol_status status = hol_data_copy(hol_sim_data(c->sim), c->start);
    if (!status) status = hol_sim_restart(c->sim, c->start->t, c->start->q, c->start->v);
    if (!status && c->start->model->n_aux) hol__data_set_aux(hol_sim_data(c->sim), c->start->aux);
    return status;
}

/* How often joints, forces and events did something. */
static long happenings(const hol_sim *sim) {
    hol_sim_info info = {.size = sizeof info};
    hol_sim_describe(sim, &info);
    return info.switches + info.events;
}

static hol_status refuse_happenings(search *c) {
    return hol__report(
        c->start->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
        "within the period %.10g s joints or forces take hold or let go, or an event "
        "happens; the linear equations of a cycle are those of a smooth motion only",
        c->cycle->period);
}

/* The perturbations over one period in so many steps; sim is at its end afterwards. */
static hol_status integrate(search *c, int steps, double *M) {
    const double t0 = c->start->t, h = c->cycle->period / steps;
    const hol__collocation *f = hol__variation_choose(c->equations, 1);
    hol_status status = restart(c);
    const long before = happenings(c->sim);
    if (!status) hol__variation_begin(c->equations, &c->cycle->small->p);
    for (int i = 0; i < steps && !status; i++) {
        for (int k = 0; k < HOL__STAGES && !status; k++) {
            status = hol_sim_advance(c->sim, t0 + h * (i + f->c[k]));
            if (!status) status = hol__variation_node(c->equations, hol_sim_data(c->sim), k);
        }
        if (!status) status = hol__variation_step(c->equations, h);
    }
    if (!status) status = hol_sim_advance(c->sim, t0 + c->cycle->period);
    if (!status && happenings(c->sim) != before) return refuse_happenings(c);
    if (!status) hol__variation_end(c->equations, &c->cycle->small->p, M);
    return status;
}

/* M with enough steps. */
static hol_status monodromy(search *c) {
    hol__cycle *cycle = c->cycle;
    const size_t size = hol__area(cycle->small->p.n, cycle->small->p.n);
    double *last = HOL__NEW_N(&cycle->small->matrices, double, size + 1);
    cycle->M = HOL__NEW_N(&cycle->small->matrices, double, size + 1);
    if (!last || !cycle->M) return HOL_ERR_MEMORY;
    cycle->uncertain = INFINITY;
    hol_status status = integrate(c, FIRST_STEPS, last);
    for (int steps = 2 * FIRST_STEPS;
         !status && steps <= MOST_STEPS && !(cycle->uncertain <= c->tolerance); steps *= 2) {
        status = integrate(c, steps, cycle->M);
        double most = 1e-300, change = 0;
        for (size_t i = 0; i < size; i++) {
            most = fmax(most, fabs(cycle->M[i]));
            change = fmax(change, fabs(cycle->M[i] - last[i]));
        }
        /* as if the order were six at least: of the change the last result has a 63rd */
        cycle->uncertain = change / most / 63;
        cycle->steps = steps;
        memcpy(last, cycle->M, sizeof(double) * size);
    }
    return status;
}

/* What the state of sim misses that of start by, over the bodies in the units of E; the largest of
 * it. */
static double miss(search *c) {
    hol_data *end = hol_sim_data(c->sim), *start = c->cycle->small->data;
    const hol_model *m = start->model;
    const int width = m->bw * m->nb;
    const double L = hol__mechanism_size(m), rate = c->cycle->small->rate;
    double most = 0;
    hol_data_update(end, HOL_STAGE_VEL);
    hol_data_update(start, HOL_STAGE_VEL);
    for (int i = 0; i < m->nb; i++) {
        double *x = c->X + m->bw * i, *V = x + width;
        if (m->dim == 2) {
            const hol__body2 *a = &start->bodies.b2[i], *b = &end->bodies.b2[i];
            for (int k = 0; k < 2; k++)
                x[k] = (b->r[k] - a->r[k]) / L, V[k] = (b->v[k] - a->v[k]) / L;
            x[2] = remainder(b->theta - a->theta, 2 * acos(-1.0));
            V[2] = b->w - a->w;
            continue;
        }
        const hol__body3 *a = &start->bodies.b3[i], *b = &end->bodies.b3[i];
        double p[4];
        hol__quat_mul_c(a->p, b->p, p);
        if (p[0] < 0)
            for (int k = 0; k < 4; k++) p[k] = -p[k];
        hol__quat_log(p, x + 3);
        for (int k = 0; k < 3; k++) {
            x[k] = (b->r[k] - a->r[k]) / L;
            V[k] = (b->v[k] - a->v[k]) / L;
            V[k + 3] = b->w[k] - a->w[k];
        }
    }
    for (int i = 0; i < width; i++)
        most = fmax(most, fmax(fabs(c->X[i]), fabs(c->X[width + i]) / rate));
    for (int z = 0; z < m->n_aux; z++) {
        c->X[2 * width + z] = end->aux[z] - start->aux[z];
        most = fmax(most, fabs(c->X[2 * width + z]) / (1 + fabs(start->aux[z])));
    }
    return most;
}

/* One round of Newton's iteration: start moves by the s of least size with (M - 1) s = - missed. */
static hol_status shoot(search *c) {
    hol__small *s = c->cycle->small;
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    const int n = p->n;
    hol__arena *arena = &s->matrices;
    hol__cod *cod = hol__cod_new(arena, n > 0 ? n : 1, n);
    double *g = HOL__NEW_N(arena, double, n + 1), *step = HOL__NEW_N(arena, double, n + 1),
           *dq = HOL__NEW_N(arena, double, m->nv + 1), *v = HOL__NEW_N(arena, double, m->nv + 1),
           *q = HOL__NEW_N(arena, double, m->nq + 1);
    if (!cod || arena->failed) return HOL_ERR_MEMORY;
    hol__small_states(s, c->X, g);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            cod->qr->a[hol__area(j, n) + (size_t)i] =
                (c->cycle->M[hol__area(j, n) + (size_t)i] - (i == j)) * s->scale[j] / s->scale[i];
        g[i] = -g[i] / s->scale[i];
    }
    if (hol__cod_factor(cod)) return HOL_ERR_SINGULAR;
    hol__cod_truncate(cod, hol__cod_rank(cod, 1e-9));
    hol__cod_solve(cod, g, step);
    for (int j = 0; j < n; j++) step[j] *= s->scale[j];
    memcpy(v, s->data->v, sizeof(double) * (size_t)m->nv);
    hol__dense_mul(m->nv, n, 1, p->dq, step, 0, dq);
    hol__dense_mul(m->nv, n, 1, p->dv, step, 1, v);
    m->coords->plus(m, s->data->q, dq, q);
    hol_data_set(c->start, c->start->t, q, v);
    for (int z = 0; z < m->n_aux; z++) dq[z] = s->data->aux[z] + step[p->n_q + p->n_v + z];
    if (m->n_aux) hol__data_set_aux(c->start, dq);
    hol_status status = hol__perturb_close(c->start, arena);
    hol__small *next = NULL;
    if (!status) status = hol__small_new(c->start, 0, &next);
    if (status) return status;
    hol__small_free(c->cycle->small);
    c->cycle->small = next;
    return HOL_OK;
}

static hol_status refuse_missed(search *c) {
    return hol__report(c->start->ctx, HOL_ERROR, HOL_ERR_TOLERANCE, NULL, NULL,
                       "the motion does not repeat itself after %.10g s: it misses its start by "
                       "%.3g (lengths of the mechanism, radians, or these at its fastest rate); "
                       "give its period, start where it has settled (--at), or let the cycle be "
                       "sought (--about steady)",
                       c->cycle->period, c->cycle->missed);
}

/* M, and a motion that repeats itself. */
static hol_status find(search *c, int settle) {
    hol_status status = monodromy(c);
    c->cycle->missed = status ? INFINITY : miss(c);
    double last = INFINITY;
    for (int i = 0; i < ROUNDS && settle && !status && c->cycle->missed > 1e-11; i++) {
        if (c->cycle->missed < REPEATS && c->cycle->missed > 0.5 * last) break;
        last = c->cycle->missed;
        status = shoot(c);
        if (!status) status = monodromy(c);
        if (!status) c->cycle->missed = miss(c);
    }
    if (!status && !(c->cycle->missed <= REPEATS)) return refuse_missed(c);
    return status;
}

hol_status hol__cycle_new(hol_sim *sim, double period, int settle, double tolerance,
                          hol__cycle **out) {
    hol_data *data = hol_sim_data(sim);
    const hol_model *m = data->model;
    hol__cycle *cycle = *out = hol__alloc(data->ctx, 1, sizeof *cycle);
    if (!cycle) return HOL_ERR_MEMORY;
    cycle->ctx = data->ctx;
    cycle->period = period;
    search c = {.sim = sim, .cycle = cycle, .tolerance = tolerance};
    hol__sim_hold_loosely(sim);
    hol_status status = hol__perturb_copy(data, &c.start);
    c.X = hol__alloc(data->ctx, hol__area(2 * m->bw, m->nb) + (size_t)m->n_aux + 1, sizeof *c.X);
    if (!status && !c.X) status = HOL_ERR_MEMORY;
    if (!status) status = hol__small_new(c.start, 0, &cycle->small);
    if (!status) status = hol__variation_new(c.start, 0, &c.equations);
    if (!status) status = find(&c, settle);
    hol__variation_free(c.equations);
    hol__release(data->ctx, c.X);
    hol_data_free(c.start);
    if (!status) return HOL_OK;
    hol__cycle_free(cycle);
    *out = NULL;
    return status > 0 ? hol__data_answer(data, status) : status;
}

void hol__cycle_free(hol__cycle *cycle) {
    if (!cycle) return;
    hol__small_free(cycle->small);
    hol__release(cycle->ctx, cycle);
}
