/* force_gravity.c: gravity that changes with time, and the field of a centre. (Uniform constant gravity is part of the coordinates.)
 *
 *     uniform    F = m g(t)                 V = -m g(t) . r; its explicit change with time is work: power = -m g'(t) . r
 *     centre     F = -mu m d / |d|^3        V = -mu m / |d|,   d = r - centre
 *
 * The force of the centre acts at the mass centre (the field is taken as uniform over a body).
 */
#include "element/acting.h"
#include "element/forces.h"

/* The field of the centre at r: F for mass m; returns the potential. */
static double central(const hol__gravity_field *field, const double *r, double m, double F[3]) {
    double d[3];
    hol__sub3(r, field->center, d);
    const double distance = hol__norm3(d), k = field->mu * m / distance;
    for (int i = 0; i < 3; i++) F[i] = -k * d[i] / (distance * distance);
    return -k;
}

static void fill(const void *records, int n, hol__force_args *args) {
    for (int k = 0; k < n; k++) {
        const hol__gravity_field *field = (const hol__gravity_field *)records + k;
        double g[3], gdot[3];
        for (int i = 0; i < 3; i++) {
            const hol__jet jet = hol__law_jet(&field->uniform[i], args->inputs[0], args->scratch);
            g[i] = jet.f, gdot[i] = jet.d1;
        }
        for (int b = 0; b < field->nb; b++) {
            const double m = field->bodies[b].mass;
            double r[3], F[3] = {0, 0, 0};
            hol__center_of(args, b, r);
            if (field->mu > 0) args->potential += central(field, r, m, F);
            for (int i = 0; i < 3; i++) F[i] += m * g[i];
            args->potential -= m * hol__dot3(g, r);
            args->power -= m * hol__dot3(gdot, r);
            double *w = args->wrench + (args->bodies.b2 ? 3 : 6) * b;
            for (int i = 0; i < (args->bodies.b2 ? 2 : 3); i++) w[i] += F[i];
        }
    }
}

const hol__force_type hol__force_gravity_field = {"gravity", sizeof(hol__gravity_field), fill,
                                                  NULL};
