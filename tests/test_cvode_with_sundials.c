/* test_cvode_with_sundials.c: the contract of formulas with a history of steps: errors follow the
 * tolerance, the interpolant is as good as the steps and continuous, steps land, are cut, undone
 * and leapt as those of all formulas, the base of increments moves only when it has to, failures of
 * f are overcome or reported, and a state that was loaded goes on from a fresh start.
 */
#include "integ_fixture.h"

static const char *const names[] = {"adams", "bdf", "ida"};
enum { NAMES = 3 };

/* ---- accuracy */

/* The error over [T0, T0 + 6], nearly an orbit, and the counts. */
static double run_to_end(const char *name, double tolerance, hol__integ_stats *stats) {
    fixture *f = open_at(name, (hol__control){.tolerance = tolerance}, T0);
    advance(f->integ, T0 + 6);
    const double error = error_of(f->integ);
    *stats = hol__integrator_stats(f->integ);
    close_it(f);
    return error;
}

/* Each step is off by one tolerance of 1 + |y| <= 4 at most, and the orbit (which shears, an error
 * a of the energy becomes some 3 a t) makes of it no more than 30 times as much; six powers of ten
 * of the tolerance are five of the error at least. High orders show in the number of steps: a
 * thousandth of the tolerance costs Adams at most twice and BDF, of order 5, 4 times as many. */
static void test_tolerance(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        double error[4];
        hol__integ_stats stats[4];
        for (int k = 0; k < 4; k++) {
            const double tolerance = pow(10, -4 - 2 * k);
            error[k] = run_to_end(names[i], tolerance, &stats[k]);
            print_message("%-5s %.0e: error %.2e, %ld steps, %ld rejected, %ld evaluations\n",
                          names[i], tolerance, error[k], stats[k].steps, stats[k].rejected,
                          stats[k].evaluations);
            assert_true(error[k] < 4 * 30 * tolerance * (double)stats[k].steps);
            assert_true(stats[k].evaluations < 4 * stats[k].steps + 20);
        }
        assert_true(error[3] < 1e-5 * error[0]);
        assert_true(stats[3].steps < (i ? 4 : 2) * 1.3 * (double)stats[1].steps);
    }
}

/* Inside every step the interpolant is off by no more than the solution has become, times 10, and
 * it is the state itself at both ends. */
static void test_dense(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        fixture *f = open_at(names[i], (hol__control){.tolerance = 1e-8}, T0);
        double worst = 0, ends = 0;
        while (hol__integrator_time(f->integ) < T0 + 4) {
            double y[N], want[N], last[N];
            memcpy(last, hol__integrator_state(f->integ), sizeof last);
            assert_int_equal(hol__integrator_step(f->integ, T0 + 4), HOL_OK);
            const double from = hol__integrator_old_time(f->integ),
                         to = hol__integrator_time(f->integ);
            for (int k = 1; k < 6; k++) {
                const double t = from + (to - from) * k / 6;
                assert_int_equal(hol__integrator_dense(f->integ, t, y), HOL_OK);
                exact(t, want);
                worst = fmax(worst, distance(y, want));
            }
            hol__integrator_dense(f->integ, from + 1e-9 * (to - from), y);
            worst = fmax(worst, distance(y, last) > 1e-7 ? 1 : 0);
            ends = fmax(ends, error_of(f->integ));
        }
        print_message("%s: error of steps %.2e, inside %.2e\n", names[i], ends, worst);
        assert_true(worst < 10 * ends + 1e-8);
        close_it(f);
    }
}

/* ---- steps as asked for */

/* Steps end at the wanted time exactly; a history is not given up for that: landing 40 times costs
 * at most 6 steps each more. */
static void test_landing(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        hol__integ_stats free_run;
        run_to_end(names[i], 1e-7, &free_run);
        fixture *f = open_at(names[i], (hol__control){.tolerance = 1e-7}, T0);
        for (int k = 1; k <= 40; k++) {
            advance(f->integ, T0 + 6 * k / 40.0);
            assert_true(hol__integrator_time(f->integ) == T0 + 6 * k / 40.0);
        }
        const double error = error_of(f->integ);
        const hol__integ_stats stats = hol__integrator_stats(f->integ);
        print_message("%s: %ld steps freely, %ld with 40 landings, error %.1e\n", names[i],
                      free_run.steps, stats.steps, error);
        assert_true(error < 4 * 30 * 1e-7 * (double)stats.steps);
        assert_true(stats.steps < free_run.steps + 6 * 40);
        close_it(f);
    }
}

/* A retake ends inside the step with the state of the interpolant, the next step goes on from
 * there; undoing goes back to the bits of the start. */
static void test_retake_and_undo(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        fixture *f = open_at(names[i], (hol__control){.tolerance = 1e-8}, T0);
        double before[N], y[N];
        advance(f->integ, T0 + 1);
        hol__integrator_commit(f->integ);
        memcpy(before, hol__integrator_state(f->integ), sizeof before);
        assert_int_equal(hol__integrator_step(f->integ, 100), HOL_OK);
        const double t = 0.6 * (T0 + 1) + 0.4 * hol__integrator_time(f->integ);
        hol__integrator_dense(f->integ, t, y);
        assert_int_equal(hol__integrator_retake(f->integ, t), HOL_OK);
        assert_true(hol__integrator_time(f->integ) == t);
        assert_true(distance(y, hol__integrator_state(f->integ)) < 1e-15);
        hol__integrator_dense(f->integ, 0.5 * (T0 + 1 + t), y);
        double want[N];
        exact(0.5 * (T0 + 1 + t), want);
        assert_true(distance(y, want) < 1e-5);
        hol__integrator_undo(f->integ);
        assert_true(hol__integrator_time(f->integ) == T0 + 1);
        assert_memory_equal(before, hol__integrator_state(f->integ), sizeof before);
        advance(f->integ, T0 + 3);
        assert_true(error_of(f->integ) < 1e-5);
        close_it(f);
    }
}

/* A leap is one step of the formula that makes leaps, with its estimate; the history begins anew
 * behind it. */
static void test_leap(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        fixture *f = open_at(names[i], (hol__control){.tolerance = 1e-6}, T0);
        const char *leaper = hol__stepper_find(names[i])->leaper->name;
        fixture *g = open_at(leaper, (hol__control){.tolerance = 1e-6}, T0);
        assert_int_equal(hol__integrator_leap(f->integ, T0 + 0.07), HOL_OK);
        assert_int_equal(hol__integrator_leap(g->integ, T0 + 0.07), HOL_OK);
        assert_memory_equal(hol__integrator_state(f->integ), hol__integrator_state(g->integ),
                            sizeof(double) * N);
        assert_true(hol__integrator_error(f->integ) == hol__integrator_error(g->integ));
        double a[HOL__MAX_STAGES], b[HOL__MAX_STAGES];
        const int n = hol__integrator_stages(f->integ, a);
        assert_int_equal(n, hol__integrator_stages(g->integ, b));
        assert_memory_equal(a, b, sizeof *a * (size_t)n);
        advance(f->integ, T0 + 2);
        assert_true(error_of(f->integ) < 1e-4);
        close_it(f);
        close_it(g);
    }
}

/* ---- increments */

/* A pendulum of length 1 in Cartesian coordinates whose increments are relative to a base, which is
 * far where they are: every third of a turn or so. */
typedef struct swing {
    double base[2];
    int moves;
    hol__differences *differences;
} swing;

static hol_status swing_rhs(void *self, double t, const double *y, double *ydot) {
    const swing *s = self;
    const double x[2] = {s->base[0] + y[0], s->base[1] + y[1]};
    const double l = y[2] * y[2] + y[3] * y[3] - 9.81 * x[1], r = x[0] * x[0] + x[1] * x[1];
    (void)t;
    ydot[0] = y[2];
    ydot[1] = y[3];
    ydot[2] = -l * x[0] / r;
    ydot[3] = -l * x[1] / r - 9.81;
    return HOL_OK;
}

static hol_status swing_project(void *self, double t, double *y) {
    const swing *s = self;
    double x[2] = {s->base[0] + y[0], s->base[1] + y[1]};
    const double r = hypot(x[0], x[1]);
    (void)t;
    x[0] /= r;
    x[1] /= r;
    const double across = x[0] * y[2] + x[1] * y[3];
    for (int i = 0; i < 2; i++) {
        y[i] = x[i] - s->base[i];
        y[2 + i] -= across * x[i];
    }
    return HOL_OK;
}

static void swing_retract(void *self, double t, double *y) {
    swing *s = self;
    (void)t;
    for (int i = 0; i < 2; i++) s->base[i] += y[i], y[i] = 0;
    s->moves++;
}

static int swing_far(void *self, double t, const double *y) {
    (void)self, (void)t;
    return hypot(y[0], y[1]) > 0.9;
}

static hol_status swing_linearize(void *self, double t, const double *y, const double *f, double h,
                                  double *ft) {
    return hol__differences_linearize(((swing *)self)->differences, t, y, f, h, ft);
}

static hol_status swing_shift(void *self, double g) {
    return hol__differences_shift(((swing *)self)->differences, g);
}

static hol_status swing_solve(void *self, const double *r, double *x) {
    return hol__differences_solve(((swing *)self)->differences, r, x);
}

/* Length and energy of the state. */
static void swing_invariants(const swing *s, const double *y, double *length, double *energy) {
    const double x[2] = {s->base[0] + y[0], s->base[1] + y[1]};
    *length = hypot(x[0], x[1]);
    *energy = 0.5 * (y[2] * y[2] + y[3] * y[3]) + 9.81 * x[1];
}

/* Swing for 5 s: the worst length, the largest change of the energy. */
static void go_swinging(hol__integrator *integ, const swing *s, double *worst, double *change) {
    static const double y[4] = {0, 0, 0, -3.7};
    double length, energy, energy0;
    hol__integrator_start(integ, 0, y);
    swing_invariants(s, y, &length, &energy0);
    while (hol__integrator_time(integ) < 5) {
        assert_int_equal(hol__integrator_step(integ, 5), HOL_OK);
        swing_invariants(s, hol__integrator_state(integ), &length, &energy);
        *worst = fmax(*worst, fabs(length - 1));
        *change = fmax(*change, fabs(energy - energy0));
    }
}

/* On the constraints to rounding at every step, the base moved a few times and not in every step,
 * the energy kept to the tolerance times the number of steps and the force, 10. */
static void test_projection_and_base(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        hol_context *ctx = hol_context_new();
        swing s = {.base = {1, 0}};
        const hol__system plain = {.n = 4, .self = &s, .rhs = swing_rhs},
                          system = {.n = 4,
                                    .self = &s,
                                    .rhs = swing_rhs,
                                    .project = swing_project,
                                    .retract = swing_retract,
                                    .far = swing_far,
                                    .linearize = swing_linearize,
                                    .shift = swing_shift,
                                    .solve = swing_solve};
        double worst = 0, change = 0;
        s.differences = hol__differences_new(ctx, &plain);
        hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find(names[i]), &system,
                                                     &(hol__control){.tolerance = 1e-8});
        assert_non_null(integ);
        go_swinging(integ, &s, &worst, &change);
        const hol__integ_stats stats = hol__integrator_stats(integ);
        print_message("%s: %ld steps, base moved %d times, length %.1e, energy %.1e\n", names[i],
                      stats.steps, s.moves, worst, change);
        assert_true(worst < 1e-15);
        assert_true(change < 1e-8 * 10 * (double)stats.steps);
        assert_in_range(s.moves, 4, stats.steps / 8);
        hol__integrator_free(integ);
        hol__differences_free(s.differences);
        hol_context_free(ctx);
    }
}

/* ---- failures */

/* f that fails a few times, or gives NaN, is tried again with shorter steps; f that keeps failing
 * ends in a message that names the formula and the time, with the state of the last step. */
static void test_failures(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++)
        for (int k = 0; k < 4; k++) {
            fixture *f = open_at(names[i], (hol__control){.tolerance = 1e-7}, T0);
            f->probe.bad_after = T0 + 1;
            f->probe.bad = k % 2 ? HOL_OK : HOL_NOT_CONVERGED;
            f->probe.bad_times = k < 2 ? 3 : 1000000;
            hol_status status = HOL_OK;
            while (!status && hol__integrator_time(f->integ) < T0 + 2)
                status = hol__integrator_step(f->integ, T0 + 2);
            assert_int_equal(status, k < 2 ? HOL_OK : HOL_ERR_TOLERANCE);
            assert_int_equal(hol_message_count(f->ctx), k < 2 ? 0 : 1);
            if (k < 2)
                assert_true(error_of(f->integ) < 1e-4);
            else {
                const char *text = hol_message_get(f->ctx, 0)->text;
                assert_non_null(strstr(text, names[i]));
                assert_non_null(strstr(text, "no step from t = 1.3"));
                assert_non_null(strstr(text, i < 2 ? "CVODE: " : "IDA: "));
                assert_true(hol__integrator_time(f->integ) <= T0 + 1 + 1e-6);
                assert_true(hol__integrator_time(f->integ) > T0 + 0.9);
            }
            close_it(f);
        }
}

/* A status < 0 of f comes back as it is. */
static void test_fatal(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        fixture *f = open_at(names[i], (hol__control){.tolerance = 1e-7}, T0);
        hol_status status = HOL_OK;
        f->probe.bad_after = T0 + 1;
        f->probe.bad = HOL_ERR_SINGULAR;
        f->probe.bad_times = 1;
        while (!status && hol__integrator_time(f->integ) < T0 + 2)
            status = hol__integrator_step(f->integ, T0 + 2);
        assert_int_equal(status, HOL_ERR_SINGULAR);
        close_it(f);
    }
}

/* Fixed steps are refused; the longest and the first step are kept to. */
static void test_control(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        fixture *f = open_at(
            names[i], (hol__control){.tolerance = 1e-4, .max_step = 0.02, .first = 1e-5}, T0);
        double longest = 0;
        hol__integrator_step(f->integ, T0 + 1);
        assert_true(fabs(hol__integrator_time(f->integ) - T0 - 1e-5) < 1e-15);
        while (hol__integrator_time(f->integ) < T0 + 1) {
            const double from = hol__integrator_time(f->integ);
            hol__integrator_step(f->integ, T0 + 1);
            longest = fmax(longest, hol__integrator_time(f->integ) - from);
        }
        assert_true(longest < 0.02 * (1 + 1e-12) && longest > 0.019);
        assert_null(hol__integrator_new(f->ctx, hol__stepper_find(names[i]), &f->system,
                                        &(hol__control){.step = 0.1, .tolerance = 1e-6}));
        assert_non_null(strstr(hol_message_get(f->ctx, 0)->text, "its own steps"));
        close_it(f);
    }
}

/* ---- a saved state */

/* Loaded, it goes on within the tolerance and says that it does not go on with the same bits; an
 * open step can be interpolated. */
static void test_load(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        const hol__control control = {.tolerance = 1e-8};
        fixture *f = open_at(names[i], control, T0), *g = open_at(names[i], control, T0 + 0.3);
        advance(f->integ, T0 + 1);
        hol__integrator_step(f->integ, 100);
        const size_t size = hol__integrator_size(f->integ);
        void *block = malloc(size);
        hol__integrator_save(f->integ, block);
        assert_int_equal(hol__integrator_load(g->integ, block, size), HOL_OK);
        assert_non_null(strstr(hol_message_get(g->ctx, 0)->text, "begins anew"));
        free(block);
        const double from = hol__integrator_old_time(g->integ), to = hol__integrator_time(g->integ);
        assert_true(to == hol__integrator_time(f->integ) && from == T0 + 1);
        assert_memory_equal(hol__integrator_state(f->integ), hol__integrator_state(g->integ),
                            sizeof(double) * N);
        double y[N], want[N];
        assert_int_equal(hol__integrator_dense(g->integ, 0.3 * from + 0.7 * to, y), HOL_OK);
        exact(0.3 * from + 0.7 * to, want);
        assert_true(distance(y, want) < 1e-5);
        advance(g->integ, T0 + 2);
        assert_true(error_of(g->integ) < 1e-5);
        close_it(f);
        close_it(g);
    }
}

/* The same run twice gives the same bits. */
static void test_same_bits(void **unused) {
    (void)unused;
    for (int i = 0; i < NAMES; i++) {
        fixture *f = open_at(names[i], (hol__control){.tolerance = 1e-6}, T0),
                *g = open_at(names[i], (hol__control){.tolerance = 1e-6}, T0);
        advance(f->integ, T0 + 2);
        advance(g->integ, T0 + 2);
        assert_memory_equal(hol__integrator_state(f->integ), hol__integrator_state(g->integ),
                            sizeof(double) * N);
        close_it(f);
        close_it(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerance), cmocka_unit_test(test_dense),
        cmocka_unit_test(test_landing),   cmocka_unit_test(test_retake_and_undo),
        cmocka_unit_test(test_leap),      cmocka_unit_test(test_projection_and_base),
        cmocka_unit_test(test_failures),  cmocka_unit_test(test_fatal),
        cmocka_unit_test(test_control),   cmocka_unit_test(test_load),
        cmocka_unit_test(test_same_bits),
    };
    return cmocka_run_group_tests_name("cvode", tests, NULL, NULL);
}
