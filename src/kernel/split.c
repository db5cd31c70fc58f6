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

/* Number the parts by their first row; number: by the root of a part of W, -1 where no row is. */
static void number_parts(hol__split *s, const hol__pattern *pt, int *link, const int *first,
                         int *number) {
    for (int c = 0; c < pt->parts; c++) number[c] = -1;
    for (int i = 0; i < pt->m; i++) {
        if (first[i] < 0) {
            s->part[i] = s->parts++; /* a row of zeros is by itself */
            continue;
        }
        int *mine = &number[find_root(link, first[i])];
        if (*mine < 0) *mine = s->parts++;
        s->part[i] = *mine;
    }
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

int hol__split_init(hol__split *s, hol__arena *arena, const hol__pattern *pt) {
    hol__arena scratch;
    hol__arena_init(&scratch, arena->ctx);
    *s = (hol__split){.part = HOL__NEW_N(arena, int, pt->m + 1),
                      .row_ptr = HOL__NEW_N(arena, int, pt->m + 1),
                      .row = HOL__NEW_N(arena, int, pt->m + 1),
                      .col_ptr = HOL__NEW_N(arena, int, pt->m + 1),
                      .col = HOL__NEW_N(arena, int, pt->n + 1)};
    int *link = HOL__NEW_N(&scratch, int, pt->parts + 1),
        *number = HOL__NEW_N(&scratch, int, pt->parts + 1),
        *first = HOL__NEW_N(&scratch, int, pt->m + 1),
        *part_of_col = HOL__NEW_N(&scratch, int, pt->n + 1);
    const int ok = !arena->failed && !scratch.failed;
    if (ok) {
        join_parts(pt, link, first);
        number_parts(s, pt, link, first, number);
        for (int j = 0; j < pt->n; j++) part_of_col[j] = number[find_root(link, pt->part[j])];
        sort_by_part(pt->m, s->part, s->parts, s->row_ptr, s->row, first);
        sort_by_part(pt->n, part_of_col, s->parts, s->col_ptr, s->col, first);
        for (int p = 0; p < s->parts; p++) {
            const int size =
                s->row_ptr[p + 1] - s->row_ptr[p] + s->col_ptr[p + 1] - s->col_ptr[p];
            if (size > s->largest) s->largest = size;
        }
    }
    hol__arena_free(&scratch);
    return ok;
}

void hol__split_gather(int n, const int *number, const double *v, double *out) {
    for (int i = 0; i < n; i++) out[i] = v[number[i]];
}

void hol__split_scatter(int n, const int *number, const double *in, double *v) {
    for (int i = 0; i < n; i++) v[number[i]] = in[i];
}
