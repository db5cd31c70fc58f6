/* joint_coupler.c: couplers of coordinates and of velocities.
 *
 *     coupler              sum a_i x_i = f(t)   or   F(t, x) = 0
 *     velocity_coupler     sum a_i(t, x) x_i' = f(t, x)
 */
#include "element/coupler.h"
#include "element/joints.h"

#include <string.h>

/* The examples couple two arms that turn on ground. */
#define TWO_ARMS(name)                                                                             \
    "holonom: 1\nname: " name "\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                    \
    "  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"                                  \
    "  arm: {mass: 0.7, inertia: 0.05, along: [[2, 0], [2, 0.6]]}\n"                               \
    "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"                          \
    "  B: {type: revolute, bodies: [ground, arm], at: [2, 0]}\n"

/* A law of time and the named coordinates at a node. */
static hol__law read_formula(hol__build *build, hol__node *node, const char *const *names) {
    const hol__expr *e = hol__read_expr(build, node, HOL__NAMES_LOCAL, names, NULL);
    if (!e) return (hol__law){0, NULL};
    if (hol__expr_is_constant(e)) return (hol__law){hol__expr_constant(e), NULL};
    if (hol__expr_reads(e, 0)) build->model->rheonomic = 1;
    return (hol__law){0, e};
}

/* The list `factors`, one for each of n coordinates. */
static void read_factors(hol__build *build, hol__node *item, int n, const char *const *names,
                         hol__law *factors) {
    hol__node *list = hol__node_get(item, "factors");
    if (list->kind != HOL__LIST || list->count != n) {
        hol__build_error(build, list,
                         "'factors' is a list with one factor for each of the %d coordinates", n);
        return;
    }
    for (hol__node *child = list->first; child; child = child->next)
        *factors++ = read_formula(build, child, names);
}

/* ---- coupler ---- */

static const hol__key coupler_keys[] = {
    {"coordinates", HOL__KEY_COORDINATES, NULL, NULL, 0,
     "What is coupled: up to four coordinates, by name.", NULL},
    {"equation", HOL__KEY_FORMULA, NULL, "", 0,
     "What is to be zero: an expression of the coordinates and of time with continuous second "
     "derivatives.",
     NULL},
    {"factors", HOL__KEY_FORMULAS, NULL, "", 0,
     "Instead of an equation: a number for each coordinate; the sum of the products is `value`.",
     NULL},
    {"value", HOL__KEY_TIME_LAW, NULL, "0", 0, "The value of the sum, with `factors`.", NULL},
    HOL__KEY_END,
};

/* The equation is given in one of two ways. */
static void read_equation(hol__build *build, hol__node *item, const char *const *names,
                          hol__coupler *c) {
    hol__node *equation = hol__node_get(item, "equation");
    hol__law factors[HOL__COUPLED] = {{0, NULL}};
    if (!equation == !hol__node_get(item, "factors")) {
        hol__build_error(build, item, "a coupler has either an `equation` or `factors`");
        return;
    }
    if (equation) {
        const hol__law law = read_formula(build, equation, names);
        int reads = 0;
        for (int i = 0; law.e && i < c->n; i++) reads |= hol__expr_reads(law.e, 1 + i);
        if (!reads) hol__build_error(build, equation, "the equation uses none of the coordinates");
        const char *kink = law.e ? hol__expr_kink(law.e) : NULL;
        if (kink)
            hol__build_error(build, equation,
                             "the equation has %s, which has no continuous derivatives; use smooth "
                             "functions (step, table)",
                             kink);
        if (hol__node_get(item, "value"))
            hol__build_error(build, hol__node_get(item, "value"),
                             "'value' has no meaning beside 'equation'");
        c->F = law.e;
        return;
    }
    double size = 0;
    read_factors(build, item, c->n, names, factors);
    for (int i = 0; i < c->n; i++) {
        if (factors[i].e)
            hol__build_error(build, hol__node_get(item, "factors"),
                             "factors are constant; use `equation` for others");
        c->factor[i] = factors[i].value;
        size += c->factor[i] * c->factor[i];
    }
    if (!(size > 0)) hol__build_error(build, hol__node_get(item, "factors"), "all factors are 0");
    c->f = hol__read_law(build, item, coupler_keys, "value", NULL);
}

/* sum a_i x_i = f or F = 0 from the keys. */
static void coupler(hol__build *build, hol__element *joint, hol__node *item) {
    const int errors = build->errors;
    const char *names[HOL__COUPLED + 1], *units[HOL__COUPLED];
    hol__coupler c = {.label = "coupled coordinates"};
    c.n = hol__coordinates_read(build, item, HOL__COUPLED, c.x, names, units);
    if (c.n > 0) read_equation(build, item, names, &c);
    if (c.n < 1 || build->errors > errors) return;
    hol__coordinate_lend(&c.x[0], joint);
    hol__add_coupler(build, joint, &c);
}

const hol__element_type hol__joint_coupler = {
    .section = "joints",
    .name = "coupler",
    .title = "Couples up to four coordinates (angles, displacements, distances, components) by one "
             "equation.",
    .equations = "sum a_i x_i = f(t), or F(t, x_1, ...) = 0",
    .example = TWO_ARMS("coupler") "  link: {type: coupler, coordinates: {a: {joint: A}, b: "
                                   "{joint: B}}, equation: b - "
                                   "sin(a) - 0.3*a^2}\n"
                                   "simulation: {end: 0.1}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = coupler_keys,
    .late = 1,
    .compile_element = coupler,
};

/* ---- velocity coupler ---- */

static const hol__key velocity_coupler_keys[] = {
    {"coordinates", HOL__KEY_COORDINATES, NULL, NULL, 0,
     "Whose rates are coupled: up to four coordinates, by name.", NULL},
    {"factors", HOL__KEY_FORMULAS, NULL, NULL, 0,
     "The factor of each rate: a number, or an expression of the coordinates and of time.", NULL},
    {"value", HOL__KEY_FORMULA, NULL, "", 0,
     "The sum of factors times rates: a number, or an expression of the coordinates and of time; 0 "
     "when left out.",
     NULL},
    HOL__KEY_END,
};

/* sum a_i x_i' = f from the keys. */
static void velocity_coupler(hol__build *build, hol__element *joint, hol__node *item) {
    const int errors = build->errors;
    const char *names[HOL__COUPLED + 1], *units[HOL__COUPLED];
    hol__rate r = {.state = -1, .label = "coupled velocities"};
    r.n = r.n_x = hol__coordinates_read(build, item, HOL__COUPLED, r.x, names, units);
    if (r.n < 1 || !hol__node_get(item, "factors")) return;
    memcpy(r.term, r.x, sizeof r.x);
    read_factors(build, item, r.n, names, r.factor);
    hol__node *value = hol__node_get(item, "value");
    if (value) r.f = read_formula(build, value, names);
    if (build->errors > errors) return;
    hol__coordinate_lend(&r.x[0], joint);
    hol__add_rate(build, joint, &r);
}

const hol__element_type hol__joint_velocity_coupler = {
    .section = "joints",
    .name = "velocity_coupler",
    .title = "Couples the rates of up to four coordinates by one equation (nonholonomic).",
    .equations = "sum a_i(t, x) x_i' = f(t, x)",
    .example = TWO_ARMS("velocity coupler") "  drive: {type: velocity_coupler, coordinates: {a: "
                                            "{joint: A}, b: {joint: B}}, "
                                            "factors: [1, 2 + cos(a)], value: 0.1*t}\n"
                                            "simulation: {end: 0.1}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = velocity_coupler_keys,
    .late = 1,
    .compile_element = velocity_coupler,
};
