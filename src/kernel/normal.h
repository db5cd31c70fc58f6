/* normal.h: factorisation of K = W + A^T alpha A, alpha diagonal: penalty * (largest |W_ij|), one
 * penalty for all rows of A or one for each.
 *
 * K is positive definite when W is so on the null space of A, whatever the rank of A. Sparse: a
 * static L D L^T on the pattern of W + A^T A, fill-reducing order, the target of each product of
 * two entries of a row of A known beforehand. Dense: Cholesky.
 *
 * The pivots, each over the magnitude of its terms, are about 1/penalty for directions within the
 * constraints and the squares of the shares of kernel.h for the others. A light body that may move
 * has a pivot that is smaller by its share of the mass, in which rounding of K is the more: that
 * much of an error is left there by a solution for the residual.
 */
#ifndef HOL_KERNEL_NORMAL_H
#define HOL_KERNEL_NORMAL_H

#include "kernel/kernel.h"
#include "la/ldl.h"

typedef struct hol__normal {
    int n, m;
    double mass;  /* alpha = penalty * mass; 0: the largest |W_ij| */
    double alpha; /* of the last factorisation: of all rows, or of the weakest */
    /* by row; NULL: one for all rows */
    const double *penalties;
    double *alphas;
    double share; /* square root of the smallest pivot that is not one within the constraints */
    double blur;  /* rounding of the smallest pivot within the constraints, over itself */
    int tangents; /* pivots within the constraints */
    /* the fewest so far, but at least n - m, which the constraints leave free */
    int least_tangents;
    const char *form;
    hol__ldl *ldl;       /* NULL: dense */
    int nw, *from, *to;  /* live entries of W, lower triangle: where in W->x, where in the factor */
    int *row_ptr, *live; /* live entries of A: row r has live[row_ptr[r] …], places in A->x */
    int *target;         /* for each row, entries p >= q of it: where the product goes */
    double *K, *diagonal; /* dense: n x n; n */
} hol__normal;

/* *made is NULL unless the answer is HOL_OK. */
hol_status hol__normal_new(hol__arena *arena, const hol__csr *W, const hol__csr *A,
                           hol__storage storage, hol__normal **made);

/* A penalty for each row where options give one: least and largest receive the extremes. 0 without
 * memory. */
int hol__normal_take_penalties(hol__normal *k, hol__arena *arena,
                               const hol__kernel_options *options, double *least, double *largest);

/* The factor of row r. */
static inline double hol__normal_alpha(const hol__normal *k, int r) {
    return k->alphas ? k->alphas[r] : k->alpha;
}

/* penalty: of all rows, or the smallest of those by row. HOL_SINGULAR when W is singular on the
 * null space of A, HOL_NONFINITE. */
hol_status hol__normal_factor(hol__normal *k, const hol__csr *W, const hol__csr *A, double penalty);

/* x = K^-1 b; x may be b. */
void hol__normal_solve(hol__normal *k, const double *b, double *x);

#endif
