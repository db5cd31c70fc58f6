/* measures.h: the parameters of measures that constraints read as coordinates as well
 * (coordinate_measure.c). */
#ifndef HOL_ELEMENT_MEASURES_H
#define HOL_ELEMENT_MEASURES_H

#include "element/joints.h"

/* Position, velocity or acceleration of a point. */
typedef struct hol__point_params {
    hol__params head;
    int body;
    double at[3];
    int component;
} hol__point_params;

typedef struct hol__angle_params {
    hol__params head;
    int body, relative_to;
    double axis[3];
} hol__angle_params;

/* The distance of two points. */
typedef struct hol__gap_params {
    hol__params head;
    int bodies[2];
    double from[3], to[3];
    int component;
} hol__gap_params;

typedef struct hol__joint_coordinate_params {
    hol__params head;
    int joint, component;
} hol__joint_coordinate_params;

/* The columns of a measure that has one number. */
const char *hol__scalar_component(const hol__build *build, const void *params, int i);

#endif
