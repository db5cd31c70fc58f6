/* test_letter_print.c: formulas of MSF that do not do what is said of them as they are printed, on
 * the four-bar moved off its constraints, beside what is meant.
 *
 *     (26) (M + D^T alpha D) dq = -M (q_i - q_0) - D^T lambda_i          + alpha Phi_i is missing
 *     (50) q <- q - M D^T (D D^T)^-1 Phi        (51) v <- v - M D^T (D D^T)^-1 psi
 *                                               M^-1 D^T (D M^-1 D^T)^-1 is meant
 *
 * alpha D^T D is all that counts in (26) where it does not vanish, and lambda_i the sum of alpha
 * Phi_j, (28): D dq = -(Phi_0 + … + Phi_i). Phi_(i+1) = Phi_i + D dq then goes Phi_0, 0, -Phi_0,
 * -Phi_0, 0, Phi_0 and so on for ever.
 */
#include "plain.h"

/* Off the constraints by this; what is meant ends at rounding of coordinates of 4 m. */
static const double off = 1e-3, rounding = 1e-13;

static double length(const double *x, int n) {
    return sqrt(plain_dot(x, x, n));
}

/* The four-bar moved off its constraints. */
static run apart(plain *p, double *q, double *v) {
    run r = run_open("four_bar", "end=100");
    *p = plain_open(&r);
    plain_start(&plain_subjects[0], off, q, v);
    plain_at(p, plain_subjects[0].t, q, v);
    return r;
}

/* x = -D^T y. */
static void pull(const plain *p, const double *y, double *x) {
    for (int j = 0; j < p->nv; j++) {
        x[j] = 0;
        for (int i = 0; i < p->mh; i++) x[j] -= p->A[i * p->nv + j] * y[i];
    }
}

/* The largest |Phi| after steps 13 to 18 of (26) to (28) from lambda_0 = start alpha Phi_0, with
 * the missing term or without. */
static double projected(double start, int meant) {
    const double alpha = 1e7;
    double left = 0;
    double q0[PLAIN], q[PLAIN], v[PLAIN], lambda[PLAIN], y[PLAIN], x[PLAIN], d[PLAIN], K[PLAIN2];
    plain p;
    run r = apart(&p, q, v);
    const int n = p.nv, m = p.mh;
    memcpy(q0, q, sizeof q0);
    for (int i = 0; i < m; i++) lambda[i] = start * alpha * p.Phi[i];
    for (int step = 1; step <= 18; step++) {
        for (int i = 0; i < m; i++) y[i] = lambda[i] + meant * alpha * p.Phi[i];
        pull(&p, y, x);
        for (int i = 0; i < n; i++) d[i] = q[i] - q0[i];
        for (int i = 0; i < n; i++) {
            x[i] -= plain_dot(p.M + i * n, d, n);
            for (int j = 0; j < n; j++) {
                K[i * n + j] = p.M[i * n + j];
                for (int k = 0; k < m; k++) K[i * n + j] += alpha * p.A[k * n + i] * p.A[k * n + j];
            }
        }
        plain_solve(K, x, n, 1, x);
        for (int i = 0; i < n; i++) q[i] += x[i];
        plain_at(&p, plain_subjects[0].t, q, v);
        for (int i = 0; i < m; i++) lambda[i] += alpha * p.Phi[i];
        if (step > 12) left = fmax(left, length(p.Phi, m));
    }
    plain_close(&p);
    run_close(&r);
    return left;
}

static void test_26(void **unused) {
    (void)unused;
    const double meant = projected(0, 1), zero = projected(0, 0), first = projected(1, 0);
    if (!(meant < rounding && zero > off && first > off))
        fail_msg("(26): %g, as printed %g and %g", meant, zero, first);
}

/* x = -W D^T (D V D^T)^-1 r, W and V diagonal. */
static void weighted(const plain *p, const double *W, const double *V, const double *r, double *x) {
    const int n = p->nv, m = p->mh;
    double S[PLAIN2], y[PLAIN];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            S[i * m + j] = 0;
            for (int k = 0; k < n; k++) S[i * m + j] += p->A[i * n + k] * V[k] * p->A[j * n + k];
        }
    plain_solve(S, r, m, 1, y);
    pull(p, y, x);
    for (int i = 0; i < n; i++) x[i] *= W[i];
}

/* |Phi| after ten steps of (50), and |psi| after (51), of what it was. */
static void weigh(int meant, double *Phi, double *psi) {
    double q[PLAIN], v[PLAIN], x[PLAIN], W[PLAIN] = {0}, V[PLAIN] = {0};
    plain p;
    run r = apart(&p, q, v);
    const int n = p.nv, m = p.mh;
    for (int i = 0; i < n; i++) {
        W[i] = meant ? 1 / p.M[i * n + i] : p.M[i * n + i];
        V[i] = meant ? W[i] : 1;
    }
    *psi = 1 / length(p.psi, m);
    weighted(&p, W, V, p.psi, x);
    for (int i = 0; i < n; i++) v[i] += x[i];
    plain_at(&p, plain_subjects[0].t, q, v);
    *psi *= length(p.psi, m);
    for (int step = 0; step < 10; step++) {
        weighted(&p, W, V, p.Phi, x);
        for (int i = 0; i < n; i++) q[i] += x[i];
        plain_at(&p, plain_subjects[0].t, q, v);
    }
    *Phi = length(p.Phi, m);
    plain_close(&p);
    run_close(&r);
}

static void test_50_51(void **unused) {
    (void)unused;
    double Phi, psi, printed_Phi, printed_psi;
    weigh(1, &Phi, &psi);
    weigh(0, &printed_Phi, &printed_psi);
    if (!(Phi < rounding && psi < 1e-9 && printed_Phi > 1e3 * rounding && printed_psi > 0.1))
        fail_msg("(50), (51): %g, %g, as printed %g, %g", Phi, psi, printed_Phi, printed_psi);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_26),
        cmocka_unit_test(test_50_51),
    };
    return run_tests_of_models("letter print", tests);
}
