/* test_integ_evolve.c: landing on wanted times, the grid of fixed steps, retakes, leaps, retries,
 * giving up. */
#include "integ_fixture.h"

/* ---- landing */

/* Wanted times between 1e-9 and 1 apart are met bit by bit, and the accuracy is that of a run
 * without them: the 300 tolerances of above for up to twice the span (growth linear in time, so 4
 * times); for fixed steps the error of bs32, see the orders. */
static void test_landing_is_exact(void **state) {
    static const hol__control controls[] = {{.tolerance = 1e-8}, {.step = 0.01}};
    (void)state;
    for (int c = 0; c < 2; c++)
        for (int i = 3; i < METHODS; i++) {
            fixture *f = open_at(halving[i].name, controls[c], T0);
            for (int j = 0; j < 300 && hol__integrator_time(f->integ) < 12; j++) {
                const double t = hol__integrator_time(f->integ) + pow(10, -9 * uniform());
                advance(f->integ, t);
                assert_true(hol__integrator_time(f->integ) == t);
            }
            assert_true(error_of(f->integ) < (c == 0 ? 1200 * 1e-8 : 3e-5));
            close_it(f);
        }
}

/* Steps towards a far t_stop, the last one included: none is less than half of what the controller
 * wants, which max_step makes 0.05 throughout; and where it is not bound, none is less than 0.45 of
 * the one before (a half, less what the controller itself takes off). */
static void test_no_slivers(void **state) {
    (void)state;
    for (int j = 0; j < 60; j++) {
        const double max_step = j % 2 ? 0.05 : 0, stop = T0 + 1 + uniform();
        fixture *f = open_at("dopri5", (hol__control){.tolerance = 1e-6, .max_step = max_step}, T0);
        while (hol__integrator_time(f->integ) < T0 + 0.5)
            assert_int_equal(hol__integrator_step(f->integ, stop), HOL_OK);
        while (hol__integrator_time(f->integ) < stop) {
            const double before = hol__integrator_stats(f->integ).last_step;
            assert_int_equal(hol__integrator_step(f->integ, stop), HOL_OK);
            const double step = hol__integrator_stats(f->integ).last_step;
            if (max_step > 0)
                assert_true(step > 0.0249);
            else
                assert_true(step > 0.45 * before);
        }
        close_it(f);
    }
}

/* A landing 1e-7 ahead does not shorten the step after it. */
static void test_landing_keeps_the_step(void **state) {
    (void)state;
    for (int i = 3; i < METHODS; i++) {
        fixture *f = open_at(halving[i].name, (hol__control){.tolerance = 1e-6}, T0);
        for (int j = 0; j < 8; j++)
            assert_int_equal(hol__integrator_step(f->integ, INFINITY), HOL_OK);
        const double wanted = f->integ->memory.h_next;
        advance(f->integ, hol__integrator_time(f->integ) + 1e-7);
        assert_true(hol__integrator_stats(f->integ).last_step < 1.1e-7);
        assert_int_equal(hol__integrator_step(f->integ, INFINITY), HOL_OK);
        /* one rejection, at worst, cuts it to a fifth */
        assert_true(hol__integrator_stats(f->integ).last_step > 0.19 * wanted);
        assert_true(f->integ->stats.rejected > 0 ||
                    hol__integrator_stats(f->integ).last_step > 0.999 * wanted);
        close_it(f);
    }
}

static hol_status cosine(void *self, double t, const double *y, double *ydot) {
    (void)self, (void)y;
    ydot[0] = cos(t);
    return HOL_OK;
}

/* Grid points are products, not sums: after 1e6 steps of 0.001 the time is t_start + 1e6 * 0.001 to
 * the bit (a running sum would be off by some 1e-9), and y = sin t to the rounding of 1e6
 * additions, sqrt(1e6) eps, and Heun's error h^2/12. */
static void test_grid_does_not_drift(void **state) {
    const hol__system system = {.n = 1, .rhs = cosine};
    hol_context *ctx = hol_context_new();
    hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find("heun"), &system,
                                                 &(hol__control){.step = 0.001});
    const double start = 0.1, y0 = sin(start);
    (void)state;
    hol__integrator_start(integ, start, &y0);
    for (long k = 1; k <= 1000000; k++) {
        hol__integrator_step(integ, 2000);
        if (k % 99991 == 0) assert_true(hol__integrator_time(integ) == start + (double)k * 0.001);
    }
    assert_true(hol__integrator_time(integ) == start + 1000000 * 0.001);
    assert_true(fabs(hol__integrator_state(integ)[0] - sin(hol__integrator_time(integ))) < 2e-7);
    assert_int_equal(hol__integrator_stats(integ).evaluations, 2000000);
    hol__integrator_free(integ);
    hol_context_free(ctx);
}

static void test_grid_and_stops(void **state) {
    const double h = 0.1;
    (void)state;
    fixture *f = open_at("rk4", (hol__control){.step = h}, T0);
    advance(f->integ, T0 + 0.237); /* inside the third step */
    assert_true(hol__integrator_time(f->integ) == T0 + 0.237);
    hol__integrator_step(f->integ, 100); /* back to the grid */
    assert_true(hol__integrator_time(f->integ) == T0 + 3 * h);
    const double near = T0 + 4 * h + 0.9e-10; /* within 1e-9 h: this is the grid point */
    hol__integrator_step(f->integ, near);
    assert_true(hol__integrator_time(f->integ) == near);
    hol__integrator_step(f->integ, 100);
    assert_true(hol__integrator_time(f->integ) == T0 + 5 * h);
    hol__integrator_step(f->integ, T0 + 6 * h - 0.9e-10);
    hol__integrator_step(f->integ, 100);
    assert_true(hol__integrator_time(f->integ) == T0 + 7 * h);
    assert_int_equal(hol__integrator_stats(f->integ).steps, 8);
    hol__integrator_step(f->integ,
                         T0 + 8 * h + 3e-10); /* not within: a grid point first, then the rest */
    assert_true(hol__integrator_time(f->integ) == T0 + 8 * h);
    close_it(f);
}

/* ---- retake */

/* A retaken step is the step that a fresh integrator makes from the same state to the same time,
 * bit by bit. */
static void test_retake(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        fixture *f = open_at(halving[i].name, (hol__control){.step = 0.05}, T0), *g;
        double whole[N], start[N], y[N], want[N];
        advance(f->integ, T0 + 0.15);
        memcpy(start, hol__integrator_state(f->integ), sizeof start);
        const double t = hol__integrator_time(f->integ), t_new = t + 0.0217;
        hol__integrator_step(f->integ, 100);
        const double t_whole = hol__integrator_time(f->integ);
        memcpy(whole, hol__integrator_state(f->integ), sizeof whole);
        const long steps = hol__integrator_stats(f->integ).steps;
        hol__integrator_dense(f->integ, t + 0.01, y);
        assert_int_equal(hol__integrator_retake(f->integ, t_new), HOL_OK);
        assert_true(hol__integrator_time(f->integ) == t_new &&
                    hol__integrator_old_time(f->integ) == t);

        g = open_at(halving[i].name, (hol__control){.step = 0.05}, t);
        hol__integrator_start(g->integ, t, start);
        hol__integrator_step(g->integ, t_new);
        assert_memory_equal(hol__integrator_state(f->integ), hol__integrator_state(g->integ),
                            sizeof start);
        hol__integrator_dense(f->integ, t + 0.01, y);
        hol__integrator_dense(g->integ, t + 0.01, want);
        /* the slope at the start: kept in f, evaluated anew in g, the same to the bit */
        assert_memory_equal(y, want, sizeof y);
        close_it(g);

        assert_int_equal(hol__integrator_retake(f->integ, t_whole), HOL_OK);
        assert_true(distance(hol__integrator_state(f->integ), whole) <
                    1e-14); /* h differs by a rounding of t */
        assert_int_equal(hol__integrator_retake(f->integ, t), HOL_ERR_ARGUMENT);
        assert_int_equal(hol__integrator_retake(f->integ, t_whole + 1e-9), HOL_ERR_ARGUMENT);
        assert_int_equal(hol__integrator_stats(f->integ).steps, steps);
        hol__integrator_retake(f->integ, t_new);
        hol__integrator_step(f->integ, 100);
        assert_true(hol__integrator_time(f->integ) == t_whole);
        hol__integrator_commit(f->integ);
        assert_int_equal(hol__integrator_retake(f->integ, t_whole - 0.01), HOL_ERR_ARGUMENT);
        close_it(f);
    }
}

/* A retake that fails leaves the start of the step, and the run goes on from there. */
static void test_failed_retake(void **state) {
    (void)state;
    fixture *f = open_at("dopri5", (hol__control){.tolerance = 1e-9}, T0);
    double start[N];
    advance(f->integ, T0 + 1);
    memcpy(start, hol__integrator_state(f->integ), sizeof start);
    hol__integrator_step(f->integ, 100);
    f->probe.bad_times = 1;
    f->probe.bad = HOL_SINGULAR;
    assert_int_equal(hol__integrator_retake(f->integ, T0 + 1.0001), HOL_ERR_TOLERANCE);
    assert_true(hol__integrator_time(f->integ) == T0 + 1);
    assert_memory_equal(hol__integrator_state(f->integ), start, sizeof start);
    advance(f->integ, T0 + 2);
    assert_true(error_of(f->integ) < 1e-7);
    close_it(f);
}

/* ---- leaps */

/* A leap is the step that a fresh integrator makes from the same state to the same time, bit by
 * bit; what the controller wants is as before, and the step is open: it can be interpolated,
 * retaken, undone. After the undoing the run equals one without the leap, bit by bit. */
static void test_leap_and_undo(void **state) {
    (void)state;
    for (int i = 3; i < METHODS; i++) {
        const hol__control control = {.tolerance = 1e-7};
        fixture *f = open_at(halving[i].name, control, T0),
                *g = open_at(halving[i].name, control, T0);
        double start[N], end[N], y[N], want[N];
        advance(f->integ, T0 + 1);
        advance(g->integ, T0 + 1);
        memcpy(start, hol__integrator_state(f->integ), sizeof start);
        const double wanted = hol__integrator_wanted(f->integ), t = T0 + 1 + 3.131 * wanted;
        const long steps = hol__integrator_stats(f->integ).steps;
        assert_int_equal(hol__integrator_leap(f->integ, t), HOL_OK);
        assert_true(hol__integrator_time(f->integ) == t);
        assert_true(hol__integrator_wanted(f->integ) == wanted);
        assert_true(hol__integrator_error(f->integ) > 1); /* some (3.131 x 0.9)^k */
        memcpy(end, hol__integrator_state(f->integ), sizeof end);
        fixture *fresh = open_at(halving[i].name, (hol__control){.step = 100}, T0 + 1);
        hol__integrator_start(fresh->integ, T0 + 1, start);
        assert_int_equal(hol__integrator_step(fresh->integ, t), HOL_OK);
        assert_memory_equal(end, hol__integrator_state(fresh->integ), sizeof end);
        const double inside = T0 + 1 + 0.617 * wanted;
        assert_int_equal(hol__integrator_dense(f->integ, inside, y), HOL_OK);
        assert_int_equal(hol__integrator_dense(fresh->integ, inside, want), HOL_OK);
        assert_memory_equal(y, want, sizeof y);
        assert_int_equal(hol__integrator_retake(f->integ, inside), HOL_OK);
        assert_int_equal(hol__integrator_stats(f->integ).steps, steps + 1);
        hol__integrator_undo(f->integ);
        hol__integrator_undo(f->integ);
        assert_int_equal(hol__integrator_stats(f->integ).steps, steps);
        assert_true(hol__integrator_time(f->integ) == T0 + 1);
        /* undone after an ordinary step too, with what the controller had wanted */
        assert_int_equal(hol__integrator_step(f->integ, 9), HOL_OK);
        hol__integrator_undo(f->integ);
        assert_true(hol__integrator_wanted(f->integ) == wanted);
        advance(f->integ, T0 + 3);
        advance(g->integ, T0 + 3);
        assert_memory_equal(hol__integrator_state(f->integ), hol__integrator_state(g->integ),
                            sizeof start);
        assert_int_equal(hol__integrator_stats(f->integ).steps,
                         hol__integrator_stats(g->integ).steps);
        close_it(f);
        close_it(g);
        close_it(fresh);
    }
}

/* A leap that fails says so and changes nothing; over several grid points it keeps the grid. */
static void test_leap_fails(void **state) {
    static const hol_status kinds[] = {HOL_RETRY, HOL_OK, HOL_ERR_INTERRUPTED};
    static const hol_status want[] = {HOL_RETRY, HOL_NONFINITE, HOL_ERR_INTERRUPTED};
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        fixture *f = open_at(halving[i].name, (hol__control){.step = 0.05}, T0);
        double start[N];
        for (int k = 0; k < 3; k++) {
            advance(f->integ, T0 + 0.05 * (1 + 4 * k));
            memcpy(start, hol__integrator_state(f->integ), sizeof start);
            f->probe.bad_times = 1;
            f->probe.bad = kinds[k];
            const double t = hol__integrator_time(f->integ);
            assert_int_equal(hol__integrator_leap(f->integ, t + 0.12), want[k]);
            assert_true(hol__integrator_time(f->integ) == t);
            assert_memory_equal(hol__integrator_state(f->integ), start, sizeof start);
            assert_int_equal(hol__integrator_leap(f->integ, t + 0.12), HOL_OK);
            hol__integrator_step(f->integ, 100);
            assert_true(hol__integrator_time(f->integ) == T0 + 0.05 * (4 + 4 * k));
        }
        assert_int_equal(hol_message_count(f->ctx), 0);
        assert_int_equal(hol__integrator_leap(f->integ, T0), HOL_ERR_ARGUMENT);
        assert_true(isnan(hol__integrator_error(f->integ)));
        close_it(f);
    }
}

/* The stages begin at 0 and lie in the step. */
static void test_stages(void **state) {
    (void)state;
    for (int i = 0; hol__stepper_get(i); i++) {
        double c[HOL__MAX_STAGES];
        const hol__stepper_type *type = hol__stepper_get(i);
        if (type->missing) continue;
        fixture *f =
            open_at(type->name, (hol__control){.step = type->paces ? 0 : 1, .tolerance = 1e-6}, T0);
        const int stages = hol__integrator_stages(f->integ, c);
        assert_in_range(stages, 1, HOL__MAX_STAGES);
        assert_true(c[0] == 0);
        for (int k = 0; k < stages; k++) assert_true(c[k] >= 0 && c[k] <= 1);
        close_it(f);
    }
}

/* ---- what a system is told */

typedef struct told {
    double t, longest;
    int calls;
    int changes; /* f is another function in every attempt */
    long firsts; /* evaluations at the start of the step */
    probe probe;
} told;

static int on_begin(void *self, double t, double longest) {
    told *s = self;
    /* one step keeps its start, and the longest of its tries */
    if (s->calls && t == s->t) assert_true(longest == s->longest);
    s->t = t;
    s->longest = longest;
    s->calls++;
    return s->changes;
}

static hol_status told_rhs(void *self, double t, const double *y, double *ydot) {
    told *s = self;
    s->firsts += s->calls && t == s->t;
    return rhs(&s->probe, t, y, ydot);
}

/* Before every attempt the system hears where it starts and how long its longest try was. */
static void test_begin_step(void **state) {
    told s = {.probe = {.bad_after = 1.2, .bad_times = 7, .bad = HOL_RETRY}};
    const hol__system system = {.n = N, .self = &s, .begin_step = on_begin, .rhs = told_rhs};
    hol_context *ctx = hol_context_new();
    hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find("dopri5"), &system,
                                                 &(hol__control){.tolerance = 1e-9});
    double y[N];
    (void)state;
    exact(T0, y);
    hol__integrator_start(integ, T0, y);
    int shortened = 0;
    while (hol__integrator_time(integ) < 3) {
        assert_int_equal(hol__integrator_step(integ, 3), HOL_OK);
        assert_true(s.t == hol__integrator_old_time(integ));
        const double h = hol__integrator_stats(integ).last_step;
        assert_true(s.longest >= h);
        shortened += s.longest > h;
    }
    const hol__integ_stats stats = hol__integrator_stats(integ);
    assert_int_equal(s.calls, stats.steps + stats.rejected + stats.failures);
    assert_true(shortened > 0);
    hol__integrator_free(integ);
    hol_context_free(ctx);
}

/* Where f changes with the attempt, no slope is taken over: a first-same-as-last formula evaluates
 * f at the start of every attempt, but for a slope that the caller gave. */
static void test_begin_step_changes(void **state) {
    (void)state;
    for (int changes = 0; changes < 2; changes++)
        for (int given = 0; given < 2; given++) {
            told s = {.changes = changes};
            const hol__system system = {
                .n = N, .self = &s, .begin_step = on_begin, .rhs = told_rhs};
            hol_context *ctx = hol_context_new();
            hol__integrator *integ = hol__integrator_new(ctx, hol__stepper_find("dopri5"), &system,
                                                         &(hol__control){.step = 0.05});
            double y[N], f[N];
            exact(T0, y);
            hol__integrator_start(integ, T0, y);
            rhs(&s.probe, T0, y, f);
            if (given) hol__integrator_prime(integ, f);
            for (int i = 0; i < 5; i++) assert_int_equal(hol__integrator_step(integ, 3), HOL_OK);
            assert_int_equal(s.firsts, (changes ? 5 : 1) - given);
            hol__integrator_free(integ);
            hol_context_free(ctx);
        }
}

/* ---- trouble */

/* A passing refusal (status or NaN) shortens the step, is counted, and harms nothing. */
static void test_recovers(void **state) {
    static const hol_status kinds[] = {HOL_RETRY, HOL_SINGULAR, HOL_OK};
    (void)state;
    for (int i = 3; i < METHODS; i++)
        for (int k = 0; k < 3; k++) {
            fixture *f = open_at(halving[i].name, (hol__control){.tolerance = 1e-7}, T0);
            f->probe.bad_after = 1.2;
            f->probe.bad_times = 5;
            f->probe.bad = kinds[k];
            advance(f->integ, 3);
            const hol__integ_stats s = hol__integrator_stats(f->integ);
            /* a NaN poisons the rest of its attempt, so several may fall into one */
            if (kinds[k])
                assert_int_equal(s.failures, 5);
            else
                assert_true(s.failures == 0 && s.rejected >= 1);
            assert_true(error_of(f->integ) < 1e-5);
            assert_int_equal(hol_message_count(f->ctx), 0);
            close_it(f);
        }
}

/* A lasting refusal ends the run beside the place where it begins, with the last good state and a
 * message. */
static void test_gives_up(void **state) {
    static const hol_status kinds[] = {HOL_RETRY, HOL_SINGULAR, HOL_OK};
    const char *const words[] = {hol_status_text(HOL_RETRY), hol_status_text(HOL_SINGULAR), "NaN"};
    (void)state;
    for (int i = 3; i < METHODS; i++)
        for (int k = 0; k < 3; k++) {
            fixture *f =
                open_at(halving[i].name, (hol__control){.tolerance = 1e-7, .min_step = 1e-9}, T0);
            hol_status status = HOL_OK;
            f->probe.bad_after = 1.2;
            f->probe.bad_times = 1000000;
            f->probe.bad = kinds[k];
            while (status == HOL_OK) status = hol__integrator_step(f->integ, 3);
            assert_int_equal(status, HOL_ERR_TOLERANCE);
            assert_true(hol__integrator_time(f->integ) <= 1.2 &&
                        hol__integrator_time(f->integ) > 1.2 - 1e-7);
            assert_true(error_of(f->integ) < 1e-5);
            assert_non_null(strstr(hol_message_get(f->ctx, 0)->text, "t = 1.1999999"));
            assert_non_null(strstr(hol_message_get(f->ctx, 0)->text, words[k]));
            close_it(f);
        }
}

/* Fixed steps are not shortened: a refusal ends the run, a fatal status is passed on, the state is
 * kept. */
static void test_fixed_fails(void **state) {
    static const hol_status kinds[] = {HOL_RETRY, HOL_OK, HOL_ERR_INTERRUPTED};
    static const hol_status want[] = {HOL_ERR_TOLERANCE, HOL_ERR_TOLERANCE, HOL_ERR_INTERRUPTED};
    (void)state;
    for (int i = 0; i < METHODS; i++)
        for (int k = 0; k < 3; k++) {
            fixture *f = open_at(halving[i].name, (hol__control){.step = 0.05}, T0);
            hol_status status = HOL_OK;
            f->probe.bad_after = T0 + 0.52;
            f->probe.bad_times = 1;
            f->probe.bad = kinds[k];
            while (status == HOL_OK && hol__integrator_time(f->integ) < 3)
                status = hol__integrator_step(f->integ, 3);
            assert_int_equal(status, want[k]);
            assert_true(fabs(hol__integrator_time(f->integ) - T0 - 0.5) < 0.06);
            assert_true(hol__all_finite(N, hol__integrator_state(f->integ)));
            assert_int_equal(hol_message_count(f->ctx), k == 2 ? 0 : 1);
            if (k < 2) assert_non_null(strstr(hol_message_get(f->ctx, 0)->text, "smaller"));
            advance(f->integ, T0 + 1);
            /* the accuracy of a run in which nothing happened */
            assert_true(error_of(f->integ) < (i == 0 ? 0.3 : 0.01));
            close_it(f);
        }
}

/* A fatal status inside a controlled step changes nothing: what follows equals a run without it,
 * bit by bit. */
static void test_fatal_is_clean(void **state) {
    (void)state;
    for (int i = 3; i < METHODS; i++) {
        fixture *f = open_at(halving[i].name, (hol__control){.tolerance = 1e-7}, T0);
        fixture *g = open_at(halving[i].name, (hol__control){.tolerance = 1e-7}, T0);
        hol_status status = HOL_OK;
        int stops = 0;
        f->probe.bad_after = 1.2;
        f->probe.bad_times = 3;
        f->probe.bad = HOL_ERR_INTERRUPTED;
        while (hol__integrator_time(f->integ) < 3) {
            status = hol__integrator_step(f->integ, 3);
            assert_true(status == HOL_OK || status == HOL_ERR_INTERRUPTED);
            stops += status != HOL_OK;
        }
        advance(g->integ, 3);
        assert_int_equal(stops, 3);
        assert_memory_equal(hol__integrator_state(f->integ), hol__integrator_state(g->integ),
                            sizeof(double) * N);
        close_it(f);
        close_it(g);
    }
}

static hol_status blow_up(void *self, double t, const double *y, double *ydot) {
    (void)self, (void)t;
    ydot[0] = y[0] * y[0];
    return HOL_OK;
}

/* y' = y^2 has a pole at t = 1: the run comes close and stops. */
static void test_pole(void **state) {
    const hol__system system = {.n = 1, .rhs = blow_up};
    (void)state;
    for (int i = 3; i < METHODS; i++) {
        hol_context *ctx = hol_context_new();
        hol__integrator *integ =
            hol__integrator_new(ctx, hol__stepper_find(halving[i].name), &system,
                                &(hol__control){.tolerance = 1e-6, .max_steps = 100000});
        hol_status status = HOL_OK;
        hol__integrator_start(integ, 0, (double[]){1});
        while (status == HOL_OK) status = hol__integrator_step(integ, 2);
        assert_int_equal(status, HOL_ERR_TOLERANCE);
        assert_true(fabs(hol__integrator_time(integ) - 1) < 1e-4);
        assert_null(strstr(hol_message_get(ctx, 0)->text, "max_steps"));
        hol__integrator_free(integ);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_landing_is_exact),
        cmocka_unit_test(test_no_slivers),
        cmocka_unit_test(test_landing_keeps_the_step),
        cmocka_unit_test(test_grid_does_not_drift),
        cmocka_unit_test(test_grid_and_stops),
        cmocka_unit_test(test_retake),
        cmocka_unit_test(test_failed_retake),
        cmocka_unit_test(test_leap_and_undo),
        cmocka_unit_test(test_leap_fails),
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_begin_step),
        cmocka_unit_test(test_begin_step_changes),
        cmocka_unit_test(test_recovers),
        cmocka_unit_test(test_gives_up),
        cmocka_unit_test(test_fixed_fails),
        cmocka_unit_test(test_fatal_is_clean),
        cmocka_unit_test(test_pole),
    };
    return cmocka_run_group_tests_name("integ_evolve", tests, NULL, NULL);
}
