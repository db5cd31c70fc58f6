/* correct.c: the table of corrections, and what they share: weights, kernels, work space. */
#include "correct/correct.h"

#include "kernel/penalty.h"

#include <math.h>
#include <string.h>

/* clang-format off */
static const hol__correction_type types[] = {
    /* name, title,
     * by mass, partitioned, kernel, run, energy */
    {"none", "no correction: constraints drift",
     0, 0, NULL, NULL, 0},
    {"direct", "nearest point on the constraints in the coordinates, then nearest velocity "
     "[MSF 41, 49]",
     0, 0, NULL, hol__correct_direct, 0},
    {"direct-mass", "the same, nearest in the metric of the mass matrix",
     1, 0, NULL, hol__correct_direct, 0},
    {"partition", "Newton for the dependent coordinates, then for their velocities; the "
     "independent ones are kept [GJB 5.57]",
     0, 1, NULL, hol__correct_partition, 0},
    {"drift", "partition, only when positions have drifted beyond the threshold [GJB 5.2.2, Paul]",
     0, 1, NULL, hol__correct_drift, 0},
    {"hybrid", "partition, at every evaluation while Baumgarte's terms do not hold the threshold "
     "[GJB 5.2.2, Park and Haug]",
     0, 1, NULL, hol__correct_hybrid, 0},
    {"mass-orthogonal", "augmented-Lagrangian projection orthogonal in the mass matrix [MSF 26-30]",
     1, 0, "penalty", hol__correct_mass_orthogonal, 0},
    {"direct-energy", "direct, then the speed along the constraints scaled to the energy balance",
     0, 0, NULL, hol__correct_direct, 1},
    {"direct-mass-energy", "direct-mass, then the speed along the constraints scaled to the energy "
     "balance",
     1, 0, NULL, hol__correct_direct, 1},
};
/* clang-format on */

const hol__correction_type *hol__correction_get(int i) {
    return i < (int)(sizeof types / sizeof *types) ? &types[i] : NULL;
}

const hol__correction_type *hol__correction_find(const char *name) {
    for (int i = 0; hol__correction_get(i); i++)
        if (strcmp(types[i].name, name) == 0) return &types[i];
    return NULL;
}

/* The kernels over W with D and, where there are nonholonomic rows, with A; the caller's where it
 * fits. */
static hol_status make_kernels(hol__correction *c, hol__kernel *solver,
                               const hol__kernel_options *options) {
    const hol_model *m = c->data->model;
    hol_context *ctx = c->data->ctx;
    hol_status status = HOL_OK;
    hol__kernel_options holonomic = *options;
    holonomic.blocks = NULL;
    /* a solver that is right only up to a share could not restore the constraints to rounding */
    const hol__kernel_type *type =
        solver->type->flags & HOL__KERNEL_APPROXIMATE ? &hol__kernel_kkt : solver->type;
    if (c->type->kernel) type = hol__kernel_find(c->type->kernel);
    const int same =
        type == solver->type || (type == &hol__kernel_penalty && hol__penalty_is(solver->type));
    c->shared = c->velocities = c->type->mass_weighted && same ? solver : NULL;
    if (!c->velocities)
        status = hol__kernel_new(ctx, type, c->W, &c->data->A, options, &c->velocities);
    if (status || m->m == m->mh)
        c->positions = c->velocities;
    else
        status = hol__kernel_new(ctx, type, c->W, &c->D, &holonomic, &c->positions);
    return status;
}

static hol_status make_parts(hol__correction *c, hol__kernel *solver,
                             const hol__kernel_options *options) {
    const hol_model *m = c->data->model;
    c->step = HOL__NEW_N(&c->arena, double, m->nv);
    c->rhs = HOL__NEW_N(&c->arena, double, m->m);
    c->q = HOL__NEW_N(&c->arena, double, m->nq);
    c->q0 = HOL__NEW_N(&c->arena, double, m->nq);
    c->v0 = HOL__NEW_N(&c->arena, double, m->nv);
    c->f = HOL__NEW_N(&c->arena, double, m->nv);
    c->lambda = HOL__NEW_N(&c->arena, double, m->m);
    const hol_status status = hol__csr_identity(&c->arena, m->nv, &c->identity);
    if (status || c->arena.failed) return HOL_ERR_MEMORY;
    c->W = !c->type->mass_weighted              ? &c->identity
           : solver->rooted && !c->type->kernel ? hol__data_root(c->data)
                                                : &c->data->M;
    c->D = c->data->A;
    c->D.rows = m->mh;
    return c->type->partitioned ? HOL_OK : make_kernels(c, solver, options);
}

/* The largest penalty of a position constraint. */
static double largest_penalty(const hol__kernel_options *options, int mh) {
    double most = options && options->penalty > 0 ? options->penalty : HOL__KERNEL_PENALTY;
    for (int i = 0; options && options->penalties && i < mh; i++)
        most = fmax(most, options->penalties[i]);
    return most;
}

hol__correction *hol__correction_new(hol_data *data, const hol__correction_type *type,
                                     hol__kernel *solver, const hol__kernel_options *options,
                                     double position_tolerance, double velocity_tolerance) {
    hol__correction *c = hol__alloc(data->ctx, 1, sizeof *c);
    if (!c) return NULL;
    hol__arena_init(&c->arena, data->ctx);
    c->type = type;
    c->data = data;
    c->aside = options ? options->aside : NULL;
    c->penalty = largest_penalty(options, data->model->mh);
    c->epsilon =
        options && options->iteration_tolerance > 0 ? options->iteration_tolerance : INFINITY;
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
    hol_status status = correction->type->run(correction);
    return status || !correction->type->energy ? status : hol__correct_energy(correction);
}

hol_status hol__correction_run_stage(hol__correction *correction) {
    correction->inside = 1;
    const hol_status status = hol__correction_run(correction);
    correction->inside = 0;
    return status;
}

int hol__correction_rests(const hol__correction *c, double norm) {
    return norm <= 100 * c->position_tolerance || norm <= 100 * hol__data_rounding(c->data);
}

/* W at the position in data, where it is M. */
static void have_weight(hol__correction *c, const hol__kernel *kernel) {
    if (c->type->mass_weighted) hol__data_mass_for(c->data, kernel);
}

hol_status hol__correction_factor(hol__correction *c, hol__kernel *kernel) {
    if (kernel->tag == c->data->stamp || (c->kept && kernel->tag == c->kept)) return HOL_OK;
    hol_data_update(c->data, HOL_STAGE_POS);
    have_weight(c, kernel);
    const hol_status status =
        hol__kernel_factor(kernel, c->W, kernel == c->velocities ? &c->data->A : &c->D);
    if (!status) kernel->tag = c->data->stamp;
    if (!status && c->keeps && c->type->run == hol__correct_direct) c->kept = kernel->tag;
    return status;
}

long hol__correction_factorizations(const hol__correction *c) {
    const hol__kernel *q = c->positions, *v = c->velocities;
    return (c->own ? c->completion->factorizations : 0) +
           (v && v != c->shared ? v->info.factorizations : 0) +
           (q && q != v && q != c->shared ? q->info.factorizations : 0);
}

hol_status hol__correction_solve(hol__correction *c, int positions, double *rhs, double *x) {
    hol__kernel *kernel = positions ? c->positions : c->velocities;
    const hol_model *m = c->data->model;
    hol_status status;
    if (c->completion) {
        for (int i = m->mh; positions && i < m->m; i++) rhs[i] = 0;
        status = hol__completion_factor(c->completion);
        if (!status) hol__completion_solve(c->completion, rhs, NULL, x);
        return status;
    }
    status = hol__correction_factor(c, kernel);
    return status ? status : hol__kernel_solve(kernel, NULL, rhs, x, NULL);
}

/* x <- x - W^-1 A^T (A W^-1 A^T)^-1 A x, or x <- R B x, with the rows D or all of A. */
static void remove_across(hol__correction *c, int positions, const hol__csr *A, double *x) {
    hol__csr_mul(A, x, c->rhs);
    if (hol__correction_solve(c, positions, c->rhs, c->step)) return;
    for (int i = 0; i < c->data->model->nv; i++) x[i] -= c->step[i];
}

void hol__correction_tangent(hol__correction *correction, double *d, double *v) {
    if (!correction->type->run) return;
    hol_data_update(correction->data, HOL_STAGE_POS);
    remove_across(correction, 1, &correction->D, d);
    remove_across(correction, 0, &correction->data->A, v);
}

hol_status hol__correction_walk(hol__correction *c, hol__archive *archive) {
    hol_status status = HOL_OK;
    HOL__ARCHIVE(archive, c->balance);
    HOL__ARCHIVE(archive, c->moved);
    HOL__ARCHIVE(archive, c->count);
    HOL__ARCHIVE(archive, c->iterations);
    HOL__ARCHIVE(archive, c->held);
    if (c->own) return hol__completion_walk(c->completion, archive);
    if (!c->type->run || c->type->partitioned) return HOL_OK;
    have_weight(c, c->velocities);
    if (c->velocities != c->shared)
        status = hol__kernel_walk(c->velocities, c->W, &c->data->A, c->data->stamp, archive);
    if (!status && c->positions != c->velocities)
        status = hol__kernel_walk(c->positions, c->W, &c->D, c->data->stamp, archive);
    return status;
}
