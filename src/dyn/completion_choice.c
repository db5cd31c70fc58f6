/* completion_choice.c: which coordinates are independent, and when others take their place.
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
 *
 * Where a change is left to the caller, an error of an independent coordinate makes one of the
 * others that is larger by its lever than the watch would have it.
 */
#include "dyn/completion.h"

#include "la/tolerances.h"

#include <math.h>
#include <string.h>

/* Exchanges that gain less than this are not worth one. */
static const double gain = 1.001;

/* A^ by columns: rows of unit length. */
static void scaled_dense(const hol__completion *completion, double *a) {
    const hol__csr *A = &completion->data->A;
    memset(a, 0, sizeof(double) * (size_t)completion->m * (size_t)completion->n);
    for (int i = 0; i < completion->m; i++) {
        double sum = 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            const double x = A->x[k] * completion->size[A->idx[k]];
            sum += x * x;
        }
        const double s = sum > 0 ? 1 / sqrt(sum) : 0;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            a[i + A->idx[k] * completion->m] = s * A->x[k] * completion->size[A->idx[k]];
    }
}

double hol__completion_own_size(const hol__completion *completion, int k) {
    if (completion->basis == HOL__COMPLETION_GIVEN) return completion->own[k];
    return completion->size[completion->picked[k]];
}

/* T = R^, by the sizes of all coordinates and, for a partition and given rows, of the independent
 * ones. */
static void scale_basis(hol__completion *completion, int sized) {
    const int n = completion->n;
    for (int k = 0; k < completion->f; k++) {
        const double own = sized ? hol__completion_own_size(completion, k) : 1;
        for (int j = 0; j < n; j++)
            completion->T[k * n + j] = completion->R[k * n + j] * own / completion->size[j];
    }
}

double hol__completion_largest(const hol__completion *completion, int *row, int *column) {
    double most = 0;
    for (int k = 0; k < completion->f; k++)
        for (int j = 0; j < completion->n; j++)
            if (fabs(completion->T[k * completion->n + j]) > most) {
                most = fabs(completion->T[k * completion->n + j]);
                *row = j;
                *column = k;
            }
    return most;
}

/* The length of a column of T. */
static double column_length(const hol__completion *completion, int k) {
    double sum = 0;
    for (int j = 0; j < completion->n; j++)
        sum += completion->T[k * completion->n + j] * completion->T[k * completion->n + j];
    return sqrt(sum);
}

/* The largest entry of a column of T. */
static double column_peak(const hol__completion *completion, int k) {
    double most = 0;
    for (int j = 0; j < completion->n; j++)
        most = fmax(most, fabs(completion->T[k * completion->n + j]));
    return most;
}

/* Whether T has passed what the watch allows; strain and levers. */
static int is_strained(hol__completion *completion, int partition) {
    const double limit = partition ? completion->watch : 1 + (completion->watch - 1) / 4;
    double most = 0;
    for (int k = 0; k < completion->f; k++) {
        const double size = partition ? column_peak(completion, k) : column_length(completion, k);
        most = fmax(most, size);
        completion->lever[k] = completion->waits ? fmax(1, size / limit) : 1;
    }
    completion->strain = most / limit;
    return most > limit;
}

/* Coordinate j takes the place of the k-th independent one: T is combined so that its row j becomes
 * a row of the unit matrix. */
static void exchange(hol__completion *completion, int j, int k) {
    const int n = completion->n;
    double *own = completion->T + k * n;
    const double pivot = own[j];
    for (int i = 0; i < n; i++) own[i] /= pivot;
    for (int l = 0; l < completion->f; l++) {
        double *other = completion->T + l * n;
        const double share = other[j];
        if (l == k || share == 0) continue;
        for (int i = 0; i < n; i++) other[i] -= share * own[i];
        other[j] = 0;
    }
    own[j] = 1;
    completion->picked[k] = j;
}

/* Exchange until no entry of T exceeds 1. Each exchange multiplies |det A^_d| by more than 1, so it
 * ends; the bound guards against what rounding could do to that. */
static void improve(hol__completion *completion) {
    int j = 0, k = 0;
    for (int i = 0; i < 4 * completion->n && hol__completion_largest(completion, &j, &k) > gain;
         i++)
        exchange(completion, j, k);
}

/* Unit rows at the picked coordinates. */
static void pick_rows(hol__completion *completion) {
    memset(completion->B, 0, sizeof(double) * (size_t)completion->f * (size_t)completion->n);
    for (int k = 0; k < completion->f; k++)
        completion->B[k * completion->n + completion->picked[k]] = 1;
    hol__completion_set_rows(completion);
}

/* The columns of T made orthonormal, twice for rounding. */
static void orthonormalise(hol__completion *completion) {
    const int n = completion->n;
    for (int k = 0; k < 2 * completion->f; k++) {
        double *own = completion->T + k / 2 * n, norm = 0;
        for (int l = 0; l < k / 2; l++) {
            const double *other = completion->T + l * n;
            double sum = 0;
            for (int i = 0; i < n; i++) sum += own[i] * other[i];
            for (int i = 0; i < n; i++) own[i] -= sum * other[i];
        }
        for (int i = 0; i < n; i++) norm += own[i] * own[i];
        for (int i = 0; i < n; i++) own[i] /= sqrt(norm);
    }
}

/* Rows that span the null space, from T or by singular vectors. */
static hol_status span_rows(hol__completion *completion) {
    const int n = completion->n;
    if (completion->basis == HOL__COMPLETION_SVD) {
        scaled_dense(completion, completion->svd->a);
        if (completion->m && hol__svd_factor(completion->svd)) return HOL_NOT_CONVERGED;
        for (int k = 0; completion->m && k < completion->f; k++)
            for (int j = 0; j < n; j++)
                completion->T[k * n + j] = completion->svd->vt[completion->rank + k + j * n];
    }
    orthonormalise(completion);
    for (int k = 0; k < completion->f; k++)
        for (int j = 0; j < n; j++)
            completion->B[k * n + j] = completion->T[k * n + j] / completion->size[j];
    hol__completion_set_rows(completion);
    return HOL_OK;
}

/* R^ of the choice at hand, at the state in data. */
static hol_status look(hol__completion *completion, int sized) {
    const hol_status status = hol__completion_factor(completion);
    if (status) return status;
    hol__completion_form_basis(completion);
    scale_basis(completion, sized);
    return HOL_OK;
}

/* Rank and a first choice by LU with full pivoting. */
static hol_status choose_by_pivots(hol__completion *completion) {
    scaled_dense(completion, completion->choice->b);
    hol__lufp_factor(completion->choice);
    const int most = completion->m < completion->n ? completion->m : completion->n;
    int rank = 0;
    while (rank < most && hol__lufp_pivot(completion->choice, rank) >
                              HOL__RANK_TOLERANCE * hol__lufp_pivot(completion->choice, 0))
        rank++;
    if (completion->rank >= 0 && rank != completion->rank) return HOL_SINGULAR;
    completion->rank = rank;
    completion->f = completion->n - rank;
    for (int k = 0; k < completion->f; k++)
        completion->picked[k] = completion->choice->column[rank + k];
    return hol__completion_make_room(completion);
}

hol_status hol__completion_select(hol__completion *completion) {
    const int again = completion->rank >= 0;
    hol_data_update(completion->data, HOL_STAGE_POS);
    if (completion->basis == HOL__COMPLETION_GIVEN) {
        if (!completion->exchanges) return hol__completion_factor(completion);
        completion->basis = HOL__COMPLETION_PARTITION;
    }
    hol_status status = choose_by_pivots(completion);
    if (status) return status;
    completion->changes += again;
    pick_rows(completion);
    status = look(completion, 1);
    if (status) return status;
    improve(completion);
    if (completion->basis == HOL__COMPLETION_PARTITION)
        pick_rows(completion);
    else
        status = span_rows(completion);
    return status ? status : hol__completion_factor(completion);
}

hol_status hol__completion_renew(hol__completion *completion, int *changed) {
    *changed = 0;
    const int partition = completion->basis == HOL__COMPLETION_PARTITION,
              given = completion->basis == HOL__COMPLETION_GIVEN;
    hol_status status = look(completion, partition || given);
    if (status) return status;
    if (given) {
        status = hol__completion_watch_given(completion, changed);
        return *changed ? hol__completion_select(completion) : status;
    }
    if (!is_strained(completion, partition) || completion->waits) return HOL_OK;
    if (partition) {
        improve(completion);
        pick_rows(completion);
    } else {
        status = span_rows(completion);
    }
    *changed = 1;
    completion->changes++;
    return status ? status : hol__completion_factor(completion);
}
