/* frame.c: choosing independent coordinates, and solving with them. */
#include "form/frame.h"

#include <math.h>
#include <string.h>

/* A constraint whose pivot falls below this fraction of the first is dependent. */
static const double rank_tolerance = 1e-9;

/* Choose again when the largest entry of R has grown by this factor; beyond the limit the choice is useless. */
static const double watch = 4, limit = 1e6;

hol__frame *hol__frame_new(hol__arena *arena, hol_data *data, hol__frame_basis basis) {
    const hol_model *m = data->model;
    hol__frame *frame = HOL__NEW(arena, hol__frame);
    if (!frame) return NULL;
    const int n = m->nv;
    *frame =
        (hol__frame){.arena = arena, .data = data, .basis = basis, .n = n, .m = m->m, .rank = -1};
    frame->choice = hol__lufp_new(arena, m->m, n);
    frame->B = HOL__NEW_N(arena, double, (size_t)n *(size_t)n);
    frame->R = HOL__NEW_N(arena, double, (size_t)n *(size_t)n);
    frame->svd = basis == HOL__FRAME_PARTITION ? NULL : hol__svd_new(arena, m->m, n);
    return arena->failed ? NULL : frame;
}

/* A with rows of unit length, column-major. */
static void scaled_dense(hol__frame *frame, double *a) {
    const hol__csr *A = &frame->data->A;
    memset(a, 0, sizeof(double) * (size_t)frame->m * (size_t)frame->n);
    for (int i = 0; i < frame->m; i++) {
        double sum = 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) sum += A->x[k] * A->x[k];
        const double s = sum > 0 ? 1 / sqrt(sum) : 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) a[i + A->idx[k] * frame->m] = s * A->x[k];
    }
}

/* B from the choice of rows and columns, or as the null space by singular vectors. */
static hol_status make_basis(hol__frame *frame) {
    const int n = frame->n;
    memset(frame->B, 0, sizeof(double) * (size_t)n * (size_t)n);
    if (frame->basis == HOL__FRAME_PARTITION || !frame->m) {
        for (int k = 0; k < frame->f; k++)
            frame->B[k * n + frame->choice->column[frame->rank + k]] = 1;
        return HOL_OK;
    }
    scaled_dense(frame, frame->svd->a);
    if (hol__svd_factor(frame->svd)) return HOL_NOT_CONVERGED;
    for (int k = 0; k < frame->f; k++)
        for (int j = 0; j < n; j++) frame->B[k * n + j] = frame->svd->vt[frame->rank + k + j * n];
    return HOL_OK;
}

hol_status hol__frame_select(hol__frame *frame) {
    hol_data_update(frame->data, HOL_STAGE_POS);
    scaled_dense(frame, frame->choice->b);
    hol__lufp_factor(frame->choice);
    const int most = frame->m < frame->n ? frame->m : frame->n;
    int rank = 0;
    while (rank < most && hol__lufp_pivot(frame->choice, rank) >
                              rank_tolerance * hol__lufp_pivot(frame->choice, 0))
        rank++;
    if (frame->rank >= 0 && rank != frame->rank) return HOL_SINGULAR;
    if (frame->rank >= 0) frame->changes++;
    frame->rank = rank;
    frame->f = frame->n - rank;
    frame->tag = 0;
    frame->at_selection = 0;
    if (!frame->qr) {
        frame->qr = hol__qrp_new(frame->arena, frame->m + frame->f, frame->n);
        frame->work = HOL__NEW_N(frame->arena, double, frame->m + frame->f + frame->n);
        if (frame->arena->failed) return HOL_ERR_MEMORY;
    }
    hol_status status = make_basis(frame);
    if (!status) status = hol__frame_factor(frame);
    frame->stale = 0;
    return status;
}

/* x of least squares of [A; B] x = y; y (m + f) is overwritten. */
static void solve(const hol__frame *frame, double *y, double *x) {
    const hol__qrp *qr = frame->qr;
    hol__qrp_apply(qr, frame->n, 1, y);
    hol__upper_solve(frame->n, qr->a, qr->m, y);
    for (int i = 0; i < frame->n; i++) x[qr->column[i]] = y[i];
}

/* R = [A; B]^+ [0; I]; returns its largest entry. */
static double form_basis(hol__frame *frame) {
    const int n = frame->n;
    double largest = 0;
    for (int k = 0; k < frame->f; k++) {
        double *column = frame->R + k * n;
        memset(frame->work, 0, sizeof(double) * (size_t)frame->qr->m);
        frame->work[frame->m + k] = 1;
        solve(frame, frame->work, column);
        for (int i = 0; i < n; i++)
            largest = isfinite(column[i]) ? fmax(largest, fabs(column[i])) : INFINITY;
    }
    return largest;
}

hol_status hol__frame_factor(hol__frame *frame) {
    const int n = frame->n, rows = frame->qr->m;
    if (frame->tag == frame->data->stamp) return HOL_OK;
    hol_data_update(frame->data, HOL_STAGE_POS);
    const hol__csr *A = &frame->data->A;
    double *a = frame->qr->a;
    memset(a, 0, sizeof(double) * (size_t)rows * (size_t)n);
    for (int i = 0; i < frame->m; i++)
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) a[i + A->idx[k] * rows] = A->x[k];
    for (int i = 0; i < frame->f; i++)
        for (int j = 0; j < n; j++) a[frame->m + i + j * rows] = frame->B[i * n + j];
    frame->tag = 0;
    if (hol__qrp_factor(frame->qr)) return HOL_SINGULAR;
    const double last = fabs(a[n - 1 + (n - 1) * rows]);
    if (!(last > 1e-13 * fabs(a[0]))) return isfinite(last) ? HOL_SINGULAR : HOL_NONFINITE;
    const double largest = form_basis(frame);
    if (!(frame->at_selection > 0)) frame->at_selection = fmax(1, largest);
    if (largest > watch * frame->at_selection) frame->stale = 1;
    if (!(largest < limit * frame->at_selection)) return HOL_SINGULAR;
    frame->tag = frame->data->stamp;
    return HOL_OK;
}

void hol__frame_solve(const hol__frame *frame, const double *top, const double *bottom, double *x) {
    for (int i = 0; i < frame->m; i++) frame->work[i] = top ? top[i] : 0;
    for (int i = 0; i < frame->f; i++) frame->work[frame->m + i] = bottom ? bottom[i] : 0;
    solve(frame, frame->work, x);
}

void hol__frame_multipliers(const hol__frame *frame, const double *f, double *mu) {
    const hol__qrp *qr = frame->qr;
    /* [A^T B^T] y = f with the smallest y: y = Q R^-T P^T f */
    memset(frame->work, 0, sizeof(double) * (size_t)qr->m);
    for (int i = 0; i < frame->n; i++) frame->work[i] = f[qr->column[i]];
    hol__upper_solve_t(frame->n, qr->a, qr->m, frame->work);
    hol__qrp_apply(qr, frame->n, 0, frame->work);
    memcpy(mu, frame->work, sizeof(double) * (size_t)frame->m);
}

void hol__frame_project(const hol__frame *frame, const double *x, double *w) {
    for (int k = 0; k < frame->f; k++) {
        double sum = 0;
        for (int j = 0; j < frame->n; j++) sum += frame->B[k * frame->n + j] * x[j];
        w[k] = sum;
    }
}
