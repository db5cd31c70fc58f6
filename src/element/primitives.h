/* primitives.h: the primitive constraints that joints are made of, with their records.
 *
 * Body 1 is slot 0 (the first body), body 2 is slot 1. Each has its own file with its equations.
 */
#ifndef HOL_ELEMENT_PRIMITIVES_H
#define HOL_ELEMENT_PRIMITIVES_H

#include "model/build.h"

/* The members of hol__con_type that every primitive has, as functions of its file under these
 * names. */
#define HOL__CON_OWN .live = live, .label = label, .fill = fill

/* Two points coincide (global components). */
typedef struct hol__point2 {
    hol__con con;
    double s1[2], s2[2];
} hol__point2;

typedef struct hol__point3 {
    hol__con con;
    double s1[3], s2[3];
} hol__point3;

/* The component of the distance vector along a direction fixed in body 1 is f(t). */
typedef struct hol__slide2 {
    hol__con con;
    double s1[2], s2[2];
    double e[2]; /* in body 1 */
    const char *label;
    hol__law f;
} hol__slide2;

typedef struct hol__slide3 {
    hol__con con;
    double s1[3], s2[3];
    double e[3]; /* in body 1 */
    const char *label;
    hol__law f;
} hol__slide3;

/* The relative angle is f(t). */
typedef struct hol__angle2 {
    hol__con con;
    double offset; /* theta2 - theta1 as drawn */
    hol__law f;
} hol__angle2;

/* Rotations about some axes of the joint's frame are given functions of time (zero: locked). */
typedef struct hol__rotation3 {
    hol__con con;
    double f1[4], f2[4]; /* the joint's frame on each body */
    double F1[9], F2[9];
    int axis[3]; /* of the rows: 0, 1, 2 */
    int driven;  /* any law that is not zero */
    hol__law drive[3];
} hol__rotation3;

/* Two directions, one on each body, are perpendicular. */
typedef struct hol__perpendicular3 {
    hol__con con;
    double e1[3], e2[3];
} hol__perpendicular_record;

/* The relative angular velocity in a frame of body 2. */
typedef struct hol__turn3 {
    hol__con con;
    double F2[9];
} hol__turn3;

/* Two points are a distance L(t) apart. */
typedef struct hol__distance {
    hol__con con;
    double s1[3], s2[3];
    double L0;
    hol__law L;
} hol__distance;

extern const hol__con_type hol__con_point2, hol__con_slide2, hol__con_angle2, hol__con_distance2;
extern const hol__con_type hol__con_point3, hol__con_slide3, hol__con_rotation3,
    hol__con_perpendicular3, hol__con_distance3, hol__con_turn3;

#endif
