/* test_stepper.c: the contract of a stepper, over every row of the list that makes steps of a given
 * length (the others: test_cvode_with_sundials.c): the orders that it claims,
 * of the solution, the estimate and the interpolant; nothing allocated after it was made; the exact
 * state saved and loaded, inside and between steps.
 */
#include "integ_fixture.h"

static fixture *open_row(int i, hol__control control, double t) {
    return open_at(hol__stepper_get(i)->name, control, t);
}

/* ---- orders */

/* The error at T0 + 1.2 after that many fixed steps. */
static double fixed_error(int i, int steps) {
    fixture *f = open_row(i, (hol__control){.step = 1.2 / steps}, T0);
    advance(f->integ, T0 + 1.2);
    const double error = error_of(f->integ);
    close_it(f);
    return error;
}

/* Halving the step divides the error by 2^p. It is halved until the observed p has settled, twice
 * in a row within 0.35 of the order that the row claims (what the next term shifts it by), which
 * must come before rounding, some 1e-14 in a hundred steps, is felt. Formulas of high order begin
 * with longer steps, so that there is an error to see, and have room for one halving. */
static void test_order(void **state) {
    (void)state;
    for (int i = 0; hol__stepper_get(i); i++) {
        const hol__stepper_type *type = hol__stepper_get(i);
        if (type->paces) continue;
        int steps = 6, settled = 0;
        while (steps > 2 && fixed_error(i, steps) < 1e-9) steps--;
        const int enough = steps < 6 ? 1 : 2;
        double coarse = fixed_error(i, steps), p = 0;
        while (settled < enough && coarse > 1e-12) {
            const double fine = fixed_error(i, steps *= 2);
            p = log2(coarse / fine);
            settled = fabs(p - type->order) < 0.35 ? settled + 1 : 0;
            coarse = fine;
        }
        print_message("%-8s %6d steps, error %.2e: order %.2f\n", type->name, steps, coarse, p);
        assert_true(settled == enough);
    }
}

/* The norm of the estimate, and the largest error of the interpolant, of one step from T0. */
static void one_step(int i, double h, double *estimate, double *between) {
    const hol__stepper_type *type = hol__stepper_get(i);
    /* a share of the tolerance is what iterations leave */
    const double tolerance = 1e-9;
    fixture *f = open_row(i, (hol__control){.step = h, .tolerance = tolerance}, T0);
    double y[N], want[N];
    assert_int_equal(hol__integrator_leap(f->integ, T0 + h), HOL_OK);
    *estimate = hol__integrator_error(f->integ) * tolerance;
    assert_int_equal(isnan(*estimate), type->error_order == 0);
    *between = 0;
    for (int k = 1; k < 20; k++) {
        const double t = T0 + h * k / 20;
        assert_int_equal(hol__integrator_dense(f->integ, t, y), HOL_OK);
        exact(t, want);
        *between = fmax(*between, distance(y, want));
    }
    close_it(f);
}

/* Over one step the estimate goes as h^(q+1), and so does the error of the interpolant, each with
 * its own q. The step is halved until they are below 10^-(q+3). */
static void test_orders_of_one_step(void **state) {
    (void)state;
    for (int i = 0; hol__stepper_get(i); i++) {
        const hol__stepper_type *type = hol__stepper_get(i);
        if (type->paces) continue;
        const int want[2] = {type->error_order, type->dense_order};
        for (int k = 0; k < 2; k++) {
            double h = 0.4, coarse[2], fine[2];
            if (!want[k]) continue;
            do one_step(i, h /= 2, &coarse[0], &coarse[1]);
            while (!(coarse[k] < pow(10, -3 - want[k])) && h > 1e-6);
            one_step(i, h / 2, &fine[0], &fine[1]);
            const double q = log2(coarse[k] / fine[k]) - 1;
            print_message("%-8s %s %.2e %.2e: order %.2f\n", type->name,
                          k ? "interpolant" : "estimate", coarse[k], fine[k], q);
            assert_true(fabs(q - want[k]) < 0.4);
        }
    }
}

/* ---- the interpolant for those who are content with the tolerance */

/* What the state at t is off the solution, and where the step starts. */
static void error_at(double t, const double *y, double *out) {
    exact(t, out);
    for (int i = 0; i < N; i++) out[i] = y[i] - out[i];
}

/* The next step, to t_end at the latest: the largest error of the rough interpolant in it beside
 * what its ends are off, in the norm of the estimate and in tolerances; *evaluations: for it. */
static double rough_step(fixture *f, double tolerance, double t_end, long *evaluations) {
    double e0[N], e1[N], e[N], y[N], scale[N], most = 0;
    const double t = hol__integrator_time(f->integ);
    error_at(t, hol__integrator_state(f->integ), e0);
    for (int i = 0; i < N; i++)
        scale[i] = tolerance * (1 + fabs(hol__integrator_state(f->integ)[i]));
    assert_int_equal(hol__integrator_step(f->integ, t_end), HOL_OK);
    const double t_new = hol__integrator_time(f->integ);
    const long before = hol__integrator_stats(f->integ).evaluations;
    error_at(t_new, hol__integrator_state(f->integ), e1);
    for (int k = 1; k < 20; k++) {
        const double s = k / 20.0, at = t + s * (t_new - t);
        assert_int_equal(hol__integrator_dense_rough(f->integ, at, y), HOL_OK);
        error_at(at, y, e);
        for (int i = 0; i < N; i++) e[i] -= (1 - s) * e0[i] + s * e1[i];
        most = fmax(most, sqrt(hol__mean_square(N, e, scale)));
    }
    *evaluations = hol__integrator_stats(f->integ).evaluations - before;
    return most;
}

/* Without extra stages it evaluates f at the end alone and has order 6. */
static void test_rough_order(void **state) {
    (void)state;
    double error[2];
    for (int k = 0; k < 2; k++) {
        const double h = 0.05 / (1 + k);
        long evaluations;
        fixture *f = open_at("dop853", (hol__control){.tolerance = 1}, T0);
        error[k] = rough_step(f, 1, T0 + h, &evaluations);
        assert_int_equal(evaluations, 1);
        assert_true(hol__integrator_time(f->integ) == T0 + h);
        close_it(f);
    }
    const double q = log2(error[0] / error[1]) - 1;
    print_message("rough    interpolant %.2e %.2e: order %.2f\n", error[0], error[1], q);
    assert_true(fabs(q - 6) < 0.4);
}

/* Over two orbits: what the rough interpolant adds to the error stays near the tolerance, three
 * times at most (the estimate is one, not a bound). Where it may be more it is the whole one, with
 * three stages, and as good as that is: some seven tolerances. Both occur; between fixed steps it
 * is always the whole one. */
static void test_rough_error(void **state) {
    (void)state;
    int all = 0, some = 0;
    for (double tolerance = 1e-4; tolerance > 1e-11; tolerance /= 100) {
        double worst = 0, whole = 0;
        long evaluations, steps = 0, without = 0;
        fixture *f = open_at("dop853", (hol__control){.tolerance = tolerance}, T0);
        while (hol__integrator_time(f->integ) < T0 + 12) {
            const double error = rough_step(f, tolerance, T0 + 12, &evaluations);
            double *const kind = evaluations == 1 ? &worst : &whole;
            *kind = fmax(*kind, error);
            assert_true(evaluations == 1 || evaluations == 4);
            without += evaluations == 1;
            steps++;
        }
        print_message(
            "tolerance %.0e: %.2f tolerances (%.2f), %ld of %ld steps without extra stages\n",
            tolerance, worst, whole, without, steps);
        assert_true(worst < 3 && whole < 10);
        all += without == steps;
        some += without > 0 && without < steps;
        close_it(f);
        f = open_at("dop853", (hol__control){.step = 0.01}, T0);
        rough_step(f, 1, T0 + 0.01, &evaluations);
        assert_int_equal(evaluations, 4);
        close_it(f);
    }
    assert_true(all > 0 && some > 0);
}

/* ---- exact state */

/* Steps up to t_end, with an interpolated state in each; everything that shows, in a row. */
static int go_on(fixture *f, double t_end, double *record, int most) {
    int n = 0;
    while (hol__integrator_time(f->integ) < t_end && n + 2 * N + 2 <= most) {
        const double from = hol__integrator_time(f->integ);
        assert_int_equal(hol__integrator_step(f->integ, t_end), HOL_OK);
        const double to = hol__integrator_time(f->integ);
        assert_int_equal(hol__integrator_dense(f->integ, from + 0.371 * (to - from), record + n),
                         HOL_OK);
        memcpy(record + n + N, hol__integrator_state(f->integ), sizeof(double) * N);
        record[n + 2 * N] = to;
        record[n + 2 * N + 1] = hol__integrator_wanted(f->integ);
        n += 2 * N + 2;
    }
    return n;
}

enum { MOST_RECORD = 40000 };

/* The run of a new integrator that has loaded the block equals the run of the one that saved it,
 * bit by bit, also in what it counted. */
static void check_continues(fixture *f, int i, hol__control control, void *block, size_t size) {
    double *a = calloc(MOST_RECORD, sizeof *a), *b = calloc(MOST_RECORD, sizeof *b);
    fixture *g = open_row(i, control, T0 + 0.777); /* another start: all must come from the block */
    memset(block, 0x5A, size);
    hol__integrator_save(f->integ, block);
    assert_int_equal(hol__integrator_step(g->integ, 1e9), HOL_OK);
    assert_int_equal(hol__integrator_load(g->integ, block, size), HOL_OK);
    const int n = go_on(f, T0 + 2.3, a, MOST_RECORD), m = go_on(g, T0 + 2.3, b, MOST_RECORD);
    assert_true(n > 0);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, sizeof *a * (size_t)n);
    const hol__integ_stats p = hol__integrator_stats(f->integ), q = hol__integrator_stats(g->integ);
    assert_true(p.steps == q.steps && p.rejected == q.rejected && p.evaluations == q.evaluations &&
                p.failures == q.failures && p.last_step == q.last_step);
    close_it(g);
    free(a);
    free(b);
}

/* How the integrator is brought to a state worth saving. */
static void reach(hol__integrator *integ, int how, double *y) {
    const double t = T0 + 0.613;
    advance(integ, t);
    hol__integrator_step(integ, 1e9);
    if (how == 1) hol__integrator_commit(integ);
    if (how == 2) hol__integrator_dense(integ, 0.5 * (t + hol__integrator_time(integ)), y);
    if (how == 3) hol__integrator_retake(integ, 0.4 * t + 0.6 * hol__integrator_time(integ));
    if (how == 4) hol__integrator_undo(integ);
}

/* Saved with the step open, committed, interpolated, retaken, undone; fixed and chosen steps. */
static void test_save_and_load(void **state) {
    (void)state;
    for (int i = 0; hol__stepper_get(i); i++)
        for (int k = 0; k < 10; k++) {
            const int fixed = k >= 5;
            const hol__control control = {.step = fixed ? 0.0217 : 0, .tolerance = 1e-6};
            double y[N];
            if (hol__stepper_get(i)->paces) continue;
            if (!fixed && !hol__stepper_get(i)->error_order) continue;
            fixture *f = open_row(i, control, T0);
            reach(f->integ, k % 5, y);
            const size_t size = hol__integrator_size(f->integ);
            void *block = malloc(size);
            check_continues(f, i, control, block, size);
            free(block);
            close_it(f);
        }
}

/* An open step that was loaded is still open: interpolated and retaken as where it was saved. */
static void test_load_open_step(void **state) {
    (void)state;
    for (int i = 0; hol__stepper_get(i); i++)
        for (int how = 0; how < 4; how += how == 0 ? 2 : 1) {
            const hol__control control = {.step = 0.0217};
            if (hol__stepper_get(i)->paces) continue;
            fixture *f = open_row(i, control, T0), *g = open_row(i, control, T0);
            double y[N], a[N], b[N];
            reach(f->integ, how, y);
            void *block = malloc(hol__integrator_size(f->integ));
            hol__integrator_save(f->integ, block);
            hol__integrator_load(g->integ, block, hol__integrator_size(f->integ));
            free(block);
            const double from = hol__integrator_old_time(f->integ),
                         t = 0.7 * from + 0.3 * hol__integrator_time(f->integ);
            assert_true(hol__integrator_old_time(g->integ) == from);
            assert_int_equal(hol__integrator_dense(f->integ, t, a), HOL_OK);
            assert_int_equal(hol__integrator_dense(g->integ, t, b), HOL_OK);
            assert_memory_equal(a, b, sizeof a);
            assert_int_equal(hol__integrator_retake(f->integ, t), HOL_OK);
            assert_int_equal(hol__integrator_retake(g->integ, t), HOL_OK);
            assert_memory_equal(hol__integrator_state(f->integ), hol__integrator_state(g->integ),
                                sizeof a);
            close_it(f);
            close_it(g);
        }
}

/* A block of another formula, of other steps or of another size is refused, and nothing changes. */
static void test_load_refuses(void **state) {
    (void)state;
    for (int i = 0; hol__stepper_get(i); i++) {
        const hol__control control = {.step = 0.0217, .tolerance = 1e-6};
        if (hol__stepper_get(i)->paces) continue;
        fixture *f = open_row(i, control, T0);
        const size_t size = hol__integrator_size(f->integ);
        unsigned char *block = malloc(size);
        hol__integrator_save(f->integ, block);
        advance(f->integ, T0 + 0.5);
        assert_int_equal(hol__integrator_load(f->integ, block, size - 8), HOL_ERR_ARGUMENT);
        block[1] ^= 1;
        assert_int_equal(hol__integrator_load(f->integ, block, size), HOL_ERR_ARGUMENT);
        assert_true(hol__integrator_time(f->integ) == T0 + 0.5);
        assert_int_equal(hol_message_count(f->ctx), 2);
        block[1] ^= 1;
        assert_int_equal(hol__integrator_load(f->integ, block, size), HOL_OK);
        assert_true(hol__integrator_time(f->integ) == T0);
        if (hol__stepper_get(i)->error_order) {
            fixture *g = open_row(i, (hol__control){.tolerance = 1e-6}, T0);
            assert_int_equal(hol__integrator_load(g->integ, block, size), HOL_ERR_ARGUMENT);
            close_it(g);
        }
        free(block);
        close_it(f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),         cmocka_unit_test(test_orders_of_one_step),
        cmocka_unit_test(test_save_and_load), cmocka_unit_test(test_load_open_step),
        cmocka_unit_test(test_load_refuses),  cmocka_unit_test(test_rough_order),
        cmocka_unit_test(test_rough_error),
    };
    return cmocka_run_group_tests_name("stepper", tests, NULL, NULL);
}
