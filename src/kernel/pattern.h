/* pattern.h: the live entries of W and A, the graph of A W^-1 A^T, and orderings for the static
 * factorisations. */
#ifndef HOL_KERNEL_PATTERN_H
#define HOL_KERNEL_PATTERN_H

#include "la/csr.h"

/* Live entries of K = [W A^T; A 0], each unordered pair once: first nw of W (row >= col), then
 * na of A (row n + i). */
typedef struct hol__pattern {
    int n, m, nw, na;
    int *row, *col; /* in K */
    int *from;      /* where in W->x or A->x */
    int *part;      /* n: connected part of W that a column belongs to */
    int parts, largest_part;
} hol__pattern;

/* 0 without memory. */
int hol__pattern_init(hol__pattern *pattern, hol__arena *arena, const hol__csr *W,
                      const hol__csr *A);

/* The graph of A W^-1 A^T as adjacency lists without diagonal: constraints that share a part of W.
 * *ptr stays NULL when it would have more than limit entries. */
hol_status hol__pattern_schur(const hol__pattern *pattern, hol__arena *arena, long long limit,
                              int **ptr, int **idx);

/* A fill-reducing order of W alone (n). */
hol_status hol__pattern_order_mass(const hol__pattern *pattern, hol_context *ctx, int *perm);

/* An order of K (n + m) in which every pivot exists: W first, then the constraints by the graph of
 * A W^-1 A^T; or, where W has large connected parts, constraints as soon as all their columns
 * are eliminated, whichever takes less work. */
hol_status hol__pattern_order(const hol__pattern *pattern, hol_context *ctx, int *perm);

#endif
