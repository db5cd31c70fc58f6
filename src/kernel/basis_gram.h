/* basis_gram.h: what the bases from A^^T A^ (eigenvectors, Schur vectors) share.
 *
 *     A^^T A^ = V diag(lambda) V^T, lambda rising;  R = the first n - r columns of V
 *     B^+ = V1 diag(1/lambda) V1^T over the others;  S c = B^+ A^^T c,  A^^T y = g: y = A^ B^+ g
 * each with steps of refinement, since B has the square of the condition. The null space of A^^T is
 * had in the same way from A^ A^^T, only where the rank is below m.
 */
#ifndef HOL_KERNEL_BASIS_GRAM_H
#define HOL_KERNEL_BASIS_GRAM_H

#include "kernel/basis.h"

/* a symmetric (size x size, both triangles, destroyed) -> orthonormal vectors (columns) by rising
 * values. Returns 0, or LAPACK's info. */
typedef int hol__gram_decompose(void *decomposition, int size, const double *a, double *vectors,
                                double *values);

/* decomposition: made by the caller for sizes up to max(n, m). */
hol_status hol__gram_create(hol__basis *basis, hol__arena *arena, hol__gram_decompose *decompose,
                            void *decomposition);
hol_status hol__gram_factor(hol__basis *basis);
void hol__gram_solve(hol__basis *basis, const double *c, double *x);
void hol__gram_solve_t(hol__basis *basis, const double *g, double *y);

#endif
