/* four_bar.h: the planar four-bar of models/four_bar.yaml written by hand in one coordinate: the
 * least that one of its steps can cost.
 *
 * Crank angle q, coupler and follower angles from the loop, generalised mass M(q) and its
 * derivative in closed form:
 *     M q'' + 1/2 M' q'^2 + V' = 0
 */
#ifndef HOL_BENCH_LIMIT_FOUR_BAR_H
#define HOL_BENCH_LIMIT_FOUR_BAR_H

#include <math.h>

/* Lengths, masses, inertias; g. */
static const double L1 = 2.5, L2 = 2, L3 = 4, L4 = 4, m2 = 1, m3 = 2.25, m4 = 2.2, I2 = 0.3, I3 = 2,
                    I4 = 1.35, g = 9.81;

/* q'' of the four-bar in the crank angle; phi and psi are the coupler and follower angles. */
static double acceleration(double q, double w) {
    const double c2 = cos(q), s2 = sin(q), dx = L1 - L2 * c2, dy = -L2 * s2, d2 = dx * dx + dy * dy,
                 d = sqrt(d2);
    const double phi = atan2(dy, dx) + acos((L3 * L3 + d2 - L4 * L4) / (2 * L3 * d));
    const double c3 = cos(phi), s3 = sin(phi);
    const double c4 = (L2 * c2 + L3 * c3 - L1) / L4, s4 = (L2 * s2 + L3 * s3) / L4;
    /* rates per unit crank rate: a = phi', b = psi', and their derivatives */
    const double den = s3 * c4 - c3 * s4;
    const double a = L2 / L3 * (c2 * s4 - s2 * c4) / den, b = (L2 * c2 + L3 * a * c3) / (L4 * c4);
    const double b_sine = L4 * b * b, ex = -L2 * c2 - L3 * a * a * c3 + b_sine * c4,
                 ey = -L2 * s2 - L3 * a * a * s3 + b_sine * s4;
    const double a1 = -(ex * c4 + ey * s4) / (L3 * (c3 * s4 - s3 * c4)),
                 b1 = -(ex * c3 + ey * s3) / (L4 * (c3 * s4 - s3 * c4));
    const double M = I2 + m2 * L2 * L2 / 4 + I4 * b * b + m4 * L4 * L4 / 4 * b * b + I3 * a * a +
                     m3 * (L2 * L2 + L3 * L3 / 4 * a * a + L2 * L3 * a * (c2 * c3 + s2 * s3));
    const double dM = 2 * (I4 + m4 * L4 * L4 / 4) * b * b1 + 2 * (I3 + m3 * L3 * L3 / 4) * a * a1 +
                      m3 * L2 * L3 * (a1 * (c2 * c3 + s2 * s3) + a * (a - 1) * (s2 * c3 - c2 * s3));
    const double dV =
        g * (m2 * L2 / 2 * c2 + m3 * (L2 * c2 + L3 / 2 * a * c3) + m4 * L4 / 2 * b * c4);
    return -(0.5 * dM * w * w + dV) / M;
}

/* n RK4 steps by hand; the state in y. */
static void by_hand(double *y, double h, int n) {
    for (int i = 0; i < n; i++) {
        const double q = y[0], w = y[1];
        const double a1 = acceleration(q, w), w2 = w + h / 2 * a1;
        const double a2 = acceleration(q + h / 2 * w, w2), w3 = w + h / 2 * a2;
        const double a3 = acceleration(q + h / 2 * w2, w3), w4 = w + h * a3;
        const double a4 = acceleration(q + h * w3, w4);
        y[0] = q + h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        y[1] = w + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

#endif
