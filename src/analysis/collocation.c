/* collocation.c: the numbers of the formulas, from their nodes. See collocation.h. */
#include "analysis/collocation.h"

#include "integ/collocate.h"
#include "integ/radau.h"

#include <math.h>
#include <string.h>

/* Gauss's nodes on 0 … 1 and his weights, exact for polynomials of degree nine. */
static void gauss_rule(double *c, double *b) {
    for (int k = 0; k < HOL__STAGES; k++) {
        const int side = k < 2 ? -1 : 1, outer = k == 0 || k == 4;
        const double x = sqrt(5 + (outer ? 2 : -2) * sqrt(10.0 / 7)) / 3;
        c[k] = k == 2 ? 0.5 : 0.5 * (1 + side * x);
        b[k] = k == 2 ? 64.0 / 225 : (322 + (outer ? -13 : 13) * sqrt(70.0)) / 1800;
    }
}

/* a and b of the nodes, the integrals by Gauss's rule. */
static void integrate(hol__collocation *f) {
    double c[HOL__STAGES], b[HOL__STAGES], L[HOL__STAGES];
    gauss_rule(c, b);
    memset(f->a, 0, sizeof f->a);
    memset(f->b, 0, sizeof f->b);
    for (int k = 0; k <= HOL__STAGES; k++) {
        const double end = k < HOL__STAGES ? f->c[k] : 1;
        for (int j = 0; j < HOL__STAGES; j++) {
            hol__lagrange(HOL__STAGES, f->c, end * c[j], L);
            for (int l = 0; l < HOL__STAGES; l++)
                *(k < HOL__STAGES ? &f->a[k][l] : &f->b[l]) += end * b[j] * L[l];
        }
    }
}

void hol__collocation_gauss(hol__collocation *f) {
    gauss_rule(f->c, f->b);
    integrate(f);
}

void hol__collocation_radau(hol__collocation *f) {
    const hol__radau_table *table = hol__stepper_find("radau9")->table;
    memcpy(f->c, table->c, sizeof f->c);
    integrate(f);
}
