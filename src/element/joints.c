/* joints.c: the classical joints as rows: which translations and rotations of the joint's frame they lock. */
#include "element/joints.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

enum { X = 1, Y = 2, Z = 4, RX = 8, RY = 16, RZ = 32 };

/* ---- revolute ---- */

static const hol__key revolute_keys[] = {
    HOL__KEY_PAIR,
    HOL__KEY_PLACE,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, HOL__IN_SPACE,
     "The axis of rotation at the drawn position.", NULL},
    {"axis_second", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The direction on the second body, when it is drawn turned; `axis` is then that of the first.",
     NULL},
    {"x_axis", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The x axis of the joint's frame; chosen when left out.", NULL},
    HOL__KEY_END,
};

/* Turns about the axis alone. */
static void revolute(hol__build *build, hol__element *joint, hol__node *item) {
    if (hol__joint_frame(build, joint, item, revolute_keys))
        hol__lock(build, joint, build->model->dim == 2 ? X | Y : X | Y | Z | RX | RY, NULL);
}

const hol__element_type hol__joint_revolute = {
    .section = "joints",
    .name = "revolute",
    .title = "Two bodies turn about a common point (plane) or axis (space).",
    .equations =
        "P2 - P1 = 0; in space also p_x = p_y = 0, p the relative quaternion of the joint's frames",
    .example = "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = revolute_keys,
    .compile_element = revolute,
};

/* ---- prismatic, cylindrical ---- */

static const hol__key prismatic_keys[] = {
    HOL__KEY_PAIR,
    HOL__KEY_PLACE,
    HOL__KEY_AXIS(NULL, "The direction of sliding at the drawn position."),
    {"x_axis", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The x axis of the joint's frame; chosen when left out.", NULL},
    HOL__KEY_END,
};

/* Slides along the axis alone. */
static void prismatic(hol__build *build, hol__element *joint, hol__node *item) {
    if (!hol__joint_frame(build, joint, item, prismatic_keys)) return;
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
    .compile_element = prismatic,
};

/* Turns about and slides along the axis. */
static void cylindrical(hol__build *build, hol__element *joint, hol__node *item) {
    if (!hol__joint_frame(build, joint, item, prismatic_keys)) return;
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
    .compile_element = cylindrical,
};

/* ---- spherical, fixed ---- */

static const hol__key place_keys[] = {HOL__KEY_PAIR, HOL__KEY_PLACE, HOL__KEY_END};

/* Holds a point. */
static void spherical(hol__build *build, hol__element *joint, hol__node *item) {
    if (hol__joint_frame(build, joint, item, place_keys)) hol__lock(build, joint, X | Y | Z, NULL);
}

const hol__element_type hol__joint_spherical = {
    .section = "joints",
    .name = "spherical",
    .title = "Two points coincide; all rotations are free.",
    .equations = "P2 - P1 = 0",
    .example = "  ball: {type: spherical, bodies: [ground, rod], at: [0, 0, 0]}",
    .spaces = HOL__IN_SPACE,
    .keys = place_keys,
    .compile_element = spherical,
};

/* Holds everything. */
static void fixed(hol__build *build, hol__element *joint, hol__node *item) {
    if (hol__joint_frame(build, joint, item, place_keys))
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
    .compile_element = fixed,
};

/* ---- universal ---- */

static const hol__key universal_keys[] = {
    HOL__KEY_PAIR,
    HOL__KEY_PLACE,
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0, "The axis that is fixed in the first body.", NULL},
    {"axis_second", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "The axis that is fixed in the second body; the two stay perpendicular.", NULL},
    HOL__KEY_END,
};

/* Holds a point and two axes across each other. */
static void universal(hol__build *build, hol__element *joint, hol__node *item) {
    if (!hol__joint_frame(build, joint, item, universal_keys)) return;
    hol__lock(build, joint, X | Y | Z, NULL);
    hol__perpendicular_record *rec = hol__add_con(build, joint, &hol__con_perpendicular3, 1);
    for (int i = 0; rec && i < 3; i++) {
        rec->e1[i] = joint->marker[0].F[3 * i + 2];
        rec->e2[i] = joint->marker[1].F[3 * i + 2];
    }
    for (int i = 0; i < 3; i++) joint->second_axis[i] = joint->marker[1].F[3 * i + 2];
    /* the frame of the first body, as drawn, on the second: its twist is the angle about the first axis, 0 as drawn, since the rest of
     * the rotation is about the second axis, across */
    const hol_model *model = build->model;
    const double *q1 = hol__drawn_turn(model, joint->body[0]),
                 *q2 = hol__drawn_turn(model, joint->body[1]);
    double p[4];
    hol__quat_mul(q1, joint->marker[0].f, p);
    hol__quat_mul_c(q2, p, joint->marker[1].f);
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
    .compile_element = universal,
};

/* ---- generic ---- */

const char *const hol__directions[] = {"x", "y", "z", "rx", "ry", "rz", "angle", NULL};

static const hol__key generic_keys[] = {
    HOL__KEY_PAIR,
    HOL__KEY_PLACE,
    HOL__KEY_AXIS("", "The z axis of the joint's frame (in the plane: its x axis); the global one "
                      "when left out."),
    {"x_axis", HOL__KEY_DIRECTION, NULL, "", HOL__IN_SPACE,
     "The x axis of the joint's frame; chosen when left out.", NULL},
    {"lock", HOL__KEY_WORDS, NULL, "", 0,
     "What is locked as drawn: translations x, y, z and rotations rx, ry, rz along and about the "
     "axes of the joint's frame, fixed in "
     "the first body; in the plane x, y and angle.",
     hol__directions},
    {"drive", HOL__KEY_DRIVES, NULL, "", 0,
     "What follows a function of time, for example {rz: 2*pi*t}: displacement from the drawn "
     "position in metres, rotation in radians. "
     "Driven rotations act in the order x, y, z, before those that are free.",
     hol__directions},
    HOL__KEY_END,
};

/* The bit of a direction word: angle is the rotation in the plane. */
static int direction_bit(int word) {
    return word == 6 ? 5 : word;
}

/* Report words that the space does not have. */
static int check_direction(hol__build *build, const hol__node *node, int word) {
    const int ok = build->model->dim == 2 ? word == 0 || word == 1 || word == 6 : word < 6;
    if (!ok)
        hol__build_error(build, node, "'%s' is no direction of a %s joint; use %s",
                         hol__directions[word], build->model->dim == 2 ? "planar" : "spatial",
                         build->model->dim == 2 ? "x, y, angle" : "x, y, z, rx, ry, rz");
    return ok;
}

unsigned hol__read_drives(hol__build *build, hol__node *item, const char *name, hol__law drive[6]) {
    hol__node *map = hol__node_get(item, name);
    unsigned bits = 0;
    if (!map) return 0;
    if (map->kind != HOL__MAP) {
        hol__build_error(build, map, "'%s' is a map such as {%s: 2*pi*t}", name,
                         build->model->dim == 2 ? "angle" : "rz");
        return 0;
    }
    for (hol__node *child = map->first; child; child = child->next) {
        int word = 0;
        while (hol__directions[word] && strcmp(hol__directions[word], child->key) != 0) word++;
        if (!hol__directions[word]) {
            hol__build_error(
                build, child,
                "'%s' is no direction; use x, y, z, rx, ry, rz (in the plane x, y, angle)",
                child->key);
            continue;
        }
        if (!check_direction(build, child, word)) continue;
        const int bit = direction_bit(word);
        const hol__expr *e =
            hol__read_expr(build, child, HOL__NAMES_TIME, NULL, bit < 3 ? "m" : "rad");
        if (!e) continue;
        drive[bit] =
            hol__expr_is_constant(e) ? (hol__law){hol__expr_constant(e), NULL} : (hol__law){0, e};
        bits |= 1u << bit;
    }
    return bits;
}

/* Locks and drives the directions that the keys name. */
static void generic(hol__build *build, hol__element *joint, hol__node *item) {
    const int errors = build->errors;
    hol__law drive[6] = {{0, NULL}};
    unsigned bits = hol__read_drives(build, item, "drive", drive);
    const unsigned words = hol__read_words(build, item, generic_keys, "lock");
    const unsigned driven = bits;
    for (int word = 0; hol__directions[word]; word++) {
        const unsigned bit = 1u << direction_bit(word);
        if (!(words & (1u << word)) || !check_direction(build, hol__node_get(item, "lock"), word))
            continue;
        if (driven & bit)
            hol__build_error(build, hol__node_get(item, "lock"),
                             "'%s' is both locked and driven; leave out one",
                             hol__directions[word]);
        bits |= bit;
    }
    if (!bits && build->errors == errors)
        hol__build_error(
            build, item,
            "a generic joint locks or drives at least one direction; give `lock` or `drive`");
    if (!hol__joint_frame(build, joint, item, generic_keys)) return;
    joint->slides = !(bits & (build->model->dim == 2 ? 1u : 4u));
    hol__lock(build, joint, bits, drive);
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
    .compile_element = generic,
};

/* ---- distance ---- */

static const hol__key distance_keys[] = {
    HOL__KEY_PAIR,
    {"from", HOL__KEY_POINT, "m", NULL, 0, "The point on the first body, at the drawn position.",
     NULL},
    {"to", HOL__KEY_POINT, "m", NULL, 0, "The point on the second body, at the drawn position.",
     NULL},
    {"length", HOL__KEY_TIME_LAW, "m", "", HOL__POSITIVE, "The distance; as drawn when left out.",
     NULL},
    HOL__KEY_END,
};

/* Keeps or drives the distance of two points. */
static void distance(hol__build *build, hol__element *joint, hol__node *item) {
    const int errors = build->errors;
    double from[3], to[3], d2 = 0;
    hol__read_bodies(build, item, distance_keys, "bodies", joint->body);
    hol__read_point(build, item, distance_keys, "from", from);
    hol__read_point(build, item, distance_keys, "to", to);
    hol__law length = hol__read_law(build, item, distance_keys, "length", NULL);
    for (int i = 0; i < 3; i++) d2 += (to[i] - from[i]) * (to[i] - from[i]);
    if (!hol__node_get(item, "length")) length.value = sqrt(d2);
    if (build->errors > errors) return;
    const double zero = 0;
    const double L0 = length.e ? hol__expr_value(length.e, &zero, build->scratch) : length.value;
    if (!(L0 > 0) || !(d2 > 0)) {
        hol__build_error(
            build, item,
            "the distance is %g at the start; it must be positive (use a %s joint for 0)",
            !(d2 > 0) ? 0.0 : L0, build->model->dim == 2 ? "revolute" : "spherical");
        return;
    }
    hol__marker_set(build->model, joint->body[0], from, NULL, &joint->marker[0]);
    hol__marker_set(build->model, joint->body[1], to, NULL, &joint->marker[1]);
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
    .compile_element = distance,
};
