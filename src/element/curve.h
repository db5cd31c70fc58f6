/* curve.h: smooth curves in a plane, by expressions of a parameter or as a spline through
 * points. */
#ifndef HOL_ELEMENT_CURVE_H
#define HOL_ELEMENT_CURVE_H

#include "model/fields.h"

typedef struct hol__curve {
    double from, to;        /* of the parameter */
    int closed;             /* a spline: the parameter goes round */
    const hol__expr *x, *y; /* of (t, s), t not used; NULL for a spline */
    double fixed[2];        /* where an expression is constant */
    int n;
    const double *s, *p[2], *m[2]; /* knots, points, second derivatives */
} hol__curve;

/* C, C' and C'' at s. */
void hol__curve_at(const hol__curve *curve, double s, double C[2], double C1[2], double C2[2],
                   double *scratch);

/* The fields that give a curve, and their rows for parameters with the member `curve`. */
typedef struct hol__curve_fields {
    hol__formula x, y;
    double s_from, s_to;
    hol__polygon points;
    int closed;
} hol__curve_fields;

#define HOL__KEY_CURVE_KEYS(type)                                                                  \
    {"x",  HOL__KEY_FORMULA,                                                                       \
     "m",  "",                                                                                     \
     0,    "x of the curve in its frame, as an expression of the parameter `s`.",                  \
     NULL, HOL__AT(type, curve.x)},                                                                \
        {"y",                                                                                      \
         HOL__KEY_FORMULA,                                                                         \
         "m",                                                                                      \
         "",                                                                                       \
         0,                                                                                        \
         "y of the curve in its frame, as an expression of `s`; continuous second derivatives.",   \
         NULL,                                                                                     \
         HOL__AT(type, curve.y)},                                                                  \
        {"s_from", HOL__KEY_NUMBER,                                                                \
         NULL,     "0",                                                                            \
         0,        "Where the parameter begins; the expressions go on beyond both ends.",          \
         NULL,     HOL__AT(type, curve.s_from)},                                                   \
        {"s_to", HOL__KEY_NUMBER,  NULL, "6.283185307179586",                                      \
         0,      "Where it ends.", NULL, HOL__AT(type, curve.s_to)},                               \
        {"points",                                                                                 \
         HOL__KEY_CURVE,                                                                           \
         "m",                                                                                      \
         "",                                                                                       \
         0,                                                                                        \
         "Instead of x and y: points of the curve, joined by a cubic spline over the length of "   \
         "its chords.",                                                                            \
         NULL,                                                                                     \
         HOL__AT(type, curve.points)},                                                             \
    {                                                                                              \
        "closed", HOL__KEY_BOOL, NULL, "false", 0,                                                 \
            "Whether the spline goes from the last point back to the first; an open one goes on "  \
            "straight.",                                                                           \
            NULL, HOL__AT(type, curve.closed)                                                      \
    }

/* C''' of a spline; at a knot that of the piece behind it. */
void hol__curve_jerk(const hol__curve *curve, double s, double out[2]);

/* The curve of the fields; 0 after an error. */
int hol__curve_set(hol__build *build, const void *params, const hol__curve_fields *f,
                   hol__curve *curve);

#endif
