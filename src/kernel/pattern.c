/* pattern.c: live entries, graph of A W^-1 A^T and orderings. See pattern.h.
 *
 * The inverse of a connected part of W is full, so two constraints meet in A W^-1 A^T exactly when
 * they touch a common part. A leading block [W_X A_CX^T; A_CX 0] of K is regular when the rows C
 * have full rank in the columns X: it is enough that X holds all columns of those rows. Hence the
 * rule that a constraint comes after all its columns.
 */
#include "kernel/pattern.h"

#include "la/ldl.h"
#include "la/link.h"
#include "la/order.h"

#include <string.h>

/* Parts of W up to this size: eliminating W first costs nothing worth avoiding. */
enum { SMALL_PART = 12 };

/* Graphs larger than this are not formed. */
#define GRAPH_LIMIT 20000000LL

static int is_live(const hol__csr *A, int p) {
    return !A->live || A->live[p];
}

/* Number the connected parts of W by their first column. */
static void find_parts(hol__pattern *pt, int *link, int *size) {
    for (int j = 0; j < pt->n; j++) link[j] = j;
    for (int e = 0; e < pt->nw; e++) hol__link_join(link, pt->row[e], pt->col[e]);
    for (int j = 0; j < pt->n; j++) {
        const int root = hol__link_root(link, j);
        pt->part[j] = root == j ? pt->parts++ : pt->part[root];
        if (++size[pt->part[j]] > pt->largest_part) pt->largest_part = size[pt->part[j]];
    }
}

int hol__pattern_init(hol__pattern *pt, hol__arena *arena, const hol__csr *W, const hol__csr *A) {
    const int n = W->rows, m = A->rows;
    const size_t most = (size_t)W->ptr[n] + (size_t)A->ptr[m];
    *pt = (hol__pattern){.n = n, .m = m};
    pt->row = HOL__NEW_N(arena, int, most);
    pt->col = HOL__NEW_N(arena, int, most);
    pt->from = HOL__NEW_N(arena, int, most);
    pt->part = HOL__NEW_N(arena, int, n);
    int *scratch = HOL__NEW_N(arena, int, 2 * (size_t)n);
    if (arena->failed) return 0;
    int e = 0;
    for (int i = 0; i < n; i++)
        for (int p = W->ptr[i]; p < W->ptr[i + 1]; p++)
            if (is_live(W, p) && W->idx[p] <= i) {
                pt->row[e] = i;
                pt->col[e] = W->idx[p];
                pt->from[e++] = p;
            }
    pt->nw = e;
    for (int i = 0; i < m; i++)
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
            if (is_live(A, p)) {
                pt->row[e] = n + i;
                pt->col[e] = A->idx[p];
                pt->from[e++] = p;
            }
    pt->na = e - pt->nw;
    find_parts(pt, scratch, scratch + n);
    return 1;
}

/* Lists of constraints by parts: ptr (parts + 1), row; each constraint once in each list. */
static int rows_by_parts(const hol__pattern *pt, hol__arena *arena, int **ptr_out, int **row_out) {
    int *ptr = HOL__NEW_N(arena, int, pt->parts + 2), *row = HOL__NEW_N(arena, int, pt->na);
    int *last = HOL__NEW_N(arena, int, pt->parts);
    if (arena->failed) return 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < pt->parts; c++) last[c] = -1;
        for (int e = pt->nw; e < pt->nw + pt->na; e++) {
            const int c = pt->part[pt->col[e]], i = pt->row[e] - pt->n;
            if (last[c] == i) continue;
            last[c] = i;
            if (pass == 0)
                ptr[c + 2]++;
            else
                row[ptr[c + 1]++] = i;
        }
        if (pass == 0)
            for (int c = 0; c < pt->parts; c++) ptr[c + 2] += ptr[c + 1];
    }
    *ptr_out = ptr;
    *row_out = row;
    return 1;
}

hol_status hol__pattern_schur(const hol__pattern *pt, hol__arena *arena, long long limit,
                              int **ptr_out, int **idx_out) {
    int *part_ptr, *part_row;
    *ptr_out = *idx_out = NULL;
    if (!rows_by_parts(pt, arena, &part_ptr, &part_row)) return HOL_ERR_MEMORY;
    long long most = 0;
    for (int c = 0; c < pt->parts; c++) {
        const long long k = part_ptr[c + 1] - part_ptr[c];
        most += k * (k - 1);
    }
    if (most > limit) return HOL_OK;
    int *ptr = HOL__NEW_N(arena, int, pt->m + 1), *idx = HOL__NEW_N(arena, int, most),
        *mark = HOL__NEW_N(arena, int, pt->m);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < pt->m; i++) mark[i] = -1;
    int count = 0, e = pt->nw;
    for (int i = 0; i < pt->m; i++) {
        mark[i] = i;
        for (; e < pt->nw + pt->na && pt->row[e] == pt->n + i; e++) {
            const int c = pt->part[pt->col[e]];
            for (int p = part_ptr[c]; p < part_ptr[c + 1]; p++)
                if (mark[part_row[p]] != i) mark[idx[count++] = part_row[p]] = i;
        }
        ptr[i + 1] = count;
    }
    *ptr_out = ptr;
    *idx_out = idx;
    return HOL_OK;
}

/* Adjacency lists without diagonal from entries first … last-1, nodes 0 … n-1. */
static int make_graph(const hol__pattern *pt, hol__arena *arena, int n, int last, int **ptr_out,
                      int **idx_out) {
    int *ptr = HOL__NEW_N(arena, int, n + 2), *idx = HOL__NEW_N(arena, int, 2 * (size_t)last);
    if (arena->failed) return 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < last; e++) {
            const int a = pt->row[e], b = pt->col[e];
            if (a == b) continue;
            if (pass == 0) {
                ptr[a + 2]++;
                ptr[b + 2]++;
            } else {
                idx[ptr[a + 1]++] = b;
                idx[ptr[b + 1]++] = a;
            }
        }
        if (pass == 0)
            for (int i = 0; i < n; i++) ptr[i + 2] += ptr[i + 1];
    }
    *ptr_out = ptr;
    *idx_out = idx;
    return 1;
}

hol_status hol__pattern_order_mass(const hol__pattern *pt, hol_context *ctx, int *perm) {
    hol__arena scratch;
    int *ptr, *idx;
    hol__arena_init(&scratch, ctx);
    hol_status status = HOL_ERR_MEMORY;
    if (make_graph(pt, &scratch, pt->n, pt->nw, &ptr, &idx))
        status = hol__order(ctx, pt->n, ptr, idx, perm);
    hol__arena_free(&scratch);
    return status;
}

/* W first, then the constraints; *known is 0 when the graph of A W^-1 A^T is too large to form. */
static hol_status order_mass_first(const hol__pattern *pt, hol__arena *scratch, int *perm,
                                   int *known) {
    int *ptr, *idx;
    *known = 0;
    hol_status status = hol__pattern_schur(pt, scratch, GRAPH_LIMIT, &ptr, &idx);
    if (status != HOL_OK || !ptr) return status;
    status = hol__pattern_order_mass(pt, scratch->ctx, perm);
    if (status == HOL_OK) status = hol__order(scratch->ctx, pt->m, ptr, idx, perm + pt->n);
    for (int i = 0; i < pt->m; i++) perm[pt->n + i] += pt->n;
    *known = status == HOL_OK;
    return status;
}

/* Constraints as soon as their columns are gone. */
static hol_status order_mixed(const hol__pattern *pt, hol__arena *scratch, int *perm) {
    const int size = pt->n + pt->m;
    int *ptr, *idx;
    unsigned char *late = HOL__NEW_N(scratch, unsigned char, size);
    if (!late || !make_graph(pt, scratch, size, pt->nw + pt->na, &ptr, &idx)) return HOL_ERR_MEMORY;
    for (int i = pt->n; i < size; i++) late[i] = 1;
    return hol__order_minimum_degree(scratch->ctx, size, ptr, idx, late, perm);
}

hol_status hol__pattern_order(const hol__pattern *pt, hol_context *ctx, int *perm) {
    const int size = pt->n + pt->m, nz = pt->nw + pt->na;
    hol__arena scratch;
    int known;
    hol__arena_init(&scratch, ctx);
    hol_status status = order_mass_first(pt, &scratch, perm, &known);
    if (status == HOL_OK && (!known || pt->largest_part > SMALL_PART)) {
        int *other = HOL__NEW_N(&scratch, int, size);
        status = other ? order_mixed(pt, &scratch, other) : HOL_ERR_MEMORY;
        long long entries, first = 0, second = 0;
        if (status == HOL_OK && known) {
            first = hol__ldl_count(ctx, size, nz, pt->row, pt->col, perm, &entries);
            second = hol__ldl_count(ctx, size, nz, pt->row, pt->col, other, &entries);
            if (first < 0 || second < 0) status = HOL_ERR_MEMORY;
        }
        if (status == HOL_OK && (!known || second < first))
            memcpy(perm, other, (size_t)size * sizeof *perm);
    }
    hol__arena_free(&scratch);
    return status;
}
