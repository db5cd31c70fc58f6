/* solve.c: stage ACC: the equations of motion at the state in the data, by a solver of the data's
 * own.
 *
 *     M a + A^T lambda = Q,   A a = c
 *
 * By the kernel kkt, which takes redundant constraints and a singular M; where the coordinates
 * leave no constraints, by the recursion of the tree. A run solves with the kernel and the
 * stabiliser of its method instead (form/form.c) and marks the data solved; this solver is for
 * everybody else: a data without a run, a copy, the twin.
 */
#include "dyn/data.h"

#include <math.h>
#include <stdint.h>

void hol__data_set_solving(hol_data *data, const hol__kernel_options *options) {
    const int other = data->solving.storage != options->storage ||
                      data->solving.rank_tolerance != options->rank_tolerance;
    data->solving = (hol__kernel_options){.storage = options->storage,
                                          .rank_tolerance = options->rank_tolerance};
    if (!other) return;
    hol__kernel_free(data->kernel);
    data->kernel = NULL;
    hol__data_have_twin(data, 0);
}

/* The kernel, once. Redundant constraints stay redundant where a state lies off the constraints, so
 * a mechanism that has them keeps the kernel's wide margin. Without them a small share means a
 * singular position nearby, where every digit of it counts. */
hol_status hol__data_make_kernel(hol_data *data) {
    if (data->kernel) return HOL_OK;
    hol_status status = data->analysed ? HOL_OK : hol__data_analyse(data);
    const hol__csr *M = NULL;
    if (!status) status = hol__data_cheaper_mass(data, data->solving.storage, &M);
    if (status) return status;
    hol__kernel_options options = data->solving;
    data->solves_redundant = data->redundant;
    if (!(options.rank_tolerance > 0)) options.rank_tolerance = HOL__RANK_TOLERANCE;
    options.release_tolerance = data->redundant ? 0 : options.rank_tolerance;
    return hol__kernel_new(data->ctx, &hol__kernel_kkt, M, &data->A, &options, &data->kernel);
}

hol_status hol__data_factor(hol_data *data) {
    hol_status status = hol__data_make_kernel(data);
    if (status || data->kernel->tag == data->stamp) return status;
    const hol__csr *M = hol__data_mass_for(data, data->kernel);
    status = data->held == data->stamp ? hol__kernel_factor_again(data->kernel, M, &data->A)
                                       : hol__kernel_factor(data->kernel, M, &data->A);
    if (!status) data->kernel->tag = data->stamp;
    return status;
}

/* a and lambda by the kernel. */
static hol_status by_kernel(hol_data *data) {
    const hol_status status = hol__data_factor(data);
    return status ? status
                  : hol__kernel_solve(data->kernel, hol__data_forces(data), data->c, data->a,
                                      data->lambda);
}

/* The plain equations, whoever solved before. */
static hol_status solve(hol_data *data) {
    const hol_model *m = data->model;
    const hol__maps *maps = m->coords->maps;
    hol__data_stale(data);
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    status = !m->m && maps && maps->solve
                 ? maps->solve(m, &data->bodies, data->recursion, data->load, data->a)
                 : by_kernel(data);
    if (status) return status;
    double sum = 0;
    for (int i = 0; i < m->nv; i++) sum += data->a[i];
    if (!isfinite(sum)) return HOL_NONFINITE;
    hol__data_set_solved(data, HOL__SOLVED_PLAIN);
    return HOL_OK;
}

hol_status hol__data_accelerate(hol_data *data) {
    if (data->solved) return HOL_OK;
    return data->later.solution ? data->later.solution(data->later.self) : solve(data);
}

hol_status hol__data_settle_velocities(const hol_data *data) {
    hol_data *self = (hol_data *)(uintptr_t)data; /* who looks changes nothing that he has seen */
    hol_status (*const velocities)(void *) = self->later.velocities;
    self->later.velocities = NULL;
    return velocities ? velocities(self->later.self) : HOL_OK;
}

void hol__data_settle_solution(const hol_data *data) {
    if (hol__data_settle_velocities(data)) return;
    if (!data->solved && data->later.solution) data->later.solution(data->later.self);
}

hol_status hol_data_solve(hol_data *data) {
    if (!data) return HOL_ERR_ARGUMENT;
    const hol_status status = data->solved == HOL__SOLVED_PLAIN ? HOL_OK : solve(data);
    return hol__data_answer(data, status);
}

/* Have a kernel as `options` and `redundant` make it, or none. */
static hol_status have_kernel(hol_data *data, const hol__kernel_options *options, int redundant,
                              int wanted) {
    hol__data_set_solving(data, options);
    if (data->kernel && data->solves_redundant != redundant) {
        hol__kernel_free(data->kernel);
        data->kernel = NULL;
    }
    if (data->kernel || !wanted) return HOL_OK;
    const int now = data->redundant;
    data->redundant = redundant;
    const hol_status status = hol__data_make_kernel(data);
    data->redundant = now;
    return status;
}

/* Whether the kernel holds the factors at this state, or would make them again as it held them. */
static int holds_factors(const hol_data *data) {
    return data->kernel->tag == data->stamp || data->held == data->stamp;
}

hol_status hol__data_walk_kernel(hol_data *data, hol__archive *archive) {
    hol__kernel_options options = data->solving;
    int redundant = data->solves_redundant, wanted = data->kernel != NULL,
        holds = wanted && holds_factors(data);
    hol_status status = HOL_OK;
    HOL__ARCHIVE(archive, options.storage);
    HOL__ARCHIVE(archive, options.rank_tolerance);
    HOL__ARCHIVE(archive, redundant);
    HOL__ARCHIVE(archive, wanted);
    HOL__ARCHIVE(archive, holds);
    if (hol__archive_reads(archive)) status = have_kernel(data, &options, redundant, wanted);
    if (status) return status;
    if (hol__archive_reads(archive)) data->held = holds ? data->stamp : 0;
    if (wanted) hol__kernel_remember(data->kernel, archive);
    return !wanted && data->kernel ? hol__kernel_remember_as(data->kernel, NULL) : HOL_OK;
}

hol_status hol__data_have_twin(hol_data *data, int wanted) {
    if (wanted && !data->twin) data->twin = hol_data_new(data->ctx, data->model->reference);
    if (wanted) return data->twin ? HOL_OK : HOL_ERR_MEMORY;
    hol_data_free(data->twin);
    data->twin = NULL;
    data->known &= ~(unsigned)HOL__KNOWN_TWIN;
    return HOL_OK;
}

hol_status hol__data_copy_solver(hol_data *dst, const hol_data *src) {
    hol_status status = have_kernel(dst, &src->solving, src->solves_redundant, src->kernel != NULL);
    if (!status && dst->kernel) status = hol__kernel_remember_as(dst->kernel, src->kernel);
    dst->held = src->kernel && holds_factors(src) ? dst->stamp : 0;
    if (!status) status = hol__data_have_twin(dst, src->twin != NULL);
    return !status && src->twin ? hol_data_copy(dst->twin, src->twin) : status;
}
