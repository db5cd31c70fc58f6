/* splu.h: sparse LU of a square matrix with a fixed pattern, for matrices that are factored again
 * and again: pivots are kept while they serve.
 *
 * Own elimination (lu_fixed.h) up to a size, which allocates nothing afterwards; KLU beyond it
 * where it is built in.
 */
#ifndef HOL_LA_SPLU_H
#define HOL_LA_SPLU_H

#include "la/klu.h"
#include "la/lu_fixed.h"

typedef struct hol__splu {
    int n;
    hol__csr T; /* the transpose: fill T.x before factor */
    hol__lu_fixed *own;
    hol__klu *klu;
    int chosen;   /* pivots are */
    double *work; /* n */
} hol__splu;

/* For the pattern of the matrix by columns: the arrays of T are the caller's. What a failure leaves
 * is freed by hol__splu_close. */
hol_status hol__splu_open(hol__splu *lu, hol__arena *arena, const hol__csr *T);
void hol__splu_close(hol__splu *lu);

/* HOL_SINGULAR, HOL_NONFINITE where it breaks down. */
hol_status hol__splu_factor(hol__splu *lu);

/* b <- the inverse times b. */
hol_status hol__splu_solve(hol__splu *lu, double *b);

/* The choice of pivots, for exact restarts. */
void hol__splu_walk(hol__splu *lu, hol__archive *archive);

#endif
