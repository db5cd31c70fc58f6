/* rolling_disk.c: a coin that rolls without slipping on a table. With d from the centre to the
 * point of contact, the lowest of the rim, and F the force there,
 *
 *     C' = d x omega,  m C'' = F - m g e_z,  I omega' + omega x I omega = d x F
 *
 * and C'' put in, three equations for omega' remain, I omega' - m d x (d x omega') = …, written
 * along the axes of the coin. Parameters: radius, mass, angle between the axis and the vertical
 * (turned about x), omega in the axes of the world at the start. */
#include "space.h"

static double r, mass;

/* d in the frame of the coin, whose z axis is its axis. */
static void contact(const double *R, double *d) {
    const double n = hypot(R[6], R[7]);
    d[0] = -r * R[6] / n;
    d[1] = -r * R[7] / n;
    d[2] = 0;
}

/* y = (C, p, omega). */
static void f(double t, const double *y, double *ydot) {
    const double *w = y + 7, I1 = mass * r * r / 4, I3 = mass * r * r / 2;
    const double h[3] = {I1 * w[0], I1 * w[1], I3 * w[2]};
    double R[9], d[3], u[3], v[3], rate[3], bare[3], force[3], gyro[3], a[MOST][MOST + 1], x[3];
    (void)t;
    matrix_of(y + 3, R);
    contact(R, d);
    cross(d, w, u);
    to_world(R, u, ydot);
    parameter_rates(y + 3, w, ydot + 3);
    /* how d moves in the coin: the vertical z' = z x omega there, and d = -r z/|z| in the plane */
    const double z[3] = {R[6], R[7], R[8]};
    cross(z, w, v);
    const double n2 = z[0] * z[0] + z[1] * z[1], n = sqrt(n2),
                 along = (z[0] * v[0] + z[1] * v[1]) / n2;
    for (int i = 0; i < 3; i++) rate[i] = i < 2 ? -r * (v[i] - z[i] * along) / n : 0;
    /* C'' without omega': (d' x omega) + omega x (d x omega), in the coin */
    cross(rate, w, bare);
    cross(w, u, v);
    for (int i = 0; i < 3; i++) force[i] = mass * (bare[i] + v[i] + 9.81 * z[i]);
    cross(d, force, v);
    cross(w, h, gyro);
    for (int i = 0; i < 3; i++) {
        /* -d x (d x e_j) = (d.d) e_j - d d_j */
        for (int j = 0; j < 3; j++)
            a[i][j] = (i == j ? (i == 2 ? I3 : I1) + mass * r * r : 0) - mass * d[i] * d[j];
        a[i][3] = v[i] - gyro[i];
    }
    solve_rows(3, a, x);
    memcpy(ydot + 7, x, sizeof x);
}

static void values(double t, const double *y, double *out) {
    (void)t;
    memcpy(out, y, 3 * sizeof *out);
    memcpy(out + 3, y + 7, 3 * sizeof *out);
}

int main(int argc, char **argv) {
    double p[6] = {0.1, 0.3, acos(0.0) - 0.5, 0.2, 14, 3};
    for (int i = 0; i < 6 && i + 3 < argc; i++) p[i] = strtod(argv[i + 3], NULL);
    r = p[0];
    mass = p[1];
    motion m = {.n = 10,
                .step = 0.005,
                .f = f,
                .values = values,
                .columns = 6,
                .names = "r.x,r.y,r.z,omega.x,omega.y,omega.z"};
    const double start[7] = {0, r * cos(p[2]), r * sin(p[2]), cos(p[2] / 2), sin(p[2] / 2)};
    double R[9];
    memcpy(m.y, start, sizeof start);
    matrix_of(start + 3, R);
    to_body(R, p + 3, m.y + 7);
    return print_motion(&m, argc, argv);
}
