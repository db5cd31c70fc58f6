/* a05_flyball_governor.c: the flyball governor (IFToMM benchmark A05), in the angle a of the
 * rods below the horizontal and the height s of the slider. Both rods move alike; the spin w
 * follows from the angular momentum J(a) w, which stays. L is the length of a spring, from
 * (0.05, s) to the middle of a rod:
 *
 *     2 K a'' = w^2 J'/2 + 2 m g xc cos a - 2 F dL/da,   K = m xc^2 + I2
 *     ms s''  = -ms g - 2 F dL/ds,                       F = k (L - 1/2) + c L'
 *     J = Js + 2 (m r^2 + I2 cos^2 a + I1 sin^2 a),      r = 0.05 + xc cos a
 */
#include "planar.h"

static const double k = 8e5, c = 4e4, g = 9.81, rod = 0.3, tip = 5, m = 5.3, slider = 3;
static double xc, I1, I2, Js, momentum;

static double spin_inertia(double a) {
    const double r = 0.05 + xc * cos(a);
    return Js + 2 * (m * r * r + I2 * cos(a) * cos(a) + I1 * sin(a) * sin(a));
}

static void f(double t, const double *y, double *ydot) {
    const double ca = cos(y[0]), sa = sin(y[0]), r = 0.05 + xc * ca;
    const double dx = 0.5 * ca, dz = 1 - 0.5 * sa - y[1], L = sqrt(dx * dx + dz * dz);
    const double La = -0.5 * (dx * sa + dz * ca) / L, Ls = -dz / L;
    const double F = k * (L - 0.5) + c * (La * y[2] + Ls * y[3]);
    const double w = momentum / spin_inertia(y[0]);
    const double dJ = -4 * (m * r * xc * sa + (I2 - I1) * sa * ca);
    (void)t;
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = (0.5 * w * w * dJ + 2 * m * g * xc * ca - 2 * F * La) / (2 * (m * xc * xc + I2));
    ydot[3] = -g - 2 * F * Ls / slider;
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = y[1];
    out[1] = momentum / spin_inertia(y[0]);
}

int main(int argc, char **argv) {
    xc = (rod * 0.5 + tip) / m;
    I1 = rod * 2e-4 / 12;
    I2 = rod * 1.0001 / 12 + rod * (xc - 0.5) * (xc - 0.5) + tip * (1 - xc) * (1 - xc);
    Js = rod * 2e-4 / 12 + slider * 0.01 / 6;
    momentum = 2 * pi * spin_inertia(pi / 6);
    const motion governor = {.n = 4,
                             .y = {pi / 6, 0.5},
                             .step = 1e-4,
                             .f = f,
                             .values = values,
                             .names = "s,spin",
                             .columns = 2};
    return print_motion(&governor, argc, argv);
}
