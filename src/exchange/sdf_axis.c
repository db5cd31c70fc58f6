/* sdf_axis.c: an axis of a joint: direction, limits, losses, spring, and what it follows.
 *
 * The direction is given in the frame of the joint, or in that which <xyz expressed_in> names; up
 * to version 1.4, and with <use_parent_model_frame>, in that of the model.
 *
 *     mimic      q = multiplier (q_leader - reference) + offset
 *     gearbox    theta_2 = -ratio theta_1, the angles of child and parent against a third body
 */
#include "exchange/sdf.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <string.h>

/* The element of an axis of a joint. */
static const hol__xml *axis_of(const hol__sdf_entry *entry, int which) {
    return hol__xml_child(entry->element, which ? "axis2" : "axis");
}

/* The direction of an axis in the world; 0 after an error. */
static int direction(hol__sdf *s, hol__sdf_entry *entry, const hol__xml *axis, double out[3]) {
    hol_import *im = s->im;
    const hol__placement at = hol__sdf_at(s, entry);
    hol__placement frame = {{0, 0, 0}, {at.q[0], at.q[1], at.q[2], at.q[3]}};
    double xyz[3] = {0, 0, 1};
    const hol__xml *element = hol__xml_child(axis, "xyz");
    const char *in = element ? hol__xml_value(element, "expressed_in") : NULL;
    const int old = hol__sdf_version(entry->element) <= 104;
    if (hol__sdf_flag(im, axis, "use_parent_model_frame", old) && !(in && *in)) in = "__model__";
    hol__xml_vector(im, element, NULL, 3, xyz);
    const double length = hol__norm3(xyz);
    if (!(length > 0)) {
        hol__import_error(im, element, NULL,
                          "the axis has length 0; give a direction such as 0 0 1");
        return 0;
    }
    if (in && *in && strcmp(in, entry->name) != 0 &&
        !hol__sdf_turn(s, entry->scope, element, in, frame.q))
        return 0;
    for (int i = 0; i < 3; i++) xyz[i] /= length;
    hol__placement_turn(&frame, xyz, out);
    return 1;
}

/* ---- limits and losses ---- */

static void read_limits(hol__sdf *s, const hol__xml *axis, int joint, int bounded) {
    hol_import *im = s->im;
    const hol__xml *limit = hol__xml_child(axis, "limit");
    hol__robot_joint *j = &im->robot.joints[joint];
    if (!limit) return;
    const double lower = hol__xml_limit(im, hol__xml_child(limit, "lower"), NULL, -HUGE_VAL),
                 upper = hol__xml_limit(im, hol__xml_child(limit, "upper"), NULL, HUGE_VAL),
                 speed = hol__xml_limit(im, hol__xml_child(limit, "velocity"), NULL, -1),
                 stiffness = hol__sdf_number(im, limit, "stiffness", 1e8),
                 dissipation = hol__sdf_number(im, limit, "dissipation", 1);
    hol__xml_limit(im, hol__xml_child(limit, "effort"), NULL, -1); /* nothing drives it */
    if (speed >= 0 && speed < HUGE_VAL)
        hol__note(im, HOL_IMPORT_LEFT_OUT, hol__xml_child(limit, "velocity"), NULL,
                  "speeds are not limited here (it is %g)", speed);
    if (!bounded || (lower == -HUGE_VAL && upper == HUGE_VAL)) {
        if (lower > -HUGE_VAL || upper < HUGE_VAL)
            hol__note(im, HOL_IMPORT_NO_EFFECT, limit, NULL, "a joint of this type has no limits");
        return;
    }
    if (lower == upper && !im->how.no_limits) {
        hol__note(im, HOL_IMPORT_CHANGED, limit, NULL,
                  "its limits leave no travel: it is held at %g", lower);
        hol__robot_follow(im, limit, joint, -1, 0, lower);
        return;
    }
    j->lower = lower, j->upper = upper;
    if (stiffness > 0 && stiffness < 1e8) j->stiff = stiffness, j->lossy = fmax(dissipation, 0);
    hol__robot_limit(im, joint, limit);
}

static void read_dynamics(hol__sdf *s, const hol__xml *axis, int joint) {
    hol_import *im = s->im;
    const hol__xml *dynamics = hol__xml_child(axis, "dynamics");
    hol__robot_joint *j = &im->robot.joints[joint];
    if (!dynamics) return;
    j->damping = hol__sdf_number(im, dynamics, "damping", 0);
    j->friction = hol__sdf_number(im, dynamics, "friction", 0);
    j->stiffness = hol__sdf_number(im, dynamics, "spring_stiffness", 0);
    j->spring_at = hol__sdf_number(im, dynamics, "spring_reference", 0);
    hol__robot_losses(im, joint, dynamics);
    if (j->kind == HOL__JOINT_HINGE || j->kind == HOL__JOINT_SLIDE) return;
    if (j->damping != 0 || j->friction != 0 || j->stiffness != 0)
        hol__note(im, HOL_IMPORT_LEFT_OUT, dynamics, NULL,
                  "a joint of this type has no damping, friction or spring here");
}

/* The advance of a screw for a turn: the older element gives radians per metre, left-handed. */
static double read_pitch(hol__sdf *s, const hol__sdf_entry *entry) {
    hol_import *im = s->im;
    const hol__xml *newer = hol__xml_child(entry->element, "screw_thread_pitch"),
                   *older = hol__xml_child(entry->element, "thread_pitch");
    const double pitch = hol__xml_number(im, newer, NULL, 1),
                 rate = hol__xml_number(im, older, NULL, 1);
    if (newer || !older) return pitch;
    if (rate != 0) return -2 * acos(-1.0) / rate;
    hol__import_error(im, older, NULL, "it is 0 radians for a metre, which no screw has");
    return 1;
}

void hol__sdf_axis(hol__sdf *s, const hol__sdf_edge *edge, int joint) {
    hol_import *im = s->im;
    hol__sdf_entry *entry = edge->entry;
    const char *type = hol__xml_value(entry->element, "type");
    const hol__xml *axis = axis_of(entry, edge->which);
    hol__robot_joint *j = &im->robot.joints[joint];
    if (j->kind == HOL__JOINT_FIXED || j->kind == HOL__JOINT_BALL) return;
    if (!axis) {
        hol__import_error(im, entry->element, NULL, "it has no <%s>",
                          edge->which ? "axis2" : "axis");
        return;
    }
    if (!direction(s, entry, axis, j->axis)) return;
    if (j->kind == HOL__JOINT_SCREW) j->pitch = read_pitch(s, entry);
    read_limits(s, axis, joint,
                j->kind != HOL__JOINT_SCREW && type && strcmp(type, "continuous") != 0);
    read_dynamics(s, axis, joint);
}

/* ---- couplings ---- */

/* The joint here of an axis of another one; -1 after an error. */
static int leader_of(hol__sdf *s, hol__sdf_entry *entry, const hol__xml *mimic) {
    const char *name = hol__xml_value(mimic, "joint"), *axis = hol__xml_value(mimic, "axis");
    hol__placement at;
    if (!name) {
        hol__import_error(s->im, mimic, NULL, "it names no joint");
        return -1;
    }
    const hol__sdf_entry *e = hol__sdf_find(s, entry->scope, mimic, name, &at);
    if (!e) return -1;
    const int joint = e->kind == HOL__SDF_JOINT ? e->joint[axis && strcmp(axis, "axis2") == 0] : -1;
    const hol__joint_kind kind = joint >= 0 ? s->im->robot.joints[joint].kind : HOL__JOINT_FIXED;
    if (kind == HOL__JOINT_HINGE || kind == HOL__JOINT_SLIDE) return joint;
    hol__import_error(s->im, mimic, "joint", "'%s' has no coordinate to follow", name);
    return -1;
}

/* The <mimic> of both axes of a joint. */
static void read_mimic(hol__sdf *s, hol__sdf_entry *entry, void *user) {
    hol_import *im = s->im;
    (void)user;
    for (int k = 0; k < 2; k++) {
        const hol__xml *mimic = hol__xml_child(axis_of(entry, k), "mimic");
        if (!mimic || entry->joint[k] < 0) continue;
        const double factor = hol__sdf_number(im, mimic, "multiplier", 1),
                     offset = hol__sdf_number(im, mimic, "offset", 0),
                     reference = hol__sdf_number(im, mimic, "reference", 0);
        const int leader = leader_of(s, entry, mimic);
        if (leader >= 0)
            hol__robot_follow(im, mimic, entry->joint[k], leader, factor,
                              offset - factor * reference);
    }
}

/* The hinge between two bodies; *sign: of its angle as that of b against a about a direction. */
static int hinge_between(const hol__robot *robot, int a, int b, const double about[3],
                         double *sign) {
    for (int i = 0; i < robot->n_joints; i++) {
        const hol__robot_joint *j = &robot->joints[i];
        const int straight = j->parent == a && j->child == b;
        if (j->kind != HOL__JOINT_HINGE || (!straight && (j->parent != b || j->child != a)))
            continue;
        *sign = (straight ? 1 : -1) * (hol__dot3(j->axis, about) < 0 ? -1 : 1);
        return i;
    }
    return -1;
}

static void write_gearbox(hol__sdf *s, hol__sdf_entry *entry, void *user) {
    hol_import *im = s->im;
    const char *type = hol__xml_value(entry->element, "type");
    const hol__xml *second = axis_of(entry, 1);
    double about[2][3], sign[2];
    (void)user;
    if (!type || strcmp(type, "gearbox") != 0) return;
    const char *third = hol__sdf_text(im, entry->element, "gearbox_reference_body"),
               *names[2] = {hol__sdf_text(im, entry->element, "parent"),
                            hol__sdf_text(im, entry->element, "child")};
    const double ratio = hol__sdf_number(im, entry->element, "gearbox_ratio", 1);
    int joints[2] = {-1, -1};
    for (int k = 0; k < 2 && third; k++) {
        const int body = hol__sdf_body(s, entry->scope, entry->element, names[k]),
                  base = hol__sdf_body(s, entry->scope, entry->element, third);
        const hol__xml *axis = k && second ? second : axis_of(entry, 0);
        if (!axis || !direction(s, entry, axis, about[k])) break;
        joints[k] = hinge_between(&im->robot, base, body, about[k], &sign[k]);
    }
    if (joints[0] >= 0 && joints[1] >= 0)
        hol__robot_couple(im, entry->element, hol__sdf_called(s, entry), 2, joints,
                          (const double[2]){ratio * sign[0], sign[1]}, 0);
    else
        hol__note(im, HOL_IMPORT_LEFT_OUT, entry->element, NULL,
                  "a gearbox couples two revolute joints at its <gearbox_reference_body>, and "
                  "these are not there");
}

void hol__sdf_couple(hol__sdf *s, int write) {
    hol__sdf_each(s, s->world, HOL__SDF_JOINT, write ? write_gearbox : read_mimic, NULL);
}
