/* a01_simple_pendulum.c: IFToMM benchmark A01: a point mass on a massless link of 1 m, released at
 * (-1, 0). One angle phi from the lowest position, towards -x: phi'' = -(g/l) sin(phi), in closed
 * form by Jacobi's functions. */
#include "elliptic.h"

static void f(double t, const double *y, double *ydot) {
    (void)t;
    ydot[0] = y[1];
    ydot[1] = -9.81 * sin(y[0]);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = -sin(y[0]);
    out[1] = -cos(y[0]);
}

static void exact(double t, double *out) {
    double y[2];
    swing(sqrt(9.81), acos(-1.0) / 2, t, &y[0], &y[1]);
    values(t, y, out);
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {acos(-1.0) / 2, 0},
                      .step = 0.05,
                      .names = "p.x,p.y",
                      .columns = 2,
                      .f = f,
                      .values = values,
                      .exact = exact};
    return print_motion(&m, argc, argv);
}
