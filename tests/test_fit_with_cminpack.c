/* test_fit_with_cminpack.c: parameters fitted to data of plain functions: the truth from exact data
 * under every kind of bounds, a bound that is met, points without residuals; standard errors
 * against the spread of many fits of noisy data; parameters that data cannot tell apart; quantiles
 * of Student's distribution. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/fit_statistics.h"
#include "analysis/least_squares.h"
#include "math/student.h"

#include "common.h"

#include <math.h>

enum { M = 40, N = 3 };

static const char *const names[] = {"a", "b", "c"};
static const double truth[N] = {2.385, 0.731, -0.417};

/* y = a exp(-b t) + c at t = 0.1 i. */
typedef struct decay {
    double data[M];
    double forbidden; /* there are no residuals for larger b, … */
    int open;         /* … and none for this b itself */
    int calls;
} decay;

static double curve(const double *p, int i) {
    return p[0] * exp(-p[1] * 0.1 * i) + p[2];
}

static hol_status residuals(void *self, const double *p, double *r, double *J) {
    decay *d = self;
    d->calls++;
    if (d->forbidden > 0 && p[1] > d->forbidden) return HOL_NOT_CONVERGED;
    if (d->open && p[1] == d->forbidden) return HOL_NOT_CONVERGED;
    for (int i = 0; i < M; i++) {
        const double e = exp(-p[1] * 0.1 * i);
        r[i] = curve(p, i) - d->data[i];
        if (J) J[i] = e, J[M + i] = -p[0] * 0.1 * i * e, J[2 * M + i] = 1;
    }
    return HOL_OK;
}

static decay exact(void) {
    decay d = {.forbidden = 0};
    for (int i = 0; i < M; i++) d.data[i] = curve(truth, i);
    return d;
}

static hol_status search(hol_context *ctx, decay *d, const double *start, const double *low,
                         const double *high, hol__arena *arena, hol__fit *out) {
    const hol__residuals o = {.ctx = ctx,
                              .n = N,
                              .m = M,
                              .names = names,
                              .start = start,
                              .low = low,
                              .high = high,
                              .tolerance = 1e-8,
                              .evaluate = residuals,
                              .self = d};
    return hol__least_squares(&o, arena, out);
}

static void fit(hol_context *ctx, decay *d, const double *start, const double *low,
                const double *high, hol__arena *arena, hol__fit *out) {
    assert_int_equal(search(ctx, d, start, low, high, arena, out), HOL_OK);
}

/* From exact data quadratic convergence ends at rounding. */
static void test_truth(void **state) {
    (void)state;
    static const double starts[][N] = {{1, 1, 0}, {4.9, 0.05, 0.9}, {0.5, 2, -2}},
                        lows[][N] = {{0, 0, -3}, {0, 0, -INFINITY}, {-INFINITY, -INFINITY, -3}},
                        highs[][N] = {{5, 3, 1}, {INFINITY, 4, 2}, {5, INFINITY, INFINITY}};
    for (int k = 0; k < 9; k++) {
        hol_context *ctx = hol_context_new();
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        decay d = exact();
        hol__fit found;
        fit(ctx, &d, starts[k % 3], lows[k / 3], highs[k / 3], &arena, &found);
        for (int j = 0; j < N; j++)
            if (fabs(found.p[j] - truth[j]) > 1e-9)
                fail_msg("start %d, bounds %d: p[%d] = %.12g: %s", k % 3, k / 3, j, found.p[j],
                         hol__ended_text(found.ended));
        assert_int_equal(found.evaluations, d.calls);
        assert_int_equal(hol_message_count(ctx), 0);
        hol__arena_free(&arena);
        hol_context_free(ctx);
    }
}

/* With b <= 0.5 the fit ends on that bound, and a, c are those of the linear problem that is left:
 * the gradient over them is zero. A start on the bound is told. */
static void test_bound(void **state) {
    (void)state;
    static const double start[] = {1, 0.5, 0}, low[] = {0, 0, -3}, high[] = {5, 0.5, 1};
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    decay d = exact();
    hol__fit found;
    fit(ctx, &d, start, low, high, &arena, &found);
    assert_true(said(ctx, "parameter 'b' starts on its bound 0.5"));
    assert_int_equal(found.at_bound[1], 2);
    assert_true(found.p[1] == 0.5);
    assert_int_equal(found.at_bound[0] + found.at_bound[2], 0);
    for (int j = 0; j < N; j++) {
        double g = 0, size = 0;
        for (int i = 0; i < M; i++) {
            g += found.J[j * M + i] * found.r[i];
            size += fabs(found.J[j * M + i] * found.r[i]);
        }
        if (j == 1)
            assert_true(g < -0.1 * size); /* a larger b would be better */
        else
            assert_true(fabs(g) < 1e-5 * size);
    }
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* Steps into a region without residuals are taken back and counted. */
static void test_points_without_residuals(void **state) {
    (void)state;
    static const double start[] = {0.3, 0.05, 0.9}, low[] = {0, 0, -3}, high[] = {5, 30, 1};
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    decay d = exact();
    d.forbidden = 1.7;
    hol__fit found;
    fit(ctx, &d, start, low, high, &arena, &found);
    for (int j = 0; j < N; j++)
        if (fabs(found.p[j] - truth[j]) > 1e-8)
            fail_msg("p[%d] = %.12g: %s, failed %ld of %ld", j, found.p[j],
                     hol__ended_text(found.ended), found.failed, found.evaluations);
    assert_true(found.failed > 0);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* A bound that is the best place, and at which there is no model: the search comes ever nearer. */
static void test_bound_without_residuals(void **state) {
    (void)state;
    static const double start[] = {1, 0.4, 0}, low[] = {0, 0, -3}, high[] = {5, 0.5, 1};
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    decay d = exact();
    d.forbidden = 0.5, d.open = 1;
    hol__fit found;
    assert_int_equal(search(ctx, &d, start, low, high, &arena, &found), HOL_ERR_TOLERANCE);
    assert_true(said(ctx, "the model does not run at the values that were found"));
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* 2000 fits of data with noise of 0.03: the spread of the parameters is the standard error that
 * each fit tells, to three times the deviation of such a spread, 1 / sqrt(2 * 2000) = 1.6 %, and
 * what the curvature adds; 95 % of the intervals hold the truth, to 3.5 sqrt(0.95 0.05 / 2000). */
static void test_standard_errors(void **state) {
    (void)state;
    enum { FITS = 2000 };
    static const double low[] = {0, 0, -3}, high[] = {5, 3, 1};
    uint64_t seed = 20261117;
    double sum[N] = {0}, squares[N] = {0}, errors[N] = {0};
    int hits[N] = {0};
    for (int k = 0; k < FITS; k++) {
        hol_context *ctx = hol_context_new();
        hol__arena arena;
        hol__arena_init(&arena, ctx);
        decay d = exact();
        hol__fit found;
        hol__fit_statistics s;
        for (int i = 0; i < M; i++) d.data[i] += 0.03 * random_normal(&seed);
        fit(ctx, &d, truth, low, high, &arena, &found);
        assert_int_equal(hol__fit_statistics_of(M, N, found.r, found.J, &arena, &s), HOL_OK);
        assert_int_equal(s.rank, N);
        for (int j = 0; j < N; j++) {
            const double off = found.p[j] - truth[j];
            sum[j] += off;
            squares[j] += off * off;
            errors[j] += s.error[j] * s.error[j];
            hits[j] += fabs(off) <= s.quantile * s.error[j];
        }
        hol__arena_free(&arena);
        hol_context_free(ctx);
    }
    for (int j = 0; j < N; j++) {
        const double spread = sqrt(squares[j] / FITS - pow(sum[j] / FITS, 2)),
                     told = sqrt(errors[j] / FITS);
        if (fabs(spread / told - 1) > 0.05 + 0.03)
            fail_msg("%s: spread %.6g, told %.6g", names[j], spread, told);
        if (abs(hits[j] - FITS * 95 / 100) > 3.5 * sqrt(FITS * 0.95 * 0.05))
            fail_msg("%s: %d of %d intervals", names[j], hits[j], FITS);
    }
}

/* y = (a + 2 b) t + c: of a and b only a + 2 b is told, with direction (2, -1) over the lengths of
 * the columns (1, 2), thus (1, -1) / sqrt 2; c has the error of the fit with one slope. */
static void test_not_told(void **state) {
    (void)state;
    double r[M], J[N * M], two[2 * M];
    uint64_t seed = 77;
    for (int i = 0; i < M; i++) {
        r[i] = random_normal(&seed);
        J[i] = two[i] = 0.1 * i;
        J[M + i] = 0.2 * i;
        J[2 * M + i] = two[M + i] = 1;
    }
    hol_context *ctx = hol_context_new();
    hol__arena arena;
    hol__arena_init(&arena, ctx);
    hol__fit_statistics s, plain;
    assert_int_equal(hol__fit_statistics_of(M, N, r, J, &arena, &s), HOL_OK);
    assert_int_equal(hol__fit_statistics_of(M, 2, r, two, &arena, &plain), HOL_OK);
    assert_int_equal(s.rank, 2);
    assert_true(hol__fit_takes_part(&s, 2, 0) && hol__fit_takes_part(&s, 2, 1));
    assert_false(hol__fit_takes_part(&s, 2, 2));
    assert_true(fabs(fabs(s.direction[2 * N]) - sqrt(0.5)) < 1e-12);
    assert_true(fabs(s.direction[2 * N] + s.direction[2 * N + 1]) < 1e-12);
    assert_true(isnan(s.error[0]) && isnan(s.error[1]));
    assert_true(fabs(s.error[2] / s.deviation - plain.error[1] / plain.deviation) < 1e-12);
    /* the line by hand: variance of c = s^2 sum t^2 / (M sum t^2 - (sum t)^2) */
    double t1 = 0, t2 = 0;
    for (int i = 0; i < M; i++) t1 += 0.1 * i, t2 += 0.01 * i * i;
    const double D = M * t2 - t1 * t1;
    assert_true(fabs(plain.error[1] / (plain.deviation * sqrt(t2 / D)) - 1) < 1e-12);
    assert_true(fabs(plain.error[0] / (plain.deviation * sqrt(M / D)) - 1) < 1e-12);
    assert_true(fabs(plain.correlation[1] + t1 / sqrt(M * t2)) < 1e-12);
    hol__arena_free(&arena);
    hol_context_free(ctx);
}

/* P(|T| <= t) for an even number of degrees of freedom [M. Abramowitz and I. A. Stegun, Handbook of
 * Mathematical Functions, 1964, 26.7.4]. */
static double within(double t, int freedom) {
    const double angle = atan(t / sqrt(freedom)), c = cos(angle) * cos(angle);
    double sum = 1, term = 1;
    for (int k = 1; k < freedom / 2; k++) sum += term *= (2. * k - 1) / (2. * k) * c;
    return sin(angle) * sum;
}

/* The closed form at the quantiles, and tan(pi share / 2) for one degree of freedom. */
static void test_student(void **state) {
    (void)state;
    static const int freedoms[] = {2, 4, 10, 38, 100, 1000};
    static const double shares[] = {0.03, 0.5, 0.683, 0.95, 0.999};
    for (int k = 0; k < 5; k++) {
        const double alone = hol__student_quantile(1, shares[k]);
        assert_true(fabs(alone / tan(1.5707963267948966 * shares[k]) - 1) < 1e-12);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(within(hol__student_quantile(freedoms[i], shares[k]), freedoms[i]) -
                             shares[k]) < 1e-12);
    }
    assert_true(fabs(hol__student_quantile(1e7, 0.95) - 1.959963984540054) < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truth),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_student),
        cmocka_unit_test(test_points_without_residuals),
        cmocka_unit_test(test_bound_without_residuals),
        cmocka_unit_test(test_standard_errors),
        cmocka_unit_test(test_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
