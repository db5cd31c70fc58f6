/* coordinate_read.c: coordinates from the fields that name them. */
#include "element/coordinate.h"
#include "element/travel.h"

#include <string.h>

enum { ANGLE, DISPLACEMENT, X, Y, Z, DISTANCE };

const char *const hol__coordinate_components[] = {"angle", "displacement", "x", "y",
                                                  "z",     "distance",     NULL};

/* The parameters of a coordinate in a map. */
typedef struct coordinate_params {
    hol__params head;
    hol__coordinate_fields x;
} coordinate_params;

static const hol__key own_keys[] = {HOL__KEY_COORDINATE(coordinate_params), HOL__KEY_END};

const hol__group hol__coordinate_group = {"a coordinate", "{joint: A}", HOL__COUPLED,
                                          sizeof(coordinate_params), own_keys};

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

/* The component, or the fallback when it is left out; reports one that is not among the allowed
 * bits. */
static int component_of(hol__build *build, const void *params, const hol__coordinate_fields *f,
                        int fallback, unsigned allowed, const char *what) {
    const int word = hol__is_given(params, "component") ? f->component : fallback;
    if (allowed & (1u << word)) return word;
    hol__field_error(build, params, "component", "%s has no '%s'", what,
                     hol__coordinate_components[word]);
    return -1;
}

/* Report fields that mean nothing beside the one that was chosen. */
static void refuse(hol__build *build, const void *params, const char *with,
                   const char *const *names) {
    for (; *names; names++)
        if (hol__is_given(params, *names))
            hol__field_error(build, params, *names, "'%s' has no meaning beside '%s'", *names,
                             with);
}

/* The component of a joint that names none. */
static int usual(const hol__element *joint, const hol__coordinate_fields *f) {
    enum { RZ = 32 };
    const int turns = f->turning && !(joint->lock & RZ);
    return joint->slides && !turns ? DISPLACEMENT : ANGLE;
}

static int of_joint(hol__build *build, const void *params, const hol__coordinate_fields *f,
                    hol__coordinate *x) {
    static const char *const others[] = {"body", "at",   "bodies",  "from",
                                         "to",   "axis", "measure", NULL};
    const hol__element *element = &build->model->joints[f->joint];
    refuse(build, params, "joint", others);
    if (!element->type) return 0;
    const int word = component_of(build, params, f, usual(element, f),
                                  1u << ANGLE | 1u << DISPLACEMENT, "a joint");
    const char *field = hol__is_given(params, "component") ? "component" : "joint";
    if (word < 0 || !hol__joint_travels(build, params, field, element, word == DISPLACEMENT))
        return 0;
    hol__coordinate_of_joint(build, f->joint, word == DISPLACEMENT, x);
    return 1;
}

/* A component of a point of a body, or the angle of a body in the plane. */
static int of_body(hol__build *build, const void *params, const hol__coordinate_fields *f,
                   hol__coordinate *x) {
    static const char *const others[] = {"bodies", "from", "to", "axis", "measure", NULL};
    static const double up[3] = {0, 0, 1};
    const hol_model *model = build->model;
    const int plane = model->dim == 2, errors = build->errors;
    refuse(build, params, "body", others);
    const int word = component_of(
        build, params, f, X, plane ? 1u << ANGLE | 1u << X | 1u << Y : 1u << X | 1u << Y | 1u << Z,
        plane ? "a body in the plane" : "a point in space");
    if (f->body == model->nb) hol__field_error(build, params, "body", "ground has no coordinates");
    if (build->errors > errors) return 0;
    if (word == ANGLE) {
        hol__coordinate_of_angle(build, (const int[2]){model->nb, f->body}, up, x);
        x->offset = model->bodies[f->body].theta;
        return 1;
    }
    hol__marker place = {.s = {0}}; /* the mass centre */
    if (hol__is_given(params, "at")) hol__marker_set(model, f->body, f->at, NULL, &place);
    hol__coordinate_of_point(build, f->body, place.s, word - X, x);
    return 1;
}

/* The distance of two points. */
static int of_points(hol__build *build, const void *params, const hol__coordinate_fields *f,
                     hol__coordinate *x) {
    if (!hol__is_given(params, "from") || !hol__is_given(params, "to")) {
        hol__field_error(build, params, NULL, "a distance has both `from` and `to`");
        return 0;
    }
    if (f->from[0] == f->to[0] && f->from[1] == f->to[1] && f->from[2] == f->to[2]) {
        hol__field_error(
            build, params, NULL,
            "the points are drawn at the same place; a distance that may be 0 has no direction");
        return 0;
    }
    hol__coordinate_of_distance(build, f->bodies, f->from, f->to, x);
    return 1;
}

/* The distance of two points, or the angle between two bodies. */
static int of_bodies(hol__build *build, const void *params, const hol__coordinate_fields *f,
                     hol__coordinate *x) {
    static const double up[3] = {0, 0, 1};
    const int by_points = hol__is_given(params, "from") || hol__is_given(params, "to"),
              plane = build->model->dim == 2, word = by_points ? DISTANCE : ANGLE;
    if (component_of(build, params, f, word, 1u << word,
                     by_points ? "a pair of points"
                               : "a pair of bodies (without `from` and `to`)") < 0)
        return 0;
    if (by_points) return of_points(build, params, f, x);
    if (!plane && !hol__is_given(params, "axis")) {
        hol__field_error(build, params, NULL, "an angle between two bodies in space has an `axis`");
        return 0;
    }
    hol__coordinate_of_angle(build, f->bodies, plane ? up : f->axis, x);
    return 1;
}

static int of_measure(hol__build *build, const void *params, const hol__coordinate_fields *f,
                      hol__coordinate *x) {
    static const char *const others[] = {"component", "at", "from", "to", "axis", NULL};
    const int errors = build->errors;
    refuse(build, params, "measure", others);
    return hol__coordinate_of_measure(build, f->measure, hol__field_where(params, "measure"), x) &&
           build->errors == errors;
}

int hol__coordinate_set(hol__build *build, const void *params, const hol__coordinate_fields *f,
                        hol__coordinate *x, const char **unit) {
    int ok = 0;
    if (hol__is_given(params, "joint"))
        ok = of_joint(build, params, f, x);
    else if (hol__is_given(params, "body"))
        ok = of_body(build, params, f, x);
    else if (hol__is_given(params, "bodies"))
        ok = of_bodies(build, params, f, x);
    else if (hol__is_given(params, "measure"))
        ok = of_measure(build, params, f, x);
    else
        hol__field_error(build, params, NULL,
                         "names no coordinate; give `joint`, or `body` and `component`, or "
                         "`bodies` with `from` and `to`, or `measure`");
    *unit = ok && x->kind != HOL__COORDINATE_ANGLE ? "m" : "rad";
    return ok;
}

/* Whether an expression may not use the name for something else; reports it. */
static int is_taken(hol__build *build, const void *params, const char *name) {
    const int taken = strcmp(name, "t") == 0 || strcmp(name, "time") == 0 ||
                      strcmp(name, "pi") == 0 || hol__named_parameter(build, name);
    if (taken)
        hol__field_error(build, params, NULL,
                         "'%s' has a meaning already; call the coordinate something else", name);
    return taken;
}

int hol__coordinates_set(hol__build *build, const hol__param_list *items, hol__coordinate *x,
                         const char **names) {
    const int errors = build->errors;
    for (int i = 0; i < items->n; i++) {
        const coordinate_params *p = (const coordinate_params *)(const void *)items->items[i];
        const char *unit;
        is_taken(build, p, items->names[i]);
        hol__coordinate_set(build, p, &p->x, &x[i], &unit);
        names[i] = items->names[i];
    }
    names[items->n] = NULL;
    return build->errors > errors ? -1 : items->n;
}
