/* vector.h: three-vectors and matrices of a computation (dag.h). Matrices are row-major; outputs
 * may be inputs. */
#ifndef HOL_GENERATE_VECTOR_H
#define HOL_GENERATE_VECTOR_H

#include "generate/dag.h"

/* x . y;  x + y;  x - y;  k x;  x x y */
hol__ref hol__gdot(hol__dag *d, const hol__ref x[3], const hol__ref y[3]);
void hol__gadd(hol__dag *d, const hol__ref x[3], const hol__ref y[3], hol__ref out[3]);
void hol__gsub(hol__dag *d, const hol__ref x[3], const hol__ref y[3], hol__ref out[3]);
void hol__gscale(hol__dag *d, hol__ref k, const hol__ref x[3], hol__ref out[3]);
void hol__gcross(hol__dag *d, const hol__ref x[3], const hol__ref y[3], hol__ref out[3]);

/* A x;  A^T x;  A B;  and the unit of each. */
void hol__gmul(hol__dag *d, const hol__ref A[9], const hol__ref x[3], hol__ref out[3]);
void hol__gmul_t(hol__dag *d, const hol__ref A[9], const hol__ref x[3], hol__ref out[3]);
void hol__gproduct(hol__dag *d, const hol__ref A[9], const hol__ref B[9], hol__ref out[9]);
void hol__gzero(hol__dag *d, hol__ref x[3]);
void hol__gunit(hol__dag *d, hol__ref A[9]);

/* R S R^T of a symmetric S; and S + m (a.a 1 - a a^T) + 2 (a.h) 1 - (a h^T + h a^T): S about a
 * point that is -a away, h the first moment before. */
void hol__gsimilar(hol__dag *d, const hol__ref R[9], const hol__ref S[9], hol__ref out[9]);
void hol__gshift(hol__dag *d, hol__ref m, const hol__ref h[3], const hol__ref a[3], hol__ref S[9]);

/* The product of quaternions. */
void hol__gquat_mul(hol__dag *d, const hol__ref p[4], const hol__ref q[4], hol__ref out[4]);

#endif
