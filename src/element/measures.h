/* measures.h: the parameters of measures that constraints read as coordinates as well
 * (coordinate_measure.c). */
#ifndef HOL_ELEMENT_MEASURES_H
#define HOL_ELEMENT_MEASURES_H

#include "element/joints.h"

/* Position, velocity or acceleration of a point. */
typedef struct hol__point_params {
    hol__params head;
    int body, relative_to, in;
    double at[3], from[3];
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

/* What all forces, and all joints, tell through the measure `load` beside their own quantities. */
extern const hol__quantity hol__force_quantities[], hol__joint_quantities[];

/* The words for what is picked of a vector: a component, or its length. */
extern const char *const hol__vector_words[];
enum { HOL__MAGNITUDE = 3 };

/* Report a component that there is not in the plane; 0 then. */
int hol__check_component(hol__build *build, const void *params, int component);

/* The columns x, y(, z), NULL past the end; keep what is picked of a vector of three values, or all
 * columns of them; and how the frame of a body is called. */
const char *hol__axis_component(const hol__build *build, int i);
void hol__put_components(const hol__measure *m, const double values[3], double *out);
const char *hol__frame_name(const hol__build *build, int body);

/* The columns of a measure that has one number. */
const char *hol__scalar_component(const hol__build *build, const void *params, int i);

#endif
