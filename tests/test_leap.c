/* test_leap.c: a driver whose speed jumps takes the mechanism along by impulses, at that instant
 * and whatever the method: an arm that hangs freely on a driven crank jumps as an impulse at its
 * pin makes it, the angle of the crank is the integral of its law, and the energy balance closes
 * with the work of the impulses. */
#include "model_fixture.h"

static const char arm[] =
    "holonom: 1\n"
    "space: planar\n"
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  crank: {mass: 4, inertia: 0.1, position: [0.35, 0]}\n"
    "  arm: {mass: 1.3, inertia: 0.21, position: [1.1, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, arm], at: [0.7, 0]}\n"
    "  M: {type: motor, joint: A, speed: \"if(t > 0.5 and t < 0.501, 100, 1)\"}\n"
    "measures:\n"
    "  turned: {type: angle, body: crank}\n"
    "  hangs: {type: angle, body: arm}\n"
    "  spin: {type: angular_velocity, body: arm}\n"
    "simulation: {end: 1, tolerance: 1e-10}\n";

static const char *const settings[] = {
    "method=auto",
    "method=auto coordinates=relative",
    "method=auto coordinates=natural",
    "method=lagrange",
    "method=baumgarte",
    "method=augmented-lagrangian",
    "method=nullspace",
    "method=udwadia-kalaba",
    "method=canonical",
    "method=independent-extended",
    "method=velocity-transformation",
    "method=braun-goldfarb",
    "method=auto integrator=radau5",
    "method=auto output_mode=land",
};

/* The arm by an impulse J at its pin, d from its mass centre: m (v+ - v-) = J, I (w+ - w-) = r x J,
 * and the pin jumps by 99 rad/s times the crank. */
static void check_arm(const char *name, double before, double after, double crank, double angle) {
    const double L = 0.7, d = 0.4, m = 1.3, I = 0.21;
    const double jump = -m * d * L * cos(crank - angle) / (I + m * d * d) * 99;
    check_near(name, after - before, jump, 1e-6);
}

static void test_impulse(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        run r = run_text(arm, settings[i]);
        run_to(&r, 0.5);
        const double before = run_measure(&r, "spin"), crank = run_measure(&r, "turned"),
                     angle = run_measure(&r, "hangs");
        run_to(&r, 0.5 + 1e-11);
        check_arm(settings[i], before, run_measure(&r, "spin"), crank, angle);
        const hol_sim_info info = run_whole(&r);
        check_near(settings[i], run_measure(&r, "turned"), 1 + 99 * 0.001, 1e-8);
        check_near("energy", info.relative_energy_error, 0, 1e-8);
        run_close(&r);
    }
}

/* A law that is steep but does not jump has no impulse: the same end as by a step that is short. */
static void test_no_impulse(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    char steep[sizeof arm + 64];
    const char *at = strstr(arm, "if(");
    snprintf(steep, sizeof steep, "%.*sif(t < 0.5, 1, 1 + 1e6*(t - 0.5)*max(0, 0.5001 - t))%s",
             (int)(at - arm), arm, strchr(at, '"'));
    run r = run_text(steep, NULL);
    const hol_sim_info info = run_whole(&r);
    /* 1e6 x (1e-4 - x) over 0 to 1e-4 */
    check_near("angle", run_measure(&r, "turned"), 1 + 1e6 * 1e-12 / 6, 1e-9);
    check_near("energy", info.relative_energy_error, 0, 1e-7);
    run_close(&r);
}

/* A length that jumps, for however short a time, ends the run in front of it and names the joint;
 * one by less than the tolerance does not. */
static void test_position(void **state) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  bob: {mass: 1.3, inertia: 0.1, position: [0.7, 0]}\njoints:\n"
        "  D: {type: distance, bodies: [ground, bob], from: [0, 0], to: [0.7, 0],\n"
        "      length: \"0.7 + if(t > 0.31 and t < 0.31002, %s, 0)\"}\n"
        "measures:\n  at: {type: position, body: bob}\n"
        "simulation: {end: 0.5, tolerance: 1e-8}\n";
    char model[sizeof text + 32];
    (void)state;
    if (!run_reads_files()) skip();
    snprintf(model, sizeof model, text, "0.02");
    run r = run_text(model, NULL);
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_INPUT);
    const hol_message *last = run_last_error(r.ctx);
    assert_string_equal(last->element, "joint 'D'");
    assert_int_equal(last->where.line, 7);
    assert_non_null(strstr(last->text, "jumps at t = 0.31, by 0.02"));
    check_near("time", hol_data_time(hol_sim_data(r.sim)), 0.31, 1e-12);
    check_near("length", hypot(run_measure(&r, "at.x"), run_measure(&r, "at.y")), 0.7, 1e-12);
    run_close(&r);
    snprintf(model, sizeof model, text, "2e-9");
    r = run_text(model, NULL);
    run_whole(&r);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impulse),
        cmocka_unit_test(test_no_impulse),
        cmocka_unit_test(test_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
