/* a02_n_four_bar.c: N four-bars side by side (IFToMM benchmark A02; N = 2: Braun and Goldfarb,
 * section 4.2), all parallelograms, in the angle theta of the upright links from +x. N + 1 links
 * of 1 m and 1 kg turn, N move without turning:
 *
 *     J theta'' = -g cos(theta) ((N + 1)/2 + N),  J = (N + 1)/3 + N
 *
 * PARAMETER: N. */
#include "planar.h"

static double n_bars;

static void f(double t, const double *y, double *ydot) {
    (void)t;
    ydot[0] = y[1];
    ydot[1] = -9.81 * cos(y[0]) * (0.5 * (n_bars + 1) + n_bars) / ((n_bars + 1) / 3 + n_bars);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = y[0];
    out[1] = cos(y[0]);
    out[2] = sin(y[0]);
    out[3] = 2 + cos(y[0]);
    out[4] = sin(y[0]);
}

int main(int argc, char **argv) {
    n_bars = argc > 3 ? strtod(argv[3], NULL) : 2;
    const motion m = {.n = 2,
                      .y = {pi / 2, -1},
                      .step = 0.02,
                      .f = f,
                      .values = values,
                      .names = "theta,B0.x,B0.y,B2.x,B2.y",
                      .columns = 5};
    return print_motion(&m, argc, argv);
}
