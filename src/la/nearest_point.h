/* nearest_point.h: the point of a polyhedron that is nearest to the origin.
 *
 *     min |z|   where   B z >= h,   B (m x n)
 *
 * By the nonnegative least squares problem min |E y - e|, y >= 0, with E = [B^T; h^T] and e the
 * last unit vector: its residual r gives z_j = -r_j / r_n [C. L. Lawson and R. J. Hanson, Solving
 * Least Squares Problems, 1974, chapter 23]. For small problems: dense, after create nothing
 * allocates.
 */
#ifndef HOL_LA_NEAREST_POINT_H
#define HOL_LA_NEAREST_POINT_H

#include "base/arena.h"

typedef struct hol__nearest_point {
    int m, n;      /* rows of B, unknowns */
    double *B;     /* by rows: fill before solve */
    double *h;     /* m */
    double *z;     /* n: the answer */
    double *force; /* m: not negative, z = B^T force */
    double *length, *E, *y, *s, *r, *w, *a, *tau;
    int *passive, *order;
} hol__nearest_point;

/* For up to m rows; NULL without memory. */
hol__nearest_point *hol__nearest_point_new(hol__arena *arena, int m, int n);

/* The answer in z; HOL_SINGULAR where no point satisfies all rows. */
hol_status hol__nearest_point_solve(hol__nearest_point *p);

#endif
