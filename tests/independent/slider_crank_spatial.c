/* slider_crank_spatial.c: the spatial slider-crank of Marques, Souto and Flores, tables 3 and 4,
 * in the angle theta of its crank about y. T is the tip of the crank, S the slider on y, eta the
 * direction of the rod; its axis xi is perpendicular to eta and to y, as the universal joint has
 * it. The rod is as long as the drawn positions say, unless PARAMETER gives its length. */
#include "space.h"

static double rod2 = 0.147 * 0.147 + 0.25 * 0.25; /* square of the length of the rod */

static number slider(number theta) {
    return csqrt(rod2 - 0.0325 - 0.03 * ccos(theta));
}

static number kinetic(const number *q, const number *v) {
    const number c = ccos(q[0]), s = csin(q[0]), L = sqrt(rod2);
    const number y = slider(q[0]), dy = 0.015 * s / y; /* a d is the derivative by theta */
    const number eta[3] = {-0.1 * s / L, y / L, (-0.15 - 0.1 * c) / L};
    const number deta[3] = {-0.1 * c / L, dy / L, 0.1 * s / L};
    const number n = csqrt(eta[0] * eta[0] + eta[2] * eta[2]); /* |eta x e_y| */
    const number xi[3] = {-eta[2] / n, 0, eta[0] / n};
    const number dn[3] = {-deta[2], 0, deta[0]};
    const number along = dot(xi, dn);
    const number dxi[3] = {(dn[0] - xi[0] * along) / n, 0, (dn[2] - xi[2] * along) / n};
    const number zeta[3] = {-xi[2] * eta[1], xi[2] * eta[0] - xi[0] * eta[2], xi[0] * eta[1]};
    /* angular velocity of the rod over theta': (eta'.zeta, (xi' x eta).xi, xi'.eta) */
    const number w_xi = dot(deta, zeta), w_zeta = dot(dxi, eta);
    const number w_eta = (dxi[2] * xi[0] - dxi[0] * xi[2]) * -eta[1];
    const number dcentre[3] = {0.05 * c, 0.5 * dy, -0.05 * s};
    return 0.5 * v[0] * v[0] *
           (1e-4 + 0.12 * 0.05 * 0.05 + 0.5 * dot(dcentre, dcentre) + 4e-3 * w_xi * w_xi +
            4e-4 * w_eta * w_eta + 4e-3 * w_zeta * w_zeta + 0.5 * dy * dy);
}

static number potential(const number *q) {
    return 9.81 * 0.05 * (0.12 + 0.5) * ccos(q[0]);
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
    if (argc > 3) rod2 = strtod(argv[3], NULL) * strtod(argv[3], NULL);
    const motion m = {.n = 2,
                      .y = {0, -6.2832},
                      .step = 0.005,
                      .f = f,
                      .values = values,
                      .names = "crank_angle,crank_rate,y",
                      .columns = 3};
    return print_motion(&m, argc, argv);
}
