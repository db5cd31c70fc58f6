/* mass.c: the mass matrix at a state.
 *
 * In relative coordinates every velocity meets all those between it and the root: M of a chain is
 * dense, with n^2 entries. Accelerations of a tree come from the recursion over it, which never
 * sees M; so neither its pattern nor room for its values is made before somebody asks. */
#include "coords/coords.h"
#include "dyn/data.h"

#include <limits.h>

static int varies(const hol_data *data) {
    return data->model->coords->maps && data->model->coords->maps->mass_at;
}

/* Zeros on the diagonal: what stands for M before it is made, and where it cannot be. */
int hol__mass_lay_out(hol_data *data, double *block) {
    const int n = data->model->nv, ints = 2 * n + 1;
    const int doubles = (int)((sizeof(int) * (size_t)ints + sizeof *block - 1) / sizeof *block);
    data->M = data->model->M;
    if (!varies(data)) return 0;
    if (block) {
        int *ptr = (int *)(void *)(block + n);
        for (int i = 0; i <= n; i++) ptr[i] = i;
        for (int i = 0; i < n; i++) ptr[n + 1 + i] = i;
        data->M = (hol__csr){.rows = n, .cols = n, .ptr = ptr, .idx = ptr + n + 1, .x = block};
    }
    return n + doubles;
}

hol_status hol__data_hold_mass(hol_data *data) {
    const hol_model *m = data->model;
    if (!varies(data) || data->mass_block) return HOL_OK;
    if (!m->M.ptr)
        return hol__report(data->ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, "coordinates",
                           "the mass matrix of %d velocities in these coordinates has more than %d "
                           "entries; take coordinates reference",
                           m->nv, INT_MAX);
    const size_t entries = (size_t)m->M.ptr[m->nv];
    double *block = hol__alloc(data->ctx, entries + entries / 2 + 1, sizeof *block);
    if (!block) return HOL_ERR_MEMORY;
    data->mass_block = block;
    data->M = (hol__csr){.rows = m->nv,
                         .cols = m->nv,
                         .ptr = m->M.ptr,
                         .idx = (int *)(void *)(block + entries),
                         .x = block};
    m->coords->maps->mass_pattern(m, data->recursion, data->M.idx);
    return HOL_OK;
}

const hol__csr *hol__data_mass(hol_data *data) {
    const hol_model *m = data->model;
    if (!varies(data) || data->mass_stamp == data->stamp) return &data->M;
    if (hol__data_hold_mass(data)) return &data->M;
    hol_data_update(data, HOL_STAGE_POS);
    m->coords->maps->mass_at(m, &data->bodies, data->recursion, data->M.x);
    data->mass_stamp = data->stamp;
    return &data->M;
}
