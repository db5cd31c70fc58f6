/* test_contradiction.c: constraints that are redundant and cannot hold together are an error that
 * names them, at the start and where they part during a run, in every set of coordinates and under
 * every method; redundant ones that agree stay a warning. */
#include "model_fixture.h"

static const char *const sets[] = {"reference", "natural", "relative"};
enum { N_SETS = sizeof sets / sizeof *sets };

/* Two rods with two motors in the first joint; lines 11 and 12 of the file. */
#define MOTORS(slow, fast)                                                                         \
    "holonom: 1\nname: motors\nspace: planar\ngravity: [0, -9.8]\nbodies:\n"                       \
    "  rod: {mass: 10, inertia: 0.1, position: [0.5, 0]}\n"                                        \
    "  arm: {mass: 2, inertia: 0.05, position: [1.3, 0.4], angle: 0.3}\njoints:\n"                 \
    "  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"                               \
    "  elbow: {type: revolute, bodies: [rod, arm], at: [1, 0]}\n"                                  \
    "  slow: {type: motor, joint: pivot, " slow "}\n"                                              \
    "  fast: {type: motor, joint: pivot, " fast "}\n"                                              \
    "simulation: {end: 2, output: 0.05}\n"

/* A four-bar driven at both ends. */
#define LOOP(A, D)                                                                                 \
    "holonom: 1\nspace: planar\nbodies:\n"                                                         \
    "  crank: {mass: 1, inertia: 0.3, along: [[0, 0], [1, 1.732]]}\n"                              \
    "  coupler: {mass: 2.25, inertia: 2, along: [[1, 1.732], [4.65, 3.37]]}\n"                     \
    "  follower: {mass: 2.2, inertia: 1.35, along: [[2.5, 0], [4.65, 3.37]]}\njoints:\n"           \
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"                                 \
    "  B: {type: revolute, bodies: [crank, coupler], at: [1, 1.732]}\n"                            \
    "  C: {type: revolute, bodies: [coupler, follower], at: [4.65, 3.37]}\n"                       \
    "  D: {type: revolute, bodies: [follower, ground], at: [2.5, 0]}\n"                            \
    "  a: {type: motor, joint: A, " A "}\n  d: {type: motor, joint: D, " D "}\n"                   \
    "simulation: {end: 0.5}\n"

/* In space: a body on two hinges of one axis, with a motor in each. */
#define DOOR(first, second)                                                                        \
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"                                \
    "  door: {mass: 20, inertia: [3, 2, 1.2], position: [0.4, 0, 1]}\njoints:\n"                   \
    "  low: {type: revolute, bodies: [ground, door], at: [0, 0, 0.3], axis: [0, 0, 1]}\n"          \
    "  high: {type: revolute, bodies: [ground, door], at: [0, 0, 1.7], axis: [0, 0, 1]}\n"         \
    "  first: {type: motor, joint: low, " first "}\n"                                              \
    "  second: {type: motor, joint: high, " second "}\n"                                           \
    "simulation: {end: 0.5}\n"

/* The simulation of a text, or NULL; the messages are in r->ctx. */
static run attempt(const char *text, const char *settings) {
    run r = {.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(r.ctx);
    assert_non_null(spec);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    assert_int_equal(run_settings(spec, settings), HOL_OK);
    r.model = hol_model_from_spec(r.ctx, spec, &r.options);
    assert_non_null(r.model);
    r.sim = hol_sim_new(r.ctx, r.model, r.options);
    hol_spec_free(spec);
    return r;
}

/* The first error that says so; NULL when there is none. */
static const hol_message *contradiction(const hol_context *ctx) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *message = hol_message_get(ctx, i);
        if (message->severity == HOL_ERROR && strstr(message->text, "contradicts")) return message;
    }
    return NULL;
}

/* The start of a text is refused, with all the names. */
static void refuses(const char *text, const char *settings, const char *level, const char *one,
                    const char *other) {
    run r = attempt(text, settings);
    const hol_message *message = contradiction(r.ctx);
    if (r.sim || !message) {
        run_print_messages(r.ctx);
        fail_msg("no contradiction found (%s)", settings);
    }
    assert_int_equal(message->status, HOL_ERR_ASSEMBLY);
    assert_true(message->where.line > 0);
    assert_non_null(strstr(message->text, level));
    assert_non_null(strstr(message->text, one));
    assert_non_null(strstr(message->text, other));
    assert_false(said(r.ctx, "motion is not affected"));
    run_close(&r);
}

/* The text runs to its end with a warning of redundant constraints. */
static void runs(const char *text, const char *settings) {
    run r = attempt(text, settings);
    if (!r.sim || hol_sim_run(r.sim, NULL)) {
        run_print_messages(r.ctx);
        fail_msg("constraints that agree do not run (%s)", settings);
    }
    assert_true(said(r.ctx, "redundant"));
    assert_null(contradiction(r.ctx));
    run_close(&r);
}

/* Velocities and accelerations that no motion has, in all coordinates. */
static void test_start(void **state) {
    (void)state;
    for (int k = 0; k < N_SETS; k++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[k]);
        refuses(MOTORS("speed: 6", "speed: 7"), settings, "velocities", "'slow' (driven rate 6)",
                "'fast' (driven rate 7)");
        refuses(MOTORS("angle: 6*t", "speed: 6.00001"), settings, "velocities", "'slow'", "'fast'");
        refuses(MOTORS("speed: 6", "speed: 6 + t"), settings, "accelerations", "'slow'", "'fast'");
        refuses(LOOP("speed: 1", "speed: 1"), settings, "velocities", "'a'", "'d'");
        refuses(DOOR("speed: 0.7", "speed: 0.8"), settings, "velocities", "'first'", "'second'");
    }
}

/* Laws that agree, exactly or within the tolerance. */
static void test_agreement(void **state) {
    (void)state;
    for (int k = 0; k < N_SETS; k++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[k]);
        runs(MOTORS("speed: 6", "speed: 2*3"), settings);
        runs(MOTORS("angle: 6*t", "speed: 6"), settings);
        runs(MOTORS("speed: 2*pi", "speed: 6.283185307"), settings);
        runs(DOOR("angle: sin(t)", "angle: sin(t)"), settings);
    }
    /* the same laws within a wider tolerance, and in fixed steps */
    runs(MOTORS("speed: 6", "speed: 6.00001"), "tolerance=1e-4");
    runs(MOTORS("speed: 6", "speed: 6"), "method=penalty step=1e-3");
    runs(DOOR("speed: 0.7", "speed: 0.7"), "method=lagrange integrator=rk4 step=0.01");
}

/* Whether a method refuses constraints on velocities. */
static int wants_positions(const char *method) {
    return strcmp(method, "partitioning") == 0 || strcmp(method, "independent") == 0 ||
           strcmp(method, "canonical-independent") == 0;
}

/* Laws that agree until t = 1 and part then: the run stops there, whatever the method. */
static void test_parting(void **state) {
    static const char *const speeds = MOTORS("speed: 6", "speed: '6 + max(0, t - 1)^2'");
    static const char *const angles = MOTORS("angle: 6*t", "angle: '6*t + max(0, t - 1)^3'");
    (void)state;
    const hol_method_doc *method;
    for (int i = 0; (method = hol_method_get(i)); i++)
        for (int k = 0; k < 2 * N_SETS; k++) {
            const char *set = sets[k / 2];
            char settings[96];
            if (k % 2 == 0 && wants_positions(method->name)) continue;
            if (strcmp(method->name, "velocity-transformation") == 0 && strcmp(set, "natural") != 0)
                continue;
            snprintf(settings, sizeof settings, "coordinates=%s method=%s", set, method->name);
            run r = attempt(k % 2 ? angles : speeds, settings);
            if (!r.sim) run_print_messages(r.ctx);
            assert_non_null(r.sim);
            const hol_status status = hol_sim_run(r.sim, NULL);
            const hol_message *message = contradiction(r.ctx);
            const double t = sim_info(r.sim).t;
            if (!message) run_print_messages(r.ctx);
            assert_non_null(message);
            assert_int_equal(status, HOL_ERR_TOLERANCE);
            assert_int_equal(sim_info(r.sim).end, HOL_END_FAILED);
            /* one output step later at the latest: steps end there */
            if (!(t > 0.99 && t < 1.06)) fail_msg("%s: found at t = %g", settings, t);
            assert_true(message->where.line == 11 || message->where.line == 12);
            assert_non_null(strstr(message->text, "'slow'"));
            assert_non_null(strstr(message->text, "'fast'"));
            run_close(&r);
        }
}

/* Positions that no mechanism has: both motors are named, and no joint that is closed. */
static void test_positions(void **state) {
    (void)state;
    for (int k = 0; k < N_SETS; k++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[k]);
        run r = attempt(MOTORS("angle: 0.1", "angle: 0.2"), settings);
        int named[2] = {0, 0};
        assert_null(r.sim);
        for (int i = 0; i < hol_message_count(r.ctx); i++) {
            const hol_message *message = hol_message_get(r.ctx, i);
            if (message->severity != HOL_ERROR) continue;
            assert_int_equal(message->status, HOL_ERR_ASSEMBLY);
            assert_true(message->where.line == 11 || message->where.line == 12);
            named[message->where.line - 11]++;
        }
        assert_int_equal(named[0], 1);
        assert_int_equal(named[1], 1);
        run_close(&r);
    }
}

/* A motor that takes hold against another; and a rod that is too long for its loop. */
static void test_taking_hold(void **state) {
    (void)state;
    run r = attempt(MOTORS("speed: 6", "speed: 7, active: {from: t > 1}"), "");
    assert_non_null(r.sim);
    assert_int_not_equal(hol_sim_run(r.sim, NULL), HOL_OK);
    assert_true(said(r.ctx, "contradict"));
    run_close(&r);
    r = attempt("holonom: 1\nspace: planar\nbodies:\n"
                "  a: {mass: 1, inertia: 0.1, along: [[0, 0], [1, 0]]}\njoints:\n"
                "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
                "  C: {type: driver, body: a, at: [1, 0], component: x, position: 1.3}\n",
                "");
    assert_null(r.sim);
    assert_true(said(r.ctx, "cannot be closed"));
    run_close(&r);
}

/* A car jack with 8 redundant rows, of which some vanish as a whole in relative coordinates: their
 * rounding is no contradiction. A screw of pitch p opens half the width x by p t a second (two
 * turns), and the pad stands at 2 (L^2 - x^2)^(1/2). */
static void test_rows_that_vanish(void **state) {
    static const char jack[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {L: 0.2, a: 30 deg}\n"
        "points: {l: [-L*cos(a), 0, L*sin(a)], r: [L*cos(a), 0, L*sin(a)], b: [0, 0, 0],\n"
        "  t: [0, 0, 2*L*sin(a)]}\nbodies:\n"
        "  A: {mass: 0.8, inertia: [1e-5, 3e-3, 3e-3], along: [b, l]}\n"
        "  B: {mass: 0.8, inertia: [1e-5, 3e-3, 3e-3], along: [b, r]}\n"
        "  C: {mass: 0.8, inertia: [1e-5, 3e-3, 3e-3], along: [l, t]}\n"
        "  D: {mass: 0.8, inertia: [1e-5, 3e-3, 3e-3], along: [r, t]}\n"
        "  nut: {mass: 0.3, inertia: 1e-4, position: l}\n"
        "  bearing: {mass: 0.3, inertia: 1e-4, position: r}\n"
        "  screw: {mass: 0.5, inertia: [2e-5, 6e-3, 6e-3], position: [0, 0, L*sin(a)]}\n"
        "  pad: {mass: 300, inertia: 10, position: t}\njoints:\n"
        "  b1: {type: revolute, bodies: [ground, A], at: b, axis: [0, 1, 0]}\n"
        "  b2: {type: revolute, bodies: [ground, B], at: b, axis: [0, 1, 0]}\n"
        "  l1: {type: revolute, bodies: [A, nut], at: l, axis: [0, 1, 0]}\n"
        "  l3: {type: revolute, bodies: [nut, C], at: l, axis: [0, 1, 0]}\n"
        "  r2: {type: revolute, bodies: [B, bearing], at: r, axis: [0, 1, 0]}\n"
        "  r4: {type: revolute, bodies: [bearing, D], at: r, axis: [0, 1, 0]}\n"
        "  t3: {type: revolute, bodies: [C, pad], at: t, axis: [0, 1, 0]}\n"
        "  t4: {type: revolute, bodies: [D, pad], at: t, axis: [0, 1, 0]}\n"
        "  rail: {type: prismatic, bodies: [ground, pad], at: t, axis: [0, 0, 1]}\n"
        "  thread: {type: screw, bodies: [nut, screw], at: l, axis: [1, 0, 0], pitch: -4 mm}\n"
        "  thrust: {type: revolute, bodies: [bearing, screw], at: r, axis: [1, 0, 0]}\n"
        "  crank: {type: motor, joint: thrust, speed: 120 rpm}\nmeasures:\n"
        "  lift: {type: position, body: pad, component: z}\nsimulation: {end: 5}\n";
    const double x = 0.2 * cos(acos(-1) / 6) - 0.004 * 5, lift = 2 * sqrt(0.04 - x * x);
    (void)state;
    for (int k = 0; k < N_SETS; k++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[k]);
        run r = run_text(jack, settings);
        run_whole(&r);
        check_near(settings, run_measure(&r, "lift"), lift, 1e-9);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),       cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_parting),     cmocka_unit_test(test_positions),
        cmocka_unit_test(test_taking_hold), cmocka_unit_test(test_rows_that_vanish),
    };
    return run_tests_of_models("contradiction", tests);
}
