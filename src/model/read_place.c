/* read_place.c: what a model file names: bodies, joints, and points.
 *
 * A point is [x, y(, z)], the name of a point of the section `points`, or {body, at}; it is given
 * back in global coordinates at the drawn position,
 *   r_P = r + R(p) (s - s_com),   s in the frame of the body as the file gives it.
 */
#include "base/text.h"
#include "math/vec3.h"
#include "model/fields.h"
#include "model/read.h"

#include <string.h>

/* ---- bodies and joints by name ---- */

/* The i-th body, ground after the last, for hol__nearest. */
static const char *body_name(const void *list, int i) {
    const hol_model *model = list;
    return i < model->nb ? model->bodies[i].name : i == model->nb ? "ground" : NULL;
}

int hol__find_body(hol__build *build, hol__node *node) {
    const hol_model *model = build->model;
    char hint[128];
    node->used = 1;
    if (node->kind != HOL__SCALAR) {
        hol__build_error(build, node, "expected the name of a body, found %s",
                         hol__node_kind_name(node));
        return -1;
    }
    const int body = hol__model_named(model, HOL__BODIES, node->text);
    if (body >= 0) return body;
    if (strcmp(node->text, "ground") == 0) return model->nb;
    hol__build_error(
        build, node, "there is no body '%s'%s", node->text,
        hol__did_you_mean(hol__nearest(node->text, body_name, model), hint, sizeof hint));
    return -1;
}

int hol__read_body(hol__build *build, hol__node *item, const hol__key *keys, const char *name) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    const int body = node ? hol__find_body(build, node) : build->model->nb;
    return body < 0 ? build->model->nb : body;
}

int hol__bodies_at(hol__build *build, hol__node *node, const char *name, int body[2]) {
    if (node->kind != HOL__LIST || node->count != 2) {
        hol__build_error(build, node, "'%s' is a list of two bodies, for example [ground, crank]",
                         name);
        return 0;
    }
    const int first = hol__find_body(build, node->first),
              second = hol__find_body(build, node->last);
    if (first < 0 || second < 0) return 0;
    if (first == second) {
        hol__build_error(build, node,
                         "'%s' names '%s' twice; an element acts between two different bodies",
                         name, node->first->text);
        return 0;
    }
    body[0] = first;
    body[1] = second;
    return 1;
}

/* The i-th joint, for hol__nearest. */
static const char *joint_name(const void *list, int i) {
    const hol_model *model = list;
    return i < model->n_joints ? model->joints[i].name : NULL;
}

int hol__find_joint(hol__build *build, hol__node *node) {
    char hint[128];
    node->used = 1;
    const char *text = node->kind == HOL__SCALAR ? node->text : "";
    const int joint = hol__model_named(build->model, HOL__JOINTS, text);
    if (joint >= 0) return joint;
    hol__build_error(
        build, node, "there is no joint '%s'%s", text,
        hol__did_you_mean(hol__nearest(text, joint_name, build->model), hint, sizeof hint));
    return -1;
}

/* The name of the i-th item of a section, for hol__nearest. */
static const char *item_name(const void *list, int i) {
    const hol__node *node = hol__node_at(list, i);
    return node ? node->key : NULL;
}

/* The text of a key of an item; "" without one. */
static const char *text_of(const hol__node *item, const char *key) {
    const hol__node *node = item->kind == HOL__MAP ? hol__node_get(item, key) : NULL;
    return node && node->kind == HOL__SCALAR ? node->text : "";
}

/* Whether the force of that item acts along the displacement of a joint. */
static int acts_along(const hol__build *build, const hol__node *item) {
    const char *joint = text_of(item, "joint"), *component = text_of(item, "component");
    if (component[0]) return strcmp(component, "displacement") == 0;
    const int i = hol__model_named(build->model, HOL__JOINTS, joint);
    return i >= 0 && build->model->joints[i].slides;
}

void hol__find_force(hol__build *build, hol__node *node, hol__force_ref *ref) {
    const hol__node *forces = hol__node_get(build->spec->root, "forces");
    const char *text = node->kind == HOL__SCALAR ? node->text : "";
    char hint[128];
    int index = 0;
    node->used = 1;
    *ref = (hol__force_ref){.index = -1};
    if (forces && forces->kind != HOL__MAP) return; /* reported with the section */
    for (const hol__node *item = forces ? forces->first : NULL; item; item = item->next, index++)
        if (strcmp(item->key, text) == 0)
            *ref = (hol__force_ref){index, build->find_type("forces", text_of(item, "type")),
                                    acts_along(build, item)};
    if (ref->index < 0)
        hol__build_error(build, node, "there is no force '%s'%s", text,
                         hol__did_you_mean(forces ? hol__nearest(text, item_name, forces) : NULL,
                                           hint, sizeof hint));
}

/* ---- points ---- */

/* {body: name, at: [x, y]} */
static int point_on_body(hol__build *build, hol__node *node, double out[3]) {
    static const hol__key keys[] = {
        {"body", HOL__KEY_BODY, NULL, NULL, 0, "the body", NULL, HOL__NO_FIELD},
        {"at", HOL__KEY_VECTOR, "m", NULL, 0, "the point in the frame of the body", NULL,
         HOL__NO_FIELD},
        HOL__KEY_END,
    };
    double at[3];
    const int errors = build->errors;
    hol__check_keys(build, node, keys, NULL, "a point on a body");
    const int body = hol__read_body(build, node, keys, "body");
    hol__read_vector(build, node, keys, "at", at);
    if (build->errors > errors) return 0;
    if (build->on_body && !build->on_body(build, body, node)) return 0;
    if (body < build->model->nb) hol__sub3(at, build->model->bodies[body].com, at);
    hol__sketched_point(build->model, body, at, out);
    return 1;
}

int hol__read_point_at(hol__build *build, hol__node *node, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    if (node->kind == HOL__MAP) return point_on_body(build, node, out);
    if (node->kind != HOL__SCALAR) {
        const int errors = build->errors;
        return hol__read_vector_at(build, node, "a point", "m", out) && build->errors == errors;
    }
    hol__node *named = hol__node_get(build->points, node->text);
    char hint[128];
    if (!named) {
        hol__build_error(build, node, "there is no point '%s' in the section points%s", node->text,
                         hol__did_you_mean(hol__nearest(node->text, item_name, build->points), hint,
                                           sizeof hint));
        return 0;
    }
    if (named->used > 1) {
        hol__build_error(build, named, "point '%s' is defined by itself", node->text);
        return 0;
    }
    int depth = 0;
    for (const hol__node *point = build->points->first; point; point = point->next)
        depth += point->used > 1;
    if (depth >= HOL__MAX_DEPTH) {
        hol__build_error(build, node, "points refer to each other more than %d deep",
                         HOL__MAX_DEPTH);
        return 0;
    }
    named->used = 2;
    const int ok = hol__read_point_at(build, named, out);
    named->used = 1;
    return ok;
}

int hol__read_point(hol__build *build, hol__node *item, const hol__key *keys, const char *name,
                    double out[3]) {
    const hol__key *key;
    hol__node *node = hol__take_key(build, item, keys, name, &key);
    out[0] = out[1] = out[2] = 0;
    return node ? hol__read_point_at(build, node, out) : 0;
}
