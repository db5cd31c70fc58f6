/* accelerate.c: accelerations that keep their digits beside very light parts. See accelerate.h. */
#include "analysis/accelerate.h"

#include "kernel/saddle.h"

#include <string.h>

struct hol__accelerator {
    hol_data *data;
    hol__arena arena;
    hol__saddle system;
    hol__kernel *within; /* in the free directions; NULL until it is needed */
    double *x, *mu;      /* its solution */
    long refinements;
};

hol_status hol__accelerator_new(hol_data *data, hol__accelerator **out) {
    const hol_model *m = data->model;
    hol__accelerator *a = *out = hol__alloc(data->ctx, 1, sizeof *a);
    if (!a) return HOL_ERR_MEMORY;
    a->data = data;
    hol__arena_init(&a->arena, data->ctx);
    a->x = HOL__NEW_N(&a->arena, double, m->nv + 1);
    a->mu = HOL__NEW_N(&a->arena, double, m->m + 1);
    if (hol__saddle_init(&a->system, &a->arena, m->nv, m->m, &a->refinements) && !a->arena.failed)
        return HOL_OK;
    hol__accelerator_free(a);
    *out = NULL;
    return HOL_ERR_MEMORY;
}

void hol__accelerator_free(hol__accelerator *a) {
    if (!a) return;
    hol_context *ctx = a->arena.ctx;
    hol__kernel_free(a->within);
    hol__arena_free(&a->arena);
    hol__release(ctx, a);
}

/* The factors within the free directions at the state in the data. */
static hol_status factor_within(hol__accelerator *a) {
    hol_data *data = a->data;
    const hol__kernel_options options = {.rank_tolerance = data->solving.rank_tolerance};
    hol_status status = hol__data_hold_mass(data);
    if (status) return status;
    const hol__csr *M = hol__data_mass(data);
    if (!a->within)
        status =
            hol__kernel_new(data->ctx, &hol__kernel_nullspace, M, &data->A, &options, &a->within);
    if (status || a->within->tag == data->stamp) return status;
    status = hol__kernel_factor(a->within, M, &data->A);
    if (!status) a->within->tag = data->stamp;
    return status;
}

/* x and mu stay, or become those within the free directions. Where these have none, as where M is
 * singular there, the first are all there is. */
static hol_status improve(hol__accelerator *a, const double *f, const double *c, double *x,
                          double *mu) {
    hol_data *data = a->data;
    const hol_model *m = data->model;
    a->system.W = hol__data_mass_for(data, data->kernel);
    a->system.A = &data->A;
    const double omega = hol__saddle_residual(&a->system, f, c, x, mu);
    if (omega <= HOL__CANCELLED) return HOL_OK;
    hol_status status = factor_within(a);
    if (!status) status = hol__kernel_solve(a->within, f, c, a->x, a->mu);
    if (status) return status == HOL_ERR_MEMORY ? status : HOL_OK;
    if (!(hol__saddle_residual(&a->system, f, c, a->x, a->mu) < omega)) return HOL_OK;
    memcpy(x, a->x, sizeof(double) * (size_t)m->nv);
    memcpy(mu, a->mu, sizeof(double) * (size_t)m->m);
    return HOL_OK;
}

hol_status hol__accelerator_solve(void *self, const double *f, const double *c, double *x,
                                  double *mu) {
    hol__accelerator *a = self;
    hol_data *data = a->data;
    hol_status status = hol__data_factor(data);
    if (!status) status = hol__kernel_solve(data->kernel, f, c, x, mu);
    if (status || !data->model->m) return status;
    return improve(a, f, c, x, mu);
}

hol_status hol__accelerator_state(hol__accelerator *a) {
    hol_data *data = a->data;
    hol_status status = hol_data_solve(data);
    if (!status && data->model->m) status = hol__data_factor(data);
    if (status || !data->model->m) return status;
    const double *Q = hol__data_forces(data);
    if (!Q) return HOL_NONFINITE;
    status = improve(a, Q, data->c, data->a, data->lambda);
    hol__data_set_solved(data, HOL__SOLVED_PLAIN); /* what follows from a is to be made again */
    return status;
}
