/* double_pendulum_natural.c: two point masses of 1 kg on massless links of 1 m (Garcia de Jalon and
 * Bayo, example 5.1), in the angles of the links from +x. */
#include "planar.h"

static point first(number theta, number rate) {
    return on_body((point){0}, theta, rate, 1, 0);
}

static point second(const number *q, const number *v) {
    return on_body(first(q[0], v[0]), q[1], v[1], 1, 0);
}

static number kinetic(const number *q, const number *v) {
    return energy(1, first(q[0], v[0]), 0, 0) + energy(1, second(q, v), 0, 0);
}

static number potential(const number *q) {
    return 9.81 * (2 * csin(q[0]) + csin(q[1]));
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 2, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = cos(y[0]);
    out[1] = sin(y[0]);
    out[2] = cos(y[0]) + cos(y[1]);
    out[3] = sin(y[0]) + sin(y[1]);
}

int main(int argc, char **argv) {
    const motion m = {.n = 4,
                      .y = {0},
                      .step = 0.02,
                      .f = f,
                      .values = values,
                      .names = "p1.x,p1.y,p2.x,p2.y",
                      .columns = 4};
    return print_motion(&m, argc, argv);
}
