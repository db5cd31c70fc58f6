/* gjb_problem_5_4.c: a rod of 1 m and 2 kg that hangs on a point with x = 0.2 sin(4 t) (Garcia
 * de Jalon and Bayo, problem 5/4), in its angle from +x; the second coordinate is time. */
#include "planar.h"

static point end(const number *q, const number *v) {
    const point top = {.x = 0.2 * csin(4 * q[1]), .vx = 0.8 * ccos(4 * q[1]) * v[1]};
    return on_body(top, q[0], v[0], 1, 0);
}

static number kinetic(const number *q, const number *v) {
    const point top = {.x = 0.2 * csin(4 * q[1]), .vx = 0.8 * ccos(4 * q[1]) * v[1]};
    return energy(2, between(top, end(q, v), 0.5), 2.0 / 12, v[0]);
}

static number potential(const number *q) {
    return 9.81 * csin(q[0]);
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 2, .driven = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    const number q[2] = {y[0], y[1]}, v[2] = {y[2], y[3]};
    const point p = end(q, v);
    (void)t;
    out[0] = y[0] + pi / 2;
    out[1] = creal(p.x);
    out[2] = creal(p.y);
}

int main(int argc, char **argv) {
    /* the lower end is at rest at the start: 0.8 + omega = 0 */
    const motion m = {.n = 4,
                      .y = {-pi / 2, 0, -0.8, 1},
                      .step = 0.02,
                      .f = f,
                      .values = values,
                      .names = "z1,p2.x,p2.y",
                      .columns = 3};
    return print_motion(&m, argc, argv);
}
