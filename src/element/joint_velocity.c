/* joint_velocity.c: the generic linear constraint on velocities, sum_i a_i(t, x) u_i = f(t, x).
 *
 * u_i are components of velocities of points and of angular velocities of bodies, against ground or against another body, along global
 * directions or directions of the body. The factors a_i and the right-hand side f are expressions of time and of coordinates x, named by the
 * element or by measures, with exact derivatives (coupler.c).
 */
#include "element/coupler.h"
#include "element/joints.h"
#include "math/quat.h"

#include <string.h>

enum { VX, VY, VZ, WX, WY, WZ, OMEGA };
static const char *const components[] = {"vx", "vy", "vz", "wx", "wy", "wz", "omega", NULL};
static const char *const frames[] = {"global", "body", NULL};

static const hol__key term_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL},
    {"against", HOL__KEY_BODY, NULL, "ground", 0,
     "The body against which the velocity is measured.", NULL},
    {"at", HOL__KEY_POINT, "m", "", 0, "The point of the body; its mass centre when left out.",
     NULL},
    {"component", HOL__KEY_CHOICE, NULL, NULL, 0, "The component of the velocity.", components},
    {"frame", HOL__KEY_CHOICE, NULL, "global", 0, "Whose axes the component is along.", frames},
    {"factor", HOL__KEY_FORMULA, NULL, "1", 0, "Its factor.", NULL},
    HOL__KEY_END,
};

static const hol__key keys[] = {
    {"coordinates", HOL__KEY_COORDINATES, NULL, "", 0,
     "Names for coordinates that the factors and the value use, up to four with the measures that "
     "they use: components of positions, angles, distances and coordinates of joints may also be "
     "named by their measures, such as `tip.x`.",
     NULL},
    {"terms", HOL__KEY_TERMS, NULL, NULL, 0,
     "The velocities and their factors, up to eight: vx, vy, vz of a point of a body, wx, wy, wz "
     "(in the plane omega) of the body.",
     NULL},
    {"value", HOL__KEY_FORMULA, NULL, "", 0,
     "What the sum is: a number, or an expression of the coordinates and of time; 0 when left out.",
     NULL},
    HOL__KEY_END,
};

/* A law of time and coordinates at a node. */
static hol__law read_formula(hol__build *build, hol__node *node, const char *const *names) {
    const hol__expr *e = hol__read_expr(build, node, HOL__NAMES_LOCAL, names, NULL);
    if (!e) return (hol__law){0, NULL};
    return hol__expr_is_constant(e) ? (hol__law){hol__expr_constant(e), NULL} : (hol__law){0, e};
}

/* Measures that formulas name become coordinates like those of the element. */
typedef struct adoption {
    hol__adopt head;
    hol__rate *r;
    const char **names;
} adoption;

static int adopt_measure(hol__build *build, hol__adopt *self, const char *name,
                         const hol_location *where) {
    const adoption *a = (adoption *)self;
    hol__rate *r = a->r;
    const char *kept = hol__arena_text(build->arena, name);
    hol__node node = {.kind = HOL__SCALAR, .text = kept, .where = *where};
    if (!kept) return -1;
    if (r->n_x == HOL__COUPLED) {
        hol__build_error(build, &node, "uses more than %d coordinates and measures", HOL__COUPLED);
        return -1;
    }
    if (!hol__coordinate_of_measure(build, &node, &r->x[r->n_x])) return -1;
    a->names[r->n_x] = kept;
    a->names[r->n_x + 1] = NULL;
    return r->n_x++;
}

/* One term; 0 after an error. */
static int read_term(hol__build *build, hol__node *node, const char *const *names,
                     hol__coordinate *x, hol__law *factor) {
    const hol_model *model = build->model;
    const int errors = build->errors, plane = model->dim == 2;
    double at[3];
    if (node->kind != HOL__MAP) {
        hol__build_error(build, node,
                         "a term is a map such as {body: rod, component: vx, factor: 2}");
        return 0;
    }
    hol__check_keys(build, node, term_keys, NULL, "a term");
    const int body = hol__read_body(build, node, term_keys, "body"),
              against = hol__read_body(build, node, term_keys, "against");
    if (!hol__read_point(build, node, term_keys, "at", at) && body < model->nb)
        memcpy(at, model->bodies[body].r, sizeof at);
    if (build->errors > errors) return 0;
    const int word = hol__read_choice(build, node, term_keys, "component");
    const int in_body = hol__read_choice(build, node, term_keys, "frame");
    if (plane ? word == VZ || (word >= WX && word <= WZ) : word == OMEGA)
        hol__build_error(build, hol__node_get(node, "component"),
                         "'%s' is no velocity in a %s model; use %s", components[word],
                         plane ? "planar" : "spatial",
                         plane ? "vx, vy, omega" : "vx, vy, vz, wx, wy, wz");
    if (body == against)
        hol__build_error(build, node, "measures the velocity of a body against itself");
    if (hol__node_get(node, "factor"))
        *factor = read_formula(build, hol__node_get(node, "factor"), names);
    if (build->errors > errors) return 0;
    *x = (hol__coordinate){.kind = word <= VZ ? HOL__COORDINATE_VELOCITY : HOL__COORDINATE_SPIN,
                           .body = {against, body},
                           .angle = -1};
    hol__marker_set(model, against, at, NULL, &x->marker[0]);
    hol__marker_set(model, body, at, NULL, &x->marker[1]);
    x->frame = in_body ? 1 : 2;
    x->e[in_body][word == OMEGA ? 2 : word % 3] = 1;
    return 1;
}

static void velocity_constraint(hol__build *build, hol__element *joint, hol__node *item) {
    const int errors = build->errors;
    const char *names[HOL__COUPLED + 1], *units[HOL__COUPLED];
    hol__rate r = {.state = -1, .label = "velocity"};
    hol__node *terms = hol__node_get(item, "terms"), *value = hol__node_get(item, "value");
    const int n = hol__coordinates_read(build, item, HOL__COUPLED, r.x, names, units);
    if (!terms || n < 0) return;
    r.n_x = n;
    adoption more = {{HOL__COUPLED, adopt_measure}, &r, names};
    if (terms->kind != HOL__LIST || terms->count < 1 || terms->count > HOL__TERMS) {
        hol__build_error(
            build, terms,
            "'terms' is a list of 1 to %d maps such as {body: rod, component: vx, factor: 2}",
            HOL__TERMS);
        return;
    }
    build->adopt = &more.head;
    for (hol__node *node = terms->first; node; node = node->next) {
        r.factor[r.n] = (hol__law){1, NULL};
        if (read_term(build, node, names, &r.term[r.n], &r.factor[r.n])) r.n++;
    }
    if (value) r.f = read_formula(build, value, names);
    build->adopt = NULL;
    if (build->errors > errors) return;
    hol__coordinate_lend(&r.term[0], joint);
    hol__add_rate(build, joint, &r);
}

const hol__element_type hol__joint_velocity_constraint = {
    .section = "joints",
    .name = "velocity_constraint",
    .title = "Any linear constraint on velocities, with factors that depend on time, coordinates "
             "and measures of positions (nonholonomic).",
    .equations = "sum a_i(t, x) u_i = f(t, x)",
    .example = "  sleigh:\n    type: velocity_constraint\n    coordinates: {a: {body: rod, "
               "component: angle}}\n"
               "    terms: [{body: rod, component: vx, factor: -sin(a)}, {body: rod, component: "
               "vy, factor: cos(a)}]",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .late = 1,
    .compile_element = velocity_constraint,
};
