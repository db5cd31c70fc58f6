/* joints.h: the pieces that joint types share: keys, and reading the joint's frame. */
#ifndef HOL_ELEMENT_JOINTS_H
#define HOL_ELEMENT_JOINTS_H

#include "element/primitives.h"

/* The rows of a key table that most joints have. */
#define HOL__KEY_PAIR                                                                              \
    {                                                                                              \
        "bodies", HOL__KEY_BODIES, NULL, NULL, 0,                                                  \
            "The first and the second body; `ground` is allowed.", NULL                            \
    }
#define HOL__KEY_PLACE                                                                             \
    {"at", HOL__KEY_POINT, "m", NULL, 0, "Where the joint is, at the drawn position.", NULL}, {    \
        "at_second", HOL__KEY_POINT, "m", "", 0,                                                   \
            "The point of the second body, when the parts are drawn apart; `at` is then the "      \
            "point of the first.",                                                                 \
            NULL                                                                                   \
    }
#define HOL__KEY_AXIS(need, words)                                                                 \
    {"axis", HOL__KEY_DIRECTION, NULL, need, 0, words, NULL}, {                                    \
        "axis_second", HOL__KEY_DIRECTION, NULL, "", 0,                                            \
            "The direction on the second body, when it is drawn turned; `axis` is then that of "   \
            "the first.",                                                                          \
            NULL                                                                                   \
    }

/* Read bodies, at and axis into the element: markers on both bodies with z along the axis (in the plane: x along it). Returns 0
 * after an error. */
int hol__joint_frame(hol__build *build, hol__element *joint, hol__node *item, const hol__key *keys);

/* Add the parts of a joint that locks some translations and rotations of its frame (bits 0 … 2 and 3 … 5; in the plane 0, 1 and
 * 5), each with its law when drive is not NULL. */
void hol__lock(hol__build *build, hol__element *joint, unsigned bits, const hol__law *drive);

/* The words for directions: x, y, z, rx, ry, rz, angle; and a map from them to functions of time, into laws by bit (0 … 5, the
 * angle of the plane is 5). Returns the bits. */
extern const char *const hol__directions[];
unsigned hol__read_drives(hol__build *build, hol__node *item, const char *name, hol__law drive[6]);

/* The values of a joint's coordinates at the start (key `start`): checked, and (rows not NULL) added as rows of that element. */
extern const hol__key hol__start_keys[];
void hol__joint_start(hol__build *build, const hol__element *joint, hol__node *start,
                      hol__element *rows);

extern const hol__element_type hol__joint_revolute, hol__joint_prismatic, hol__joint_cylindrical,
    hol__joint_spherical, hol__joint_universal, hol__joint_fixed, hol__joint_generic,
    hol__joint_distance;
extern const hol__element_type hol__joint_planar, hol__joint_constant_velocity,
    hol__joint_point_on_line, hol__joint_point_in_plane, hol__joint_line_in_plane,
    hol__joint_parallel_axes, hol__joint_perpendicular_axes, hol__joint_constant_angle,
    hol__joint_same_orientation, hol__joint_spherical_spherical, hol__joint_revolute_spherical,
    hol__joint_revolute_revolute, hol__joint_universal_spherical, hol__joint_screw, hol__joint_gear,
    hol__joint_rack_pinion, hol__joint_belt, hol__joint_coupler, hol__joint_driver,
    hol__joint_motor, hol__joint_velocity_coupler, hol__joint_point_on_curve, hol__joint_cam,
    hol__joint_rolling_disk, hol__joint_rolling_sphere, hol__joint_wheel, hol__joint_knife_edge,
    hol__joint_velocity_constraint;
extern const hol__element_type hol__force_force, hol__force_torque, hol__force_spring,
    hol__force_torsion;
extern const hol__element_type hol__measure_position, hol__measure_velocity,
    hol__measure_acceleration, hol__measure_angle, hol__measure_omega, hol__measure_orientation,
    hol__measure_distance, hol__measure_joint, hol__measure_reaction, hol__measure_energy,
    hol__measure_expression;

#endif
