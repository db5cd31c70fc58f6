/* small.c: the state matrix of small perturbations. See small.h. */
#include "analysis/small.h"

#include "analysis/equilibrium.h"
#include "analysis/settle.h"
#include "analysis/steady.h"
#include "la/cod.h"

#include <math.h>
#include <string.h>

static double *numbers(hol__small *s, size_t n) {
    return HOL__NEW_N(&s->matrices, double, n + 1);
}

/* da of all perturbations into s->a. */
static hol_status accelerations(hol__small *s) {
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    const int n = m->nv;
    hol__acceleration_tangent out = {.a_q = numbers(s, hol__area(n, n)),
                                     .a_v = numbers(s, hol__area(n, n)),
                                     .a_z = numbers(s, hol__area(n, m->n_aux))};
    s->a = numbers(s, hol__area(n, p->n));
    if (s->matrices.failed) return HOL_ERR_MEMORY;
    const hol_status status =
        hol__tangent_accelerations(s->tangent, NULL, hol__accelerator_solve, s->accelerator, &out);
    if (status) return status;
    for (int k = 0; k < p->n; k++) {
        double *da = s->a + hol__area(k, n);
        hol__dense_mul(n, n, 1, out.a_q, p->dq + hol__area(k, n), 0, da);
        hol__dense_mul(n, n, 1, out.a_v, p->dv + hol__area(k, n), 1, da);
        const int z = k - p->n_q - p->n_v;
        for (int j = 0; z >= 0 && j < n; j++) da[j] += out.a_z[hol__area(z, n) + (size_t)j];
    }
    return HOL_OK;
}

/* dz' of state z for these changes. */
static double aux_rate(const hol__small *s, int z, const double *dq, const double *dv,
                       const double *dz) {
    const hol__tangent *t = s->tangent;
    const int n = s->p.nv, n_aux = s->p.n_aux;
    double sum = 0;
    for (int j = 0; j < n; j++) sum += t->Rq[z * n + j] * dq[j] + t->Rv[z * n + j] * dv[j];
    for (int j = 0; dz && j < n_aux; j++) sum += t->Rz[z * n_aux + j] * dz[j];
    return sum;
}

void hol__small_column(const hol__small *s, const double *dq, const double *dv, const double *da,
                       const double *dz, double *X, double *rate, double *room) {
    const hol_model *m = s->model;
    const int width = m->bw * m->nb;
    const double unit = 1 / hol__mechanism_size(m);
    hol__tangent_bodies(s->tangent, dq, dv, da, X, X + width, rate ? room : NULL);
    if (rate) hol__carrier_rates(&s->carrier, s->data, X, X + width, room, rate, rate + width);
    for (int i = 0; i < 2 * width; i++) {
        const double factor = hol__is_length(m, i) ? unit : 1;
        X[i] *= factor;
        if (rate) rate[i] *= factor;
    }
    for (int z = 0; z < m->n_aux; z++) {
        X[2 * width + z] = dz ? dz[z] : 0;
        if (rate) rate[2 * width + z] = aux_rate(s, z, dq, dv, dz);
    }
}

/* E and F: the perturbations of the bodies and of z, and their rates; lengths over that of the
 * mechanism. */
static hol_status over_bodies(hol__small *s) {
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    const int width = m->bw * m->nb;
    double *room = numbers(s, (size_t)width), *dz = numbers(s, (size_t)m->n_aux);
    s->rows = 2 * width + m->n_aux;
    s->E = numbers(s, hol__area(s->rows, p->n));
    s->F = numbers(s, hol__area(s->rows, p->n));
    if (s->matrices.failed) return HOL_ERR_MEMORY;
    for (int k = 0; k < p->n; k++) {
        for (int z = 0; z < m->n_aux; z++) dz[z] = k == p->n_q + p->n_v + z;
        hol__small_column(s, p->dq + hol__area(k, p->nv), p->dv + hol__area(k, p->nv),
                          s->a + hol__area(k, p->nv), dz, s->E + hol__area(k, s->rows),
                          s->F + hol__area(k, s->rows), room);
    }
    return HOL_OK;
}

/* A in E A = F. */
static hol_status reduce(hol__small *s) {
    const int n = s->p.n, rows = s->rows;
    s->A = numbers(s, hol__area(n, n));
    hol__cod *cod = s->range = hol__cod_new(&s->matrices, rows > 0 ? rows : 1, n);
    double *rest = numbers(s, (size_t)rows);
    if (!cod || s->matrices.failed) return HOL_ERR_MEMORY;
    if (!n) return HOL_OK;
    memcpy(cod->qr->a, s->E, sizeof(double) * hol__area(rows, n));
    if (hol__cod_factor(cod)) return HOL_ERR_SINGULAR;
    hol__cod_truncate(cod, hol__cod_rank(cod, 1e-13));
    double most = 0, left = 0;
    for (int k = 0; k < n; k++) {
        const double *f = s->F + hol__area(k, rows);
        hol__cod_solve(cod, f, s->A + hol__area(k, n));
        memcpy(rest, f, sizeof(double) * (size_t)rows);
        hol__cod_outside_range(cod, rest);
        most = fmax(most, hol__norm(f, rows));
        left = fmax(left, hol__norm(rest, rows));
    }
    s->left = most > 0 ? left / most : 0;
    return HOL_OK;
}

void hol__small_states(const hol__small *s, const double *X, double *out) {
    if (s->p.n) hol__cod_solve(s->range, X, out);
}

/* Lengths of the mechanism and radians for x; for y those times the fastest rate, the root of the
 * largest stiffness over inertia, at least that at which the state itself changes (what is smaller
 * is rounding of that); for z what makes its row and its column in A equally large. */
static hol_status set_scales(hol__small *s) {
    const hol_model *m = s->model;
    const hol__perturb *p = &s->p;
    const int n = p->n, bound = p->n_q + p->n_v;
    const double L = hol__mechanism_size(m);
    double *d = s->scale = numbers(s, (size_t)n), speed, acceleration;
    if (!d) return HOL_ERR_MEMORY;
    hol__data_accelerations(s->data);
    hol__motion_scales(s->data, &speed, &acceleration);
    double rate = fmax(speed / L, sqrt(acceleration / L));
    for (int i = 0; i < bound; i++)
        d[i] = hol__is_turn(m, i < p->n_q ? p->at_q[i] : p->at_v[i - p->n_q]) ? 1 : L;
    for (int i = p->n_q; i < bound; i++)
        for (int j = 0; j < bound; j++) {
            const double x = fabs(s->A[hol__area(j, n) + (size_t)i]) * d[j] / d[i];
            rate = fmax(rate, j < p->n_q ? sqrt(x) : x);
        }
    if (!(rate > 1e-9)) rate = 1; /* nothing happens within years */
    s->rate = rate;
    for (int i = p->n_q; i < bound; i++) d[i] *= rate;
    for (int z = bound; z < n; z++) {
        double row = 0, column = 0;
        for (int j = 0; j < bound; j++) {
            row += fabs(s->A[hol__area(j, n) + (size_t)z]) * d[j];
            column += fabs(s->A[hol__area(z, n) + (size_t)j]) / d[j];
        }
        d[z] = row > 0 && column > 0 ? sqrt(row / column)
               : row > 0             ? row / rate
               : column > 0          ? rate / column
                                     : 1;
    }
    return HOL_OK;
}

hol_status hol__small_matrix(hol__small *s) {
    hol__arena_free(&s->matrices);
    hol__arena_init(&s->matrices, s->arena.ctx);
    hol_status status = hol__accelerator_state(s->accelerator);
    if (!status) status = hol__tangent_update(s->tangent, s->data, HOL__PART_ALL);
    if (!status) status = hol__perturb_make(s->tangent, s->data, &s->matrices, &s->p);
    if (!status) status = accelerations(s);
    if (!status) status = over_bodies(s);
    if (!status) status = reduce(s);
    return status ? status : set_scales(s);
}

void hol__small_free(hol__small *s) {
    if (!s) return;
    hol_context *ctx = s->arena.ctx;
    hol__tangent_free(s->tangent);
    hol__accelerator_free(s->accelerator);
    hol_data_free(s->data);
    hol__arena_free(&s->matrices);
    hol__arena_free(&s->arena);
    hol__release(ctx, s);
}

hol_status hol__small_blank(const hol_data *data, hol__small **out) {
    hol__small *s = *out = hol__alloc(data->ctx, 1, sizeof **out);
    if (!s) return HOL_ERR_MEMORY;
    hol__arena_init(&s->arena, data->ctx);
    hol__arena_init(&s->matrices, data->ctx);
    hol_status status = hol__perturb_copy(data, &s->data);
    if (!status) s->model = s->data->model;
    if (!status) status = hol__tangent_new(s->data, &s->tangent);
    if (!status) status = hol__accelerator_new(s->data, &s->accelerator);
    if (!status) return HOL_OK;
    hol__small_free(s);
    *out = NULL;
    return status;
}

/* Rest, a steady motion or another state: with the first carrier that the mechanism lets pass. */
static hol_status classify(hol__small *s) {
    hol_status status = HOL_OK;
    for (int which = 0; which < HOL__CARRIERS && !status; which++) {
        status = hol__carrier_find(s->data, which, 0, &s->arena, &s->carrier);
        if (!status && s->carrier.repeats) break;
        if (!status) status = hol__settle_off(s->data, &s->carrier, &s->off);
        if (status) return status;
        if (!(s->off <= HOL__STEADY)) continue;
        status = hol__small_matrix(s);
        if (status) return status;
        s->motion = s->carrier.moving ? HOL__MOTION_STEADY : HOL__MOTION_REST;
        int carried = 1;
        if (s->carrier.moving) status = hol__settle_is_carried(s, &carried);
        if (status || carried) return status;
    }
    s->motion = HOL__MOTION_STATE;
    status = hol__carrier_find(s->data, 0, 1, &s->arena, &s->carrier);
    if (!status) status = hol__small_matrix(s);
    if (!status) status = hol__small_instant_matrix(s);
    return status ? status : set_scales(s);
}

hol_status hol__small_found(hol__small *s) {
    const hol_status status = hol__accelerator_state(s->accelerator);
    return status ? status : classify(s);
}

/* The equilibrium where a damped motion from this position would end (statics); drivers hold. */
static hol_status rest(hol__small *s) {
    hol__static *system = NULL;
    hol__equilibrium e = {.method = HOL__STATICS_AUTO, .tolerance = 1e-11};
    hol__data_halt(s->data);
    hol_status status = hol__static_new(s->data, &system);
    if (!status) status = hol__equilibrium_of(system, &e);
    hol__static_free(system);
    if (!status) status = hol__small_found(s);
    s->motion = HOL__MOTION_REST; /* light bodies may turn what is left of forces into much */
    return status;
}

hol_status hol__small_at_rest(const hol_data *data, hol__small **out) {
    hol_status status = hol__small_blank(data, out);
    if (status) return status;
    hol__data_halt((*out)->data);
    status = hol__small_found(*out);
    (*out)->motion = HOL__MOTION_REST;
    if (!status) return HOL_OK;
    if (status > 0) status = hol__data_answer((*out)->data, status);
    hol__small_free(*out);
    *out = NULL;
    return status;
}

hol_status hol__small_new(const hol_data *data, int settle, hol__small **out) {
    const int moves = hol__norm(data->v, data->model->nv) > 0;
    if (settle == HOL__SETTLE_STEADY && moves) return hol__steady_about(data, out);
    hol_status status = hol__small_blank(data, out);
    if (status) return status;
    hol__small *s = *out;
    status = hol__perturb_close(s->data, &s->arena);
    if (!status) status = settle ? rest(s) : hol__small_found(s);
    if (!status) return HOL_OK;
    if (status > 0) status = hol__data_answer(s->data, status);
    hol__small_free(s);
    *out = NULL;
    return status;
}
