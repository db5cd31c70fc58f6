/* settle.c: steady states. See settle.h. */
#include "analysis/settle.h"

#include "la/cod.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

enum { STEPS = 60, HALVINGS = 12, CARRIERS = 12 };

/* ---- is it steady? ---- */

hol_status hol__settle_off(hol_data *data, const hol__carrier *carrier, double *out) {
    const hol_model *m = data->model;
    double speed, acceleration, off = 0;
    double *room = hol__alloc(data->ctx, 2 * hol__area(m->bw, m->nb) + 1, sizeof *room);
    if (!room) return HOL_ERR_MEMORY;
    hol__carrier_residual(carrier, data, room, room + m->bw * m->nb);
    hol__motion_scales(data, &speed, &acceleration);
    speed = fmax(speed, sqrt(acceleration * hol__mechanism_size(m)));
    if (speed > 0) off = hol__motion_largest(m, room) / speed;
    if (acceleration > 0)
        off = fmax(off, hol__motion_largest(m, room + m->bw * m->nb) / acceleration);
    for (int z = 0; z < m->n_aux; z++)
        off = fmax(off, fabs(data->aux_rate[z]) / (1 + fabs(data->aux[z])));
    hol__release(data->ctx, room);
    *out = off;
    return HOL_OK;
}

/* ---- is it carried by symmetries? ---- */

/* The fastest and the slowest rate of the carrier, in radians and lengths of the mechanism. */
static void rates(const hol__small *s, double *fast, double *slow) {
    const hol__carrier *c = &s->carrier;
    const double L = hol__mechanism_size(s->model);
    *fast = 0, *slow = INFINITY;
    for (int i = -2 * c->parts; i < s->model->nb; i++) {
        const double *screw = c->screw + (i < 0 ? 6 * ((-1 - i) / 2) : 0);
        const double rate = i >= 0  ? hol__norm3(c->spin + 3 * i)
                            : i % 2 ? hol__norm3(screw + 3)
                                    : hol__norm3(screw) / L;
        if (rate > 0) *fast = fmax(*fast, rate), *slow = fmin(*slow, rate);
    }
}

/* Column k of E or F carried on by tau, into out. */
static void carry_column(const hol__small *s, const double *from, int k, double tau, double *out) {
    const int width = s->model->bw * s->model->nb;
    memcpy(out, from + hol__area(k, s->rows), sizeof(double) * (size_t)s->rows);
    hol__carrier_turn(&s->carrier, s->model, tau, out, out + width);
}

/* The largest share by which the linear equations at `there` differ from those of s carried on. */
static hol_status differ(const hol__small *s, hol__small *there, double tau, double *share) {
    const int n = s->p.n, rows = s->rows;
    hol__arena *arena = &there->matrices;
    double *x = HOL__NEW_N(arena, double, rows + 1), *f = HOL__NEW_N(arena, double, rows + 1),
           *c = HOL__NEW_N(arena, double, n + 1);
    *share = there->p.n == n ? 0 : INFINITY;
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int k = 0; k < n && there->p.n == n; k++) {
        carry_column(s, s->E, k, tau, x);
        carry_column(s, s->F, k, tau, f);
        const double size_x = hol__norm(x, rows), size_f = hol__norm(f, rows);
        hol__small_states(there, x, c);
        hol__dense_mul(rows, n, -1, there->E, c, 1, x);
        hol__dense_mul(rows, n, -1, there->F, c, 1, f);
        *share = fmax(*share, hol__norm(x, rows) / size_x);
        if (size_f > 0) *share = fmax(*share, hol__norm(f, rows) / fmax(size_f, size_x));
    }
    return HOL_OK;
}

/* The same mechanism after the time tau? */
static hol_status is_same(hol__small *s, double tau, int *same) {
    hol__small there = {.model = s->model, .carrier = s->carrier};
    double share = INFINITY, off = INFINITY;
    hol__arena_init(&there.arena, s->arena.ctx);
    hol__arena_init(&there.matrices, s->arena.ctx);
    there.data = hol_data_new(s->arena.ctx, s->model);
    hol_status status = there.data ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) hol__carrier_move(&s->carrier, s->data, tau, there.data);
    if (!status) status = hol__tangent_new(there.data, &there.tangent);
    if (!status) status = hol__accelerator_new(there.data, &there.accelerator);
    if (!status) status = hol__small_matrix(&there);
    if (!status) status = differ(s, &there, tau, &share);
    if (!status) status = hol__settle_off(there.data, &s->carrier, &off);
    *same = !status && share <= HOL__STEADY && off <= 10 * HOL__STEADY;
    hol__tangent_free(there.tangent);
    hol__accelerator_free(there.accelerator);
    hol_data_free(there.data);
    hol__arena_free(&there.matrices);
    hol__arena_free(&there.arena);
    return status == HOL_ERR_MEMORY ? status : HOL_OK;
}

hol_status hol__settle_is_carried(hol__small *s, int *carried) {
    double fast, slow;
    rates(s, &fast, &slow);
    hol_status status = is_same(s, 0.11 / fast, carried);
    if (!status && *carried && slow < 0.9 * fast) status = is_same(s, 0.11 / slow, carried);
    return status;
}

/* ---- the way to a steady state ---- */

typedef struct newton {
    hol__small *s;
    double *residual, *step, *q, *v, *z; /* rows; n + parts; the state that is left */
    double size;
    int parts;           /* of the carrier, that may become faster or slower; 0: none */
    int *body;           /* by part: whose spin; -1 - k: screw motion k … */
    double *unit;        /* … and the fastest of them over its own speed */
    hol__carrier before; /* the carrier that is left */
    double *column;      /* rows */
} newton;

/* The residual with a carrier at the state in s, in the units of E. */
static void residual_of(const hol__small *s, const hol__carrier *carrier, double *out) {
    const hol_model *m = s->model;
    const int width = m->bw * m->nb;
    const double unit = 1 / hol__mechanism_size(m);
    hol__carrier_residual(carrier, s->data, out, out + width);
    for (int i = 0; i < 2 * width; i++)
        if (hol__is_length(m, i)) out[i] *= unit;
    for (int z = 0; z < m->n_aux; z++) out[2 * width + z] = s->data->aux_rate[z];
}

/* The same at the state in s, which is solved. */
static hol_status look(newton *w) {
    hol__small *s = w->s;
    const hol_model *m = s->model;
    const int width = m->bw * m->nb;
    const hol_status status = hol__accelerator_state(s->accelerator);
    if (status) return status;
    residual_of(s, &s->carrier, w->residual);
    w->size = hol__norm(w->residual, 2 * width + m->n_aux);
    return isfinite(w->size) ? HOL_OK : HOL_NONFINITE;
}

/* A part of the carrier becomes so many times faster. */
static void speed_up(const newton *w, int part, double by) {
    hol__carrier *c = &w->s->carrier;
    const int body = w->body[part];
    for (int k = 0; k < 6 && body < 0; k++) c->screw[6 * (-1 - body) + k] *= by;
    for (int k = 0; k < 3 && body >= 0; k++) c->spin[3 * body + k] *= by;
}

/* How the residual, which is linear in the carrier, follows a part of it: E^+ of that into out. */
static void part_column(newton *w, int part, double *out) {
    hol__small *s = w->s;
    speed_up(w, part, 2);
    residual_of(s, &s->carrier, w->column);
    speed_up(w, part, 0.5);
    for (int i = 0; i < s->rows; i++)
        w->column[i] = w->unit[part] * (w->column[i] - w->residual[i]);
    hol__small_states(s, w->column, out);
}

/* The step of least size, in units of the states and shares of the fastest part of the carrier,
 * with A step = - E^+ residual; rows of A taken to length 1. */
static hol_status direction(newton *w) {
    hol__small *s = w->s;
    const int n = s->p.n, all = n + w->parts;
    hol__arena *arena = &s->matrices;
    hol__cod *A = hol__cod_new(arena, n, all);
    double *g = HOL__NEW_N(arena, double, n + 1);
    if (!A || arena->failed) return HOL_ERR_MEMORY;
    if (!n) return HOL_OK;
    hol__small_states(s, w->residual, g);
    double *a = A->qr->a;
    memcpy(a, s->A, sizeof(double) * hol__area(n, n));
    for (int k = 0; k < w->parts; k++) part_column(w, k, a + hol__area(n + k, n));
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < all; j++) {
            if (w->parts && j < n) a[hol__area(j, n) + (size_t)i] *= s->scale[j];
            sum += a[hol__area(j, n) + (size_t)i] * a[hol__area(j, n) + (size_t)i];
        }
        const double weight = sum > 0 ? 1 / sqrt(sum) : 0;
        for (int j = 0; j < all; j++) a[hol__area(j, n) + (size_t)i] *= weight;
        g[i] *= -weight;
    }
    if (hol__cod_factor(A)) return HOL_ERR_SINGULAR;
    hol__cod_truncate(A, hol__cod_rank(A, 1e-10));
    hol__cod_solve(A, g, w->step);
    for (int j = 0; w->parts && j < n; j++) w->step[j] *= s->scale[j];
    for (int k = 0; k < w->parts; k++) w->step[n + k] *= w->unit[k];
    return HOL_OK;
}

/* The largest change that the step makes, in lengths of the mechanism and radians. */
static double length_of(const newton *w) {
    const hol_model *m = w->s->model;
    const hol__perturb *p = &w->s->p;
    double most = 0;
    for (int k = 0; k < p->n_q; k++)
        most = fmax(most, fabs(w->step[k]) / hol__coordinate_size(m, p->at_q[k]));
    return most;
}

/* The carrier that was kept, with its parts faster by a share of the step. */
static void put_carrier(newton *w, double share) {
    hol__carrier_copy(w->s->model, &w->before, &w->s->carrier);
    for (int k = 0; k < w->parts; k++) speed_up(w, k, 1 + share * w->step[w->s->p.n + k]);
}

/* The state that was kept, moved by a share of the step and closed. */
static hol_status put(newton *w, double share) {
    hol__small *s = w->s;
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    const int n = m->nv;
    hol__arena arena;
    hol__arena_init(&arena, s->arena.ctx);
    double *dq = HOL__NEW_N(&arena, double, n + 1), *v = HOL__NEW_N(&arena, double, n + 1),
           *q = HOL__NEW_N(&arena, double, m->nq + 1),
           *z = HOL__NEW_N(&arena, double, m->n_aux + 1);
    hol_status status = arena.failed ? HOL_ERR_MEMORY : HOL_OK;
    put_carrier(w, share);
    if (!status) {
        memcpy(v, w->v, sizeof(double) * (size_t)n);
        hol__dense_mul(n, p->n, share, p->dq, w->step, 0, dq);
        hol__dense_mul(n, p->n, share, p->dv, w->step, 1, v);
        for (int i = 0; i < m->n_aux; i++) z[i] = w->z[i] + share * w->step[p->n_q + p->n_v + i];
        m->coords->plus(m, w->q, dq, q);
        hol_data_set(s->data, s->data->t, q, v);
        if (m->n_aux) hol__data_set_aux(s->data, z);
        status = hol__perturb_close(s->data, &arena);
    }
    hol__arena_free(&arena);
    return status ? status : look(w);
}

/* A step that makes the residual smaller; *moved: its size. */
static hol_status advance(newton *w, double *moved) {
    hol__small *s = w->s;
    const hol_model *m = s->model;
    const double before = w->size, length = length_of(w);
    double share = length > 0.3 ? 0.3 / length : 1;
    hol__carrier_copy(m, &s->carrier, &w->before);
    memcpy(w->q, s->data->q, sizeof(double) * (size_t)m->nq);
    memcpy(w->v, s->data->v, sizeof(double) * (size_t)m->nv);
    if (m->n_aux) memcpy(w->z, s->data->aux, sizeof(double) * (size_t)m->n_aux);
    hol_status status = HOL_OK;
    for (int i = 0; i < HALVINGS; i++, share *= 0.5) {
        status = put(w, share);
        *moved = share * length;
        if (status == HOL_ERR_MEMORY || (!status && w->size < before)) return status;
    }
    status = put(w, 0);
    *moved = 0;
    return status;
}

/* Newton's iteration with the carrier as it is. */
static hol_status iterate(newton *w) {
    hol__small *s = w->s;
    double moved = 1;
    hol_status status = look(w);
    for (int i = 0; i < STEPS && !status && w->size > 0 && moved > 1e-15; i++) {
        status = hol__small_matrix(s);
        if (!status) status = direction(w);
        if (!status) status = advance(w, &moved);
    }
    return status;
}

/* The parts of the carrier that move. */
static void find_parts(newton *w) {
    const hol__carrier *c = &w->s->carrier;
    double fast, slow;
    rates(w->s, &fast, &slow);
    w->parts = 0;
    for (int i = -c->parts; i < w->s->model->nb; i++) {
        const double *screw = c->screw + (i < 0 ? 6 * (-1 - i) : 0),
                     L = hol__mechanism_size(w->s->model),
                     rate = i < 0 ? fmax(hol__norm3(screw) / L, hol__norm3(screw + 3))
                                  : hol__norm3(c->spin + 3 * i);
        if (!(rate > 1e-6 * fast)) continue;
        w->unit[w->parts] = fast / rate;
        w->body[w->parts++] = i;
    }
}

hol_status hol__settle(hol__small *s, int which, int freely) {
    const hol_model *m = s->model;
    hol__arena *arena = &s->arena;
    const size_t rows = hol__area(2 * m->bw, m->nb) + (size_t)m->n_aux;
    newton w = {.s = s,
                .residual = HOL__NEW_N(arena, double, rows + 1),
                .column = HOL__NEW_N(arena, double, rows + 1),
                .step = HOL__NEW_N(arena, double, 2 * m->nv + m->n_aux + 2 * m->nb + 2),
                .body = HOL__NEW_N(arena, int, 2 * m->nb + 2),
                .unit = HOL__NEW_N(arena, double, 2 * m->nb + 2),
                .before = hol__carrier_new(m, arena),
                .q = HOL__NEW_N(arena, double, m->nq + 1),
                .v = HOL__NEW_N(arena, double, m->nv + 1),
                .z = HOL__NEW_N(arena, double, m->n_aux + 1)};
    if (arena->failed) return HOL_ERR_MEMORY;
    hol_status status = hol__accelerator_state(s->accelerator);
    double off = INFINITY, last = INFINITY;
    for (int i = 0; i < CARRIERS && !status && off > 1e-12 && (i < 2 || off < 0.5 * last); i++) {
        last = off;
        status = hol__carrier_find(s->data, which, 1, arena, &s->carrier);
        if (!status && s->carrier.repeats) return HOL_RETRY;
        if (!status && freely) find_parts(&w);
        if (!status) status = iterate(&w);
        if (!status) status = hol__settle_off(s->data, &s->carrier, &off);
    }
    return status;
}
