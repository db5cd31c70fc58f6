/* test_stiff.c: the integrator `auto` notices stiffness, says which force causes it, and goes on
 * with an implicit formula; saved states go on with the same bits on both sides of the change.
 */
#include "model_fixture.h"

#include "sim/sim.h"

/* A wheel on an arm below a frame, with a light clip glued to the wheel by a bushing: 1e8 1/s. */
static const char *const suspension =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  hub: {mass: 20, inertia: 0.8, position: [0.4, 0]}\n"
    "  frame: {mass: 300, inertia: 90, position: [0, 0.5]}\n"
    "  clip: {mass: 0.001, inertia: 1e-6, position: [0.4, 0.3]}\n"
    "joints:\n"
    "  rail: {type: prismatic, bodies: [ground, frame], at: [0, 0.5], axis: [0, 1]}\n"
    "  arm: {type: revolute, bodies: [frame, hub], at: [0, 0.1]}\n"
    "forces:\n"
    "  tyre: {type: spring, bodies: [ground, hub], from: [0.4, -0.3], to: [0.4, 0], stiffness: "
    "2e5, "
    "damping: 100}\n"
    "  strut: {type: spring, bodies: [hub, frame], from: [0.4, 0], to: [0.3, 0.6], stiffness: 3e4, "
    "damping: 2e3}\n"
    "  glue: {type: bushing, bodies: [hub, clip], at: [0.4, 0.3], stiffness: [1e7, 1e7, 1e3], "
    "damping: [1e5, 1e5, 10]}\n"
    "measures: {y: {type: position, body: frame, component: y}}\n"
    "simulation: {end: 2, tolerance: 1e-6, output: 0.1}\n";

static const hol_message *message_with(const hol_context *ctx, const char *word) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (strstr(hol_message_get(ctx, i)->text, word)) return hol_message_get(ctx, i);
    return NULL;
}

/* An explicit formula needs 2 s 1e8 / 3.3 = 6e7 steps. The run ends after a thousandth of a
 * hundredth of them, with the motion of a run at a far tighter tolerance. */
static void test_suspension(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(suspension, NULL),
        best = run_text(suspension, "simulation.integrator=radau9 simulation.tolerance=1e-10");
    run_whole(&r);
    run_whole(&best);
    const hol_sim_info info = sim_info(r.sim);
    const hol_message *said = message_with(r.ctx, "stiff at t");
    print_message("%ld steps, %ld evaluations, %s, %.2e off\n", info.steps, info.evaluations,
                  info.integrator, run_difference(&r, &best));
    assert_true(said && said->element);
    assert_string_equal(said->element, "force 'glue'");
    assert_int_equal(said->severity, HOL_NOTE);
    assert_int_equal(said->where.line, 14);
    assert_non_null(strstr(said->text, "damping of 1e+05 N*s/m"));
    assert_string_equal(info.integrator, "radau9");
    assert_non_null(strstr(info.choice, "radau9 (stiff)"));
    assert_true(info.steps < 1000);
    assert_true(run_difference(&r, &best) < 1e-6);
    run_close(&r);
    run_close(&best);
}

/* At rough tolerances stability binds the steps of dopri5 on the governor, too; the change pays in
 * evaluations, and the result is the published one. */
static void test_governor(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const char *more = "simulation.coordinates=relative simulation.tolerance=1e-5 "
                       "simulation.output=10";
    char settings[256];
    run r = run_open("a05_flyball_governor", more);
    snprintf(settings, sizeof settings, "%s simulation.integrator=dopri5", more);
    run s = run_open("a05_flyball_governor", settings);
    run_to(&r, 10);
    run_to(&s, 10);
    print_message("governor: auto %ld evaluations, dopri5 %ld\n", sim_info(r.sim).evaluations,
                  sim_info(s.sim).evaluations);
    assert_non_null(message_with(r.ctx, "stiff at t"));
    check_near("s", run_measure(&r, "s"), 0.619622917, 1e-6);
    assert_true(20 * sim_info(r.sim).evaluations < sim_info(s.sim).evaluations);
    run_close(&r);
    run_close(&s);
}

/* Where the stiff directions turn with the mechanism the error test binds the steps before
 * stability does: h |lambda| stays below 2 of 3.25. What the motion needs is longer steps all the
 * same. */
static void test_turning(void **state) {
    static const struct {
        const char *file, *settings, *measure;
        double end, fewer;
    } cases[] = {
        {"a05_flyball_governor", "simulation.coordinates=reference simulation.tolerance=1e-6", "s",
         2, 20},
        {"a05_flyball_governor", "simulation.coordinates=reference simulation.tolerance=1e-8", "s",
         2, 20},
        {"cam_follower", "simulation.coordinates=relative simulation.tolerance=1e-6", "lift", 0.3,
         20},
    };
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char settings[256];
        snprintf(settings, sizeof settings, "%s simulation.output=%g", cases[i].settings,
                 cases[i].end);
        run r = run_open(cases[i].file, settings);
        snprintf(settings, sizeof settings, "%s simulation.output=%g simulation.integrator=%s",
                 cases[i].settings, cases[i].end, i == 1 ? "dop853" : "dopri5");
        run s = run_open(cases[i].file, settings);
        run_to(&r, cases[i].end);
        run_to(&s, cases[i].end);
        print_message("%s: auto %ld evaluations, explicit %ld\n", cases[i].file,
                      sim_info(r.sim).evaluations, sim_info(s.sim).evaluations);
        assert_non_null(message_with(r.ctx, "stiff at t"));
        assert_null(message_with(r.ctx, "does not pay"));
        check_near(cases[i].measure, run_measure(&r, cases[i].measure),
                   run_measure(&s, cases[i].measure), 1e-6);
        assert_true(cases[i].fewer * (double)sim_info(r.sim).evaluations <
                    (double)sim_info(s.sim).evaluations);
        run_close(&r);
        run_close(&s);
    }
}

/* What is not stiff stays with its formula, also where outputs make steps so short that nothing but
 * rounding is left to compare, and where rotations go on from a new base point. */
static void test_not_stiff(void **state) {
    static const char *const files[] = {"four_bar",          "heavy_top",
                                        "a03_andrews",       "a04_bricard",
                                        "elements/momentum", "slider_crank_spatial",
                                        "elements/rotor",    "elements/rolling_disk"};
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < 2 * sizeof files / sizeof *files; i++) {
        const char *const settings[] = {"simulation.tolerance=1e-5", "simulation.tolerance=1e-8"};
        run r = run_open(files[i / 2], settings[i % 2]);
        assert_int_equal(hol_sim_run(r.sim, NULL), HOL_OK);
        assert_string_equal(sim_info(r.sim).integrator, i % 2 ? "dop853" : "dopri5");
        assert_null(message_with(r.ctx, "stiff"));
        run_close(&r);
    }
}

/* Up to `steps`, then saved, loaded into a new simulation, and on to 0.01 s in both. */
static void check_saved(int steps) {
    run a = run_text(suspension, NULL), b = run_text(suspension, NULL);
    for (int i = 0; i < steps; i++) assert_int_equal(hol_sim_step(a.sim), HOL_OK);
    const size_t size = hol_sim_state_size(a.sim);
    void *block = malloc(size);
    assert_int_equal(hol_sim_state_save(a.sim, block, size), HOL_OK);
    assert_int_equal(hol_sim_state_load(b.sim, block, size), HOL_OK);
    assert_string_equal(sim_info(a.sim).integrator, sim_info(b.sim).integrator);
    free(block);
    run_to(&a, 0.01);
    run_to(&b, 0.01);
    assert_true(sim_info(a.sim).steps == sim_info(b.sim).steps);
    assert_memory_equal(hol_data_q(hol_sim_data(a.sim)), hol_data_q(hol_sim_data(b.sim)),
                        sizeof(double) * (size_t)model_info(a.model).n_q);
    assert_memory_equal(hol_data_v(hol_sim_data(a.sim)), hol_data_v(hol_sim_data(b.sim)),
                        sizeof(double) * (size_t)model_info(a.model).n_v);
    run_close(&a);
    run_close(&b);
}

/* Before the change, while it is being decided, right after it, and later. */
static void test_saved(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(suspension, NULL);
    int changed = 0;
    while (strcmp(sim_info(r.sim).integrator, "dopri5") == 0 && changed < 1000)
        changed++, hol_sim_step(r.sim);
    print_message("changes after %d steps\n", changed);
    run_close(&r);
    check_saved(3);
    check_saved(changed - 7);
    check_saved(changed);
    check_saved(changed + 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_suspension), cmocka_unit_test(test_governor),
        cmocka_unit_test(test_turning),    cmocka_unit_test(test_not_stiff),
        cmocka_unit_test(test_saved),
    };
    return cmocka_run_group_tests_name("stiff", tests, NULL, NULL);
}
