/* test_contact_scales.c: a box on a floor, of any size: pushed harder and harder until it slides.
 *
 * The force k t through its mass centre, along the floor, is held by friction until mu m g/k = t_s;
 * from then on
 *
 *     x = k (t - t_s)^3/(6 m)
 *
 * Lengths, times, masses and forces in other units, (L, sqrt(L), L^3) under the same weight and any
 * (L, T, M) under another, are the same motion: the same numbers, and as many steps.
 */
#include "model_fixture.h"

static const double g = 9.81, m = 1.9, mu = 0.4, k = 3.3, along = 0.7, end = 4;

static const char text[] =
    "holonom: 1\nspace: spatial\n"
    "parameters: {L: 1, T: 1, M: 1, A: L/T^2, J: M*L^2, k: 3.3*M*A/T}\n"
    "gravity: [0, 0, -9.81*A]\n"
    "bodies:\n  b: {mass: 1.9*M, inertia: [0.1*J, 0.11*J, 0.12*J],\n"
    "    position: [0.3*L, 0.2*L, 0.05*L]}\n"
    "joints:\n  f: {type: rigid_contact, bodies: [ground, b], friction: 0.4,\n"
    "    shapes: [{type: plane, at: [0, 0, 0], normal: [0, 0, 1]},\n"
    "      {type: box, size: [0.6*L, 0.5*L, 0.1*L]}]}\n"
    "forces:\n  p: {type: force, body: b, force: [k*cos(0.7)*t, k*sin(0.7)*t, 0]}\n"
    "measures:\n  x: {type: position, body: b}\n"
    "simulation: {end: 4*T, tolerance: 1e-7}\n";

/* A run at a scale; how many steps it takes. */
static long check_scale(double L, double T, double M, int set) {
    char settings[256], what[96];
    snprintf(settings, sizeof settings,
             "parameters.L=%g parameters.T=%.17g parameters.M=%g simulation.integrator=dopri5 "
             "simulation.coordinates=%s",
             L, T, M,
             set == 0   ? "reference"
             : set == 1 ? "natural"
                        : "relative");
    snprintf(what, sizeof what, "sizes of %g m, times of %g s, masses of %g kg", L, T, M);
    run r = run_text(text, settings);
    run_to(&r, end * T);
    const double slides = end - mu * m * g / k, way = k * pow(slides, 3) / (6 * m);
    /* ten tolerances of the size: the cube grows with the error of the instant */
    check_near(what, run_measure(&r, "x.x") / L, 0.3 + cos(along) * way, 1e-6);
    check_near(what, run_measure(&r, "x.y") / L, 0.2 + sin(along) * way, 1e-6);
    check_near(what, run_measure(&r, "x.z") / L, 0.05, 1e-14);
    const hol_sim_info info = sim_info(r.sim);
    assert_int_equal(info.switches, 2); /* it takes hold, it slides */
    run_close(&r);
    return info.steps;
}

/* Under the same weight: from a tenth of a millimetre to ten kilometres. Errors of velocities count
 * against a size a second too, so that what is large and slow takes fewer steps. */
static void test_sizes(void **unused) {
    static const double sizes[] = {1e-4, 1e-2, 100, 1e4};
    (void)unused;
    for (int set = 0; set < 3; set++) {
        const long steps = check_scale(1, 1, 1, set);
        for (int i = 0; i < 4; i++) {
            const double L = sizes[i];
            const long some = check_scale(L, sqrt(L), L * L * L, set);
            assert_in_range(some, 1, 4 * steps);
        }
    }
}

/* mm, g, ms; km, t, h; a light one and a heavy one; a slow one. */
static void test_units(void **unused) {
    (void)unused;
    check_scale(1e-3, 1e-3, 1e-3, 0);
    check_scale(1e3, 3600, 1e3, 0);
    check_scale(1, 1, 1e-9, 0);
    check_scale(1, 1, 1e9, 0);
    check_scale(1, 1e5, 1, 0);
}

/* A ball on a table that shakes; and one that falls into its rope. */
static const char table[] =
    "holonom: 1\nspace: planar\nparameters: {L: 1, T: 1}\ngravity: [0, -9.81*L/T^2]\nbodies:\n"
    "  t: {mass: 2, inertia: L^2, position: [0, -0.1*L]}\n"
    "  b: {mass: 1, inertia: 0.001*L^2, position: [0.01*L, 0.34*L]}\njoints:\n"
    "  guide: {type: prismatic, bodies: [ground, t], at: [0, -0.1*L], axis: [0, 1]}\n"
    "  drive: {type: driver, joint: guide, position: \"0.02*L*sin(9.1*t/T)\"}\n"
    "  c: {type: rigid_contact, bodies: [t, b], shapes: [{type: plane, at: [0, 0], normal: [0, 1]},"
    " {type: sphere, radius: 0.04*L}], restitution: 0.8}\n"
    "measures:\n  p: {type: position, body: b}\nsimulation: {end: 2.1*T}\n";

static const char rope[] =
    "holonom: 1\nspace: planar\nparameters: {L: 1, T: 1}\ngravity: [0, -9.81*L/T^2]\nbodies:\n"
    "  b: {mass: 1, inertia: 0.01*L^2, position: [-0.35*L, 0.21*L], velocity: [0.9*L/T, 0.4*L/T]}\n"
    "joints:\n"
    "  r: {type: rope, bodies: [ground, b], from: [0, 0], to: [-0.35*L, 0.21*L], length: L}\n"
    "measures:\n  p: {type: position, body: b}\nsimulation: {end: 0.9*T}\n";

/* Where it is at the end, in sizes. */
static double end_of(const char *mechanism, const char *integrator, double L, double T) {
    char settings[160];
    snprintf(settings, sizeof settings,
             "parameters.L=%g parameters.T=%g simulation.integrator=%s simulation.tolerance=1e-8",
             L, T, integrator);
    run r = run_text(mechanism, settings);
    run_whole(&r);
    const double y = run_measure(&r, "p.y") / L;
    run_close(&r);
    return y;
}

/* Formulas with a history take rebounds and rises for none by the size, too: the same motion as by
 * dop853 at 1 m. (Where that was a metre, 9e-5 and 1e-5 sizes were lost at 0.1 mm.) */
static void test_histories(void **unused) {
    static const char *const integrators[] = {"adams", "bdf", "ida"};
    (void)unused;
    for (int hangs = 0; hangs < 2; hangs++) {
        const char *mechanism = hangs ? rope : table;
        const double y = end_of(mechanism, "dop853", 1, 1);
        for (int i = 0; i < 3; i++) {
            check_near(integrators[i], end_of(mechanism, integrators[i], 1e-4, 1e-2), y, 3e-7);
            check_near(integrators[i], end_of(mechanism, integrators[i], 1e4, 100), y, 3e-7);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_histories),
    };
    if (!run_reads_files()) return skip_models();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
