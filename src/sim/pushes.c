/* pushes.c: what pushes along some rows do to a mechanism whose joints hold (pushes.h). */
#include "sim/pushes.h"

#include "sim/sim.h"

#include <math.h>
#include <string.h>

/* The most entries of a row: of the data's, or the loads of two bodies. */
static int widest_row(const hol_data *data) {
    int most = 2 * data->model->bw;
    for (int i = 0; i < data->model->m; i++) {
        const int n = data->A.ptr[i + 1] - data->A.ptr[i];
        if (n > most) most = n;
    }
    return most;
}

hol_status hol__pushes_new(hol__arena *arena, hol_data *data, int most, hol__pushes *p) {
    const hol_model *m = data->model;
    const int width = widest_row(data);
    *p = (hol__pushes){.data = data, .W = {.cols = m->nv}};
    p->left_out = HOL__NEW_N(arena, unsigned char, m->m + 1);
    p->other = HOL__NEW_N(arena, int, m->m + 1);
    p->W.ptr = HOL__NEW_N(arena, int, most + 1);
    p->W.idx = HOL__NEW_N(arena, int, most *width + 1);
    p->W.x = HOL__NEW_N(arena, double, most *width + 1);
    p->b = HOL__NEW_N(arena, double, most + 1);
    p->u = HOL__NEW_N(arena, double, most + 1);
    p->X = HOL__NEW_N(arena, double, most * m->nv + 1);
    p->mu = HOL__NEW_N(arena, double, most *(m->m + 1) + 1);
    p->G = HOL__NEW_N(arena, double, most *most + 1);
    p->impulse = HOL__NEW_N(arena, double, most + m->m + 1);
    p->f = HOL__NEW_N(arena, double, m->nv + m->m + 1);
    p->x = HOL__NEW_N(arena, double, m->nv + 1);
    return arena->failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* An entry of the row that is added. */
static void add_entry(hol__pushes *p, int column, double x) {
    const int at = p->W.ptr[p->m + 1]++;
    p->W.idx[at] = column;
    p->W.x[at] = x;
}

/* A row without entries behind the others. */
static void begin_row(hol__pushes *p, double b) {
    p->b[p->m] = b;
    p->W.ptr[p->m + 1] = p->W.ptr[p->m];
}

static void end_row(hol__pushes *p) {
    p->W.rows = ++p->m;
}

void hol__pushes_add_row(hol__pushes *p, int row) {
    const hol__csr *A = &p->data->A;
    begin_row(p, p->data->b[row]);
    for (int k = A->ptr[row]; k < A->ptr[row + 1]; k++) add_entry(p, A->idx[k], A->x[k]);
    end_row(p);
    p->left_out[row] = 1;
}

void hol__pushes_add_load(hol__pushes *p, const double *load, double b) {
    begin_row(p, b);
    for (int i = 0; i < p->W.cols; i++)
        if (load[i] != 0) add_entry(p, i, load[i]);
    end_row(p);
}

void hol__pushes_scale(hol__pushes *p, int i, double s) {
    p->b[i] *= s;
    for (int k = p->W.ptr[i]; k < p->W.ptr[i + 1]; k++) p->W.x[k] *= s;
}

hol_status hol__pushes_factor(hol_sim *sim, hol__arena *arena, hol__pushes *p) {
    const hol__kernel_options options = {.storage = (hol__storage)sim->options[HOL__OPT_STORAGE],
                                         .rank_tolerance = sim->options[HOL__OPT_RANK_TOLERANCE]};
    hol_status status = hol__csr_keep_rows(arena, &p->data->A, p->left_out, &p->A, p->other);
    const hol__csr *M = NULL;
    if (!status) status = hol__data_cheaper_mass(p->data, options.storage, &M);
    if (status) return status;
    hol__csr_copy_rows(&p->data->A, p->other, &p->A);
    status = hol__kernel_new(sim->ctx, &hol__kernel_kkt, M, &p->A, &options, &p->kernel);
    return status ? status : hol__kernel_factor(p->kernel, M, &p->A);
}

double hol__pushes_along(const hol__pushes *p, int i, const double *x) {
    double sum = 0;
    for (int k = p->W.ptr[i]; k < p->W.ptr[i + 1]; k++) sum += p->W.x[k] * x[p->W.idx[k]];
    return sum;
}

hol_status hol__pushes_respond(hol__pushes *p) {
    const size_t nv = (size_t)p->W.cols, rows = (size_t)p->data->A.rows + 1;
    const int m = p->m;
    hol_status status = HOL_OK;
    for (int j = 0; j < m && !status; j++) {
        memset(p->f, 0, sizeof(double) * nv);
        for (int k = p->W.ptr[j]; k < p->W.ptr[j + 1]; k++) p->f[p->W.idx[k]] = p->W.x[k];
        status = hol__kernel_solve(p->kernel, p->f, NULL, p->X + (size_t)j * nv,
                                   p->mu + (size_t)j * rows);
    }
    for (int i = 0; i < m && !status; i++)
        for (int j = 0; j <= i; j++)
            p->G[i * m + j] = p->G[j * m + i] =
                0.5 * (hol__pushes_along(p, i, p->X + (size_t)j * nv) +
                       hol__pushes_along(p, j, p->X + (size_t)i * nv));
    return status;
}

void hol__pushes_free(hol__pushes *p) {
    hol__kernel_free(p->kernel);
    p->kernel = NULL;
}

void hol__pushes_read(hol__pushes *p) {
    for (int i = 0; i < p->m; i++) p->u[i] = hol__pushes_along(p, i, p->data->v) - p->b[i];
}

void hol__pushes_apply(hol__pushes *p, const double *z) {
    const size_t nv = (size_t)p->W.cols, rows = (size_t)p->data->A.rows + 1;
    for (int j = 0; j < p->m; j++) {
        const double *x = p->X + (size_t)j * nv, *mu = p->mu + (size_t)j * rows;
        if (z[j] == 0) continue;
        double after = p->u[j];
        for (int k = 0; k < p->m; k++) after += p->G[j * p->m + k] * z[k];
        const double given = 0.5 * z[j] * (p->u[j] + after);
        p->given += given;
        p->moved += 0.5 * fabs(z[j]) * (fabs(p->u[j]) + fabs(after));
        p->work += given + z[j] * p->b[j];
        p->impulse[j] -= z[j];
        for (size_t i = 0; i < nv; i++) p->data->v[i] += z[j] * x[i];
        for (int i = 0; i < p->A.rows; i++) {
            p->impulse[p->m + i] += z[j] * mu[i];
            p->work -= z[j] * mu[i] * p->data->b[p->other[i]]; /* of drivers */
        }
    }
    hol__data_set_v(p->data, NULL);
    hol_data_update(p->data, HOL_STAGE_VEL);
    hol__pushes_read(p);
}

void hol__pushes_lend(hol__pushes *p, const int *row) {
    memset(p->data->lambda, 0, sizeof(double) * (size_t)p->data->model->m);
    for (int i = 0; i < p->m; i++)
        if (row[i] >= 0) p->data->lambda[row[i]] = p->impulse[i];
    for (int i = 0; i < p->A.rows; i++) p->data->lambda[p->other[i]] = p->impulse[p->m + i];
}
