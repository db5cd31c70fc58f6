/* eigen.h: eigenvalues and right eigenvectors of a general real matrix, balanced first (dgeevx). */
#ifndef HOL_LA_EIGEN_H
#define HOL_LA_EIGEN_H

#include "base/arena.h"

/* a (size x size, column-major, destroyed) v_k = (re_k + i im_k) v_k. A pair k, k + 1 with im_k > 0
 * has the vectors v[k] +- i v[k + 1], columns of v; each has the norm 1. */
typedef struct hol__eig {
    int n, lwork;
    double *a, *re, *im, *v, *work;
} hol__eig;

/* For sizes up to n; NULL without memory. */
hol__eig *hol__eig_new(hol__arena *arena, int n);

/* 0, or LAPACK's info. */
int hol__eig_factor(hol__eig *eig, int size);

#endif
