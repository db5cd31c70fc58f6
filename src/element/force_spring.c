/* force_spring.c: spring, damper and actuator between two points.
 *
 *     l = |P2 - P1|,  u = (P2 - P1)/l         F = k (l - l0) + c l' + f(length, rate, t, measures)
 *     tension is positive
 *     force +F u on P1, -F u on P2            the law: spring_law.h with x = l
 */
#include "element/formula.h"
#include "element/joints.h"
#include "element/kinematics.h"
#include "element/span.h"
#include "element/spring_law.h"

#include <math.h>
#include <string.h>

typedef struct spring {
    int element;
    int body[2];
    double s1[3], s2[3];
    hol__spring_law law;
} spring;

static const char *const locals[] = {"length", "rate", NULL};
static const char *const units[] = {"m", "m/s"};

/* F u on both bodies, in the plane. */
static void fill2(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const spring *rec = (const spring *)records + i;
        const hol__body2 *b1 = &args->bodies.b2[rec->body[0]], *b2 = &args->bodies.b2[rec->body[1]];
        double u1[2], u2[2], d[2], e[2];
        hol__arm2(b1, rec->s1, u1);
        hol__arm2(b2, rec->s2, u2);
        hol__gap2(b1, u1, b2, u2, d, e);
        const double l = sqrt(d[0] * d[0] + d[1] * d[1]), inverse = l > 0 ? 1 / l : 0;
        const double F =
            hol__spring_pull(&rec->law, l, (d[0] * e[0] + d[1] * e[1]) * inverse, args) * inverse;
        double *w1 = args->wrench + 3 * rec->body[0], *w2 = args->wrench + 3 * rec->body[1];
        w1[0] += F * d[0], w1[1] += F * d[1], w1[2] += F * (u1[0] * d[1] - u1[1] * d[0]);
        w2[0] -= F * d[0], w2[1] -= F * d[1], w2[2] -= F * (u2[0] * d[1] - u2[1] * d[0]);
    }
}

/* wrench += sign [f, s x R^T f] */
static void add3(const hol__body3 *b, const double *s, const double *f, double sign, double *w) {
    double g[3], moment[3];
    hol__mul3_t(b->R, f, g);
    hol__cross3(s, g, moment);
    for (int k = 0; k < 3; k++) w[k] += sign * f[k], w[3 + k] += sign * moment[k];
}

/* The same in space. */
static void fill3(const void *records, int n, hol__force_args *args) {
    for (int i = 0; i < n; i++) {
        const spring *rec = (const spring *)records + i;
        const hol__body3 *b1 = &args->bodies.b3[rec->body[0]], *b2 = &args->bodies.b3[rec->body[1]];
        double d[3], e[3], f[3];
        hol__gap3(b1, rec->s1, b2, rec->s2, d, e);
        const double l = hol__norm3(d), inverse = l > 0 ? 1 / l : 0;
        const double F = hol__spring_pull(&rec->law, l, hol__dot3(d, e) * inverse, args) * inverse;
        for (int k = 0; k < 3; k++) f[k] = F * d[k];
        add3(b1, rec->s1, f, 1, args->wrench + 6 * rec->body[0]);
        add3(b2, rec->s2, f, -1, args->wrench + 6 * rec->body[1]);
    }
}

/* -F along the gradient of the length. */
static hol__dual along(const void *record, hol__dual_args *args, hol__dual x, hol__dual rate) {
    const hol__dual F = hol__spring_dual(&((const spring *)record)->law, x, rate, args);
    return (hol__dual){-F.f, -F.d};
}

static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    const spring *rec = record;
    hol__span l;
    hol__span_distance(args, rec->body, rec->s1, rec->s2, &l);
    hol__span_tangent(rec, args, &l, along, out);
}

/* -F along the length. */
static int formula(const void *record, hol__symbolic *to) {
    const spring *rec = record;
    hol__sym s1[3], s2[3], d[3];
    hol__symbolic_vector(to, rec->s1, "a", s1);
    hol__symbolic_vector(to, rec->s2, "b", s2);
    hol__symbolic_gap(to, rec->body, s1, s2, d);
    const hol__sym l = hol__symbolic_length(to, d, "l"), rate = hol__symbolic_rate(to, l),
                   F = hol__spring_formula(to, &rec->law, locals, l,
                                           rec->law.c.e || rec->law.c.value != 0
                                               ? hol__symbolic_short_rate(to, rate, "l")
                                               : rate);
    if (!F) return 0;
    hol__symbolic_act(to, l, hol__sym_neg(to->a, F));
    return 1;
}

static const hol__force_type spring_plane = {.name = "spring",
                                             .size = sizeof(spring),
                                             .fill = fill2,
                                             .tangent = tangent,
                                             .formula = formula};
static const hol__force_type spring_space = {.name = "spring",
                                             .size = sizeof(spring),
                                             .fill = fill3,
                                             .tangent = tangent,
                                             .formula = formula};

typedef struct spring_params {
    hol__params head;
    int bodies[2];
    double from[3], to[3];
    hol__law stiffness, damping, force;
    double free_length;
} spring_params;

static const hol__key keys[] = {
    HOL__KEY_PAIR(spring_params, bodies),
    {"from", HOL__KEY_POINT, "m", NULL, 0, "The point on the first body, at the drawn position.",
     NULL, HOL__AT(spring_params, from)},
    {"to", HOL__KEY_POINT, "m", NULL, 0, "The point on the second body, at the drawn position.",
     NULL, HOL__AT(spring_params, to)},
    {"stiffness", HOL__KEY_LAW, "N/m", "0", 0, "k; may use `length` and `rate`.", NULL,
     HOL__LAW_OF(spring_params, stiffness, locals, units)},
    {"free_length", HOL__KEY_NUMBER, "m", "", HOL__NOT_NEGATIVE, "l0; default: as drawn.", NULL,
     HOL__AT(spring_params, free_length)},
    {"damping", HOL__KEY_LAW, "N*s/m", "0", 0, "c; may use `length` and `rate`.", NULL,
     HOL__LAW_OF(spring_params, damping, locals, units)},
    {"force", HOL__KEY_LAW, "N", "0", 0,
     "A further force, positive when it pulls the points together; may use `length` and `rate`.",
     NULL, HOL__LAW_OF(spring_params, force, locals, units)},
    HOL__KEY_END,
};

/* Points, law and markers. */
static void compile(hol__build *build, hol__element *force, const void *params) {
    const spring_params *p = params;
    spring s = {.law = {.sign = 1, .k = p->stiffness, .c = p->damping, .f = p->force}};
    double d[3];
    if (!hol__spring_acts(build, p, "force")) return;
    hol__sub3(p->to, p->from, d);
    s.law.x0 = hol__is_given(p, "free_length") ? p->free_length : hol__norm3(d);
    if (!(hol__norm3(d) > 0) && s.law.x0 > 0 && !build->assembly)
        hol__warn(
            build->ctx, hol__field_where(p, "free_length"), build->element,
            "is drawn with length 0, where its force has no direction: it is taken as 0 until "
            "the points part. Draw the points apart, or give free_length: 0");
    memcpy(force->body, p->bodies, sizeof force->body);
    hol__marker_set(build->model, force->body[0], p->from, NULL, &force->marker[0]);
    hol__marker_set(build->model, force->body[1], p->to, NULL, &force->marker[1]);
    memcpy(s.s1, force->marker[0].s, sizeof s.s1);
    memcpy(s.s2, force->marker[1].s, sizeof s.s2);
    memcpy(s.body, force->body, sizeof s.body);
    spring *rec =
        hol__add_force(build, force, build->model->dim == 2 ? &spring_plane : &spring_space);
    if (!rec) return;
    s.element = rec->element;
    *rec = s;
}

static const hol__quantity quantities[] = {
    {"length", HOL__TELLS_NUMBER, "m", NULL, 0, "l, the distance of the points."},
    {"rate", HOL__TELLS_NUMBER, "m/s", NULL, 0, "l'."},
    {"deformation", HOL__TELLS_NUMBER, "m", NULL, 0, "l - l0."},
    {"tension", HOL__TELLS_NUMBER, "N", NULL, 1, "F, positive when it pulls the points together."},
    HOL__QUANTITY_END,
};

const hol__element_type hol__force_spring = {
    .section = "forces",
    .name = "spring",
    .title = "Spring, damper and actuator between two points.",
    .equations = "F = k (l - l0) + c l' + f, tension positive; V = k (l - l0)^2 / 2",
    .example = "  spring: {type: spring, bodies: [ground, rod], from: [0, 1], to: [1, 0], "
               "stiffness: 100, damping: 2}",
    .spaces = HOL__IN_PLANE | HOL__IN_SPACE,
    .keys = keys,
    .size = sizeof(spring_params),
    .quantities = quantities,
    .compile_element = compile,
};
