/* test_integ_manifold.c: the correction inside the step (a circle) and moving base points
 * (rotations).
 *
 * Circle: y' = w(t) J y (1 + (|y|^2 - 1)/2) keeps |y| = 1, y = (cos a, sin a) with a = t + 0.4 sin
 * 1.7 t, w = a'.
 *
 * Free symmetric top: Rotation R = B exp(u), B the base point, y = (u, omega), omega in the body
 * frame.
 *     u' = dexp^-1_{-u}(omega) = omega + u x omega / 2 + g u x (u x omega),
 *     g  = (1 - (|u|/2) cot(|u|/2)) / |u|^2
 *     I omega' = (I omega) x omega,  I = diag(I1, I1, I3)
 * With L = R I omega constant: R(t) = exp(t L/I1) R(0) exp(t mu e3), mu = (1 - I3/I1) omega_3.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "integ/integrator.h"

static const char *const methods[] = {"euler", "heun", "rk4", "bs32", "dopri5", "dop853"};

enum { METHODS = sizeof methods / sizeof *methods };

static void advance(hol__integrator *integ, double t) {
    while (hol__integrator_time(integ) < t)
        assert_int_equal(hol__integrator_step(integ, t), HOL_OK);
}

/* ---- circle */

static double angle(double t) {
    return t + 0.4 * sin(1.7 * t);
}

static hol_status circle_rhs(void *self, double t, const double *y, double *ydot) {
    const double w = (1 + 0.68 * cos(1.7 * t)) * (1 + 0.5 * (y[0] * y[0] + y[1] * y[1] - 1));
    (void)self;
    ydot[0] = -w * y[1];
    ydot[1] = w * y[0];
    return HOL_OK;
}

static hol_status circle_correct(void *self, double t, double *y) {
    const double r = sqrt(y[0] * y[0] + y[1] * y[1]);
    (void)self, (void)t;
    y[0] /= r;
    y[1] /= r;
    return HOL_OK;
}

/* The largest | |y| - 1 | over the run, and the error of y at its end. */
typedef struct circle_run {
    double off, error;
    hol__integ_stats stats;
} circle_run;

static circle_run run_circle(const char *method, hol__control control, int with_correction) {
    const hol__system system = {
        .n = 2, .rhs = circle_rhs, .project = with_correction ? circle_correct : NULL};
    hol_context *ctx = hol_context_new();
    hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find(method), &system, &control);
    const double t0 = 0.213, t1 = t0 + 3, y0[2] = {cos(angle(t0)), sin(angle(t0))}, *y;
    circle_run run = {0};
    hol__integrator_start(integ, t0, y0);
    while (hol__integrator_time(integ) < t1) {
        assert_int_equal(hol__integrator_step(integ, t1), HOL_OK);
        y = hol__integrator_state(integ);
        run.off = fmax(run.off, fabs(hypot(y[0], y[1]) - 1));
    }
    y = hol__integrator_state(integ);
    run.error = hypot(y[0] - cos(angle(t1)), y[1] - sin(angle(t1)));
    run.stats = hol__integrator_stats(integ);
    hol__integrator_free(integ);
    hol_context_free(ctx);
    return run;
}

/* With the correction |y| = 1 to a few roundings, without it it drifts; the order is kept (or,
 * where the error was mostly radial, gained: hence one-sided). What is left of the leading term of
 * bs32 along the circle is small, hence the many steps. */
static void test_circle_orders(void **state) {
    static const int steps[METHODS] = {2000, 400, 100, 800, 60, 14};
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        const hol__control coarse = {.step = 3.0 / steps[i]}, fine = {.step = 1.5 / steps[i]};
        const circle_run a = run_circle(methods[i], coarse, 1), b = run_circle(methods[i], fine, 1);
        const circle_run drifting = run_circle(methods[i], coarse, 0);
        const double p = log2(a.error / b.error);
        print_message("%-7s on the circle: off %.1e (uncorrected %.1e), order %.2f\n", methods[i],
                      a.off, drifting.off, p);
        assert_true(a.off < 1e-15 && b.off < 1e-15);
        assert_true(drifting.off > 1e-11);
        assert_true(p > hol__stepper_find(methods[i])->order - 0.3);
    }
}

/* Under error control the correction costs neither accuracy nor, through the reused last stage,
 * steps. */
static void test_circle_controlled(void **state) {
    (void)state;
    for (int i = 3; i < METHODS; i++)
        for (double tol = 1e-5; tol > 1e-10; tol /= 100) {
            const circle_run with = run_circle(methods[i], (hol__control){.tolerance = tol}, 1);
            const circle_run without = run_circle(methods[i], (hol__control){.tolerance = tol}, 0);
            assert_true(with.off < 1e-15);
            assert_true(with.error < 20 * tol && without.error < 100 * tol);
            assert_true(10 * with.stats.evaluations <= 11 * without.stats.evaluations + 300);
        }
}

/* ---- rotations */

static const double I1 = 0.731, I3 = 1.264;

typedef double mat3[9];

static void cross(const double *a, const double *b, double *c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void multiply(const double *A, const double *B, double *C) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* exp of the cross-product matrix of u (Rodrigues). */
static void rotation(const double *u, double *R) {
    const double a2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], a = sqrt(a2), half = sin(a / 2);
    const double s = a < 1e-8 ? 1 : sin(a) / a, c = a < 1e-8 ? 0.5 : 2 * half * half / a2;
    const mat3 K = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    mat3 KK;
    multiply(K, K, KK);
    for (int i = 0; i < 9; i++) R[i] = (i % 4 == 0) + s * K[i] + c * KK[i];
}

typedef struct top {
    mat3 B;
    int rebases, rates;
} top;

static hol_status top_rhs(void *self, double t, const double *y, double *ydot) {
    const double *u = y, *w = y + 3, a2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2], a = sqrt(a2);
    const double g =
        a < 1e-2 ? 1.0 / 12 + a2 / 720 + a2 * a2 / 30240 : (1 - a / 2 / tan(a / 2)) / a2;
    double uw[3], uuw[3];
    (void)self, (void)t;
    cross(u, w, uw);
    cross(u, uw, uuw);
    for (int i = 0; i < 3; i++) ydot[i] = w[i] + 0.5 * uw[i] + g * uuw[i];
    ydot[3] = (I1 - I3) / I1 * w[1] * w[2];
    ydot[4] = (I3 - I1) / I1 * w[0] * w[2];
    ydot[5] = 0;
    return HOL_OK;
}

static void top_rebase(void *self, double t, double *y) {
    top *s = self;
    mat3 E, B;
    (void)t;
    rotation(y, E);
    multiply(s->B, E, B);
    memcpy(s->B, B, sizeof s->B);
    memset(y, 0, 3 * sizeof *y);
    s->rebases++;
}

static void top_rebase_rate(void *self, double t, const double *y, double *ydot) {
    top *s = self;
    (void)t;
    memcpy(ydot, y + 3, 3 * sizeof *ydot);
    s->rates++;
}

static const double w0[3] = {1.317, -0.482, 2.153}, u0[3] = {0.37, -0.81, 0.54};

static void top_exact(double t, double *R) {
    mat3 R0, P, S, T;
    double L[3], turn[3], spin[3] = {0, 0, t * (1 - I3 / I1) * w0[2]};
    const double Iw[3] = {I1 * w0[0], I1 * w0[1], I3 * w0[2]};
    rotation(u0, R0);
    for (int i = 0; i < 3; i++) {
        L[i] = R0[3 * i] * Iw[0] + R0[3 * i + 1] * Iw[1] + R0[3 * i + 2] * Iw[2];
        turn[i] = t * L[i] / I1;
    }
    rotation(turn, P);
    rotation(spin, S);
    multiply(P, R0, T);
    multiply(T, S, R);
}

/* |B exp(u) - R(t)|, largest element. */
static double top_error(const top *s, const double *u, double t) {
    mat3 E, R, want;
    double most = 0;
    rotation(u, E);
    multiply(s->B, E, R);
    top_exact(t, want);
    for (int i = 0; i < 9; i++) most = fmax(most, fabs(R[i] - want[i]));
    return most;
}

/* The error at t = 1.9, and the largest one of the interpolant. */
typedef struct top_run {
    double error, dense;
    hol__integ_stats stats;
} top_run;

static top_run run_top(const char *method, hol__control control, int with_rate, int with_dense) {
    top s = {0};
    const hol__system system = {.n = 6,
                                .self = &s,
                                .rhs = top_rhs,
                                .retract = top_rebase,
                                .retract_rate = with_rate ? top_rebase_rate : NULL};
    hol_context *ctx = hol_context_new();
    hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find(method), &system, &control);
    const double y0[6] = {0, 0, 0, w0[0], w0[1], w0[2]};
    top_run run = {0};
    rotation(u0, s.B);
    hol__integrator_start(integ, 0, y0);
    while (hol__integrator_time(integ) < 1.9) {
        assert_int_equal(hol__integrator_step(integ, 1.9), HOL_OK);
        for (int i = 1; with_dense && i < 8; i++) {
            const double a = hol__integrator_old_time(integ),
                         t = a + (hol__integrator_time(integ) - a) * i / 8;
            double y[6];
            assert_int_equal(hol__integrator_dense(integ, t, y), HOL_OK);
            run.dense = fmax(run.dense, top_error(&s, y, t));
        }
    }
    run.error = top_error(&s, hol__integrator_state(integ), 1.9);
    run.stats = hol__integrator_stats(integ);
    assert_int_equal(s.rebases, run.stats.steps - 1); /* the last step is still open */
    hol__integrator_commit(integ);
    hol__integrator_commit(integ);
    assert_int_equal(s.rebases, run.stats.steps);
    assert_true(fabs(top_error(&s, hol__integrator_state(integ), 1.9) - run.error) < 1e-14);
    hol__integrator_free(integ);
    hol_context_free(ctx);
    return run;
}

/* Moving base points keep the order. The interpolant over the run is off by h^min(p, q+1); the
 * margin 0.4 is for the next term of the expansion. */
static void test_rotation_orders(void **state) {
    static const int steps[METHODS] = {2000, 300, 60, 120, 40, 7};
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        const hol__stepper_type *table = hol__stepper_find(methods[i]);
        const hol__control coarse = {.step = 1.9 / steps[i]}, fine = {.step = 0.95 / steps[i]};
        const top_run a = run_top(methods[i], coarse, 1, 1), b = run_top(methods[i], fine, 1, 1);
        const double p = log2(a.error / b.error), q = log2(a.dense / b.dense);
        const int want =
            table->order < table->dense_order + 1 ? table->order : table->dense_order + 1;
        print_message("%-7s rotation: errors %.1e %.1e, order %.2f, between %.2f\n", methods[i],
                      a.error, b.error, p, q);
        assert_true(fabs(p - table->order) < 0.4);
        assert_true(q > want - 0.4);
    }
}

/* Without rebase_rate the reused slope is that of the old base: u' is off by u x omega / 2 with u =
 * h omega + h^2 omega'/2, that is by O(h^2), and all but second order is lost. */
static void test_rotation_needs_the_rate(void **state) {
    (void)state;
    for (int i = 3; i < 5; i++) {
        const top_run a = run_top(methods[i], (hol__control){.step = 0.02}, 0, 0);
        const top_run b = run_top(methods[i], (hol__control){.step = 0.01}, 0, 0);
        assert_true(fabs(log2(a.error / b.error) - 2) < 0.3);
    }
}

static void test_rotation_controlled(void **state) {
    (void)state;
    for (int i = 3; i < METHODS; i++)
        for (double tol = 1e-5; tol > 1e-10; tol /= 100) {
            const top_run run = run_top(methods[i], (hol__control){.tolerance = tol}, 1, 0);
            assert_true(run.error < 30 * tol);
            assert_true(run.stats.rejected * 5 <= run.stats.steps + 10);
        }
}

/* f at the end after the base has moved is f of the new increments. */
static void test_rate_after_commit(void **state) {
    static const char *const names[] = {"bs32", "dopri5", "rk4", "dop853"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        top s = {0};
        const hol__system system = {.n = 6,
                                    .self = &s,
                                    .rhs = top_rhs,
                                    .retract = top_rebase,
                                    .retract_rate = top_rebase_rate};
        hol_context *ctx = hol_context_new();
        hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find(names[i]), &system,
                                                     &(hol__control){.step = 0.1});
        const double y0[6] = {0, 0, 0, w0[0], w0[1], w0[2]};
        double y[6], want[6];
        rotation(u0, s.B);
        hol__integrator_start(integ, 0, y0);
        hol__integrator_step(integ, 1);
        hol__integrator_dense(integ, 0.07, y); /* makes f at the end known for every method */
        assert_int_equal(s.rates, 0);
        hol__integrator_commit(integ);
        assert_int_equal(s.rates, 1);
        top_rhs(&s, 0.1, hol__integrator_state(integ), want);
        assert_non_null(hol__integrator_derivative(integ));
        assert_memory_equal(hol__integrator_derivative(integ), want, sizeof want);
        advance(integ, 0.5);
        assert_true(top_error(&s, hol__integrator_state(integ), 0.5) < 1e-2);
        hol__integrator_free(integ);
        hol_context_free(ctx);
    }
}

/* A retake starts from the same base as the step that it replaces. */
static void test_rotation_retake(void **state) {
    (void)state;
    for (int i = 3; i < METHODS; i++) {
        top s = {0};
        const hol__system system = {.n = 6,
                                    .self = &s,
                                    .rhs = top_rhs,
                                    .retract = top_rebase,
                                    .retract_rate = top_rebase_rate};
        hol_context *ctx = hol_context_new();
        hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find(methods[i]), &system,
                                                     &(hol__control){.tolerance = 1e-8});
        const double y0[6] = {0, 0, 0, w0[0], w0[1], w0[2]};
        rotation(u0, s.B);
        hol__integrator_start(integ, 0, y0);
        while (hol__integrator_time(integ) < 1.9) {
            assert_int_equal(hol__integrator_step(integ, 1.9), HOL_OK);
            const double a = hol__integrator_old_time(integ), b = hol__integrator_time(integ);
            if (b < 1.9)
                assert_int_equal(hol__integrator_retake(integ, a + 0.618 * (b - a)), HOL_OK);
        }
        assert_true(top_error(&s, hol__integrator_state(integ), 1.9) < 30 * 1e-8);
        hol__integrator_free(integ);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circle_orders),       cmocka_unit_test(test_circle_controlled),
        cmocka_unit_test(test_rotation_orders),     cmocka_unit_test(test_rotation_needs_the_rate),
        cmocka_unit_test(test_rotation_controlled), cmocka_unit_test(test_rate_after_commit),
        cmocka_unit_test(test_rotation_retake),
    };
    return cmocka_run_group_tests_name("integ_manifold", tests, NULL, NULL);
}
