/* test_steady.c: the one search for steady motions, asked by statics and by small motions, in all
 * sets of coordinates: a governor whose hinge is not across the shaft, two governors of different
 * speed, a block that a turning table throws against a stop, one that a belt rubs along, against
 * closed forms. */
#include "asked.h"

static const char *const sets[] = {"reference", "relative", "natural"};

static asked ask(const char *text, const char *set, const char *settings,
                 const hol_statics_options *options) {
    asked a = asked_new();
    char own[128];
    snprintf(own, sizeof own, "simulation.coordinates=%s%s%s", set, settings ? " " : "",
             settings ? settings : "");
    assert_int_equal(hol_spec_read_text(a.spec, text, "steady.yaml"), HOL_OK);
    assert_int_equal(run_settings(a.spec, own), HOL_OK);
    a.status = hol_statics(a.ctx, a.spec, options, &a.answer);
    return a;
}

/* A cell of a table by the names of its row and column. */
static double cell(hol_answer *answer, const char *table, const char *row, const char *column) {
    const hol_table t = answer_table(answer, table);
    for (int i = 0; i < t.rows; i++)
        for (int j = 0; j < t.columns; j++)
            if (strcmp(t.row_names[i], row) == 0 && strcmp(t.column_names[j], column) == 0)
                return t.values[i * t.columns + j];
    fail_msg("no cell (%s, %s) in '%s'", row, column, table);
    return 0;
}

static void check(double found, double wanted, double tolerance, const char *what) {
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%s: %.15g, not %.15g (off by %.2g)", what, found, wanted, found - wanted);
}

/* The answer of hol_linearize about the steady motion nearest to the start. */
static asked linear(const char *text, const char *set, const char *settings) {
    asked a = asked_new();
    const hol_linearize_options how = {.size = sizeof how, .settle = 1};
    hol_options *options = NULL;
    char own[128];
    snprintf(own, sizeof own, "simulation.coordinates=%s%s%s", set, settings ? " " : "",
             settings ? settings : "");
    assert_int_equal(hol_spec_read_text(a.spec, text, "steady.yaml"), HOL_OK);
    assert_int_equal(run_settings(a.spec, own), HOL_OK);
    hol_model *model = hol_model_from_spec(a.ctx, a.spec, &options);
    assert_non_null(model);
    hol_sim *sim = hol_sim_new(a.ctx, model, options);
    assert_non_null(sim);
    a.status = hol_linearize(a.ctx, sim, a.spec, &how, &a.answer);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    return asked_well(a);
}

/* ---- frames ---- */

static const char skew[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {w: 6.3}\n"
    "bodies:\n"
    "  shaft: {mass: 1, inertia: 0.1, position: [0, 0, 0]}\n"
    "  ball: {mass: 2.3, inertia: 0.03, position: [0.15, 0, -0.3]}\n"
    "joints:\n"
    "  base: {type: revolute, bodies: [ground, shaft], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  arm: {type: revolute, bodies: [shaft, ball], at: [0, 0, 0], axis: [0.3, 1, 0.2]}\n"
    "  drive: {type: driver, joint: base, velocity: w}\n"
    "simulation: {end: 1}\n";

/* The velocities of least energy at the start have a rate in the hinge: the frame is that of the
 * driver. With a ball of three equal inertias n.(r x (w^2 r_perp - g e_z)) = 0 at z = -g/w^2,
 * whatever the axis n; both searches find it. */
static void test_skew_hinge(void **state) {
    (void)state;
    const hol_statics_options one = {.size = sizeof one, .steady = 1};
    double frequency = 0;
    for (int i = 0; i < 3; i++) {
        asked a = asked_well(ask(skew, sets[i], NULL, &one));
        check(cell(a.answer, "positions", "ball", "z"), -9.81 / (6.3 * 6.3), 1e-11, "height");
        done(&a);
        a = linear(skew, sets[i], NULL);
        check(hol_answer_value(a.answer, "turn_z"), 6.3, 1e-10, "rate of the frame");
        const double w = cell(a.answer, "eigenvalues", "mode 1", "imaginary");
        if (i) check(w, frequency, 1e-9, "frequency");
        frequency = w;
        done(&a);
    }
}

static const char two[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
    "parameters: {w1: 6, w2: -8.3, r: 0.4, x: 0.25}\n"
    "bodies:\n"
    "  s1: {mass: 1, inertia: 0.1, position: [0, 0, 0]}\n"
    "  b1: {mass: 2.3, inertia: 0.003, position: [x, 0, -sqrt(r^2 - x^2)]}\n"
    "  s2: {mass: 1, inertia: 0.1, position: [3, 0, 0]}\n"
    "  b2: {mass: 1.7, inertia: 0.003, position: [3 + x, 0, -sqrt(r^2 - x^2)]}\n"
    "joints:\n"
    "  base1: {type: revolute, bodies: [ground, s1], at: [0, 0, 0], axis: [0, 0, 1]}\n"
    "  arm1: {type: revolute, bodies: [s1, b1], at: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  drive1: {type: driver, joint: base1, velocity: w1}\n"
    "  base2: {type: revolute, bodies: [ground, s2], at: [3, 0, 0], axis: [0, 0, 1]}\n"
    "  arm2: {type: revolute, bodies: [s2, b2], at: [3, 0, 0], axis: [0, 1, 0]}\n"
    "  drive2: {type: driver, joint: base2, velocity: w2}\n"
    "simulation: {end: 1}\n";

/* Each governor has a frame of its own: z = -g/w^2, and small swings with w sin(theta), less what
 * the inertia of the ball adds to m r^2. */
static void test_two_governors(void **state) {
    (void)state;
    const hol_statics_options one = {.size = sizeof one, .steady = 1};
    const double c1 = 9.81 / (0.4 * 36), c2 = 9.81 / (0.4 * 8.3 * 8.3);
    for (int i = 0; i < 3; i++) {
        asked a = asked_well(ask(two, sets[i], NULL, &one));
        check(cell(a.answer, "positions", "b1", "z"), -0.4 * c1, 1e-11, "first");
        check(cell(a.answer, "positions", "b2", "z"), -0.4 * c2, 1e-11, "second");
        done(&a);
        a = linear(two, sets[i], NULL);
        check(hol_answer_value(a.answer, "turn_z_1"), 6, 1e-10, "rate of the first");
        check(hol_answer_value(a.answer, "turn_z_2"), -8.3, 1e-10, "rate of the second");
        /* it turns about its own shaft: no velocity of the point of its frame at the origin */
        check(hol_answer_value(a.answer, "axis_x_2"), 3, 1e-9, "axis of the second");
        assert_true(isnan(hol_answer_value(a.answer, "velocity_y_2")));
        assert_true(isnan(hol_answer_value(a.answer, "along_2")));
        const double fast = cell(a.answer, "eigenvalues", "mode 1", "imaginary"),
                     slow = cell(a.answer, "eigenvalues", "mode 2", "imaginary");
        check(fmax(fast, slow), 8.3 * sqrt((1 - c2 * c2) / (1 + 0.003 / (1.7 * 0.16))), 1e-9,
              "swings of the second");
        check(fmin(fast, slow), 6 * sqrt((1 - c1 * c1) / (1 + 0.003 / (2.3 * 0.16))), 1e-9,
              "swings of the first");
        done(&a);
    }
}

/* ---- contacts ---- */

static const char table[] =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "parameters: {w: 6, k: 90, m: 1.3, r0: 0.2, top: 0.55}\n"
    "bodies:\n"
    "  table: {mass: 3, inertia: 0.4, position: [0, 0]}\n"
    "  block: {mass: m, inertia: 0.01, position: [0.3, 0]}\n"
    "joints:\n"
    "  base: {type: revolute, bodies: [ground, table], at: [0, 0]}\n"
    "  drive: {type: driver, joint: base, velocity: w}\n"
    "  slot: {type: prismatic, bodies: [table, block], at: [0.3, 0], axis: [1, 0]}\n"
    "  stop: {type: rigid_stop, joint: slot, upper: top - 0.3}\n"
    "forces:\n"
    "  spring: {type: spring, bodies: [table, block], from: [0, 0], to: [0.3, 0], stiffness: k,\n"
    "    free_length: r0}\n"
    "simulation: {end: 1}\n";

/* Free at r = k r0/(k - m w^2); at the stop it pushes with m w^2 top - k (top - r0), from the speed
 * on at which that is zero. */
static void test_stop(void **state) {
    (void)state;
    const hol_statics_options one = {.size = sizeof one, .steady = 1};
    for (int i = 0; i < 3; i++) {
        asked a = asked_well(ask(table, sets[i], "w=3.1", &one));
        check(cell(a.answer, "positions", "block", "x"), 90 * 0.2 / (90 - 1.3 * 3.1 * 3.1), 1e-11,
              "free");
        done(&a);
        a = linear(table, sets[i], "w=3.1");
        check(cell(a.answer, "eigenvalues", "mode 1", "imaginary"), sqrt(90 / 1.3 - 3.1 * 3.1),
              1e-9, "swings in the slot");
        done(&a);
        a = asked_well(ask(table, sets[i], "w=8", &one));
        check(cell(a.answer, "positions", "block", "x"), 0.55, 1e-9, "at the stop");
        check(fabs(cell(a.answer, "reactions", "stop", "fx")), 1.3 * 64 * 0.55 - 90 * 0.35, 1e-8,
              "push");
        done(&a);
        a = linear(table, sets[i], "w=8"); /* the stop holds it: nothing is left to move */
        assert_int_equal((int)hol_answer_value(a.answer, "free_velocities"), 0);
        done(&a);
    }
    const hol_statics_options curve = {
        .size = sizeof curve, .steady = 1, .vary = "w", .from = 4, .to = 8, .points = 9};
    asked a = asked_well(ask(table, "reference", NULL, &curve));
    const hol_table t = answer_table(a.answer, "points");
    assert_int_equal(t.rows, 1); /* halved 16 times within a step of 0.5 */
    check(t.values[0], sqrt(90 * 0.35 / (1.3 * 0.55)), 1e-5, "speed at which it meets the stop");
    done(&a);
}

static const char belt[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "parameters: {v: 0.4, k: 50, m: 1.3, mu: 0.3}\n"
    "bodies:\n"
    "  belt: {mass: 3, inertia: 0.4, position: [0, 0], velocity: [v, 0]}\n"
    "  block: {mass: m, inertia: 0.01, position: [0.3, 0.1]}\n"
    "joints:\n"
    "  guide: {type: prismatic, bodies: [ground, belt], at: [0, 0], axis: [1, 0]}\n"
    "  drive: {type: driver, joint: guide, velocity: v}\n"
    "  touch: {type: rigid_contact, bodies: [belt, block], friction: mu,\n"
    "    shapes: [{type: plane, at: [0, 0], normal: [0, 1]}, {type: box, size: [0.2, 0.2]}]}\n"
    "forces:\n"
    "  spring: {type: spring, bodies: [ground, block], from: [0, 0.1], to: [0.3, 0.1],\n"
    "    stiffness: k, free_length: 0.3, damping: 2}\n"
    "simulation: {end: 1}\n";

/* The belt goes on below the block, which friction holds off its free length: x - 0.3 = mu m g/k;
 * small motions are those of the spring alone. */
static void test_belt(void **state) {
    (void)state;
    const hol_statics_options one = {.size = sizeof one, .steady = 1};
    for (int i = 0; i < 3; i++) {
        asked a = asked_well(ask(belt, sets[i], NULL, &one));
        check(cell(a.answer, "positions", "block", "x"), 0.3 + 0.3 * 1.3 * 9.81 / 50, 1e-10,
              "block");
        done(&a);
        a = linear(belt, sets[i], NULL);
        check(cell(a.answer, "eigenvalues", "mode 1", "real"), -1 / 1.3, 1e-9, "damping");
        check(cell(a.answer, "eigenvalues", "mode 1", "imaginary"), sqrt(50 / 1.3 - 1 / 1.69), 1e-9,
              "frequency");
        done(&a);
    }
}

/* ---- at rest ---- */

/* Where nothing moves it is the equilibrium. What rounding leaves of the torque is all that
 * accelerates the bar there, and does not count. */
static void test_at_rest(void **state) {
    static const char bar[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
        "bodies:\n  bar: {mass: 1, inertia: 1, angle: 45 deg}\n"
        "joints:\n  O: {type: revolute, bodies: [ground, bar], at: [0, 0]}\n"
        "forces:\n  law: {type: torque, body: bar, torque: 3*cos(x)^3 - 5*x*cos(x)}\n"
        "measures:\n  x: {type: angle, body: bar}\n"
        "simulation: {end: 1}\n";
    (void)state;
    const hol_statics_options one = {.size = sizeof one, .steady = 1};
    asked a = asked_well(ask(bar, "reference", NULL, &one));
    const double x = cell(a.answer, "positions", "bar", "angle");
    check(3 * pow(cos(x), 3) - 5 * x * cos(x), 0, 1e-9, "torque");
    done(&a);
}

/* ---- what turning holds ---- */

/* A sleeping top: its stiffness is negative, and no small motion grows while it spins faster than
 * sqrt(4 I1 m g l)/I3; statics says both. */
static void test_sleeping_top(void **state) {
    static const char top[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {spin: 200}\n"
        "bodies:\n"
        "  top: {mass: 0.8, inertia: [0.0012, 0.0012, 0.0007], position: [0, 0, 0.15],\n"
        "    omega: [0, 0, spin]}\n"
        "joints:\n  tip: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}\n"
        "simulation: {end: 1}\n";
    (void)state;
    const double I1 = 0.0012 + 0.8 * 0.15 * 0.15, limit = sqrt(4 * I1 * 0.8 * 9.81 * 0.15) / 0.0007;
    const hol_statics_options near = {.size = sizeof near, .steady = 1, .search = "newton"};
    for (int i = 0; i < 2; i++) {
        char spin[32];
        snprintf(spin, sizeof spin, "spin=%.6f", limit * (i ? 0.98 : 1.02));
        asked a = asked_well(ask(top, "reference", spin, &near));
        assert_true((hol_answer_value(a.answer, "growing") > 0) == (i == 1));
        assert_true(hol_answer_value(a.answer, "least_stiffness") < 0);
        done(&a);
    }
}

/* ---- shafts and bicycles ---- */

/* Two gears on axes of their own, with a motor whose torque falls with its speed and a load whose
 * torque rises with its: w1 = T/(k1 + r^2 k2), r = z1/z2, and what is off decays with
 * (k1 + r^2 k2)/(I1 + r^2 I2). The start is far from it. */
static void test_shafts(void **state) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {w: 3.1}\n"
        "bodies:\n"
        "  first: {mass: 1.3, inertia: 0.011, position: [0, 0], omega: w}\n"
        "  second: {mass: 2.1, inertia: 0.037, position: [0.4, 0.1], omega: -17*w/43}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, first], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [ground, second], at: [0.4, 0.1]}\n"
        "  mesh: {type: gear, joints: [A, B], teeth: [17, 43]}\n"
        "forces:\n"
        "  motor: {type: torque, body: first, torque: 2.37 - 0.19*w1}\n"
        "  load: {type: torque, body: second, torque: -0.31*w2}\n"
        "measures:\n"
        "  w1: {type: angular_velocity, body: first}\n"
        "  w2: {type: angular_velocity, body: second}\n"
        "simulation: {end: 1}\n";
    const double r = 17. / 43, k = 0.19 + r * r * 0.31;
    const hol_statics_options one = {.size = sizeof one, .steady = 1};
    (void)state;
    for (int i = 0; i < 3; i++) {
        asked a = linear(text, sets[i], NULL);
        check(cell(a.answer, "eigenvalues", "mode 1", "real"), -k / (0.011 + r * r * 0.037), 1e-9,
              "decay");
        done(&a);
        a = asked_well(ask(text, sets[i], NULL, &one));
        check(cell(a.answer, "measures", "w1", "value"), 2.37 / k, 1e-9, "speed");
        done(&a);
    }
}

/* A bicycle that tips and steers goes straight on when it is steady, with its speed. The rates are
 * the roots of the published benchmark's det(M l^2 + v C1 l + g K0 + v^2 K2). */
static void test_tipping_bicycle(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        asked a = asked_new();
        const hol_linearize_options how = {.size = sizeof how, .settle = 1};
        hol_options *options = NULL;
        assert_int_equal(run_read(a.spec, "bicycle"), HOL_OK);
        assert_int_equal(run_settings(a.spec, i ? "v=5 roll_rate=-0.6" : "v=5 roll_rate=0.05"),
                         HOL_OK);
        hol_model *model = hol_model_from_spec(a.ctx, a.spec, &options);
        hol_sim *sim = hol_sim_new(a.ctx, model, options);
        a.status = hol_linearize(a.ctx, sim, a.spec, &how, &a.answer);
        a = asked_well(a);
        check(cell(a.answer, "eigenvalues", "mode 1", "real"), -0.32286642900408546, 1e-9,
              "capsize");
        check(cell(a.answer, "eigenvalues", "mode 2", "real"), -0.7753418821958445, 1e-9, "weave");
        check(cell(a.answer, "eigenvalues", "mode 2", "imaginary"), 4.464867713788227, 1e-9,
              "weave");
        check(cell(a.answer, "eigenvalues", "mode 3", "real"), -14.078389692798241, 1e-9, "caster");
        hol_sim_free(sim);
        hol_options_free(options);
        hol_model_free(model);
        done(&a);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skew_hinge), cmocka_unit_test(test_two_governors),
        cmocka_unit_test(test_stop),       cmocka_unit_test(test_belt),
        cmocka_unit_test(test_at_rest),    cmocka_unit_test(test_sleeping_top),
        cmocka_unit_test(test_shafts),     cmocka_unit_test(test_tipping_bicycle),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
