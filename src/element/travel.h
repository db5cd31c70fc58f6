/* travel.h: the angle or the displacement of a joint as something that forces act on. */
#ifndef HOL_ELEMENT_TRAVEL_H
#define HOL_ELEMENT_TRAVEL_H

#include "element/joints.h"

/* The coordinate of a joint: the twist about its axis, or the displacement along it. */
typedef struct hol__travel {
    int body[2];
    int slides;          /* displacement, else angle */
    int angle;           /* index of the tracked angle */
    double f1[4], f2[4]; /* the joint's frame on each body */
    double e1[3];        /* the axis in the first body */
    double s1[3], s2[3];
} hol__travel;

/* The fields of elements that act on a coordinate, and their rows for parameters with the member
 * `travel`. */
typedef struct hol__travel_fields {
    int joint, component;
} hol__travel_fields;

extern const char *const hol__travel_names[];
#define HOL__KEY_TRAVEL(type)                                                                      \
    {"joint", HOL__KEY_JOINT,                                                                      \
     NULL,    NULL,                                                                                \
     0,       "The joint that it acts in (revolute, prismatic, cylindrical, generic).",            \
     NULL,    HOL__AT(type, travel.joint)},                                                        \
    {                                                                                              \
        "component", HOL__KEY_CHOICE, NULL, "", 0,                                                 \
            "The angle about the axis of the joint, or the displacement along it, both 0 as "      \
            "drawn. Default: displacement "                                                        \
            "where the joint slides, angle elsewhere.",                                            \
            hol__travel_names, HOL__AT(type, travel.component)                                     \
    }

/* Whether the joint has an axis and leaves the coordinate to act on (slides: the displacement, else
 * the angle) free or drives it; what it lacks is reported at the field. */
int hol__joint_travels(hol__build *build, const void *params, const char *field,
                       const hol__element *joint, int slides);

/* The units of the coordinate and of its rate; NULL where the joint is not known. */
const char *const *hol__travel_units(const hol__build *build, const hol__travel_fields *f);

/* The coordinate from the fields; the bodies of the joint become those of the force. 0 after an
 * error. */
int hol__travel_set(hol__build *build, hol__element *force, const void *params,
                    const hol__travel_fields *f, hol__travel *c);

/* The first quantities of forces that act on a coordinate: x, x' and F. */
#define HOL__QUANTITIES_TRAVEL                                                                     \
    {"coordinate",                                                                                 \
     HOL__TELLS_NUMBER,                                                                            \
     "m",                                                                                          \
     "rad",                                                                                        \
     0,                                                                                            \
     "x, the displacement or the angle of the joint, 0 as drawn."},                                \
        {"rate", HOL__TELLS_NUMBER, "m/s", "rad/s", 0, "x'."}, {                                   \
        "load", HOL__TELLS_NUMBER, "N", "N*m", 1,                                                  \
            "F on the second body along the coordinate, positive when it increases x."             \
    }

/* x and x'. */
void hol__travel_get(const hol__travel *c, const hol__force_args *args, double *x, double *rate);

/* Tell the first three of these quantities. */
static inline void hol__travel_tell(const hol__force_args *args, double x, double rate, double F) {
    hol__tell(args, 0, x);
    hol__tell(args, 1, rate);
    hol__tell(args, 2, F);
}

/* Act with F along the coordinate: on the second body where it increases x, the opposite on the
 * first. Its power is F x'. */
void hol__travel_act(const hol__travel *c, const hol__force_args *args, double F);

/* x as a formula, of the coordinate in the record that is being written; NULL: it has none. */
struct hol__symbolic;
const struct hol__sym_node *hol__travel_formula(struct hol__symbolic *to, const hol__travel *c);

#endif
