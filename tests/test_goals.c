/* test_goals.c: numbers of a run against closed forms, and their text. */
#define _POSIX_C_SOURCE 200809L
#include "model_fixture.h"
#include "oscillator.h"

#include "analysis/goals.h"

static const char oscillator[] =
    OSCILLATOR("  late: {type: expression, value: 'if(t > 0.5, x, 0)'}\n"
               "  pressed: {type: expression, value: 'max(-x, 0)'}\n");

static hol_spec *read_text(hol_context *ctx, const char *text) {
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "goals.yaml"), HOL_OK);
    return spec;
}

/* Evaluate the goals of a text. */
static hol_status evaluate(hol_context *ctx, const hol_spec *spec, const char *text, int n_p,
                           const char *const *names, const double *p, double *values) {
    hol__arena arena;
    hol_goal *list;
    int n;
    hol__goals *goals = NULL;
    double given[16];
    hol__arena_init(&arena, ctx);
    hol_status status = hol__goals_read(ctx, text, &arena, &n, &list);
    if (!status) status = hol__goals_new(ctx, spec, NULL, n_p, names, n, list, &goals);
    if (!status) {
        hol__goals_given(goals, given);
        status = hol__goals_evaluate(goals, p ? p : given, HOL__BY_CHEAPER, values, NULL);
        if (status && !*hol__goals_reason(goals)) fail_msg("no reason is given");
    }
    hol__goals_free(goals);
    hol__arena_free(&arena);
    return status;
}

static void test_closed_forms(void **unused) {
    (void)unused;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = read_text(ctx, oscillator);
    const char *const names[] = {"m", "T"};
    const double sets[2][2] = {{2.385, 1.7}, {1.91, 1.3}};
    for (int s = 0; s < 2; s++) {
        double value[7];
        const double m = sets[s][0], T = sets[s][1], w = sqrt(71.3 / m), a = 0.137, b = 0.61 / w,
                     r = hypot(a, b), c = cos(w * T), z = sin(w * T);
        assert_int_equal(evaluate(ctx, spec,
                                  "end x, at 0.5 x, integral x, mean x, mean-square x,max x,min x",
                                  2, names, sets[s], value),
                         HOL_OK);
        const double integral = (a * z + b * (1 - c)) / w,
                     square = 0.5 * (a * a + b * b) * T +
                              0.25 * (a * a - b * b) * sin(2 * w * T) / w + a * b * z * z / w;
        const double want[7] = {a * c + b * z,
                                a * cos(w * 0.5) + b * sin(w * 0.5),
                                integral,
                                integral / T,
                                square / T,
                                r,
                                -r};
        for (int i = 0; i < 7; i++)
            if (!(fabs(value[i] - want[i]) <= 1e-9)) /* a thousand times the tolerance */
                fail_msg("goal %d is %.15g and not %.15g", i, value[i], want[i]);
    }
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Extremes at a start, an end and a change are found where they are. */
static void test_edges(void **unused) {
    (void)unused;
    hol_context *ctx = hol_context_new();
    hol_spec *spec =
        read_text(ctx, "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                       "bodies:\n  ball: {mass: 1, inertia: 1, position: [0, 1.3]}\n"
                       "forces:\n  push: {type: force, body: ball, at: [0, 1.3], "
                       "force: ['if(t < 0.3, 0, 1)', 0]}\n"
                       "measures:\n  h: {type: position, body: ball}\n"
                       "  jump: {type: expression, value: 'if(t < 0.3, h.y, h.y - 2)'}\n"
                       "simulation: {end: 0.4, tolerance: 1e-11}\n");
    double value[4];
    assert_int_equal(
        evaluate(ctx, spec, "max h.y, min h.y, min jump, integral jump", 0, NULL, NULL, value),
        HOL_OK);
    const double low = 1.3 - 0.5 * 9.81 * 0.16, whole = 1.3 * 0.4 - 9.81 * 0.064 / 6 - 2 * 0.1;
    assert_true(fabs(value[0] - 1.3) < 1e-12 && fabs(value[1] - low) < 1e-9);
    assert_true(fabs(value[2] - low + 2) < 1e-9 && fabs(value[3] - whole) < 1e-9);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void refuse(const char *goals, const char *parameter, const char *words) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = read_text(ctx, oscillator);
    double value[8];
    const char *const names[] = {parameter};
    if (!evaluate(ctx, spec, goals, 1, names, NULL, value)) fail_msg("'%s' is taken", goals);
    const hol_message *last = run_last_error(ctx);
    if (!last || !strstr(last->text, words))
        fail_msg("'%s' is refused with '%s'", goals, last ? last->text : "");
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void test_refusals(void **unused) {
    (void)unused;
    refuse("end y", "m", "no measure 'y'");
    refuse("end place.xx", "m", "did you mean 'place.x'");
    refuse("at x", "m", "is not a goal");
    refuse("at 2 x", "m", "the run goes from 0 s to 1.7 s");
    refuse("sum of x", "m", "is not a goal");
    refuse("end x,,", "m", "is not a goal");
    refuse("x", "mass", "no parameter 'mass'");
}

/* The oscillator with a table whose ends are those of the run: periodic, or held beyond. */
#define TABLES                                                                                     \
    OSCILLATOR("  round: {type: expression, value: f(t)*x}\n"                                      \
               "  held: {type: expression, value: h(t)*x}\n")                                      \
    "tables:\n  f: {points: [[0, 0], [0.4, 1], [1.1, -1], [1.7, 0]], outside: periodic}\n"         \
    "  h: {points: [[0, 0], [0.4, 1], [1.1, -1], [1.7, 0]], outside: clamp}\n"

/* What is gathered of a measure with corners of its own is warned of; its end is not, and neither
 * are corners that the run does not meet: the ends of tables. */
static void test_corners(void **unused) {
    static const struct {
        const char *goal;
        int warned;
        const char *text;
    } rows[] = {{"integral late", 1, oscillator}, {"mean pressed", 1, oscillator},
                {"integral x", 0, oscillator},    {"end late", 0, oscillator},
                {"mean round", 0, TABLES},        {"mean held", 0, TABLES}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = read_text(ctx, rows[i].text);
        const char *const names[] = {"m"};
        double value;
        assert_int_equal(evaluate(ctx, spec, rows[i].goal, 1, names, NULL, &value), HOL_OK);
        const int warned = hol_message_count_of(ctx, HOL_WARNING);
        if (warned != rows[i].warned) fail_msg("'%s': %d warnings", rows[i].goal, warned);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* A run that fails is a status > 0 with a reason, and the next one may be well. */
static void test_failed_run(void **unused) {
    (void)unused;
    hol_context *ctx = hol_context_new();
    hol_spec *spec = read_text(ctx, oscillator);
    const char *const names[] = {"m"};
    const hol_goal goal = {.size = sizeof goal, .kind = "end", .measure = "place", .component = 1};
    hol__goals *goals = NULL;
    double value, bad = -1, good = 2;
    assert_int_equal(hol__goals_new(ctx, spec, NULL, 1, names, 1, &goal, &goals), HOL_OK);
    assert_true(hol__goals_evaluate(goals, &bad, HOL__BY_CHEAPER, &value, NULL) > 0);
    assert_non_null(strstr(hol__goals_reason(goals), "mass"));
    assert_int_equal(hol_message_count_of(ctx, HOL_ERROR), 0);
    hol__goals_tell(goals);
    assert_int_equal(hol_message_count_of(ctx, HOL_ERROR) > 0, 1);
    assert_int_equal(hol__goals_evaluate(goals, &good, HOL__BY_CHEAPER, &value, NULL), HOL_OK);
    assert_true(fabs(value) < 1e-12);
    hol__goals_free(goals);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Goals of a caller that are none. */
static void test_no_goals(void **unused) {
    static const struct {
        hol_goal goal;
        const char *words;
    } rows[] = {
        {{.size = sizeof(hol_goal), .kind = "ende", .measure = "place"},
         "there is no kind of goal 'ende'; take end, at, integral, mean"},
        {{.size = sizeof(hol_goal), .measure = "place", .component = 7},
         "has no component 7; it has 2, such as 'place.x'"},
        {{.size = sizeof(hol_goal), .kind = "at", .measure = "place", .time = INFINITY},
         "the time of a goal must be a finite number"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = read_text(ctx, oscillator);
        const char *const names[] = {"m"};
        hol__goals *goals = NULL;
        assert_int_equal(hol__goals_new(ctx, spec, NULL, 1, names, 1, &rows[i].goal, &goals),
                         HOL_ERR_ARGUMENT);
        const hol_message *last = run_last_error(ctx);
        if (!last || !strstr(last->text, rows[i].words)) {
            run_print_messages(ctx);
            fail_msg("wanted '%s'", rows[i].words);
        }
        hol__goals_free(goals);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms), cmocka_unit_test(test_edges),
        cmocka_unit_test(test_refusals),     cmocka_unit_test(test_corners),
        cmocka_unit_test(test_failed_run),   cmocka_unit_test(test_no_goals),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
