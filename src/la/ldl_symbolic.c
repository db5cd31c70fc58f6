/* ldl_symbolic.c: the pattern of L, the place of every entry of K in it, and the list of update
 * targets.
 *
 * The pattern of column k of L is that of column k of K below the diagonal, united with the columns
 * of the children of k in the elimination tree (without k itself); the parent of k is the first row
 * of its column.
 */
#include "la/ldl.h"

#include <stdlib.h>
#include <string.h>

/* Longer lists of update targets than this are not kept (4 bytes each). */
enum { MOST_TARGETS = 4000000 };

/* A dense factorisation is taken from this many multiplications on, and from this share of those
 * that a full matrix takes. */
#define MANY_UPDATES 30000
#define WORK_SHARE 0.25

/* K below the diagonal by columns of places. */
typedef struct pattern {
    int n;
    int *ptr, *row;
    int *place;
} pattern;

/* Sort the entries into columns: entry (i, j) goes to column min(place), row max(place).
 * Diagonal entries are left out. */
static int pattern_init(hol__arena *scratch, int n, int nz, const int *row, const int *col,
                        const int *perm, pattern *K) {
    *K = (pattern){.n = n,
                   .ptr = HOL__NEW_N(scratch, int, n + 2),
                   .row = HOL__NEW_N(scratch, int, nz),
                   .place = HOL__NEW_N(scratch, int, n)};
    if (scratch->failed) return 0;
    for (int k = 0; k < n; k++) K->place[perm[k]] = k;
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < nz; e++) {
            const int a = K->place[row[e]], b = K->place[col[e]];
            if (a == b) continue;
            const int k = a < b ? a : b;
            if (pass == 0)
                K->ptr[k + 2]++;
            else
                K->row[K->ptr[k + 1]++] = a < b ? b : a;
        }
        if (pass == 0)
            for (int k = 0; k < n; k++) K->ptr[k + 2] += K->ptr[k + 1];
    }
    return 1;
}

/* The columns of L as they are found, in one growing array. */
typedef struct columns {
    int *ptr, *row;
    int room;
} columns;

/* Rising, for qsort. */
static int compare_int(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Gather column k: mark[i] == k for rows already taken; child and sibling link the elimination
 * tree. */
static int gather_column(const pattern *K, hol__arena *scratch, int k, columns *L, int *mark,
                         const int *child, const int *sibling) {
    int n = L->ptr[k];
    int *grown = hol__arena_grow(scratch, L->row, sizeof *L->row, n, &L->room, n + K->n - k);
    if (!grown) return 0;
    L->row = grown;
    mark[k] = k;
    /* a small factor is full: then it needs no lists */
    for (int i = k + 1; i < K->n && K->n <= HOL__LDL_FULL; i++) mark[L->row[n++] = i] = k;
    for (int p = K->ptr[k]; p < K->ptr[k + 1]; p++)
        if (mark[K->row[p]] != k) mark[L->row[n++] = K->row[p]] = k;
    for (int c = child[k]; c >= 0; c = sibling[c])
        for (int p = L->ptr[c]; p < L->ptr[c + 1]; p++)
            if (mark[L->row[p]] != k) mark[L->row[n++] = L->row[p]] = k;
    qsort(L->row + L->ptr[k], (size_t)(n - L->ptr[k]), sizeof *L->row, compare_int);
    L->ptr[k + 1] = n;
    return 1;
}

/* All columns of L. */
static int find_columns(const pattern *K, hol__arena *scratch, columns *L) {
    const int n = K->n;
    int *mark = HOL__NEW_N(scratch, int, n), *child = HOL__NEW_N(scratch, int, n),
        *sibling = HOL__NEW_N(scratch, int, n);
    *L = (columns){.ptr = HOL__NEW_N(scratch, int, n + 1)};
    if (scratch->failed) return 0;
    for (int k = 0; k < n; k++) mark[k] = child[k] = sibling[k] = -1;
    for (int k = 0; k < n; k++) {
        if (!gather_column(K, scratch, k, L, mark, child, sibling)) return 0;
        if (L->ptr[k + 1] == L->ptr[k]) continue;
        const int parent = L->row[L->ptr[k]];
        sibling[k] = child[parent];
        child[parent] = k;
    }
    return 1;
}

/* The sum of c (c - 1) / 2 over the columns, c their lengths. */
static long long count_updates(int n, const int *ptr) {
    long long updates = 0;
    for (int k = 0; k < n; k++) {
        const long long c = ptr[k + 1] - ptr[k];
        updates += c * (c - 1) / 2;
    }
    return updates;
}

long long hol__ldl_count(hol_context *ctx, int n, int nz, const int *row, const int *col,
                         const int *perm, long long *entries) {
    hol__arena scratch;
    pattern K;
    columns L;
    hol__arena_init(&scratch, ctx);
    long long updates = -1;
    if (pattern_init(&scratch, n, nz, row, col, perm, &K) && find_columns(&K, &scratch, &L)) {
        updates = count_updates(n, L.ptr);
        *entries = L.ptr[n];
    }
    hol__arena_free(&scratch);
    return updates;
}

/* Where row i stands in column k of L. */
static int find_row(const hol__ldl *ldl, int k, int i) {
    int low = ldl->ptr[k], high = ldl->ptr[k + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (ldl->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* map[e]: the place of entry e in value. */
static void make_map(const hol__ldl *ldl, int nz, const int *row, const int *col, int *map) {
    for (int e = 0; e < nz; e++) {
        const int a = ldl->place[row[e]], b = ldl->place[col[e]], k = a < b ? a : b,
                  i = a < b ? b : a;
        map[e] = i == k ? k : ldl->n + find_row(ldl, k, i);
    }
}

/* For each column and each pair of its rows i < j: where L_ji stands. */
static void make_targets(hol__ldl *ldl, int *at) {
    int *target = ldl->target;
    for (int k = 0; k < ldl->n; k++)
        for (int p = ldl->ptr[k]; p < ldl->ptr[k + 1]; p++) {
            const int i = ldl->row[p];
            for (int s = ldl->ptr[i]; s < ldl->ptr[i + 1]; s++) at[ldl->row[s]] = s;
            for (int q = p + 1; q < ldl->ptr[k + 1]; q++) *target++ = at[ldl->row[q]];
        }
}

/* L by rows: going through the columns in order, the columns of each row come out rising. */
static void make_rows(hol__ldl *ldl, int *next) {
    const int n = ldl->n;
    for (int p = 0; p < ldl->ptr[n]; p++) ldl->row_ptr[ldl->row[p] + 1]++;
    for (int k = 0; k < n; k++) {
        ldl->row_ptr[k + 1] += ldl->row_ptr[k];
        next[k] = ldl->row_ptr[k];
    }
    for (int k = 0; k < n; k++)
        for (int p = ldl->ptr[k]; p < ldl->ptr[k + 1]; p++) {
            const int t = next[ldl->row[p]]++;
            ldl->row_col[t] = k;
            ldl->row_at[t] = p;
        }
}

/* Allocate the factor for the columns found, and copy them into it. */
static hol__ldl *allocate(hol__arena *arena, const pattern *K, const columns *L, const int *perm,
                          const signed char *sign) {
    const int n = K->n;
    const size_t size = (size_t)n, entries = (size_t)L->ptr[n];
    hol__ldl *ldl = HOL__NEW(arena, hol__ldl);
    int *order = HOL__NEW_N(arena, int, 2 * size);
    if (!ldl || !order) return NULL;
    *ldl = (hol__ldl){.n = n,
                      .perm = order,
                      .place = order + size,
                      .updates = count_updates(n, L->ptr),
                      .smallest = 1};
    ldl->ptr = HOL__NEW_N(arena, int, size + 1);
    ldl->row = HOL__NEW_N(arena, int, entries);
    ldl->dropped = HOL__NEW_N(arena, int, size);
    ldl->value = HOL__NEW_N(arena, double, size + entries);
    ldl->inverse = HOL__NEW_N(arena, double, 5 * size);
    if (!ldl->ptr || !ldl->row || !ldl->dropped || !ldl->value || !ldl->inverse) return NULL;
    ldl->magnitude = ldl->inverse + size;
    ldl->threshold = ldl->inverse + 2 * size;
    ldl->sign = ldl->inverse + 3 * size;
    ldl->work = ldl->inverse + 4 * size;
    memcpy(ldl->ptr, L->ptr, (size + 1) * sizeof *ldl->ptr);
    if (entries) memcpy(ldl->row, L->row, entries * sizeof *ldl->row);
    if (n) memcpy(order, perm, size * sizeof *order);
    if (n) memcpy(order + size, K->place, size * sizeof *order);
    for (int k = 0; k < n; k++) ldl->sign[k] = sign ? sign[perm[k]] : 1;
    return ldl;
}

/* The lists that the chosen form of the factorisation runs over. */
static int make_lists(hol__arena *arena, hol__ldl *ldl, int *scratch) {
    const size_t entries = (size_t)ldl->ptr[ldl->n];
    if (ldl->updates <= MOST_TARGETS) {
        ldl->target = HOL__NEW_N(arena, int, ldl->updates);
        if (ldl->target) make_targets(ldl, scratch);
        return ldl->target != NULL;
    }
    ldl->row_ptr = HOL__NEW_N(arena, int, ldl->n + 1);
    ldl->row_col = HOL__NEW_N(arena, int, entries);
    ldl->row_at = HOL__NEW_N(arena, int, entries);
    if (!ldl->row_ptr || !ldl->row_col || !ldl->row_at) return 0;
    make_rows(ldl, scratch);
    return 1;
}

hol__ldl *hol__ldl_new(hol__arena *arena, int n, int nz, const int *row, const int *col,
                       const int *perm, const signed char *sign, int *map) {
    hol__arena scratch;
    pattern K;
    columns L;
    hol__ldl *ldl = NULL;
    hol__arena_init(&scratch, arena->ctx);
    if (pattern_init(&scratch, n, nz, row, col, perm, &K) && find_columns(&K, &scratch, &L))
        ldl = allocate(arena, &K, &L, perm, sign);
    if (ldl && make_lists(arena, ldl, K.place))
        make_map(ldl, nz, row, col, map);
    else
        ldl = NULL;
    hol__arena_free(&scratch);
    return ldl;
}

int hol__ldl_wants_dense(const hol__ldl *ldl) {
    const double n = ldl->n, updates = (double)ldl->updates;
    return updates > MANY_UPDATES && updates > WORK_SHARE * n * n * n / 6;
}
