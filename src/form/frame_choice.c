/* frame_choice.c: which coordinates are independent, and when others take their place.
 *
 * Everything here is in coordinates divided by their sizes s: A^ = D A s, R^_jk = R_jk s_k / s_j, B
 * = B^ / s.
 *
 * Partition. First choice: LU of A^ with full pivoting; the columns without a pivot are
 * independent. Then exchanges: with R^ in hand, putting the dependent coordinate j in the place of
 * the k-th independent one multiplies |det A^_d| by |R^_jk| and changes R^ by one elimination, so
 * the largest entry is exchanged until none exceeds 1. Then no coordinate moves further than the
 * independent one that moves it, |R^| <= sqrt(1 + f r), and A^_d has the largest determinant that
 * single exchanges reach.
 *     The watch does the same at an accepted state, but only once an entry has passed `watch`.
 *
 * qr, svd. B^ is an orthonormal basis of the null space of A^, made from R^ by orthogonalisation,
 * or by singular vectors. |R^ column| is then 1 over the cosine of the angle that the null space
 * has turned since; the watch acts where that has passed 1 + (watch - 1)/4.
 */
#include "form/frame.h"

#include "la/tolerances.h"

#include <math.h>
#include <string.h>

/* Exchanges that gain less than this are not worth one. */
static const double gain = 1.001;

/* A^ by columns: rows of unit length. */
static void scaled_dense(const hol__frame *frame, double *a) {
    const hol__csr *A = &frame->data->A;
    memset(a, 0, sizeof(double) * (size_t)frame->m * (size_t)frame->n);
    for (int i = 0; i < frame->m; i++) {
        double sum = 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            const double x = A->x[k] * frame->size[A->idx[k]];
            sum += x * x;
        }
        const double s = sum > 0 ? 1 / sqrt(sum) : 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            a[i + A->idx[k] * frame->m] = s * A->x[k] * frame->size[A->idx[k]];
    }
}

/* T = R^, by the sizes of all coordinates and, for a partition, of the independent ones. */
static void scale_basis(hol__frame *frame, int partition) {
    const int n = frame->n;
    for (int k = 0; k < frame->f; k++) {
        const double own = partition ? frame->size[frame->picked[k]] : 1;
        for (int j = 0; j < n; j++)
            frame->T[k * n + j] = frame->R[k * n + j] * own / frame->size[j];
    }
}

/* The largest entry of T and where it is. */
static double largest_entry(const hol__frame *frame, int *row, int *column) {
    double most = 0;
    for (int k = 0; k < frame->f; k++)
        for (int j = 0; j < frame->n; j++)
            if (fabs(frame->T[k * frame->n + j]) > most) {
                most = fabs(frame->T[k * frame->n + j]);
                *row = j;
                *column = k;
            }
    return most;
}

/* The largest length of a column of T. */
static double largest_column(const hol__frame *frame) {
    double most = 0;
    for (int k = 0; k < frame->f; k++) {
        double sum = 0;
        for (int j = 0; j < frame->n; j++)
            sum += frame->T[k * frame->n + j] * frame->T[k * frame->n + j];
        most = fmax(most, sqrt(sum));
    }
    return most;
}

/* Coordinate j takes the place of the k-th independent one: T is combined so that its row j becomes
 * a row of the unit matrix. */
static void exchange(hol__frame *frame, int j, int k) {
    const int n = frame->n;
    double *own = frame->T + k * n;
    const double pivot = own[j];
    for (int i = 0; i < n; i++) own[i] /= pivot;
    for (int l = 0; l < frame->f; l++) {
        double *other = frame->T + l * n;
        const double share = other[j];
        if (l == k || share == 0) continue;
        for (int i = 0; i < n; i++) other[i] -= share * own[i];
        other[j] = 0;
    }
    own[j] = 1;
    frame->picked[k] = j;
}

/* Exchange until no entry of T exceeds 1. Each exchange multiplies |det A^_d| by more than 1, so it
 * ends; the bound guards against what rounding could do to that. */
static void improve(hol__frame *frame) {
    int j = 0, k = 0;
    for (int i = 0; i < 4 * frame->n && largest_entry(frame, &j, &k) > gain; i++)
        exchange(frame, j, k);
}

/* Unit rows at the picked coordinates. */
static void pick_rows(hol__frame *frame) {
    memset(frame->B, 0, sizeof(double) * (size_t)frame->f * (size_t)frame->n);
    for (int k = 0; k < frame->f; k++) frame->B[k * frame->n + frame->picked[k]] = 1;
    hol__frame_set_rows(frame);
}

/* The columns of T made orthonormal, twice for rounding. */
static void orthonormalise(hol__frame *frame) {
    const int n = frame->n;
    for (int k = 0; k < 2 * frame->f; k++) {
        double *own = frame->T + k / 2 * n, norm = 0;
        for (int l = 0; l < k / 2; l++) {
            const double *other = frame->T + l * n;
            double sum = 0;
            for (int i = 0; i < n; i++) sum += own[i] * other[i];
            for (int i = 0; i < n; i++) own[i] -= sum * other[i];
        }
        for (int i = 0; i < n; i++) norm += own[i] * own[i];
        for (int i = 0; i < n; i++) own[i] /= sqrt(norm);
    }
}

/* Rows that span the null space, from T or by singular vectors. */
static hol_status span_rows(hol__frame *frame) {
    const int n = frame->n;
    if (frame->basis == HOL__FRAME_SVD) {
        scaled_dense(frame, frame->svd->a);
        if (frame->m && hol__svd_factor(frame->svd)) return HOL_NOT_CONVERGED;
        for (int k = 0; frame->m && k < frame->f; k++)
            for (int j = 0; j < n; j++)
                frame->T[k * n + j] = frame->svd->vt[frame->rank + k + j * n];
    }
    orthonormalise(frame);
    for (int k = 0; k < frame->f; k++)
        for (int j = 0; j < n; j++) frame->B[k * n + j] = frame->T[k * n + j] / frame->size[j];
    hol__frame_set_rows(frame);
    return HOL_OK;
}

/* R^ of the choice at hand, at the state in data. */
static hol_status look(hol__frame *frame, int partition) {
    const hol_status status = hol__frame_factor(frame);
    if (status) return status;
    hol__frame_form_basis(frame);
    scale_basis(frame, partition);
    return HOL_OK;
}

/* Rank and a first choice by LU with full pivoting. */
static hol_status choose_by_pivots(hol__frame *frame) {
    scaled_dense(frame, frame->choice->b);
    hol__lufp_factor(frame->choice);
    const int most = frame->m < frame->n ? frame->m : frame->n;
    int rank = 0;
    while (rank < most && hol__lufp_pivot(frame->choice, rank) >
                              HOL__RANK_TOLERANCE * hol__lufp_pivot(frame->choice, 0))
        rank++;
    if (frame->rank >= 0 && rank != frame->rank) return HOL_SINGULAR;
    frame->rank = rank;
    frame->f = frame->n - rank;
    for (int k = 0; k < frame->f; k++) frame->picked[k] = frame->choice->column[rank + k];
    return hol__frame_make_room(frame);
}

hol_status hol__frame_select(hol__frame *frame) {
    const int again = frame->rank >= 0;
    hol_data_update(frame->data, HOL_STAGE_POS);
    hol_status status = choose_by_pivots(frame);
    if (status) return status;
    frame->changes += again;
    pick_rows(frame);
    status = look(frame, 1);
    if (status) return status;
    improve(frame);
    if (frame->basis == HOL__FRAME_PARTITION)
        pick_rows(frame);
    else
        status = span_rows(frame);
    return status ? status : hol__frame_factor(frame);
}

hol_status hol__frame_watch(hol__frame *frame, int *changed) {
    int j = 0, k = 0;
    *changed = 0;
    const int partition = frame->basis == HOL__FRAME_PARTITION;
    hol_status status = look(frame, partition);
    if (status) return status;
    if (partition) {
        if (!(largest_entry(frame, &j, &k) > frame->watch)) return HOL_OK;
        improve(frame);
        pick_rows(frame);
    } else {
        if (!(largest_column(frame) > 1 + (frame->watch - 1) / 4)) return HOL_OK;
        status = span_rows(frame);
    }
    *changed = 1;
    frame->changes++;
    return status ? status : hol__frame_factor(frame);
}
