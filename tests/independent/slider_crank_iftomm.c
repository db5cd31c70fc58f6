/* slider_crank_iftomm.c: the spatial slider-crank of the IFToMM library in the angle theta of its
 * crank about x. B is the tip of the crank, u the direction of the rod from there to the slider on
 * x; its axis e is perpendicular to u and to y, as the universal joint has it. */
#include "space.h"

/* The tip of the crank, and where the slider is. */
static void tip(number theta, number B[3]) {
    B[0] = 0;
    B[1] = 0.1 - 0.08 * csin(theta);
    B[2] = 0.12 + 0.08 * ccos(theta);
}

static number slider(number theta) {
    number B[3];
    tip(theta, B);
    return csqrt(0.09 - B[1] * B[1] - B[2] * B[2]);
}

static number kinetic(const number *q, const number *v) {
    const number L = 0.3, x = slider(q[0]);
    number B[3];
    tip(q[0], B);
    /* a d is the derivative by theta */
    const number dB[3] = {0, -0.08 * ccos(q[0]), -0.08 * csin(q[0])};
    const number dx = -(B[1] * dB[1] + B[2] * dB[2]) / x;
    const number u[3] = {x / L, -B[1] / L, -B[2] / L}, du[3] = {dx / L, -dB[1] / L, -dB[2] / L};
    const number n = csqrt(u[0] * u[0] + u[2] * u[2]);
    const number e[3] = {u[2] / n, 0, -u[0] / n}, raw[3] = {du[2] / n, 0, -du[0] / n};
    const number along = dot(e, raw);
    const number de[3] = {raw[0] - along * e[0], 0, raw[2] - along * e[2]};
    const number f[3] = {u[1] * e[2], u[2] * e[0] - u[0] * e[2], -u[1] * e[0]};
    const number spin = dot(de, f); /* about the rod; across it |u'| */
    const number centre[3] = {0.5 * dx, 0.5 * dB[1], 0.5 * dB[2]};
    return 0.5 * v[0] * v[0] *
           (1e-4 + 0.12 * 0.04 * 0.04 + 0.5 * dot(centre, centre) + 4e-4 * spin * spin +
            4e-3 * dot(du, du) + 2 * dx * dx);
}

static number potential(const number *q) {
    return 9.81 * (0.12 * 0.04 + 0.5 * 0.04) * ccos(q[0]);
}

static void f(double t, const double *y, double *ydot) {
    const mechanism m = {.n = 1, .kinetic = kinetic, .potential = potential};
    lagrange(&m, t, y, ydot);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = y[0];
    out[1] = y[1];
    out[2] = creal(slider(y[0]));
}

int main(int argc, char **argv) {
    const motion m = {.n = 2,
                      .y = {0, 6},
                      .step = 0.005,
                      .f = f,
                      .values = values,
                      .names = "crank_angle,crank_rate,x",
                      .columns = 3};
    return print_motion(&m, argc, argv);
}
