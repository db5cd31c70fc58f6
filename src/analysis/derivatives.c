/* derivatives.c: how x' and the measures follow the state and the inputs, x = (q, v, z, W).
 *
 * A direction of q is one of the velocities, w = T(q)^-1 dq (coords/turning.h). With the tangents
 * of the solved equations (dyn/tangent.h)
 *
 *     M da + A^T dlambda = K w + B dv + Qz dz + F_u du
 *     A da               = Cq w + Cv dv + Cz dz + C_u du
 *     dz' = Rq w + Rv dv + Rz dz + R_u du        dq' = T(q) dv + T(dq) v
 *
 * F_u, C_u and R_u, the measures and the power are differences of order four (dyn/probe.h) over
 * states and values of the inputs nearby; the step is halved twice over where a law has a corner
 * (nudge.h).
 */
#include "analysis/accelerate.h"
#include "analysis/nudge.h"
#include "analysis/parameter_tangent.h"
#include "base/argument.h"
#include "coords/turning.h"
#include "dyn/probe.h"
#include "dyn/tangent.h"

#include <holonom/drive.h>

#include <math.h>
#include <string.h>

struct hol_derivatives {
    hol_context *ctx;
    hol_data *data, *at; /* the state, solved; and one nearby */
    hol__accelerator *accelerator;
    hol__tangent *tangent;
    hol__arena arena;
    hol__nudge nudge;
    hol__parameter_terms by; /* the inputs */
    int n_turns, *turns;
    double *w, *dq, *f, *c, *da, *mu, *rates; /* n_v, n_q, n_v, m, n_v, m, n_states */
    double *measures;
};

void hol_derivatives_free(hol_derivatives *d) {
    if (!d) return;
    hol__tangent_free(d->tangent);
    hol__accelerator_free(d->accelerator);
    hol_data_free(d->at);
    hol_data_free(d->data);
    hol__arena_free(&d->arena);
    hol__release(d->ctx, d);
}

/* Room for everything. */
static hol_status make_room(hol_derivatives *d, const hol_model *m) {
    hol__arena *arena = &d->arena;
    double **const over_v[] = {&d->w, &d->f, &d->da}, **const over_rows[] = {&d->c, &d->mu};
    for (int i = 0; i < 3; i++) *over_v[i] = HOL__NEW_N(arena, double, m->nv + 1);
    for (int i = 0; i < 2; i++) *over_rows[i] = HOL__NEW_N(arena, double, m->m + 1);
    d->dq = HOL__NEW_N(arena, double, m->nq + 1);
    d->rates = HOL__NEW_N(arena, double, hol_data_n_states(d->data));
    d->measures = HOL__NEW_N(arena, double, m->n_columns + 1);
    d->turns = HOL__NEW_N(arena, int, m->nv + 1);
    hol__parameter_terms_init(&d->by, m, arena);
    if (arena->failed || !hol__nudge_init(&d->nudge, m, arena)) return HOL_ERR_MEMORY;
    d->n_turns = hol__turning_find(m, d->turns);
    return HOL_OK;
}

/* The state of data, solved, with its tangent. */
static hol_status take(hol_derivatives *d, const hol_data *data) {
    hol_status status = hol_data_copy(d->data, data);
    if (!status) status = make_room(d, d->data->model);
    if (!status) status = hol__accelerator_new(d->data, &d->accelerator);
    if (!status) status = hol__accelerator_state(d->accelerator);
    if (!status) status = hol__tangent_new(d->data, &d->tangent);
    if (!status) status = hol__tangent_update(d->tangent, d->data, HOL__PART_ALL);
    if (!status) status = hol_data_copy(d->at, d->data);
    return status;
}

hol_status hol_derivatives_new(hol_data *data, hol_derivatives **out) {
    if (!data) return HOL_ERR_ARGUMENT;
    if (!out) return hol__need(data->ctx, "hol_derivatives_new", "the result", out);
    hol_derivatives *d = *out = hol__alloc(data->ctx, 1, sizeof *d);
    if (!d) return HOL_ERR_MEMORY;
    d->ctx = data->ctx;
    hol__arena_init(&d->arena, data->ctx);
    d->data = hol_data_new(data->ctx, data->model);
    d->at = hol_data_new(data->ctx, data->model);
    const hol_status status = d->data && d->at ? take(d, data) : HOL_ERR_MEMORY;
    if (!status) return HOL_OK;
    const hol_status why = hol__data_answer(data, status);
    hol_derivatives_free(d);
    *out = NULL;
    return why;
}

/* Inputs moved by h du in a data. */
static hol_status move_inputs(const hol_derivatives *d, double h, int n, const int *columns,
                              const double *du, hol_data *at) {
    hol_status status = HOL_OK;
    for (int i = 0; i < n && !status; i++)
        status = hol_data_set_input(at, columns[i], d->data->inputs[1 + columns[i]] + h * du[i]);
    return status;
}

/* How far inputs are moved: by a thousandth of the largest of them, or of 1. */
static double input_step(const hol_derivatives *d, int n, const int *columns, const double *du) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(du[i]) / fmax(1, fabs(d->data->inputs[1 + columns[i]])));
    return most > 0 ? 1e-3 / most : 0;
}

/* What the inputs do to the equations: F, C and R of d->by. */
static hol_status input_terms(hol_derivatives *d, int n, const int *columns, const double *du) {
    const double h = input_step(d, n, columns, du);
    hol__parameter_terms_clear(&d->by, d->data->model);
    hol_status status = HOL_OK;
    for (int i = 0; h > 0 && i < HOL__STENCIL && !status; i++) {
        status = hol_data_copy(d->at, d->data);
        if (!status) status = move_inputs(d, h * hol__stencil[i].at, n, columns, du, d->at);
        if (!status) status = hol_data_update(d->at, HOL_STAGE_DYN);
        if (status) break;
        hol__data_psi(d->at);
        hol__parameter_terms_add(&d->by, d->data, d->at, hol__stencil[i].weight / h);
    }
    return status;
}

/* y += A x, dense and row-major. */
static void add_product(int rows, int columns, const double *A, const double *x, double *y) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) y[i] += A[i * columns + j] * x[j];
}

/* dq', dv' and dz'. */
static hol_status solve_rates(hol_derivatives *d, const double *dx) {
    const hol_model *m = d->data->model;
    const hol__tangent *T = d->tangent;
    const double *dv = dx + m->nq, *dz = dv + m->nv;
    double *da = d->rates + m->nq, *rz = da + m->nv;
    memcpy(d->f, d->by.F, sizeof *d->f * (size_t)m->nv);
    if (m->m) memcpy(d->c, d->by.C, sizeof *d->c * (size_t)m->m);
    hol__csr_mul_add(&T->K, 1, d->w, d->f);
    hol__csr_mul_add(&T->B, 1, dv, d->f);
    hol__csr_mul_add(&T->Cq, 1, d->w, d->c);
    hol__csr_mul_add(&T->Cv, 1, dv, d->c);
    add_product(m->nv, m->n_aux, T->Qz, dz, d->f);
    add_product(m->m, m->n_aux, T->Cz, dz, d->c);
    const hol_status status = hol__accelerator_solve(d->accelerator, d->f, d->c, da, d->mu);
    if (m->n_aux) memcpy(rz, d->by.R, sizeof *rz * (size_t)m->n_aux);
    add_product(m->n_aux, m->nv, T->Rq, d->w, rz);
    add_product(m->n_aux, m->nv, T->Rv, dv, rz);
    add_product(m->n_aux, m->n_aux, T->Rz, dz, rz);
    hol__turning_rates(m, d->n_turns, d->turns, d->data->q, dv, d->rates);
    for (int j = 0; j < m->nq; j++) d->dq[j] = 0;
    hol__turning_rates(m, d->n_turns, d->turns, dx, d->data->v, d->dq);
    for (int k = 0, turns = 0; k < m->nv && turns < d->n_turns; k++)
        if (k == d->turns[turns]) {
            for (int i = 0; i < 4; i++) d->rates[k + turns + i] += d->dq[k + turns + i];
            turns++, k += 2;
        }
    return status;
}

/* The measures and the power at one point of the differences, weighted. */
static hol_status add_point(hol_derivatives *d, const hol__direction *along, double h, double dwork,
                            double weight, int n, const int *columns, const double *du,
                            double *measures) {
    hol_status status = hol_data_copy(d->at, d->data);
    if (status) return status;
    hol__nudge_put(&d->nudge, d->data, h, along, d->at);
    d->at->work = d->data->work + h * dwork;
    status = move_inputs(d, h, n, columns, du, d->at);
    if (!status) status = hol_data_solve(d->at);
    if (status) return status;
    d->rates[hol_data_n_states(d->data) - 1] += weight * hol__data_power(d->at);
    return measures ? hol__nudge_add(&d->nudge, d->at, weight, measures) : HOL_OK;
}

/* Those over a step that crosses no corner where there is such a one. */
static hol_status differences(hol_derivatives *d, const hol__direction *along, double dwork, int n,
                              const int *columns, const double *du, double *measures) {
    enum { SHORTER = 8 };
    const hol_model *m = d->data->model;
    const double own = input_step(d, n, columns, du);
    double h = hol__nudge_step(d->data, hol__nudge_rate(d->data), along);
    if (own > 0) h = fmin(h, own);
    int same = 0;
    hol_status status = HOL_OK;
    for (int k = 0; k < SHORTER && !same && !status; k++, h *= 0.25) {
        d->rates[hol_data_n_states(d->data) - 1] = 0;
        if (measures) memset(measures, 0, sizeof *measures * (size_t)m->n_columns);
        same = 1;
        for (int i = 0; i < HOL__STENCIL && !status; i++) {
            status = add_point(d, along, h * hol__stencil[i].at, dwork, hol__stencil[i].weight / h,
                               n, columns, du, measures);
            same &= !status && (!m->n_corners || hol__nudge_same_sides(d->data, d->at));
        }
    }
    return status;
}

/* Whether the columns and their changes can be such. */
static hol_status check(const hol_derivatives *d, int n, const int *columns, const double *du) {
    static const char call[] = "hol_derivatives_along";
    if (!d) return HOL_ERR_ARGUMENT;
    hol_status status = hol__need_array(d->ctx, call, "columns", n, 0, columns);
    if (!status) status = hol__need_array(d->ctx, call, "changes", n, 0, du);
    for (int i = 0; i < n && !status; i++)
        status = hol__data_check_input(d->data, call, columns[i], du[i]);
    return status;
}

hol_status hol_derivatives_along(hol_derivatives *d, const double *dx, int n_inputs,
                                 const int *columns, const double *du, double *rates,
                                 double *measures) {
    hol_status status = check(d, n_inputs, columns, du);
    if (status) return status;
    const hol_model *m = d->data->model;
    const int n = hol_data_n_states(d->data);
    double *none = dx ? NULL : hol__alloc(d->ctx, (size_t)n, sizeof *none);
    if (!dx && !none) return HOL_ERR_MEMORY;
    if (!dx) dx = none;
    hol__turning_directions(m, d->n_turns, d->turns, d->data->q, dx, d->w);
    const hol__direction along = {.dq = d->w, .dv = dx + m->nq, .dz = dx + m->nq + m->nv};
    hol__measure_all(d->data, NULL);
    status = input_terms(d, n_inputs, columns, du);
    if (!status) status = solve_rates(d, dx);
    if (!status)
        status =
            differences(d, &along, dx[n - 1], n_inputs, columns, du, measures ? d->measures : NULL);
    if (!status && rates) memcpy(rates, d->rates, sizeof *rates * (size_t)n);
    if (!status && measures) memcpy(measures, d->measures, sizeof *measures * (size_t)m->n_columns);
    hol__release(d->ctx, none);
    return hol__data_answer(d->data, status);
}
