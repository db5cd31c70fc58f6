/* state.c: the exact state of a data as bytes: what was set, what elements remember, who solved and
 * how, and what the solvers remember. Everything else follows from these by the same arithmetic, so
 * a data that was loaded goes on with the same bits.
 *
 *     mark, sizes of the model, number of bytes | t, work, q, v, ... | rank | kernel | twin |
 * solution
 */
#include "dyn/data.h"

#include <stdint.h>

/* What must be the same in the data that is loaded: sizes of the model, number of bytes. */
static void mark(const hol_data *data, size_t bytes, hol__archive *archive) {
    const hol_model *m = data->model;
    const long long all[] = {m->nq,       m->nv,    m->m,        m->nb,
                             m->n_angles, m->n_aux, m->n_memory, (long long)bytes};
    hol__archive_mark(archive, "hol_data", 8);
    hol__archive_mark(archive, all, sizeof all);
}

/* Time, coordinates, velocities, full turns, and what elements keep. */
static void state(hol_data *data, hol__archive *archive) {
    const hol_model *m = data->model;
    int followed = data->angles_stamp == data->stamp;
    HOL__ARCHIVE(archive, data->t);
    HOL__ARCHIVE(archive, data->work);
    HOL__ARCHIVE_N(archive, data->q, m->nq);
    HOL__ARCHIVE_N(archive, data->v, m->nv);
    HOL__ARCHIVE_N(archive, data->angles_base, m->n_angles);
    HOL__ARCHIVE_N(archive, data->angles, m->n_angles);
    HOL__ARCHIVE(archive, followed);
    HOL__ARCHIVE_N(archive, data->aux, m->n_aux);
    HOL__ARCHIVE_N(archive, data->memory, m->n_memory);
    for (int i = 0; data->bodies.b2 && i < m->nb; i++)
        HOL__ARCHIVE(archive, data->bodies.b2[i].turn);
    /* of a quaternion and its negative the one that went before decides */
    for (int i = 0; data->bodies.b3 && i < m->nb; i++)
        HOL__ARCHIVE_N(archive, data->bodies.b3[i].p, 4);
    if (!hol__archive_reads(archive)) return;
    hol__data_set_q(data, data->t, NULL);
    data->angles_stamp = followed ? data->stamp : 0;
}

/* The rank of the constraints as it was last found. */
static void rank(hol_data *data, hol__archive *archive) {
    HOL__ARCHIVE(archive, data->analysed);
    HOL__ARCHIVE(archive, data->redundant);
    HOL__ARCHIVE(archive, data->rank);
    HOL__ARCHIVE(archive, data->smallest);
    HOL__ARCHIVE_N(archive, data->redundant_rows, data->model->m);
    HOL__ARCHIVE_N(archive, data->undetermined, data->model->m);
    HOL__ARCHIVE_N(archive, data->aside, data->model->m);
}

/* The stage, the solution, and whether the twin has one for it: loaded where everything up to the
 * stage is evaluated again. */
static hol_status solution(hol_data *data, hol__archive *archive) {
    hol_stage stage = data->stage;
    hol__solved solved = data->solved;
    int moving = data->moving;
    unsigned known = data->known & HOL__KNOWN_TWIN;
    hol_status status = HOL_OK;
    HOL__ARCHIVE(archive, stage);
    HOL__ARCHIVE(archive, solved);
    HOL__ARCHIVE(archive, moving);
    HOL__ARCHIVE(archive, known);
    if (hol__archive_reads(archive)) status = hol_data_update(data, stage);
    HOL__ARCHIVE_N(archive, data->a, data->model->nv);
    HOL__ARCHIVE_N(archive, data->lambda, data->model->m);
    if (!hol__archive_reads(archive) || status) return status;
    hol__data_set_solved(data, solved);
    data->moving = moving;
    data->known = known;
    return HOL_OK;
}

void hol__data_walk_stamp(const hol_data *data, unsigned long *stamp, hol__archive *archive) {
    int holds = *stamp == data->stamp;
    HOL__ARCHIVE(archive, holds);
    if (hol__archive_reads(archive)) *stamp = holds ? data->stamp : 0;
}

hol_status hol__data_walk(hol_data *data, hol__archive *archive) {
    if (!hol__archive_reads(archive)) hol__data_settle_solution(data);
    int twin = data->twin != NULL;
    hol_status status = HOL_OK;
    state(data, archive);
    rank(data, archive);
    status = hol__data_walk_kernel(data, archive);
    HOL__ARCHIVE(archive, twin);
    if (!status && hol__archive_reads(archive)) status = hol__data_have_twin(data, twin);
    if (!status && twin) status = hol__data_walk(data->twin, archive);
    return status ? status : solution(data, archive);
}

size_t hol__data_state_size(hol_data *data) {
    hol__archive archive = {.mode = HOL__ARCHIVE_COUNT};
    mark(data, 0, &archive);
    hol__data_walk(data, &archive);
    return archive.size;
}

void hol__data_state_save(hol_data *data, void *block) {
    hol__archive archive = {.mode = HOL__ARCHIVE_WRITE, .bytes = block};
    mark(data, hol__data_state_size(data), &archive);
    hol__data_walk(data, &archive);
}

/* Say that the bytes are not a state of this data. */
static hol_status refuse(const hol_data *data) {
    return hol__report(data->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "state",
                       "is not one of this model in these coordinates, or not whole; load what was "
                       "saved with the same model file");
}

hol_status hol__data_state_load(hol_data *data, const void *block, size_t size) {
    hol__archive archive = {
        .mode = HOL__ARCHIVE_READ, .bytes = (unsigned char *)(uintptr_t)block, .limit = size};
    mark(data, size, &archive);
    if (archive.mismatch) return refuse(data);
    const hol_status status = hol__data_walk(data, &archive);
    return !status && archive.mismatch ? refuse(data) : status;
}
