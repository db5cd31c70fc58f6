/* sdf.c: SDFormat, that of the simulator Gazebo: worlds and models of links and joints in frames
 * that refer to each other.
 *
 * Models that are not static move freely. The links of a static one are part of the ground.
 */
#include "exchange/sdf.h"

#include <string.h>

static void read_link(hol__sdf *s, hol__sdf_entry *entry, void *user) {
    (void)user;
    hol__sdf_link(s, entry);
}

/* Gravity: of the world; up to version 1.5 of its <physics>. */
static void read_gravity(hol__sdf *s) {
    hol_import *im = s->im;
    const hol__xml *world = s->world->element;
    double g[3] = {0, 0, -9.8};
    const hol__xml *own = hol__xml_child(world, "gravity");
    for (const hol__xml *p = world->first; p && !own; p = p->next)
        if (strcmp(p->name, "physics") == 0) own = hol__xml_child(p, "gravity");
    if (own && own->parent != world) own->parent->used = 1;
    if (!own || !hol__xml_vector(im, own, NULL, 3, g))
        hol__note(im, HOL_IMPORT_CHANGED, world, NULL,
                  "it says nothing of gravity: 9.8 m/s^2 along -z, as the format has it");
    hol_item_vector(hol_spec_root(im->spec), "gravity", 3, g);
    memcpy(im->robot.gravity, g, sizeof g);
}

/* The world of a file, or its root, where models stand by themselves; NULL after an error. */
static hol__xml *find_world(hol_import *im) {
    const int version = hol__sdf_version(im->root);
    if (version < 103) {
        hol__import_error(im, im->root, "version",
                          "versions 1.4 and later are read: make one of it by gz sdf -k");
        return NULL;
    }
    if (version > 112)
        hol__note(im, HOL_IMPORT_CHANGED, im->root, "version",
                  "it is read as version 1.11, the last that is known here");
    hol__xml *world = hol__xml_child(im->root, "world");
    return world ? world : im->root;
}

/* The model file's name: that of the world, or of the only model. */
static void give_name(hol__sdf *s) {
    const hol__sdf_entry *first = s->world->first;
    const char *name = hol__xml_value(s->world->element, "name");
    if (!name && first && !first->next) name = first->name;
    if (name && *name) hol_item_text(hol_spec_root(s->im->spec), "name", name);
}

/* A flag of a model that does something that does not exist here. */
static void note_model(hol__sdf *s, hol__sdf_entry *entry, void *user) {
    (void)user;
    hol__sdf_flag(s->im, entry->element, "allow_auto_disable", 1);
    const hol__xml *flag = hol__xml_child(entry->element, "self_collide");
    if (hol__xml_flag(s->im, flag, NULL, 0))
        hol__note(s->im, HOL_IMPORT_LEFT_OUT, flag, NULL, "contact is not carried over");
    if (entry->inside->is_static)
        hol__note(s->im, HOL_IMPORT_CHANGED, entry->element, NULL,
                  "it is static: its links are part of the ground");
}

/* The origin of a frame as a point. */
static void write_frame(hol__sdf *s, hol__sdf_entry *entry, void *user) {
    hol_import *im = s->im;
    const hol__placement at = hol__sdf_at(s, entry);
    (void)user;
    hol__note(im, HOL_IMPORT_NO_EFFECT, entry->element, NULL,
              "a frame: its origin is the point '%s' here",
              hol__robot_point(im, hol__robot_key(im, entry->name, "frame"), at.r));
}

void hol__import_sdf(hol_import *im) {
    const int errors = hol_message_count_of(im->ctx, HOL_ERROR);
    hol__sdf s = {.im = im};
    hol__xml *world = find_world(im);
    if (!world || !hol__sdf_include(im, im->root, 0)) return;
    s.world = hol__sdf_scope_new(&s, NULL, world);
    if (!s.world || !hol__sdf_fill(&s, s.world, world)) return;
    give_name(&s);
    read_gravity(&s);
    hol__sdf_each(&s, s.world, HOL__SDF_MODEL, note_model, NULL);
    hol__sdf_each(&s, s.world, HOL__SDF_LINK, read_link, NULL);
    if (!im->robot.n_bodies) {
        hol__import_error(im, im->root, NULL, "there are no models with links in this file");
        return;
    }
    hol__sdf_joints(&s);
    hol__sdf_couple(&s, 0);
    if (hol_message_count_of(im->ctx, HOL_ERROR) != errors || !hol__robot_settle(im)) return;
    hol__robot_write(im);
    hol__sdf_couple(&s, 1);
    hol__sdf_each(&s, s.world, HOL__SDF_FRAME, write_frame, NULL);
    hol__note(im, HOL_IMPORT_CHANGED, im->root, NULL, "SDFormat does not say how long to run: 1 s");
    hol__note_unused(im, im->root, hol__sdf_known);
}
