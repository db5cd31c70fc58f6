/* gjb_problem_5_6.c: the four-bar of Garcia de Jalon and Bayo, problem 5/6, in the angle of its
 * crank: uniform links of 0.5, 1.4 and 1.1 m and as many kg, pivots 1.3 m apart. */
#include "planar.h"

static const point B = {.x = 1.3};

static point P1(number theta, number rate) {
    return on_body((point){0}, theta, rate, 0.5, 0);
}

static point P2(number theta, number rate) {
    return join(P1(theta, rate), 1.4, B, 1.1, 1);
}

static number kinetic(const number *q, const number *v) {
    const point a = P1(q[0], v[0]), b = P2(q[0], v[0]);
    return rod_energy(0.5, 0.5 * 0.25 / 12, (point){0}, a) +
           rod_energy(1.4, 1.4 * 1.96 / 12, a, b) + rod_energy(1.1, 1.1 * 1.21 / 12, B, b);
}

static number potential(const number *q) {
    const number a = P1(q[0], 0).y, b = P2(q[0], 0).y;
    return 9.81 * 0.5 * (0.5 * a + 1.4 * (a + b) + 1.1 * b);
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    const point b = P2(y[0], 0);
    (void)t;
    out[0] = y[0] - 70 * pi / 180;
    out[1] = creal(b.x);
    out[2] = creal(b.y);
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {70 * pi / 180, 0},
                      .step = 0.005,
                      .f = f,
                      .values = values,
                      .names = "z1,p2.x,p2.y",
                      .columns = 3};
    return print_motion(&m, argc, argv);
}
