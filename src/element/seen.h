/* seen.h: the motion of bodies in three components for measures, and how one body sees another. In
 * the plane the third component of positions is 0, and of rotations the only one.
 *
 * With O the origin and w, alpha the rotation of the body that looks on, d = P - O:
 *
 *     position        d
 *     velocity        V_P - V_O - w x d
 *     acceleration    A_P - A_O - alpha x d - w x (w x d) - 2 w x velocity
 *     rotation        w_1 - w,     its rate alpha_1 - alpha - w x (w_1 - w)
 *
 * In the axes of the body that looks on, each is the derivative of the one before by components.
 */
#ifndef HOL_ELEMENT_SEEN_H
#define HOL_ELEMENT_SEEN_H

#include "element/measures.h"

/* What is known of a body: its orientation and, up to the order that was asked for, its angular
 * velocity and acceleration (global). */
typedef struct hol__turning {
    double R[9], w[3], alpha[3];
} hol__turning;

/* The rotation of a body; order 1: with its angular velocity, 2: and acceleration, else none. */
void hol__turning_of(const hol__measure_args *args, int body, int order, hol__turning *out);

/* x[0 … order]: position, velocity and acceleration of the point s of a body, global. */
void hol__point_motion(const hol__measure_args *args, int body, const double s[3], int order,
                       double x[3][3]);

/* The same of point s as another body sees it, whose origin is at its point o; global axes. */
void hol__seen_motion(const hol__measure_args *args, int body, const double s[3], int from,
                      const double o[3], int order, double x[3][3]);

/* v in the axes of a body. */
void hol__write_in(const hol__measure_args *args, int body, double v[3]);

#endif
