/* lu_fixed.h: sparse LU of a square matrix whose pivots are chosen once and kept while they serve.
 *
 *     P K Q = L U        L unit lower, U upper triangular; pattern of L and U fixed by the choice
 *
 * hol__lu_fixed_choose picks the pivots at the values at hand: among the entries of at least a
 * tenth of the largest of their row the one that fills in least (Markowitz), the larger of equals.
 * hol__lu_fixed_factor repeats the elimination with other values and tells how far the pivots have
 * fallen since. Room for a full matrix is taken when it is made; after that nothing allocates.
 */
#ifndef HOL_LA_LU_FIXED_H
#define HOL_LA_LU_FIXED_H

#include "base/archive.h"
#include "la/csr.h"

typedef struct hol__lu_fixed {
    int n;
    int *row,
        *place; /* row[k]: which row of K is the k-th pivot row; place[j]: pivot of column j */
    int *lower_ptr, *upper_ptr; /* by pivot row */
    int *lower_idx, *upper_idx; /* pivots, rising */
    double *lower, *upper;      /* upper: without the diagonal; room for n x n each */
    double *inverse;            /* 1 / pivot */
    double *chosen;             /* |pivot| at the choice */
    double *full;               /* n x n: scratch of the choice, by rows */
    unsigned char *used;        /* n x n: pattern of full */
    double *work;               /* n, zero between calls */
    int *count;                 /* 4 n: scratch of the choice */
} hol__lu_fixed;

/* NULL without memory. */
hol__lu_fixed *hol__lu_fixed_new(hol__arena *arena, int n);

/* Choose pivots and patterns for the pattern and values of K. 0 when K is singular: a row of which
 * no entry is above HOL__PIVOT_ROUNDING of the terms it was made of. */
int hol__lu_fixed_choose(hol__lu_fixed *lu, const hol__csr *K);

/* The patterns of L and U that follow from the pattern of K and the pivots in row and place. */
void hol__lu_fixed_lay(hol__lu_fixed *lu, const hol__csr *K);

/* Factor K, of the pattern of the choice. Returns the smallest share of its size at the choice that
 * a pivot has kept; 0 when one is zero or not finite. */
double hol__lu_fixed_factor(hol__lu_fixed *lu, const hol__csr *K);

/* x <- K^-1 b; y <- K^-T g. Output and input may not overlap. */
void hol__lu_fixed_solve(const hol__lu_fixed *lu, const double *b, double *x);
void hol__lu_fixed_solve_t(const hol__lu_fixed *lu, const double *g, double *y);

/* Choice and factors, for exact states. */
void hol__lu_fixed_walk(hol__lu_fixed *lu, hol__archive *archive);

#endif
