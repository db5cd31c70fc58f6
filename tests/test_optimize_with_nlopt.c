/* test_optimize_with_nlopt.c: optima of runs that are known in closed form, with and without active
 * constraints and their multipliers; the linkage that made a coupler curve; points at which a
 * mechanism cannot be assembled; the model file that is written; what is refused. */
#define _GNU_SOURCE
#include "asked.h"
#include "search_fixture.h"

/* One question: texts as on the command line, NULL where there are no more. */
typedef struct question {
    const char *vary[8], *minimize[8], *maximize[4], *subject[4], *algorithm;
    double tolerance;
    int evaluations, model;
    hol_attempt_fn *on_attempt;
    void *user;
} question;

static asked ask(const char *text, const char *name, const question *q) {
    asked a = {.ctx = hol_context_new()};
    a.spec = hol_spec_new(a.ctx);
    assert_int_equal(hol_spec_read_text(a.spec, text, name), HOL_OK);
    const hol_optimize_options how = {.size = sizeof how,
                                      .n_vary = count(q->vary),
                                      .vary = q->vary,
                                      .n_minimize = count(q->minimize),
                                      .minimize = q->minimize,
                                      .n_maximize = count(q->maximize),
                                      .maximize = q->maximize,
                                      .n_subject = count(q->subject),
                                      .subject = q->subject,
                                      .algorithm = q->algorithm,
                                      .tolerance = q->tolerance,
                                      .evaluations = q->evaluations,
                                      .model = q->model,
                                      .on_attempt = q->on_attempt,
                                      .user = q->user};
    a.status = hol_optimize(a.ctx, a.spec, &how, &a.answer);
    return a;
}

static asked find(const char *text, const question *q) {
    return asked_well(ask(text, "model.yaml", q));
}

/* The value that was found of parameter i. */
static double found(const asked *a, int i) {
    const hol_table t = answer_table(a->answer, "parameters");
    return answer_entry(&t, i, 1);
}

/* Row i of the active bounds and constraints. */
static double multiplier(const asked *a, int i) {
    const hol_table t = answer_table(a->answer, "active");
    assert_true(i < t.rows);
    return answer_entry(&t, i, 0);
}

/* ---- closed forms ---- */

/* x = x0 cos(sqrt(k/m) t): k for a given x at the end. */
static const char spring[] =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "parameters: {k: 40, m: 2.385, wanted: -0.13}\n"
    "bodies: {block: {mass: m, inertia: 1, position: [0.31, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], "
    "axis: [1, 0]}}\n"
    "forces: {spring: {type: spring, bodies: [ground, block], from: [-5, 0], "
    "to: [0.31, 0], stiffness: k, free_length: 5}}\n"
    "measures:\n  x: {type: position, body: block, component: x}\n"
    "  off: {type: expression, value: (x - wanted)^2}\n"
    "simulation: {end: 0.71, tolerance: 1e-11}\n";

static void test_spring(void **state) {
    (void)state;
    const double k = 2.385 * pow(acos(-0.13 / 0.31) / 0.71, 2);
    static const char *const algorithms[] = {"slsqp", "mma", "lbfgs", "bobyqa"};
    for (int i = 0; i < 4; i++) {
        question q = {.vary = {"k=5:60"}, .minimize = {"end off"}, .algorithm = algorithms[i]};
        q.tolerance = 1e-8;
        asked a = find(spring, &q);
        check(algorithms[i], found(&a, 0), k, i == 3 ? 1e-3 : 1e-4);
        done(&a);
    }
    /* as an equation it is met to the tolerance of the constraint */
    const question q = {.vary = {"k=5:60"}, .minimize = {"mean x"}, .subject = {"end x = -130 mm"}};
    asked a = find(spring, &q);
    check("k under an equation", found(&a, 0), k, 1e-6);
    done(&a);
}

/* A pendulum that is let go at 2 rad hangs after a quarter of its period, sqrt(L/g) K(sin(1)), K
 * by the arithmetic-geometric mean. */
static const char pendulum[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "parameters: {L: 700 mm}\npoints: {O: [0, 0], tip: [L*sin(2), -L*cos(2)]}\n"
    "bodies: {bob: {mass: 1.7, inertia: 1e-12, position: tip}}\n"
    "joints: {O: {type: revolute, bodies: [ground, bob], at: O}}\n"
    "measures:\n  tip: {type: position, body: bob}\n  length: {type: expression, value: L}\n"
    "  off: {type: expression, value: (tip.x/L)^2}\nsimulation: {end: 0.643, tolerance: 1e-11}\n";

static void test_pendulum(void **state) {
    (void)state;
    double a0 = 1, b0 = cos(1.);
    for (int i = 0; i < 8; i++) {
        const double a1 = (a0 + b0) / 2;
        b0 = sqrt(a0 * b0);
        a0 = a1;
    }
    const double K = 1.5707963267948966 / a0, L = 9.81 * pow(0.643 / K, 2);
    const question q = {.vary = {"L=0.4:1500 mm"}, .minimize = {"end off"}, .tolerance = 1e-9};
    asked a = find(pendulum, &q);
    check("L", found(&a, 0), L, 1e-5 * L);
    done(&a);
    const question exact = {
        .vary = {"L=0.4:1.5"}, .minimize = {"end length"}, .subject = {"end tip.x = 0"}};
    a = find(pendulum, &exact);
    check("L of the equation", found(&a, 0), L, 1e-8 * L);
    done(&a);
}

/* A ball is thrown with (vx, vy): the least mean kinetic energy with which it is at x = X and not
 * below y = Y at the time T. vx = X/T, vy = Y/T + g T/2; the energy changes by m X/T^2 and m Y/T^2
 * with X and Y. */
static const char ball[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {vx: 1, vy: 6, m: 0.37}\n"
    "bodies: {ball: {mass: m, inertia: 1e-3, position: [0, 0], velocity: [vx, vy]}}\n"
    "measures:\n  at: {type: position, body: ball}\n  v: {type: velocity, body: ball}\n"
    "  energy: {type: expression, value: m/2*(v.x^2 + v.y^2), unit: J}\n"
    "simulation: {end: 0.83, tolerance: 1e-11}\n";

static void test_multipliers(void **state) {
    (void)state;
    const double X = 2.417, Y = 0.731, T = 0.83, m = 0.37, g = 9.81;
    static const char *const algorithms[] = {"slsqp", "cobyla"};
    for (int i = 0; i < 2; i++) {
        const question q = {.vary = {"vx=-5:8", "vy=-1:20"},
                            .minimize = {"mean energy"},
                            .subject = {"end at.x = 2.417", "end at.y >= 73.1 cm"},
                            .algorithm = algorithms[i],
                            .tolerance = 1e-9,
                            .evaluations = 3000};
        asked a = find(ball, &q);
        const double near = i ? 1e-6 : 1e-8;
        check("vx", found(&a, 0), X / T, near);
        check("vy", found(&a, 1), Y / T + g * T / 2, near);
        check("multiplier of x", multiplier(&a, 0), m * X / (T * T), 1e-6); /* dE/dX */
        check("multiplier of y", multiplier(&a, 1), m * Y / (T * T), 1e-6);
        check("value", hol_answer_value(a.answer, "value"),
              m / 2 * (X * X / (T * T) + Y * Y / (T * T) + g * g * T * T / 12), 1e-7);
        assert_true(hol_answer_value(a.answer, "first_order") < 1e-6);
        done(&a);
    }
    /* a bound instead: vy <= 3 is met, the constraint on y is not there; dE/dvy = m (vy - g T/2) */
    const question q = {.vary = {"vx=0:5", "vy=5:20"}, .minimize = {"mean energy"}};
    asked a = find(ball, &q);
    check("vx", found(&a, 0), 0, 1e-5);
    check("vy", found(&a, 1), 5, 1e-9);
    const hol_table t = answer_table(a.answer, "active");
    check("bound", answer_entry(&t, t.rows - 1, 0), m * (5 - g * T / 2), 1e-7);
    assert_string_equal(t.row_names[t.rows - 1], "vy at its lower bound");
    done(&a);
    /* the highest point within bounds, as a maximum: vy at its upper bound */
    const question high = {.vary = {"vy=5:7"}, .maximize = {"2*max at.y"}};
    a = find(ball, &high);
    check("height", hol_answer_value(a.answer, "value"), -2 * 49 / (2 * g), 1e-8);
    done(&a);
}

/* ---- linkages ---- */

/* The example of the page: from another linkage to the one that made the curve. The splines of the
 * target are off by 3e-8 m. */
static void test_coupler(void **state) {
    (void)state;
    static const char path[] = COUPLER ".yaml";
    char *text = read_whole(path);
    question q = {.minimize = {"mean error"}, .tolerance = 1e-7, .model = 1};
    memcpy(q.vary, coupler_vary, sizeof coupler_vary);
    asked a = ask(text, path, &q);
    assert_int_equal(a.status, HOL_OK);
    for (int j = 0; j < 6; j++) check(q.vary[j], found(&a, j), coupler_truth[j], 1e-5);
    assert_true(hol_answer_value(a.answer, "value") < 1e-12);
    /* the model file has them, in mm, and its comments */
    const char *model = hol_answer_model(a.answer);
    assert_non_null(model);
    const char *line = strstr(model, "  l3: ");
    assert_non_null(line);
    check("l3 in the file", strtod(line + 6, NULL), 360, 1e-2);
    assert_non_null(strstr(line, " mm          # coupler BC"));
    hol_spec *again = hol_spec_new(a.ctx);
    assert_int_equal(hol_spec_read_text(again, model, path), HOL_OK);
    hol_spec_free(again);
    done(&a);
    free(text);
}

/* Points without times: P comes to within the rounding of the points. */
static void test_points(void **state) {
    (void)state;
    static const char path[] = COUPLER "_points.yaml";
    char *text = read_whole(path);
    question q = {.minimize = {"min d1,min d2,min d3,min d4", "min d5,min d6,min d7,min d8"}};
    memcpy(q.vary, coupler_vary, sizeof coupler_vary);
    asked a = ask(text, path, &q);
    assert_int_equal(a.status, HOL_OK);
    const hol_table t = answer_table(a.answer, "goals");
    assert_int_equal(t.rows, 8);
    for (int i = 0; i < 8; i++) check(t.row_names[i], sqrt(answer_entry(&t, i, 1)), 0, 5e-5);
    for (int j = 0; j < 6; j++) check(q.vary[j], found(&a, j), coupler_truth[j], 5e-4);
    done(&a);
    free(text);
}

/* With l3 from 0.02 on the linkage often cannot be closed: such points are counted and told. */
static void test_failed_runs(void **state) {
    (void)state;
    static const char path[] = COUPLER ".yaml";
    char *text = read_whole(path);
    const question q = {.vary = {"l3=0.02:2"},
                        .minimize = {"mean error"},
                        .algorithm = "direct,slsqp",
                        .evaluations = 40};
    asked a = ask(text, path, &q);
    assert_int_equal(a.status, HOL_OK);
    assert_true(hol_answer_value(a.answer, "failed") >= 2);
    assert_true(hol_answer_value(a.answer, "first_order") < 1e-4);
    assert_true(hol_answer_value(a.answer, "value") < hol_answer_value(a.answer, "at_start"));
    done(&a);
    free(text);
}

/* ---- repetition and interruption ---- */

static void test_repeats(void **state) {
    (void)state;
    double k[2];
    for (int i = 0; i < 2; i++) {
        const question q = {.vary = {"k=5:60"},
                            .minimize = {"end off"},
                            .algorithm = "crs2,slsqp",
                            .evaluations = 60};
        asked a = find(spring, &q);
        k[i] = found(&a, 0);
        done(&a);
    }
    assert_true(k[0] == k[1]);
    check("k", k[0], 2.385 * pow(acos(-0.13 / 0.31) / 0.71, 2), 1e-3);
}

static hol_status stop(void *user, const hol_attempt *attempt) {
    double *best = user;
    if (attempt->better) *best = attempt->value;
    assert_int_equal(attempt->n, 1);
    assert_string_equal(attempt->names[0], "k");
    return attempt->number < 5 ? HOL_OK : HOL_ERR_INTERRUPTED;
}

static void test_interrupted(void **state) {
    (void)state;
    double best = INFINITY;
    const question q = {.vary = {"k=5:60"},
                        .minimize = {"end off"},
                        .algorithm = "bobyqa",
                        .on_attempt = stop,
                        .user = &best};
    asked a = find(spring, &q);
    assert_true(hol_answer_value(a.answer, "value") == best);
    assert_true(hol_answer_value(a.answer, "evaluations") == 5);
    done(&a);
}

/* ---- mistakes ---- */

static void test_refused(void **state) {
    (void)state;
    static const struct {
        question q;
        const char *says;
    } rows[] = {
        {{.vary = {"kk=1:2"}, .minimize = {"end off"}}, "no parameter 'kk'"},
        {{.vary = {"k=1:2"}, .minimize = {"end off"}},
         "is 40 in the model, where the search begins"},
        {{.vary = {"k=50:30"}, .minimize = {"end off"}}, "must lie below"},
        {{.vary = {"k=1"}, .minimize = {"end off"}}, "write NAME=LOW:HIGH"},
        {{.vary = {"k=1:60", "k=1:60"}, .minimize = {"end off"}}, "varied twice"},
        {{.vary = {"k=1:x"}, .minimize = {"end off"}}, "x"},
        {{.minimize = {"end off"}}, "no parameter is varied"},
        {{.vary = {"k=1:60"}}, "nothing to minimize"},
        {{.vary = {"k=1:60"}, .minimize = {"end of"}}, "no measure 'of'"},
        {{.vary = {"k=1:60"}, .minimize = {"0*end off"}}, "a factor other than 0"},
        {{.vary = {"k=1:60"}, .minimize = {"end off"}, .subject = {"max x < 3"}}, "GOAL <= LIMIT"},
        {{.vary = {"k=1:60"}, .minimize = {"end off"}, .subject = {"max x <= 3 s"}},
         "m is expected"},
        {{.vary = {"k=1:60"}, .minimize = {"end off"}, .algorithm = "slqp"},
         "did you mean 'slsqp'?"},
        {{.vary = {"k=1:60"},
          .minimize = {"end off"},
          .subject = {"max x <= 3"},
          .algorithm = "lbfgs"},
         "takes no constraints; take one of slsqp"},
        {{.vary = {"k=1:60"},
          .minimize = {"end off"},
          .subject = {"end x = 0"},
          .algorithm = "mma"},
         "takes no equations as constraints; take one of slsqp, cobyla, isres, evolution"},
        {{.vary = {"k=1:"}, .minimize = {"end off"}, .algorithm = "crs2"}, "give 'k' both bounds"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        asked a = ask(spring, "model.yaml", &rows[i].q);
        assert_true(a.status == HOL_ERR_ARGUMENT || a.status == HOL_ERR_INPUT);
        assert_null(a.answer);
        if (!said(a.ctx, rows[i].says))
            fail_msg("row %zu says '%s'", i,
                     hol_message_get(a.ctx, hol_message_count(a.ctx) - 1)->text);
        done(&a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spring),      cmocka_unit_test(test_pendulum),
        cmocka_unit_test(test_multipliers), cmocka_unit_test(test_coupler),
        cmocka_unit_test(test_points),      cmocka_unit_test(test_failed_runs),
        cmocka_unit_test(test_repeats),     cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_refused),
    };
    return run_tests_of_models("optimize", tests);
}
