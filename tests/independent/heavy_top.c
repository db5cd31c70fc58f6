/* heavy_top.c: a body held at a fixed point: Euler's equations about it, in the body's frame,
 *
 *     J omega' = -omega x J omega + c x R^T (0, 0, -m g),   c = (0, 1, 0)
 */
#include "space.h"

static const double J[3] = {0.234375 + 15, 0.46875, 0.234375 + 15};

static void f(double t, const double *y, double *ydot) {
    const double *w = y + 4, weight[3] = {0, 0, -15 * 9.81}, c[3] = {0, 1, 0};
    double R[9], force[3], moment[3];
    (void)t;
    parameter_rates(y, w, ydot);
    matrix_of(y, R);
    to_body(R, weight, force);
    cross(c, force, moment);
    ydot[4] = ((J[1] - J[2]) * w[1] * w[2] + moment[0]) / J[0];
    ydot[5] = ((J[2] - J[0]) * w[2] * w[0] + moment[1]) / J[1];
    ydot[6] = ((J[0] - J[1]) * w[0] * w[1] + moment[2]) / J[2];
}

static void values(double t, const double *y, double *out) {
    double R[9];
    (void)t;
    matrix_of(y, R);
    for (int i = 0; i < 3; i++) {
        out[i] = R[3 * i + 1];
        out[3 + i] = y[4 + i];
    }
}

int main(int argc, char **argv) {
    const motion m = {.n = 7,
                      .y = {1, 0, 0, 0, 0, 150, -4.61538},
                      .step = 0.005,
                      .f = f,
                      .values = values,
                      .names = "r.x,r.y,r.z,omega.x,omega.y,omega.z",
                      .columns = 6};
    return print_motion(&m, argc, argv);
}
