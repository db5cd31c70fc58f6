/* completion.c: factoring [A; B], and solving with it. See completion.h. */
#include "dyn/completion.h"

#include "coords/coords.h"

#include "la/tolerances.h"

#include <math.h>
#include <string.h>

/* Pivots that have fallen to this share of their size when they were chosen are chosen anew. */
static const double kept_share = 1e-2;

/* Size of a displacement against that of a turn: see completion.h. */
static const double displacement = 3;

/* Of the root of a ratio of masses: up to a hundred it does not count, and never so much that ranks
 * would suffer. */
static const double light = 0.1, most_weight = 1e3;

hol__completion *hol__completion_new(hol__arena *arena, hol_data *data, hol__completion_basis basis,
                                     double watch, const hol__set_aside *aside) {
    const hol_model *m = data->model;
    hol__completion *completion = HOL__NEW(arena, hol__completion);
    if (!completion) return NULL;
    const int n = m->nv;
    *completion = (hol__completion){.arena = arena,
                                    .data = data,
                                    .basis = basis,
                                    .n = n,
                                    .m = m->m,
                                    .rank = -1,
                                    .watch = watch,
                                    .aside = aside};
    completion->choice = hol__lufp_new(arena, m->m, n);
    completion->size = HOL__NEW_N(arena, double, n);
    completion->B = HOL__NEW_N(arena, double, (size_t)n *(size_t)n);
    completion->R = HOL__NEW_N(arena, double, (size_t)n *(size_t)n);
    completion->T = HOL__NEW_N(arena, double, (size_t)n *(size_t)n);
    completion->picked = HOL__NEW_N(arena, int, n);
    completion->own = HOL__NEW_N(arena, double, n);
    completion->lever = HOL__NEW_N(arena, double, n);
    completion->svd = basis == HOL__COMPLETION_SVD ? hol__svd_new(arena, m->m, n) : NULL;
    if (arena->failed) return NULL;
    for (int i = 0; i < n; i++) {
        completion->size[i] = hol__is_turn(m, i) ? 1 : displacement * m->length;
        completion->lever[i] = 1;
    }
    return completion;
}

void hol__completion_weigh(hol__completion *completion) {
    const hol_model *m = completion->data->model;
    double most = 0;
    if (m->coords != &hol__coords_planar && m->coords != &hol__coords_spatial) return;
    for (int b = 0; b < m->nb; b++) most = fmax(most, m->bodies[b].mass);
    for (int i = 0; i < completion->n; i++) {
        const double mass = m->bodies[i / m->coords->nv_body].mass;
        completion->size[i] *=
            fmin(most_weight, fmax(1, light * (mass > 0 ? sqrt(most / mass) : INFINITY)));
    }
}

/* ---- the matrix ---- */

/* Whether entry k of A can differ from zero. */
static int is_live(const hol__csr *A, int k) {
    return !A->live || A->live[k];
}

/* Whether row i of A belongs to K. */
static int is_kept(const hol__completion *completion, int i) {
    return completion->rank == completion->m || !completion->aside->row[i];
}

/* Whether the rows of K are as many as the rank: all of A, or those that are kept. */
static int has_square(const hol__completion *completion) {
    int kept = 0;
    if (completion->rank == completion->m) return 1;
    for (int i = 0; completion->aside && i < completion->m; i++) kept += is_kept(completion, i);
    return completion->aside && kept == completion->rank;
}

/* Whether K is to be factored, not all rows. */
static int wants_square(const hol__completion *completion) {
    return completion->lu && (!completion->qr || completion->aside->on);
}

/* The pattern of K: live entries of A, then f rows with room for all columns. */
static hol_status make_square(hol__completion *completion) {
    const hol__csr *A = &completion->data->A;
    const size_t most =
                     (size_t)A->ptr[completion->m] + (size_t)completion->f * (size_t)completion->n,
                 rows = (size_t)completion->n + 1;
    completion->K = (hol__csr){.rows = completion->n,
                               .cols = completion->n,
                               .ptr = HOL__NEW_N(completion->arena, int, rows),
                               .idx = HOL__NEW_N(completion->arena, int, most),
                               .x = HOL__NEW_N(completion->arena, double, most)};
    completion->from = HOL__NEW_N(completion->arena, int, (size_t)A->ptr[completion->m]);
    completion->row = HOL__NEW_N(completion->arena, int, completion->m);
    completion->lu = hol__lu_fixed_new(completion->arena, completion->n);
    if (completion->arena->failed) return HOL_ERR_MEMORY;
    int count = 0;
    completion->kept = 0;
    for (int i = 0; i < completion->m; i++) {
        if (!is_kept(completion, i)) continue;
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            if (is_live(A, k)) completion->K.idx[count] = A->idx[k], completion->from[count++] = k;
        completion->row[completion->kept++] = i;
        completion->K.ptr[completion->kept] = count;
    }
    return HOL_OK;
}

hol_status hol__completion_make_room(hol__completion *completion) {
    if (completion->work) return HOL_OK;
    const int rows = completion->m + completion->f;
    completion->work = HOL__NEW_N(completion->arena, double, rows);
    completion->y = HOL__NEW_N(completion->arena, double, rows);
    if (completion->rank < completion->m)
        completion->qr = hol__qrp_new(completion->arena, rows, completion->n);
    if (completion->arena->failed) return HOL_ERR_MEMORY;
    return has_square(completion) ? make_square(completion) : HOL_OK;
}

void hol__completion_set_rows(hol__completion *completion) {
    completion->tag = completion->R_tag = 0;
    if (!completion->lu) return;
    hol__csr *K = &completion->K;
    int count = K->ptr[completion->kept];
    for (int i = 0; i < completion->f; i++) {
        for (int j = 0; j < completion->n; j++) {
            const double b = completion->B[i * completion->n + j];
            if (b != 0) K->idx[count] = j, K->x[count++] = b;
        }
        K->ptr[completion->kept + i + 1] = count;
    }
    for (int k = 0; k < K->ptr[completion->kept]; k++)
        K->x[k] = completion->data->A.x[completion->from[k]];
    /* a failure shows when the matrix is factored */
    completion->laid = hol__lu_fixed_choose(completion->lu, K);
}

/* ---- factorisation ---- */

static hol_status factor_square(hol__completion *completion) {
    hol__csr *K = &completion->K;
    const double *a = completion->data->A.x;
    for (int k = 0; k < K->ptr[completion->kept]; k++) K->x[k] = a[completion->from[k]];
    if (completion->laid && hol__lu_fixed_factor(completion->lu, K) > kept_share) return HOL_OK;
    if (!hol__csr_is_finite(K)) return HOL_NONFINITE;
    completion->laid = hol__lu_fixed_choose(completion->lu, K);
    return completion->laid ? HOL_OK : HOL_SINGULAR;
}

static hol_status factor_redundant(hol__completion *completion) {
    const int n = completion->n, rows = completion->qr->m;
    const hol__csr *A = &completion->data->A;
    double *a = completion->qr->a;
    memset(a, 0, sizeof(double) * (size_t)rows * (size_t)n);
    for (int i = 0; i < completion->m; i++)
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) a[i + A->idx[k] * rows] = A->x[k];
    for (int i = 0; i < completion->f; i++)
        for (int j = 0; j < n; j++) a[completion->m + i + j * rows] = completion->B[i * n + j];
    if (hol__qrp_factor(completion->qr)) return HOL_SINGULAR;
    const double last = n ? fabs(a[n - 1 + (n - 1) * rows]) : 1, first = n ? fabs(a[0]) : 1;
    if (!isfinite(last)) return HOL_NONFINITE;
    return last > HOL__PIVOT_ROUNDING * first ? HOL_OK : HOL_SINGULAR;
}

hol_status hol__completion_factor(hol__completion *completion) {
    if (completion->tag == completion->data->stamp) return HOL_OK;
    hol_data_update(completion->data, HOL_STAGE_POS);
    completion->tag = 0;
    completion->factorizations++;
    completion->square = wants_square(completion);
    const hol_status status =
        completion->square ? factor_square(completion) : factor_redundant(completion);
    if (!status) completion->tag = completion->data->stamp;
    return status;
}

/* ---- solution ---- */

/* x of [A; B] x = work, which is overwritten. */
static void solve(const hol__completion *completion, double *x) {
    const int kept = completion->kept;
    if (completion->square) {
        for (int i = 0; i < kept; i++) completion->y[i] = completion->work[completion->row[i]];
        memcpy(completion->y + kept, completion->work + completion->m,
               sizeof(double) * (size_t)completion->f);
        hol__lu_fixed_solve(completion->lu, completion->y, x);
        return;
    }
    const hol__qrp *qr = completion->qr;
    hol__qrp_apply(qr, completion->n, 1, completion->work);
    hol__upper_solve(completion->n, qr->a, qr->m, completion->work);
    for (int i = 0; i < completion->n; i++) x[qr->column[i]] = completion->work[i];
}

void hol__completion_form_basis(hol__completion *completion) {
    if (completion->R_tag && completion->R_tag == completion->tag) return;
    for (int k = 0; k < completion->f; k++) {
        memset(completion->work, 0, sizeof(double) * (size_t)(completion->m + completion->f));
        completion->work[completion->m + k] = 1;
        solve(completion, completion->R + k * completion->n);
    }
    completion->R_tag = completion->tag;
}

void hol__completion_solve(const hol__completion *completion, const double *top,
                           const double *bottom, double *x) {
    for (int i = 0; i < completion->m; i++) completion->work[i] = top ? top[i] : 0;
    for (int i = 0; i < completion->f; i++)
        completion->work[completion->m + i] = bottom ? bottom[i] : 0;
    solve(completion, x);
}

void hol__completion_multipliers(const hol__completion *completion, const double *f, double *mu) {
    double *y = completion->y;
    if (completion->square) {
        hol__lu_fixed_solve_t(completion->lu, f, y);
        for (int i = 0; i < completion->m; i++) mu[i] = 0;
        for (int i = 0; i < completion->kept; i++) mu[completion->row[i]] = y[i];
        return;
    }
    /* [A^T B^T] y = f with the smallest y: y = Q R^-T P^T f */
    const hol__qrp *qr = completion->qr;
    memset(y, 0, sizeof(double) * (size_t)qr->m);
    for (int i = 0; i < completion->n; i++) y[i] = f[qr->column[i]];
    hol__upper_solve_t(completion->n, qr->a, qr->m, y);
    hol__qrp_apply(qr, completion->n, 0, y);
    if (completion->m) memcpy(mu, y, sizeof(double) * (size_t)completion->m);
}

void hol__completion_project(const hol__completion *completion, const double *x, double *w) {
    for (int k = 0; k < completion->f; k++) {
        if (completion->basis == HOL__COMPLETION_PARTITION) {
            w[k] = x[completion->picked[k]];
            continue;
        }
        double sum = 0;
        for (int j = 0; j < completion->n; j++) sum += completion->B[k * completion->n + j] * x[j];
        w[k] = sum;
    }
}

/* ---- exact state ---- */

/* [A; B] and its factors. */
static void walk_square(hol__completion *completion, hol__archive *archive) {
    const int n = completion->n;
    HOL__ARCHIVE_N(archive, completion->K.ptr, n + 1);
    HOL__ARCHIVE_N(archive, completion->K.idx, completion->K.ptr[n]);
    HOL__ARCHIVE_N(archive, completion->K.x, completion->K.ptr[n]);
    HOL__ARCHIVE(archive, completion->laid);
    hol__lu_fixed_walk(completion->lu, archive);
}

hol_status hol__completion_walk(hol__completion *completion, hol__archive *archive) {
    const int n = completion->n, f = completion->f, sizes[] = {completion->rank, f};
    int square = completion->square;
    hol_status status = HOL_OK;
    hol__archive_mark(archive, sizes, sizeof sizes);
    HOL__ARCHIVE(archive, completion->basis); /* given rows may have been exchanged */
    HOL__ARCHIVE(archive, completion->first);
    HOL__ARCHIVE(archive, completion->last);
    HOL__ARCHIVE_N(archive, completion->picked, n);
    HOL__ARCHIVE_N(archive, completion->B, f * n);
    HOL__ARCHIVE_N(archive, completion->R, f * n);
    HOL__ARCHIVE(archive, completion->changes);
    HOL__ARCHIVE(archive, completion->strain);
    HOL__ARCHIVE_N(archive, completion->lever, f);
    if (completion->lu) walk_square(completion, archive);
    HOL__ARCHIVE(archive, square);
    completion->square = square;
    hol__data_walk_stamp(completion->data, &completion->tag, archive);
    hol__data_walk_stamp(completion->data, &completion->R_tag, archive);
    if (hol__archive_reads(archive) && !square && completion->tag) {
        completion->tag = 0; /* made anew each time: nothing is remembered */
        status = hol__completion_factor(completion);
        if (completion->R_tag) completion->R_tag = completion->tag;
    }
    HOL__ARCHIVE(archive, completion->factorizations);
    return status;
}
