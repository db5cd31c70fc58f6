/* curve_bias.h: how c of a contact with a plane curve follows an increment of a pose. See
 * curve_bias.c. */
#ifndef HOL_ELEMENT_CURVE_BIAS_H
#define HOL_ELEMENT_CURVE_BIAS_H

#include "element/curve.h"
#include "math/dual3.h"

/* A vector in the frame of the curve, with its first and second rates; .d: along the increment. */
typedef struct hol__seen {
    hol__dual3 x, rate, second;
} hol__seen;

/* The derivative of c for the point p at the place s; side: which normal. */
double hol__curve_point_bias(const hol__curve *curve, double s, double side, const hol__seen *p,
                             double *scratch);

/* The same for a flat face with the normal m through Q. */
double hol__curve_face_bias(const hol__curve *curve, double s, const hol__seen *m,
                            const hol__seen *Q, double *scratch);

#endif
