/* gjb_problem_5_9.c: a free satellite with a rotor of constant relative speed (Garcia de Jalon
 * and Bayo, problem 5/9): Euler's equations of a gyrostat in the body's frame,
 *
 *     J omega' = -omega x (J omega + h u),  h = 0.06 * 150, u = (0.28, 0, 0.96)
 *
 * and a mass centre of constant velocity. */
#include "space.h"

static const double J[3][3] = {{40, 1.5, -2}, {1.5, 55, 0.8}, {-2, 0.8, 70}};
static const double centre[3] = {0.75, 0.02, -0.03}, rotor[3] = {9 * 0.28, 0, 9 * 0.96};
static double centre_velocity[3];

static void f(double t, const double *y, double *ydot) {
    const double *w = y + 4;
    double h[3], a[MOST][MOST + 1], gyro[3];
    (void)t;
    parameter_rates(y, w, ydot);
    for (int i = 0; i < 3; i++) h[i] = J[i][0] * w[0] + J[i][1] * w[1] + J[i][2] * w[2] + rotor[i];
    cross(w, h, gyro);
    for (int i = 0; i < 3; i++) {
        memcpy(a[i], J[i], sizeof J[i]);
        a[i][3] = -gyro[i];
    }
    solve_rows(3, a, ydot + 4);
}

static void values(double t, const double *y, double *out) {
    double R[9], c[3];
    matrix_of(y, R);
    to_world(R, centre, c);
    for (int i = 0; i < 3; i++) {
        const double r1 = centre[i] + centre_velocity[i] * t - c[i];
        out[i] = r1;
        out[3 + i] = r1 + 1.5 * R[3 * i];
    }
    out[6] = y[4];
    out[7] = y[6];
}

int main(int argc, char **argv) {
    const double w[3] = {0.11, 0.27, -0.08}, v1[3] = {0.02, -0.01, 0.03};
    cross(w, centre, centre_velocity);
    for (int i = 0; i < 3; i++) centre_velocity[i] += v1[i];
    const motion m = {.n = 7,
                      .y = {1, 0, 0, 0, w[0], w[1], w[2]},
                      .step = 0.2,
                      .f = f,
                      .values = values,
                      .names = "r1.x,r1.y,r1.z,r2.x,r2.y,r2.z,omega.x,omega.z",
                      .columns = 8};
    return print_motion(&m, argc, argv);
}
