/* split.c: the independent parts of a constrained system. See split.h. */
#include "kernel/split.h"

static int find_root(int *link, int i) {
    while (link[i] != i) i = link[i] = link[link[i]];
    return i;
}

/* Link parts of W by the rows of A that have entries in both; first: a part that a row touches, -1
 * where it touches none. */
static void join_parts(const hol__pattern *pt, int *link, int *first) {
    for (int c = 0; c < pt->parts; c++) link[c] = c;
    for (int i = 0; i < pt->m; i++) first[i] = -1;
    for (int e = pt->nw; e < pt->nw + pt->na; e++) {
        const int i = pt->row[e] - pt->n, c = find_root(link, pt->part[pt->col[e]]);
        if (first[i] < 0)
            first[i] = c;
        else {
            const int other = find_root(link, first[i]);
            link[other > c ? other : c] = other < c ? other : c;
        }
    }
}

/* Number the parts by their first row, into first; number: by the root of a part of W, -1 where no
 * row is. Returns how many there are. */
static int number_parts(const hol__pattern *pt, int *link, int *first, int *number) {
    int parts = 0;
    for (int c = 0; c < pt->parts; c++) number[c] = -1;
    for (int i = 0; i < pt->m; i++) {
        if (first[i] < 0) {
            first[i] = parts++; /* a row of zeros is by itself */
            continue;
        }
        int *mine = &number[find_root(link, first[i])];
        if (*mine < 0) *mine = parts++;
        first[i] = *mine;
    }
    return parts;
}

/* The numbers 0 … n-1 sorted by their part (-1: none), with the beginnings in ptr; next: scratch. */
static void sort_by_part(int n, const int *part, int parts, int *ptr, int *sorted, int *next) {
    for (int p = 0; p <= parts; p++) ptr[p] = 0;
    for (int i = 0; i < n; i++)
        if (part[i] >= 0) ptr[part[i] + 1]++;
    for (int p = 0; p < parts; p++) ptr[p + 1] += ptr[p];
    for (int p = 0; p < parts; p++) next[p] = ptr[p];
    for (int i = 0; i < n; i++)
        if (part[i] >= 0) sorted[next[part[i]]++] = i;
}

/* The lists, from the part of every row and of every column (-1: none). */
static int list_parts(hol__split *s, hol__arena *arena, const hol__pattern *pt, const int *of_row,
                      const int *of_col, int *next) {
    s->part = HOL__NEW_N(arena, int, pt->m + 1);
    s->row_ptr = HOL__NEW_N(arena, int, s->parts + 1);
    s->row = HOL__NEW_N(arena, int, pt->m + 1);
    s->col_ptr = HOL__NEW_N(arena, int, s->parts + 1);
    s->col = HOL__NEW_N(arena, int, pt->n + 1);
    if (arena->failed) return 0;
    for (int i = 0; i < pt->m; i++) s->part[i] = of_row[i];
    sort_by_part(pt->m, of_row, s->parts, s->row_ptr, s->row, next);
    sort_by_part(pt->n, of_col, s->parts, s->col_ptr, s->col, next);
    for (int p = 0; p < s->parts; p++) {
        const int size = s->row_ptr[p + 1] - s->row_ptr[p] + s->col_ptr[p + 1] - s->col_ptr[p];
        if (size > s->largest) s->largest = size;
    }
    return 1;
}

/* One part that is everything. */
static int take_all(hol__split *s, hol__arena *arena, const hol__pattern *pt) {
    s->row_ptr = HOL__NEW_N(arena, int, 2);
    s->col_ptr = HOL__NEW_N(arena, int, 2);
    if (arena->failed) return 0;
    s->row_ptr[1] = pt->m;
    s->col_ptr[1] = pt->n;
    s->largest = pt->m + pt->n;
    return 1;
}

int hol__split_init(hol__split *s, hol__arena *arena, const hol__pattern *pt) {
    hol__arena scratch;
    hol__arena_init(&scratch, arena->ctx);
    *s = (hol__split){0};
    int *link = HOL__NEW_N(&scratch, int, pt->parts + 1),
        *number = HOL__NEW_N(&scratch, int, pt->parts + 1),
        *of_row = HOL__NEW_N(&scratch, int, pt->m + 1),
        *of_col = HOL__NEW_N(&scratch, int, pt->n + 1),
        *next = HOL__NEW_N(&scratch, int, pt->m + 1), ok = !scratch.failed;
    if (ok) {
        int free = 0;
        join_parts(pt, link, of_row);
        s->parts = number_parts(pt, link, of_row, number);
        for (int j = 0; j < pt->n; j++) {
            of_col[j] = number[find_root(link, pt->part[j])];
            free += of_col[j] < 0;
        }
        ok = s->parts == 1 && !free ? take_all(s, arena, pt)
                                    : list_parts(s, arena, pt, of_row, of_col, next);
    }
    hol__arena_free(&scratch);
    return ok;
}

void hol__split_gather(int n, const int *number, const double *v, double *out) {
    for (int i = 0; i < n; i++) out[i] = v[hol__split_number(number, i)];
}

void hol__split_scatter(int n, const int *number, const double *in, double *v) {
    for (int i = 0; i < n; i++) v[hol__split_number(number, i)] = in[i];
}
