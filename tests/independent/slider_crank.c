/* slider_crank.c: the slider-crank of two equal links of Braun and Goldfarb, section 4.1, in the
 * angle theta of its first link on the branch theta2 = -theta: centres at (cos, sin)/2 and (3
 * cos, sin)/2. */
#include "planar.h"

static number kinetic(const number *q, const number *v) {
    const number c = ccos(q[0]), s = csin(q[0]), w = v[0];
    const point first = {.vx = -0.5 * s * w, .vy = 0.5 * c * w};
    const point second = {.vx = -1.5 * s * w, .vy = 0.5 * c * w};
    return energy(1, first, 1.0 / 12, w) + energy(1, second, 1.0 / 12, w);
}

static number potential(const number *q) {
    return 9.81 * csin(q[0]);
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = y[0];
    out[1] = -y[0];
    out[2] = 2 * cos(y[0]);
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {pi / 4, 0},
                      .step = 0.01,
                      .f = f,
                      .values = values,
                      .names = "theta1,theta2,x",
                      .columns = 3};
    return print_motion(&m, argc, argv);
}
