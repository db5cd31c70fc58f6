/* four_bar.c: the planar four-bar of Marques, Souto and Flores, tables 1 and 2, in the angle of its
 * crank. Loop: the end C of coupler and follower lies at 4 m from B and from D. */
#include "planar.h"

static point B(number theta, number rate) {
    return on_body((point){0}, theta, rate, 2, 0);
}

static const point D = {.x = 2.5};

static point C(number theta, number rate) {
    return join(B(theta, rate), 4, D, 4, 1);
}

static number kinetic(const number *q, const number *v) {
    const point b = B(q[0], v[0]), c = C(q[0], v[0]);
    return rod_energy(1, 0.3, (point){0}, b) + rod_energy(2.25, 2, b, c) +
           rod_energy(2.2, 1.35, D, c);
}

static number potential(const number *q) {
    const number yb = B(q[0], 0).y, yc = C(q[0], 0).y;
    return 9.81 * 0.5 * (yb + 2.25 * (yb + yc) + 2.2 * yc);
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    const point b = B(y[0], 0), c = C(y[0], 0);
    const number q[1] = {y[0]}, v[1] = {y[1]};
    out[0] = y[0];
    out[1] = y[1];
    out[2] = direction(b, c);
    out[3] = direction(D, c);
    out[4] = creal(kinetic(q, v) + potential(q));
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {pi / 3, 0},
                      .step = 0.01,
                      .f = f,
                      .values = values,
                      .names = "crank_angle,omega,coupler,follower,E",
                      .columns = 5};
    return print_motion(&m, argc, argv);
}
