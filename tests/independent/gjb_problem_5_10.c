/* gjb_problem_5_10.c: two rods of 1 m and 1 kg kept upright by a torque between them (Garcia de
 * Jalon and Bayo, problem 5/10), in their angles psi from the vertical. */
#include "planar.h"

static number kinetic(const number *q, const number *v) {
    const point knee = on_body((point){0}, q[0] + pi / 2, v[0], 1, 0);
    const point top = on_body(knee, q[1] + pi / 2, v[1], 1, 0);
    return rod_energy(1, 1.0 / 12, (point){0}, knee) + rod_energy(1, 1.0 / 12, knee, top);
}

static number potential(const number *q) {
    return 9.81 * (1.5 * ccos(q[0]) + 0.5 * ccos(q[1]));
}

static void feedback(double t, const double *q, const double *v, double *Q) {
    const double M =
        104.92147554 * q[0] + 32.56627676 * q[1] + 35.60949711 * v[0] + 14.59522596 * v[1];
    (void)t;
    Q[0] = -M;
    Q[1] = M;
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 2, .kinetic = kinetic, .potential = potential, .force = feedback};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    memcpy(out, y, 4 * sizeof *out);
}

int main(int argc, char **argv) {
    const motion m = {.n = 4,
                      .y = {pi / 60, -pi / 60},
                      .step = 0.02,
                      .f = f,
                      .values = values,
                      .names = "psi1,psi2,w1,w2",
                      .columns = 4};
    return print_motion(&m, argc, argv);
}
