/* force_axial_spring.c: spring, damper and actuator along a direction that is fixed in a body.
 *
 *     x = e . (P2 - P1),  e fixed in body 1       F = k (x - x0) + c x' + f(displacement, rate, t,
 *     measures), tension positive
 *     -F e at P2 on body 2, F e at the same place on body 1       the law: spring_law.h
 *
 * What P2 does across e does not matter; the line of action goes through P2, so that force and
 * moment on the two bodies are opposite, and the power is -F x' exactly (travel.h).
 */
#include "element/forces.h"
#include "element/formula.h"
#include "element/span.h"
#include "element/spring_law.h"

#include <string.h>

typedef struct axial_spring {
    int element;
    hol__travel x;
    hol__spring_law law;
} axial_spring;

static const char *const locals[] = {"displacement", "rate", NULL};
static const char *const units[] = {"m", "m/s"};

static void fill(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const axial_spring *rec = (const axial_spring *)records + i;
        double x, rate;
        hol__travel_get(&rec->x, args, &x, &rate);
        hol__travel_act(&rec->x, args, -hol__spring_pull(&rec->law, x, rate, args));
    }
}

/* -F along the gradient of x. */
static hol__dual along(const void *record, hol__dual_args *args, hol__dual x, hol__dual rate) {
    const hol__dual F = hol__spring_dual(&((const axial_spring *)record)->law, x, rate, args);
    return (hol__dual){-F.f, -F.d};
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    hol__span x;
    hol__span_travel(&((const axial_spring *)record)->x, args, &x);
    hol__span_tangent(record, args, &x, along, out);
}

/* -F along x. */
static int formula(const void *record, hol__symbolic *to) {
    const axial_spring *rec = record;
    const hol__sym x = hol__travel_formula(to, &rec->x);
    if (!x) return 0;
    const hol__sym F = hol__spring_formula(to, &rec->law, locals, x, hol__symbolic_rate(to, x));
    if (!F) return 0;
    hol__symbolic_act(to, x, hol__sym_neg(to->a, F));
    return 1;
}

static const hol__force_type axial_type = {.name = "axial spring",
                                           .size = sizeof(axial_spring),
                                           .fill = fill,
                                           .tangent = tangent,
                                           .formula = formula};

typedef struct axial_params {
    hol__params head;
    int bodies[2];
    double from[3], to[3], axis[3];
    hol__law stiffness, damping, force;
    double free_length;
} axial_params;

static const hol__key keys[] = {
    {"bodies", HOL__KEY_BODIES, NULL, NULL, 0,
     "The body that the direction is fixed in, and the second body; `ground` is allowed.", NULL,
     HOL__AT(axial_params, bodies)},
    {"from", HOL__KEY_POINT, "m", NULL, 0,
     "The point of the first body from which x is counted, at the drawn position.", NULL,
     HOL__AT(axial_params, from)},
    {"to", HOL__KEY_POINT, "m", NULL, 0,
     "The point of the second body, at the drawn position; the force acts here on both bodies.",
     NULL, HOL__AT(axial_params, to)},
    {"axis", HOL__KEY_DIRECTION, NULL, NULL, 0,
     "e, the direction, fixed in the first body, at the drawn position.", NULL,
     HOL__AT(axial_params, axis)},
    {"stiffness", HOL__KEY_LAW, "N/m", "0", 0, "k; may use `displacement` and `rate`.", NULL,
     HOL__LAW_OF(axial_params, stiffness, locals, units)},
    {"free_length", HOL__KEY_NUMBER, "m", "", 0,
     "x0, the displacement without force, which may be negative; default: as drawn.", NULL,
     HOL__AT(axial_params, free_length)},
    {"damping", HOL__KEY_LAW, "N*s/m", "0", 0, "c; may use `displacement` and `rate`.", NULL,
     HOL__LAW_OF(axial_params, damping, locals, units)},
    {"force", HOL__KEY_LAW, "N", "0", 0,
     "A further force, positive when it pulls x to smaller values; may use `displacement` and "
     "`rate`.",
     NULL, HOL__LAW_OF(axial_params, force, locals, units)},
    HOL__KEY_END,
};

static void compile(hol__build *build, hol__element *force, const void *params) {
    const axial_params *p = params;
    axial_spring s = {.x = {.slides = 1, .angle = -1},
                      .law = {.sign = 1, .k = p->stiffness, .c = p->damping, .f = p->force}};
    double d[3];
    if (!hol__spring_acts(build, p, "force")) return;
    hol__sub3(p->to, p->from, d);
    s.law.x0 = hol__is_given(p, "free_length") ? p->free_length : hol__dot3(p->axis, d);
    if (hol__dot3(p->axis, d) < 0 && s.law.x0 > 0 && !build->assembly)
        hol__warn(build->ctx, hol__field_where(p, "axis"), build->element,
                  "is drawn with a length of %.6g m along its axis, which points from the second "
                  "point to the first, beside a free length of %.6g m; turn the axis round",
                  hol__dot3(p->axis, d), s.law.x0);
    memcpy(force->body, p->bodies, sizeof force->body);
    memcpy(s.x.body, p->bodies, sizeof s.x.body);
    hol__marker_set(build->model, p->bodies[0], p->from, NULL, &force->marker[0]);
    hol__marker_set(build->model, p->bodies[1], p->to, NULL, &force->marker[1]);
    memcpy(s.x.s1, force->marker[0].s, sizeof s.x.s1);
    memcpy(s.x.s2, force->marker[1].s, sizeof s.x.s2);
    hol__drawn_direction(build->model, p->bodies[0], p->axis, s.x.e1);
    axial_spring *rec = hol__add_force(build, force, &axial_type);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity quantities[] = {
    {"displacement", HOL__TELLS_NUMBER, "m", NULL, 0, "x, along the direction."},
    {"rate", HOL__TELLS_NUMBER, "m/s", NULL, 0, "x'."},
    {"deformation", HOL__TELLS_NUMBER, "m", NULL, 0, "x - x0."},
    {"tension", HOL__TELLS_NUMBER, "N", NULL, 1, "F, positive when it pulls x to smaller values."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_axial_spring = {
    .section = "forces",
    .name = "axial_spring",
    .title = "Spring, damper and actuator along a direction that is fixed in the first body.",
    .equations = "x = e . (P2 - P1); F = k (x - x0) + c x' + f; -F e at P2 on body 2, F e there on "
                 "body 1; V = k (x - x0)^2 / 2",
    .example = "  guide: {type: axial_spring, bodies: [ground, rod], from: [1, 1], to: [1, 0], "
               "axis: [0, 1], stiffness: 100, damping: 2}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(axial_params),
    .quantities = quantities,
    .compile_element = compile,
};
