/* test_implicit_scales.c: a double pendulum of any size, under the same weight: lengths of L, times
 * of sqrt(L), masses of L^3 are the same motion, with implicit formulas too, in whose matrices
 * masses stand beside directions of constraints. From a micrometre to ten kilometres.
 */
#include "model_fixture.h"

static const char text[] = "holonom: 1\nspace: planar\n"
                           "parameters: {L: 1, T: sqrt(L), M: L^3}\n"
                           "gravity: [0, -9.81*L/T^2]\n"
                           "bodies:\n  a: {mass: 1.9*M, inertia: 0.1*M*L^2, position: [0.3*L, 0]}\n"
                           "  b: {mass: 1.1*M, inertia: 0.05*M*L^2, position: [0.9*L, 0]}\n"
                           "joints:\n  p: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
                           "  q: {type: revolute, bodies: [a, b], at: [0.6*L, 0]}\n"
                           "measures:\n  x: {type: position, body: b}\n"
                           "simulation: {end: 2*T, tolerance: 1e-8}\n";

/* x at the end, in lengths of the pendulum. */
static double end_of(double L, const char *settings) {
    char all[256];
    snprintf(all, sizeof all, "parameters.L=%g %s", L, settings);
    run r = run_text(text, all);
    run_to(&r, 2 * sqrt(L));
    const double x = run_measure(&r, "x.x") / L;
    run_close(&r);
    return x;
}

static void test_formulas(void **unused) {
    static const char *const formulas[] = {"radau5", "radau9", "rodas4", "esdirk4",
                                           "newmark-extrapolated"};
    static const char *const sets[] = {"reference", "natural", "relative"};
    static const double sizes[] = {1e-6, 1e-4, 1, 1e4};
    char settings[128], what[160];
    (void)unused;
    const double wanted = end_of(1, "simulation.integrator=dop853 simulation.tolerance=1e-12");
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 4; j++) {
                snprintf(settings, sizeof settings,
                         "simulation.integrator=%s simulation.coordinates=%s", formulas[i],
                         sets[k]);
                snprintf(what, sizeof what, "sizes of %g m, %s", sizes[j], settings);
                check_near(what, end_of(sizes[j], settings), wanted, 1e-7);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas)};
    return run_tests_of_models("implicit_scales", tests);
}
