/* chain.c: RK4 steps of a planar chain of five uniform links by hand, to be counted: limit_chain
 * STEPS. The mechanism is that of bench/models/five_links.yaml: links of 1 m and 1 kg that start
 * along x.
 *
 * Angles against the horizontal, all joints on each other's ends:
 *     sum_j M_ij q_j'' cos(q_i - q_j) = -sum_j M_ij q_j'^2 sin(q_i - q_j) - g_i cos q_i
 *     M_ij = m l^2 (n - max(i, j) - 1/2),  M_ii = m l^2 (n - i - 2/3),  g_i = m g l (n - i - 1/2)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 5 };

static const double G = 9.81;

/* q'' by Cholesky. */
static void accelerations(const double *q, const double *v, double *a) {
    double L[N][N], c[N], s[N];
    for (int i = 0; i < N; i++) c[i] = cos(q[i]), s[i] = sin(q[i]);
    for (int i = 0; i < N; i++) {
        a[i] = -G * (N - i - 0.5) * c[i];
        for (int j = 0; j < N; j++) {
            const double m = N - (i > j ? i : j) - 0.5;
            if (j < i) L[i][j] = m * (c[i] * c[j] + s[i] * s[j]);
            if (j != i) a[i] -= m * v[j] * v[j] * (s[i] * c[j] - c[i] * s[j]);
        }
        L[i][i] = N - i - 2.0 / 3;
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = L[i][j];
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
        for (int k = 0; k < i; k++) a[i] -= L[i][k] * a[k];
        a[i] /= L[i][i];
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int k = i + 1; k < N; k++) a[i] -= L[k][i] * a[k];
        a[i] /= L[i][i];
    }
}

/* One stage: q + h w v', v + h w a', and a there. */
static void stage(const double *q, const double *v, double h, const double *dq, const double *dv,
                  double *vs, double *as) {
    double qs[N];
    for (int i = 0; i < N; i++) qs[i] = q[i] + h * dq[i], vs[i] = v[i] + h * dv[i];
    accelerations(qs, vs, as);
}

/* What is counted. */
__attribute__((noinline)) void bench_counted(double *q, double *v, double h, int steps);
void bench_counted(double *q, double *v, double h, int steps) {
    double a[4][N], w[4][N];
    for (int n = 0; n < steps; n++) {
        for (int i = 0; i < N; i++) w[0][i] = v[i];
        accelerations(q, v, a[0]);
        stage(q, v, h / 2, w[0], a[0], w[1], a[1]);
        stage(q, v, h / 2, w[1], a[1], w[2], a[2]);
        stage(q, v, h, w[2], a[2], w[3], a[3]);
        for (int i = 0; i < N; i++) {
            q[i] += h / 6 * (w[0][i] + 2 * w[1][i] + 2 * w[2][i] + w[3][i]);
            v[i] += h / 6 * (a[0][i] + 2 * a[1][i] + 2 * a[2][i] + a[3][i]);
        }
    }
}

int main(int argc, char **argv) {
    double q[N] = {0}, v[N] = {0};
    const int steps = argc > 1 ? atoi(argv[1]) : 1000;
    bench_counted(q, v, 1e-3, steps);
    printf("%.12g\n", q[N - 1]);
    return 0;
}
