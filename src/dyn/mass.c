/* mass.c: the mass matrix at a state.
 *
 * In relative coordinates every velocity meets all those between it and the root: M of a chain is
 * dense, with n^2 entries. Accelerations of a tree come from the recursion over it, which never
 * sees M; so neither its pattern nor room for its values is made before somebody asks. Where rows
 * close loops of many links the same recursion gives M = L L^T by what L does (la/root.h,
 * coords/tree_root.h), in time proportional to the number of bodies. */
#include "coords/coords.h"
#include "coords/tree.h"
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

/* ---- by its root ---- */

struct hol__data_root {
    hol__root root;
    const hol_model *model;
    hol__csr W;          /* the diagonal, and root */
    unsigned long stamp; /* of the data for which it holds */
    double *numbers;     /* of the coordinates */
};

static void lower(void *self, double *x) {
    const struct hol__data_root *r = self;
    r->model->coords->maps->root_lower(r->model, r->numbers, x);
}

static void upper(void *self, double *x) {
    const struct hol__data_root *r = self;
    r->model->coords->maps->root_upper(r->model, r->numbers, x);
}

static void times(void *self, const double *x, double *y) {
    const struct hol__data_root *r = self;
    r->model->coords->maps->root_times(r->model, r->numbers, x, y);
}

int hol__data_prefers_root(const hol_data *data) {
    const hol_model *m = data->model;
    if (!m->coords->maps || !m->coords->maps->root) return 0;
    for (int i = 0; i < m->nb; i++)
        if (m->bodies[i].singular) return 0; /* what the rows hold of it only entries can tell */
    return hol__tree_prefers_root(m);
}

hol_status hol__data_hold_root(hol_data *data) {
    const hol_model *m = data->model;
    const size_t n = (size_t)m->nv, own = sizeof(struct hol__data_root) / sizeof(double) + 1;
    const size_t size = (size_t)m->coords->maps->root_size(m);
    if (data->root) return HOL_OK;
    double *block = hol__alloc(data->ctx, own + size + n + n + 1, sizeof *block);
    if (!block) return HOL_ERR_MEMORY;
    struct hol__data_root *r = data->root = (struct hol__data_root *)(void *)block;
    int *ptr = (int *)(void *)(block + own + size + n);
    *r = (struct hol__data_root){.model = m, .numbers = block + own};
    r->root = (hol__root){.self = r, .lower = lower, .upper = upper, .times = times};
    for (int i = 0; i <= m->nv; i++) ptr[i] = i;
    r->W = (hol__csr){.rows = m->nv,
                      .cols = m->nv,
                      .ptr = ptr,
                      .idx = ptr,
                      .x = block + own + size,
                      .root = &r->root};
    return HOL_OK;
}

const hol__csr *hol__data_root(hol_data *data) {
    const hol_model *m = data->model;
    const hol__maps *maps = m->coords->maps;
    struct hol__data_root *r = data->root;
    if (r->stamp == data->stamp) return &r->W;
    hol_data_update(data, HOL_STAGE_POS);
    maps->mass_diagonal(m, &data->bodies, data->recursion, r->W.x);
    r->root.singular = maps->root(m, &data->bodies, data->recursion, r->numbers) != HOL_OK;
    r->stamp = data->stamp;
    return &r->W;
}

hol_status hol__data_cheaper_mass(hol_data *data, hol__storage storage, const hol__csr **M) {
    const int rooted = storage == HOL__STORAGE_AUTO && hol__data_prefers_root(data);
    const hol_status status = rooted ? hol__data_hold_root(data) : hol__data_hold_mass(data);
    if (status) return status;
    *M = rooted ? hol__data_root(data) : hol__data_mass(data);
    return HOL_OK;
}

void hol__data_forget_root(hol_data *data) {
    if (data->root) data->root->stamp = 0;
}

void hol__data_carry_root(hol_data *data, unsigned long stamp) {
    if (data->root && data->root->stamp == stamp) data->root->stamp = data->stamp;
}

const hol__csr *hol__data_mass_for(hol_data *data, const hol__kernel *kernel) {
    return kernel->rooted ? hol__data_root(data) : hol__data_mass(data);
}

void hol__data_mass_times(hol_data *data, const double *x, double *y) {
    hol__csr_mul(data->by_root ? hol__data_root(data) : hol__data_mass(data), x, y);
}
