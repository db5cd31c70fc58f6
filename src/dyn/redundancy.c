/* redundancy.c: which constraints depend on others at the current position, and which multipliers
 * that leaves open; whether constraints and inertias together leave no motion open.
 *
 * The data keeps what was found until it looks again: reactions say by it whether they are unique.
 */
#include "dyn/data.h"
#include "la/rank.h"

#include <string.h>

void hol__data_adopt_rank(hol_data *data, const hol_data *from) {
    const size_t m = (size_t)data->model->m;
    data->analysed = 1;
    data->rank = from->rank;
    data->redundant = from->redundant;
    data->smallest = from->smallest;
    memcpy(data->redundant_rows, from->redundant_rows, m);
    memcpy(data->undetermined, from->undetermined, m);
    memcpy(data->aside, from->aside, m);
}

hol_status hol__data_analyse(hol_data *data) {
    hol__rank_result found = {.redundant = data->redundant_rows,
                              .undetermined = data->undetermined,
                              .aside = data->aside,
                              .order = data->model->row_joint};
    hol_data_update(data, HOL_STAGE_POS);
    const hol_status status = hol__rank_analyse(data->ctx, &data->A, 0, &found);
    if (status) return status;
    data->analysed = 1;
    data->rank = found.rank;
    data->redundant = found.rank < data->model->m;
    data->smallest = found.smallest;
    return HOL_OK;
}

/* The rows of a matrix behind those of another one. */
static void append_rows(hol__csr *to, const hol__csr *from) {
    for (int i = 0; i < from->rows; i++) {
        const int first = from->ptr[i], n = from->ptr[i + 1] - first, at = to->ptr[to->rows];
        memcpy(to->idx + at, from->idx + first, (size_t)n * sizeof *to->idx);
        memcpy(to->x + at, from->x + first, (size_t)n * sizeof *to->x);
        to->ptr[++to->rows] = at + n;
    }
}

int hol__data_is_determined(hol_data *data) {
    hol_data_update(data, HOL_STAGE_POS);
    const hol__csr *A = &data->A, *M = hol__data_mass(data);
    const size_t entries = (size_t)A->ptr[A->rows] + (size_t)M->ptr[M->rows];
    hol__rank_result found = {.rank = 0};
    hol__arena arena;
    hol__arena_init(&arena, data->ctx);
    hol__csr both = {.cols = M->cols,
                     .ptr = HOL__NEW_N(&arena, int, A->rows + M->rows + 1),
                     .idx = HOL__NEW_N(&arena, int, entries + 1),
                     .x = HOL__NEW_N(&arena, double, entries + 1)};
    int determined = 0;
    if (!arena.failed && hol__csr_is_finite(A) && hol__csr_is_finite(M)) {
        append_rows(&both, A);
        append_rows(&both, M);
        determined =
            !hol__rank_analyse(data->ctx, &both, 0, &found) && found.rank == data->model->nv;
    }
    hol__arena_free(&arena);
    return determined;
}
