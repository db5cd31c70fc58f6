/* static_approach.c: towards an equilibrium of a large mechanism, where dense matrices over its
 * freedoms would cost more. In reference-point coordinates, whose matrices are sparse:
 *
 *     W x + A^T lambda = Q      A x = 0       W = (-K + D) + sigma S,  K = d(Q - A^T lambda)/dq
 *
 * S measures displacements by radians and lengths of the mechanism. D >= 0 is diagonal and makes
 * -K + D diagonally dominant, so that W is positive definite and x leads downhill; where -K is so
 * by itself it is Newton's step. sigma limits its length. A step counts where the forces do work
 * along it, (Q_0 + Q_1)^T x/2 > 0, as in static_descent.c; joints are closed after it by the
 * smallest displacement.
 */
#include "analysis/static_search.h"

#include <math.h>
#include <string.h>

enum { LARGE = 60, MAX_STEPS = 20000, MAX_CLOSE = 20 };

static const double near = 1e-5;     /* forces over the largest, where the dense search goes on */
static const double most_radius = 1; /* radians, or lengths of the mechanism */
static const double closed = 1e-12;  /* |Phi| over the length of the mechanism */
static const double enough = 1e-3;   /* of the work that was foreseen */

typedef struct approach {
    hol_data *data;
    hol__arena arena;
    hol__tangent *tangent;
    hol__kernel *steps, *plain; /* of W and of S */
    hol__csr W, S;
    int *from, *across; /* by entry of W: that of K, and that of its transpose; -1: none */
    double *q, *x, *f, *Q, *lambda, *phi, *most; /* most: diagonal dominance by row */
    double sigma;
} approach;

/* The places of (i, j) in a matrix; -1: it is zero. */
static int entry(const hol__csr *A, int i, int j) {
    for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
        if (A->idx[k] == j) return k;
    return -1;
}

/* W with the pattern of K, its transpose and the diagonal; rows in rising order. */
static int lay_out(approach *p) {
    const hol__csr *K = &p->tangent->K;
    const int n = K->rows;
    const size_t most = 2 * (size_t)K->ptr[n] + (size_t)n + 1;
    hol__arena *arena = &p->arena;
    hol__csr *W = &p->W;
    int *count = HOL__NEW_N(arena, int, n + 2), *list = HOL__NEW_N(arena, int, most);
    *W = (hol__csr){.rows = n,
                    .cols = n,
                    .ptr = HOL__NEW_N(arena, int, n + 1),
                    .idx = HOL__NEW_N(arena, int, most),
                    .x = HOL__NEW_N(arena, double, most)};
    p->from = HOL__NEW_N(arena, int, most);
    p->across = HOL__NEW_N(arena, int, most);
    if (arena->failed) return 0;
    for (int i = 0; i < n; i++) /* columns of the transpose by row */
        for (int k = K->ptr[i]; k < K->ptr[i + 1]; k++) count[K->idx[k] + 2]++;
    for (int i = 2; i <= n + 1; i++) count[i] += count[i - 1];
    for (int i = 0; i < n; i++)
        for (int k = K->ptr[i]; k < K->ptr[i + 1]; k++) list[count[K->idx[k] + 1]++] = i;
    for (int i = 0, used = 0; i < n; i++) {
        const int first = used;
        for (int k = K->ptr[i]; k < K->ptr[i + 1]; k++) W->idx[used++] = K->idx[k];
        for (int k = count[i]; k < count[i + 1]; k++) W->idx[used++] = list[k];
        W->idx[used++] = i;
        for (int k = first + 1; k < used; k++) /* by insertion */
            for (int j = k; j > first && W->idx[j - 1] > W->idx[j]; j--) {
                const int swap = W->idx[j];
                W->idx[j] = W->idx[j - 1], W->idx[j - 1] = swap;
            }
        int kept = first;
        for (int k = first; k < used; k++)
            if (k == first || W->idx[k] != W->idx[kept - 1]) W->idx[kept++] = W->idx[k];
        used = kept;
        W->ptr[i + 1] = used;
        for (int k = first; k < used; k++) {
            p->from[k] = entry(K, i, W->idx[k]);
            p->across[k] = entry(K, W->idx[k], i);
        }
    }
    return 1;
}

/* S: one over the square of a radian or a length of the mechanism. */
static int make_measure(approach *p) {
    const hol_model *m = p->data->model;
    const int n = m->nv;
    p->S = (hol__csr){.rows = n,
                      .cols = n,
                      .ptr = HOL__NEW_N(&p->arena, int, n + 1),
                      .idx = HOL__NEW_N(&p->arena, int, n + 1),
                      .x = HOL__NEW_N(&p->arena, double, n + 1)};
    if (p->arena.failed) return 0;
    for (int i = 0; i < n; i++) {
        const double size = hol__is_turn(m, i) ? 1 : m->length;
        p->S.ptr[i + 1] = i + 1, p->S.idx[i] = i, p->S.x[i] = 1 / (size * size);
    }
    return 1;
}

static hol_status set_up(approach *p, hol__static *s) {
    const hol_model *m = s->model->reference ? s->model->reference : s->model;
    const hol__kernel_options options = {0};
    hol__arena *arena = &p->arena;
    hol__arena_init(arena, s->data->ctx);
    p->data = hol_data_new(s->data->ctx, m);
    if (!p->data) return HOL_ERR_MEMORY;
    hol__data_carry(p->data, s->data);
    double **const rooms[] = {&p->x, &p->f, &p->Q, &p->most};
    for (int i = 0; i < 4; i++) *rooms[i] = HOL__NEW_N(arena, double, m->nv + 1);
    p->q = HOL__NEW_N(arena, double, m->nq + 1);
    p->lambda = HOL__NEW_N(arena, double, m->m + 1);
    p->phi = HOL__NEW_N(arena, double, m->m + 1);
    hol_status status = hol__tangent_new(p->data, &p->tangent);
    if (!status && (!make_measure(p) || !lay_out(p))) status = HOL_ERR_MEMORY;
    hol_context *ctx = p->data->ctx;
    const hol__csr *A = &p->data->A;
    if (!status) status = hol__kernel_new(ctx, &hol__kernel_kkt, &p->W, A, &options, &p->steps);
    if (!status) status = hol__kernel_new(ctx, &hol__kernel_kkt, &p->S, A, &options, &p->plain);
    return arena->failed ? HOL_ERR_MEMORY : status;
}

static void tear_down(approach *p) {
    hol__kernel_free(p->steps);
    hol__kernel_free(p->plain);
    hol__tangent_free(p->tangent);
    hol_data_free(p->data);
    hol__arena_free(&p->arena);
}

/* Q, lambda, and f: what of the forces no joint carries; > 0 where something is not finite. */
static hol_status evaluate(approach *p) {
    hol_data *data = p->data;
    const hol_model *m = data->model;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    const double *Q = status ? NULL : hol__data_forces(data);
    if (!Q || !isfinite(hol__norm(Q, m->nv))) return status < 0 ? status : HOL_NONFINITE;
    memcpy(p->Q, Q, sizeof(double) * (size_t)m->nv);
    status = hol__kernel_factor(p->plain, &p->S, &data->A);
    if (!status) status = hol__kernel_solve(p->plain, p->Q, NULL, p->f, p->lambda);
    for (int i = 0; i < m->nv && !status; i++) p->f[i] *= p->S.x[i];
    return status;
}

/* What the largest force, or torque over the length, is: with which f is compared. */
static double force_of(const approach *p, const double *f) {
    double sum = 0;
    for (int i = 0; i < p->W.rows; i++) sum += f[i] * f[i] / p->S.x[i];
    return sqrt(sum) / p->data->model->length;
}

/* -K + D at the state, with S on top. */
static hol_status stiffen(approach *p) {
    hol_data *data = p->data;
    const hol_model *m = data->model;
    memset(data->a, 0, sizeof(double) * (size_t)m->nv);
    if (m->m) memcpy(data->lambda, p->lambda, sizeof(double) * (size_t)m->m);
    const hol_status status =
        hol__tangent_update(p->tangent, data, HOL__PART_FORCES | HOL__PART_REACTIONS);
    if (status) return status;
    const double *K = p->tangent->K.x;
    for (int i = 0; i < m->nv; i++) {
        double others = 0, own = 0;
        for (int k = p->W.ptr[i]; k < p->W.ptr[i + 1]; k++) {
            const double a = p->from[k] < 0 ? 0 : K[p->from[k]],
                         b = p->across[k] < 0 ? 0 : K[p->across[k]];
            p->W.x[k] = -0.5 * (a + b);
            if (p->W.idx[k] == i)
                own = p->W.x[k];
            else
                others += fabs(p->W.x[k]) * sqrt(p->S.x[i] / p->S.x[p->W.idx[k]]);
        }
        p->most[i] = fmax(0, others - own); /* a row that is dominant stays as it is */
    }
    return HOL_OK;
}

/* Add to the diagonal. */
static void shift(approach *p, double sigma, double share) {
    for (int i = 0; i < p->W.rows; i++)
        p->W.x[entry(&p->W, i, i)] += share * p->most[i] + sigma * p->S.x[i];
}

/* How far the coordinate goes that goes farthest. */
static double length_of(const approach *p) {
    double most = 0;
    for (int i = 0; i < p->W.rows; i++) most = fmax(most, fabs(p->x[i]) * sqrt(p->S.x[i]));
    return most;
}

/* The step, not longer than the radius: sigma grows until it is not. */
static hol_status find_step(approach *p, double radius) {
    for (int k = 0; k < 60; k++, p->sigma *= 4) {
        shift(p, p->sigma, 1);
        hol_status status = hol__kernel_factor(p->steps, &p->W, &p->data->A);
        if (!status) status = hol__kernel_solve(p->steps, p->Q, NULL, p->x, p->phi);
        shift(p, -p->sigma, -1);
        if (status < 0) return status;
        if (!status && length_of(p) <= radius) return HOL_OK;
    }
    return HOL_NOT_CONVERGED;
}

/* Close the joints by the smallest displacement. */
static hol_status close_joints(approach *p) {
    hol_data *data = p->data;
    const hol_model *m = data->model;
    for (int k = 0; k < MAX_CLOSE; k++) {
        hol_data_update(data, HOL_STAGE_POS);
        const double off = hol__norm(data->Phi, m->mh);
        if (!isfinite(off)) return HOL_NONFINITE;
        if (off <= closed * fmax(1, m->length)) return HOL_OK;
        for (int i = 0; i < m->m; i++) p->phi[i] = i < m->mh ? -data->Phi[i] : 0;
        hol_status status = hol__kernel_factor(p->plain, &p->S, &data->A);
        if (!status) status = hol__kernel_solve(p->plain, NULL, p->phi, p->f, NULL);
        if (status) return status;
        m->coords->plus(m, data->q, p->f, data->q);
        hol__data_set_q(data, data->t, NULL);
    }
    return HOL_NOT_CONVERGED;
}

/* One step that counts; > 0: none does. */
static hol_status advance(approach *p, double *radius) {
    hol_data *data = p->data;
    const hol_model *m = data->model;
    memcpy(p->q, data->q, sizeof(double) * (size_t)m->nq);
    while (*radius > 1e-9) {
        double before = 0, work = 0;
        hol_status status = find_step(p, *radius);
        if (status) return status;
        for (int i = 0; i < m->nv; i++) before += p->Q[i] * p->x[i];
        m->coords->plus(m, p->q, p->x, data->q);
        hol__data_set_q(data, data->t, NULL);
        status = close_joints(p);
        if (!status) status = evaluate(p);
        if (status < 0) return status;
        for (int i = 0; i < m->nv && !status; i++) work += 0.5 * p->Q[i] * p->x[i];
        work += 0.5 * before;
        if (!status && work > enough * before) {
            hol__data_keep_angles(data);
            hol__data_set_q(data, data->t, NULL);
            *radius = fmin(most_radius, (work > 0.4 * before ? 2 : 1) * *radius);
            p->sigma *= work > 0.4 * before ? 0.1 : 1;
            return HOL_OK;
        }
        hol__data_set_q(data, data->t, p->q);
        status = evaluate(p);
        if (status) return status;
        *radius = 0.3 * fmin(*radius, length_of(p));
    }
    return HOL_NOT_CONVERGED;
}

static hol_status go(approach *p, hol__equilibrium *e) {
    double radius = 0.1, force = 0;
    hol_status status = close_joints(p);
    if (!status) status = evaluate(p);
    const double least = status ? 0 : 1e-6 * force_of(p, p->Q) * p->data->model->length;
    if (!(least > 0)) return status;
    p->sigma = least;
    for (int k = 0; k < MAX_STEPS && !status; k++, e->iterations++) {
        force = fmax(force, force_of(p, p->Q));
        if (force_of(p, p->f) <= near * force) break;
        status = stiffen(p);
        if (!status) status = advance(p, &radius);
        p->sigma = fmax(p->sigma, least);
    }
    return status;
}

hol_status hol__static_approach(hol__static *s, hol__equilibrium *e) {
    const hol_model *m = s->model;
    approach p = {.sigma = 0};
    if (m->nv - m->m < LARGE || m->n_aux || s->gaps || s->data->on_force || s->carrier)
        return HOL_OK;
    hol_status status = set_up(&p, s);
    if (!status) status = go(&p, e);
    if (!status || status > 0) {
        hol__data_carry(s->data, p.data);
        memset(s->data->v, 0, sizeof(double) * (size_t)m->nv);
        hol_data_set(s->data, s->data->t, NULL, NULL);
    }
    tear_down(&p);
    return status < 0 ? status : HOL_OK;
}
