/* joint_gear.c: gears, racks, belts and screws: two joint coordinates in a fixed ratio.
 *
 * The wheels turn in joints on one carrier. With theta_i the angle of wheel i against the carrier,
 * about axes that point the same way (bevel gears: from the common apex to the wheel), and r_i the
 * radii (or numbers of teeth):
 *
 *     external, bevel, crossed belt   theta_1 + (r_2 / r_1) theta_2 = 0
 *     internal, open belt             theta_1 - (r_2 / r_1) theta_2 = 0
 *     rack                            s - r theta = 0,   the rack at the side on which it is drawn
 *     screw                           s - h theta / (2 pi) = 0 in a cylindrical joint, h the pitch
 *
 * Because angles are measured against the carrier, which may move, epicyclic trains and
 * differentials follow from pairs of gears.
 */
#include "element/coupler.h"
#include "element/joints.h"
#include "math/quat.h"

#include <string.h>

/* A wheel or a rack: its joint, the body, and the sign of its coordinate against the joint's. */
typedef struct member {
    int joint, body;
    double sign;
    double point[3], axis[3]; /* drawn, global; in the plane the axis of a turning joint is z */
} member;

/* The joint's point and axis at the drawn position. */
static void locate(const hol_model *model, member *m, int slides) {
    const hol__element *joint = &model->joints[m->joint];
    double r[3], R[9], e[3];
    hol__drawn_pose(model, joint->body[0], r, R);
    hol__drawn_point(model, joint->body[0], joint->marker[0].s, m->point);
    const int k = model->dim == 2 && slides ? 0 : 2;
    for (int i = 0; i < 3; i++) e[i] = joint->marker[0].F[3 * i + k];
    hol__mul3(R, e, m->axis);
}

/* The joint must have the coordinate; 0 after an error. */
static int check_member(hol__build *build, const hol_location *where, int joint, int slides) {
    const hol__element *e = &build->model->joints[joint];
    const char *const turning[] = {"revolute", "cylindrical", NULL}, *const sliding[] = {
                                                                         "prismatic", "cylindrical",
                                                                         NULL};
    for (const char *const *name = slides ? sliding : turning; e->type && *name; name++)
        if (strcmp(e->type->name, *name) == 0) return 1;
    return hol__place_error(build, where, "%s is a %s joint; it must be %s", e->label,
                            e->type ? e->type->name : "faulty",
                            slides ? "prismatic (or cylindrical)" : "revolute (or cylindrical)");
}

/* Find the carrier, the body that both joints share; 0 after an error. */
static int find_carrier(hol__build *build, const hol_location *where, member *a, member *b) {
    const hol__element *ja = &build->model->joints[a->joint], *jb = &build->model->joints[b->joint];
    int common = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (ja->body[i] == jb->body[k]) {
                a->body = ja->body[1 - i];
                b->body = jb->body[1 - k];
                a->sign = i == 0 ? 1 : -1;
                b->sign = k == 0 ? 1 : -1;
                common++;
            }
    if (common == 1) return 1;
    return hol__place_error(
        build, where,
        common ? "%s and %s join the same two bodies; two different ones must turn on the carrier"
               : "%s and %s have no body in common; both must be joints of one carrier",
        ja->label, jb->label);
}

/* The element acts between the two members; the carrier is a third body. */
static void couple(hol__build *build, hol__element *element, const member *a, double fa,
                   int a_slides, const member *b, double fb, int b_slides, const char *label) {
    hol__coordinate x, y;
    hol__coordinate_of_joint(build, a->joint, a_slides, &x);
    hol__coordinate_of_joint(build, b->joint, b_slides, &y);
    element->body[0] = a->body;
    element->body[1] = b->body;
    element->marker[0] = x.marker[x.body[0] == a->body ? 0 : 1];
    element->marker[1] = y.marker[y.body[0] == b->body ? 0 : 1];
    hol__add_pair(build, element, &x, fa * a->sign, &y, fb * b->sign, 0, label);
}

/* The wheels in two joints; 0 after an error. */
static int set_wheels(hol__build *build, const void *params, const hol__joint_pair *joints,
                      member *a, member *b) {
    member *const members[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        members[i]->joint = joints->joint[i];
        if (!check_member(build, &joints->where[i], joints->joint[i], 0)) return 0;
        locate(build->model, members[i], 0);
    }
    return find_carrier(build, hol__field_where(params, "joints"), a, b);
}

/* Two positive numbers, and whole ones where they are teeth; 0 after an error. */
static int check_two(hol__build *build, const void *params, const char *name,
                     const hol__numbers *two) {
    const int errors = build->errors;
    if (two->n != 2)
        return hol__field_error(build, params, name, "'%s' is a list of two numbers", name);
    for (int i = 0; i < 2; i++)
        if (!(two->x[i] > 0))
            hol__place_error(build, &two->where[i], "%s are positive; '%s' is not", name,
                             two->text[i]);
        else if (strcmp(name, "teeth") == 0 && two->x[i] != floor(two->x[i]))
            hol__place_error(build, &two->where[i],
                             "teeth are whole numbers; '%s' is not (use `radii`)", two->text[i]);
    return build->errors == errors;
}

/* ---- gear ---- */

enum { EXTERNAL, INTERNAL, BEVEL };
static const char *const gear_kinds[] = {"external", "internal", "bevel", NULL};

typedef struct gear_params {
    hol__params head;
    hol__joint_pair joints;
    hol__numbers teeth, radii;
    int kind;
} gear_params;

static const hol__key gear_keys[] = {
    {"joints", HOL__KEY_JOINTS, NULL, NULL, 0,
     "The joints in which the two wheels turn on their common carrier (a body, or ground).", NULL,
     HOL__AT(gear_params, joints)},
    {"teeth", HOL__KEY_NUMBERS, "", "", 0, "The numbers of teeth of the two wheels.", NULL,
     HOL__AT(gear_params, teeth)},
    {"radii", HOL__KEY_NUMBERS, "m", "", 0, "Instead of teeth: the pitch radii of the two wheels.",
     NULL, HOL__AT(gear_params, radii)},
    {"kind", HOL__KEY_CHOICE, NULL, "external", 0,
     "external: they turn against each other; internal: one runs inside the other and they turn "
     "alike; bevel: their axes meet, and angles count about the axis from there to the wheel, "
     "whichever way that of its joint points.",
     gear_kinds, HOL__AT(gear_params, kind)},
    HOL__KEY_END,
};

/* +1 where the drawn axes point the same way, -1 where they are opposite; 0 and a report when they
 * are not parallel. */
static double same_way(hol__build *build, const void *params, const member *a, const member *b,
                       const char *hint) {
    double cross[3];
    hol__cross3(a->axis, b->axis, cross);
    if (hol__norm3(cross) < 1e-6) return hol__dot3(a->axis, b->axis) > 0 ? 1 : -1;
    return hol__field_error(build, params, NULL, "the axes of the two joints are not parallel%s",
                            hint);
}

/* How far the apex (the point of axis b nearest to axis a) lies behind point a along its axis; its
 * distance from axis a into *gap. */
static double behind(const member *a, const member *b, double *gap) {
    double d[3], n[3], m[3];
    hol__sub3(b->point, a->point, d);
    hol__cross3(a->axis, b->axis, n);
    hol__cross3(d, b->axis, m);
    const double n2 = hol__dot3(n, n);
    *gap = fabs(hol__dot3(d, n)) / sqrt(n2);
    return -hol__dot3(m, n) / n2;
}

/* The sign that makes both axes point from the apex to the wheels; 0 after an error. */
static double bevel_sign(hol__build *build, const void *params, const member *a, const member *b) {
    double cross[3], gap;
    hol__cross3(a->axis, b->axis, cross);
    if (hol__norm3(cross) < 1e-6)
        return hol__field_error(
            build, params, NULL,
            "the axes of bevel gears meet; these are parallel, use kind: external or internal");
    const double ha = behind(a, b, &gap), hb = behind(b, a, &gap);
    const double size = fabs(ha) + fabs(hb) + hol__norm3(a->point) + hol__norm3(b->point);
    if (gap > 1e-6 * size)
        return hol__field_error(
            build, params, NULL,
            "the axes of bevel gears meet in one point; these pass each other at a "
            "distance of %.3g",
            gap);
    /* a wheel whose joint is drawn at the apex lies where its axis points to */
    return (ha < -1e-9 * size ? -1 : 1) * (hb < -1e-9 * size ? -1 : 1);
}

/* The distance of two parallel axes. */
static double apart(const member *a, const member *b) {
    double d[3], across[3];
    hol__sub3(b->point, a->point, d);
    hol__cross3(d, a->axis, across);
    return hol__norm3(across);
}

/* Warn of pitch circles that are drawn apart: real gears are by some hundredths where their teeth
 * are shifted. */
static void check_pitch(hol__build *build, const gear_params *p, const member *a, const member *b) {
    const double *r = p->radii.x, drawn = apart(a, b),
                 asked = p->kind == INTERNAL ? fabs(r[0] - r[1]) : r[0] + r[1];
    if (build->assembly || fabs(drawn - asked) <= 0.05 * (r[0] + r[1])) return;
    hol__warn(build->ctx, hol__field_where(p, "radii"), build->element,
              "the pitch circles do not touch: the axes are drawn %.6g m apart, and radii of %.6g "
              "and %.6g m, %s, ask for %.6g m; only the ratio of the radii acts",
              drawn, r[0], r[1], gear_kinds[p->kind], asked);
}

/* Two wheels by teeth or radii. */
static void gear(hol__build *build, hol__element *element, const void *params) {
    const gear_params *p = params;
    const int by_teeth = hol__is_given(p, "teeth"), errors = build->errors;
    const hol__numbers *r = by_teeth ? &p->teeth : &p->radii;
    member a, b;
    if (by_teeth == hol__is_given(p, "radii"))
        hol__field_error(build, p, NULL, "a gear has either `teeth` or `radii`");
    else
        check_two(build, p, by_teeth ? "teeth" : "radii", r);
    if (!set_wheels(build, p, &p->joints, &a, &b) || build->errors > errors) return;
    const double sign = p->kind == BEVEL
                            ? bevel_sign(build, p, &a, &b)
                            : same_way(build, p, &a, &b, "; use kind: bevel where they meet");
    if (sign != 0 && !by_teeth && p->kind != BEVEL) check_pitch(build, p, &a, &b);
    if (sign != 0)
        couple(build, element, &a, 1, 0, &b,
               (p->kind == INTERNAL ? -sign : sign) * r->x[1] / r->x[0], 0, "gear");
}

const hol__element_type hol__joint_gear = {
    .section = "joints",
    .name = "gear",
    .title = "A pair of gears on a carrier that may move: external, internal or bevel.",
    .equations = "theta1 +- (r2/r1) theta2 = 0, angles against the carrier; + external and bevel, "
                 "- internal",
    .example = "holonom: 1\nname: gear\nspace: planar\ngravity: [0, 0]\nbodies:\n  pinion: {mass: "
               "1, inertia: 0.01, "
               "position: [0, 0], omega: 3}\n"
               "  wheel: {mass: 2, inertia: 0.08, position: [0.3, 0]}\n"
               "joints:\n  A: {type: revolute, bodies: [ground, pinion], at: [0, 0]}\n"
               "  B: {type: revolute, bodies: [ground, wheel], at: [0.3, 0]}\n"
               "  mesh: {type: gear, joints: [A, B], teeth: [20, 40]}\nsimulation: {end: 0.1}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = gear_keys,
    .late = 1,
    .size = sizeof(gear_params),
    .compile_element = gear,
};

/* ---- belt ---- */

typedef struct belt_params {
    hol__params head;
    hol__joint_pair joints;
    hol__numbers radii;
    int crossed;
} belt_params;

static const hol__key belt_keys[] = {
    {"joints", HOL__KEY_JOINTS, NULL, NULL, 0,
     "The joints in which the two pulleys turn on their common carrier.", NULL,
     HOL__AT(belt_params, joints)},
    {"radii", HOL__KEY_NUMBERS, "m", NULL, 0, "The radii of the two pulleys.", NULL,
     HOL__AT(belt_params, radii)},
    {"crossed", HOL__KEY_BOOL, NULL, "false", 0,
     "Whether the belt is crossed, so that the pulleys turn against each other.", NULL,
     HOL__AT(belt_params, crossed)},
    HOL__KEY_END,
};

/* Two wheels with a belt. */
static void belt(hol__build *build, hol__element *element, const void *params) {
    const belt_params *p = params;
    const double *r = p->radii.x;
    member a, b;
    const int ok = check_two(build, p, "radii", &p->radii);
    if (!set_wheels(build, p, &p->joints, &a, &b) || !ok) return;
    const double sign = same_way(build, p, &a, &b, "");
    if (sign != 0 && apart(&a, &b) < (1 - 1e-9) * (r[0] + r[1]) && !build->assembly)
        hol__warn(
            build->ctx, hol__field_where(p, "radii"), build->element,
            "the pulleys overlap: their axes are drawn %.6g m apart, and their radii are %.6g "
            "and %.6g m; only the ratio of the radii acts",
            apart(&a, &b), r[0], r[1]);
    if (sign != 0)
        couple(build, element, &a, 1, 0, &b, (p->crossed ? sign : -sign) * r[1] / r[0], 0, "belt");
}

const hol__element_type hol__joint_belt = {
    .section = "joints",
    .name = "belt",
    .title = "A belt or chain over two pulleys on a carrier, without slip.",
    .equations = "theta1 -+ (r2/r1) theta2 = 0, angles against the carrier; - open, + crossed",
    .example = "holonom: 1\nname: belt\nspace: planar\ngravity: [0, 0]\nbodies:\n  small: {mass: "
               "1, inertia: 0.01, "
               "position: [0, 0], omega: 3}\n"
               "  large: {mass: 2, inertia: 0.08, position: [0.5, 0.1]}\n"
               "joints:\n  A: {type: revolute, bodies: [ground, small], at: [0, 0]}\n"
               "  B: {type: revolute, bodies: [ground, large], at: [0.5, 0.1]}\n"
               "  belt: {type: belt, joints: [A, B], radii: [0.06, 0.17]}\nsimulation: {end: 0.1}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = belt_keys,
    .late = 1,
    .size = sizeof(belt_params),
    .compile_element = belt,
};

/* ---- rack and pinion ---- */

typedef struct rack_params {
    hol__params head;
    int pinion, rack;
    double radius;
} rack_params;

static const hol__key rack_keys[] = {
    {"pinion", HOL__KEY_JOINT, NULL, NULL, 0, "The joint in which the pinion turns on the carrier.",
     NULL, HOL__AT(rack_params, pinion)},
    {"rack", HOL__KEY_JOINT, NULL, NULL, 0,
     "The joint in which the rack slides on the carrier; its point lies on the side of the pinion "
     "where the teeth meet.",
     NULL, HOL__AT(rack_params, rack)},
    {"radius", HOL__KEY_NUMBER, "m", "", HOL__POSITIVE,
     "The pitch radius of the pinion; default: the distance of the rack's line from the axis, as "
     "drawn.",
     NULL, HOL__AT(rack_params, radius)},
    HOL__KEY_END,
};

/* One member in the joint of that field; 0 after an error. */
static int set_member(hol__build *build, const void *params, const char *name, int joint,
                      int slides, member *m) {
    m->joint = joint;
    if (!check_member(build, hol__field_where(params, name), joint, slides)) return 0;
    locate(build->model, m, slides);
    return 1;
}

/* A wheel and a rack. */
static void rack_pinion(hol__build *build, hol__element *element, const void *params) {
    const rack_params *p = params;
    member pinion, rack;
    if (!set_member(build, p, "pinion", p->pinion, 0, &pinion) ||
        !set_member(build, p, "rack", p->rack, 1, &rack) ||
        !find_carrier(build, hol__field_where(p, NULL), &pinion, &rack))
        return;
    /* the arm from the axis to the line of the rack; the teeth move along axis x arm */
    double arm[3], way[3];
    hol__sub3(rack.point, pinion.point, arm);
    const double along = hol__dot3(arm, rack.axis), up = hol__dot3(arm, pinion.axis);
    if (fabs(hol__dot3(pinion.axis, rack.axis)) > 1e-6) {
        hol__field_error(build, p, NULL,
                         "the rack slides at an angle to the wheel; its axis and that of the "
                         "pinion are perpendicular");
        return;
    }
    for (int i = 0; i < 3; i++) arm[i] -= along * rack.axis[i] + up * pinion.axis[i];
    hol__cross3(pinion.axis, arm, way);
    const double drawn = hol__norm3(arm), sign = hol__dot3(way, rack.axis) > 0 ? 1 : -1;
    if (!(drawn > 0)) {
        hol__field_error(build, p, NULL,
                         "the line of the rack passes through the axis of the pinion; draw its "
                         "joint on the side of the teeth");
        return;
    }
    const double radius = hol__is_given(p, "radius") ? p->radius : drawn;
    couple(build, element, &pinion, -sign * radius, 0, &rack, 1, 1, "rack");
}

const hol__element_type hol__joint_rack_pinion = {
    .section = "joints",
    .name = "rack_pinion",
    .title = "A pinion that rolls on a rack, both on a carrier that may move.",
    .equations = "s - r theta = 0, against the carrier",
    .example = "holonom: 1\nname: rack and pinion\nspace: planar\ngravity: [0, 0]\nbodies:\n"
               "  pinion: {mass: 1, inertia: 0.01, position: [0, 0], omega: 3}\n"
               "  rack: {mass: 2, inertia: 0.1, position: [0, -0.1]}\n"
               "joints:\n  A: {type: revolute, bodies: [ground, pinion], at: [0, 0]}\n"
               "  B: {type: prismatic, bodies: [ground, rack], at: [0, -0.1], axis: [1, 0]}\n"
               "  mesh: {type: rack_pinion, pinion: A, rack: B}\nsimulation: {end: 0.1}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = rack_keys,
    .late = 1,
    .size = sizeof(rack_params),
    .compile_element = rack_pinion,
};

/* ---- screw ---- */

typedef struct screw_params {
    hol__params head;
    hol__frame_fields frame;
    double pitch;
} screw_params;

static const hol__key screw_keys[] = {
    HOL__KEY_PAIR(screw_params, frame.bodies),
    HOL__KEY_PLACE(screw_params),
    HOL__KEY_AXIS(screw_params, NULL, "The axis of the screw at the drawn position."),
    {"x_axis", HOL__KEY_DIRECTION, NULL, "", 0,
     "The x axis of the joint's frame; default: chosen by the program.", NULL,
     HOL__AT(screw_params, frame.x_axis)},
    {"pitch", HOL__KEY_NUMBER, "m", NULL, 0,
     "The displacement along the axis for a full turn about it; negative for a left-hand thread.",
     NULL, HOL__AT(screw_params, pitch)},
    HOL__KEY_END,
};

/* An angle and a displacement by the pitch. */
static void screw(hol__build *build, hol__element *joint, const void *params) {
    const screw_params *p = params;
    const double pitch = p->pitch, pi = acos(-1.0);
    enum { X = 1, Y = 2, RX = 8, RY = 16 };
    hol__coordinate s, theta;
    if (!hol__joint_frame(build, joint, p, &p->frame)) return;
    joint->slides = 1;
    joint->pitch = pitch / (2 * pi);
    hol__lock(build, joint, X | Y | RX | RY, NULL);
    hol__coordinate_of_joint(build, joint->index, 1, &s);
    hol__coordinate_of_joint(build, joint->index, 0, &theta);
    hol__add_pair(build, joint, &s, 1, &theta, -pitch / (2 * pi), 0, "thread");
}

const hol__element_type hol__joint_screw = {
    .section = "joints",
    .name = "screw",
    .title =
        "The second body turns about an axis of the first and advances along it in proportion.",
    .equations = "those of a cylindrical joint, and s - h theta / (2 pi) = 0",
    .example =
        "  nut: {type: screw, bodies: [ground, rod], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.2}",
    .spaces = HOL__IN_SPACE,
    .keys = screw_keys,
    .size = sizeof(screw_params),
    .compile_element = screw,
};
