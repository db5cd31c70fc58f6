/* split.h: the independent parts of W x + A^T mu = f, A x = c: sets of rows and columns that no
 * entry of W or A joins to others. What is solved with all of K is solved for each of them at once.
 *
 * Invariant: row and col hold the numbers of each part in rising order, those of part p from
 * row_ptr[p] and col_ptr[p] on. Columns without a row of A are in no part.
 */
#ifndef HOL_KERNEL_SPLIT_H
#define HOL_KERNEL_SPLIT_H

#include "kernel/pattern.h"

typedef struct hol__split {
    int parts;
    int *part;          /* m: which part a row belongs to */
    int *row_ptr, *row; /* rows by parts */
    int *col_ptr, *col; /* columns by parts */
    int largest;        /* rows and columns of the largest part */
} hol__split;

/* 0 without memory. */
int hol__split_init(hol__split *split, hol__arena *arena, const hol__pattern *pattern);

/* Which part a row belongs to, and the numbers from the i-th on of a list. */
static inline int hol__split_part(const hol__split *split, int row) {
    return split->part ? split->part[row] : 0;
}

static inline const int *hol__split_list(const int *list, int i) {
    return list ? list + i : NULL;
}

/* The i-th of these numbers. */
static inline int hol__split_number(const int *number, int i) {
    return number ? number[i] : i;
}

/* out <- the entries of v with these numbers, and back. */
void hol__split_gather(int n, const int *number, const double *v, double *out);
void hol__split_scatter(int n, const int *number, const double *in, double *v);

#endif
