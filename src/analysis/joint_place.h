/* joint_place.h: the angle of a revolute joint, the displacement of a prismatic one, 0 as drawn,
 * and how they follow the velocities of reference-point coordinates. */
#ifndef HOL_ANALYSIS_JOINT_PLACE_H
#define HOL_ANALYSIS_JOINT_PLACE_H

#include "dyn/data.h"

/* Velocities that a coordinate of a joint follows, at most: those of two bodies. */
enum { HOL__JOINT_PLACE_WIDTH = 12 };

/* Whether a joint has one coordinate, and which: 1 an angle, 2 a displacement, 0 none. */
int hol__joint_place_kind(const hol__element *joint);

/* The coordinate at the positions in data; an angle within half a turn. */
double hol__joint_place(hol_data *data, const hol__element *joint);

/* Its derivatives by the velocities of its bodies, also off the constraints: the velocities in
 * rising order into `column`, the derivatives into `value`; how many. */
int hol__joint_place_row(hol_data *data, const hol__element *joint,
                         int column[HOL__JOINT_PLACE_WIDTH], double value[HOL__JOINT_PLACE_WIDTH]);

#endif
