/* test_verdict.c: every run says whether it ended within what its tolerances mean: residuals and
 * energy, chosen and fixed steps; and numbers that are not finite end it with an error. */
#include "model_fixture.h"

/* A pendulum whose swing takes about a second, and more measures. */
#define PENDULUM(more)                                                                             \
    "holonom: 1\nname: pendulum\nspace: planar\ngravity: [0, -9.8]\nbodies:\n"                     \
    "  rod: {mass: 10, inertia: 0.1, position: [0.353, -0.353], angle: -0.785}\njoints:\n"         \
    "  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}\nmeasures:\n"                    \
    "  theta: {type: angle, body: rod}\n  omega: {type: angular_velocity, body: rod}\n" more       \
    "simulation: {end: 10}\n"

/* An observer that takes every output. */
static hol_status take(void *user, hol_sim *sim) {
    *(double *)user = hol_data_time(hol_sim_data(sim));
    return HOL_OK;
}

/* Error control meets what it means with every formula; the limits are the tolerance times the
 * steps, or times 100, at most a hundredth. */
static void test_chosen_steps(void **state) {
    (void)state;
    static const char *const settings[] = {"tolerance=1e-4", "tolerance=1e-8", "tolerance=1e-12",
                                           "tolerance=1e-6 method=lagrange",
                                           "tolerance=1e-6 integrator=rodas4"};
    for (int i = 0; i < 5; i++) {
        run r = run_text(PENDULUM(""), settings[i]);
        assert_string_equal(sim_info(r.sim).verdict, "unfinished");
        const hol_sim_info info = run_whole(&r);
        double tolerance = 0;
        hol_options_get_real(r.options, "tolerance", &tolerance);
        if (info.beyond) run_print_messages(r.ctx);
        assert_int_equal(info.beyond, 0);
        assert_string_equal(info.verdict, "met");
        check_near("limit", info.violation_limit,
                   fmin(0.01, tolerance * fmax(100, (double)info.steps)), 1e-15 * tolerance);
        assert_true(info.energy_error_limit == info.violation_limit);
        assert_int_equal(hol_message_count(hol_sim_context(r.sim)), 0);
        run_close(&r);
    }
}

/* A run of a text with settings ends with these bits and words. */
static void ends(const char *settings, unsigned beyond, const char *verdict, const char *word) {
    run r = run_text(PENDULUM(""), settings);
    const hol_sim_info info = run_whole(&r);
    if (info.beyond != beyond || strcmp(info.verdict, verdict) != 0) {
        run_print_messages(r.ctx);
        fail_msg("%s: %u '%s': positions %.2g, velocities %.2g, energy %.2g", settings, info.beyond,
                 info.verdict, info.relative_position_violation, info.relative_velocity_violation,
                 info.relative_energy_error);
    }
    assert_true(!word || said(r.ctx, word));
    run_close(&r);
}

/* What stands still under its weight meets its tolerances, whatever its size: a block on a level
 * slide, and one that hangs on a spring which just carries it (k s = m g with s = 0.1 sizes). */
static void test_at_rest(void **state) {
    static const char *const models[] = {
        "  A: {type: prismatic, bodies: [ground, a], at: [0, 1.7*S], axis: [1, 0]}\n",
        "  A: {type: prismatic, bodies: [ground, a], at: [0.5*S, 1.7*S], axis: [0, 1]}\nforces:\n"
        "  s: {type: spring, bodies: [ground, a], from: [0.5*S, 3.3*S], to: [0.5*S, 1.7*S],\n"
        "      stiffness: 2943/S, free_length: 1.5*S}\n"};
    static const double sizes[] = {1e-4, 0.05, 1, 300};
    static const char *const settings[] = {"tolerance=1e-6", "tolerance=1e-8", "tolerance=1e-10",
                                           "tolerance=1e-8 coordinates=natural"};
    (void)state;
    for (int i = 0; i < 2 * 4 * 4; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {S: %g}\nbodies:\n"
                 "  a: {mass: 30, inertia: 2*S^2, position: [0.5*S, 1.7*S]}\njoints:\n%s"
                 "simulation: {end: 1}\n",
                 sizes[i / 2 % 4], models[i % 2]);
        run r = run_text(text, settings[i / 8]);
        const hol_sim_info info = run_whole(&r);
        if (info.beyond) {
            run_print_messages(r.ctx);
            fail_msg("model %d, size %g, %s: %s", i % 2, sizes[i / 2 % 4], settings[i / 8],
                     info.verdict);
        }
        run_close(&r);
    }
}

/* A rod of a milligram that creeps by 6e-7 rad on a damper: it moves by less than the tolerance
 * means over its steps, and its energy says nothing. */
static void test_below_tolerance(void **state) {
    static const char *const settings[] = {"tolerance=1e-8 coordinates=reference",
                                           "tolerance=1e-10 coordinates=relative"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        run r = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                         "  rod: {mass: 1.2e-6, inertia: 1e-7, along: [[0, 0], [1, 0]]}\njoints:\n"
                         "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\nforces:\n"
                         "  k: {type: torsion, joint: A, stiffness: 10, damping: 0.1}\n"
                         "simulation: {end: 0.1, output: 0.1}\n",
                         settings[i]);
        assert_string_equal(run_whole(&r).verdict, "met");
        run_close(&r);
    }
}

/* Fixed steps: the energy to a thousandth, residuals to a millionth of the size, unless the options
 * say otherwise. */
static void test_fixed_steps(void **state) {
    (void)state;
    ends("step=0.01", 0, "met", NULL);
    ends("step=0.3", HOL_BEYOND_ENERGY, "not met: energy", "fixed steps is allowed");
    ends("step=0.3 expected_energy_error=1", 0, "met", NULL);
    ends("step=0.01 expected_energy_error=1e-14", HOL_BEYOND_ENERGY, "not met: energy",
         "expected_energy_error allows");
    ends("method=lagrange integrator=rk4 step=0.02", HOL_BEYOND_POSITIONS | HOL_BEYOND_VELOCITIES,
         "not met: positions, velocities", "direct-correction");
    ends("method=lagrange integrator=rk4 step=0.02 expected_violation=0.1", 0, "met", NULL);
}

/* The residual in sizes of the mechanism is that of the geometry: |Phi| of a point over the sum of
 * what moves it, |A_ij| l_j, at the start; and does not depend on the unit of length. */
static void test_shares(void **state) {
    static const char *const text =
        "holonom: 1\nspace: planar\ngravity: [0, -9.8*k]\nparameters: {k: 1}\nbodies:\n"
        "  rod: {mass: 10, inertia: 0.1*k^2, position: [0.353*k, -0.353*k], angle: -0.785}\n"
        "joints:\n  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
        "simulation: {end: 2, method: lagrange, integrator: rk4, step: 0.02}\n";
    (void)state;
    double share[2][2];
    for (int i = 0; i < 2; i++) {
        run r = run_text(text, i ? "k=1e-3" : "k=1");
        const hol_sim_info info = run_whole(&r);
        share[i][0] = info.relative_position_violation;
        share[i][1] = info.relative_velocity_violation;
        run_close(&r);
    }
    for (int k = 0; k < 2; k++) check_near("share", share[1][k], share[0][k], 1e-6 * share[0][k]);
}

/* A motion that blows up is an error that names an element and keeps the state before. */
static void test_blown_up(void **state) {
    (void)state;
    double t = -1;
    const hol_observer observer = {.on_output = take, .user = &t};
    run r = run_text(PENDULUM(""), "method=penalty integrator=euler step=1 end=1000 output=1");
    assert_int_equal(hol_sim_run(r.sim, &observer), HOL_ERR_TOLERANCE);
    assert_true(said(r.ctx, "blown up"));
    const hol_message *last = run_last_error(r.ctx);
    assert_true(last->where.line > 0 && strstr(last->element, "'pivot'"));
    const hol_sim_info info = sim_info(r.sim);
    assert_true(isfinite(info.relative_energy_error) && isfinite(info.max_position_violation));
    assert_true(info.t == t && isfinite(run_measure(&r, "theta")));
    run_close(&r);
}

/* A measure that is not a number is an error that names it. */
static void test_measure(void **state) {
    (void)state;
    double t = -1;
    const hol_observer observer = {.on_output = take, .user = &t};
    run r = run_text(PENDULUM("  odd: {type: expression, value: 1/sqrt(theta + 0.9)}\n"), NULL);
    assert_int_equal(hol_sim_run(r.sim, &observer), HOL_ERR_TOLERANCE);
    assert_true(said(r.ctx, "NaN or infinite"));
    const hol_message *last = run_last_error(r.ctx);
    assert_string_equal(last->element, "measure 'odd'");
    assert_int_equal(last->where.line, 12);
    assert_true(t > 0 && t < 0.3);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chosen_steps),    cmocka_unit_test(test_at_rest),
        cmocka_unit_test(test_below_tolerance), cmocka_unit_test(test_fixed_steps),
        cmocka_unit_test(test_shares),          cmocka_unit_test(test_blown_up),
        cmocka_unit_test(test_measure),
    };
    return run_tests_of_models("verdict", tests);
}
