/* force_gravity.c: gravity that changes with time, and the field of a centre. (Uniform constant
 * gravity is part of the coordinates.)
 *
 *     uniform    F = m g(t)
 *                V = -m g(t) . r; its explicit change with time is work: power = -m g'(t) . r
 *     centre     F = -mu m d / |d|^3        V = -mu m / |d|,   d = r - centre
 *
 * The force of the centre acts at the mass centre (the field is taken as uniform over a body).
 */
#include "element/acting.h"
#include "element/forces.h"
#include "element/formula.h"

/* The field of the centre at r: F for mass m; returns the potential. */
static double central(const hol__gravity_field *field, const double *r, double m, double F[3]) {
    double d[3];
    hol__sub3(r, field->center, d);
    const double distance = hol__norm3(d), k = field->mu * m / distance;
    for (int i = 0; i < 3; i++) F[i] = -k * d[i] / (distance * distance);
    return -k;
}

/* g(t) and g'(t). */
static void uniform(const hol__gravity_field *field, const hol__force_args *args, double g[3],
                    double gdot[3]) {
    for (int i = 0; i < 3; i++) {
        const hol__jet jet = hol__law_jet(&field->uniform[i], args->inputs[0], args->scratch);
        g[i] = jet.f, gdot[i] = jet.d1;
    }
}

/* On one body. */
static void act(const hol__gravity_field *field, int b, const double g[3], const double gdot[3],
                hol__force_args *args) {
    const double m = field->bodies[b].mass;
    double r[3], F[3] = {0, 0, 0}, *w = args->wrench + (args->bodies.b2 ? 3 : 6) * b;
    hol__center_of(args, b, r);
    if (field->mu > 0) args->potential += central(field, r, m, F);
    for (int i = 0; i < 3; i++) F[i] += m * g[i];
    args->potential -= m * hol__dot3(g, r);
    args->power -= m * hol__dot3(gdot, r);
    for (int i = 0; i < (args->bodies.b2 ? 2 : 3); i++) w[i] += F[i];
}

void hol__gravity_on(const hol__gravity_field *field, int body, hol__force_args *args) {
    double g[3], gdot[3];
    uniform(field, args, g, gdot);
    act(field, body, g, gdot, args);
}

static void fill(const void *records, int n, hol__force_args *args) {
    for (int k = 0; k < n; k++) {
        const hol__gravity_field *field = (const hol__gravity_field *)records + k;
        double g[3], gdot[3];
        uniform(field, args, g, gdot);
        for (int b = 0; b < field->nb; b++) act(field, b, g, gdot, args);
    }
}

/* Of one body: -mu m/|d|^3 (1 - 3 d d^T/|d|^2) by the place of its mass centre, m g'(t) by time. */
static void tangent(const void *record, hol__force_args *args, hol__force_tangent *out) {
    const hol__gravity_field *field = record;
    const int dim = args->bodies.b2 ? 2 : 3, body = out->body[0];
    const double m = field->bodies[body].mass;
    double r[3], d[3];
    hol__center_of(args, body, r);
    hol__sub3(r, field->center, d);
    const double square = hol__dot3(d, d), k = field->mu * m / (square * sqrt(square));
    for (int i = 0; i < dim; i++) {
        out->input[i * out->n_reads] +=
            m * hol__law_jet(&field->uniform[i], args->inputs[0], args->scratch).d1;
        for (int j = 0; field->mu > 0 && j < dim; j++)
            out->pose[i * out->n + j] += k * (3 * d[i] * d[j] / square - (i == j));
    }
}

/* The mass of a body in all models. */
static hol__sym mass_formula(hol__symbolic *to, int body) {
    double values[64];
    for (int k = 0; k < to->n_models; k++) values[k] = to->models[k]->bodies[body].mass;
    return hol__symbolic_of_values(to, values, "m", to->model->bodies[body].name, 0);
}

/* m (g(t) - mu d/|d|^3) at every mass centre. */
static int formula(const void *record, hol__symbolic *to) {
    const hol__gravity_field *field = record;
    hol__algebra *a = to->a;
    hol__sym g[3], rate[3], center[3], d[3], change = a->zero;
    hol__symbolic_vector(to, field->center, "center", center);
    for (int i = 0; i < 3; i++) {
        g[i] = hol__symbolic_drive(to, &field->uniform[i], "g");
        rate[i] = hol__symbolic_rate(to, g[i]);
    }
    for (int b = 0; b < field->nb; b++) {
        const hol__sym m = mass_formula(to, b), *r = to->bodies[b].r;
        for (int i = 0; i < 3; i++) d[i] = hol__sym_sub(a, r[i], center[i]);
        const hol__sym square = hol__sym_shorten(a, hol__symbolic_dot(to, d, d));
        for (int i = 0; i < to->model->dim; i++) {
            hol__sym F = g[i];
            if (field->mu > 0)
                F = hol__sym_sub(
                    a, F,
                    hol__sym_mul(
                        a, hol__symbolic_number(to, &field->mu, "mu"),
                        hol__sym_mul(a, d[i],
                                     hol__sym_power(a, square, hol__sym_fraction(a, -3, 2)))));
            F = hol__sym_mul(a, m, F);
            hol__symbolic_act(to, r[i], F);
            hol__symbolic_keep(to, r[i], F);
            change = hol__sym_add(a, change, hol__sym_mul(a, rate[i], hol__sym_mul(a, m, r[i])));
        }
    }
    hol__symbolic_power(to, hol__sym_neg(a, change));
    return 1;
}

const hol__force_type hol__force_gravity_field = {.name = "gravity",
                                                  .size = sizeof(hol__gravity_field),
                                                  .fill = fill,
                                                  .tangent = tangent,
                                                  .formula = formula};
