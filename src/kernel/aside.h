/* aside.h: rows of A that depend on the others, set aside: a kernel of the same type solves with
 * the rows that are kept.
 *
 * Where A = [K; D K] and c = [c_K; D c_K] every x with K x = c_K has A x = c, and the loads A^T mu
 * are those K^T mu_K, so that
 *
 *     W x + K^T mu_K = f,   K x = c_K
 *
 * has the same x, with a regular matrix. That the rows depend, and that those kept do not, is seen
 * to by who sets rows aside (sim/aside.c): the kernel solves with all rows or with the kept ones as
 * it is told.
 *
 * Multipliers of minimum norm lie in the range of A. They are made only where they are asked for:
 *
 *     (W + A^T alpha A) y = r,   mu <- mu + alpha A y,   r <- r - A^T alpha A y    from r = f - W x
 *
 * which converges like 1/(1 + alpha sigma^2), sigma the shares of kernel.h. Where rows have
 * penalties of their own, alpha has them, and the norm is that of 1/penalty.
 */
#ifndef HOL_KERNEL_ASIDE_H
#define HOL_KERNEL_ASIDE_H

#include "kernel/kernel.h"

/* Whether the equations of motion may be solved by a kernel of this type with the kept rows alone:
 * it gives the same x. Where the rows are springs of their own, each of them counts. */
int hol__aside_serves(const hol__kernel_type *type, const hol__kernel_options *options);

/* Beside a kernel that was just created over all rows. */
hol_status hol__aside_new(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                          const hol__kernel_options *options, const hol__set_aside *rows);
void hol__aside_free(struct hol__aside *aside);

/* hol__kernel_factor, hol__kernel_solve and the memory of a kernel with rows set aside. */
hol_status hol__aside_factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A);
hol_status hol__aside_solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                            double *mu);
/* The same with mu of the kept rows, zero for the others. */
hol_status hol__aside_solve_kept(hol__kernel *kernel, const double *f, const double *c, double *x,
                                 double *mu);

/* The kernel that solves by the rows that were factored, with the values that these rows have in A
 * and c now: the kernel itself where these are all. And which rows of A its n rows are; NULL: the
 * same. */
hol__kernel *hol__aside_take(hol__kernel *kernel, const hol__csr **A, const double **c);
const int *hol__aside_rows(const hol__kernel *kernel, const hol__kernel **solver, int *n);

void hol__aside_remember(struct hol__aside *aside, hol__archive *archive);

#endif
