/* robot_laws.c: laws over the coordinates of a robot's joints: couplings, measures, actuators. */
#include "exchange/import.h"

#include "model/node.h"

#include <string.h>

void hol__robot_couple(hol_import *im, const hol__xml *element, const char *name, int n,
                       const int *joints, const double *factors, double value) {
    static const char *const names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < n; i++)
        if (im->robot.joints[joints[i]].out) {
            hol__note(im, HOL_IMPORT_LEFT_OUT, element, NULL,
                      "it couples the joint '%s', which was left out",
                      im->robot.joints[joints[i]].called);
            return;
        }
    hol_item *item = hol__robot_item(im, "joints", name, "coupler", element);
    hol_item *coordinates = item ? hol_item_map(item, "coordinates") : NULL;
    if (!coordinates) return;
    for (int i = 0; i < n; i++)
        hol_item_text(hol_item_map(coordinates, names[i]), "joint",
                      im->robot.joints[joints[i]].called);
    hol_item_vector(item, "factors", n, factors);
    if (value != 0) hol_item_number(item, "value", hol__clean(value, 0));
}

/* A name that expressions may use. */
static const char *as_word(hol_import *im, const char *prefix, const char *name) {
    char *word = hol__arena_format(&im->arena, "%s%s", prefix, name);
    for (char *s = word; s && *s; s++)
        if (!((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9')))
            *s = '_';
    return word;
}

const char *hol__robot_measure(hol_import *im, int joint, int rate) {
    const hol__robot_joint *j = &im->robot.joints[joint];
    const char *wanted = as_word(im, rate ? "rate_" : "q_", j->called);
    const hol__node *there =
        wanted ? hol__node_get(hol_spec_section(im->spec, "measures"), wanted) : NULL;
    const hol__node *of = there ? hol__node_get(there, "joint") : NULL;
    if (of && of->text && strcmp(of->text, j->called) == 0) return wanted;
    hol_item *item = hol__robot_item(im, "measures", wanted, "joint_coordinate", j->element);
    if (!item) return NULL;
    hol_item_text(item, "joint", j->called);
    if (rate)
        hol_item_text(item, "component",
                      j->kind == HOL__JOINT_SLIDE ? "displacement_rate" : "angle_rate");
    return item->key;
}

void hol__robot_push(hol_import *im, int joint, const char *name, const hol__xml *element,
                     const char *law) {
    hol_item *item = hol__robot_item(im, "forces", name, "motor", element);
    hol_item_text(item, "joint", im->robot.joints[joint].called);
    hol_item_text(item, "curve", law);
}

/* Forces that carry the share `carried` of the weight of bodies, at their mass centres. */
void hol__robot_write_weights(hol_import *im) {
    const hol__robot *robot = &im->robot;
    for (int i = 0; i < robot->n_bodies; i++) {
        const hol__robot_body *b = &robot->bodies[i];
        const char *body = hol__robot_called(robot, i);
        double force[3], centre[3];
        if (b->carried == 0 || b->link || b->out || strcmp(body, "ground") == 0) continue;
        for (int k = 0; k < 3; k++) force[k] = -b->carried * b->own_mass * robot->gravity[k];
        hol_item *item =
            hol__robot_item(im, "forces", hol__arena_format(&im->arena, "%s_carried", b->called),
                            "force", b->element);
        hol_item_text(item, "body", body);
        hol__placement_point(&b->at, b->own_com, centre);
        if (b->own_mass != b->mass || b->into != i)
            hol__item_clean(item, "at", 3, centre, robot->size);
        hol__item_clean(item, "force", 3, force, 0);
    }
}
