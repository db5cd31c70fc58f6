/* polytope.h: convex polytopes from their corners. */
#ifndef HOL_MATH_POLYTOPE_H
#define HOL_MATH_POLYTOPE_H

#include "base/arena.h"
#include "math/convex.h"

enum { HOL__POLYTOPE_POINTS = 64 }; /* the most that a hull is made of */

/* The convex hull of n points in space, or in the plane (plane not 0: z is 0). Points that are no
 * corners are left out. Two points are a segment, one is a point. 0: the points of a hull in space
 * lie in a plane, or on a line where there are more than two; nothing is made. -1 without
 * memory. */
int hol__polytope_of(hol__arena *arena, const double (*x)[3], int n, int plane, hol__convex *out);

/* A segment between two points, which are not copied. */
hol__convex hol__segment(const double (*x)[3]);

/* The corners of a box with these sides about the origin, 8 of them; in the plane the first two
 * sides count, and there are 4. Returns how many. */
int hol__polytope_box(const double size[3], int plane, double x[8][3]);

#endif
