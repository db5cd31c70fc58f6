/* joint_velocity.c: the generic linear constraint on velocities, sum_i a_i(t, x) u_i = f(t, x).
 *
 * u_i are components of velocities of points and of angular velocities of bodies, against ground or
 * against another body, along global directions or directions of the body. The factors a_i and the
 * right-hand side f are expressions of time and of coordinates x, named by the element or by
 * measures, with exact derivatives (coupler.c).
 */
#include "element/coupler.h"
#include "element/joints.h"
#include "math/quat.h"

#include <string.h>

enum { VX, VY, VZ, WX, WY, WZ, OMEGA };
static const char *const components[] = {"vx", "vy", "vz", "wx", "wy", "wz", "omega", NULL};
static const char *const frames[] = {"global", "body", NULL};

typedef struct term_params {
    hol__params head;
    int body, against;
    double at[3];
    int component, frame;
    hol__formula factor;
} term_params;

static const hol__key term_keys[] = {
    {"body", HOL__KEY_BODY, NULL, NULL, 0, "The body.", NULL, HOL__AT(term_params, body)},
    {"against", HOL__KEY_BODY, NULL, "ground", 0,
     "The body against which the velocity is measured.", NULL, HOL__AT(term_params, against)},
    {"at", HOL__KEY_POINT, "m", "", 0, "The point of the body; default: its mass centre.", NULL,
     HOL__AT(term_params, at)},
    {"component", HOL__KEY_CHOICE, NULL, NULL, 0, "The component of the velocity.", components,
     HOL__AT(term_params, component)},
    {"frame", HOL__KEY_CHOICE, NULL, "global", 0, "Whose axes the component is along.", frames,
     HOL__AT(term_params, frame)},
    {"factor", HOL__KEY_FORMULA, NULL, "1", 0, "Its factor.", NULL, HOL__AT(term_params, factor)},
    HOL__KEY_END,
};

static const hol__group term_group = {"a term", "{body: rod, component: vx, factor: 2}", HOL__TERMS,
                                      sizeof(term_params), term_keys};

typedef struct velocity_params {
    hol__params head;
    hol__param_list coordinates, terms;
    hol__formula value;
} velocity_params;

static const hol__key keys[] = {
    {"coordinates", HOL__KEY_COORDINATES, NULL, "", 0,
     "Names for coordinates that the factors and the value use, up to four with the measures that "
     "they use: components of positions, angles, distances and coordinates of joints may also be "
     "named by their measures, such as `tip.x`.",
     NULL, HOL__LIST_AT(velocity_params, coordinates, &hol__coordinate_group)},
    {"terms", HOL__KEY_TERMS, NULL, NULL, 0,
     "The velocities and their factors, up to eight: vx, vy, vz of a point of a body, wx, wy, wz "
     "(in the plane omega) of the body.",
     NULL, HOL__LIST_AT(velocity_params, terms, &term_group)},
    {"value", HOL__KEY_FORMULA, NULL, "", 0,
     "What the sum is: a number, or an expression of the coordinates and of time; default: 0.",
     NULL, HOL__AT(velocity_params, value)},
    HOL__KEY_END,
};

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
    if (!kept) return -1;
    if (r->n_x == HOL__COUPLED) {
        hol__place_error(build, where, "uses more than %d coordinates and measures", HOL__COUPLED);
        return -1;
    }
    if (!hol__coordinate_of_measure(build, kept, where, &r->x[r->n_x])) return -1;
    a->names[r->n_x] = kept;
    a->names[r->n_x + 1] = NULL;
    return r->n_x++;
}

/* One term; 0 after an error. */
static int set_term(hol__build *build, const term_params *p, const char *const *names,
                    hol__coordinate *x, hol__law *factor) {
    const hol_model *model = build->model;
    const int errors = build->errors, plane = model->dim == 2, word = p->component;
    static const double none[3];
    double center[3];
    hol__sketched_point(model, p->body, none, center);
    const double *at = hol__is_given(p, "at") ? p->at : center;
    if (plane ? word == VZ || (word >= WX && word <= WZ) : word == OMEGA)
        hol__field_error(build, p, "component", "'%s' is not a velocity in a %s model; use %s",
                         components[word], plane ? "planar" : "spatial",
                         plane ? "vx, vy, omega" : "vx, vy, vz, wx, wy, wz");
    if (p->body == p->against)
        hol__field_error(build, p, NULL, "measures the velocity of a body against itself");
    *factor = hol__formula_law(build, &p->factor, names, NULL, NULL);
    if (build->errors > errors) return 0;
    *x = (hol__coordinate){.kind = word <= VZ ? HOL__COORDINATE_VELOCITY : HOL__COORDINATE_SPIN,
                           .body = {p->against, p->body},
                           .angle = -1};
    hol__marker_set(model, p->against, at, NULL, &x->marker[0]);
    hol__marker_set(model, p->body, at, NULL, &x->marker[1]);
    x->frame = p->frame ? 1 : 2;
    x->e[p->frame][word == OMEGA ? 2 : word % 3] = 1;
    return 1;
}

static void velocity_constraint(hol__build *build, hol__element *joint, const void *params) {
    const velocity_params *p = params;
    const int errors = build->errors;
    const char *names[HOL__COUPLED + 1];
    hol__rate r = {.state = -1, .label = "velocity"};
    const int n = hol__coordinates_set(build, &p->coordinates, r.x, names);
    if (n < 0) return;
    r.n_x = n;
    adoption more = {{HOL__COUPLED, adopt_measure}, &r, names};
    build->adopt = &more.head;
    for (int i = 0; i < p->terms.n; i++)
        if (set_term(build, (const void *)p->terms.items[i], names, &r.term[r.n], &r.factor[r.n]))
            r.n++;
    if (p->value.text) r.f = hol__formula_law(build, &p->value, names, NULL, NULL);
    build->adopt = NULL;
    if (build->errors > errors) return;
    memcpy(r.names, names, sizeof names);
    r.names[r.n_x] = NULL;
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
    .size = sizeof(velocity_params),
    .compile_element = velocity_constraint,
};
