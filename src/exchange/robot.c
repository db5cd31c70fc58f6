/* robot.c: filling a robot: frames, inertias, bodies, joints. */
#include "exchange/import.h"

#include "math/quat.h"

#include <string.h>

/* ---- frames ---- */

void hol__placement_turn(const hol__placement *a, const double x[3], double out[3]) {
    double R[9], y[3] = {x[0], x[1], x[2]};
    hol__quat_matrix(a->q, R);
    hol__mul3(R, y, out);
}

void hol__placement_point(const hol__placement *a, const double x[3], double out[3]) {
    double turned[3];
    hol__placement_turn(a, x, turned);
    hol__add3(a->r, turned, out);
}

hol__placement hol__placement_mul(const hol__placement *a, const hol__placement *b) {
    hol__placement out;
    hol__placement_point(a, b->r, out.r);
    hol__quat_mul(a->q, b->q, out.q);
    hol__quat_normalize(out.q);
    return out;
}

hol__placement hol__placement_inverse(const hol__placement *a) {
    hol__placement out = {{0, 0, 0}, {a->q[0], -a->q[1], -a->q[2], -a->q[3]}};
    const double back[3] = {-a->r[0], -a->r[1], -a->r[2]};
    hol__placement_turn(&out, back, out.r);
    return out;
}

void hol__quat_rpy(const double rpy[3], double q[4]) {
    const double x[4] = {cos(rpy[0] / 2), sin(rpy[0] / 2), 0, 0};
    const double y[4] = {cos(rpy[1] / 2), 0, sin(rpy[1] / 2), 0};
    const double z[4] = {cos(rpy[2] / 2), 0, 0, sin(rpy[2] / 2)};
    double yx[4];
    hol__quat_mul(y, x, yx);
    hol__quat_mul(z, yx, q);
    hol__quat_normalize(q);
}

/* ---- inertias ---- */

void hol__turn_inertia(const double q[4], const double J[9], double out[9]) {
    double R[9], RJ[9];
    hol__quat_matrix(q, R);
    hol__mat3_mul(R, J, RJ);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = hol__dot3(RJ + 3 * i, R + 3 * j);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++)
            out[3 * i + j] = out[3 * j + i] = 0.5 * (out[3 * i + j] + out[3 * j + i]);
}

/* J += m (|d|^2 1 - d d^T) */
static void add_offset(double J[9], double m, const double d[3]) {
    const double d2 = hol__dot3(d, d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) J[3 * i + j] += m * ((i == j ? d2 : 0) - d[i] * d[j]);
}

void hol__add_inertia(hol__robot_body *body, double m, const double c[3], const double J[9]) {
    const double sum = body->mass + m;
    double com[3], d[3];
    if (!(sum != 0)) return;
    for (int i = 0; i < 3; i++) com[i] = (body->mass * body->com[i] + m * c[i]) / sum;
    hol__sub3(body->com, com, d);
    add_offset(body->J, body->mass, d);
    hol__sub3(c, com, d);
    add_offset(body->J, m, d);
    for (int i = 0; i < 9; i++) body->J[i] += J[i];
    memcpy(body->com, com, sizeof com);
    body->mass = sum;
}

/* ---- bodies and joints ---- */

int hol__robot_add_body(hol_import *im, const char *name, const hol__xml *element,
                        const hol__placement *at) {
    hol__robot *robot = &im->robot;
    hol__robot_body *grown =
        hol__arena_grow(&im->arena, robot->bodies, sizeof *grown, robot->n_bodies,
                        &robot->room_bodies, robot->n_bodies + 1);
    if (!grown) return -1;
    robot->bodies = grown;
    grown[robot->n_bodies] =
        (hol__robot_body){.name = name, .element = element, .at = *at, .into = robot->n_bodies};
    if (name) hol__name_tree_add(&robot->body_names, &im->arena, name, (uintptr_t)robot->n_bodies);
    return robot->n_bodies++;
}

int hol__robot_add_joint(hol_import *im, const char *name, const hol__xml *element,
                         hol__joint_kind kind, int parent, int child) {
    hol__robot *robot = &im->robot;
    hol__robot_joint *grown =
        hol__arena_grow(&im->arena, robot->joints, sizeof *grown, robot->n_joints,
                        &robot->room_joints, robot->n_joints + 1);
    if (!grown) return -1;
    robot->joints = grown;
    grown[robot->n_joints] = (hol__robot_joint){.name = name,
                                                .element = element,
                                                .kind = kind,
                                                .parent = parent,
                                                .child = child,
                                                .axis = {0, 0, 1},
                                                .lower = -HUGE_VAL,
                                                .upper = HUGE_VAL};
    if (name) hol__name_tree_add(&robot->joint_names, &im->arena, name, (uintptr_t)robot->n_joints);
    return robot->n_joints++;
}

int hol__robot_add_link(hol_import *im, const char *name, const hol__xml *element,
                        const hol__placement *at) {
    const int link = hol__robot_add_body(im, name, element, at);
    if (link >= 0) im->robot.bodies[link].link = 1;
    return link;
}

int hol__robot_body_named(const hol__robot *robot, const char *name) {
    const uintptr_t *found = name ? hol__name_tree_find(&robot->body_names, name) : NULL;
    return found ? (int)*found : -1;
}

int hol__robot_joint_named(const hol__robot *robot, const char *name) {
    const uintptr_t *found = name ? hol__name_tree_find(&robot->joint_names, name) : NULL;
    return found ? (int)*found : -1;
}

hol__drawn *hol__robot_draw(hol_import *im, int body, const char *type, const hol__placement *at) {
    hol__drawn *drawn = HOL__NEW(&im->arena, hol__drawn);
    hol__robot_body *b = body >= 0 ? &im->robot.bodies[body] : NULL;
    if (!drawn || !b) return drawn;
    drawn->type = type;
    drawn->at = *at;
    if (b->last_drawn)
        b->last_drawn->next = drawn;
    else
        b->drawn = drawn;
    b->last_drawn = drawn;
    return drawn;
}
