/* joint_orient.c: joints that hold planes, lines and directions: planar, point on line, point in plane, line in plane, parallel and
 * perpendicular axes, constant angle, same orientation, constant velocity.
 *
 * With the joint's frames (P_i; x_i, y_i, z_i along `axis`), d = P2 - P1 and p the quaternion of frame 2 in frame 1:
 *
 *     planar            z1 . d = 0,  p_x = p_y = 0                 point on line    x1 . d = y1 . d = 0
 *     point in plane    z1 . d = 0                                 line in plane    z1 . d = 0,  z1 . l2 = 0
 *     parallel axes     p_x = p_y = 0                              perpendicular    z1 . z2 = 0
 *     constant angle    (z1 . z2 - cos a) / sin a = 0              same orientation p_x = p_y = p_z = 0
 *     constant velocity d = 0,  p_z = 0
 *
 * Constant velocity: p_z = 0 says that frame 2 is frame 1 turned about an axis in the plane x1, y1. Shafts that turn by the same angle
 * psi about z1 and z2 have R1^T R2 = Rz(-psi) R(n, beta) Rz(psi), a turn by beta about Rz(-psi) n, which keeps p_z = 0: so
 * equal rates are what it allows, whatever the angle beta between the shafts.
 */
#include "element/coupler.h"
#include "element/joints.h"
#include "math/quat.h"

#include <string.h>

enum { X = 1, Y = 2, Z = 4, RX = 8, RY = 16, RZ = 32 };

#define KEY_X_AXIS                                                                                 \
    {                                                                                              \
        "x_axis", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,                                     \
            "The x axis of the joint's frame; chosen when left out.", NULL                         \
    }

/* ---- planes and lines ---- */

static const hol__key normal_keys[] = {
    HOL__KEY_PAIR,
    HOL__KEY_PLACE,
    HOL__KEY_AXIS(NULL, "The normal of the plane at the drawn position, fixed in the first body."),
    KEY_X_AXIS,
    HOL__KEY_END,
};

/* A plane of each body stays in that of the other. */
static void planar(hol__build *build, hol__element *joint, hol__node *item) {
    if (hol__joint_frame(build, joint, item, normal_keys))
        hol__lock(build, joint, Z | RX | RY, NULL);
}

const hol__element_type hol__joint_planar = {
    .section = "joints",
    .name = "planar",
    .title = "A plane of the second body slides on a plane of the first.",
    .equations = "n . (P2 - P1) = 0; p_x = p_y = 0",
    .example = "  table: {type: planar, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}",
    .spaces = HOL__IN_SPACE,
    .keys = normal_keys,
    .compile_element = planar,
};

/* A point stays in a plane. */
static void point_in_plane(hol__build *build, hol__element *joint, hol__node *item) {
    if (hol__joint_frame(build, joint, item, normal_keys)) hol__lock(build, joint, Z, NULL);
}

const hol__element_type hol__joint_point_in_plane = {
    .section = "joints",
    .name = "point_in_plane",
    .title = "A point of the second body stays in a plane of the first.",
    .equations = "n . (P2 - P1) = 0",
    .example = "  tip: {type: point_in_plane, bodies: [ground, rod], at: [0, 0, 0], at_second: [1, "
               "0, 0], axis: [0, 0.2, 1]}",
    .spaces = HOL__IN_SPACE,
    .keys = normal_keys,
    .compile_element = point_in_plane,
};

static const hol__key line_keys[] = {
    HOL__KEY_PAIR,
    {"at", HOL__KEY_POINT, "m", NULL, 0, "A point of the line at the drawn position.", NULL},
    {"at_second", HOL__KEY_POINT, "m", "", 0, "The point of the second body; `at` when left out.",
     NULL},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction of the line at the drawn position, fixed in the first body.", NULL},
    KEY_X_AXIS,
    HOL__KEY_END,
};

/* A point stays on a line. */
static void point_on_line(hol__build *build, hol__element *joint, hol__node *item) {
    if (!hol__joint_frame(build, joint, item, line_keys)) return;
    joint->slides = 1;
    hol__lock(build, joint, build->model->dim == 2 ? Y : X | Y, NULL);
}

const hol__element_type hol__joint_point_on_line = {
    .section = "joints",
    .name = "point_on_line",
    .title = "A point of the second body stays on a line of the first (a pin in a slot).",
    .equations = "e_k . (P2 - P1) = 0 for the directions across the line",
    .example = "  slot: {type: point_on_line, bodies: [ground, rod], at: [0, 0], at_second: [1, "
               "0], axis: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = line_keys,
    .compile_element = point_on_line,
};

static const hol__key line_in_plane_keys[] = {
    HOL__KEY_PAIR,
    {"at", HOL__KEY_POINT, "m", NULL, 0, "A point of the plane at the drawn position.", NULL},
    {"at_second", HOL__KEY_POINT, "m", "", 0, "A point of the line; `at` when left out.", NULL},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The normal of the plane at the drawn position, fixed in the first body.", NULL},
    {"line", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction of the line at the drawn position, fixed in the second body.", NULL},
    HOL__KEY_END,
};

/* e1 . e2 = 0 for the z axis of the first frame and a drawn direction of the second body. */
static void add_right_angle(hol__build *build, hol__element *joint, const double *drawn) {
    hol__perpendicular_record *rec = hol__add_con(build, joint, &hol__con_perpendicular3, 1);
    if (!rec) return;
    for (int i = 0; i < 3; i++) rec->e1[i] = joint->marker[0].F[3 * i + 2];
    hol__drawn_direction(build->model, joint->body[1], drawn, rec->e2);
}

/* A line stays in a plane. */
static void line_in_plane(hol__build *build, hol__element *joint, hol__node *item) {
    double line[3];
    const int ok = hol__read_direction(build, item, line_in_plane_keys, "line", line);
    if (!hol__joint_frame(build, joint, item, line_in_plane_keys) || !ok) return;
    hol__lock(build, joint, Z, NULL);
    add_right_angle(build, joint, line);
}

const hol__element_type hol__joint_line_in_plane = {
    .section = "joints",
    .name = "line_in_plane",
    .title = "A line of the second body stays in a plane of the first.",
    .equations = "n . (P2 - P1) = 0; n . l = 0",
    .example = "  blade: {type: line_in_plane, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, "
               "1], line: [1, 0, 0]}",
    .spaces = HOL__IN_SPACE,
    .keys = line_in_plane_keys,
    .compile_element = line_in_plane,
};

/* ---- directions ---- */

static const hol__key axes_keys[] = {
    HOL__KEY_PAIR,
    HOL__KEY_AXIS(NULL, "The direction at the drawn position."),
    HOL__KEY_END,
};

static const hol__key two_axes_keys[] = {
    HOL__KEY_PAIR,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction on the first body, at the drawn position.", NULL},
    {"axis_second", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction on the second body, at the drawn position.", NULL},
    HOL__KEY_END,
};

/* Frames of directions alone stand at the mass centres. */
static int read_axes(hol__build *build, hol__element *joint, hol__node *item,
                     const hol__key *keys) {
    if (!hol__joint_frame(build, joint, item, keys)) return 0;
    for (int i = 0; i < 2; i++) memset(joint->marker[i].s, 0, sizeof joint->marker[i].s);
    return 1;
}

/* Two axes stay parallel. */
static void parallel_axes(hol__build *build, hol__element *joint, hol__node *item) {
    if (read_axes(build, joint, item, axes_keys)) hol__lock(build, joint, RX | RY, NULL);
}

const hol__element_type hol__joint_parallel_axes = {
    .section = "joints",
    .name = "parallel_axes",
    .title = "A direction of the second body stays parallel to one of the first.",
    .equations = "p_x = p_y = 0, p the relative quaternion of frames with z along the directions",
    .example = "  upright: {type: parallel_axes, bodies: [ground, rod], axis: [0, 0, 1]}",
    .spaces = HOL__IN_SPACE,
    .keys = axes_keys,
    .compile_element = parallel_axes,
};

/* Two axes stay perpendicular. */
static void perpendicular_axes(hol__build *build, hol__element *joint, hol__node *item) {
    if (!read_axes(build, joint, item, two_axes_keys)) return;
    hol__perpendicular_record *rec = hol__add_con(build, joint, &hol__con_perpendicular3, 1);
    for (int i = 0; rec && i < 3; i++) {
        rec->e1[i] = joint->marker[0].F[3 * i + 2];
        rec->e2[i] = joint->marker[1].F[3 * i + 2];
    }
}

const hol__element_type hol__joint_perpendicular_axes = {
    .section = "joints",
    .name = "perpendicular_axes",
    .title = "A direction of the second body stays perpendicular to one of the first.",
    .equations = "a1 . a2 = 0",
    .example = "  level: {type: perpendicular_axes, bodies: [ground, rod], axis: [0, 0, 1], "
               "axis_second: [1, 0, 0]}",
    .spaces = HOL__IN_SPACE,
    .keys = two_axes_keys,
    .compile_element = perpendicular_axes,
};

static const hol__key angle_keys[] = {
    HOL__KEY_PAIR,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction on the first body, at the drawn position.", NULL},
    {"axis_second", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction on the second body, at the drawn position.", NULL},
    {"angle", HOL__KEY_NUMBER, "rad", "", 0,
     "The angle between them, between 0 and 180 deg; as drawn when left out.", NULL},
    HOL__KEY_END,
};

/* Two axes keep their angle. */
static void constant_angle(hol__build *build, hol__element *joint, hol__node *item) {
    const int errors = build->errors;
    hol__node *given = hol__node_get(item, "angle");
    const double wanted = given ? hol__read_number(build, item, angle_keys, "angle") : 0;
    double a[3], b[3], cross[3];
    const int ok = hol__read_direction(build, item, angle_keys, "axis", a) &
                   hol__read_direction(build, item, angle_keys, "axis_second", b);
    if (!ok || !read_axes(build, joint, item, angle_keys) || build->errors > errors) return;
    hol__cross3(a, b, cross);
    const double drawn = atan2(hol__norm3(cross), hol__dot3(a, b)), angle = given ? wanted : drawn;
    if (!(sin(angle) > 1e-3) || !(angle < 3.2)) {
        hol__build_error(
            build, given ? given : item,
            "the angle is %.4g rad; where it is 0 or 180 deg use a parallel_axes joint", angle);
        return;
    }
    hol__coupler c = {.n = 1,
                      .factor = {1 / sin(angle)},
                      .f = {cos(angle) / sin(angle), NULL},
                      .label = "angle between axes"};
    hol__coordinate_between(build, joint, HOL__COORDINATE_COSINE, &c.x[0]);
    hol__add_coupler(build, joint, &c);
}

const hol__element_type hol__joint_constant_angle = {
    .section = "joints",
    .name = "constant_angle",
    .title = "A direction of the second body keeps its angle to one of the first.",
    .equations = "(a1 . a2 - cos(angle)) / sin(angle) = 0",
    .example = "  cone: {type: constant_angle, bodies: [ground, rod], axis: [0, 0, 1], "
               "axis_second: [1, 0, 0.4]}",
    .spaces = HOL__IN_SPACE,
    .keys = angle_keys,
    .compile_element = constant_angle,
};

static const hol__key orientation_keys[] = {HOL__KEY_PAIR, HOL__KEY_END};

/* The bodies do not turn against each other. */
static void same_orientation(hol__build *build, hol__element *joint, hol__node *item) {
    if (read_axes(build, joint, item, orientation_keys))
        hol__lock(build, joint, build->model->dim == 2 ? RZ : RX | RY | RZ, NULL);
}

const hol__element_type hol__joint_same_orientation = {
    .section = "joints",
    .name = "same_orientation",
    .title =
        "The second body keeps its drawn orientation against the first; translations are free.",
    .equations = "theta2 - theta1 as drawn; in space p_x = p_y = p_z = 0",
    .example = "  gyro: {type: same_orientation, bodies: [ground, rod]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = orientation_keys,
    .compile_element = same_orientation,
};

/* ---- constant velocity ---- */

static const hol__key cv_keys[] = {
    HOL__KEY_PAIR,
    HOL__KEY_PLACE,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The axis of the first shaft, at the drawn position.", NULL},
    {"axis_second", HOL__KEY_DIRECTION, NULL, "", 0,
     "The axis of the second shaft, pointing the same way along the drive; that of the first when "
     "left out.",
     NULL},
    HOL__KEY_END,
};

/* The frame of the second shaft: that of the first, turned the shortest way from axis a to axis b. */
static void turn_frame(const double *a, const double *b, const double *p, double *out) {
    double half[4], n[3];
    hol__cross3(a, b, n);
    half[0] = 1 + hol__dot3(a, b);
    memcpy(half + 1, n, sizeof n);
    hol__quat_normalize(half);
    hol__quat_mul(half, p, out);
}

/* Both shafts turn at the same rate. */
static void constant_velocity(hol__build *build, hol__element *joint, hol__node *item) {
    double a[3], b[3], at[3], at_second[3], p[4], p_second[4];
    if (!hol__joint_frame(build, joint, item, cv_keys)) return;
    hol__read_direction(build, item, cv_keys, "axis", a);
    if (!hol__read_direction(build, item, cv_keys, "axis_second", b)) memcpy(b, a, sizeof a);
    if (hol__dot3(a, b) < -0.99) {
        hol__build_error(build, hol__node_get(item, "axis_second"),
                         "the shafts are drawn folded back; let both axes point along the drive");
        return;
    }
    hol__read_point(build, item, cv_keys, "at", at);
    if (!hol__read_point(build, item, cv_keys, "at_second", at_second))
        memcpy(at_second, at, sizeof at);
    hol__frame_along(a, NULL, p);
    turn_frame(a, b, p, p_second);
    hol__marker_set(build->model, joint->body[0], at, p, &joint->marker[0]);
    hol__marker_set(build->model, joint->body[1], at_second, p_second, &joint->marker[1]);
    hol__lock(build, joint, X | Y | Z | RZ, NULL);
}

const hol__element_type hol__joint_constant_velocity = {
    .section = "joints",
    .name = "constant_velocity",
    .title = "Two shafts that meet in a point and turn at equal rates at any angle between them.",
    .equations =
        "P2 - P1 = 0; p_z = 0, p the relative quaternion of frames with z along the shafts",
    .example = "  cv: {type: constant_velocity, bodies: [ground, rod], at: [0, 0, 0], axis: [1, 0, "
               "0.3], axis_second: [1, 0, 0]}",
    .spaces = HOL__IN_SPACE,
    .keys = cv_keys,
    .compile_element = constant_velocity,
};
