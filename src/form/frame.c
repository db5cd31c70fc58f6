/* frame.c: factoring [A; B], and solving with it. See frame.h. */
#include "form/frame.h"

#include "la/tolerances.h"

#include <math.h>
#include <string.h>

/* Pivots that have fallen to this share of their size when they were chosen are chosen anew. */
static const double kept_share = 1e-2;

/* Size of a displacement against that of a turn: see frame.h. */
static const double displacement = 3;

hol__frame *hol__frame_new(hol__arena *arena, hol_data *data, hol__frame_basis basis,
                           double watch) {
    const hol_model *m = data->model;
    hol__frame *frame = HOL__NEW(arena, hol__frame);
    if (!frame) return NULL;
    const int n = m->nv;
    *frame = (hol__frame){.arena = arena,
                          .data = data,
                          .basis = basis,
                          .n = n,
                          .m = m->m,
                          .rank = -1,
                          .watch = watch};
    frame->choice = hol__lufp_new(arena, m->m, n);
    frame->size = HOL__NEW_N(arena, double, n);
    frame->B = HOL__NEW_N(arena, double, (size_t)n *(size_t)n);
    frame->R = HOL__NEW_N(arena, double, (size_t)n *(size_t)n);
    frame->T = HOL__NEW_N(arena, double, (size_t)n *(size_t)n);
    frame->picked = HOL__NEW_N(arena, int, n);
    frame->svd = basis == HOL__FRAME_SVD ? hol__svd_new(arena, m->m, n) : NULL;
    if (arena->failed) return NULL;
    for (int i = 0; i < n; i++) frame->size[i] = hol__is_turn(m, i) ? 1 : displacement * m->length;
    return frame;
}

/* ---- the matrix ---- */

/* Whether entry k of A can differ from zero. */
static int is_live(const hol__csr *A, int k) {
    return !A->live || A->live[k];
}

/* The pattern of K: live entries of A, then f rows with room for all columns. */
static hol_status make_square(hol__frame *frame) {
    const hol__csr *A = &frame->data->A;
    const size_t most = (size_t)A->ptr[frame->m] + (size_t)frame->f * (size_t)frame->n,
                 rows = (size_t)frame->n + 1;
    frame->K = (hol__csr){.rows = frame->n,
                          .cols = frame->n,
                          .ptr = HOL__NEW_N(frame->arena, int, rows),
                          .idx = HOL__NEW_N(frame->arena, int, most),
                          .x = HOL__NEW_N(frame->arena, double, most)};
    frame->from = HOL__NEW_N(frame->arena, int, (size_t)A->ptr[frame->m]);
    frame->lu = hol__lu_fixed_new(frame->arena, frame->n);
    if (frame->arena->failed) return HOL_ERR_MEMORY;
    int count = 0;
    for (int i = 0; i < frame->m; i++) {
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            if (is_live(A, k)) frame->K.idx[count] = A->idx[k], frame->from[count++] = k;
        frame->K.ptr[i + 1] = count;
    }
    return HOL_OK;
}

hol_status hol__frame_make_room(hol__frame *frame) {
    if (frame->work) return HOL_OK;
    const int rows = frame->m + frame->f;
    frame->work = HOL__NEW_N(frame->arena, double, rows);
    frame->y = HOL__NEW_N(frame->arena, double, rows);
    if (frame->rank == frame->m) return make_square(frame);
    frame->qr = hol__qrp_new(frame->arena, rows, frame->n);
    return frame->arena->failed ? HOL_ERR_MEMORY : HOL_OK;
}

void hol__frame_set_rows(hol__frame *frame) {
    frame->tag = frame->R_tag = 0;
    if (!frame->lu) return;
    hol__csr *K = &frame->K;
    int count = K->ptr[frame->m];
    for (int i = 0; i < frame->f; i++) {
        for (int j = 0; j < frame->n; j++) {
            const double b = frame->B[i * frame->n + j];
            if (b != 0) K->idx[count] = j, K->x[count++] = b;
        }
        K->ptr[frame->m + i + 1] = count;
    }
    for (int k = 0; k < K->ptr[frame->m]; k++) K->x[k] = frame->data->A.x[frame->from[k]];
    /* a failure shows when the matrix is factored */
    hol__lu_fixed_choose(frame->lu, K);
}

/* ---- factorisation ---- */

static hol_status factor_square(hol__frame *frame) {
    hol__csr *K = &frame->K;
    const double *a = frame->data->A.x;
    for (int k = 0; k < K->ptr[frame->m]; k++) K->x[k] = a[frame->from[k]];
    if (hol__lu_fixed_factor(frame->lu, K) > kept_share) return HOL_OK;
    if (!hol__csr_is_finite(K)) return HOL_NONFINITE;
    return hol__lu_fixed_choose(frame->lu, K) ? HOL_OK : HOL_SINGULAR;
}

static hol_status factor_redundant(hol__frame *frame) {
    const int n = frame->n, rows = frame->qr->m;
    const hol__csr *A = &frame->data->A;
    double *a = frame->qr->a;
    memset(a, 0, sizeof(double) * (size_t)rows * (size_t)n);
    for (int i = 0; i < frame->m; i++)
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) a[i + A->idx[k] * rows] = A->x[k];
    for (int i = 0; i < frame->f; i++)
        for (int j = 0; j < n; j++) a[frame->m + i + j * rows] = frame->B[i * n + j];
    if (hol__qrp_factor(frame->qr)) return HOL_SINGULAR;
    const double last = n ? fabs(a[n - 1 + (n - 1) * rows]) : 1, first = n ? fabs(a[0]) : 1;
    if (!isfinite(last)) return HOL_NONFINITE;
    return last > HOL__PIVOT_ROUNDING * first ? HOL_OK : HOL_SINGULAR;
}

hol_status hol__frame_factor(hol__frame *frame) {
    if (frame->tag == frame->data->stamp) return HOL_OK;
    hol_data_update(frame->data, HOL_STAGE_POS);
    frame->tag = 0;
    frame->factorizations++;
    const hol_status status = frame->lu ? factor_square(frame) : factor_redundant(frame);
    if (!status) frame->tag = frame->data->stamp;
    return status;
}

/* ---- solution ---- */

/* x of [A; B] x = work, which is overwritten. */
static void solve(const hol__frame *frame, double *x) {
    if (frame->lu) {
        hol__lu_fixed_solve(frame->lu, frame->work, x);
        return;
    }
    const hol__qrp *qr = frame->qr;
    hol__qrp_apply(qr, frame->n, 1, frame->work);
    hol__upper_solve(frame->n, qr->a, qr->m, frame->work);
    for (int i = 0; i < frame->n; i++) x[qr->column[i]] = frame->work[i];
}

void hol__frame_form_basis(hol__frame *frame) {
    if (frame->R_tag && frame->R_tag == frame->tag) return;
    for (int k = 0; k < frame->f; k++) {
        memset(frame->work, 0, sizeof(double) * (size_t)(frame->m + frame->f));
        frame->work[frame->m + k] = 1;
        solve(frame, frame->R + k * frame->n);
    }
    frame->R_tag = frame->tag;
}

void hol__frame_solve(const hol__frame *frame, const double *top, const double *bottom, double *x) {
    for (int i = 0; i < frame->m; i++) frame->work[i] = top ? top[i] : 0;
    for (int i = 0; i < frame->f; i++) frame->work[frame->m + i] = bottom ? bottom[i] : 0;
    solve(frame, x);
}

void hol__frame_multipliers(const hol__frame *frame, const double *f, double *mu) {
    double *y = frame->y;
    if (frame->lu)
        hol__lu_fixed_solve_t(frame->lu, f, y);
    else {
        /* [A^T B^T] y = f with the smallest y: y = Q R^-T P^T f */
        const hol__qrp *qr = frame->qr;
        memset(y, 0, sizeof(double) * (size_t)qr->m);
        for (int i = 0; i < frame->n; i++) y[i] = f[qr->column[i]];
        hol__upper_solve_t(frame->n, qr->a, qr->m, y);
        hol__qrp_apply(qr, frame->n, 0, y);
    }
    if (frame->m) memcpy(mu, y, sizeof(double) * (size_t)frame->m);
}

void hol__frame_project(const hol__frame *frame, const double *x, double *w) {
    for (int k = 0; k < frame->f; k++) {
        if (frame->basis == HOL__FRAME_PARTITION) {
            w[k] = x[frame->picked[k]];
            continue;
        }
        double sum = 0;
        for (int j = 0; j < frame->n; j++) sum += frame->B[k * frame->n + j] * x[j];
        w[k] = sum;
    }
}
