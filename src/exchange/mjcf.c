/* mjcf.c: MuJoCo's MJCF: a tree of bodies with joints, and what is added to it. */
#include "exchange/mjcf.h"

#include <string.h>

/* Torques against the relative rotation of balls: b (omega_parent - omega_child), by measures. */
static void write_ball_damping(hol__mjcf *m) {
    hol_import *im = m->im;
    const hol__robot *robot = &im->robot;
    for (int i = 0; i < robot->n_joints; i++) {
        const hol__robot_joint *j = &robot->joints[i];
        if (j->kind != HOL__JOINT_BALL || j->out || j->closes || j->damping == 0) continue;
        const char *bodies[2] = {hol__robot_called(robot, j->parent),
                                 hol__robot_called(robot, j->child)};
        const char *names[2] = {NULL, NULL}, *torque[3], *axes[] = {"x", "y", "z"};
        for (int k = 0; k < 2; k++) {
            if (strcmp(bodies[k], "ground") == 0) continue;
            names[k] = hol__robot_name(im, "measures",
                                       hol__arena_format(&im->arena, "omega_%d_%d", i + 1, k + 1));
            hol_item *w = hol__robot_item(im, "measures", names[k], "angular_velocity", j->element);
            hol_item_text(w, "body", bodies[k]);
        }
        for (int k = 0; k < 3; k++)
            torque[k] = hol__arena_format(
                &im->arena, names[0] ? "-%s*(%s.%s - %s.%s)" : "-%s*%s.%s",
                hol__mjcf_number(im, j->damping), names[1], axes[k], names[0], axes[k]);
        hol_item *item = hol__robot_joint_item(im, "forces", j, "damping", "torque");
        hol_item_text(item, "body", bodies[1]);
        if (names[0]) hol_item_text(item, "reaction", bodies[0]);
        hol_item_texts(item, "torque", 3, torque);
    }
}

/* Scale all masses to the total that is asked for. */
static void scale_masses(hol__mjcf *m) {
    hol__robot *robot = &m->im->robot;
    double sum = 0;
    for (int i = 0; i < robot->n_bodies; i++) sum += robot->bodies[i].mass;
    if (!(m->total_mass > 0) || !(sum > 0)) return;
    const double k = m->total_mass / sum;
    for (int i = 0; i < robot->n_bodies; i++) {
        robot->bodies[i].mass *= k;
        for (int j = 0; j < 9; j++) robot->bodies[i].J[j] *= k;
    }
    hol__note(m->im, HOL_IMPORT_CHANGED, m->im->root, NULL,
              "all masses and inertias are multiplied by %g (settotalmass)", k);
}

void hol__import_mjcf(hol_import *im) {
    hol__mjcf m = {.im = im,
                   .degrees = 1,
                   .autolimits = 1,
                   .euler = "xyz",
                   .inertia_from = HOL__MJCF_AUTO,
                   .total_mass = -1,
                   .groups = {0, 5},
                   .gravity = {0, 0, -9.81}};
    const hol__placement world = HOL__PLACEMENT_ZERO;
    if (!hol__mjcf_include(im, im->root, 0)) return;
    const char *name = hol__xml_value(im->root, "model");
    if (name && *name) hol_item_text(hol_spec_root(im->spec), "name", name);
    hol__mjcf_settings(&m);
    hol_item_vector(hol_spec_root(im->spec), "gravity", 3, m.gravity);
    memcpy(im->robot.gravity, m.gravity, sizeof m.gravity);
    hol__xml *first = hol__xml_child(im->root, "worldbody");
    for (hol__xml *w = first; w; w = hol__xml_next(w))
        hol__mjcf_bodies(&m, w, HOL__GROUND, &world, hol__xml_value(w, "childclass"));
    if (!im->robot.n_bodies) {
        hol__import_error(im, im->root, NULL, "this model has no bodies");
        return;
    }
    scale_masses(&m);
    hol__mjcf_equality_joints(&m);
    hol__mjcf_tendons(&m);
    hol__mjcf_starts(&m);
    if (!hol__robot_settle(im)) return;
    hol__robot_write(im);
    write_ball_damping(&m);
    hol__mjcf_equalities(&m);
    hol__mjcf_tendon_forces(&m);
    hol__mjcf_actuators(&m);
    if (m.n_touching)
        hol__note(im, HOL_IMPORT_LEFT_OUT, first, NULL,
                  "contact is not carried over: %d geoms pass through each other here",
                  m.n_touching);
    hol__note(im, HOL_IMPORT_CHANGED, im->root, NULL, "MJCF does not say how long to run: 1 s");
    hol__note_unused(im, im->root, hol__mjcf_known);
}
