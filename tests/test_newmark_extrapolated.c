/* test_newmark_extrapolated.c: Newmark's formula, smoothed and extrapolated: its order on
 * constrained mechanisms, where steps are long enough to see it; that what is much faster than a
 * step is gone after one; and that steps of few runs hold the tolerance.
 */
#include "model_fixture.h"

#include "integ/integ.h"
#include "sim/sim.h"

/* What a run of the four-bar with fixed steps is off. */
static double fixed_error(const char *coordinates, int steps, run *best) {
    char settings[200];
    snprintf(settings, sizeof settings,
             "simulation.integrator=newmark-extrapolated simulation.coordinates=%s "
             "simulation.step=%.17g simulation.tolerance=1e-13 simulation.max_energy_error=0",
             coordinates, 0.8 / steps);
    run r = run_open("four_bar", settings);
    run_to(&r, 0.8);
    const double off = run_difference(&r, best);
    run_close(&r);
    return off;
}

/* Order 8 in all coordinates: halving divides by 2^8 or more, less what the next term, of order 10,
 * shifts it by, where the errors are above rounding. */
static void test_order(void **state) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    (void)state;
    if (!run_reads_files()) skip();
    for (int i = 0; i < 3; i++) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "simulation.coordinates=%s simulation.integrator=dop853 "
                 "simulation.tolerance=1e-14",
                 sets[i]);
        run best = run_open("four_bar", settings);
        run_to(&best, 0.8);
        double p = 0, coarse = fixed_error(sets[i], 24, &best);
        for (int steps = 48; steps <= 96; steps *= 2) {
            const double fine = fixed_error(sets[i], steps, &best);
            p = log2(coarse / fine);
            print_message("%s, %d steps: %.2e, order %.2f\n", sets[i], steps, fine, p);
            coarse = fine;
        }
        assert_true(p > 7.4 || coarse < 1e-12);
        assert_true(coarse < 1e-9);
        run_close(&best);
    }
}

static const char *const oscillator =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "bodies: {block: {mass: 1.7, inertia: 0.1, position: [0.01, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}\n"
    "forces: {spring: {type: force, body: block, at: [0.01, 0], force: ['-1.7e10*x%s', 0]}}\n"
    "measures: {x: {type: position, body: block, component: x}}\n"
    "simulation: {end: 3, step: 1, max_energy_error: 0}\n";

/* An oscillation of z = 1e5 rad a step: R = sum w_j (-1)^(n_j - 1) (2 n_j / z)^2, 4.8e-8 in size,
 * with the weights of n = 2, 4, 6, 8. Where laws have a corner at the end of the step it does not
 * look beyond, and keeps the oscillation up to 4 sum w_j n_j^2 / z = 6e-3 of it. */
static void test_damping(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    for (int corner = 0; corner < 2; corner++) {
        char text[1024];
        snprintf(text, sizeof text, oscillator, corner ? " + max(0, t - 1)" : "");
        run r = run_text(text, "simulation.integrator=newmark-extrapolated");
        run_to(&r, 1);
        const double left = fabs(run_measure(&r, "x")) / 0.01;
        print_message("%s: %.3e of it is left\n", corner ? "at a corner" : "smooth", left);
        assert_true(corner ? fabs(left - 1) < 6e-3 : left > 3e-8 && left < 6e-8);
        run_close(&r);
    }
}

/* Chosen steps, with as many runs as pass: the error is at most that of all steps. */
static void test_tolerance(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run best = run_open("four_bar", "simulation.integrator=dop853 simulation.tolerance=1e-13");
    run_to(&best, 1);
    for (double tolerance = 1e-3; tolerance > 1e-10; tolerance /= 100) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "simulation.integrator=newmark-extrapolated simulation.tolerance=%g", tolerance);
        run r = run_open("four_bar", settings);
        run_to(&r, 1);
        const hol_sim_info info = sim_info(r.sim);
        const double off = run_difference(&r, &best);
        print_message("%.0e: %ld steps, %.1e off\n", tolerance, info.steps, off);
        assert_true(off < 20 * tolerance * (double)info.steps);
        assert_true(info.steps < 400);
        assert_true(info.max_position_violation < 1e-12);
        run_close(&r);
    }
    run_close(&best);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_damping),
                                       cmocka_unit_test(test_tolerance)};
    return cmocka_run_group_tests_name("newmark_extrapolated", tests, NULL, NULL);
}
