/* partition_block.h: the block of the dependent coordinates as a sparse matrix.
 *
 *     A^ = [A_d A_i], unit rows, all m of them independent:
 *     R = [-A_d^-1 A_i; 1],   S c = [A_d^-1 c; 0],   A^^T y = g:  A_d^T y = g_d
 *
 * Pivots and pattern are chosen once and kept (la/lu_fixed.h). After the constructor nothing
 * allocates. */
#ifndef HOL_KERNEL_PARTITION_BLOCK_H
#define HOL_KERNEL_PARTITION_BLOCK_H

#include "la/lu_fixed.h"

typedef struct hol__partition_block {
    int n, m;
    hol__lu_fixed *lu;
    hol__csr K;    /* A_d, gathered from A */
    int *place;    /* n: of a coordinate among the dependent ones, -1: independent */
    double *b, *x; /* m */
    int laid;      /* the pattern belongs to the pivots */
} hol__partition_block;

/* For constraints of that pattern; NULL without memory. */
hol__partition_block *hol__partition_block_new(hol__arena *arena, const hol__csr *A);

/* Pivots for the coordinates whose first m are dependent, at the values of A with rows scaled to
 * unit length by scale. Whether the factors cost less than dense ones; they are then there. */
int hol__partition_block_choose(hol__partition_block *block, const hol__csr *A, const double *scale,
                                const int *coordinates);

/* Factor other values with the same pivots: the share of its size that the smallest has kept. */
double hol__partition_block_factor(hol__partition_block *block, const hol__csr *A,
                                   const double *scale, const int *coordinates);

/* The null vector r (n) of A that moves one independent coordinate. */
void hol__partition_block_null(hol__partition_block *block, const hol__csr *A, const double *scale,
                               int coordinate, double *r);

/* x (n) of A^ x = c, and y (m) of A^^T y = g. */
void hol__partition_block_solve(hol__partition_block *block, const double *c, double *x);
void hol__partition_block_solve_t(hol__partition_block *block, const double *g, double *y);

/* The pivots, of one size always. */
void hol__partition_block_remember(hol__partition_block *block, hol__archive *archive);

#endif
