/* lay_rows.c: places and names of the constraint rows, and the fixed pattern of G and A.
 *
 * Holonomic rows come first. A record's rows are stored one after the other, each with a block of
 * nv_body values for every moving body of the record; entries that are zero for good are marked
 * (hol__csr.live).
 */
#include "coords/coords.h"

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

hol_status hol__lay_rows(hol_model *model, int *own) {
    int row = 0, nnz = 0;
    const hol__maps *maps = model->coords->maps;
    place_all(model, 1, &row, &nnz);
    const int first_own = *own = row;
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
    for (int i = 0; i < row; i++) model->G.ptr[i + 1] += model->G.ptr[i];
    if (maps) return maps->lay_rows(model);
    model->A = model->G;
    return HOL_OK;
}
