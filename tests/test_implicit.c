/* test_implicit.c: mechanisms under implicit integrators: orders, stiff elements, redundant
 * constraints, states of elements, forces of the caller, and the states whose derivatives come
 * from differences.
 * 
 */
#include "model_fixture.h"

#include "sim/sim.h"

static const char *const formulas[] = {"rodas3",  "rodas4", "rodasp", "esdirk3",
                                       "esdirk4", "radau3", "radau5"};

enum { N_FORMULAS = sizeof formulas / sizeof *formulas };

/* ---- orders ---- */

/* The error of a run with fixed steps, whose iterations leave 0.01 of the tolerance, against one by
 * dop853 with a tolerance near rounding. */
static double fixed_error(const char *file, const char *method, const char *formula, double end,
                          int steps) {
    char settings[256], reference[256];
    snprintf(settings, sizeof settings,
             "simulation.method=%s simulation.integrator=%s simulation.step=%.17g "
             "simulation.tolerance=1e-12 simulation.end=%.17g",
             method, formula, end / steps, end);
    snprintf(reference, sizeof reference,
             "simulation.method=%s simulation.integrator=dop853 simulation.tolerance=1e-13 "
             "simulation.step=0 simulation.end=%.17g",
             method, end);
    run r = run_open(file, settings), s = run_open(file, reference);
    run_to(&r, end);
    run_to(&s, end);
    const double error = run_distance(&r, &s);
    run_close(&r);
    run_close(&s);
    return error;
}

/* Halving the step divides the error by 2^p: plane, space with quaternions, a driver (f depends on
 * time), elements with states; with and without a projection. 0.4 is for the next term; more where
 * the leading term is small. */
static void test_orders(void **state) {
    static const struct {
        const char *file, *method;
        double end;
        int steps;
    } rows[] = {{"four_bar", "auto", 0.5, 50},
                {"four_bar", "lagrange", 0.5, 50},
                {"heavy_top", "auto", 0.1, 100},
                {"slider_crank_spatial", "baumgarte", 0.3, 100},
                {"elements/driver", "nullspace", 0.5, 50},
                {"elements/motor", "auto", 0.3, 60}};
    (void)state;
    if (!run_reads_files()) skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < N_FORMULAS; k++) {
            const double coarse =
                fixed_error(rows[i].file, rows[i].method, formulas[k], rows[i].end, rows[i].steps);
            const double fine = fixed_error(rows[i].file, rows[i].method, formulas[k], rows[i].end,
                                            2 * rows[i].steps);
            const double p = log2(coarse / fine);
            print_message("%s %s %s: errors %.1e %.1e, order %.2f\n", rows[i].file, rows[i].method,
                          formulas[k], coarse, fine, p);
            assert_true(p > hol__stepper_find(formulas[k])->order - 0.4 || fine < 1e-13);
        }
}

/* ---- stiff elements ---- */

static const char *const elastic = "holonom: 1\n"
                                   "space: planar\n"
                                   "gravity: [0, -9.81]\n"
                                   "parameters: {k: 1e8, c: 1e6}\n"
                                   "bodies:\n"
                                   "  arm: {mass: 1.3, inertia: 0.11, position: [0.5, 0]}\n"
                                   "  bob: {mass: 0.7, inertia: 0.02, position: [1.4, 0]}\n"
                                   "joints:\n"
                                   "  A: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
                                   "forces:\n"
                                   "  B: {type: bushing, bodies: [arm, bob], at: [1, 0], "
                                   "stiffness: [k, k, 0], damping: [c, c, 0]}\n"
                                   "measures:\n"
                                   "  tip: {type: position, body: bob}\n"
                                   "simulation: {end: 0.5, tolerance: 1e-5}\n";

/* A bushing of 1e8 N/m and 1e6 Ns/m: rates of c/m = 2e6 1/s. An explicit formula needs steps of
 * some 3/2e6 s, that is 3e5 for half a second; 20000 do not take it to a twentieth of that. */
static void test_bushing(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run reference = run_text(elastic, "simulation.integrator=esdirk4 simulation.tolerance=1e-9");
    run_to(&reference, 0.5);
    for (int k = 0; k < N_FORMULAS; k++) {
        char settings[128];
        snprintf(settings, sizeof settings, "simulation.integrator=%s", formulas[k]);
        run r = run_text(elastic, settings);
        run_to(&r, 0.5);
        const hol_sim_info info = sim_info(r.sim);
        print_message("%s: %ld steps, %.1e off, energy %.1e\n", formulas[k], info.steps,
                      run_difference(&r, &reference), info.relative_energy_error);
        /* Rosenbrock formulas feel that the bushing turns, the others converge at every stage */
        assert_true(info.steps < (k < 3 ? 5000 : 400));
        /* at most all errors of single steps, 0.05 of the tolerance each, at one end of a swing */
        assert_true(run_difference(&r, &reference) < 0.05 * 1e-5 * (double)info.steps);
        run_close(&r);
    }
    run_close(&reference);
    run r = run_text(elastic, "simulation.integrator=dopri5 simulation.max_steps=20000");
    assert_int_equal(hol_sim_advance(r.sim, 0.5), HOL_ERR_TOLERANCE);
    assert_true(hol_data_time(hol_sim_data(r.sim)) < 0.025);
    run_close(&r);
}

/* The flyball governor over a second takes an eighth of the steps of dopri5 under rodas4, a
 * fiftieth under esdirk4, at the published height. */
static void test_governor(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run e =
        run_open("a05_flyball_governor", "simulation.integrator=esdirk4 simulation.tolerance=1e-4");
    run r =
        run_open("a05_flyball_governor", "simulation.integrator=rodas4 simulation.tolerance=1e-4");
    run s =
        run_open("a05_flyball_governor", "simulation.integrator=dopri5 simulation.tolerance=1e-4");
    run_to(&e, 1);
    run_to(&r, 1);
    run_to(&s, 1);
    const long few = sim_info(e.sim).steps, some = sim_info(r.sim).steps,
               many = sim_info(s.sim).steps;
    print_message("governor: esdirk4 %ld steps, rodas4 %ld, dopri5 %ld\n", few, some, many);
    check_near("height at 1 s", run_measure(&e, "s"), 0.501420922, 1e-4);
    check_near("height at 1 s", run_measure(&r, "s"), 0.501420922, 1e-4);
    assert_true(8 * some < many && 50 * few < many);
    run_close(&e);
    run_close(&r);
    run_close(&s);
}

/* ---- whatever the mechanism has ---- */

/* Runs under error control agree with dop853 at a tolerance far below: the largest difference of
 * the measures stays below `most`, some hundred tolerances. */
static void test_agrees(void **state) {
    static const struct {
        const char *file, *settings;
        double end, most;
    } rows[] = {
        {"a04_bricard", "", 0.5, 1e-5}, /* redundant */
        {"a04_bricard", "simulation.coordinates=natural", 0.5, 1e-5},
        {"elements/friction_lugre", "", 0.4, 1e-4}, /* states of elements */
        {"elements/rolling_disk", "", 0.5, 1e-4},   /* nonholonomic */
        {"four_bar", "simulation.coordinates=relative", 0.5, 1e-5},
        {"double_pendulum_natural", "simulation.coordinates=relative", 0.5, 1e-5}, /* open tree */
        {"four_bar", "simulation.method=partitioning", 0.5, 1e-5}, /* by differences from here */
        {"four_bar", "simulation.method=independent", 0.5, 1e-5},
        {"four_bar", "simulation.method=canonical", 0.5, 1e-5},
        {"four_bar", "simulation.method=canonical-independent", 0.5, 1e-5},
    };
    (void)state;
    if (!run_reads_files()) skip();
    static const char *const names[] = {"rodas4", "esdirk4", "radau5"};
    for (size_t k = 0; k < 3 * sizeof rows / sizeof *rows; k++) {
        const size_t i = k / 3;
        char settings[256], reference[256];
        snprintf(settings, sizeof settings, "simulation.integrator=%s simulation.tolerance=1e-7 %s",
                 names[k % 3], rows[i].settings);
        snprintf(reference, sizeof reference,
                 "simulation.integrator=dop853 simulation.tolerance=1e-11 %s", rows[i].settings);
        run r = run_open(rows[i].file, settings), s = run_open(rows[i].file, reference);
        const int derived = strstr(rows[i].settings, "method") == NULL;
        const int whole = k % 3 == 2; /* on the constrained equations */
        assert_int_equal(r.sim->linear != NULL, derived && !whole);
        assert_int_equal(r.sim->differences != NULL, !derived && !whole);
        assert_int_equal(r.sim->constrained != NULL, derived && whole);
        assert_true(!s.sim->linear && !s.sim->differences);
        run_to(&r, rows[i].end);
        run_to(&s, rows[i].end);
        const double off = run_difference(&r, &s);
        print_message("%s %s: %ld steps, %.1e off\n", rows[i].file, settings, sim_info(r.sim).steps,
                      off);
        assert_true(off < rows[i].most);
        run_close(&r);
        run_close(&s);
    }
}

/* A force of the caller: a spring to a place that moves, with a damper. */
static hol_status pull(void *user, hol_data *data) {
    const double *q = hol_data_q(data), *v = hol_data_v(data), t = hol_data_time(data);
    const double origin[3] = {0, 0, 0};
    const double force[3] = {-1e4 * (q[0] - 0.1 * sin(3 * t)) - 2e2 * v[0], 0, 0};
    (void)user;
    hol_data_add_force(data, 0, origin, force);
    return HOL_OK;
}

/* It is known to the derivatives although it came after the simulation was made. */
static void test_force_of_the_caller(void **state) {
    const char *text = "holonom: 1\nspace: planar\nbodies: {block: {mass: 1, inertia: 0.1}}\n"
                       "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], "
                       "axis: [1, 0]}}\n"
                       "measures: {x: {type: position, body: block, component: x}}\n"
                       "simulation: {end: 2, tolerance: 1e-6, integrator: rodas4}\n";
    (void)state;
    if (!run_reads_files()) skip();
    run r = run_text(text, NULL), s = run_text(text, "simulation.integrator=dopri5");
    hol_sim_on_force(r.sim, pull, NULL);
    hol_sim_on_force(s.sim, pull, NULL);
    run_to(&r, 2);
    run_to(&s, 2);
    print_message("force of the caller: rodas4 %ld steps, dopri5 %ld\n", sim_info(r.sim).steps,
                  sim_info(s.sim).steps);
    /* without its derivatives the formula is of order 1 or 2, and the steps are thousands more */
    assert_true(sim_info(r.sim).steps < 2 * sim_info(s.sim).steps);
    check_near("x", run_measure(&r, "x"), run_measure(&s, "x"), 1e-7);
    run_close(&r);
    run_close(&s);
}

/* Terms with 1/h belong to explicit formulas. */
static void test_refuses_braun_goldfarb(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    run_refuses("four_bar", "simulation.method=braun-goldfarb simulation.integrator=rodas4",
                "implicit integrator 'rodas4'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_bushing),
        cmocka_unit_test(test_governor),
        cmocka_unit_test(test_agrees),
        cmocka_unit_test(test_force_of_the_caller),
        cmocka_unit_test(test_refuses_braun_goldfarb),
    };
    return cmocka_run_group_tests_name("implicit", tests, NULL, NULL);
}
