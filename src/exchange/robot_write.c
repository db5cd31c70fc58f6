/* robot_write.c: a settled robot as a description: points, bodies, joints, what acts in them. */
#include "exchange/import.h"

#include "common/number.h"
#include "math/vec3.h"
#include "model/node.h"

#include <string.h>

/* ---- numbers ---- */

/* Products of rotations leave some 1e-16 of the largest number; 15 digits do not show it. */
double hol__clean(double x, double size) {
    char buf[HOL__NUMBER_SIZE];
    const char *end;
    if (!(fabs(x) > 8e-16 * size)) return 0;
    hol__number_write(x, 15, buf);
    return hol__number_read(buf, &end);
}

void hol__item_clean(hol_item *item, const char *key, int n, const double *x, double size) {
    double clean[9];
    for (int i = 0; i < n; i++) clean[i] = hol__clean(x[i], size);
    hol_item_vector(item, key, n, clean);
}

/* ---- items ---- */

const char *hol__robot_name(hol_import *im, const char *section, const char *wanted) {
    const hol__node *parent = hol_spec_section(im->spec, section);
    const char *key = hol__robot_key(im, wanted, section), *name = key;
    const char *counter = key && hol__node_get(parent, key)
                              ? hol__arena_format(&im->arena, "%s/%s", section, key)
                              : NULL;
    if (!counter || !hol__name_tree_add(&im->robot.numbers, &im->arena, counter, 1)) return key;
    uintptr_t *last = hol__name_tree_find(&im->robot.numbers, counter);
    while (name && hol__node_get(parent, name))
        name = hol__arena_format(&im->arena, "%s_%d", key, (int)++*last);
    return name;
}

hol_item *hol__robot_item(hol_import *im, const char *section, const char *name, const char *type,
                          const hol__xml *element) {
    const char *called = name ? hol__robot_name(im, section, name) : NULL;
    hol_item *item = called ? hol_spec_add(im->spec, section, called, type) : NULL;
    if (item && element) {
        item->where = item->key_at = element->where;
        item->where.file = item->key_at.file =
            hol__arena_text(&im->spec->arena, element->where.file);
    }
    return item;
}

hol_item *hol__robot_joint_item(hol_import *im, const char *section, const hol__robot_joint *joint,
                                const char *suffix, const char *type) {
    return hol__robot_item(im, section,
                           hol__arena_format(&im->arena, "%s_%s", joint->called, suffix), type,
                           joint->element);
}

const char *hol__robot_point(hol_import *im, const char *wanted, const double x[3]) {
    const char *name = hol__robot_name(im, "points", wanted);
    if (name) hol__item_clean(hol_spec_section(im->spec, "points"), name, 3, x, im->robot.size);
    return name;
}

/* ---- bodies ---- */

/* One shape that is drawn. */
static void write_drawn(hol_import *im, hol_item *list, const hol__drawn *d) {
    hol_item *item = hol__node_add(im->spec, list, NULL, HOL__MAP);
    const double identity[4] = {1, 0, 0, 0};
    if (!item) return;
    hol_item_text(item, "type", d->type);
    if (strcmp(d->type, "box") == 0)
        hol_item_vector(item, "size", 3, d->size);
    else if (strcmp(d->type, "mesh") != 0)
        hol_item_number(item, "radius", d->size[0]);
    if (strcmp(d->type, "cylinder") == 0 || strcmp(d->type, "cone") == 0)
        hol_item_number(item, "length", d->size[1]);
    if (d->file) {
        hol_item_text(item, "file", d->file);
        hol__node *file = hol__node_get(item, "file");
        if (file) file->where.file = hol__arena_format(&im->spec->arena, "%s/", im->from);
        if (d->scale != 1) hol_item_number(item, "scale", d->scale);
    }
    hol__item_clean(item, "at", 3, d->at.r, 1); /* else at the mass centre */
    if (strcmp(d->type, "sphere") != 0 && memcmp(d->at.q, identity, sizeof identity) != 0) {
        hol_item *turn = hol_item_map(item, "orientation");
        hol__item_clean(turn, "quaternion", 4, d->at.q, 1);
    }
    if (d->color[0]) {
        hol_item_text(item, "color", d->color);
        hol__node *color = hol__node_get(item, "color");
        if (color) color->quoted = 1;
    }
}

/* The inertia of a body by three or six numbers. */
static void write_inertia(hol_item *item, const hol__robot_body *b) {
    const double J[6] = {b->J[0], b->J[4], b->J[8], b->J[1], b->J[2], b->J[5]};
    const double size = fabs(J[0]) + fabs(J[1]) + fabs(J[2]);
    const int diagonal = fabs(J[3]) + fabs(J[4]) + fabs(J[5]) <= 1e-15 * size;
    if (hol__all_zero(J, 6))
        hol_item_number(item, "inertia", 0);
    else
        hol__item_clean(item, "inertia", diagonal ? 3 : 6, J, size);
}

static void write_body(hol_import *im, const hol__robot_body *b) {
    const double size = im->robot.size;
    hol_item *item = hol__robot_item(im, "bodies", b->called, NULL, b->element);
    hol_item_number(item, "mass", hol__clean(b->mass, 0));
    write_inertia(item, b);
    if (!hol__all_zero(b->com, 3)) hol__item_clean(item, "com", 3, b->com, hol__norm3(b->com));
    hol__item_clean(item, "position", 3, b->at.r, size);
    if (fabs(b->at.q[0]) < 1 - 1e-16 || !hol__all_zero(b->at.q + 1, 3)) {
        hol_item *turn = hol_item_map(item, "orientation");
        hol__item_clean(turn, "quaternion", 4, b->at.q, 1);
    }
    if (!b->drawn || !item) return;
    hol__node *list = hol__node_add(im->spec, item, "draw", HOL__LIST);
    for (const hol__drawn *d = b->drawn; d && list; d = d->next) write_drawn(im, list, d);
}

/* Bodies, and points for those that became parts of others. */
static void write_bodies(hol_import *im) {
    const hol__robot *robot = &im->robot;
    for (int i = 0; i < robot->n_bodies; i++) {
        const hol__robot_body *b = &robot->bodies[i];
        if (b->into == i && !b->out) write_body(im, b);
        if (b->into != i) hol__robot_point(im, b->called, b->at.r);
    }
}

/* ---- joints ---- */

/* The words of the model file for a kind. */
static const char *type_of(hol__joint_kind kind) {
    static const char *const types[] = {"fixed",  "revolute",  "prismatic", "spherical",
                                        "planar", "universal", "screw",     NULL};
    return types[kind];
}

static int has_coordinate(const hol__robot_joint *j) {
    return j->kind == HOL__JOINT_HINGE || j->kind == HOL__JOINT_SLIDE;
}

static void write_joint(hol_import *im, const hol__robot_joint *j) {
    const hol__robot *robot = &im->robot;
    const char *bodies[2] = {hol__robot_called(robot, j->parent),
                             hol__robot_called(robot, j->child)};
    if (!type_of(j->kind)) return;
    hol_item *item = hol__robot_item(im, "joints", j->called, type_of(j->kind), j->element);
    hol_item_texts(item, "bodies", 2, bodies);
    const char *at = hol__robot_point(im, j->called, j->at);
    if (at) hol_item_text(item, "at", at);
    if (j->kind != HOL__JOINT_FIXED && j->kind != HOL__JOINT_BALL)
        hol__item_clean(item, "axis", 3, j->axis, 1);
    if (j->kind == HOL__JOINT_UNIVERSAL) hol__item_clean(item, "axis_second", 3, j->axis_second, 1);
    if (j->kind == HOL__JOINT_SCREW) hol_item_number(item, "pitch", j->pitch);
    if (j->closes) hol_item_text(item, "cut", "true");
    if (robot->starts && !j->closes && has_coordinate(j))
        hol_item_number(hol_item_map(item, "start"),
                        j->kind == HOL__JOINT_SLIDE ? "displacement" : "angle",
                        hol__clean(j->start, 0));
}

/* ---- what acts in a joint ---- */

/* Ends of the travel: rigid, or springs where the source says how stiff. */
static void write_limits(hol_import *im, const hol__robot_joint *j) {
    const int low = j->lower > -HUGE_VAL, high = j->upper < HUGE_VAL;
    if (!low && !high) return;
    hol_item *item = hol__robot_joint_item(im, j->stiff > 0 ? "forces" : "joints", j, "stop",
                                           j->stiff > 0 ? "limit" : "rigid_stop");
    hol_item_text(item, "joint", j->called);
    if (low) hol_item_number(item, "lower", hol__clean(j->lower, 1));
    if (high) hol_item_number(item, "upper", hol__clean(j->upper, 1));
    if (!(j->stiff > 0)) return;
    hol_item_number(item, "stiffness", j->stiff);
    if (j->lossy > 0) hol_item_number(item, "damping", j->lossy);
}

/* Spring and damper along the coordinate. */
static void write_spring(hol_import *im, const hol__robot_joint *j) {
    const int slides = j->kind == HOL__JOINT_SLIDE;
    if (j->stiffness == 0 && j->damping == 0) return;
    hol_item *item =
        hol__robot_joint_item(im, "forces", j, j->stiffness != 0 ? "spring" : "damping",
                              slides ? "axial_spring" : "torsion");
    if (slides) {
        const char *bodies[2] = {hol__robot_called(&im->robot, j->parent),
                                 hol__robot_called(&im->robot, j->child)};
        hol_item_texts(item, "bodies", 2, bodies);
        hol_item_text(item, "from", j->called);
        hol_item_text(item, "to", j->called);
        hol__item_clean(item, "axis", 3, j->axis, 1);
    } else
        hol_item_text(item, "joint", j->called);
    if (j->stiffness != 0) {
        hol_item_number(item, "stiffness", j->stiffness);
        if (j->spring_at != 0 || slides)
            hol_item_number(item, slides ? "free_length" : "free_angle",
                            hol__clean(j->spring_at, 1));
    }
    if (j->damping != 0) hol_item_number(item, "damping", j->damping);
}

/* Dry friction. */
static void write_friction(hol_import *im, const hol__robot_joint *j) {
    if (!(j->friction > 0)) return;
    hol_item *item = hol__robot_joint_item(im, "forces", j, "friction", "friction");
    hol_item_text(item, "joint", j->called);
    hol_item_number(item, "level", j->friction);
}

/* Inertia of a motor that turns with the joint's coordinate alone, 1/2 I q'^2: a rotor on ground
 * whose angle is that coordinate. */
static void write_armature(hol_import *im, int index) {
    const hol__robot_joint *j = &im->robot.joints[index];
    if (!(j->armature > 0)) return;
    hol_item *rotor = hol__robot_joint_item(im, "bodies", j, "rotor", NULL);
    if (!rotor) return;
    hol_item_number(rotor, "mass", j->armature);
    hol_item_number(rotor, "inertia", j->armature);
    hol_item_text(rotor, "position", j->called);
    hol_item *bearing = hol__robot_joint_item(im, "joints", j, "bearing", "revolute");
    const char *bodies[2] = {"ground", rotor->key};
    hol_item_texts(bearing, "bodies", 2, bodies);
    hol_item_text(bearing, "at", j->called);
    hol__item_clean(bearing, "axis", 3, j->axis, 1);
    hol_item *coupler = hol__robot_joint_item(im, "joints", j, "armature", "coupler");
    if (!coupler || !bearing) return;
    hol_item *coordinates = hol_item_map(coupler, "coordinates");
    hol_item_text(hol_item_map(coordinates, "a"), "joint", j->called);
    hol_item_text(hol_item_map(coordinates, "b"), "joint", bearing->key);
    hol_item_vector(coupler, "factors", 2, (const double[2]){1, -1});
}

static void write_acting(hol_import *im, int index) {
    const hol__robot_joint *j = &im->robot.joints[index];
    if (!has_coordinate(j)) return;
    write_limits(im, j);
    write_spring(im, j);
    write_friction(im, j);
    write_armature(im, index);
    hol__robot_measure(im, index, 0);
}

void hol__robot_write(hol_import *im) {
    hol__robot *robot = &im->robot;
    for (int i = 0; i < robot->n_joints; i++) robot->starts |= robot->joints[i].start != 0;
    write_bodies(im);
    for (int i = 0; i < robot->n_joints; i++)
        if (!robot->joints[i].out) write_joint(im, &robot->joints[i]);
    for (int i = 0; i < robot->n_joints; i++)
        if (!robot->joints[i].out) write_acting(im, i);
    hol__robot_write_followers(im);
    hol__robot_write_weights(im);
    hol_item_number(hol_spec_section(im->spec, "simulation"), "end", 1);
}
