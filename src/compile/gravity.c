/* gravity.c: the key `gravity`: constant components go into the model; functions of time and the
 * field of a centre become a force. */
#include "compile/compile.h"

#include "element/forces.h"
#include "math/vec3.h"

#include <math.h>

static const hol__key map_keys[] = {
    {"uniform", HOL__KEY_LAWS, "m/s^2", "", 0, "components, numbers or expressions of time", NULL,
     HOL__NO_FIELD},
    {"center", HOL__KEY_POINT, "m", "", 0, "the centre of the field", NULL, HOL__NO_FIELD},
    {"mu", HOL__KEY_NUMBER, "m^3/s^2", "", HOL__POSITIVE, "its strength", NULL, HOL__NO_FIELD},
    HOL__KEY_END,
};

/* Components as functions of time; returns whether one is not constant. */
static int read_uniform(hol__build *build, hol__node *node, hol__law g[3]) {
    const int dim = build->model->dim, rheonomic = build->model->rheonomic;
    int varies = 0, i = 0;
    if (node->kind != HOL__LIST) {
        hol__build_error(build, node, "must be a list, e.g. %s; found %s",
                         dim == 2 ? "[0, -9.81]" : "[0, 0, -9.81]", hol__node_kind_name(node));
        return 0;
    }
    if (node->count != dim) {
        hol__build_error(build, node, "has %d components in a %s model, found %d", dim,
                         dim == 2 ? "planar" : "spatial", node->count);
        return 0;
    }
    for (hol__node *child = node->first; child; child = child->next, i++) {
        const hol__expr *e = hol__read_expr(build, child, HOL__NAMES_TIME, NULL, "m/s^2");
        if (!e) continue;
        if (hol__expr_is_constant(e))
            g[i].value = hol__read_constant(build, child, "m/s^2", 0);
        else
            g[i].e = e, varies = 1;
    }
    build->model->rheonomic = rheonomic; /* the constraints do not depend on time by this */
    return varies;
}

/* The map {uniform:, center:, mu:}. */
static int read_map(hol__build *build, hol__node *node, hol__gravity_field *field) {
    hol__node *uniform = hol__node_get(node, "uniform"), *center = hol__node_get(node, "center"),
              *mu = hol__node_get(node, "mu");
    hol__check_keys(build, node, map_keys, NULL, "gravity");
    const int varies = uniform ? read_uniform(build, uniform, field->uniform) : 0;
    if (!center != !mu)
        hol__build_error(build, node, "the field of a centre needs both `center` and `mu`");
    hol__read_point(build, node, map_keys, "center", field->center);
    if (mu) field->mu = hol__read_number(build, node, map_keys, "mu");
    return varies || mu;
}

void hol__compile_gravity(hol__build *build) {
    hol_model *model = build->model;
    hol__node *node = hol__node_get(build->spec->root, "gravity");
    hol__gravity_field field = {.nb = model->nb, .bodies = model->bodies};
    build->element = "gravity";
    if (!node || node->kind == HOL__NULL) return;
    const int errors = build->errors;
    const int is_field = node->kind == HOL__MAP ? read_map(build, node, &field)
                                                : read_uniform(build, node, field.uniform);
    if (build->errors > errors) return;
    if (!is_field) {
        for (int i = 0; i < 3; i++) model->gravity[i] = field.uniform[i].value;
        return;
    }
    hol__element nobody = {.index = -1};
    hol__gravity_field *rec = hol__add_force(build, &nobody, &hol__force_gravity_field);
    if (!rec) return;
    field.element = rec->element;
    *rec = field;
    for (int i = 0; i < model->nb && field.mu > 0; i++) {
        double d[3];
        hol__sub3(model->bodies[i].r, field.center, d);
        build->orbit = fmax(build->orbit, hol__norm3(d));
    }
}
