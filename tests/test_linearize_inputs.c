/* test_linearize_inputs.c: inputs by the names of elements: drivers, joints, springs; B, D and the
 * response against the same as parameters of the model, and against closed solutions. */
#include "model_fixture.h"

static const char *const sets[] = {"coordinates=reference", "coordinates=relative",
                                   "coordinates=natural"};

/* A crane: a trolley that is driven along its rail, a load on a rod below, a spring to a wall, and
 * parameters by which the same can be said. */
static const char crane[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "parameters: {shift: 0, torque: 0, tension: 0}\nbodies:\n"
    "  trolley: {mass: 3.1, inertia: 0.2, position: [0, 0]}\n"
    "  rod: {mass: 2.3, inertia: 0.31, position: [0, -0.7]}\n"
    "joints:\n"
    "  rail: {type: prismatic, bodies: [ground, trolley], at: [0, 0], axis: [1, 0]}\n"
    "  drive: {type: motor, joint: rail, angle: 0.2*t + shift}\n"
    "  hinge: {type: revolute, bodies: [trolley, rod], at: [0, 0]}\n"
    "forces:\n"
    "  spring: {type: spring, bodies: [ground, rod], from: [1.1, -0.2], to: [0.1, -1.1], "
    "stiffness: 40, damping: 0.6, force: tension}\n"
    "  brake: {type: torsion, joint: hinge, damping: 0.4, torque: torque}\n"
    "measures:\n  x: {type: position, body: rod, at: [0, -1.4]}\n"
    "  angle: {type: joint_coordinate, joint: hinge, component: angle}\n"
    "  pull: {type: load, force: spring, quantity: tension}\n"
    "  hold: {type: reaction, joint: hinge}\n"
    "simulation: {end: 1}\n";

static hol_table table_of(const hol_answer *answer, const char *name) {
    const hol_table t = answer_table(answer, name);
    assert_non_null(t.name);
    return t;
}

/* The answer for inputs a and b, which are to be the same. */
static void compare(int set, const char *a, const char *b, double sign, const char *output) {
    const char *const inputs[] = {a, b}, *const outputs[] = {output};
    for (int settle = 0; settle <= 2; settle += 2) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx), *copy = hol_spec_new(ctx);
        hol_answer *answer = NULL;
        assert_int_equal(hol_spec_read_text(spec, crane, "crane.yaml"), HOL_OK);
        run r = run_from_spec(ctx, copy, hol_spec_read_text(copy, crane, "crane.yaml"), sets[set]);
        const hol_linearize_options how = {.size = sizeof how,
                                           .settle = settle,
                                           .n_inputs = 2,
                                           .inputs = inputs,
                                           .n_outputs = output != NULL,
                                           .outputs = outputs,
                                           .n_frequencies = 5};
        assert_int_equal(hol_sim_advance(r.sim, 0.2), HOL_OK);
        const hol_status status = hol_linearize(ctx, r.sim, spec, &how, &answer);
        if (status) run_print_messages(ctx);
        assert_int_equal(status, HOL_OK);
        static const char *const names[] = {"B", "B1", "B2", "D", "D1"};
        for (int k = 0; k < 5; k++) {
            const hol_table t = answer_table(answer, names[k]);
            double most = 0;
            for (int i = 0; i < t.rows; i++) most = fmax(most, fabs(answer_entry(&t, i, 1)));
            for (int i = 0; i < t.rows; i++)
                if (fabs(answer_entry(&t, i, 0) - sign * answer_entry(&t, i, 1)) >
                    1e-7 * fmax(1, most))
                    fail_msg("%s: %s(%d) of %s is %.12g, of %s %.12g", sets[set], names[k], i, a,
                             answer_entry(&t, i, 0), b, answer_entry(&t, i, 1));
        }
        table_of(answer, "B");
        hol_answer_free(answer);
        hol_spec_free(spec);
        run_close(&r);
    }
}

static void test_alike(void **unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        compare(i, "drive", "shift", 1, NULL);
        compare(i, "hinge", "torque", 1, NULL);
        compare(i, "hinge.angle", "torque", 1, "hold");
        compare(i, "spring", "tension", 1, "x");
    }
}

/* A load on a pendulum's hinge: B = 1/J, static gain 1/(m g l). */
static void test_pendulum(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  rod: {mass: 2.3, inertia: 0.31, position: [0, -0.7]}\n"
        "joints:\n  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
        "forces:\n  brake: {type: torsion, joint: hinge, damping: 0.4}\n"
        "measures:\n  angle: {type: joint_coordinate, joint: hinge, component: angle}\n"
        "simulation: {end: 1}\n";
    static const char *const inputs[] = {"hinge"};
    const double J = 0.31 + 2.3 * 0.7 * 0.7;
    (void)unused;
    run r = run_text(text, sets[1]);
    hol_answer *answer = NULL;
    const hol_linearize_options how = {.size = sizeof how,
                                       .n_inputs = 1,
                                       .inputs = inputs,
                                       .frequency_from = 1e-5,
                                       .frequency_to = 1,
                                       .n_frequencies = 2};
    assert_int_equal(hol_linearize(r.ctx, r.sim, NULL, &how, &answer), HOL_OK);
    const hol_table B = table_of(answer, "B"), gain = table_of(answer, "gain");
    assert_true(fabs(answer_entry(&B, 1, 0) - 1 / J) < 1e-12);
    assert_true(fabs(answer_entry(&gain, 0, 1) - 1 / (2.3 * 9.81 * 0.7)) < 1e-9);
    hol_answer_free(answer);
    run_close(&r);
}

/* In space, with a joint between two bodies that stand anyhow: a torque about the axis of the joint
 * is the moments along it on both, m on the second and -m on the first. */
static void test_space(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  arm: {mass: 2.3, inertia: [0.31, 0.2, 0.12], position: [0.3, 0.1, -0.7]}\n"
        "  hand: {mass: 1.2, inertia: [0.11, 0.1, 0.02], position: [0.5, 0.3, -1.1]}\n"
        "joints:\n"
        "  shoulder: {type: spherical, bodies: [ground, arm], at: [0, 0, 0]}\n"
        "  wrist: {type: revolute, bodies: [arm, hand], at: [0.4, 0.2, -0.9], axis: [2, 1, 2]}\n"
        "measures:\n  angle: {type: joint_coordinate, joint: wrist, component: angle}\n"
        "simulation: {end: 1}\n";
    static const char *const inputs[] = {"wrist",  "hand.mx", "hand.my", "hand.mz",
                                         "arm.mx", "arm.my",  "arm.mz"};
    (void)unused;
    for (int set = 0; set < 2; set++) {
        run r = run_text(text, sets[set]);
        hol_answer *answer = NULL;
        const hol_linearize_options how = {
            .size = sizeof how, .n_inputs = 7, .inputs = inputs, .n_frequencies = 2};
        assert_int_equal(hol_linearize(r.ctx, r.sim, NULL, &how, &answer), HOL_OK);
        const hol_table B = table_of(answer, "B");
        for (int i = 0; i < B.rows; i++) {
            const double *b = B.values + i * B.columns,
                         wanted = (2 * (b[1] - b[4]) + (b[2] - b[5]) + 2 * (b[3] - b[6])) / 3;
            assert_true(fabs(b[0] - wanted) < 1e-9 * (1 + fabs(wanted)));
        }
        hol_answer_free(answer);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alike),
                                       cmocka_unit_test(test_pendulum),
                                       cmocka_unit_test(test_space)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
