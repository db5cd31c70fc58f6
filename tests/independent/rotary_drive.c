/* rotary_drive.c: the rotary drive of Pennestri and Valentini, section 6.1, in the speeds of
 * shafts 2 and 4: all others are w = V (w2, w4), equation by equation from the circuits of table
 * 1, and
 *
 *     V^T I V (w2', w4') = V^T (torques)
 *
 * where the mass of gear 5, which the arm carries around, joins the inertia of the arm. */
#include "independent.h"

static const double inertia[5] = {0.011, 0.047, 0.008, 0.006, 0.039}; /* of 2 to 6 */
static double V[5][2], steady[5];

static void f(double t, const double *y, double *ydot) {
    const double factor[5] = {0.09, 0, 0.05, 0, 0.07};
    const double carried = 0.9 * pow(0.002 * 48, 2); /* m5 d^2 */
    double a[MOST][MOST + 1] = {{0}}, x[2];
    (void)t;
    for (int k = 0; k < 5; k++) {
        const double w = V[k][0] * y[0] + V[k][1] * y[1];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++)
                a[i][j] += V[k][i] * V[k][j] * (inertia[k] + (k == 1 ? carried : 0));
            a[i][2] -= V[k][i] * factor[k] * (w - steady[k]);
        }
    }
    solve_rows(2, a, x);
    ydot[0] = x[0];
    ydot[1] = x[1];
}

static void values(double t, const double *y, double *out) {
    (void)t;
    for (int k = 0; k < 5; k++) out[k] = V[k][0] * y[0] + V[k][1] * y[1];
}

int main(int argc, char **argv) {
    const double t1 = -60.0 / 24, t2 = -20.0 / 28, t3 = 76.0 / 28;
    const double rows[5][2] = {
        {1, 0}, {1 / t1, 0}, {0, 1}, {(1 - t2) / t1, t2}, {(t3 - t2) / (t1 * t3), t2 / t3}};
    memcpy(V, rows, sizeof V);
    for (int k = 0; k < 5; k++) steady[k] = V[k][0] * 30 - V[k][1] * 5;
    const motion m = {.n = 2,
                      .y = {34, -12},
                      .step = 0.01,
                      .f = f,
                      .values = values,
                      .names = "omega2,omega3,omega4,omega5,omega6",
                      .columns = 5};
    return print_motion(&m, argc, argv);
}
