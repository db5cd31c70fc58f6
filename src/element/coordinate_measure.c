/* coordinate_measure.c: a measure of the model file as a coordinate of a constraint.
 *
 * Constraints need the value of a coordinate with its exact row and rate, which a measure as such
 * does not have. Measures that show a coordinate are read from their keys as that coordinate, with
 * the same value: components of positions, angles, distances, coordinates of joints. Expressions of
 * them stand in the constraint itself, which differentiates them. Joints are compiled before
 * measures, so the parameters of the measure are read here.
 */
#include "element/coordinate.h"
#include "element/measures.h"

#include <string.h>

/* A measure as it was found, and where it is named. */
typedef struct request {
    hol__measure_found at;
    const hol_location *where;
} request;

static int of_position(hol__build *build, const request *r, hol__coordinate *x) {
    const hol__point_params *p = (const void *)r->at.params;
    const hol_model *model = build->model;
    const char *part = r->at.part;
    hol__marker place = {.s = {0}};
    const int axis = !part[0] ? p->component : !part[1] ? part[0] - 'x' : -1;
    if (axis < 0 || axis >= model->dim)
        return hol__place_error(build, r->where,
                                "'%s' is a position; name one component of it, such as '%s.x'",
                                r->at.name, r->at.name);
    if (p->relative_to < model->nb || (hol__is_given(p, "in") && p->in < model->nb))
        return hol__place_error(build, r->where,
                                "'%s' is the position as another body sees it; constraints take "
                                "global components",
                                r->at.name);
    if (p->body == model->nb)
        return hol__place_error(build, r->where, "'%s' is a point of ground, which does not move",
                                r->at.name);
    if (hol__is_given(p, "at"))
        hol__marker_set(model, p->body, p->at, NULL, &place);
    else /* the origin of the body's frame */
        for (int i = 0; i < 3; i++) place.s[i] = -model->bodies[p->body].com[i];
    hol__coordinate_of_point(build, p->body, place.s, axis, x);
    return 1;
}

static int of_angle(hol__build *build, const request *r, hol__coordinate *x) {
    const hol__angle_params *p = (const void *)r->at.params;
    const hol_model *model = build->model;
    const int body[2] = {p->relative_to, p->body};
    static const double up[3] = {0, 0, 1};
    hol__coordinate_of_angle(build, body, hol__is_given(p, "axis") ? p->axis : up, x);
    for (int i = 0; i < 2; i++)
        if (model->dim == 2 && body[i] < model->nb)
            x->offset += (i ? 1 : -1) * model->bodies[body[i]].theta;
    return 1;
}

static int of_distance(hol__build *build, const request *r, hol__coordinate *x) {
    const hol__gap_params *p = (const void *)r->at.params;
    hol__coordinate_of_distance(build, p->bodies, p->from, p->to, x);
    return 1;
}

static int of_joint(hol__build *build, const request *r, hol__coordinate *x) {
    const hol__joint_coordinate_params *p = (const void *)r->at.params;
    if (p->joint < 0) return 0;
    const hol__element *element = &build->model->joints[p->joint];
    if (!element->type || element->type->late ||
        (build->model->dim == 3 && !hol__key_find(element->type->keys, "axis")))
        return hol__place_error(build, r->where, "%s has no axis and no coordinate",
                                element->label);
    hol__coordinate_of_joint(build, p->joint, p->component < 0 ? element->slides : p->component, x);
    return 1;
}

/* How a measure becomes a coordinate, by its type. */
static const struct way {
    const hol__element_type *type;
    int (*set)(hol__build *build, const request *r, hol__coordinate *x);
    int has_parts; /* named with a dot */
} ways[] = {
    {&hol__measure_position, of_position, 1},
    {&hol__measure_angle, of_angle, 0},
    {&hol__measure_distance, of_distance, 0},
    {&hol__measure_joint, of_joint, 0},
};

/* Whether the measure shows a rate. */
static int is_rate(const hol__measure_found *at) {
    if (at->type == &hol__measure_distance)
        return ((const hol__gap_params *)(const void *)at->params)->component > 0;
    return at->type == &hol__measure_joint &&
           ((const hol__joint_coordinate_params *)(const void *)at->params)->component > 1;
}

int hol__coordinate_of_measure(hol__build *build, const char *name, const hol_location *where,
                               hol__coordinate *x) {
    const int errors = build->errors;
    request r = {.where = where};
    if (!build->find_measure(build, name, &r.at))
        return hol__place_error(build, where, "there is no measure '%s'", name);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (r.at.type != ways[i].type || (r.at.part[0] && !ways[i].has_parts)) continue;
        r.at.params = build->read_measure(build, &r.at);
        if (!r.at.params || build->errors > errors) return 0;
        if (!is_rate(&r.at)) return ways[i].set(build, &r, x);
    }
    return hol__place_error(
        build, where,
        "'%s' is not a coordinate; components of positions, angles, distances and "
        "coordinates of joints are. Expressions of them stand in the joint itself",
        name);
}
