/* joints.h: the pieces that joint types share: fields, and the joint's frame. */
#ifndef HOL_ELEMENT_JOINTS_H
#define HOL_ELEMENT_JOINTS_H

#include "element/primitives.h"
#include "model/fields.h"

/* What most joints have: two bodies, and the joint's frame on each. */
typedef struct hol__frame_fields {
    int bodies[2];
    double at[3], at_second[3];
    double axis[3], axis_second[3], x_axis[3];
} hol__frame_fields;

/* The parameters of a joint that has nothing else. */
typedef struct hol__frame_params {
    hol__params head;
    hol__frame_fields frame;
} hol__frame_params;

/* Their rows in a table of keys, for parameters of a type with the member `frame`; HOL__KEY_PAIR
 * for any member of two bodies. */
#define HOL__KEY_PAIR(type, member)                                                                \
    {                                                                                              \
        "bodies", HOL__KEY_BODIES, NULL, NULL, 0,                                                  \
            "The first and the second body; `ground` is allowed.", NULL, HOL__AT(type, member)     \
    }
#define HOL__KEY_PLACE(type)                                                                       \
    {"at", HOL__KEY_POINT,         "m", NULL, 0, "Where the joint is, at the drawn position.",     \
     NULL, HOL__AT(type, frame.at)},                                                               \
    {                                                                                              \
        "at_second", HOL__KEY_POINT, "m", "", 0,                                                   \
            "The point of the second body, when the parts are drawn apart; `at` is then the "      \
            "point of the first.",                                                                 \
            NULL, HOL__AT(type, frame.at_second)                                                   \
    }
#define HOL__KEY_AXIS(type, need, words)                                                           \
    {"axis", HOL__KEY_DIRECTION, NULL, need, 0, words, NULL, HOL__AT(type, frame.axis)}, {         \
        "axis_second", HOL__KEY_DIRECTION, NULL, "", 0,                                            \
            "The direction on the second body, when it is drawn turned; `axis` is then that of "   \
            "the first.",                                                                          \
            NULL, HOL__AT(type, frame.axis_second)                                                 \
    }
#define HOL__KEY_X_AXIS(type, spaces, words)                                                       \
    { "x_axis", HOL__KEY_DIRECTION, NULL, "", spaces, words, NULL, HOL__AT(type, frame.x_axis) }

/* Bodies and frames into the element: markers on both bodies with z along the axis (in the plane: x
 * along it). Returns 0 after an error. */
int hol__joint_frame(hol__build *build, hol__element *joint, const void *params,
                     const hol__frame_fields *f);

/* The orientation of a frame with z along the axis (in the plane: x), and x along the field
 * `x_axis` where it is given; 0 after an error. */
int hol__axis_frame(hol__build *build, const void *params, const double axis[3],
                    const double x_axis[3], double p[4]);

/* Add the parts of a joint that locks some translations and rotations of its frame (bits 0 … 2 and
 * 3 … 5; in the plane 0, 1 and 5), each with its law when drive is not NULL. */
void hol__lock(hol__build *build, hol__element *joint, unsigned bits, const hol__law *drive);

/* The values of a joint's coordinates at the start (key `start`): checked, and (rows not NULL)
 * added as rows of that element. */
typedef struct hol__start_params {
    hol__params head;
    double angle, displacement, angle_rate, displacement_rate;
} hol__start_params;

extern const hol__key hol__start_keys[];
void hol__joint_start(hol__build *build, const hol__element *joint, const hol__start_params *p,
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
    hol__joint_velocity_constraint, hol__joint_rigid_contact, hol__joint_rope,
    hol__joint_rigid_stop;
extern const hol__element_type hol__force_force, hol__force_torque, hol__force_spring,
    hol__force_torsion;
extern const hol__element_type hol__measure_position, hol__measure_velocity,
    hol__measure_acceleration, hol__measure_angle, hol__measure_omega, hol__measure_alpha,
    hol__measure_orientation, hol__measure_momentum, hol__measure_spin, hol__measure_distance,
    hol__measure_joint, hol__measure_reaction, hol__measure_load, hol__measure_multiplier,
    hol__measure_energy, hol__measure_expression, hol__measure_variable;

/* n points of the curve of a joint over its parameter, in the frame of its first body, and what
 * follows it; 0 where the joint has none, -1 without memory. */
int hol__joint_curve(const hol_model *model, int joint, hol_context *ctx, int n, double *points,
                     hol_curve_info *info);

#endif
