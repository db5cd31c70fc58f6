/* robot_settle.c: decisions about a robot before it is written: names, masses, merges.
 *
 * - A body without mass that a fixed joint holds becomes a part of the other body, with a point at
 *   its origin. With merge_fixed so does one with mass.
 * - One that moves and carries mass is a link: it gets the share `link_share` of the carried mass,
 *   at the joint, and no inertia. The motion differs by that share, which is rounding.
 * - One that moves and carries nothing is left out, with its joints and what hangs on it.
 * - An inertia that no body has (negative, or one principal value above the sum of the others) is
 *   an error; with repair_inertia all three become their mean.
 */
#include "exchange/import.h"

#include "math/eig3.h"
#include "model/plain.h"

#include <string.h>

static const double link_share = 1e-14;

/* ---- names ---- */

const char *hol__robot_key(hol_import *im, const char *name, const char *otherwise) {
    char *copy = hol__arena_text(&im->arena, name && *name ? name : otherwise);
    size_t n = copy ? strlen(copy) : 0;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)copy[i] <= ' ' || strchr("/\\:.'\"#{}[],&*?|<>=!%@`$()+;", copy[i]))
            copy[i] = '_';
    if (n > HOL__KEY_LENGTH - 40) {
        n = HOL__KEY_LENGTH - 40;
        while (n && ((unsigned char)copy[n] & 0xC0) == 0x80) n--;
        copy[n] = '\0';
    }
    return copy;
}

/* A name that is not taken yet, made of the wanted one; under each is the last number behind it. */
static const char *unique(hol_import *im, hol__name_tree *taken, const char *wanted) {
    const char *name = wanted;
    uintptr_t *last = wanted ? hol__name_tree_find(taken, wanted) : NULL;
    while (name && hol__name_tree_find(taken, name))
        name = hol__arena_format(&im->arena, "%s_%d", wanted, (int)++*last);
    if (name) hol__name_tree_add(taken, &im->arena, name, 1);
    return name;
}

/* Say where a name is not that of the source. */
static void say_name(hol_import *im, const hol__xml *element, const char *name,
                     const char *called) {
    if (!element || !called) return;
    if (name && strcmp(name, called) != 0)
        hol__note(im, HOL_IMPORT_CHANGED, element, "name", "is called '%s' here", called);
    else if (!name)
        hol__note(im, HOL_IMPORT_CHANGED, element, NULL, "has no name; it is called '%s' here",
                  called);
}

void hol__robot_give_names(hol_import *im) {
    hol__robot *robot = &im->robot;
    hol__name_tree bodies = {NULL}, joints = {NULL};
    hol__name_tree_add(&bodies, &im->arena, "ground", 1);
    if (!im->spec) hol__name_tree_add(&bodies, &im->arena, "world", 1); /* an export */
    for (int i = 0; i < robot->n_bodies; i++) {
        hol__robot_body *b = &robot->bodies[i];
        b->called = unique(im, &bodies, hol__robot_key(im, b->name, "body"));
        if (!b->link) say_name(im, b->element, b->name, b->called);
    }
    for (int i = 0; i < robot->n_joints; i++) {
        hol__robot_joint *j = &robot->joints[i];
        const char *otherwise = j->child >= 0 ? hol__arena_format(&im->arena, "%s_joint",
                                                                  robot->bodies[j->child].called)
                                              : "joint";
        j->called = unique(im, &joints, hol__robot_key(im, j->name, otherwise));
        const int quiet = j->kind == HOL__JOINT_FREE || j->kind == HOL__JOINT_FIXED;
        if (j->name || !quiet) say_name(im, j->element, j->name, j->called);
    }
}

/* ---- inertias ---- */

/* Three equal principal values in the place of what no body has; or an error. */
static void mend_inertia(hol_import *im, hol__robot_body *b, const double e[3]) {
    const double mean = (e[0] + e[1] + e[2]) / 3;
    if (!im->how.repair_inertia || !(mean > 0)) {
        hol__import_error(
            im, b->element, NULL,
            "its inertia has the principal values %g, %g, %g, which no body has (none "
            "is negative, and none above the sum of the others): correct it, or "
            "import it with --repair-inertia",
            e[0], e[1], e[2]);
        return;
    }
    memset(b->J, 0, sizeof b->J);
    b->J[0] = b->J[4] = b->J[8] = mean;
    hol__note(
        im, HOL_IMPORT_CHANGED, b->element, NULL,
        "its inertia has the principal values %g, %g, %g, which no body has; all are %g here, "
        "their mean",
        e[0], e[1], e[2], mean);
}

static void check_inertias(hol_import *im) {
    for (int i = 0; i < im->robot.n_bodies; i++) {
        hol__robot_body *b = &im->robot.bodies[i];
        double e[3];
        if (b->link || hol__all_zero(b->J, 9)) continue;
        hol__eigenvalues3(b->J, e);
        const double scale = fabs(e[0]) + fabs(e[1]) + fabs(e[2]);
        if (b->mass < 0)
            hol__import_error(im, b->element, NULL, "its mass is %g; no body has that", b->mass);
        else if (e[0] < -1e-12 * scale || e[0] + e[1] < e[2] * (1 - 1e-9))
            mend_inertia(im, b, e);
    }
}

/* ---- merging ---- */

static int is_tree_joint(const hol__robot_joint *j) {
    return !j->closes && !j->out && j->child >= 0;
}

/* What b is part of in the end. */
static int final_body(const hol__robot *robot, int b) {
    while (b >= 0 && robot->bodies[b].into != b) b = robot->bodies[b].into;
    return b;
}

const char *hol__robot_called(const hol__robot *robot, int body) {
    const int b = final_body(robot, body);
    return b < 0 ? "ground" : robot->bodies[b].called;
}

/* Put what b is and shows into the body that holds it. */
static void merge_into(hol_import *im, int b, int into) {
    hol__robot_body *from = &im->robot.bodies[b];
    from->into = into;
    if (into < 0 && from->drawn && from->element)
        hol__note(im, HOL_IMPORT_NO_EFFECT, from->element, NULL,
                  "ground is not drawn, nor what becomes a part of it");
    if (into < 0) return;
    hol__robot_body *to = &im->robot.bodies[into];
    const hol__placement back = hol__placement_inverse(&to->at);
    const hol__placement rel = hol__placement_mul(&back, &from->at);
    double com[3], J[9];
    hol__placement_point(&rel, from->com, com);
    hol__turn_inertia(rel.q, from->J, J);
    if (from->mass != 0) hol__add_inertia(to, from->mass, com, J);
    for (hol__drawn *d = from->drawn; d; d = d->next) d->at = hol__placement_mul(&rel, &d->at);
    if (!from->drawn) return;
    if (to->last_drawn)
        to->last_drawn->next = from->drawn;
    else
        to->drawn = from->drawn;
    to->last_drawn = from->last_drawn;
}

/* Bodies that fixed joints hold, those without mass or all, from the ends of chains inwards: a
 * joint comes behind that of its parent, so from the last to the first. */
static void merge_fixed(hol_import *im) {
    hol__robot *robot = &im->robot;
    for (int i = 0; i < robot->n_bodies; i++) {
        robot->bodies[i].own_mass = robot->bodies[i].mass;
        memcpy(robot->bodies[i].own_com, robot->bodies[i].com, sizeof robot->bodies[i].com);
    }
    for (int i = robot->n_joints - 1; i >= 0; i--) {
        hol__robot_joint *j = &robot->joints[i];
        if (!is_tree_joint(j) || j->kind != HOL__JOINT_FIXED) continue;
        const hol__robot_body *b = &robot->bodies[j->child];
        const int into = final_body(robot, j->parent);
        if ((b->mass > 0 && !im->how.merge_fixed) || into == j->child) continue;
        j->out = 1;
        merge_into(im, j->child, into);
    }
    /* from the root outwards, each knows its last one: chains of parts are not walked again */
    for (int i = 0; i < robot->n_joints; i++)
        if (robot->joints[i].child >= 0)
            robot->bodies[robot->joints[i].child].into = final_body(robot, robot->joints[i].child);
    for (int i = 0; i < robot->n_bodies; i++) {
        const hol__robot_body *b = &robot->bodies[i];
        if (b->into == i || !b->element) continue;
        hol__note(im, HOL_IMPORT_CHANGED, b->element, NULL,
                  "%s: it is part of '%s' here, and its origin the point '%s'",
                  b->mass > 0 ? "a fixed joint holds it"
                              : "it has no mass and a fixed joint holds it",
                  hol__robot_called(robot, i), b->called);
    }
}

/* ---- bodies without mass that move ---- */

/* The mass of each body with all that its tree joints carry; memory for it, or NULL. */
static double *carried_masses(hol_import *im) {
    const hol__robot *robot = &im->robot;
    double *mass = HOL__NEW_N(&im->arena, double, robot->n_bodies + 1);
    for (int i = 0; mass && i < robot->n_bodies; i++)
        mass[i] = robot->bodies[i].into == i ? robot->bodies[i].mass : 0;
    for (int i = robot->n_joints - 1; mass && i >= 0; i--) {
        const hol__robot_joint *j = &robot->joints[i];
        const int parent = final_body(robot, j->parent);
        if (is_tree_joint(j) && parent >= 0 && final_body(robot, j->child) != parent)
            mass[parent] += mass[final_body(robot, j->child)];
    }
    return mass;
}

/* Which bodies something holds that closes a loop, which may carry what a tree does not; memory for
 * it, or NULL. */
static char *bodies_in_loops(hol_import *im) {
    const hol__robot *robot = &im->robot;
    char *held = HOL__NEW_N(&im->arena, char, robot->n_bodies + 1);
    for (int i = 0; held && i < robot->n_joints; i++) {
        const hol__robot_joint *j = &robot->joints[i];
        const int a = final_body(robot, j->parent), b = final_body(robot, j->child);
        if (j->closes && a >= 0) held[a] = 1;
        if (j->closes && b >= 0) held[b] = 1;
    }
    return held;
}

/* Leave out the joints at bodies that are left out. */
static void leave_out_joints(hol__robot *robot) {
    for (int i = 0; i < robot->n_joints; i++) {
        hol__robot_joint *j = &robot->joints[i];
        const int a = final_body(robot, j->parent), b = final_body(robot, j->child);
        if ((a >= 0 && robot->bodies[a].out) || (b >= 0 && robot->bodies[b].out)) j->out = 1;
    }
}

/* Leave a body out that carries nothing. */
static void leave_out(hol_import *im, int b) {
    hol__robot *robot = &im->robot;
    robot->bodies[b].out = 1;
    hol__note(im, HOL_IMPORT_LEFT_OUT, robot->bodies[b].element, NULL,
              "it moves, and neither it nor anything that it carries has mass: it is left out with "
              "its joints; give it an inertia if it is to move");
}

/* Links between joints get next to no mass; what carries nothing is left out. */
static void settle_massless(hol_import *im) {
    hol__robot *robot = &im->robot;
    const double *mass = carried_masses(im);
    const char *held = bodies_in_loops(im);
    double all = 0;
    for (int i = 0; i < robot->n_bodies; i++)
        all += robot->bodies[i].into == i ? robot->bodies[i].mass : 0;
    for (int i = 0; mass && held && i < robot->n_bodies; i++) {
        hol__robot_body *b = &robot->bodies[i];
        if (b->into != i || b->mass > 0) continue;
        if (!(mass[i] > 0) && !held[i]) {
            leave_out(im, i);
            continue;
        }
        const double carried = mass[i] > 0 ? mass[i] : all;
        if (!b->link)
            hol__note(im, HOL_IMPORT_CHANGED, b->element, NULL,
                      "it moves and has no mass; it gets %g kg, 1e-14 of what it carries, which "
                      "does not show in the motion",
                      link_share * carried);
        b->mass = link_share * carried;
        b->link = 1;
    }
    leave_out_joints(robot);
}

/* ---- how large it is ---- */

void hol__robot_measure_size(hol__robot *robot) {
    double size = 0;
    for (int i = 0; i < robot->n_bodies; i++)
        for (int k = 0; k < 3; k++) size = fmax(size, fabs(robot->bodies[i].at.r[k]));
    for (int i = 0; i < robot->n_joints; i++)
        for (int k = 0; k < 3; k++) size = fmax(size, fabs(robot->joints[i].at[k]));
    robot->size = size;
}

/* Whether anything is left that moves; says so otherwise. */
static int is_anything_left(hol_import *im) {
    for (int i = 0; i < im->robot.n_bodies; i++)
        if (im->robot.bodies[i].into == i && !im->robot.bodies[i].out) return 1;
    hol__import_error(im, im->root, NULL,
                      "nothing in it has mass and moves: there is nothing to simulate (links want "
                      "an inertia)");
    return 0;
}

int hol__robot_settle(hol_import *im) {
    const int errors = hol_message_count_of(im->ctx, HOL_ERROR);
    hol__robot_measure_size(&im->robot);
    hol__robot_start_followers(im);
    hol__robot_give_names(im);
    check_inertias(im);
    merge_fixed(im);
    settle_massless(im);
    if (!is_anything_left(im)) return 0;
    return hol_message_count_of(im->ctx, HOL_ERROR) == errors && !im->arena.failed;
}
