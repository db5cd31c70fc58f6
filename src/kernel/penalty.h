/* penalty.h: single solutions with K = W + A^T alpha A as a penalty or augmented-lagrangian kernel
 * last factored it, for iterations that keep it while A moves on. */
#ifndef HOL_KERNEL_PENALTY_H
#define HOL_KERNEL_PENALTY_H

#include "kernel/kernel.h"

/* Whether kernels of that type factor K. */
int hol__penalty_is(const hol__kernel_type *type);

/* K x = f + A^T alpha c with the rows of A given, as many as were factored or the first of them; f
 * may be NULL for zero. */
void hol__penalty_step(hol__kernel *kernel, const double *f, const hol__csr *A, const double *c,
                       double *x);

/* mu += alpha r, over the first rows. */
void hol__penalty_add(const hol__kernel *kernel, const double *r, int rows, double *mu);

#endif
