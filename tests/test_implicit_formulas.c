/* test_implicit_formulas.c: implicit formulas on stiff systems, and derivatives by differences.
 *
 * Stiff: y_0' = -L (y_0 - cos t) - sin t, whose solution from y_0(0) = 1 is cos t for every L
 * (Prothero and Robinson), and y_1' = y_0 y_1, y_1 = exp(sin t). An explicit formula needs steps of
 * some 3/L.
 */
#include "integ_fixture.h"

enum { SIZE = 2 };

typedef struct stiff {
    double L;
    long calls;
    hol__differences *differences;
    hol__system plain;
} stiff;

static hol_status stiff_rhs(void *self, double t, const double *y, double *ydot) {
    stiff *s = self;
    s->calls++;
    ydot[0] = -s->L * (y[0] - cos(t)) - sin(t);
    ydot[1] = y[0] * y[1];
    return HOL_OK;
}

static hol_status stiff_linearize(void *self, double t, const double *y, const double *f, double h,
                                  double *ft) {
    return hol__differences_linearize(((stiff *)self)->differences, t, y, f, h, ft);
}

static hol_status stiff_shift(void *self, double g) {
    return hol__differences_shift(((stiff *)self)->differences, g);
}

static hol_status stiff_solve(void *self, const double *r, double *x) {
    return hol__differences_solve(((stiff *)self)->differences, r, x);
}

/* The error at t = 5, and what it cost. */
typedef struct outcome {
    double error;
    hol__integ_stats stats;
    hol_status status;
} outcome;

static outcome run_stiff(const char *method, double L, double tolerance) {
    hol_context *ctx = hol_context_new();
    stiff s = {.L = L};
    s.plain = (hol__system){.n = SIZE, .self = &s, .rhs = stiff_rhs};
    s.differences = hol__differences_new(ctx, &s.plain);
    const hol__system system = {.n = SIZE,
                                .self = &s,
                                .rhs = stiff_rhs,
                                .linearize = stiff_linearize,
                                .shift = stiff_shift,
                                .solve = stiff_solve};
    const hol__control control = {.tolerance = tolerance, .max_steps = 20000};
    hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find(method), &system, &control);
    outcome out = {0};
    assert_non_null(integ);
    hol__integrator_start(integ, 0, (double[]){1, 1});
    while (!out.status && hol__integrator_time(integ) < 5)
        out.status = hol__integrator_step(integ, 5);
    const double *y = hol__integrator_state(integ);
    out.error = fmax(fabs(y[0] - cos(5)), fabs(y[1] - exp(sin(5))));
    out.stats = hol__integrator_stats(integ);
    hol__integrator_free(integ);
    hol__differences_free(s.differences);
    hol_context_free(ctx);
    return out;
}

/* The i-th implicit formula; NULL past the end. */
static const char *implicit(int i) {
    const hol__stepper_type *type;
    for (int k = 0; (type = hol__stepper_get(k)); k++)
        if (type->implicit && !type->missing && i-- == 0) return type->name;
    return NULL;
}

/* Stiffness from 1 to 1e9 takes about the same steps, and the tolerance is met: the errors of
 * single steps, 100 to 1000 of them, add up to no more than their sum, and exp(sin t) does not grow
 * by more than e^2. An explicit formula needs 5 L / 3.3 steps (stability) and gives up. */
static void test_stiff(void **state) {
    (void)state;
    for (int i = 0; implicit(i); i++) {
        if (!hol__stepper_find(implicit(i))->error_order) continue;
        long least = 1000000, most = 0;
        for (double L = 1; L < 2e9; L *= 1e3) {
            const outcome out = run_stiff(implicit(i), L, 1e-6);
            print_message("%s L = %.0e: %ld steps, %ld rejected, error %.1e\n", implicit(i), L,
                          out.stats.steps, out.stats.rejected, out.error);
            assert_int_equal(out.status, HOL_OK);
            assert_true(out.error < 1e-6 * (double)out.stats.steps * 7.4);
            least = out.stats.steps < least ? out.stats.steps : least;
            most = out.stats.steps > most ? out.stats.steps : most;
        }
        assert_true(most < 6 * least);
    }
    const outcome mild = run_stiff("dopri5", 1, 1e-6), stiffer = run_stiff("dopri5", 1e3, 1e-6);
    print_message("dopri5 L = 1: %ld steps; L = 1000: %ld steps\n", mild.stats.steps,
                  stiffer.stats.steps);
    assert_true(stiffer.stats.steps > 5e3 / 3.4); /* |R(z)| <= 1 for -3.31 <= z */
    assert_int_equal(run_stiff("dopri5", 1e6, 1e-6).status, HOL_ERR_TOLERANCE);
}

/* J and f_t of the fixture against their closed forms. Differences of width s = eps^(1/3) (1 +
 * |y|), at most 1.1e-5: s^2/6 of third derivatives up to 24/r^5 = 190, and rounding eps |f|/s; f_t:
 * (0.02 h)^4/5 of fifth derivatives up to 200 with h = 0.05, and 50 eps |f|/h. */
static void test_differences(void **state) {
    hol_context *ctx = hol_context_new();
    probe p = {0};
    const hol__system system = {.n = N, .self = &p, .rhs = rhs};
    hol__differences *d = hol__differences_new(ctx, &system);
    double y[N], f[N], ft[N];
    (void)state;
    const double t = 0.7312;
    exact(t, y);
    rhs(&p, t, y, f);
    assert_int_equal(hol__differences_linearize(d, t, y, f, 0.05, ft), HOL_OK);
    const double r = hypot(y[0], y[1]), r3 = r * r * r, r5 = r3 * r * r, q = 1 + t * t;
    const double want[N][N] = {
        {0, 0, 1, 0, 0, 0},
        {0, 0, 0, 1, 0, 0},
        {3 * y[0] * y[0] / r5 - 1 / r3, 3 * y[0] * y[1] / r5, 0, 0, 0, 0},
        {3 * y[0] * y[1] / r5, 3 * y[1] * y[1] / r5 - 1 / r3, 0, 0, 0, 0},
        {0, 0, 0, 0, cos(t) + y[5] - 1 / q, y[4]},
        {0, 0, 0, 0, 0, -4 * t * y[5]},
    };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert_true(fabs(hol__differences_entry(d, i, j) - want[i][j]) < 4e-9);
    const double want_t[N] = {0, 0, 0, 0, (-sin(t) + 2 * t / (q * q)) * y[4], -2 * y[5] * y[5]};
    for (int i = 0; i < N; i++) assert_true(fabs(ft[i] - want_t[i]) < 4e-11);
    /* solve undoes I - g J */
    const double g = 0.3719;
    double x[N], back[N];
    assert_int_equal(hol__differences_shift(d, g), HOL_OK);
    assert_int_equal(hol__differences_solve(d, f, x), HOL_OK);
    for (int i = 0; i < N; i++) {
        back[i] = x[i];
        for (int j = 0; j < N; j++) back[i] -= g * hol__differences_entry(d, i, j) * x[j];
        assert_true(fabs(back[i] - f[i]) < 1e-14 * 10);
    }
    hol__differences_free(d);
    hol_context_free(ctx);
}

/* J is asked for once a step, however often the step is tried: a rejected try costs its stages.
 * Formulas that iterate may ask again where a stage does not converge. */
static long jacobians;

static hol_status counted(void *self, double t, const double *y, const double *f, double h,
                          double *ft) {
    jacobians++;
    return linearize(self, t, y, f, h, ft);
}

static void test_one_jacobian_a_step(void **state) {
    (void)state;
    for (int i = 0; implicit(i); i++) {
        /* formulas on constrained equations have derivatives of their own (test_radau_tables) */
        if (hol__stepper_find(implicit(i))->slots) continue;
        if (hol__stepper_find(implicit(i))->paces) continue;
        fixture *f = open_at(implicit(i), (hol__control){.tolerance = 1e-6, .first = 0.8}, T0);
        f->system.linearize = counted;
        jacobians = 0;
        advance(f->integ, T0 + 2);
        const hol__integ_stats s = hol__integrator_stats(f->integ);
        assert_true(s.rejected > 0);
        const int iterates = hol__stepper_find(implicit(i))->iterates;
        assert_in_range(jacobians, s.steps, iterates ? 2 * s.steps : s.steps);
        if (iterates) {
            close_it(f);
            continue;
        }
        /* a retake and a step again after undoing use it too */
        hol__integrator_step(f->integ, 100);
        hol__integrator_retake(f->integ, 0.5 * (T0 + 2 + hol__integrator_time(f->integ)));
        hol__integrator_undo(f->integ);
        hol__integrator_step(f->integ, 100);
        assert_int_equal(jacobians, s.steps + 1);
        close_it(f);
    }
}

/* A system without derivatives is refused with a message. */
static void test_needs_derivatives(void **state) {
    (void)state;
    for (int i = 0; implicit(i); i++) {
        hol_context *ctx = hol_context_new();
        const hol__system system = {.n = N, .rhs = rhs};
        const hol__stepper_type *type = hol__stepper_find(implicit(i));
        assert_null(hol__integrator_new(
            ctx, type, &system, &(hol__control){.step = type->paces ? 0 : 0.1, .tolerance = 1e-6}));
        assert_non_null(strstr(hol_message_get(ctx, 0)->text, "derivatives"));
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_one_jacobian_a_step),
        cmocka_unit_test(test_needs_derivatives),
    };
    return cmocka_run_group_tests_name("implicit_formulas", tests, NULL, NULL);
}
