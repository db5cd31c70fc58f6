/* gjb_problem_5_8.c: a coin in a steady turn (Garcia de Jalon and Bayo, problem 5/8): its centre
 * runs on a circle at the rate W of the turn, where the spin n about its axis, at theta from the
 * vertical, keeps the lean:
 *
 *     (3/2) r n W sin(theta) = r W^2 sin(theta) cos(theta) / 4 - g cos(theta)
 */
#include "independent.h"

static const double r = 0.1, W = 2.5;
static double theta, n;

/* The velocity turns at the rate W. */
static void f(double t, const double *y, double *ydot) {
    (void)t;
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = -W * y[3];
    ydot[3] = W * y[2];
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = y[0];
    out[1] = y[1];
    out[2] = r * sin(theta);
}

static void exact(double t, double *out) {
    out[0] = -n * r / W * sin(W * t);
    out[1] = -n * r / W * (1 - cos(W * t));
    out[2] = r * sin(theta);
}

int main(int argc, char **argv) {
    theta = 65 * acos(-1.0) / 180;
    n = (r * W * W * sin(theta) * cos(theta) / 4 - 9.81 * cos(theta)) / (1.5 * r * W * sin(theta));
    const motion m = {.n = 4,
                      .y = {0, 0, -n * r, 0},
                      .step = 0.05,
                      .f = f,
                      .values = values,
                      .exact = exact,
                      .names = "C.x,C.y,C.z",
                      .columns = 3};
    return print_motion(&m, argc, argv);
}
