/* test_integ.c: orders of methods, estimates and interpolants; error control; the correction;
 * cost. */
#include "integ_fixture.h"

/* ---- orders */

static double fixed_error(const char *method, int steps) {
    fixture *f = open_at(method, (hol__control){.step = 1.2 / steps}, T0);
    advance(f->integ, T0 + 1.2);
    const double error = error_of(f->integ);
    assert_int_equal(hol__integrator_stats(f->integ).steps, steps);
    close_it(f);
    return error;
}

/* Halving the step divides the error by 2^p; the next term of the expansion shifts the observed p
 * by less than 0.3. */
static void test_order_of_methods(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        const double coarse = fixed_error(halving[i].name, halving[i].steps);
        const double fine = fixed_error(halving[i].name, 2 * halving[i].steps);
        const double p = log2(coarse / fine);
        print_message("%-7s errors %.2e %.2e: order %.2f\n", halving[i].name, coarse, fine, p);
        assert_true(fabs(p - hol__stepper_find(halving[i].name)->order) < 0.3);
    }
}

/* The norm of the estimate of one step of length h from T0. */
static double estimate(const char *method, double h) {
    fixture *f = open_at(method, (hol__control){.step = h, .tolerance = 1}, T0);
    assert_int_equal(hol__integrator_step(f->integ, INFINITY), HOL_OK);
    hol__control_scale(f->integ);
    const double err = hol__control_error(f->integ);
    close_it(f);
    return err;
}

/* |e| ~ h^(q+1). */
static void test_order_of_estimates(void **state) {
    static const double h[] = {0.01, 0.03, 0.06};
    (void)state;
    for (int i = 3; i < METHODS; i++) {
        const double q =
            log2(estimate(halving[i].name, h[i - 3]) / estimate(halving[i].name, h[i - 3] / 2)) - 1;
        print_message("%-7s order of the estimate %.2f\n", halving[i].name, q);
        assert_true(fabs(q - hol__stepper_find(halving[i].name)->error_order) < 0.35);
    }
}

/* The largest error of the interpolant inside one step of length h. */
static double dense_error(const char *method, double h) {
    fixture *f = open_at(method, (hol__control){.step = h}, T0);
    double y[N], want[N], most = 0;
    assert_int_equal(hol__integrator_step(f->integ, INFINITY), HOL_OK);
    for (int i = 1; i < 20; i++) {
        const double t = T0 + h * i / 20;
        assert_int_equal(hol__integrator_dense(f->integ, t, y), HOL_OK);
        exact(t, want);
        most = fmax(most, distance(y, want));
    }
    close_it(f);
    return most;
}

/* Inside one step the interpolant is off by O(h^(q+1)). */
static void test_order_of_interpolants(void **state) {
    static const double h[METHODS] = {0.002, 0.01, 0.02, 0.02, 0.03, 0.12};
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        const double coarse = dense_error(halving[i].name, h[i]),
                     fine = dense_error(halving[i].name, h[i] / 2);
        const double q = log2(coarse / fine) - 1;
        print_message("%-7s interpolant %.2e %.2e: order %.2f\n", halving[i].name, coarse, fine, q);
        assert_true(fabs(q - hol__stepper_find(halving[i].name)->dense_order) < 0.35);
    }
}

/* The interpolant meets both ends and continues with slope f there: y(t_old + d) - y_old - d f =
 * O(d^2). */
static void test_interpolant_meets_ends(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        fixture *f = open_at(halving[i].name, (hol__control){.step = 0.0713}, T0);
        double y[N], start[N], slope[N];
        assert_int_equal(hol__integrator_step(f->integ, INFINITY), HOL_OK);
        const double t = hol__integrator_time(f->integ), d = 1e-9;
        exact(T0, start);
        hol__integrator_dense(f->integ, T0, y);
        assert_memory_equal(y, start, sizeof y);
        hol__integrator_dense(f->integ, t, y);
        assert_memory_equal(y, hol__integrator_state(f->integ), sizeof y);
        /* d^2 y''/2 < 1e-16, rounding of values near 2: 1e-15 */
        rhs(&f->probe, T0, start, slope);
        hol__integrator_dense(f->integ, T0 + d, y);
        const double d0 = T0 + d - T0;
        for (int j = 0; j < N; j++) assert_true(fabs(y[j] - start[j] - d0 * slope[j]) < 3e-15);
        rhs(&f->probe, t, hol__integrator_state(f->integ), slope);
        hol__integrator_dense(f->integ, t - d, y);
        const double d1 = t - (t - d);
        for (int j = 0; j < N; j++)
            assert_true(fabs(hol__integrator_state(f->integ)[j] - y[j] - d1 * slope[j]) < 3e-15);
        assert_int_equal(hol__integrator_dense(f->integ, T0 - 1e-12, y), HOL_ERR_ARGUMENT);
        assert_int_equal(hol__integrator_dense(f->integ, t + 1e-12, y), HOL_ERR_ARGUMENT);
        hol__integrator_commit(f->integ);
        assert_int_equal(hol__integrator_dense(f->integ, T0, y), HOL_ERR_ARGUMENT);
        close_it(f);
    }
}

/* ---- error control */

/* Errors of single steps, each up to tol (1 + |y|), become errors of the period, which grow along
 * the orbit: 3 pi times after one revolution, here one and a half. With the square root of 20 to
 * 600 steps and the scale of up to 3 that is at most some 300 tolerances; a hundredth of the
 * tolerance makes it at least 20 times smaller. */
static void test_error_tracks_tolerance(void **state) {
    static const double tolerances[3][4] = {
        {1e-3, 1e-5, 1e-7, 0}, {1e-4, 1e-6, 1e-8, 1e-10}, {1e-5, 1e-7, 1e-9, 1e-11}};
    (void)state;
    for (int i = 3; i < METHODS; i++) {
        double before = INFINITY;
        for (int j = 0; j < 4 && tolerances[i - 3][j] > 0; j++) {
            const double tol = tolerances[i - 3][j];
            fixture *f = open_at(halving[i].name, (hol__control){.tolerance = tol}, T0);
            advance(f->integ, T0 + 9.731);
            const double error = error_of(f->integ);
            const hol__integ_stats s = hol__integrator_stats(f->integ);
            print_message(
                "%-7s tolerance %.0e: error %.1e, %ld steps, %ld rejected, %ld evaluations\n",
                halving[i].name, tol, error, s.steps, s.rejected, s.evaluations);
            assert_true(error < 300 * tol && error < before / 20);
            assert_true(s.rejected * 5 <= s.steps + 20);
            assert_int_equal(s.evaluations, f->probe.calls);
            before = error;
            close_it(f);
        }
    }
}

static hol_status fall(void *self, double t, const double *y, double *ydot) {
    (void)self, (void)t;
    ydot[0] = y[1];
    ydot[1] = -9.81;
    return HOL_OK;
}

/* From rest at zero the size of y says nothing, its scale does: the first step is neither blind nor
 * rejected. */
static void test_first_step_from_rest(void **state) {
    const hol__system system = {.n = 2, .rhs = fall};
    hol_context *ctx = hol_context_new();
    hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find("dopri5"), &system,
                                                 &(hol__control){.tolerance = 1e-6});
    (void)state;
    hol__integrator_start(integ, 0, (double[]){0, 0});
    assert_int_equal(hol__integrator_step(integ, INFINITY), HOL_OK);
    const hol__integ_stats s = hol__integrator_stats(integ);
    assert_true(s.last_step > 1e-3 && s.last_step < 1 && s.rejected == 0);
    assert_int_equal(s.evaluations, 8); /* f, the probe, six more stages */
    hol__integrator_free(integ);
    hol_context_free(ctx);
}

static void test_step_limits(void **state) {
    (void)state;
    fixture *f = open_at(
        "dop853", (hol__control){.tolerance = 1e-4, .max_step = 0.0317, .first = 0.0123}, T0);
    assert_int_equal(hol__integrator_step(f->integ, 20), HOL_OK);
    assert_true(fabs(hol__integrator_stats(f->integ).last_step - 0.0123) < 1e-15);
    while (hol__integrator_time(f->integ) < 2.0) {
        assert_int_equal(hol__integrator_step(f->integ, 2.0), HOL_OK);
        assert_true(hol__integrator_stats(f->integ).last_step <= 0.0317 * (1 + 1e-12));
    }
    close_it(f);

    f = open_at("dopri5", (hol__control){.tolerance = 1e-9, .max_steps = 11}, T0);
    for (int i = 0; i < 11; i++) assert_int_equal(hol__integrator_step(f->integ, 20), HOL_OK);
    const double t = hol__integrator_time(f->integ);
    assert_int_equal(hol__integrator_step(f->integ, 20), HOL_ERR_TOLERANCE);
    assert_true(hol__integrator_time(f->integ) == t);
    assert_non_null(strstr(hol_message_get(f->ctx, 0)->text, "max_steps"));
    close_it(f);

    f = open_at("dopri5", (hol__control){.tolerance = 1e-12, .first = 0.3, .min_step = 0.1}, T0);
    assert_int_equal(hol__integrator_step(f->integ, 20), HOL_ERR_TOLERANCE);
    assert_true(hol__integrator_time(f->integ) == T0);
    assert_non_null(strstr(hol_message_get(f->ctx, 0)->text, "0.3172"));
    assert_int_equal(hol__integrator_step(f->integ, T0), HOL_ERR_ARGUMENT);
    close_it(f);
}

static void test_wrong_control(void **state) {
    static const struct {
        const char *method;
        hol__control control;
    } rows[] = {
        {"rk4", {.tolerance = 1e-6}},
        {"dopri5", {.step = -0.1}},
        {"dopri5", {.step = NAN}},
        {"dopri5", {.tolerance = 0}},
        {"dopri5", {.tolerance = -1e-3}},
        {"dopri5", {.tolerance = 1, .first = -1}},
        {"dopri5", {.tolerance = 1, .max_step = 1, .min_step = 2}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hol_context *ctx = hol_context_new();
        const hol__system system = {.n = N, .rhs = rhs};
        assert_null(
            hol__integrator_new(ctx, hol__stepper_find(rows[i].method), &system, &rows[i].control));
        assert_int_equal(hol_message_count(ctx), 1);
        hol_context_free(ctx);
    }
}

/* ---- correction and cost */

/* The correction comes before the last stage of a first-same-as-last method, which sees the
 * corrected state. */
static void test_correction_in_the_step(void **state) {
    static const struct {
        const char *name, *log;
    } rows[] = {{"euler", "fcfc"},
                {"heun", "ffcffc"},
                {"rk4", "ffffcffffc"},
                {"bs32", "fffcfffcf"},
                {"dopri5", "ffffffcffffffcf"},
                {"dop853", "ffffffffffffcffffffffffffc"}};
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        fixture *f = open_at(rows[i].name, (hol__control){.step = 0.01}, T0);
        f->system.project = correct;
        f->probe.kick = 1e-6;
        hol__integrator_step(f->integ, 100);
        assert_memory_equal(f->probe.last_c, hol__integrator_state(f->integ),
                            sizeof f->probe.last_c);
        const double *slope = hol__integrator_derivative(f->integ);
        assert_int_equal(slope != NULL, ((const hol__rk_table *)f->integ->type->table)->fsal);
        if (slope) {
            double want[N];
            assert_memory_equal(f->probe.last_f, f->probe.last_c, sizeof f->probe.last_c);
            probe quiet = {0};
            rhs(&quiet, hol__integrator_time(f->integ), hol__integrator_state(f->integ), want);
            assert_memory_equal(slope, want, sizeof want);
        }
        hol__integrator_step(f->integ, 100);
        assert_string_equal(f->probe.log, rows[i].log);
        close_it(f);
    }
}

/* The error test sees the corrected end: one absurd correction is rejected, as is one that asks for
 * a smaller step. */
static void test_correction_is_tested(void **state) {
    (void)state;
    for (int i = 3; i < 5; i++) {
        fixture *f = open_at(halving[i].name, (hol__control){.tolerance = 1e-6, .first = 1e-2}, T0);
        f->system.project = correct;
        f->probe.kick = 10;
        assert_int_equal(hol__integrator_step(f->integ, 100), HOL_OK);
        assert_int_equal(hol__integrator_stats(f->integ).rejected, 1);
        advance(f->integ, 1);
        assert_true(error_of(f->integ) < 1e-4);
        f->probe.bad_correct = HOL_NOT_CONVERGED;
        assert_int_equal(hol__integrator_step(f->integ, 100), HOL_ERR_TOLERANCE);
        assert_true(hol__integrator_stats(f->integ).failures > 10);
        f->probe.bad_correct = HOL_ERR_SINGULAR;
        assert_int_equal(hol__integrator_step(f->integ, 100), HOL_ERR_SINGULAR);
        close_it(f);
    }
}

/* Evaluations of f for 50 steps, without and with the interpolant at every step. */
static void test_evaluations(void **state) {
    static const long plain[METHODS] = {50, 100, 200, 151, 301, 600},
                      dense[METHODS] = {51, 101, 201, 151, 301, 751};
    (void)state;
    for (int i = 0; i < METHODS; i++)
        for (int with_dense = 0; with_dense < 2; with_dense++) {
            fixture *f = open_at(halving[i].name, (hol__control){.step = 0.01}, T0);
            for (int j = 0; j < 50; j++) {
                double y[N];
                hol__integrator_step(f->integ, 100);
                const double t =
                    0.3 * hol__integrator_time(f->integ) + 0.7 * hol__integrator_old_time(f->integ);
                for (int twice = 0; with_dense && twice < 2; twice++)
                    hol__integrator_dense(f->integ, t, y);
            }
            assert_int_equal(f->probe.calls, with_dense ? dense[i] : plain[i]);
            assert_int_equal(hol__integrator_stats(f->integ).evaluations, f->probe.calls);
            close_it(f);
        }
}

static void test_allocates_only_in_new(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        counting count;
        probe p = {0};
        double y[N];
        hol_context *ctx = counting_context(&count);
        const hol__system system = {.n = N, .self = &p, .rhs = rhs, .project = correct};
        const int adaptive = hol__stepper_find(halving[i].name)->error_order > 0;
        const hol__control control = {.step = adaptive ? 0 : 0.01, .tolerance = 1e-6};
        const long before = count.live, made_before = count.made;
        hol__integrator *integ =
            hol__integrator_new(ctx, hol__stepper_find(halving[i].name), &system, &control);
        const long made = count.made;
        exact(T0, y);
        hol__integrator_start(integ, T0, y);
        for (int j = 0; j < 30; j++) {
            assert_int_equal(hol__integrator_step(integ, 100), HOL_OK);
            const double mid =
                0.5 * (hol__integrator_time(integ) + hol__integrator_old_time(integ));
            assert_int_equal(hol__integrator_dense(integ, mid, y), HOL_OK);
            if (j % 7 == 3) assert_int_equal(hol__integrator_retake(integ, mid), HOL_OK);
        }
        assert_int_equal(count.made, made);
        hol__integrator_free(integ);
        hol_message_clear(ctx);
        assert_int_equal(count.live, before);
        for (long k = 1; k <= made - made_before; k++) {
            count.made = 0;
            count.fail_at = k;
            assert_null(
                hol__integrator_new(ctx, hol__stepper_find(halving[i].name), &system, &control));
            hol_message_clear(ctx);
            assert_int_equal(count.live, before);
        }
        hol_context_free(ctx);
        assert_int_equal(count.live, 0);
    }
}

/* The tight sums: any number of terms, zeros between them, with and without y, odd lengths. */
static void test_combine(void **state) {
    double k[HOL__MAX_SLOPES][37], *rows[HOL__MAX_SLOPES], y[37], out[37], a[HOL__MAX_SLOPES];
    (void)state;
    for (int m = 0; m <= HOL__MAX_SLOPES; m++)
        for (int n = 0; n <= 37; n += 37) {
            for (int j = 0; j < m; j++) {
                a[j] = uniform() < 0.3 ? 0 : uniform() - 0.5;
                rows[j] = k[j];
                for (int i = 0; i < n; i++) k[j][i] = uniform() - 0.5;
            }
            for (int i = 0; i < n; i++) y[i] = uniform();
            for (int with_y = 0; with_y < 2; with_y++) {
                hol__combine(n, with_y ? y : NULL, 0.731, m, a, rows, out);
                for (int i = 0; i < n; i++) {
                    double want = with_y ? y[i] : 0;
                    for (int j = 0; j < m; j++) want += 0.731 * a[j] * k[j][i];
                    assert_true(fabs(out[i] - want) < 1e-15 * (m + 2));
                }
            }
        }
}

static hol_status nothing(void *self, double t, const double *y, double *ydot) {
    (void)self, (void)t, (void)y, (void)ydot;
    return HOL_OK;
}

/* A mechanism that is driven throughout has no unknowns; time still passes, ever faster. */
static void test_no_unknowns(void **state) {
    const hol__system system = {.n = 0, .rhs = nothing};
    const double none = 0;
    (void)state;
    for (int i = 3; i < METHODS; i++) {
        hol_context *ctx = hol_context_new();
        hol__integrator *integ =
            hol__integrator_new(ctx, hol__stepper_find(halving[i].name), &system,
                                &(hol__control){.tolerance = 1e-6, .max_step = 0.5});
        assert_non_null(integ);
        assert_int_equal(hol__integrator_start(integ, -1.3, &none), HOL_OK);
        advance(integ, 4.1);
        assert_true(hol__integrator_time(integ) == 4.1 && hol__integrator_stats(integ).steps < 30);
        hol__integrator_free(integ);
        hol_context_free(ctx);
    }
}

static void test_start_wants_numbers(void **state) {
    fixture *f = open_at("rk4", (hol__control){.step = 0.1}, T0);
    double bad[N] = {0, 1, INFINITY, 0, 0, 0};
    (void)state;
    assert_int_equal(hol__integrator_start(f->integ, 0, bad), HOL_ERR_ARGUMENT);
    bad[2] = NAN;
    assert_int_equal(hol__integrator_start(f->integ, 0, bad), HOL_ERR_ARGUMENT);
    bad[2] = 0;
    assert_int_equal(hol__integrator_start(f->integ, INFINITY, bad), HOL_ERR_ARGUMENT);
    close_it(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_methods),
        cmocka_unit_test(test_order_of_estimates),
        cmocka_unit_test(test_order_of_interpolants),
        cmocka_unit_test(test_interpolant_meets_ends),
        cmocka_unit_test(test_error_tracks_tolerance),
        cmocka_unit_test(test_first_step_from_rest),
        cmocka_unit_test(test_step_limits),
        cmocka_unit_test(test_wrong_control),
        cmocka_unit_test(test_correction_in_the_step),
        cmocka_unit_test(test_correction_is_tested),
        cmocka_unit_test(test_evaluations),
        cmocka_unit_test(test_allocates_only_in_new),
        cmocka_unit_test(test_combine),
        cmocka_unit_test(test_no_unknowns),
        cmocka_unit_test(test_start_wants_numbers),
    };
    return cmocka_run_group_tests_name("integ", tests, NULL, NULL);
}
