/* convex.h: convex shapes by their support functions.
 *
 * A core is the convex hull of some points, or of equal flat discs across an axis about them; the
 * shape is all that lies within `radius` of the core:
 *
 *     sphere    a point and a radius          box, polygon, hull   their corners
 *     capsule   two points and a radius       disc, cylinder       one or two points and a disc
 *
 * A face is a loop of points, seen from outside in the direction of its normal; in the plane (all z
 * are 0) it is an edge. Edges are pairs of points.
 */
#ifndef HOL_MATH_CONVEX_H
#define HOL_MATH_CONVEX_H

#include "math/vec3.h"

typedef struct hol__convex {
    int n; /* points, at least one */
    const double (*x)[3];
    double disc;    /* radius of the discs about the points, 0: none … */
    double axis[3]; /* … and their axis, of length 1 */
    double radius;  /* how far the shape reaches beyond its core */
    int n_faces;
    const double (*normals)[3]; /* of length 1 */
    const int *first, *loop;    /* face k: loop[first[k]] … loop[first[k + 1] - 1] */
    int n_edges;
    const int (*edges)[2];
    int n_ways;      /* directions of edges that are not parallel … */
    const int *ways; /* … each by an edge */
} hol__convex;

/* Edges are parallel where the sine of the angle between them is no more than this. */
#define HOL__SAME_WAY 1e-9

/* A shape at a place: its point x is at r + R x. */
typedef struct hol__placed {
    const hol__convex *shape;
    double R[9], r[3];
} hol__placed;

/* The point of the core farthest along d (global) from the origin of the shape, without r; its
 * number is returned. */
int hol__convex_support(const hol__placed *at, const double d[3], double out[3]);

/* No point of the core is farther from the origin of the shape. */
double hol__convex_reach(const hol__convex *shape);

#endif
