/* knife_edge.c: the Chaplygin sleigh: a body of mass m and inertia I whose mass centre lies at a
 * in front of a blade. With the speed v of the blade along itself and the rate w of turning,
 *
 *     v' = a w^2,  (I + m a^2) w' = -m a v w
 */
#include "independent.h"

static const double mass = 2.3, inertia = 0.31, a = 0.4;

/* y = (x, y of the blade, heading, v, w). */
static void f(double t, const double *y, double *ydot) {
    (void)t;
    ydot[0] = y[3] * cos(y[2]);
    ydot[1] = y[3] * sin(y[2]);
    ydot[2] = y[4];
    ydot[3] = a * y[4] * y[4];
    ydot[4] = -mass * a * y[3] * y[4] / (inertia + mass * a * a);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = y[0] + a * cos(y[2]);
    out[1] = y[1] + a * sin(y[2]);
    out[2] = y[2];
}

int main(int argc, char **argv) {
    const motion m = {.n = 5,
                      .y = {0, 0, 0, 0.3, 3},
                      .step = 0.02,
                      .f = f,
                      .values = values,
                      .names = "r.x,r.y,heading",
                      .columns = 3};
    return print_motion(&m, argc, argv);
}
