/* matrix.c: terms of the equations of motion as copies, dense or by compressed rows.
 *
 * A term is a sparse matrix of the data or of its tangent, or a dense one: a vector, or R, which is
 * made here from a QR factorisation of A. Both are handed out through one view.
 */
#include "base/argument.h"
#include "base/give.h"
#include "dyn/data.h"
#include "dyn/tangent.h"
#include "kernel/basis.h"
#include "la/tolerances.h"

#include <holonom/matrix.h>

#include <string.h>

/* A term as it lies in memory: sparse, or dense with a stride from row to row and from column to
 * column. */
typedef struct view {
    int rows, columns;
    const hol__csr *sparse; /* NULL: dense */
    const double *dense;
    size_t row_stride, column_stride;
} view;

/* What a term is made of while it is looked at. */
typedef struct source {
    hol__arena arena;
    hol__tangent *tangent;
    hol__local *local;
    hol__csr made; /* in the arena */
    view term;
} source;

static view sparse_view(const hol__csr *A) {
    return (view){.rows = A->rows, .columns = A->cols, .sparse = A};
}

static view vector_view(const double *x, int n) {
    return (view){.rows = n, .columns = 1, .dense = x, .row_stride = 1, .column_stride = 1};
}

/* R from A at the current position. */
static hol_status make_null_space(hol_data *data, source *s) {
    const int n = data->model->nv;
    hol__basis *basis = hol__basis_new(&s->arena, &hol__basis_qr, n, data->model->m,
                                       HOL__RANK_TOLERANCE, HOL__RANK_TOLERANCE);
    if (!basis) return HOL_ERR_MEMORY;
    const hol_status status = hol__basis_factor(basis, &data->A);
    s->term = (view){.rows = n,
                     .columns = n - basis->rank,
                     .dense = basis->R,
                     .row_stride = 1,
                     .column_stride = (size_t)n};
    return status;
}

/* The terms of the data itself; the stage they need is reached. */
static hol_status own_term(hol_data *data, hol_term term, source *s) {
    const hol_model *m = data->model;
    const hol_stage stage = term == HOL_TERM_Q                         ? HOL_STAGE_DYN
                            : term == HOL_TERM_B || term == HOL_TERM_C ? HOL_STAGE_VEL
                                                                       : HOL_STAGE_POS;
    const hol_status status = hol_data_update(data, stage);
    if (status) return status;
    switch (term) {
    case HOL_TERM_M: s->term = sparse_view(hol__data_mass(data)); break;
    case HOL_TERM_A: s->term = sparse_view(&data->A); break;
    case HOL_TERM_PHI: s->term = vector_view(data->Phi, m->mh); break;
    case HOL_TERM_B: s->term = vector_view(data->b, m->m); break;
    case HOL_TERM_C: s->term = vector_view(data->c, m->m); break;
    case HOL_TERM_Q: s->term = vector_view(hol__data_forces(data), m->nv); break;
    default: return make_null_space(data, s);
    }
    return HOL_OK;
}

/* The derivatives, at the solution. */
static hol_status tangent_term(hol_data *data, hol_term term, source *s) {
    const hol_model *m = data->model;
    hol_status status = hol_data_update(data, HOL_STAGE_ACC);
    if (!status) status = hol__tangent_new(data, &s->tangent);
    if (!status) status = hol__tangent_update(s->tangent, data, HOL__PART_ALL);
    if (status) return status;
    const hol__tangent *t = s->tangent;
    switch (term) {
    case HOL_TERM_K: s->term = sparse_view(&t->K); break;
    case HOL_TERM_Q_V: s->term = sparse_view(&t->B); break;
    case HOL_TERM_C_Q: s->term = sparse_view(&t->Cq); break;
    case HOL_TERM_C_V: s->term = sparse_view(&t->Cv); break;
    case HOL_TERM_PSI_Q: s->term = sparse_view(&t->Pq); break;
    case HOL_TERM_F_T: s->term = vector_view(t->F_t, m->nv); break;
    case HOL_TERM_C_T: s->term = vector_view(t->C_t, m->m); break;
    case HOL_TERM_PSI_T: s->term = vector_view(t->P_t, m->m); break;
    default: s->term = vector_view(t->Phi_t, m->mh); break;
    }
    return HOL_OK;
}

/* J, C or D of the local coordinates. */
static hol_status local_term(hol_data *data, hol_term term, source *s) {
    hol__csr D;
    s->local = hol__local_new(data->ctx, data->model);
    if (!s->local) return HOL_ERR_MEMORY;
    hol_data_update(data, HOL_STAGE_POS);
    hol__data_fill_local(data, s->local);
    s->term = sparse_view(&s->local->blocks.J);
    if (term == HOL_TERM_LOCAL_J) return HOL_OK;
    if (!hol__blocks_matrices(&s->local->blocks, &s->arena, &s->made, &D)) return HOL_ERR_MEMORY;
    if (term == HOL_TERM_LOCAL_D) s->made = D;
    s->term = sparse_view(&s->made);
    return HOL_OK;
}

/* -A_j^T lambda_j by rows. */
static hol_status reactions_term(hol_data *data, source *s) {
    const hol_status status = hol_data_update(data, HOL_STAGE_ACC);
    if (status) return status;
    const hol__csr *A = &data->A;
    s->made = *A;
    s->made.x = HOL__NEW_N(&s->arena, double, A->ptr[A->rows] + 1);
    if (!s->made.x) return HOL_ERR_MEMORY;
    for (int j = 0; j < A->rows; j++)
        for (int k = A->ptr[j]; k < A->ptr[j + 1]; k++) s->made.x[k] = -data->lambda[j] * A->x[k];
    s->term = sparse_view(&s->made);
    return HOL_OK;
}

/* Make the term. */
static hol_status make_term(hol_data *data, hol_term term, source *s) {
    *s = (source){.tangent = NULL};
    hol__arena_init(&s->arena, data->ctx);
    if ((int)term < 0 || term > HOL_TERM_REACTIONS)
        return hol__report(data->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "hol_data_term",
                           "there is no term %d", (int)term);
    if (term == HOL_TERM_REACTIONS) return reactions_term(data, s);
    if (term >= HOL_TERM_LOCAL_J) return local_term(data, term, s);
    return term < HOL_TERM_K ? own_term(data, term, s) : tangent_term(data, term, s);
}

/* Make the term, or say why that cannot be done; close in every case. */
static hol_status open_term(hol_data *data, hol_term term, source *s) {
    return hol__data_answer(data, make_term(data, term, s));
}

static void close_term(source *s) {
    hol__tangent_free(s->tangent);
    hol__local_free(s->local);
    hol__arena_free(&s->arena);
}

/* How many entries the compressed rows have. */
static int entries_of(const view *v) {
    return v->sparse ? v->sparse->ptr[v->rows] : v->rows * v->columns;
}

hol_status hol_data_term_size(hol_data *data, hol_term term, hol_size *out) {
    source s;
    if (!data) return HOL_ERR_ARGUMENT;
    hol_status status = open_term(data, term, &s);
    const hol_size size = {.rows = s.term.rows,
                           .columns = s.term.columns,
                           .entries = status ? 0 : entries_of(&s.term)};
    if (!status) status = hol__give(data->ctx, "hol_data_term_size", &size, sizeof size, out);
    close_term(&s);
    return status;
}

/* Whether there is room for what the caller asked for; reports it otherwise. */
static hol_status check_room(hol_data *data, const char *call, int needed, int n) {
    if (n >= needed) return HOL_OK;
    return hol__report(data->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                       "%d numbers are needed, there is room for %d; ask hol_data_term_size",
                       needed, n);
}

/* The dense copy of a view. */
static void copy_dense(const view *v, double *out) {
    if (v->sparse) {
        hol__csr_to_dense(v->sparse, out);
        return;
    }
    for (int i = 0; i < v->rows; i++)
        for (int j = 0; j < v->columns; j++)
            *out++ = v->dense[(size_t)i * v->row_stride + (size_t)j * v->column_stride];
}

hol_status hol_data_term(hol_data *data, hol_term term, double *out, int n) {
    source s;
    if (!data || hol__need(data->ctx, "hol_data_term", "the array to fill", out))
        return HOL_ERR_ARGUMENT;
    hol_status status = open_term(data, term, &s);
    if (!status) status = check_room(data, "hol_data_term", s.term.rows * s.term.columns, n);
    if (!status) copy_dense(&s.term, out);
    close_term(&s);
    return status;
}

/* Put the entry into its place among the first k of a row, by rising columns. */
static void insert(int *column, double *value, int k, int j, double x) {
    for (; k > 0 && column[k - 1] > j; k--) {
        column[k] = column[k - 1];
        value[k] = value[k - 1];
    }
    column[k] = j;
    value[k] = x;
}

/* The compressed rows of a view. */
static void copy_rows(const view *v, int *start, int *column, double *value) {
    int at = 0;
    for (int i = 0; i < v->rows; i++) {
        start[i] = at;
        const int first = v->sparse ? v->sparse->ptr[i] : 0;
        const int count = v->sparse ? v->sparse->ptr[i + 1] - first : v->columns;
        for (int k = 0; k < count; k++) {
            const int j = v->sparse ? v->sparse->idx[first + k] : k;
            const double x =
                v->sparse ? v->sparse->x[first + k]
                          : v->dense[(size_t)i * v->row_stride + (size_t)k * v->column_stride];
            insert(column + at, value + at, k, j, x);
        }
        at += count;
    }
    start[v->rows] = at;
}

hol_status hol_data_term_rows(hol_data *data, hol_term term, int *start, int *column, double *value,
                              int n) {
    source s;
    if (!data || hol__need(data->ctx, "hol_data_term_rows", "an array to fill",
                           start && column && value ? start : NULL))
        return HOL_ERR_ARGUMENT;
    hol_status status = open_term(data, term, &s);
    if (!status) status = check_room(data, "hol_data_term_rows", entries_of(&s.term), n);
    if (!status) copy_rows(&s.term, start, column, value);
    close_term(&s);
    return status;
}
