/* correct.c: the table of corrections, and what they share: weights, kernels, work space. */
#include "correct/correct.h"

#include "correct/direct.h"

#include <string.h>

static const hol__correction_type types[] = {
    {"none", "no correction: constraints drift", 0, NULL},
    {"direct", "nearest point on the constraints in the coordinates, then nearest velocity [MSF 41, 49]", 0, hol__correct_direct},
    {"direct-mass", "the same, nearest in the metric of the mass matrix", 1, hol__correct_direct},
};

const hol__correction_type *hol__correction_get(int i) {
    return i < (int)(sizeof types / sizeof *types) ? &types[i] : NULL;
}

const hol__correction_type *hol__correction_find(const char *name) {
    for (int i = 0; hol__correction_get(i); i++)
        if (strcmp(types[i].name, name) == 0) return &types[i];
    return NULL;
}

static hol_status make_identity(hol__arena *arena, int n, hol__csr *I) {
    *I = (hol__csr){.rows = n, .cols = n, .ptr = HOL__NEW_N(arena, int, n + 1), .idx = HOL__NEW_N(arena, int, n),
                    .x = HOL__NEW_N(arena, double, n)};
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) I->ptr[i + 1] = i + 1, I->idx[i] = i, I->x[i] = 1;
    return HOL_OK;
}

/* The kernels over W with D and, where there are nonholonomic rows, with A; the caller's where it fits. */
static hol_status make_kernels(hol__correction *c, hol__kernel *solver, const hol__kernel_options *options) {
    const hol_model *m = c->data->model;
    hol_context *ctx = c->data->ctx;
    hol_status status = HOL_OK;
    c->shared = c->velocities = c->type->mass_weighted ? solver : NULL;
    if (!c->velocities) status = hol__kernel_new(ctx, solver->type, c->W, &c->data->A, options, &c->velocities);
    if (status || m->m == m->mh)
        c->positions = c->velocities;
    else
        status = hol__kernel_new(ctx, solver->type, c->W, &c->D, options, &c->positions);
    return status;
}

static hol_status make_parts(hol__correction *c, hol__kernel *solver, const hol__kernel_options *options) {
    const hol_model *m = c->data->model;
    c->step = HOL__NEW_N(&c->arena, double, m->nv);
    c->rhs = HOL__NEW_N(&c->arena, double, m->m);
    c->q = HOL__NEW_N(&c->arena, double, m->nq);
    const hol_status status = make_identity(&c->arena, m->nv, &c->identity);
    if (status || c->arena.failed) return HOL_ERR_MEMORY;
    c->W = c->type->mass_weighted ? &m->M : &c->identity;
    c->D = c->data->A;
    c->D.rows = m->mh;
    return make_kernels(c, solver, options);
}

hol__correction *hol__correction_new(hol_data *data, const hol__correction_type *type, hol__kernel *solver,
                                     const hol__kernel_options *options, double position_tolerance,
                                     double velocity_tolerance) {
    hol__correction *c = hol__alloc(data->ctx, 1, sizeof *c);
    if (!c) return NULL;
    hol__arena_init(&c->arena, data->ctx);
    c->type = type;
    c->data = data;
    c->position_tolerance = position_tolerance;
    c->velocity_tolerance = velocity_tolerance;
    if (type->run && make_parts(c, solver, options)) {
        hol__correction_free(c);
        return NULL;
    }
    return c;
}

void hol__correction_free(hol__correction *correction) {
    if (!correction) return;
    hol_context *ctx = correction->data->ctx;
    if (correction->positions != correction->velocities) hol__kernel_free(correction->positions);
    if (correction->velocities != correction->shared) hol__kernel_free(correction->velocities);
    hol__arena_free(&correction->arena);
    hol__release(ctx, correction);
}

hol_status hol__correction_run(hol__correction *correction) {
    if (!correction->type->run) return HOL_OK;
    correction->count++;
    return correction->type->run(correction);
}

/* x <- x - W^-1 A^T (A W^-1 A^T)^-1 A x, with the rows of A that the kernel holds. */
static void remove_across(hol__correction *c, hol__kernel *kernel, const hol__csr *A, double *x) {
    if (kernel->tag != c->data->stamp) {
        if (hol__kernel_factor(kernel, c->W, A)) return;
        kernel->tag = c->data->stamp;
    }
    hol__csr_mul(A, x, c->rhs);
    if (hol__kernel_solve(kernel, NULL, c->rhs, c->step, NULL)) return;
    for (int i = 0; i < c->data->model->nv; i++) x[i] -= c->step[i];
}

void hol__correction_tangent(hol__correction *correction, double *d, double *v) {
    if (!correction->type->run) return;
    hol_data_update(correction->data, HOL_STAGE_POS);
    remove_across(correction, correction->positions, &correction->D, d);
    remove_across(correction, correction->velocities, &correction->data->A, v);
}
