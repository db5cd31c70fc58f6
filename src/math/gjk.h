/* gjk.h: the distance of two convex cores and their nearest points. */
#ifndef HOL_MATH_GJK_H
#define HOL_MATH_GJK_H

#include "math/convex.h"

/* What was found, between the cores: radii of the shapes do not count. */
typedef struct hol__proximity {
    double distance;  /* 0: they touch or overlap */
    double error;     /* the true distance is at most this much smaller */
    double P[2][3];   /* the nearest points of the first and the second */
    double d[3];      /* from the first to the second, P[1] - P[0] without their rounding */
    int count;        /* pairs of points that they lie between, 1 … 4 … */
    int corner[2][4]; /* … their numbers … */
    double share[4];  /* … and how much each counts */
    int rounds;
} hol__proximity;

/* The nearest points of two cores. Needs no memory of former calls and never fails. */
void hol__gjk(const hol__placed *a, const hol__placed *b, hol__proximity *out);

#endif
