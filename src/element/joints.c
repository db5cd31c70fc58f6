/* joints.c: the classical joints as rows: which translations and rotations of the joint's frame
 * they lock. */
#include "element/joints.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

enum { X = 1, Y = 2, Z = 4, RX = 8, RY = 16, RZ = 32 };

/* ---- revolute ---- */

static const hol__key revolute_keys[] = {
    HOL__KEY_PAIR(hol__frame_params, frame.bodies),
    HOL__KEY_PLACE(hol__frame_params),
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, HOL__IN_SPACE,
     "The axis of rotation at the drawn position.", NULL, HOL__AT(hol__frame_params, frame.axis)},
    {"axis_second", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The direction on the second body, when it is drawn turned; `axis` is then that of the first.",
     NULL, HOL__AT(hol__frame_params, frame.axis_second)},
    {"x_axis", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The x axis of the joint's frame; default: chosen by the program.", NULL,
     HOL__AT(hol__frame_params, frame.x_axis)},
    HOL__KEY_END,
};

/* Turns about the axis alone. */
static void revolute(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (hol__joint_frame(build, joint, p, &p->frame))
        hol__lock(build, joint, build->model->dim == 2 ? X | Y : X | Y | Z | RX | RY, NULL);
}

const hol__element_type hol__joint_revolute = {
    .section = "joints",
    .name = "revolute",
    .title = "Two bodies rotate about a common point (in the plane) or axis (in space).",
    .equations =
        "P2 - P1 = 0; in space also p_x = p_y = 0, p the relative quaternion of the joint's frames",
    .example = "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = revolute_keys,
    .size = sizeof(hol__frame_params),
    .compile_element = revolute,
};

/* ---- prismatic, cylindrical ---- */

static const hol__key prismatic_keys[] = {
    HOL__KEY_PAIR(hol__frame_params, frame.bodies),
    HOL__KEY_PLACE(hol__frame_params),
    HOL__KEY_AXIS(hol__frame_params, NULL, "The direction of sliding at the drawn position."),
    {"x_axis", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The x axis of the joint's frame; default: chosen by the program.", NULL,
     HOL__AT(hol__frame_params, frame.x_axis)},
    HOL__KEY_END,
};

/* Slides along the axis alone. */
static void prismatic(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (!hol__joint_frame(build, joint, p, &p->frame)) return;
    joint->slides = 1;
    hol__lock(build, joint, build->model->dim == 2 ? Y | RZ : X | Y | RX | RY | RZ, NULL);
}

const hol__element_type hol__joint_prismatic = {
    .section = "joints",
    .name = "prismatic",
    .title = "The second body slides along an axis of the first without turning.",
    .equations = "e_k . (P2 - P1) = 0 for the directions across the axis; relative rotation locked",
    .example = "  guide: {type: prismatic, bodies: [ground, rod], at: [0, 0], axis: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = prismatic_keys,
    .size = sizeof(hol__frame_params),
    .compile_element = prismatic,
};

/* Turns about and slides along the axis. */
static void cylindrical(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (!hol__joint_frame(build, joint, p, &p->frame)) return;
    joint->slides = 1;
    hol__lock(build, joint, X | Y | RX | RY, NULL);
}

const hol__element_type hol__joint_cylindrical = {
    .section = "joints",
    .name = "cylindrical",
    .title = "The second body slides along and turns about an axis of the first.",
    .equations = "e_x . (P2 - P1) = e_y . (P2 - P1) = 0; p_x = p_y = 0",
    .example =
        "  sleeve: {type: cylindrical, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1]}",
    .spaces = HOL__IN_SPACE,
    .keys = prismatic_keys,
    .size = sizeof(hol__frame_params),
    .compile_element = cylindrical,
};

/* ---- spherical, fixed ---- */

static const hol__key place_keys[] = {HOL__KEY_PAIR(hol__frame_params, frame.bodies),
                                      HOL__KEY_PLACE(hol__frame_params), HOL__KEY_END};

/* Holds a point. */
static void spherical(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (hol__joint_frame(build, joint, p, &p->frame)) hol__lock(build, joint, X | Y | Z, NULL);
}

const hol__element_type hol__joint_spherical = {
    .section = "joints",
    .name = "spherical",
    .title = "Two points coincide; all rotations are free.",
    .equations = "P2 - P1 = 0",
    .example = "  ball: {type: spherical, bodies: [ground, rod], at: [0, 0, 0]}",
    .spaces = HOL__IN_SPACE,
    .keys = place_keys,
    .size = sizeof(hol__frame_params),
    .compile_element = spherical,
};

/* Holds everything. */
static void fixed(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (hol__joint_frame(build, joint, p, &p->frame))
        hol__lock(build, joint, build->model->dim == 2 ? X | Y | RZ : X | Y | Z | RX | RY | RZ,
                  NULL);
}

const hol__element_type hol__joint_fixed = {
    .section = "joints",
    .name = "fixed",
    .title = "Two bodies are joined rigidly, as drawn.",
    .equations = "P2 - P1 = 0; relative rotation locked",
    .example = "  weld: {type: fixed, bodies: [ground, rod], at: [0, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = place_keys,
    .size = sizeof(hol__frame_params),
    .compile_element = fixed,
};

/* ---- universal ---- */

static const hol__key universal_keys[] = {
    HOL__KEY_PAIR(hol__frame_params, frame.bodies),
    HOL__KEY_PLACE(hol__frame_params),
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0, "The axis that is fixed in the first body.", NULL,
     HOL__AT(hol__frame_params, frame.axis)},
    {"axis_second", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The axis that is fixed in the second body; the two stay perpendicular.", NULL,
     HOL__AT(hol__frame_params, frame.axis_second)},
    HOL__KEY_END,
};

/* A drawing is rough by a few degrees; axes that are further from perpendicular are those of
 * another joint. */
static const double rough = 0.1;

/* Whether the axes of a universal joint are drawn perpendicular, roughly; reports where not. */
static int check_cross(hol__build *build, const hol__frame_params *p) {
    const double *u = p->frame.axis, *w = p->frame.axis_second;
    const double cosine = hol__dot3(u, w) / (hol__norm3(u) * hol__norm3(w));
    if (fabs(cosine) <= rough) return 1;
    hol__field_error(build, p, "axis_second",
                     "the axes of a universal joint are perpendicular; these are drawn at %.4g deg",
                     acos(fmax(-1, fmin(1, cosine))) * 180 / 3.14159265358979323846);
    return 0;
}

/* Holds a point and two axes across each other. */
static void universal(hol__build *build, hol__element *joint, const void *params) {
    const hol__frame_params *p = params;
    if (!hol__joint_frame(build, joint, p, &p->frame) || !check_cross(build, p)) return;
    hol__lock(build, joint, X | Y | Z, NULL);
    hol__perpendicular_record *rec = hol__add_con(build, joint, &hol__con_perpendicular3, 1);
    for (int i = 0; rec && i < 3; i++) {
        rec->e1[i] = joint->marker[0].F[3 * i + 2];
        rec->e2[i] = joint->marker[1].F[3 * i + 2];
    }
    for (int i = 0; i < 3; i++) joint->second_axis[i] = joint->marker[1].F[3 * i + 2];
    /* the frame of the first body, as drawn, on the second: its twist is the angle about the first
     * axis, 0 as drawn, since the rest of the rotation is about the second axis, across */
    const hol_model *model = build->model;
    const double *q1 = hol__drawn_turn(model, joint->body[0]),
                 *q2 = hol__drawn_turn(model, joint->body[1]);
    double turned[4];
    hol__quat_mul(q1, joint->marker[0].f, turned);
    hol__quat_mul_c(q2, turned, joint->marker[1].f);
    hol__quat_normalize(joint->marker[1].f);
    hol__quat_matrix(joint->marker[1].f, joint->marker[1].F);
}

const hol__element_type hol__joint_universal = {
    .section = "joints",
    .name = "universal",
    .title = "Two points coincide, and an axis of one body stays perpendicular to an axis of the "
             "other (Hooke's joint).",
    .equations = "P2 - P1 = 0; a1 . a2 = 0",
    .example = "  cross: {type: universal, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 1, 0], "
               "axis_second: [1, 0, 0]}",
    .spaces = HOL__IN_SPACE,
    .keys = universal_keys,
    .size = sizeof(hol__frame_params),
    .compile_element = universal,
};

/* ---- generic ---- */

typedef struct generic_params {
    hol__params head;
    hol__frame_fields frame;
    unsigned lock;
    hol__drives drive;
} generic_params;

static const hol__key generic_keys[] = {
    HOL__KEY_PAIR(generic_params, frame.bodies),
    HOL__KEY_PLACE(generic_params),
    HOL__KEY_AXIS(
        generic_params, "",
        "The z axis of the joint's frame (in the plane: its x axis); default: the global one."),
    {"x_axis", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The x axis of the joint's frame; default: chosen by the program.", NULL,
     HOL__AT(generic_params, frame.x_axis)},
    {"lock", HOL__KEY_WORDS, NULL, "", 0,
     "What is locked as drawn: translations x, y, z and rotations rx, ry, rz along and about the "
     "axes of the joint's frame, fixed in "
     "the first body; in the plane x, y and angle.",
     hol__directions, HOL__AT(generic_params, lock)},
    {"drive", HOL__KEY_DRIVES, NULL, "", 0,
     "What follows a function of time, for example {rz: 2*pi*t}: displacement from the drawn "
     "position in metres, rotation in radians. "
     "Driven rotations act in the order x, y, z, before those that are free.",
     hol__directions, HOL__AT(generic_params, drive)},
    HOL__KEY_END,
};

/* The bits of the words under `lock`; reports words that the space does not have, and what is
 * driven as well. */
static unsigned locked_bits(hol__build *build, const generic_params *p) {
    unsigned bits = 0;
    const char *use;
    for (int word = 0; hol__directions[word]; word++) {
        const unsigned bit = 1u << hol__direction_bit(word);
        if (!(p->lock & (1u << word))) continue;
        if (!hol__has_direction(build->model, word, &use))
            hol__field_error(build, p, "lock", "'%s' is not a direction of a %s joint; use %s",
                             hol__directions[word], build->model->dim == 2 ? "planar" : "spatial",
                             use);
        else if (p->drive.bits & bit)
            hol__field_error(build, p, "lock", "'%s' is both locked and driven; leave out one",
                             hol__directions[word]);
        bits |= bit;
    }
    return bits;
}

/* Locks and drives the directions that the fields name. */
static void generic(hol__build *build, hol__element *joint, const void *params) {
    const generic_params *p = params;
    const int errors = build->errors;
    const unsigned bits = p->drive.bits | locked_bits(build, p);
    if (!bits)
        hol__field_error(
            build, p, NULL,
            "a generic joint locks or drives at least one direction; give `lock` or `drive`");
    if (build->errors > errors || !hol__joint_frame(build, joint, p, &p->frame)) return;
    joint->slides = !(bits & (build->model->dim == 2 ? 1u : 4u));
    hol__lock(build, joint, bits, p->drive.law);
}

const hol__element_type hol__joint_generic = {
    .section = "joints",
    .name = "generic",
    .title =
        "Locks or drives any of three translations and three rotations (in the plane two and one).",
    .equations = "e_k . (P2 - P1) = f_k(t); 2 p_k = 0 with p the relative quaternion after the "
                 "driven rotations",
    .example = "  motor: {type: generic, bodies: [ground, rod], at: [0, 0], lock: [x, y], drive: "
               "{angle: 2*pi*t}}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = generic_keys,
    .size = sizeof(generic_params),
    .compile_element = generic,
};

/* ---- distance ---- */

typedef struct distance_params {
    hol__params head;
    int bodies[2];
    double from[3], to[3];
    hol__law length;
} distance_params;

static const hol__key distance_keys[] = {
    HOL__KEY_PAIR(distance_params, bodies),
    {"from", HOL__KEY_POINT, "m", NULL, 0, "The point on the first body, at the drawn position.",
     NULL, HOL__AT(distance_params, from)},
    {"to", HOL__KEY_POINT, "m", NULL, 0, "The point on the second body, at the drawn position.",
     NULL, HOL__AT(distance_params, to)},
    {"length", HOL__KEY_TIME_LAW, "m", "", HOL__POSITIVE, "The distance; default: as drawn.", NULL,
     HOL__AT(distance_params, length)},
    HOL__KEY_END,
};

/* Keeps or drives the distance of two points. */
static void distance(hol__build *build, hol__element *joint, const void *params) {
    const distance_params *p = params;
    hol__law length = p->length;
    double d2 = 0;
    for (int i = 0; i < 3; i++) d2 += (p->to[i] - p->from[i]) * (p->to[i] - p->from[i]);
    if (!hol__is_given(p, "length")) length.value = sqrt(d2);
    const double zero = 0;
    const double L0 = length.e ? hol__expr_value(length.e, &zero, build->scratch) : length.value;
    if (!(L0 > 0) || !(d2 > 0)) {
        hol__field_error(
            build, p, NULL,
            "the distance is %g at the start; it must be positive (use a %s joint for 0)",
            !(d2 > 0) ? 0.0 : L0, build->model->dim == 2 ? "revolute" : "spherical");
        return;
    }
    memcpy(joint->body, p->bodies, sizeof joint->body);
    hol__marker_set(build->model, joint->body[0], p->from, NULL, &joint->marker[0]);
    hol__marker_set(build->model, joint->body[1], p->to, NULL, &joint->marker[1]);
    hol__distance *rec = hol__add_con(
        build, joint, build->model->dim == 2 ? &hol__con_distance2 : &hol__con_distance3, 1);
    if (!rec) return;
    memcpy(rec->s1, joint->marker[0].s, sizeof rec->s1);
    memcpy(rec->s2, joint->marker[1].s, sizeof rec->s2);
    rec->L = length;
    rec->L0 = L0;
}

const hol__element_type hol__joint_distance = {
    .section = "joints",
    .name = "distance",
    .title =
        "Two points keep a distance (a massless rod), or follow one given as a function of time.",
    .equations = "(d . d - L^2) / (2 L0) = 0,  d = P2 - P1",
    .example = "  link: {type: distance, bodies: [ground, rod], from: [0, 1], to: [1, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = distance_keys,
    .size = sizeof(distance_params),
    .compile_element = distance,
};
