/* full_pivot.h: LU of a rectangular matrix with full pivoting: which rows and columns carry its rank. */
#ifndef HOL_LA_FULL_PIVOT_H
#define HOL_LA_FULL_PIVOT_H

/* a (m x n, column-major) is overwritten by its factors. row (m) and column (n) receive the order of the pivots: the first `rank`
 * of each are independent. A pivot below tolerance times the first one ends the rank. Returns the rank; *smallest (may be NULL)
 * the last accepted pivot over the first. */
int hol__full_pivot(int m, int n, double *a, double tolerance, int *row, int *column, double *smallest);

#endif
