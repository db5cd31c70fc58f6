/* five_bar.c: five bars hinged end to end, about y, z, y, z, y (Marques, Souto and Flores,
 * figure 9), in the five angles of the hinges. PARAMETER: the rate of hinges 2 and 4 at the
 * start. */
#include "space.h"

static chain bars(const number *q, const number *v) {
    chain c = chain_from_ground(2);
    for (int i = 0; i < 5; i++) chain_add(&c, i % 2 ? 2 : 1, q[i], v[i], 0, 1);
    return c;
}

static number kinetic(const number *q, const number *v) {
    return bars(q, v).kinetic;
}

static number potential(const number *q) {
    const number rest[5] = {0};
    return 9.81 * bars(q, rest).height;
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 5, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    const number rest[5] = {0};
    number q[5];
    (void)t;
    for (int i = 0; i < 5; i++) q[i] = y[i];
    const chain c = bars(q, rest);
    for (int i = 0; i < 3; i++) out[i] = creal(c.at[i]);
    for (int i = 0; i < 5; i++) out[3 + i] = y[i];
}

int main(int argc, char **argv) {
    const double spin = argc > 3 ? strtod(argv[3], NULL) : 0;
    const motion m = {.n = 10,
                      .y = {0, 0, 0, 0, 0, 0, spin, 0, spin, 0},
                      .step = 0.02,
                      .f = f,
                      .values = values,
                      .names = "tip.x,tip.y,tip.z,q1,q2,q3,q4,q5",
                      .columns = 8};
    return print_motion(&m, argc, argv);
}
