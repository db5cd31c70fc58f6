/* bicycle.c: small motions of the Whipple bicycle with the benchmark parameters of Meijaard,
 * Papadopoulos, Ruina and Schwab (2007), by the coefficients that they print: lean phi and
 * steering angle delta, to the right,
 *
 *     M q'' + v C1 q' + (g K0 + v^2 K2) q = 0
 *
 * and the speeds at which it becomes stable and unstable: where two roots of the characteristic
 * polynomial are imaginary (weave, Hurwitz's third determinant) and where one is 0 (capsize).
 * Parameters: the speed, the rate of lean at the start. */
#include "independent.h"

static const double M[2][2] = {{80.81722, 2.31941332208709}, {2.31941332208709, 0.29784188199686}};
static const double K0[2][2] = {{-80.95, -2.59951685249872},
                                {-2.59951685249872, -0.80329488458618}};
static const double K2[2][2] = {{0, 76.59734589573222}, {0, 2.65431523794604}};
static const double C1[2][2] = {{0, 33.86641391492494}, {-0.85035641456978, 1.68540397397560}};
static double speed = 5, weave, capsize;

static void f(double t, const double *y, double *ydot) {
    double a[MOST][MOST + 1];
    (void)t;
    for (int i = 0; i < 2; i++) {
        a[i][2] = 0;
        for (int j = 0; j < 2; j++) {
            a[i][j] = M[i][j];
            a[i][2] -=
                speed * C1[i][j] * y[2 + j] + (9.81 * K0[i][j] + speed * speed * K2[i][j]) * y[j];
        }
        ydot[i] = y[2 + i];
    }
    solve_rows(2, a, ydot + 2);
}

/* Coefficients of det(M s^2 + v C1 s + K), from s^4 down. */
static void polynomial(double v, double *p) {
    double rows[2][2][3];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            rows[i][j][0] = M[i][j];
            rows[i][j][1] = v * C1[i][j];
            rows[i][j][2] = 9.81 * K0[i][j] + v * v * K2[i][j];
        }
    memset(p, 0, 5 * sizeof *p);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            p[a + b] += rows[0][0][a] * rows[1][1][b] - rows[0][1][a] * rows[1][0][b];
}

static double weaves(double v) {
    double p[5];
    polynomial(v, p);
    return p[1] * p[2] * p[3] - p[0] * p[3] * p[3] - p[1] * p[1] * p[4];
}

static double capsizes(double v) {
    double p[5];
    polynomial(v, p);
    return p[4];
}

/* Where g changes its sign between a and b. */
static double sign_change(double (*g)(double), double a, double b) {
    for (int i = 0; i < 60; i++) {
        const double c = 0.5 * (a + b);
        if ((g(c) > 0) == (g(a) > 0))
            a = c;
        else
            b = c;
    }
    return a;
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = -y[1];      /* the joint counts to the left */
    out[1] = 0.5 * y[0]; /* the parameter of Euler about the x axis */
    out[2] = weave;
    out[3] = capsize;
}

int main(int argc, char **argv) {
    const double rate = argc > 4 ? strtod(argv[4], NULL) : 1e-3;
    if (argc > 3) speed = strtod(argv[3], NULL);
    weave = sign_change(weaves, 3, 5);
    capsize = sign_change(capsizes, 5, 7);
    const motion m = {.n = 4,
                      .y = {0, 0, rate, 0},
                      .step = 0.02,
                      .f = f,
                      .values = values,
                      .names = "steer,q.x,weave_speed,capsize_speed",
                      .columns = 4};
    return print_motion(&m, argc, argv);
}
