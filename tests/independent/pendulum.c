/* pendulum.c: the pendulum of Pennestri and Valentini, section 8, as one angle theta from +x.
 *
 *     (I + m L^2) theta'' = -m g L cos(theta)
 *
 * Closed form: with phi = theta + pi/2 and w^2 = m g L / (I + m L^2), released from rest at phi0,
 * sin(phi/2) = k cd(w t, k), k = sin(phi0/2), by Jacobi's functions.
 */
#include "elliptic.h"

static const double w2 = 10 * 9.8 * 0.5 / (0.1 + 10 * 0.25);

static void f(double t, const double *y, double *ydot) {
    (void)t;
    ydot[0] = y[1];
    ydot[1] = -w2 * cos(y[0]);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = y[0];
    out[1] = y[1];
}

static void exact(double t, double *out) {
    double phi, rate;
    swing(sqrt(w2), acos(-1.0) / 4, t, &phi, &rate);
    out[0] = phi - acos(-1.0) / 2;
    out[1] = rate;
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {-acos(-1.0) / 4, 0},
                      .step = 0.05,
                      .names = "theta,omega",
                      .columns = 2,
                      .f = f,
                      .values = values,
                      .exact = exact};
    return print_motion(&m, argc, argv);
}
