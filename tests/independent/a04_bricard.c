/* a04_bricard.c: Bricard's mechanism (IFToMM benchmark A04). Hinges 1, 3, 5 turn by the same
 * angle u, hinges 2, 4, 6 by w, because the loop looks the same after a turn by 120 degrees
 * about its diagonal; it closes where, with theta = u - pi/2 and phi = w - pi/2,
 *
 *     F = cos(theta) + cos(phi) + cos(theta) cos(phi) = 0.
 *
 * That is a closed curve about (0, 0), on which the direction s is the coordinate: (theta, phi)
 * = rho(s) (cos s, sin s), rho from F = 0 by Newton's iteration. */
#include "space.h"

/* u, w and their derivatives by s. */
static void hinges(number s, number *angles, number *slopes) {
    const double right = acos(0.0);
    const number c = ccos(s), n = csin(s);
    number rho = 2.2, Ft = 0, Fp = 0;
    for (int i = 0; i < 12; i++) {
        const number ct = ccos(rho * c), cp = ccos(rho * n);
        Ft = -csin(rho * c) * (1 + cp);
        Fp = -csin(rho * n) * (1 + ct);
        rho -= (ct + cp + ct * cp) / (Ft * c + Fp * n);
    }
    const number slope = -(Fp * rho * c - Ft * rho * n) / (Ft * c + Fp * n);
    angles[0] = rho * c + right;
    angles[1] = rho * n + right;
    slopes[0] = slope * c - rho * n;
    slopes[1] = slope * n + rho * c;
}

/* The rods behind each other: hinges about y, z, x, y, z; rods along x, -y, z, -x, y. */
static chain rods(number s, number rate, int count) {
    static const int axis[] = {1, 2, 0, 1, 2}, bar[] = {0, 1, 2, 0, 1}, way[] = {1, -1, 1, -1, 1};
    number angles[2], slopes[2];
    chain c = chain_from_ground(1);
    hinges(s, angles, slopes);
    for (int i = 0; i < count; i++)
        chain_add(&c, axis[i], angles[i % 2], slopes[i % 2] * rate, bar[i], way[i]);
    return c;
}

static number kinetic(const number *q, const number *v) {
    return rods(q[0], v[0], 5).kinetic;
}

static number potential(const number *q) {
    return 9.81 * rods(q[0], 0, 5).height;
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    const chain c = rods(y[0], 0, 2);
    const number q[1] = {y[0]}, v[1] = {y[1]};
    (void)t;
    for (int i = 0; i < 3; i++) out[i] = creal(c.at[i]);
    out[3] = creal(kinetic(q, v) + potential(q));
}

int main(int argc, char **argv) {
    /* theta = phi = -pi/2 */
    const motion m = {.n = 2,
                      .y = {1.25 * acos(-1.0), 0},
                      .step = 0.02,
                      .f = f,
                      .values = values,
                      .names = "P3.x,P3.y,P3.z,energy.balance",
                      .columns = 4};
    return print_motion(&m, argc, argv);
}
