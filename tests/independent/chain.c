/* chain.c: N rods of 0.1 m and 0.1 kg hinged end to end, released at rest along +x, in their
 * angles from +x. Rod i with half its length h_i, e_i = k x h_i, gets the force F_i at its inner
 * end and -F_(i+1) at its outer one:
 *
 *     m a_i = F_i - F_(i+1) - m g e_y,   I phi_i'' = -e_i.(F_i + F_(i+1))
 *
 * The ends of neighbours move alike, which gives for the forces, with E = e e^T / I, a
 * block-tridiagonal system
 *
 *     (1/m - E_(i-1)) F_(i-1) - (2/m + E_(i-1) + E_i) F_i + (1/m - E_i) F_(i+1)
 *         = w_(i-1)^2 h_(i-1) + w_i^2 h_i
 *
 * solved by elimination from the inner end. PARAMETER: N. */
#include "independent.h"

static const double half = 0.05, mass = 0.1, inertia = 0.1 * 0.01 / 12, g = 9.81;
static int n;

/* 2 x 2 matrices by rows. */
typedef struct block {
    double a[4];
} block;

/* b + s e e^T / I, b a multiple of 1. */
static block rank_one(double b, double s, const double *e) {
    return (block){{b + s * e[0] * e[0] / inertia, s * e[0] * e[1] / inertia,
                    s * e[0] * e[1] / inertia, b + s * e[1] * e[1] / inertia}};
}

static block inverse(block m) {
    const double det = m.a[0] * m.a[3] - m.a[1] * m.a[2];
    return (block){{m.a[3] / det, -m.a[1] / det, -m.a[2] / det, m.a[0] / det}};
}

static block product(block x, block y) {
    return (block){{x.a[0] * y.a[0] + x.a[1] * y.a[2], x.a[0] * y.a[1] + x.a[1] * y.a[3],
                    x.a[2] * y.a[0] + x.a[3] * y.a[2], x.a[2] * y.a[1] + x.a[3] * y.a[3]}};
}

static void apply(block m, const double *x, double *out) {
    const double a = m.a[0] * x[0] + m.a[1] * x[1];
    out[1] = m.a[2] * x[0] + m.a[3] * x[1];
    out[0] = a;
}

/* The forces at all hinges; force[2 n] and the next stay 0. */
static void forces(const double *y, double *force) {
    static block upper[STATE / 2];
    static double e[STATE], right[STATE];
    for (int i = 0; i < n; i++) {
        const double h[2] = {half * cos(y[i]), half * sin(y[i])}, w2 = y[n + i] * y[n + i];
        double b[2] = {w2 * h[0], w2 * h[1] - (i ? 0 : g)}, low[2];
        e[2 * i] = -h[1];
        e[2 * i + 1] = h[0];
        block own = rank_one(-1 / mass, -1, e + 2 * i);
        if (i) {
            const double before = y[n + i - 1] * y[n + i - 1];
            const block below = rank_one(1 / mass, -1, e + 2 * i - 2);
            const block fill = product(below, upper[i - 1]),
                        far = rank_one(-1 / mass, -1, e + 2 * i - 2);
            apply(below, right + 2 * i - 2, low);
            b[0] += before * half * cos(y[i - 1]) - low[0];
            b[1] += before * half * sin(y[i - 1]) - low[1];
            for (int k = 0; k < 4; k++) own.a[k] += far.a[k] - fill.a[k];
        }
        own = inverse(own);
        upper[i] = product(own, rank_one(1 / mass, -1, e + 2 * i));
        apply(own, b, right + 2 * i);
    }
    force[2 * n] = force[2 * n + 1] = 0;
    for (int i = n - 1; i >= 0; i--) {
        double carried[2];
        apply(upper[i], force + 2 * i + 2, carried);
        force[2 * i] = right[2 * i] - carried[0];
        force[2 * i + 1] = right[2 * i + 1] - carried[1];
    }
}

static void f(double t, const double *y, double *ydot) {
    static double F[STATE + 2];
    (void)t;
    forces(y, F);
    for (int i = 0; i < n; i++) {
        const double ex = -half * sin(y[i]), ey = half * cos(y[i]);
        ydot[i] = y[n + i];
        ydot[n + i] =
            -(ex * (F[2 * i] + F[2 * i + 2]) + ey * (F[2 * i + 1] + F[2 * i + 3])) / inertia;
    }
}

static void values(double t, const double *y, double *out) {
    (void)t;
    out[0] = out[1] = 0;
    for (int i = 0; i < n; i++) {
        out[0] += 2 * half * cos(y[i]);
        out[1] += 2 * half * sin(y[i]);
        if (i == 4) {
            out[2] = out[0];
            out[3] = out[1];
        }
    }
}

int main(int argc, char **argv) {
    n = argc > 3 ? atoi(argv[3]) : 10;
    if (n < 5 || 2 * n > STATE) return 2;
    const motion m = {.n = 2 * n,
                      .step = n > 100 ? 5e-3 : 0.01,
                      .f = f,
                      .values = values,
                      .names = "tip.x,tip.y,fifth.x,fifth.y",
                      .columns = 4};
    return print_motion(&m, argc, argv);
}
