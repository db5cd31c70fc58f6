/* coordinate.h: scalar coordinates of a mechanism: an angle, a displacement, a distance, a
 * component; with rows over two bodies.
 *
 * Couplers, drivers and constraints on velocities are made of them. The last two kinds have a rate
 * only (quasi-velocities).
 */
#ifndef HOL_ELEMENT_COORDINATE_H
#define HOL_ELEMENT_COORDINATE_H

#include "element/rows.h"
#include "model/fields.h"

/* So many coordinates an element couples at most. */
enum { HOL__COUPLED = 4 };

typedef enum hol__coordinate_kind {
    /* of frame 2 against frame 1 about their z axes, followed over full turns */
    HOL__COORDINATE_ANGLE,
    HOL__COORDINATE_SLIDE,    /* e . (P2 - P1), e fixed in body 1 */
    HOL__COORDINATE_DISTANCE, /* |P2 - P1| */
    HOL__COORDINATE_COSINE,   /* e1 . e2 */
    HOL__COORDINATE_VOLUME,   /* (e1 x e2) . (P2 - P1) */
    HOL__COORDINATE_VELOCITY, /* e . (velocity of P2 against body 1), e by `frame` */
    HOL__COORDINATE_SPIN      /* e . (omega2 - omega1), e by `frame` */
} hol__coordinate_kind;

typedef struct hol__coordinate {
    hol__coordinate_kind kind;
    int body[2], slot[2];
    int plane; /* the model is planar */
    hol__marker marker[2];
    double e[2][3]; /* directions in body 1 and in body 2 */
    /* which direction a quasi-velocity takes: e[0] in body 1 (0), e[1] in body 2 (1), e[0] global
     * (2) */
    int frame;
    int angle;     /* tracked */
    double offset; /* added to the value */
} hol__coordinate;

/* A coordinate now: value, row over its two bodies, rate. */
typedef struct hol__coordinate_row {
    double x, rate;
    hol__dual3 lin[2], turn[2];
} hol__coordinate_row;

void hol__coordinate_eval(const hol__coordinate *x, const hol__mover *movers,
                          const hol__con_args *args, hol__coordinate_row *out);

/* Add g times the row of a coordinate to a row. */
void hol__coordinate_add(const hol__coordinate *x, hol__dual g, const hol__coordinate_row *from,
                         hol__row *row);

/* The columns that it can touch in a body. */
unsigned hol__coordinate_live(const hol__coordinate *x);

/* Give the coordinate its slots in a record; 0 after an error. */
int hol__coordinate_place(hol__build *build, hol__con *con, hol__coordinate *x);

/* ---- reading ---- */

/* The fields that name a coordinate, and their rows for parameters with the member `x`. */
typedef struct hol__coordinate_fields {
    int joint, component, body;
    double at[3];
    int bodies[2];
    double from[3], to[3], axis[3];
    const char *measure;
    int turning; /* no key: of a joint that turns and slides, the angle is meant */
} hol__coordinate_fields;

extern const char *const hol__coordinate_components[];
#define HOL__KEY_COORDINATE(type)                                                                  \
    {"joint", HOL__KEY_JOINT,                                                                      \
     NULL,    "",                                                                                  \
     0,       "The joint whose coordinate it is: its angle or its displacement, 0 as drawn.",      \
     NULL,    HOL__AT(type, x.joint)},                                                             \
        {"component",                                                                              \
         HOL__KEY_CHOICE,                                                                          \
         NULL,                                                                                     \
         "",                                                                                       \
         0,                                                                                        \
         "angle or displacement of a joint (default: displacement where it slides, angle "         \
         "elsewhere); x, y, z of a point (default: x), or angle, of a "                            \
         "body; angle or distance of two bodies.",                                                 \
         hol__coordinate_components,                                                               \
         HOL__AT(type, x.component)},                                                              \
        {"body", HOL__KEY_BODY,                                                                    \
         NULL,   "",                                                                               \
         0,      "The body, for a component of a point or (in the plane) its angle, both global.", \
         NULL,   HOL__AT(type, x.body)},                                                           \
        {"at", HOL__KEY_POINT,                                                                     \
         "m",  "",                                                                                 \
         0,    "The point of the body at the drawn position; default: its mass centre.",           \
         NULL, HOL__AT(type, x.at)},                                                               \
        {"bodies", HOL__KEY_BODIES,                                                                \
         NULL,     "",                                                                             \
         0,        "Two bodies, for a distance or an angle between them.",                         \
         NULL,     HOL__AT(type, x.bodies)},                                                       \
        {"from", HOL__KEY_POINT,                                                                   \
         "m",    "",                                                                               \
         0,      "The point on the first of the bodies, for a distance.",                          \
         NULL,   HOL__AT(type, x.from)},                                                           \
        {"to", HOL__KEY_POINT,                                                                     \
         "m",  "",                                                                                 \
         0,    "The point on the second of the bodies, for a distance.",                           \
         NULL, HOL__AT(type, x.to)},                                                               \
        {"axis",        HOL__KEY_DIRECTION,                                                        \
         NULL,          "",                                                                        \
         HOL__IN_SPACE, "The axis of an angle between two bodies, at the drawn position.",         \
         NULL,          HOL__AT(type, x.axis)},                                                    \
    {                                                                                              \
        "measure", HOL__KEY_TEXT, NULL, "", 0,                                                     \
            "A measure that is a coordinate, instead of all these: a component of a position "     \
            "(`tip.x`), an angle, a distance, the coordinate of a joint.",                         \
            NULL, HOL__AT(type, x.measure)                                                         \
    }

/* The items of a map of coordinates. */
extern const hol__group hol__coordinate_group;

/* The coordinate that the fields name; 0 after an error. *unit becomes "rad" or "m". */
int hol__coordinate_set(hol__build *build, const void *params, const hol__coordinate_fields *f,
                        hol__coordinate *x, const char **unit);

/* That of a joint: displacement along its axis or angle about it. */
void hol__coordinate_of_joint(hol__build *build, int joint, int slides, hol__coordinate *x);

/* The component of a point that is fixed in a body along a global axis (0, 1, 2); s is relative to
 * the mass centre, in the body frame. */
void hol__coordinate_of_point(hol__build *build, int body, const double s[3], int axis,
                              hol__coordinate *x);

/* The angle of the second body against the first about an axis at the drawn position, 0 as
 * drawn. */
void hol__coordinate_of_angle(hol__build *build, const int body[2], const double axis[3],
                              hol__coordinate *x);

/* The distance of two points, given at the drawn position. */
void hol__coordinate_of_distance(hol__build *build, const int body[2], const double from[3],
                                 const double to[3], hol__coordinate *x);

/* What a measure shows, where that is a coordinate; 0 after an error, which is reported at the
 * place. */
int hol__coordinate_of_measure(hol__build *build, const char *name, const hol_location *where,
                               hol__coordinate *x);

/* Between frames of an element's own bodies. */
void hol__coordinate_between(hol__build *build, const hol__element *element,
                             hol__coordinate_kind kind, hol__coordinate *x);

/* The coordinates of a map; their names (NULL-ended) into names. Returns how many, -1 after an
 * error. */
int hol__coordinates_set(hol__build *build, const hol__param_list *items, hol__coordinate *x,
                         const char **names);

/* The bodies and frames of the coordinate become those of the element, for reactions. */
void hol__coordinate_lend(const hol__coordinate *x, hol__element *element);

#endif
