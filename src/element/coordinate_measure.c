/* coordinate_measure.c: a measure of the model file as a coordinate of a constraint.
 *
 * Constraints need the value of a coordinate with its exact row and rate, which a measure as such does not have. Measures that show a
 * coordinate are read from their keys as that coordinate, with the same value: components of positions, angles, distances, coordinates of
 * joints. Expressions of them stand in the constraint itself, which differentiates them. Joints are compiled before measures, so the section
 * is read as it is written.
 */
#include "element/coordinate.h"

#include <string.h>

/* The measure that a column belongs to, and the part of its name behind the dot ("" without). */
static hol__node *find_measure(hol__build *build, const hol__node *name, const char **part) {
    hol__node *section = hol__node_get(build->spec->root, "measures");
    const char *text = name->kind == HOL__SCALAR ? name->text : "";
    for (hol__node *item = section && section->kind == HOL__MAP ? section->first : NULL; item;
         item = item->next) {
        const size_t n = strlen(item->key);
        if (strncmp(text, item->key, n) != 0 || (text[n] && text[n] != '.')) continue;
        *part = text[n] ? text + n + 1 : "";
        if (item->kind == HOL__MAP) return item;
    }
    hol__build_error(build, name, "there is no measure '%s'", text);
    return NULL;
}

/* The text of a key, or the fallback. */
static const char *word_of(const hol__node *item, const char *key, const char *fallback) {
    const hol__node *node = hol__node_get(item, key);
    return node && node->kind == HOL__SCALAR ? node->text : fallback;
}

static int of_position(hol__build *build, const hol__node *name, hol__node *item, const char *part,
                       const hol__key *keys, hol__coordinate *x) {
    const hol_model *model = build->model;
    const int errors = build->errors, body = hol__read_body(build, item, keys, "body");
    const char *word = part[0] ? part : word_of(item, "component", "");
    hol__marker place = {.s = {0}};
    double at[3];
    const int given = hol__read_point(build, item, keys, "at", at);
    const int axis = word[0] && !word[1] ? word[0] - 'x' : -1;
    if (axis < 0 || axis >= model->dim)
        hol__build_error(build, name,
                         "'%s' is a position; name one component of it, such as '%s.x'", item->key,
                         item->key);
    else if (body == model->nb)
        hol__build_error(build, name, "'%s' is a point of ground, which does not move", item->key);
    if (build->errors > errors) return 0;
    if (given)
        hol__marker_set(model, body, at, NULL, &place);
    else /* the origin of the body's frame */
        for (int i = 0; i < 3; i++) place.s[i] = -model->bodies[body].com[i];
    hol__coordinate_of_point(build, body, place.s, axis, x);
    return 1;
}

static int of_angle(hol__build *build, hol__node *item, const hol__key *keys, hol__coordinate *x) {
    const hol_model *model = build->model;
    const int errors = build->errors;
    const int body[2] = {hol__read_body(build, item, keys, "relative_to"),
                         hol__read_body(build, item, keys, "body")};
    double axis[3] = {0, 0, 1};
    if (model->dim == 3) hol__read_direction(build, item, keys, "axis", axis);
    if (build->errors > errors) return 0;
    hol__coordinate_of_angle(build, body, axis, x);
    for (int i = 0; i < 2; i++)
        if (model->dim == 2 && body[i] < model->nb)
            x->offset += (i ? 1 : -1) * model->bodies[body[i]].theta;
    return 1;
}

static int of_distance(hol__build *build, hol__node *item, const hol__key *keys,
                       hol__coordinate *x) {
    const int errors = build->errors;
    int body[2];
    double from[3], to[3];
    hol__read_bodies(build, item, keys, "bodies", body);
    hol__read_point(build, item, keys, "from", from);
    hol__read_point(build, item, keys, "to", to);
    if (build->errors > errors) return 0;
    hol__coordinate_of_distance(build, body, from, to, x);
    return 1;
}

static int of_joint(hol__build *build, const hol__node *name, hol__node *item, const hol__key *keys,
                    hol__coordinate *x) {
    const int joint = hol__read_joint(build, item, keys, "joint");
    if (joint < 0) return 0;
    const hol__element *element = &build->model->joints[joint];
    if (!element->type || element->type->late ||
        (build->model->dim == 3 && !hol__key_find(element->type->keys, "axis"))) {
        hol__build_error(build, name, "%s has no axis and no coordinate", element->label);
        return 0;
    }
    const char *word = word_of(item, "component", element->slides ? "displacement" : "angle");
    hol__coordinate_of_joint(build, joint, strcmp(word, "displacement") == 0, x);
    return 1;
}

int hol__coordinate_of_measure(hol__build *build, hol__node *name, hol__coordinate *x) {
    const char *part;
    hol__node *item = find_measure(build, name, &part);
    if (!item) return 0;
    name->used = 1;
    const char *type = word_of(item, "type", ""), *component = word_of(item, "component", "");
    const hol__element_type *kind = hol__element_type_find("measures", type);
    const int is_rate = strstr(component, "rate") != NULL;
    if (kind && strcmp(type, "position") == 0)
        return of_position(build, name, item, part, kind->keys, x);
    if (kind && !is_rate && !part[0]) {
        if (strcmp(type, "angle") == 0) return of_angle(build, item, kind->keys, x);
        if (strcmp(type, "distance") == 0) return of_distance(build, item, kind->keys, x);
        if (strcmp(type, "joint_coordinate") == 0)
            return of_joint(build, name, item, kind->keys, x);
    }
    hol__build_error(build, name,
                     "'%s' is no coordinate; components of positions, angles, distances and "
                     "coordinates of joints are. Expressions of them stand in the joint itself",
                     name->text);
    return 0;
}
