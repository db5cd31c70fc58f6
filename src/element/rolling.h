/* rolling.h: where and how a body touches the plane that it rolls on; made by the joints of
 * joint_rolling.c and joint_wheel.c, read by what acts there. */
#ifndef HOL_ELEMENT_ROLLING_H
#define HOL_ELEMENT_ROLLING_H

#include "model/fields.h"

/* The parameters of all of them; a blade has no radius, and `point` is its field `at`. */
typedef struct hol__rolling_params {
    hol__params head;
    int bodies[2];
    double plane[3], normal[3], point[3], axis[3];
    double radius;
    int contact, slip, spin;
    hol__law speed;
} hol__rolling_params;

/* A field of all of them. */
#define HOL__KEY_CONTACT                                                                           \
    {                                                                                              \
        "contact", HOL__KEY_BOOL, NULL, "true", HOL__IN_SPACE,                                     \
            "Whether it is held in contact with the plane; false where other joints do so.", NULL, \
            HOL__AT(hol__rolling_params, contact)                                                  \
    }

typedef enum hol__rolling_shape {
    HOL__ROLLING_DISK,
    HOL__ROLLING_SPHERE,
    HOL__ROLLING_WHEEL,
    HOL__ROLLING_BLADE
} hol__rolling_shape;

/* The plane through o with the normal n is fixed in body 1, the point c and the axis a (of a blade:
 * its direction) in body 2. */
typedef struct hol__rolling {
    hol__rolling_shape shape;
    double n[3], o[3], t[2][3]; /* in body 1 */
    double c[3], a[3];          /* in body 2 */
    double radius;
    int slips; /* touches without rolling */
} hol__rolling;

/* What all of them have: bodies, plane, the point (under its own name) and the drawn direction on
 * the second body, the radius; 0 after an error. */
int hol__rolling_set(hol__build *build, hol__element *joint, const hol__rolling_params *p,
                     const char *point, hol__rolling *r);

/* Add the contact, where it is held, and so many rows on velocities (in space). */
void hol__rolling_add(hol__build *build, hol__element *joint, const hol__rolling *r, int contact,
                      int n_rows);

/* Both as formulas (rolling_formula.c). */
struct hol__symbolic;
int hol__rolling_contact_formula(const hol__con *con, const hol__rolling *at,
                                 struct hol__symbolic *to);
int hol__rolling_formula(const hol__con *con, const hol__rolling *at, struct hol__symbolic *to);

#endif
