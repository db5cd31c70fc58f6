/* rank.c: rank analysis of a sparse matrix by parts.
 *
 * 1. Rows are scaled to unit length; a row of zeros is dependent by itself.
 * 2. Rows that share columns form a component; components are independent problems.
 * 3. A component of more than DENSE_ROWS rows is eliminated sparsely first (rank_eliminate.c);
 *    what remains is small.
 * 4. The rest is factored densely: A^T P = Q R with column pivoting, rank r by
 *    |R_kk| > tolerance max(1, |R_11|). Null space of A^T: P [-R11^-1 R12; I], carried back through
 *    the elimination and made orthonormal: N (m x k).
 * 5. A multiplier is not unique where a row of N is longer than HOL__UNDETERMINED_TOLERANCE. Rows
 *    are redundant when N restricted to them is regular: chosen from the last row upwards, so that
 *    the earlier of equivalent rows stay.
 *
 * Components are connected, not biconnected: the elimination takes the place of a finer split.
 */
#include "la/rank.h"

#include "la/dense.h"
#include "la/link.h"
#include "la/rank_internal.h"

#include <math.h>
#include <string.h>

enum { DENSE_ROWS = 600, FEW_ROWS = 200 };

/* A row of N counts as independent of those chosen when at least this share of it (against the
 * longest row) is new. */
#define CHOICE_SHARE 1e-6

/* A row is set aside when its entry in N is at least this share of the largest that is left: the
 * usual threshold of sparse elimination, which bounds the growth of a step by 1 + 1/share. */
#define ASIDE_SHARE 0.1

typedef struct analysis {
    hol_context *ctx;
    const hol__csr *A;
    double tolerance;
    double *scale;           /* m: 1 / length of the row; 0 for a row of zeros */
    int *row_part;           /* m: which component */
    int *order, *part_start; /* rows sorted by component */
    int *col_local;          /* n: number of the column within the component at work */
    hol__rank_result *result;
} analysis;

/* Whether an entry of a row takes part. */
static int counts(const hol__csr *A, int p) {
    return (!A->live || A->live[p]) && A->x[p] != 0;
}

/* Scale factors; a value that is not finite gives 0. */
static int find_scales(analysis *an) {
    const hol__csr *A = an->A;
    for (int i = 0; i < A->rows; i++) {
        double most = 0, sum = 0;
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
            if (!isfinite(A->x[p])) return 0;
            most = fmax(most, fabs(A->x[p]));
        }
        for (int p = A->ptr[i]; p < A->ptr[i + 1] && most > 0; p++)
            sum += (A->x[p] / most) * (A->x[p] / most);
        an->scale[i] = most > 0 ? 1 / (most * sqrt(sum)) : 0;
    }
    return 1;
}

/* Rows joined through columns; components are numbered by their first row. Returns their number,
 * -1 without memory. */
static int find_parts(analysis *an, hol__arena *arena) {
    const hol__csr *A = an->A;
    const int m = A->rows;
    int *link = HOL__NEW_N(arena, int, m), *first = HOL__NEW_N(arena, int, A->cols), parts = 0;
    if (arena->failed) return -1;
    for (int i = 0; i < m; i++) link[i] = i;
    for (int j = 0; j < A->cols; j++) first[j] = -1;
    for (int i = 0; i < m; i++)
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++) {
            if (!counts(A, p)) continue;
            if (first[A->idx[p]] < 0)
                first[A->idx[p]] = i;
            else
                hol__link_join(link, first[A->idx[p]], i);
        }
    for (int i = 0; i < m; i++) {
        const int root = hol__link_root(link, i);
        an->row_part[i] = root == i ? parts++ : an->row_part[root];
        an->part_start[an->row_part[i] + 1]++;
    }
    for (int c = 0; c < parts; c++) an->part_start[c + 1] += an->part_start[c];
    int *next = HOL__NEW_N(arena, int, parts + 1);
    if (!next) return -1;
    for (int i = 0; i < m; i++)
        an->order[an->part_start[an->row_part[i]] + next[an->row_part[i]]++] = i;
    return parts;
}

/* Copy the scaled rows of a component, columns renumbered and rising. */
static int load(analysis *an, hol__arena *arena, const int *rows, int m, hol__rank_work *w) {
    const hol__csr *A = an->A;
    *w = (hol__rank_work){.arena = arena, .m = m, .left = m, .smallest = 1};
    w->row = HOL__NEW_N(arena, hol__rank_row, m);
    w->gone = HOL__NEW_N(arena, unsigned char, m);
    if (arena->failed) return 0;
    for (int r = 0; r < m; r++)
        for (int p = A->ptr[rows[r]]; p < A->ptr[rows[r] + 1]; p++)
            if (counts(A, p) && an->col_local[A->idx[p]] < 0) an->col_local[A->idx[p]] = w->n++;
    w->col_count = HOL__NEW_N(arena, int, w->n);
    w->single = HOL__NEW_N(arena, int, w->n);
    w->is_single = HOL__NEW_N(arena, unsigned char, w->n);
    for (int r = 0; r < m && !arena->failed; r++) {
        const int i = rows[r], most = A->ptr[i + 1] - A->ptr[i];
        hol__rank_row *row = &w->row[r];
        *row = (hol__rank_row){.entry = HOL__NEW_N(arena, hol__rank_entry, most), .room = most};
        for (int p = A->ptr[i]; p < A->ptr[i + 1] && row->entry; p++) {
            if (!counts(A, p)) continue;
            const int col = an->col_local[A->idx[p]];
            int k = row->count++;
            for (; k > 0 && row->entry[k - 1].col > col; k--) row->entry[k] = row->entry[k - 1];
            row->entry[k] = (hol__rank_entry){col, A->x[p] * an->scale[i]};
            w->col_count[col]++;
        }
    }
    for (int r = 0; r < m; r++)
        for (int p = A->ptr[rows[r]]; p < A->ptr[rows[r] + 1]; p++) an->col_local[A->idx[p]] = -1;
    return !arena->failed;
}

/* The lists of rows by columns that the elimination needs. */
static int load_columns(hol__rank_work *w) {
    w->col_row = HOL__NEW_N(w->arena, int *, w->n);
    w->col_len = HOL__NEW_N(w->arena, int, w->n);
    w->col_room = HOL__NEW_N(w->arena, int, w->n);
    if (w->arena->failed) return 0;
    for (int c = 0; c < w->n; c++) {
        w->col_room[c] = w->col_count[c] + 2;
        w->col_row[c] = HOL__NEW_N(w->arena, int, w->col_room[c]);
    }
    if (w->arena->failed) return 0;
    for (int r = 0; r < w->m; r++)
        for (int k = 0; k < w->row[r].count; k++) {
            const int c = w->row[r].entry[k].col;
            w->col_row[c][w->col_len[c]++] = r;
        }
    return 1;
}

/* The rows that are left as columns of a dense matrix (columns of A that occur in them only). */
static hol__qrp *load_dense(hol__rank_work *w, int *left) {
    int *at = HOL__NEW_N(w->arena, int, w->n), n = 0, m = 0;
    if (!at) return NULL;
    for (int c = 0; c < w->n; c++) at[c] = -1;
    for (int r = 0; r < w->m; r++) {
        if (w->gone[r]) continue;
        left[m++] = r;
        for (int k = 0; k < w->row[r].count; k++)
            if (at[w->row[r].entry[k].col] < 0) at[w->row[r].entry[k].col] = n++;
    }
    hol__qrp *qr = hol__qrp_new(w->arena, n, m);
    if (qr) hol__qrp_prefer_plain(qr);
    for (int s = 0; s < m && qr; s++) {
        const hol__rank_row *row = &w->row[left[s]];
        for (int k = 0; k < row->count; k++)
            qr->a[(size_t)s * (size_t)n + (size_t)at[row->entry[k].col]] = row->entry[k].x;
    }
    return qr;
}

/* Rank of the dense part; updates the extreme pivots of the result. */
static int dense_rank(analysis *an, const hol__qrp *qr) {
    const int most = qr->m < qr->n ? qr->m : qr->n;
    hol__rank_result *result = an->result;
    /* Unit rows: a first pivot below 1 only comes from elimination, and must not make the test
     * laxer. */
    const double first = most > 0 ? fmax(fabs(qr->a[0]), 1.0) : 1.0;
    for (int k = 0; k < most; k++) {
        const double pivot = fabs(qr->a[(size_t)k * (size_t)qr->m + (size_t)k]);
        if (!(pivot > an->tolerance * first)) {
            result->largest_dropped = fmax(result->largest_dropped, pivot);
            return k;
        }
        result->smallest = fmin(result->smallest, pivot / first);
    }
    return most;
}

/* Column c of N: the null vector that belongs to place rank + c of the QR, in rows of the
 * component. */
static void null_vector(const hol__rank_work *w, const hol__qrp *qr, const int *left, int rank,
                        int c, double *y, double *z) {
    const size_t ld = (size_t)qr->m;
    for (int i = 0; i < w->m; i++) z[i] = 0;
    for (int i = 0; i < rank; i++) y[i] = -qr->a[(size_t)(rank + c) * ld + (size_t)i];
    if (rank > 0) hol__upper_solve(rank, qr->a, qr->m, y);
    for (int i = 0; i < rank; i++) z[left[qr->column[i]]] = y[i];
    z[left[qr->column[rank + c]]] = 1;
    hol__rank_undo(w, z);
}

/* Orthonormalise the columns of N (m x k) by Gram and Schmidt, twice for safety. */
static void orthonormalise(int m, int k, double *N) {
    for (int c = 0; c < k; c++) {
        double *v = N + (size_t)c * (size_t)m, norm = 0;
        for (int twice = 0; twice < 2; twice++) {
            for (int b = 0; b < c; b++) {
                const double *u = N + (size_t)b * (size_t)m;
                double dot = 0;
                for (int i = 0; i < m; i++) dot += u[i] * v[i];
                for (int i = 0; i < m; i++) v[i] -= dot * u[i];
            }
            norm = 0;
            for (int i = 0; i < m; i++) norm += v[i] * v[i];
            norm = sqrt(norm);
            for (int i = 0; i < m && norm > 0; i++) v[i] /= norm;
        }
    }
}

/* Put column `from` of N in the place of column `to`, and clear row i from those behind it. */
static void take_row(int m, int k, double *N, int i, int to, int from) {
    double *v = N + (size_t)to * (size_t)m, *u = N + (size_t)from * (size_t)m;
    for (int r = 0; r < m && u != v; r++) {
        const double keep = u[r];
        u[r] = v[r];
        v[r] = keep;
    }
    for (int c = to + 1; c < k; c++) {
        double *t = N + (size_t)c * (size_t)m;
        const double share = t[i] / v[i];
        for (int r = 0; r < m; r++) t[r] -= share * v[r];
    }
}

/* The column from `first` on in which row i of N is largest. */
static int largest_in_row(int m, int k, const double *N, int i, int first) {
    int best = first;
    for (int c = first; c < k; c++)
        if (fabs(N[(size_t)c * (size_t)m + (size_t)i]) >
            fabs(N[(size_t)best * (size_t)m + (size_t)i]))
            best = c;
    return best;
}

/* Mark rows from N: undetermined where its row is not zero; redundant, from the last row up, while
 * its row is independent of those chosen. N is destroyed: each choice clears that direction from
 * all rows. */
static void mark_rows(analysis *an, const int *rows, int m, int k, double *N) {
    double longest = 0;
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int c = 0; c < k; c++)
            sum += N[(size_t)c * (size_t)m + (size_t)i] * N[(size_t)c * (size_t)m + (size_t)i];
        longest = fmax(longest, sqrt(sum));
        if (an->result->undetermined)
            an->result->undetermined[rows[i]] = sqrt(sum) > HOL__UNDETERMINED_TOLERANCE;
    }
    int chosen = 0;
    for (int i = m - 1; i >= 0 && chosen < k; i--) {
        const int best = largest_in_row(m, k, N, i, chosen);
        if (fabs(N[(size_t)best * (size_t)m + (size_t)i]) <= CHOICE_SHARE * longest) continue;
        take_row(m, k, N, i, chosen, best);
        if (an->result->redundant) an->result->redundant[rows[i]] = 1;
        chosen++;
    }
}

/* Whether row i is to be set aside rather than row j. */
static int goes_first(const analysis *an, int i, int j) {
    const int *order = an->result->order;
    return order && order[i] != order[j] ? order[i] > order[j] : i > j;
}

/* The next row to set aside and the column of N for it: the first in order whose entry is large
 * enough; -1: all entries are zero. */
static int next_aside(const analysis *an, const int *rows, int m, int k, const double *N, int first,
                      int *column) {
    const unsigned char *aside = an->result->aside;
    double most = 0;
    int found = -1;
    for (int c = first; c < k; c++)
        for (int i = 0; i < m; i++)
            if (!aside[rows[i]]) most = fmax(most, fabs(N[(size_t)c * (size_t)m + (size_t)i]));
    for (int i = 0; i < m && most > 0; i++) {
        if (aside[rows[i]] || (found >= 0 && !goes_first(an, rows[i], rows[found]))) continue;
        const int best = largest_in_row(m, k, N, i, first);
        if (fabs(N[(size_t)best * (size_t)m + (size_t)i]) < ASIDE_SHARE * most) continue;
        found = i;
        *column = best;
    }
    return found;
}

/* The rows to set aside, by elimination in N, which is destroyed. */
static void choose_aside(const analysis *an, const int *rows, int m, int k, double *N) {
    for (int chosen = 0, column = 0; chosen < k; chosen++) {
        const int i = next_aside(an, rows, m, k, N, chosen, &column);
        if (i < 0) return;
        take_row(m, k, N, i, chosen, column);
        an->result->aside[rows[i]] = 1;
    }
}

/* Analyse one component. */
static hol_status analyse_part(analysis *an, const int *rows, int m) {
    hol__arena arena;
    hol__rank_work w;
    hol_status status = HOL_ERR_MEMORY;
    hol__arena_init(&arena, an->ctx);
    if (!load(an, &arena, rows, m, &w)) goto done;
    if (m > DENSE_ROWS && (!load_columns(&w) || !hol__rank_eliminate(&w, FEW_ROWS))) goto done;
    an->result->smallest = fmin(an->result->smallest, w.smallest);
    int *left = HOL__NEW_N(&arena, int, w.left);
    hol__qrp *qr = left ? load_dense(&w, left) : NULL;
    if (!qr) goto done;
    if (w.left > an->result->largest_dense) an->result->largest_dense = w.left;
    status = HOL_SINGULAR;
    if (hol__qrp_factor(qr) != 0) goto done;
    const int rank = dense_rank(an, qr), k = w.left - rank;
    an->result->rank += m - k;
    status = HOL_OK;
    if (k == 0) goto done;
    double *N = HOL__NEW_N(&arena, double, (size_t)m *(size_t)k),
           *y = HOL__NEW_N(&arena, double, rank + 1);
    status = N && y ? HOL_OK : HOL_ERR_MEMORY;
    if (status != HOL_OK) goto done;
    for (int c = 0; c < k; c++) null_vector(&w, qr, left, rank, c, y, N + (size_t)c * (size_t)m);
    orthonormalise(m, k, N);
    if (an->result->aside) {
        double *copy = HOL__NEW_N(&arena, double, (size_t)m *(size_t)k);
        status = copy ? HOL_OK : HOL_ERR_MEMORY;
        if (status != HOL_OK) goto done;
        memcpy(copy, N, sizeof *N * (size_t)m * (size_t)k);
        choose_aside(an, rows, m, k, copy);
    }
    mark_rows(an, rows, m, k, N);
done:
    hol__arena_free(&arena);
    return status;
}

hol_status hol__rank_analyse(hol_context *ctx, const hol__csr *A, double tolerance,
                             hol__rank_result *result) {
    hol__arena arena;
    analysis an = {.ctx = ctx,
                   .A = A,
                   .tolerance = tolerance > 0 ? tolerance : HOL__RANK_TOLERANCE,
                   .result = result};
    const int m = A->rows;
    hol__arena_init(&arena, ctx);
    an.scale = HOL__NEW_N(&arena, double, m);
    an.row_part = HOL__NEW_N(&arena, int, m);
    an.order = HOL__NEW_N(&arena, int, m);
    an.part_start = HOL__NEW_N(&arena, int, m + 2);
    an.col_local = HOL__NEW_N(&arena, int, A->cols);
    result->rank = result->components = result->largest_dense = 0;
    result->smallest = 1;
    result->largest_dropped = 0;
    for (int i = 0; i < m; i++) {
        if (result->redundant) result->redundant[i] = 0;
        if (result->undetermined) result->undetermined[i] = 0;
        if (result->aside) result->aside[i] = 0;
    }
    hol_status status = arena.failed ? HOL_ERR_MEMORY : HOL_OK;
    if (status == HOL_OK && !find_scales(&an)) status = HOL_NONFINITE;
    if (status == HOL_OK) {
        for (int j = 0; j < A->cols; j++) an.col_local[j] = -1;
        result->components = find_parts(&an, &arena);
        if (result->components < 0) status = HOL_ERR_MEMORY;
    }
    for (int c = 0; status == HOL_OK && c < result->components; c++)
        status =
            analyse_part(&an, an.order + an.part_start[c], an.part_start[c + 1] - an.part_start[c]);
    hol__arena_free(&arena);
    return status;
}
