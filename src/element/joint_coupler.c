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

/* A law of time and the named coordinates. */
static hol__law law_of(hol__build *build, const hol__formula *formula, const char *const *names) {
    const hol__law law = hol__formula_law(build, formula, names, NULL, NULL);
    if (law.e && hol__expr_reads(law.e, 0)) build->model->rheonomic = 1;
    return law;
}

/* The field `factors`, one for each of n coordinates; 0 when there are not so many. */
static int set_factors(hol__build *build, const void *params, const hol__formulas *list, int n,
                       const char *const *names, hol__law *factors) {
    if (list->n != n) {
        hol__field_error(build, params, "factors",
                         "'factors' is a list with one factor for each of the %d coordinates", n);
        return 0;
    }
    for (int i = 0; i < n; i++) factors[i] = law_of(build, &list->f[i], names);
    return 1;
}

/* ---- coupler ---- */

typedef struct coupler_params {
    hol__params head;
    hol__param_list coordinates;
    hol__formula equation;
    hol__formulas factors;
    hol__law value;
} coupler_params;

static const hol__key coupler_keys[] = {
    {"coordinates", HOL__KEY_COORDINATES, NULL, NULL, 0,
     "The coupled coordinates: up to four, by name.", NULL,
     HOL__LIST_AT(coupler_params, coordinates, &hol__coordinate_group)},
    {"equation", HOL__KEY_FORMULA, NULL, "", 0,
     "The expression that is kept at zero, of the coordinates and time, with continuous second "
     "derivatives.",
     NULL, HOL__AT(coupler_params, equation)},
    {"factors", HOL__KEY_FORMULAS, NULL, "", 0,
     "Instead of an equation: a number for each coordinate; the sum of the products is `value`.",
     NULL, HOL__AT(coupler_params, factors)},
    {"value", HOL__KEY_TIME_LAW, NULL, "0", 0, "The value of the sum, with `factors`.", NULL,
     HOL__AT(coupler_params, value)},
    HOL__KEY_END,
};

/* F = 0 with an expression F of the coordinates. */
static void set_equation(hol__build *build, const coupler_params *p, const char *const *names,
                         hol__coupler *c) {
    const hol__law law = law_of(build, &p->equation, names);
    const char *kink = law.e ? hol__expr_kink(law.e) : NULL;
    int reads = 0;
    for (int i = 0; law.e && i < c->n; i++) reads |= hol__expr_reads(law.e, 1 + i);
    if (!reads) hol__field_error(build, p, "equation", "the equation uses none of the coordinates");
    if (kink)
        hol__field_error(build, p, "equation",
                         "the equation has %s, which has no continuous derivatives; use smooth "
                         "functions (step, table)",
                         kink);
    if (hol__is_given(p, "value"))
        hol__field_error(build, p, "value", "'value' has no meaning beside 'equation'");
    c->F = law.e;
}

/* sum a_i x_i = f with constant factors. */
static void set_sum(hol__build *build, const coupler_params *p, const char *const *names,
                    hol__coupler *c) {
    hol__law factors[HOL__COUPLED] = {{0, NULL}};
    double size = 0;
    if (!set_factors(build, p, &p->factors, c->n, names, factors)) return;
    for (int i = 0; i < c->n; i++) {
        if (factors[i].e)
            hol__field_error(build, p, "factors",
                             "factors are constant; use `equation` for others");
        c->factor[i] = factors[i].value;
        size += c->factor[i] * c->factor[i];
    }
    if (!(size > 0)) hol__field_error(build, p, "factors", "all factors are 0");
    c->f = p->value;
}

/* sum a_i x_i = f or F = 0: the equation is given in one of two ways. */
static void coupler(hol__build *build, hol__element *joint, const void *params) {
    const coupler_params *p = params;
    const int errors = build->errors, by_equation = hol__is_given(p, "equation");
    const char *names[HOL__COUPLED + 1];
    hol__coupler c = {.label = "coupled coordinates"};
    c.n = hol__coordinates_set(build, &p->coordinates, c.x, names);
    if (c.n < 1) return;
    memcpy(c.names, names, sizeof names);
    c.names[c.n] = NULL;
    if (by_equation == hol__is_given(p, "factors"))
        hol__field_error(build, p, NULL, "a coupler has either an `equation` or `factors`");
    else
        (by_equation ? set_equation : set_sum)(build, p, names, &c);
    if (build->errors > errors) return;
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
    .size = sizeof(coupler_params),
    .compile_element = coupler,
};

/* ---- velocity coupler ---- */

typedef struct velocity_coupler_params {
    hol__params head;
    hol__param_list coordinates;
    hol__formulas factors;
    hol__formula value;
} velocity_coupler_params;

static const hol__key velocity_coupler_keys[] = {
    {"coordinates", HOL__KEY_COORDINATES, NULL, NULL, 0,
     "The coordinates whose rates are coupled: up to four, by name.", NULL,
     HOL__LIST_AT(velocity_coupler_params, coordinates, &hol__coordinate_group)},
    {"factors", HOL__KEY_FORMULAS, NULL, NULL, 0,
     "The factor of each rate: a number, or an expression of the coordinates and of time.", NULL,
     HOL__AT(velocity_coupler_params, factors)},
    {"value", HOL__KEY_FORMULA, NULL, "", 0,
     "The sum of factors times rates: a number, or an expression of the coordinates and of time; "
     "default: 0.",
     NULL, HOL__AT(velocity_coupler_params, value)},
    HOL__KEY_END,
};

/* sum a_i x_i' = f. */
static void velocity_coupler(hol__build *build, hol__element *joint, const void *params) {
    const velocity_coupler_params *p = params;
    const int errors = build->errors;
    const char *names[HOL__COUPLED + 1];
    hol__rate r = {.state = -1, .label = "coupled velocities"};
    r.n = r.n_x = hol__coordinates_set(build, &p->coordinates, r.x, names);
    if (r.n < 1) return;
    memcpy(r.names, names, sizeof names);
    r.names[r.n] = NULL;
    memcpy(r.term, r.x, sizeof r.x);
    set_factors(build, p, &p->factors, r.n, names, r.factor);
    if (p->value.text) r.f = law_of(build, &p->value, names);
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
    .size = sizeof(velocity_coupler_params),
    .compile_element = velocity_coupler,
};
