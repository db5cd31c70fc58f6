/* overlap.h: how deep two convex polytopes overlap, and along which direction they part soonest. */
#ifndef HOL_MATH_OVERLAP_H
#define HOL_MATH_OVERLAP_H

#include "math/convex.h"

/* The direction n along which the second core has to move least, by `depth`, until the cores do not
 * overlap any more: that of a face of the first (body 0) or the second (body 1, n against its
 * normal), or across an edge of each. A negative depth: they do not overlap, and n parts them. */
typedef struct hol__overlap {
    double depth;
    double n[3];
    int face[2]; /* the face, -1 for the other shape … */
    int edge[2]; /* … or the edges; -1: none */
} hol__overlap;

/* Cores without discs. In the plane (plane not 0) all z are 0 and so is that of n. */
void hol__overlap_of(const hol__placed *a, const hol__placed *b, int plane, hol__overlap *out);

#endif
