/* export_urdf.c: a robot as a URDF: a tree of links from the link `world` on.
 *
 * URDF has no start: links are where they are with all coordinates 0, as drawn. The frame of a link
 * is at the joint that holds it. With T for the pose of a body at the start and Z for that at 0,
 *
 *     Z_child = Z_parent T_parent^-1 D(-q) T_child,   D the motion of the joint
 */
#include "exchange/export.h"
#include "exchange/geometry.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

typedef struct writer {
    hol_export *ex;
    hol__robot *robot;
    hol__text *out;
    hol__placement *zero, *link; /* of each body: Z, and the frame of its link */
} writer;

/* ---- frames ---- */

/* The motion of a joint by its coordinate, in the world at the start. */
static hol__placement motion(const hol__robot_joint *j, double q) {
    hol__placement d = HOL__PLACEMENT_ZERO;
    if (j->kind == HOL__JOINT_SLIDE)
        for (int i = 0; i < 3; i++) d.r[i] = q * j->axis[i];
    if (j->kind != HOL__JOINT_HINGE) return d;
    d.q[0] = cos(q / 2);
    for (int i = 0; i < 3; i++) d.q[1 + i] = sin(q / 2) * j->axis[i];
    double turned[3];
    hol__placement_turn(&d, j->at, turned);
    hol__sub3(j->at, turned, d.r);
    return d;
}

/* The poses with all coordinates 0; joints come behind those of their parents. */
static void go_to_zero(writer *w) {
    const hol__placement world = HOL__PLACEMENT_ZERO;
    for (int i = 0; i < w->robot->n_joints; i++) {
        hol__robot_joint *j = &w->robot->joints[i];
        const hol__placement back =
            j->parent < 0 ? world : hol__placement_inverse(&w->robot->bodies[j->parent].at);
        const hol__placement up =
            j->parent < 0 ? world : hol__placement_mul(&w->zero[j->parent], &back);
        const hol__placement unwound = motion(j, -j->ref);
        const hol__placement child = hol__placement_mul(&unwound, &w->robot->bodies[j->child].at);
        double at[3], axis[3];
        w->zero[j->child] = hol__placement_mul(&up, &child);
        hol__placement_point(&up, j->at, at);
        hol__placement_turn(&up, j->axis, axis);
        memcpy(j->at, at, sizeof at);
        memcpy(j->axis, axis, sizeof axis);
        w->link[j->child] = w->zero[j->child];
        if (j->kind == HOL__JOINT_HINGE || j->kind == HOL__JOINT_SLIDE ||
            j->kind == HOL__JOINT_BALL)
            memcpy(w->link[j->child].r, at, sizeof at);
    }
}

/* Roll, pitch and yaw of a rotation. The yaw is that of what is left without the roll, so that
 * it is right where the pitch is a right angle, and the two are of one axis. */
static void to_rpy(const double q[4], double rpy[3]) {
    double R[9];
    hol__quat_matrix(q, R);
    const double across = hypot(R[0], R[3]);
    rpy[0] = across > 1e-14 ? atan2(R[7], R[8]) : 0;
    rpy[1] = atan2(-R[6], across);
    const double c = cos(rpy[0]), s = sin(rpy[0]);
    rpy[2] = atan2(-(R[1] * c - R[2] * s), R[4] * c - R[5] * s);
}

static void write_origin(writer *w, const hol__placement *at) {
    double r[3], rpy[3];
    to_rpy(at->q, rpy);
    for (int i = 0; i < 3; i++) r[i] = hol__clean(at->r[i], fmax(w->robot->size, 1e-3));
    for (int i = 0; i < 3; i++) rpy[i] = hol__clean(rpy[i], 1);
    if (hol__all_zero(r, 3) && hol__all_zero(rpy, 3)) return;
    hol__text_add(w->out, "    <origin");
    hol__export_numbers(w->ex, "xyz", 3, r);
    hol__export_numbers(w->ex, "rpy", 3, rpy);
    hol__text_add(w->out, "/>\n");
}

/* ---- links ---- */

static void write_inertial(writer *w, const hol__robot_body *b, const hol__placement *frame) {
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const int place[6] = {0, 4, 8, 1, 2, 5};
    hol__placement at = *frame;
    hol__placement_point(frame, b->com, at.r);
    hol__text_add(w->out, "  <inertial>\n");
    write_origin(w, &at);
    hol__text_add(w->out, "    <mass");
    hol__export_numbers(w->ex, "value", 1, &b->mass);
    hol__text_add(w->out, "/>\n    <inertia");
    for (int i = 0; i < 6; i++) hol__export_numbers(w->ex, names[i], 1, &b->J[place[i]]);
    hol__text_add(w->out, "/>\n  </inertial>\n");
}

static void write_visual(writer *w, const hol__drawn *d, const hol__placement *frame) {
    const hol__placement at = hol__placement_mul(frame, &d->at);
    double rgba[4];
    hol__text_add(w->out, "  <visual>\n");
    write_origin(w, &at);
    hol__text_add(w->out, "    <geometry><%s", d->type);
    if (strcmp(d->type, "box") == 0)
        hol__export_numbers(w->ex, "size", 3, d->size);
    else
        hol__export_numbers(w->ex, "radius", 1, d->size);
    if (strcmp(d->type, "cylinder") == 0) hol__export_numbers(w->ex, "length", 1, d->size + 1);
    hol__text_add(w->out, "/></geometry>\n");
    if (hol__color_numbers(d->color, rgba)) {
        hol__text_add(w->out, "    <material");
        hol__export_word(w->ex, "name", d->color);
        hol__text_add(w->out, "><color");
        hol__export_numbers(w->ex, "rgba", 4, rgba);
        hol__text_add(w->out, "/></material>\n");
    }
    hol__text_add(w->out, "  </visual>\n");
}

static void write_link(writer *w, int body) {
    const hol__robot_body *b = &w->robot->bodies[body];
    const hol__placement back = hol__placement_inverse(&w->link[body]);
    const hol__placement frame = hol__placement_mul(&back, &w->zero[body]);
    hol__text_add(w->out, " <link");
    hol__export_word(w->ex, "name", b->called);
    if (b->link && !b->drawn) {
        hol__text_add(w->out, "/>\n");
        return;
    }
    hol__text_add(w->out, ">\n");
    if (!b->link) write_inertial(w, b, &frame);
    for (const hol__drawn *d = b->drawn; d; d = d->next) write_visual(w, d, &frame);
    hol__text_add(w->out, " </link>\n");
}

/* ---- joints ---- */

/* The word of URDF for a joint. */
static const char *type_of(const hol__robot_joint *j) {
    const int limited = j->lower > -HUGE_VAL || j->upper < HUGE_VAL;
    if (j->kind == HOL__JOINT_HINGE) return limited ? "revolute" : "continuous";
    return j->kind == HOL__JOINT_SLIDE  ? "prismatic"
           : j->kind == HOL__JOINT_BALL ? "spherical"
           : j->kind == HOL__JOINT_FREE ? "floating"
                                        : "fixed";
}

/* The coupling in which a joint is the one that follows; NULL: none. */
static const hol__coupling *mimic_of(const hol_export *ex, int joint) {
    for (const hol__coupling *c = ex->couplings; c; c = c->next)
        if (c->n == 2 && c->joints[0] == joint) return c;
    return NULL;
}

/* Leave out what lets joints follow each other in a circle. */
static void open_circles(hol_export *ex) {
    const hol_location where = {ex->model->source, 1, 1};
    for (hol__coupling *c = ex->couplings; c; c = c->next) {
        const hol__coupling *up = c->n == 2 ? mimic_of(ex, c->joints[1]) : NULL;
        for (int k = 0; up && k < ex->im->robot.n_joints; k++) {
            if (up->joints[1] == c->joints[0]) break;
            up = mimic_of(ex, up->joints[1]);
        }
        if (!up) continue;
        c->n = 0;
        hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, where, c->name,
                     "it lets joints follow each other in a circle");
    }
}

static void write_joint(writer *w, int index) {
    const hol__robot_joint *j = &w->robot->joints[index];
    const hol__placement world = HOL__PLACEMENT_ZERO;
    const hol__placement back = j->parent < 0 ? world : hol__placement_inverse(&w->link[j->parent]);
    const hol__placement at = hol__placement_mul(&back, &w->link[j->child]);
    const hol__placement turn = hol__placement_inverse(&w->link[j->child]);
    const int moves = j->kind == HOL__JOINT_HINGE || j->kind == HOL__JOINT_SLIDE;
    double axis[3];
    hol__text_add(w->out, " <joint");
    hol__export_word(w->ex, "name", j->called);
    hol__text_add(w->out, " type=\"%s\">\n    <parent", type_of(j));
    hol__export_word(w->ex, "link", j->parent < 0 ? "world" : w->robot->bodies[j->parent].called);
    hol__text_add(w->out, "/><child");
    hol__export_word(w->ex, "link", w->robot->bodies[j->child].called);
    hol__text_add(w->out, "/>\n");
    write_origin(w, &at);
    if (moves) {
        hol__placement_turn(&turn, j->axis, axis);
        for (int i = 0; i < 3; i++) axis[i] = hol__clean(axis[i], 1);
        hol__text_add(w->out, "    <axis");
        hol__export_numbers(w->ex, "xyz", 3, axis);
        hol__text_add(w->out, "/>\n");
    }
    if (moves && strcmp(type_of(j), "continuous") != 0) {
        const double ends[2] = {fmax(j->lower, -1e15), fmin(j->upper, 1e15)};
        hol__text_add(w->out, "    <limit");
        hol__export_numbers(w->ex, "lower", 1, ends);
        hol__export_numbers(w->ex, "upper", 1, ends + 1);
        hol__text_add(w->out, " effort=\"1e15\" velocity=\"1e15\"/>\n");
    }
    if (j->damping != 0 || j->friction != 0) {
        hol__text_add(w->out, "    <dynamics");
        hol__export_numbers(w->ex, "damping", 1, &j->damping);
        hol__export_numbers(w->ex, "friction", 1, &j->friction);
        hol__text_add(w->out, "/>\n");
    }
    const hol__coupling *c = mimic_of(w->ex, index);
    if (c) {
        const double multiplier = -c->factors[1] / c->factors[0], offset = c->value / c->factors[0];
        hol__text_add(w->out, "    <mimic");
        hol__export_word(w->ex, "joint", w->robot->joints[c->joints[1]].called);
        hol__export_numbers(w->ex, "multiplier", 1, &multiplier);
        hol__export_numbers(w->ex, "offset", 1, &offset);
        hol__text_add(w->out, "/>\n");
    }
    hol__text_add(w->out, " </joint>\n");
}

/* ---- all ---- */

/* What of the model as a whole does not exist in URDF. */
static void note_whole(hol_export *ex) {
    const hol__robot *robot = &ex->im->robot;
    const hol_location where = {ex->model->source, 1, 1};
    const double *g = ex->model->gravity;
    int balls = 0, away = 0;
    if (g[0] != 0 || g[1] != 0 || fabs(g[2] + 9.81) > 1e-12)
        hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, where, "gravity",
                     "it is %g, %g, %g, and programs take 9.81 m/s^2 along -z for URDF", g[0], g[1],
                     g[2]);
    for (int i = 0; i < robot->n_joints; i++) {
        balls += robot->joints[i].kind == HOL__JOINT_BALL;
        away += robot->joints[i].ref != 0;
    }
    if (away)
        hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, where, "start",
                     "%d joint%s elsewhere than at 0, where URDF begins", away,
                     away == 1 ? " starts" : "s start");
    if (balls)
        hol__note_at(ex->im, HOL_IMPORT_CHANGED, where, "joints",
                     "%d of type spherical, an extension that few programs know", balls);
    open_circles(ex);
    for (const hol__coupling *c = ex->couplings; c; c = c->next)
        if (c->n && (c->n != 2 || mimic_of(ex, c->joints[0]) != c))
            hol__note_at(ex->im, HOL_IMPORT_LEFT_OUT, where, c->name,
                         "a joint follows one other joint in URDF");
}

void hol__export_urdf(hol_export *ex) {
    hol__robot *robot = &ex->im->robot;
    writer w = {.ex = ex, .robot = robot, .out = &ex->out};
    w.zero = HOL__NEW_N(&ex->im->arena, hol__placement, robot->n_bodies + 1);
    w.link = HOL__NEW_N(&ex->im->arena, hol__placement, robot->n_bodies + 1);
    if (!w.zero || !w.link) return;
    note_whole(ex);
    go_to_zero(&w);
    hol__text_add(w.out, "<?xml version=\"1.0\"?>\n<robot");
    hol__export_word(ex, "name", *ex->model->name ? ex->model->name : "robot");
    hol__text_add(w.out, ">\n <link name=\"world\"/>\n");
    for (int i = 0; i < robot->n_bodies; i++) write_link(&w, i);
    for (int i = 0; i < robot->n_joints; i++) write_joint(&w, i);
    hol__text_add(w.out, "</robot>\n");
}
