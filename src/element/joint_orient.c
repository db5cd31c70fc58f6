/* joint_orient.c: joints that hold planes, lines and directions: planar, point on line, point in
 * plane, line in plane, parallel and perpendicular axes, constant angle, same orientation, constant
 * velocity.
 *
 * With the joint's frames (P_i; x_i, y_i, z_i along `axis`), d = P2 - P1 and p the quaternion of
 * frame 2 in frame 1:
 *
 *     planar             z1 . d = 0,  p_x = p_y = 0
 *     point on line      x1 . d = y1 . d = 0
 *     point in plane     z1 . d = 0
 *     line in plane      z1 . d = 0,  z1 . l2 = 0
 *     parallel axes      p_x = p_y = 0
 *     perpendicular      z1 . z2 = 0
 *     constant angle     (z1 . z2 - cos a) / sin a = 0
 *     same orientation   p_x = p_y = p_z = 0
 *     constant velocity  d = 0,  p_z = 0
 *
 * Constant velocity: p_z = 0 says that frame 2 is frame 1 turned about an axis in the plane x1, y1.
 * Shafts that turn by the same angle psi about z1 and z2 have R1^T R2 = Rz(-psi) R(n, beta)
 * Rz(psi), a turn by beta about Rz(-psi) n, which keeps p_z = 0: so equal rates are what it allows,
 * whatever the angle beta between the shafts.
 */
#include "element/coupler.h"
#include "element/joints.h"
#include "math/quat.h"

#include <string.h>

enum { X = 1, Y = 2, Z = 4, RX = 8, RY = 16, RZ = 32 };

/* ---- planes and lines ---- */

static const hol__key normal_keys[] = {
    HOL__KEY_PAIR(hol__frame_params, frame.bodies),
    HOL__KEY_PLACE(hol__frame_params),
    HOL__KEY_AXIS(hol__frame_params, NULL,
                  "The normal of the plane at the drawn position, fixed in the first body."),
    HOL__KEY_X_AXIS(hol__frame_params, HOL__IN_SPACE,
                    "The x axis of the joint's frame; default: chosen by the program."),
    HOL__KEY_END,
};

/* A plane of each body stays in that of the other. */
static void planar(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (hol__joint_frame(build, joint, p, &p->frame)) hol__lock(build, joint, Z | RX | RY, NULL);
}

const hol__element_type hol__joint_planar = {
    .section = "joints",
    .name = "planar",
    .title = "A plane of the second body slides on a plane of the first.",
    .equations = "n . (P2 - P1) = 0; p_x = p_y = 0",
    .example = "  table: {type: planar, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}",
    .spaces = HOL__IN_SPACE,
    .keys = normal_keys,
    .size = sizeof(hol__frame_params),
    .compile_element = planar,
};

/* A point stays in a plane. */
static void point_in_plane(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (hol__joint_frame(build, joint, p, &p->frame)) hol__lock(build, joint, Z, NULL);
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
    .size = sizeof(hol__frame_params),
    .compile_element = point_in_plane,
};

static const hol__key line_keys[] = {
    HOL__KEY_PAIR(hol__frame_params, frame.bodies),
    {"at", HOL__KEY_POINT, "m", NULL, 0, "A point of the line at the drawn position.", NULL,
     HOL__AT(hol__frame_params, frame.at)},
    {"at_second", HOL__KEY_POINT, "m", "", 0, "The point of the second body; default: `at`.", NULL,
     HOL__AT(hol__frame_params, frame.at_second)},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction of the line at the drawn position, fixed in the first body.", NULL,
     HOL__AT(hol__frame_params, frame.axis)},
    HOL__KEY_X_AXIS(hol__frame_params, HOL__IN_SPACE,
                    "The x axis of the joint's frame; default: chosen by the program."),
    HOL__KEY_END,
};

/* A point stays on a line. */
static void point_on_line(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (!hol__joint_frame(build, joint, p, &p->frame)) return;
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
    .size = sizeof(hol__frame_params),
    .compile_element = point_on_line,
};

typedef struct line_params {
    hol__params head;
    hol__frame_fields frame;
    double line[3];
} line_params;

static const hol__key line_in_plane_keys[] = {
    HOL__KEY_PAIR(line_params, frame.bodies),
    {"at", HOL__KEY_POINT, "m", NULL, 0, "A point of the plane at the drawn position.", NULL,
     HOL__AT(line_params, frame.at)},
    {"at_second", HOL__KEY_POINT, "m", "", 0, "A point of the line; default: `at`.", NULL,
     HOL__AT(line_params, frame.at_second)},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The normal of the plane at the drawn position, fixed in the first body.", NULL,
     HOL__AT(line_params, frame.axis)},
    {"line", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction of the line at the drawn position, fixed in the second body.", NULL,
     HOL__AT(line_params, line)},
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
static void line_in_plane(hol__build *build, hol__element *joint, const void *params) {
    const line_params *p = params;
    if (!hol__joint_frame(build, joint, p, &p->frame)) return;
    hol__lock(build, joint, Z, NULL);
    add_right_angle(build, joint, p->line);
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
    .size = sizeof(line_params),
    .compile_element = line_in_plane,
};

/* ---- directions ---- */

static const hol__key axes_keys[] = {
    HOL__KEY_PAIR(hol__frame_params, frame.bodies),
    HOL__KEY_AXIS(hol__frame_params, NULL, "The direction at the drawn position."),
    HOL__KEY_END,
};

static const hol__key two_axes_keys[] = {
    HOL__KEY_PAIR(hol__frame_params, frame.bodies),
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction on the first body, at the drawn position.", NULL,
     HOL__AT(hol__frame_params, frame.axis)},
    {"axis_second", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction on the second body, at the drawn position.", NULL,
     HOL__AT(hol__frame_params, frame.axis_second)},
    HOL__KEY_END,
};

/* Frames of directions alone stand at the mass centres. */
static int set_axes(hol__build *build, hol__element *joint, const void *params,
                    const hol__frame_fields *frame) {
    if (!hol__joint_frame(build, joint, params, frame)) return 0;
    for (int i = 0; i < 2; i++) memset(joint->marker[i].s, 0, sizeof joint->marker[i].s);
    return 1;
}

/* Two axes stay parallel. */
static void parallel_axes(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (set_axes(build, joint, p, &p->frame)) hol__lock(build, joint, RX | RY, NULL);
}

const hol__element_type hol__joint_parallel_axes = {
    .section = "joints",
    .name = "parallel_axes",
    .title = "A direction of the second body stays parallel to one of the first.",
    .equations = "p_x = p_y = 0, p the relative quaternion of frames with z along the directions",
    .example = "  upright: {type: parallel_axes, bodies: [ground, rod], axis: [0, 0, 1]}",
    .spaces = HOL__IN_SPACE,
    .keys = axes_keys,
    .size = sizeof(hol__frame_params),
    .compile_element = parallel_axes,
};

/* Two axes stay perpendicular. */
static void perpendicular_axes(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (!set_axes(build, joint, p, &p->frame)) return;
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
    .size = sizeof(hol__frame_params),
    .compile_element = perpendicular_axes,
};

typedef struct angle_params {
    hol__params head;
    hol__frame_fields frame;
    double angle;
} angle_params;

static const hol__key angle_keys[] = {
    HOL__KEY_PAIR(angle_params, frame.bodies),
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction on the first body, at the drawn position.", NULL,
     HOL__AT(angle_params, frame.axis)},
    {"axis_second", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The direction on the second body, at the drawn position.", NULL,
     HOL__AT(angle_params, frame.axis_second)},
    {"angle", HOL__KEY_NUMBER, "rad", "", 0,
     "The angle between them, between 0 and 180 deg; default: as drawn.", NULL,
     HOL__AT(angle_params, angle)},
    HOL__KEY_END,
};

/* Two axes keep their angle. */
static void constant_angle(hol__build *build, hol__element *joint, const void *params) {
    const angle_params *p = params;
    const double *a = p->frame.axis, *b = p->frame.axis_second;
    double cross[3];
    if (!set_axes(build, joint, p, &p->frame)) return;
    hol__cross3(a, b, cross);
    const double drawn = atan2(hol__norm3(cross), hol__dot3(a, b)),
                 angle = hol__is_given(p, "angle") ? p->angle : drawn;
    if (!(sin(angle) > 1e-3) || !(angle < 3.2)) {
        hol__field_error(
            build, p, "angle",
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
    .size = sizeof(angle_params),
    .compile_element = constant_angle,
};

static const hol__key orientation_keys[] = {HOL__KEY_PAIR(hol__frame_params, frame.bodies),
                                            HOL__KEY_END};

/* The bodies do not turn against each other. */
static void same_orientation(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (set_axes(build, joint, p, &p->frame))
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
    .size = sizeof(hol__frame_params),
    .compile_element = same_orientation,
};

/* ---- constant velocity ---- */

static const hol__key cv_keys[] = {
    HOL__KEY_PAIR(hol__frame_params, frame.bodies),
    HOL__KEY_PLACE(hol__frame_params),
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The axis of the first shaft, at the drawn position.", NULL,
     HOL__AT(hol__frame_params, frame.axis)},
    {"axis_second", HOL__KEY_DIRECTION, NULL, "", 0,
     "The axis of the second shaft, pointing the same way along the drive; default: that of the "
     "first.",
     NULL, HOL__AT(hol__frame_params, frame.axis_second)},
    HOL__KEY_END,
};

/* The frame of the second shaft: that of the first, turned the shortest way from axis a to axis
 * b. */
static void turn_frame(const double *a, const double *b, const double *p, double *out) {
    double half[4], n[3];
    hol__cross3(a, b, n);
    half[0] = 1 + hol__dot3(a, b);
    memcpy(half + 1, n, sizeof n);
    hol__quat_normalize(half);
    hol__quat_mul(half, p, out);
}

/* Both shafts turn at the same rate. */
static void constant_velocity(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    const hol__frame_fields *f = &p->frame;
    const double *a = f->axis, *b = hol__is_given(p, "axis_second") ? f->axis_second : a;
    double first[4], second[4];
    if (hol__dot3(a, b) < -0.99) {
        hol__field_error(build, p, "axis_second",
                         "the shafts are drawn folded back; let both axes point along the drive");
        return;
    }
    memcpy(joint->body, f->bodies, sizeof joint->body);
    hol__frame_along(a, NULL, first);
    turn_frame(a, b, first, second);
    hol__marker_set(build->model, joint->body[0], f->at, first, &joint->marker[0]);
    hol__marker_set(build->model, joint->body[1],
                    hol__is_given(p, "at_second") ? f->at_second : f->at, second,
                    &joint->marker[1]);
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
    .size = sizeof(hol__frame_params),
    .compile_element = constant_velocity,
};
