/* four_bar_by_hand.c: models/four_bar.yaml as one would write it by hand: one coordinate, the angle
 * of the crank, the loop closed in closed form, RK4. What generated code is measured against
 * (tools/generated_cost.sh).
 *
 *     L2 e(a) + L3 e(b) = (L1, 0) + L4 e(c)       b' = r3 a',  c' = r4 a'
 *     M(a) a'' = Q(a, a')
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double L1 = 2.5, L2 = 2, L3 = 4, L4 = 4;
static const double m2 = 1, m3 = 2.25, m4 = 2.2, J2 = 0.3, J3 = 2, J4 = 1.35, g = 9.81;

static double acceleration(double a, double w) {
    const double c2 = cos(a), s2 = sin(a), dx = L1 - L2 * c2, dy = -L2 * s2;
    const double d2 = dx * dx + dy * dy, k = (L3 * L3 + d2 - L4 * L4) / (2 * L3 * d2);
    const double h = sqrt(1 / d2 - k * k), c3 = k * dx - h * dy, s3 = k * dy + h * dx;
    const double c4 = (L2 * c2 + L3 * c3 - L1) / L4, s4 = (L2 * s2 + L3 * s3) / L4;
    /* [-L3 s3, L4 s4; L3 c3, -L4 c4] [b'; c'] = [L2 s2; -L2 c2] a' */
    const double a11 = -L3 * s3, a12 = L4 * s4, a21 = L3 * c3, a22 = -L4 * c4;
    const double over = 1 / (a11 * a22 - a12 * a21), b1 = L2 * s2, b2 = -L2 * c2;
    const double r3 = (b1 * a22 - a12 * b2) * over, r4 = (a11 * b2 - a21 * b1) * over;
    const double w3 = r3 * w, w4 = r4 * w;
    /* the same of accelerations at a'' = 0 */
    const double e1 = L2 * c2 * w * w + L3 * c3 * w3 * w3 - L4 * c4 * w4 * w4;
    const double e2 = L2 * s2 * w * w + L3 * s3 * w3 * w3 - L4 * s4 * w4 * w4;
    const double q3 = (e1 * a22 - a12 * e2) * over, q4 = (a11 * e2 - a21 * e1) * over;
    /* the mass centre of the coupler */
    const double vx = -L2 * s2 - 0.5 * L3 * s3 * r3, vy = L2 * c2 + 0.5 * L3 * c3 * r3;
    const double ax = -L2 * c2 * w * w - 0.5 * L3 * (s3 * q3 + c3 * w3 * w3);
    const double ay = -L2 * s2 * w * w + 0.5 * L3 * (c3 * q3 - s3 * w3 * w3);
    const double I4 = J4 + m4 * L4 * L4 / 4;
    const double M = J2 + m2 * L2 * L2 / 4 + m3 * (vx * vx + vy * vy) + J3 * r3 * r3 + I4 * r4 * r4;
    const double Q = -g * (m2 * L2 / 2 * c2 + m3 * vy + m4 * L4 / 2 * c4 * r4) -
                     m3 * (vx * ax + vy * ay) - J3 * r3 * q3 - I4 * r4 * q4;
    return Q / M;
}

/* four_bar_by_hand STEPS LENGTH: the angle and the angular velocity of the crank afterwards. */
int main(int argc, char **argv) {
    const long n = argc > 1 ? atol(argv[1]) : 10000;
    const double h = argc > 2 ? atof(argv[2]) : 1e-3;
    double a = acos(-1.0) / 3, w = 0;
    for (long i = 0; i < n; i++) {
        const double k1 = acceleration(a, w), w2 = w + 0.5 * h * k1;
        const double k2 = acceleration(a + 0.5 * h * w, w2), w3 = w + 0.5 * h * k2;
        const double k3 = acceleration(a + 0.5 * h * w2, w3), w4 = w + h * k3;
        const double k4 = acceleration(a + h * w3, w4);
        a += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    printf("%.12f %.12f\n", a, w);
    return 0;
}
