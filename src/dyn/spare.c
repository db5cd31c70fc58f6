/* spare.c: constraints that are not evaluated for a while.
 *
 * Rows that depend on others hold where the others do, so that an integrator's stages need not know
 * them. While they are spared their rows of Phi, A, b and c are zero, as if they were not there.
 * Then they are owed, and evaluated when somebody asks for the stage at which they are.
 */
#include "dyn/data.h"

/* Zeros in row i of everything. */
static void clear_row(hol_data *data, int i) {
    const hol__csr *A = &data->A, *G = &data->model->G;
    data->Phi[i] = data->b[i] = data->c[i] = 0;
    for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) A->x[p] = 0;
    for (int p = G->ptr[i]; data->G != A->x && p < G->ptr[i + 1]; p++) data->G[p] = 0;
}

/* Zeros in row i of A, which is not carried over to the coordinates; its record is evaluated. */
static void clear_mapped_row(hol_data *data, int i) {
    const hol__csr *A = &data->A;
    for (int p = A->ptr[i]; data->G != A->x && p < A->ptr[i + 1]; p++) A->x[p] = 0;
}

void hol__data_spare(hol_data *data, const hol__spared *spared) {
    for (int i = 0; i < data->model->m && !data->blank; i++) {
        if (spared->zero[i])
            clear_row(data, i);
        else if (spared->rows[i])
            clear_mapped_row(data, i);
    }
    data->owed = NULL;
    data->spared = spared;
    data->blank = 1;
}

void hol__data_complete(hol_data *data) {
    data->owed = data->stage >= HOL_STAGE_POS ? data->spared : NULL;
    data->spared = NULL;
}

void hol__data_settle(hol_data *data) {
    const int want = HOL__WANT_POS | (data->stage >= HOL_STAGE_VEL ? HOL__WANT_VEL : 0);
    /* the way over to the coordinates takes all rows as the bodies have them */
    const int all = data->model->coords->maps != NULL;
    data->spared = all ? NULL : data->owed;
    hol__data_fill_constraints(data, want, 1);
    if (all) hol__data_map_constraints(data, want);
    data->owed = data->spared = NULL;
    data->blank = 0;
}

void hol__data_forget_factors(hol_data *data) {
    const unsigned long before = data->stamp++;
    if (data->mass_stamp == before) data->mass_stamp = data->stamp;
    hol__data_carry_root(data, before);
    if (data->angles_stamp == before) data->angles_stamp = data->stamp;
    if (data->held == before) data->held = data->stamp;
    if (data->kernel && data->kernel->tag == before) data->kernel->tag = data->stamp;
}
