/* rolling.h: where and how a body touches the plane that it rolls on; made by the joints of rolling.c, read by what acts there. */
#ifndef HOL_ELEMENT_ROLLING_H
#define HOL_ELEMENT_ROLLING_H

#include "model/element.h"

typedef enum hol__rolling_shape {
    HOL__ROLLING_DISK,
    HOL__ROLLING_SPHERE,
    HOL__ROLLING_WHEEL,
    HOL__ROLLING_BLADE
} hol__rolling_shape;

/* The plane through o with the normal n is fixed in body 1, the point c and the axis a (of a blade: its direction) in body 2. */
typedef struct hol__rolling {
    hol__rolling_shape shape;
    double n[3], o[3], t[2][3]; /* in body 1 */
    double c[3], a[3];          /* in body 2 */
    double radius;
    int slips; /* touches without rolling */
} hol__rolling;

#endif
