/* test_generalized_alpha.c: generalized-alpha and its relatives on mechanisms: chosen damping,
 * error control, changing steps, and what is refused. Orders are those of test_constrained_orders.
 */
#include "model_fixture.h"

#include "integ/integ.h"
#include "sim/sim.h"

static const char *const oscillator =
    "holonom: 1\nspace: planar\n"
    "bodies: {block: {mass: 1.7, inertia: 0.1, position: [0.01, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}\n"
    "forces: {spring: {type: force, body: block, at: [0.01, 0], force: [-1.7e10*x, 0]}}\n"
    "measures: {x: {type: position, body: block, component: x}}\n"
    "simulation: {end: 120, step: 1}\n";

/* The amplitude that is left of an oscillation of 1e5 rad a step, from the sixtieth step to the
 * 120th, as a factor a step. rho is a triple root of the optimal formula, k^2 rho^k: over these
 * steps 2^(2/60) = 1.023 above it. */
static double damping(const char *integrator, double rho) {
    char settings[128];
    double most[2] = {0};
    snprintf(settings, sizeof settings,
             "simulation.integrator=%s simulation.spectral_radius=%g simulation.max_energy_error=0",
             integrator, rho);
    run r = run_text(oscillator, settings);
    for (int k = 1; k <= 120; k++) {
        run_to(&r, k);
        const double x = fabs(run_measure(&r, "x"));
        if (k > 56 && k <= 60) most[0] = fmax(most[0], x);
        if (k > 116) most[1] = fmax(most[1], x);
    }
    run_close(&r);
    return pow(most[1] / most[0], 1.0 / 60);
}

/* It is what was asked for. */
static void test_damping(void **state) {
    static const double radii[] = {0.4, 0.6, 0.8, 1};
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        const double rho = radii[i], a = damping("generalized-alpha", rho);
        print_message("rho %.2f: generalized-alpha %.4f\n", rho, a);
        assert_true(a > 0.98 * rho && a < 1.04 * rho);
        if (rho < 0.5) continue;
        const double b = damping("hht", rho);
        print_message("rho %.2f: hht %.4f\n", rho, b);
        assert_true(b > 0.98 * rho && b < 1.04 * rho);
    }
    const double c = damping("newmark", 0.4);
    print_message("newmark %.4f\n", c);
    assert_true(c > 0.98 && c < 1.02); /* none, whatever is asked for */
}

/* Chosen steps, which change all the time, hold the tolerance: the error goes down with it as h^2
 * does with h^3, a hundredfold for 1/1024, and is at most that of all steps. */
static void test_tolerance(void **state) {
    static const char *const names[] = {"generalized-alpha", "hht", "newmark"};
    (void)state;
    if (!run_reads_files()) skip();
    run best = run_open("four_bar", "simulation.integrator=dop853 simulation.tolerance=1e-12");
    run_to(&best, 1);
    for (int i = 0; i < 3; i++) {
        double first = 0, off = 0;
        for (double tolerance = 1e-4; tolerance > 1e-8; tolerance /= 32) {
            char settings[128];
            snprintf(settings, sizeof settings, "simulation.integrator=%s simulation.tolerance=%g",
                     names[i], tolerance);
            run r = run_open("four_bar", settings);
            run_to(&r, 1);
            const hol_sim_info info = sim_info(r.sim);
            off = run_difference(&r, &best);
            print_message("%s %.0e: %ld steps, %.1e off\n", names[i], tolerance, info.steps, off);
            assert_true(off < 20 * tolerance * (double)info.steps);
            assert_true(info.max_position_violation < 1e-12);
            if (first == 0) first = off;
            run_close(&r);
        }
        assert_true(off < first / 30);
    }
    run_close(&best);
}

/* In real time every step costs the same, whatever the mechanism does: two residuals. What two
 * iterations leave of the constraints does not add up. */
static void test_real_time(void **state) {
    static const char *const files[] = {"four_bar", "slider_crank_spatial", "a05_flyball_governor"};
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        run r = run_open(files[i], "simulation.integrator=real-time simulation.step=2e-3 "
                                   "simulation.end=1e9");
        double early = 0, late = 0;
        long before = 0;
        for (int k = 0; k < 2000; k++) {
            assert_int_equal(hol_sim_step(r.sim), HOL_OK);
            const long made = r.sim->integ->stepper.evaluations;
            if (k > 1) assert_int_equal(made - before, 2);
            before = made;
            const double off = hol__norm(r.sim->data->Phi, r.model->mh);
            if (k < 1000) early = fmax(early, off);
            if (k >= 1000) late = fmax(late, off);
        }
        print_message("%s: |Phi| %.1e, then %.1e\n", files[i], early, late);
        assert_true(early < 1e-5 && late < 10 * early + 1e-12);
        run_close(&r);
    }
}

/* A spectral radius that the formula does not have. */
static void test_refused(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run_refuses_text(oscillator, "simulation.integrator=hht simulation.spectral_radius=0.3",
                     "spectral radius below 0.5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_tolerance),
        cmocka_unit_test(test_real_time),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("generalized_alpha", tests, NULL, NULL);
}
