/* gjb_slider_crank.c: the slider-crank of Garcia de Jalon and Bayo, problems 5/1 to 5/3, 5/5 and
 * 5/7, in the angle of its crank: crank 1 m and 1 kg, rod 2 m and 2 kg, slider 1 kg on the x
 * axis. */
#include "planar.h"

static point slider(point p) {
    const number dx = csqrt(4 - p.y * p.y);
    return (point){p.x + dx, 0, p.vx - p.y * p.vy / dx, 0};
}

static point pin(number theta, number rate) {
    return on_body((point){0}, theta, rate, 1, 0);
}

static number kinetic(const number *q, const number *v) {
    const point p = pin(q[0], v[0]), s = slider(p);
    return rod_energy(1, 1.0 / 12, (point){0}, p) + rod_energy(2, 2.0 * 4 / 12, p, s) +
           energy(1, s, 0, 0);
}

static number potential(const number *q) {
    return 9.81 * (0.5 + 1) * csin(q[0]);
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    const point p = pin(y[0], 0);
    (void)t;
    out[0] = creal(p.x);
    out[1] = creal(p.y);
    out[2] = creal(slider(p).x);
    out[3] = y[0] - pi / 3; /* the coordinate of the joint counts from the drawn position */
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {pi / 3, 0},
                      .step = 0.01,
                      .f = f,
                      .values = values,
                      .names = "p1.x,p1.y,x2,crank_angle",
                      .columns = 4};
    return print_motion(&m, argc, argv);
}
