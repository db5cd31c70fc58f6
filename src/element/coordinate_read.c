/* coordinate_read.c: coordinates from the keys of a model file. */
#include "element/coordinate.h"
#include "element/travel.h"

#include <string.h>

enum { ANGLE, DISPLACEMENT, X, Y, Z, DISTANCE };

const char *const hol__coordinate_components[] = {"angle", "displacement", "x", "y",
                                                  "z",     "distance",     NULL};

static const hol__key own_keys[] = {HOL__KEY_COORDINATE, HOL__KEY_END};

/* Column k of a marker's frame. */
static void column(const hol__marker *marker, int k, double e[3]) {
    for (int i = 0; i < 3; i++) e[i] = marker->F[3 * i + k];
}

void hol__coordinate_between(hol__build *build, const hol__element *element,
                             hol__coordinate_kind kind, hol__coordinate *x) {
    *x = (hol__coordinate){.kind = kind, .body = {element->body[0], element->body[1]}, .angle = -1};
    for (int i = 0; i < 2; i++) {
        x->marker[i] = element->marker[i];
        column(&x->marker[i], build->model->dim == 2 ? 0 : 2, x->e[i]);
    }
    if (kind == HOL__COORDINATE_ANGLE) x->angle = hol__track_angle(build, x->body, x->marker);
}

void hol__coordinate_of_joint(hol__build *build, int joint, int slides, hol__coordinate *x) {
    const hol__element *element = &build->model->joints[joint];
    hol__coordinate_between(build, element, HOL__COORDINATE_SLIDE, x);
    if (slides) return;
    x->kind = HOL__COORDINATE_ANGLE;
    x->angle = hol__track_joint_angle(build, joint);
}

void hol__coordinate_of_point(hol__build *build, int body, const double s[3], int axis,
                              hol__coordinate *x) {
    const hol_model *model = build->model;
    static const double origin[3] = {0, 0, 0};
    *x = (hol__coordinate){.kind = HOL__COORDINATE_SLIDE, .body = {model->nb, body}, .angle = -1};
    hol__marker_set(model, model->nb, origin, NULL, &x->marker[0]);
    hol__marker_set(model, body, origin, NULL, &x->marker[1]);
    memcpy(x->marker[1].s, s, sizeof x->marker[1].s);
    x->e[0][axis] = 1;
}

void hol__coordinate_of_angle(hol__build *build, const int body[2], const double axis[3],
                              hol__coordinate *x) {
    const hol_model *model = build->model;
    double p[4], at[3] = {0, 0, 0};
    *x = (hol__coordinate){.kind = HOL__COORDINATE_ANGLE, .body = {body[0], body[1]}, .angle = -1};
    if (body[1] < model->nb) memcpy(at, model->bodies[body[1]].r, sizeof at);
    hol__frame_along(axis, NULL, p);
    for (int i = 0; i < 2; i++) hol__marker_set(model, body[i], at, p, &x->marker[i]);
    x->angle = hol__track_angle(build, x->body, x->marker);
}

void hol__coordinate_of_distance(hol__build *build, const int body[2], const double from[3],
                                 const double to[3], hol__coordinate *x) {
    *x = (hol__coordinate){
        .kind = HOL__COORDINATE_DISTANCE, .body = {body[0], body[1]}, .angle = -1};
    hol__marker_set(build->model, body[0], from, NULL, &x->marker[0]);
    hol__marker_set(build->model, body[1], to, NULL, &x->marker[1]);
}

void hol__coordinate_lend(const hol__coordinate *x, hol__element *element) {
    memcpy(element->body, x->body, sizeof element->body);
    memcpy(element->marker, x->marker, sizeof element->marker);
}

/* The component, or the fallback when it is left out; reports one that is not among the allowed bits. */
static int component_of(hol__build *build, hol__node *item, const hol__key *keys, int fallback,
                        unsigned allowed, const char *what) {
    hol__node *node = hol__key_find(keys, "component") ? hol__node_get(item, "component") : NULL;
    const int word = node ? hol__read_choice(build, item, keys, "component") : fallback;
    if (allowed & (1u << word)) return word;
    hol__build_error(build, node ? node : item, "%s has no '%s'", what,
                     hol__coordinate_components[word]);
    return -1;
}

/* Report keys that mean nothing beside the one that was chosen. */
static void refuse(hol__build *build, hol__node *item, const char *with, const char *const *names) {
    for (; *names; names++)
        if (hol__node_get(item, *names))
            hol__build_error(build, hol__node_get(item, *names), "'%s' has no meaning beside '%s'",
                             *names, with);
}

static int read_joint(hol__build *build, hol__node *item, const hol__key *keys,
                      hol__coordinate *x) {
    static const char *const others[] = {"body", "at",   "bodies",  "from",
                                         "to",   "axis", "measure", NULL};
    const int joint = hol__read_joint(build, item, keys, "joint");
    refuse(build, item, "joint", others);
    if (joint < 0) return 0;
    const hol__element *element = &build->model->joints[joint];
    if (!element->type) return 0;
    const int word = component_of(build, item, keys, element->slides ? DISPLACEMENT : ANGLE,
                                  1u << ANGLE | 1u << DISPLACEMENT, "a joint");
    hol__node *component =
        hol__key_find(keys, "component") ? hol__node_get(item, "component") : NULL;
    if (word < 0 || !hol__joint_travels(build, component ? component : hol__node_get(item, "joint"),
                                        element, word == DISPLACEMENT))
        return 0;
    hol__coordinate_of_joint(build, joint, word == DISPLACEMENT, x);
    return 1;
}

/* A component of a point of a body, or the angle of a body in the plane. */
static int read_body(hol__build *build, hol__node *item, const hol__key *keys, hol__coordinate *x) {
    static const char *const others[] = {"bodies", "from", "to", "axis", "measure", NULL};
    const hol_model *model = build->model;
    const int plane = model->dim == 2, errors = build->errors;
    const int body = hol__read_body(build, item, keys, "body");
    refuse(build, item, "body", others);
    const int word = component_of(
        build, item, keys, X, plane ? 1u << ANGLE | 1u << X | 1u << Y : 1u << X | 1u << Y | 1u << Z,
        plane ? "a body in the plane" : "a point in space");
    double at[3];
    if (!hol__read_point(build, item, keys, "at", at) && body < model->nb)
        memcpy(at, model->bodies[body].r, sizeof at);
    if (body == model->nb)
        hol__build_error(build, hol__node_get(item, "body"), "ground has no coordinates");
    if (build->errors > errors) return 0;
    hol__marker place;
    if (word != ANGLE) {
        hol__marker_set(model, body, at, NULL, &place);
        hol__coordinate_of_point(build, body, place.s, word - X, x);
        return 1;
    }
    static const double up[3] = {0, 0, 1};
    hol__coordinate_of_angle(build, (const int[2]){model->nb, body}, up, x);
    x->offset = model->bodies[body].theta;
    return 1;
}

/* The distance of two points, or the angle between two bodies. */
static int read_bodies(hol__build *build, hol__node *item, const hol__key *keys,
                       hol__coordinate *x) {
    const int plane = build->model->dim == 2, errors = build->errors;
    const int by_points = hol__node_get(item, "from") || hol__node_get(item, "to");
    int body[2];
    double from[3], to[3], axis[3] = {0, 0, 1};
    hol__read_bodies(build, item, keys, "bodies", body);
    const int word = component_of(
        build, item, keys, by_points ? DISTANCE : ANGLE, 1u << (by_points ? DISTANCE : ANGLE),
        by_points ? "a pair of points" : "a pair of bodies (without `from` and `to`)");
    if (word == DISTANCE && (!hol__node_get(item, "from") || !hol__node_get(item, "to")))
        hol__build_error(build, item, "a distance has both `from` and `to`");
    if (word == ANGLE && !plane && !hol__read_direction(build, item, keys, "axis", axis) &&
        build->errors == errors)
        hol__build_error(build, item, "an angle between two bodies in space has an `axis`");
    hol__read_point(build, item, keys, "from", from);
    hol__read_point(build, item, keys, "to", to);
    if (build->errors > errors) return 0;
    if (word == ANGLE)
        hol__coordinate_of_angle(build, body, axis, x);
    else
        hol__coordinate_of_distance(build, body, from, to, x);
    if (word == DISTANCE && from[0] == to[0] && from[1] == to[1] && from[2] == to[2]) {
        hol__build_error(
            build, item,
            "the points are drawn at the same place; a distance that may be 0 has no direction");
        return 0;
    }
    return 1;
}

static int read_measure(hol__build *build, hol__node *item, hol__coordinate *x) {
    static const char *const others[] = {"component", "at", "from", "to", "axis", NULL};
    const int errors = build->errors;
    refuse(build, item, "measure", others);
    return hol__coordinate_of_measure(build, hol__node_get(item, "measure"), x) &&
           build->errors == errors;
}

int hol__coordinate_read(hol__build *build, hol__node *item, const hol__key *keys,
                         hol__coordinate *x, const char **unit) {
    int ok = 0;
    if (hol__node_get(item, "joint"))
        ok = read_joint(build, item, keys, x);
    else if (hol__node_get(item, "body"))
        ok = read_body(build, item, keys, x);
    else if (hol__node_get(item, "bodies"))
        ok = read_bodies(build, item, keys, x);
    else if (hol__node_get(item, "measure"))
        ok = read_measure(build, item, x);
    else
        hol__build_error(build, item,
                         "names no coordinate; give `joint`, or `body` and `component`, or "
                         "`bodies` with `from` and `to`, or `measure`");
    *unit = ok && x->kind != HOL__COORDINATE_ANGLE ? "m" : "rad";
    return ok;
}

/* Names that an expression may not use for something else. */
static int is_taken(hol__build *build, const hol__node *node) {
    int taken = strcmp(node->key, "t") == 0 || strcmp(node->key, "time") == 0 ||
                strcmp(node->key, "pi") == 0;
    for (int i = 0; i < build->n_parameters; i++)
        taken |= strcmp(build->parameters[i].name, node->key) == 0;
    if (taken)
        hol__build_error(build, node,
                         "'%s' has a meaning already; call the coordinate something else",
                         node->key);
    return taken;
}

int hol__coordinates_read(hol__build *build, hol__node *item, int most, hol__coordinate *x,
                          const char **names, const char **units) {
    hol__node *map = hol__node_get(item, "coordinates");
    const int errors = build->errors;
    int n = 0;
    names[0] = NULL;
    if (!map) return 0;
    if (map->kind != HOL__MAP || map->count < 1 || map->count > most) {
        hol__build_error(build, map,
                         "'coordinates' is a map of 1 to %d names such as {a: {joint: A}}", most);
        return -1;
    }
    for (hol__node *child = map->first; child; child = child->next) {
        child->used = 1;
        if (child->kind != HOL__MAP) {
            hol__build_error(build, child, "a coordinate is a map such as {joint: A}");
            continue;
        }
        hol__check_keys(build, child, own_keys, NULL, "a coordinate");
        is_taken(build, child);
        if (!hol__coordinate_read(build, child, own_keys, &x[n], &units[n])) continue;
        names[n++] = child->key;
    }
    names[n] = NULL;
    return build->errors > errors ? -1 : n;
}
