/* test_radau.c: Radau IIA on mechanisms with published or independent results: Andrews' squeezer
 * to ten digits, the flyball governor and stiff bushings at a twentieth of the evaluations of
 * explicit formulas.
 */
#include "model_fixture.h"

#include "sim/sim.h"

/* Andrews' squeezer at 0.05 s, beta = 33.8153407214 (A03), to ten digits. */
static void test_andrews(void **state) {
    static const char *const settings[] = {
        "simulation.integrator=radau5 simulation.tolerance=1e-12 simulation.output=0.05",
        "simulation.integrator=radau9 simulation.tolerance=1e-12 simulation.output=0.05"};
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        run r = run_open("a03_andrews", settings[i]);
        run_to(&r, 0.05);
        const double beta = run_measure(&r, "beta");
        print_message("%s: beta %.13f, %ld steps\n", settings[i], beta, sim_info(r.sim).steps);
        assert_true(fabs(beta / 33.8153407214 - 1) < 1e-11);
        run_close(&r);
    }
}

/* What a run found and cost. */
typedef struct outcome {
    double value;
    long evaluations;
} outcome;

static outcome run_it(const char *file, const char *text, const char *settings, double end,
                      const char *measure) {
    run r = file ? run_open(file, settings) : run_text(text, settings);
    run_to(&r, end);
    const outcome out = {run_measure(&r, measure), sim_info(r.sim).evaluations};
    print_message("%s: %.10f, %ld evaluations\n", settings, out.value, out.evaluations);
    run_close(&r);
    return out;
}

/* The flyball governor (A05), s = 0.619622917 at 10 s, to 1e-6. The explicit formula is given the
 * tolerance at which it is cheapest: stability sets its steps. In relative coordinates the stiff
 * directions do not turn with the spin. */
static void test_governor(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const outcome dopri5 = run_it("a05_flyball_governor", NULL,
                                  "simulation.coordinates=relative simulation.integrator=dopri5 "
                                  "simulation.tolerance=1e-4 simulation.output=10",
                                  10, "s");
    const outcome radau9 = run_it("a05_flyball_governor", NULL,
                                  "simulation.coordinates=relative simulation.integrator=radau9 "
                                  "simulation.tolerance=1e-5 simulation.output=10",
                                  10, "s");
    assert_true(fabs(dopri5.value - 0.619622917) < 1e-6);
    assert_true(fabs(radau9.value - 0.619622917) < 1e-6);
    assert_true(20 * radau9.evaluations < dopri5.evaluations);
}

/* A door on two bushings of 1e7 N/m. */
static const char *const door =
    "holonom: 1\nspace: spatial\ngravity: [0, 1, -9.81]\n"
    "bodies:\n"
    "  door: {mass: 23.1, inertia: [1.71, 1.13, 2.53], position: [0.61, 0, 0.93]}\n"
    "forces:\n"
    "  low: {type: bushing, bodies: [ground, door], at: [0, 0, 0.1], stiffness: [1e7, 1e7, 1e7, 0, "
    "0, 0], damping: [2e4, 2e4, 2e4, 0, 0, 0]}\n"
    "  high: {type: bushing, bodies: [ground, door], at: [0, 0, 1.8], stiffness: [1e7, 1e7, 1e7, "
    "0, "
    "0, 0], damping: [2e4, 2e4, 2e4, 0, 0, 0]}\n"
    "measures: {tip: {type: position, body: door, at: [1.2, 0, 0.9], component: y}}\n"
    "simulation: {end: 1, tolerance: 1e-8, output: 1}\n";

/* To 1e-6 of a run at a tolerance of 1e-11. */
static void test_bushings(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const outcome best =
        run_it(NULL, door, "simulation.integrator=radau9 simulation.tolerance=1e-11", 1, "tip");
    const outcome explicit_one =
        run_it(NULL, door, "simulation.integrator=dopri5 simulation.tolerance=1e-4", 1, "tip");
    const outcome radau5 =
        run_it(NULL, door, "simulation.integrator=radau5 simulation.tolerance=1e-6", 1, "tip");
    assert_true(fabs(explicit_one.value - best.value) < 1e-6);
    assert_true(fabs(radau5.value - best.value) < 1e-6);
    assert_true(20 * radau5.evaluations < explicit_one.evaluations);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_andrews),
        cmocka_unit_test(test_governor),
        cmocka_unit_test(test_bushings),
    };
    return cmocka_run_group_tests_name("radau", tests, NULL, NULL);
}
