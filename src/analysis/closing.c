/* closing.c: see closing.h. */
#include "analysis/closing.h"

#include "la/rank.h"

#include <math.h>
#include <string.h>

enum { MAX_NEWTON = 100, MAX_HALVINGS = 20 };

hol_status hol__closing_init(hol__closing *c, hol__arena *arena, hol_data *data) {
    const hol_model *m = data->model;
    const int n = m->nv, entries = m->A.ptr[m->mh];
    *c = (hol__closing){.data = data, .arena = arena};
    c->W = (hol__csr){.rows = n,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, n + 1),
                      .idx = HOL__NEW_N(arena, int, n + 1),
                      .x = HOL__NEW_N(arena, double, n + 1)};
    c->D = (hol__csr){.rows = m->mh,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, m->mh + n + 1),
                      .idx = HOL__NEW_N(arena, int, entries + HOL__JOINT_PLACE_WIDTH * n + 1),
                      .x = HOL__NEW_N(arena, double, entries + HOL__JOINT_PLACE_WIDTH * n + 1)};
    c->held = HOL__NEW_N(arena, hol__hold, n + 1);
    c->reference = HOL__NEW_N(arena, double, m->nq + 1);
    c->rhs = HOL__NEW_N(arena, double, m->mh + n + 1);
    c->delta = HOL__NEW_N(arena, double, n + 1);
    c->q = HOL__NEW_N(arena, double, m->nq + 1);
    c->away = HOL__NEW_N(arena, double, n + 1);
    c->angles = HOL__NEW_N(arena, double, m->n_angles + 1);
    c->offset = HOL__NEW_N(arena, double, m->mh + 1);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) {
        const double size = hol__is_turn(m, i) ? 1 : m->length;
        c->W.ptr[i + 1] = i + 1, c->W.idx[i] = i, c->W.x[i] = 1 / (size * size);
    }
    memcpy(c->D.ptr, m->A.ptr, sizeof(int) * (size_t)(m->mh + 1));
    memcpy(c->D.idx, m->A.idx, sizeof(int) * (size_t)entries);
    memcpy(c->reference, data->q, sizeof(double) * (size_t)m->nq);
    hol_data_update(data, HOL_STAGE_POS);
    memcpy(c->angles, data->angles, sizeof(double) * (size_t)m->n_angles);
    return HOL_OK;
}

void hol__closing_end(hol__closing *c) {
    hol__kernel_free(c->kernel);
    c->kernel = NULL;
}

/* The entries of the row that holds: columns and values; how many. */
static int row_of(const hol__closing *c, const hol__hold *hold, int *column, double *value) {
    if (hold->joint >= 0)
        return hol__joint_place_row(c->data, &c->data->model->joints[hold->joint], column, value);
    *column = hold->velocity, *value = 1;
    return 1;
}

hol_status hol__closing_hold(hol__closing *c, hol__hold hold) {
    const hol_model *m = c->data->model;
    for (int i = 0; i < c->n_held; i++)
        if (c->held[i].velocity == hold.velocity && c->held[i].joint == hold.joint) return HOL_OK;
    if (c->n_held == m->nv) return HOL_ERR_INPUT;
    const int row = c->D.rows++, at = c->D.ptr[row];
    if (hold.joint >= 0) hold.at = hol__joint_place(c->data, &m->joints[hold.joint]);
    c->D.ptr[row + 1] = at + row_of(c, &hold, c->D.idx + at, c->D.x + at);
    c->held[c->n_held++] = hold;
    hol__kernel_free(c->kernel); /* of other rows */
    c->kernel = NULL;
    return HOL_OK;
}

/* What the positions in data are off, into rhs with the other sign; its norm. */
static double residual(hol__closing *c) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    hol_data_update(data, HOL_STAGE_POS);
    for (int i = 0; i < m->mh; i++) c->rhs[i] = c->offset[i] - data->Phi[i];
    m->coords->minus(m, data->q, c->reference, c->away);
    for (int i = 0; i < c->n_held; i++) {
        const hol__hold *h = &c->held[i];
        const hol__element *joint = h->joint < 0 ? NULL : &m->joints[h->joint];
        const double off = joint ? hol__joint_place(data, joint) - h->at : c->away[h->velocity];
        const int turns = joint ? hol__joint_place_kind(joint) == 1 : hol__is_turn(m, h->velocity);
        c->rhs[m->mh + i] = -(turns ? remainder(off, 6.283185307179586476925) : off);
    }
    return hol__norm(c->rhs, c->D.rows);
}

/* The rows at the positions in data. */
static void fill_rows(hol__closing *c) {
    const int entries = c->data->model->A.ptr[c->data->model->mh];
    memcpy(c->D.x, c->data->A.x, sizeof(double) * (size_t)entries);
    for (int i = 0; i < c->n_held; i++) {
        const int at = c->D.ptr[c->data->model->mh + i];
        row_of(c, &c->held[i], c->D.idx + at, c->D.x + at);
    }
}

/* The step of Newton's method, no longer than half a radian and half the mechanism. */
static hol_status newton_step(hol__closing *c) {
    const hol_model *m = c->data->model;
    static const hol__kernel_options options = {0};
    double largest = 0;
    fill_rows(c);
    hol_status status = c->kernel ? HOL_OK
                                  : hol__kernel_new(c->data->ctx, &hol__kernel_kkt, &c->W, &c->D,
                                                    &options, &c->kernel);
    if (!status) status = hol__kernel_factor(c->kernel, &c->W, &c->D);
    if (!status) status = hol__kernel_solve(c->kernel, NULL, c->rhs, c->delta, NULL);
    if (status) return status;
    for (int i = 0; i < m->nv; i++)
        largest = fmax(largest, fabs(c->delta[i]) / (hol__is_turn(m, i) ? 0.5 : 0.5 * m->length));
    for (int i = 0; i < m->nv && largest > 1; i++) c->delta[i] /= largest;
    return HOL_OK;
}

/* Along the step as far as the residual falls; 0 where it does not. */
static int line_search(hol__closing *c, double norm) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    memcpy(c->q, data->q, sizeof(double) * (size_t)m->nq);
    for (int k = 0; k < MAX_HALVINGS; k++) {
        m->coords->plus(m, c->q, c->delta, data->q);
        hol__data_set_q(data, data->t, NULL);
        if (residual(c) < norm * (1 - 1e-4 * ldexp(1, -k))) {
            memcpy(data->angles_base, data->angles, sizeof(double) * (size_t)m->n_angles);
            return 1;
        }
        for (int i = 0; i < m->nv; i++) c->delta[i] *= 0.5;
    }
    hol__data_set_q(data, data->t, c->q);
    return 0;
}

hol_status hol__closing_run(hol__closing *c, const double *q) {
    hol_data *data = c->data;
    const hol_model *m = data->model;
    memcpy(data->angles_base, c->angles, sizeof(double) * (size_t)m->n_angles);
    hol__data_set_q(data, data->t, q);
    for (int k = 0; k < MAX_NEWTON; k++) {
        const double norm = residual(c);
        if (!isfinite(norm)) return HOL_NOT_CONVERGED;
        if (norm <= 1e-15 * m->length) break;
        const hol_status status = newton_step(c);
        if (status) return status < 0 ? status : HOL_NOT_CONVERGED;
        if (!line_search(c, norm)) break;
    }
    return residual(c) <= 1e-10 * fmax(1, m->length) ? HOL_OK : HOL_NOT_CONVERGED;
}

/* Whether a joint joins the body to ground. */
static int is_at_ground(const hol_model *m, int body) {
    for (int i = 0; i < m->n_joints; i++) {
        const int *b = m->joints[i].body;
        const int other = b[0] == m->nb ? b[1] : b[1] == m->nb ? b[0] : -1;
        if (m->joints[i].params && other == body) return 1;
    }
    return 0;
}

hol_status hol__closing_freedoms(hol__closing *c, int *freedoms) {
    hol__rank_result found = {0};
    residual(c);
    fill_rows(c);
    const hol_status status = hol__rank_analyse(c->data->ctx, &c->D, 0, &found);
    *freedoms = c->data->model->nv - found.rank;
    return status;
}

/* The part of a row, in radians and lengths of the mechanism, that lies along the last `free`
 * directions of the decomposition: between 0 and 1. */
static double share(const hol__closing *c, const hol__svd *svd, int free, const hol__hold *hold) {
    int column[HOL__JOINT_PLACE_WIDTH];
    double value[HOL__JOINT_PLACE_WIDTH], whole = 0, part = 0;
    const int n = c->data->model->nv, entries = row_of(c, hold, column, value);
    for (int k = 0; k < entries; k++) {
        value[k] /= sqrt(c->W.x[column[k]]);
        whole += value[k] * value[k];
    }
    for (int i = n - free; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < entries; k++)
            sum += value[k] * svd->vt[(size_t)i + (size_t)n * (size_t)column[k]];
        part += sum * sum;
    }
    return whole > 0 ? part / whole : 0;
}

/* The decomposition of all rows, in radians and lengths of the mechanism. */
static hol__svd *decompose(hol__closing *c) {
    const int rows = c->D.rows > 0 ? c->D.rows : 1, n = c->data->model->nv;
    hol__svd *svd = hol__svd_new(c->arena, rows, n);
    if (!svd) return NULL;
    memset(svd->a, 0, sizeof(double) * (size_t)rows * (size_t)n);
    for (int i = 0; i < c->D.rows; i++)
        for (int k = c->D.ptr[i]; k < c->D.ptr[i + 1]; k++) {
            const int j = c->D.idx[k];
            svd->a[(size_t)i + (size_t)rows * (size_t)j] = c->D.x[k] / sqrt(c->W.x[j]);
        }
    return svd;
}

hol_status hol__closing_choose(hol__closing *c, int *freedoms, hol__hold *next) {
    const hol_model *m = c->data->model;
    const hol_status status = hol__closing_freedoms(c, freedoms);
    *next = (hol__hold){.velocity = -1, .joint = -1};
    if (status || !*freedoms) return status;
    hol__svd *svd = decompose(c);
    if (!svd) return HOL_ERR_MEMORY;
    if (hol__svd_factor(svd)) return HOL_ERR_SINGULAR;
    double most = 0;
    for (int i = 0; i < m->nv + (m->dim == 3 ? m->n_joints : 0); i++) {
        const int joint = i - m->nv;
        const hol__hold hold = {.velocity = joint < 0 ? i : -1, .joint = joint < 0 ? -1 : joint};
        const hol__element *e = joint < 0 ? NULL : &m->joints[joint];
        if (e && !hol__joint_place_kind(e)) continue;
        const int turns = e ? hol__joint_place_kind(e) == 1 : hol__is_turn(m, i),
                  ground =
                      e ? e->body[0] == m->nb || e->body[1] == m->nb : is_at_ground(m, i / m->bw);
        const double worth =
            share(c, svd, *freedoms, &hold) * (turns ? 2 : 1) * (ground ? 10 : 1) * (e ? 1e6 : 1);
        if (worth > most * (1 + 1e-9)) most = worth, *next = hold;
    }
    return HOL_OK;
}

int hol__closing_sign(hol__closing *c, hol__lu *lu, const int *rows) {
    const int n = lu->n;
    residual(c);
    fill_rows(c);
    memset(lu->a, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int k = c->D.ptr[rows[i]]; k < c->D.ptr[rows[i] + 1]; k++)
            lu->a[(size_t)i + (size_t)n * (size_t)c->D.idx[k]] = c->D.x[k];
    return hol__lu_factor(lu) ? 0 : hol__lu_sign(lu, 1e-8);
}

hol_status hol__closing_independent(hol__closing *c, int *rows, int *n) {
    unsigned char *redundant = HOL__NEW_N(c->arena, unsigned char, c->D.rows + 1);
    hol__rank_result found = {.redundant = redundant};
    if (!redundant) return HOL_ERR_MEMORY;
    residual(c);
    fill_rows(c);
    const hol_status status = hol__rank_analyse(c->data->ctx, &c->D, 0, &found);
    *n = 0;
    for (int i = 0; i < c->D.rows && !status; i++)
        if (!redundant[i]) rows[(*n)++] = i;
    return status;
}
