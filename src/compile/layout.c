/* layout.c: rows of the constraints, the fixed pattern of A, the mass matrix, the start, and the
 * scale of length.
 *
 * Holonomic rows come first. A record's rows are stored one after the other, each with a block of
 * nv_body values for every moving body of the record; entries that are zero for good are marked
 * (hol__csr.live).
 */
#include "compile/compile.h"

#include "coords/coords.h"

#include "math/vec3.h"

/* Place a record: rows from *row on, values from *value on. */
static void place_record(const hol_model *model, hol__con *con, int *row, int *value) {
    int moving = 0;
    for (int b = 0; b < con->n_bodies; b++) {
        con->at[b] = -1;
        if (con->body[b] < model->nb) con->at[b] = *value + model->bw * moving++;
    }
    con->stride = model->bw * moving;
    con->row = *row;
    *row += con->n_rows;
    *value += con->n_rows * con->stride;
}

static void place_all(hol_model *model, int holonomic, int *row, int *value) {
    for (int i = 0; i < model->n_con_batches; i++) {
        const hol__con_batch *batch = &model->con_batches[i];
        if (batch->type->holonomic != holonomic) continue;
        for (int k = 0; k < batch->count; k++)
            place_record(model,
                         (hol__con *)(void *)(batch->records + (size_t)k * batch->type->size), row,
                         value);
    }
}

/* Columns, live marks and row names of one record. */
static void describe_record(hol_model *model, const hol__con_type *type, const hol__con *con) {
    hol__csr *A = &model->G;
    for (int k = 0; k < con->n_rows; k++) {
        const int row = con->row + k;
        const hol__element *joint = &model->joints[con->element];
        A->ptr[row + 1] = con->stride;
        model->rows[row] = (hol_row){joint->label, type->label(con, k), joint->where};
        model->row_joint[row] = con->element;
        for (int b = 0; b < con->n_bodies; b++) {
            if (con->at[b] < 0) continue;
            const unsigned bits = type->live(con, k, b);
            for (int j = 0; j < model->bw; j++) {
                const int at = con->at[b] + k * con->stride + j;
                A->idx[at] = model->bw * con->body[b] + j;
                A->live[at] = (bits >> j) & 1;
            }
        }
    }
}

static hol_status lay_rows(hol_model *model) {
    int row = 0, nnz = 0;
    const hol__maps *maps = model->coords->maps;
    place_all(model, 1, &row, &nnz);
    const int first_own = row;
    if (maps && maps->count_own) row += maps->count_own(model);
    model->mh = row;
    place_all(model, 0, &row, &nnz);
    model->m = row;
    hol__arena *arena = &model->arena;
    model->G = (hol__csr){.rows = row,
                          .cols = model->bw * model->nb,
                          .ptr = HOL__NEW_N(arena, int, row + 1),
                          .idx = HOL__NEW_N(arena, int, nnz),
                          .live = HOL__NEW_N(arena, unsigned char, nnz)};
    model->rows = HOL__NEW_N(arena, hol_row, row);
    model->row_joint = HOL__NEW_N(arena, int, row);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < model->n_con_batches; i++)
        for (int k = 0; k < model->con_batches[i].count; k++)
            describe_record(model, model->con_batches[i].type,
                            hol__con_record(&model->con_batches[i], k));
    for (int i = first_own; i < model->mh; i++) {
        model->rows[i] = maps->own_row(model, i - first_own);
        model->row_joint[i] = -1;
    }
    const hol_status status = hol__lay_gains(model, first_own);
    if (status) return status;
    for (int i = 0; i < row; i++) model->G.ptr[i + 1] += model->G.ptr[i];
    if (maps) return maps->lay_rows(model);
    model->A = model->G;
    return HOL_OK;
}

/* The size of a body: the largest distance of a joint from a mass centre, twice; where no joint
 * tells, that of the bodies from the first; 1 for a single free body. */
static double size_of(const hol_model *model) {
    double size = 0;
    for (int k = 0; k < model->n_joints; k++)
        for (int i = 0; i < 2; i++)
            if (model->joints[k].body[i] < model->nb)
                size = fmax(size, 2 * hol__norm3(model->joints[k].marker[i].s));
    for (int k = 1; k < model->nb && !(size > 0); k++) {
        double d[3];
        hol__sub3(model->bodies[k].r, model->bodies[0].r, d);
        size = hol__norm3(d);
    }
    return size > 0 ? size : 1;
}

/* Coordinates of the bodies themselves, and which velocities are angular. */
static int count_coordinates(hol_model *model) {
    model->nq = model->coords->nq_body * model->nb;
    model->nv = model->coords->nv_body * model->nb;
    model->turn = HOL__NEW_N(&model->arena, unsigned char, model->nv);
    for (int i = 0; model->turn && i < model->nv; i++) model->turn[i] = i % model->bw >= model->dim;
    return model->turn != NULL;
}

hol_status hol__compile_layout(hol__build *build) {
    hol_model *model = build->model;
    if (model->coords->maps) {
        const hol_status status = model->coords->maps->choose(model, build->cut);
        if (status) return status;
    } else if (!count_coordinates(model))
        return HOL_ERR_MEMORY;
    model->q0 = HOL__NEW_N(build->arena, double, model->nq);
    model->v0 = HOL__NEW_N(build->arena, double, model->nv);
    if (build->arena->failed) return HOL_ERR_MEMORY;
    model->coords->start(model, model->q0, model->v0);
    model->length = size_of(model);
    const hol_status status = lay_rows(model);
    return status ? status : model->coords->mass(model);
}
