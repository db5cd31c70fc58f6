/* test_law_ends.c: laws of time that end or become infinite during a run: what is said, once, of
 * which element, and what is left of the run. */
#include "method_fixture.h"

#include "dyn/data.h"

/* A rod that a motor turns, on a spring whose stiffness is a law as well. */
#define ROD(law, stiffness)                                                                        \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"                                             \
    "tables: {turn: {points: [[0, 0.2], [0.4, 0.5], [0.9, 0.1], [1.5, 0.7]]}}\n"                   \
    "bodies:\n  rod: {mass: 2.3, inertia: 0.1, along: [[0, 0], [0.7, 0]]}\n"                       \
    "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"                          \
    "  drive: {type: motor, joint: A, " law "}\n"                                                  \
    "forces:\n  s: {type: spring, bodies: [ground, rod], from: [1, 1], to: [0.7, 0], "             \
    "stiffness: " stiffness "}\n"                                                                  \
    "measures:\n  M: {type: load, joint: drive, quantity: load}\nsimulation: {end: 2}\n"

/* Messages of that severity with all three words. */
static int times_said(const hol_context *ctx, hol_severity severity, const char *element,
                      const char *first, const char *second) {
    int n = 0;
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        assert_null(strstr(m->text, "HOL_"));
        n += m->severity == severity && m->element && strstr(m->element, element) &&
             strstr(m->text, first) && strstr(m->text, second);
    }
    return n;
}

/* One error with these words, or (NULL: no others) the other ones, and the state before it, where
 * the load is a number. */
static void check_either(const char *text, double from, double to, const char *element,
                         const char *first, const char *second, const char *other) {
    run r = run_text(text, NULL);
    const hol_status status = hol_sim_run(r.sim, NULL);
    const int said = times_said(r.ctx, HOL_ERROR, element, first, second);
    if (status >= 0 || hol_message_count_of(r.ctx, HOL_ERROR) != 1 ||
        !(said || (other && times_said(r.ctx, HOL_ERROR, element, other, "")))) {
        run_print_messages(r.ctx);
        fail_msg("wanted one error of %s with '%s' and '%s'", element, first, second);
    }
    const double t = hol_data_time(hol_sim_data(r.sim));
    assert_true(t > from && t < to);
    assert_true(isfinite(run_measure(&r, "M")));
    run_close(&r);
}

static void check_run(const char *text, double from, double to, const char *element,
                      const char *first, const char *second) {
    check_either(text, from, to, element, first, second, NULL);
}

static void test_runs(void **unused) {
    (void)unused;
    check_run(ROD("angle: turn(t)", "50"), 1.4, 1.5 + 1e-9, "joint 'drive'", "table 'turn'",
              "0 and 1.5");
    check_run(ROD("angle: 0.3*t", "50*turn(t)"), 1.4, 1.5 + 1e-9, "force 's'", "50*turn(t)",
              "0 and 1.5");
    check_run(ROD("angle: 1 - sqrt(1 - t)", "50"), 0.99, 1 + 1e-9, "joint 'drive'", "sqrt(1 - t)",
              "");
    /* the division, or on a slow machine the clock, which sees before that where it leads */
    check_either(ROD("speed: 1/(t - 0.5)", "50"), 0.49, 0.5 + 1e-9, "joint 'drive'", "1/(t - 0.5)",
                 "a division by 0", "grows without bound at t = 0.5,");
    /* each of its steps turns the rod as far as any, and none is refused: the clock sees it */
    check_run(ROD("speed: 1/(t - 0.53)^2", "50"), 0.5, 0.53, "joint 'drive'",
              "grows without bound at t = 0.53,", "");
}

/* Where laws grow without bound, from times and over spans of every size, whichever numbers the
 * clock of a run would take. */
static void test_where(void **unused) {
    (void)unused;
    static const struct {
        const char *law;
        int breaks;
    } rows[] = {
        {ROD("speed: 1/(t - 0.53)^2", "50"), 1},
        {ROD("speed: 1/(t - 0.53)", "50"), 1},
        {ROD("speed: 1e-9/abs(t - 0.53)", "50"), 1},
        {ROD("speed: 5/abs(t - 0.53)^1.5", "50"), 1},
        {ROD("angle: log(abs(t - 0.53))", "50"), 1},
        {ROD("angle: sqrt(0.53 - t)", "50"), 1},
        {ROD("speed: 1/sqrt(abs(t - 0.53))", "50"), 0},
        {ROD("speed: 900/sqrt(abs(t - 0.53))", "50"), 0},
        {ROD("speed: log(abs(t - 0.53))", "50"), 0},
        {ROD("angle: sqrt(abs(t - 0.53))", "50"), 0},
        {ROD("speed: 'if(t < 0.53, 1e9, -1e-3)'", "50"), 0},
        {ROD("speed: 1/((t - 0.53)^2 + 1e-16)", "50"), 0},
        {ROD("speed: 1e6*sin(1e4*t)", "50"), 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run r = run_text(rows[i].law, NULL);
        hol_data *data = (hol_data *)hol_sim_data(r.sim);
        double when = NAN;
        for (int k = 0; k < 300; k++) {
            const double away = 0.5 * exp(-0.07 * k), t0 = 0.53 - away,
                         t1 = fmin(2, t0 + away * (1 + exp(4 * sin(7.0 * k))));
            const int breaks = hol__data_driver_breaks(data, t0, t1, &when) != NULL;
            if (breaks != rows[i].breaks || (breaks && !(fabs(when - 0.53) < 1e-11)))
                fail_msg("%s from %.17g to %.17g: %d, %.17g", rows[i].law, t0, t1, breaks, when);
        }
        run_close(&r);
    }
}

/* A law that grows fast but ends nowhere is no such thing. */
static void test_steep_law(void **unused) {
    (void)unused;
    run r = run_text(ROD("angle: 'step(t, 1, 0, 1.0001, 0.5)'", "50"), NULL);
    run_to(&r, 2);
    assert_int_equal(hol_message_count_of(r.ctx, HOL_ERROR), 0);
    run_close(&r);
}

/* Tables that end before the run are known before it; what a condition leaves out is not meant. */
static void test_known_before(void **unused) {
    (void)unused;
    run r = run_text(ROD("angle: turn(t)", "50*turn(2*t)"), NULL);
    assert_int_equal(times_said(r.ctx, HOL_WARNING, "joint 'drive'", "table 'turn'", "read at 2"),
                     1);
    assert_int_equal(times_said(r.ctx, HOL_WARNING, "force 's'", "table 'turn'", "read at 4"), 1);
    run_close(&r);
    r = run_text(ROD("angle: 'turn(t/2)'", "'if(t < 1, 50*turn(t), 60)'"), NULL);
    assert_int_equal(times_said(r.ctx, HOL_WARNING, "", "table", ""), 0);
    run_close(&r);
}

static void check_kinematics(const char *text, const char *words) {
    run r = run_text(text, NULL);
    hol_sim *sim = hol_kinematics_new(r.ctx, r.model, r.options);
    hol_answer *answer = NULL;
    assert_non_null(sim);
    assert_int_equal(hol_kinematics(r.ctx, sim, NULL, &answer), HOL_ERR_SINGULAR);
    if (times_said(r.ctx, HOL_ERROR, "joint 'drive'", words, "") != 1) {
        run_print_messages(r.ctx);
        fail_msg("wanted an error with '%s'", words);
    }
    assert_int_equal(times_said(r.ctx, HOL_ERROR, "", "dead point", ""), 0);
    hol_sim_free(sim);
    run_close(&r);
}

static void test_kinematics(void **unused) {
    (void)unused;
    check_kinematics(ROD("angle: turn(t)", "50"), "table 'turn' beyond its ends, 0 and 1.5");
    check_kinematics(ROD("angle: 1 - sqrt(1 - t)", "50"), "'1 - sqrt(1 - t)'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),       cmocka_unit_test(test_where),
        cmocka_unit_test(test_steep_law),  cmocka_unit_test(test_known_before),
        cmocka_unit_test(test_kinematics),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
