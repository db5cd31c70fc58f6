/* hull.h: convex polytopes from their corners. */
#ifndef HOL_MATH_HULL_H
#define HOL_MATH_HULL_H

#include "base/arena.h"
#include "math/convex.h"

enum { HOL__HULL_POINTS = 64 }; /* the most that a hull is made of */

/* The convex hull of n points in space, or in the plane (plane not 0: z is 0). Points that are no
 * corners are left out. Two points are a segment, one is a point. 0: the points of a hull in space
 * lie in a plane, or on a line where there are more than two; nothing is made. -1 without
 * memory. */
int hol__hull(hol__arena *arena, const double (*x)[3], int n, int plane, hol__convex *out);

/* A box with these sides about the origin; in the plane the first two count. -1 without memory. */
int hol__hull_box(hol__arena *arena, const double size[3], int plane, hol__convex *out);

#endif
