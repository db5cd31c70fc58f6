/* test_history_with_sundials.c: mechanisms under integrators with a history of steps: every method,
 * plane and space, other independent coordinates on the way, singular positions, events, forces
 * that jump, and stiff elements.
 */
#include "model_fixture.h"

#include "form/method.h"
#include "sim/sim.h"

static const char *const formulas[] = {"adams", "bdf", "ida"};
enum { FORMULAS = 3 };

/* Whether the method takes the formula: not where its terms depend on the step. The basic
 * augmented canonical form takes it, but is stiff and slow; dae has equations of its own. */
static int takes(const char *method) {
    return strcmp(method, "braun-goldfarb") != 0 && strcmp(method, "partitioning-hybrid") != 0 &&
           strcmp(method, "velocity-transformation") != 0 && strcmp(method, "dae") != 0 &&
           strcmp(method, "canonical-augmented-basic") != 0;
}

/* What the end may be off by. Penalty: the constraints give way. Momenta of independent
 * coordinates: CVODE weighs each by itself, by the largest mass, and small ones mean larger
 * velocities. */
static double allowed(const char *method) {
    return strcmp(method, "penalty") == 0                 ? 1e-4
           : strcmp(method, "canonical-independent") == 0 ? 1e-5
                                                          : 2e-6;
}

/* Every method ends where the same method ends with dop853. Some thousand steps with errors of
 * 5e-11 each (0.05 of the tolerance), which grow some twenty times: 2e-6, and a history that does
 * not hold shows as 1e-3. */
static void test_methods(void **unused) {
    static const struct {
        const char *file;
        double end;
    } rows[] = {{"four_bar", 3}, {"slider_crank_spatial", 1.2}};
    (void)unused;
    if (!run_reads_files()) skip();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int m = 0; hol__method_get(m); m++) {
            const char *method = hol__method_get(m)->name;
            char settings[256];
            if (!takes(method)) continue;
            snprintf(settings, sizeof settings,
                     "method=%s integrator=dop853 tolerance=1e-11 end=%g", method, rows[k].end);
            run r = run_open(rows[k].file, settings);
            run_to(&r, rows[k].end);
            for (int i = 0; i < FORMULAS; i++) {
                snprintf(settings, sizeof settings, "method=%s integrator=%s tolerance=1e-9 end=%g",
                         method, formulas[i], rows[k].end);
                run s = run_open(rows[k].file, settings);
                run_to(&s, rows[k].end);
                const double error = run_distance(&s, &r);
                const hol_sim_info info = sim_info(s.sim);
                print_message("%s %s %s: error %.1e, %ld steps, %ld evaluations\n", rows[k].file,
                              method, formulas[i], error, info.steps, info.evaluations);
                assert_true(error < allowed(method));
                run_close(&s);
            }
            run_close(&r);
        }
}

/* Independent coordinates in space keep their history until a body has turned by a radian: in 3 s
 * of the slider-crank, whose crank turns by 20, some 6500 evaluations; every 0.3 rad it would take
 * more than 10 000. */
static void test_turns(void **unused) {
    (void)unused;
    if (!run_reads_files()) skip();
    run r =
        run_open("slider_crank_spatial", "method=independent integrator=dop853 tolerance=1e-11");
    run s = run_open("slider_crank_spatial", "method=independent integrator=adams tolerance=1e-9");
    run_to(&r, 3);
    run_to(&s, 3);
    print_message("independent, in space: %ld evaluations, error %.1e\n",
                  sim_info(s.sim).evaluations, run_distance(&s, &r));
    assert_true(sim_info(s.sim).evaluations < 8000);
    assert_true(run_distance(&s, &r) < 1e-5);
    run_close(&r);
    run_close(&s);
}

/* The double four-bar over its singular positions: some are crossed, and the angle at the end is
 * that of dop853. */
static void test_singular(void **unused) {
    (void)unused;
    if (!run_reads_files()) skip();
    run r = run_open("a02_two_four_bar", "integrator=dop853 tolerance=1e-10 end=3");
    run_to(&r, 3);
    for (int i = 0; i < FORMULAS; i++) {
        char settings[128];
        snprintf(settings, sizeof settings, "integrator=%s tolerance=1e-8 end=3", formulas[i]);
        run s = run_open("a02_two_four_bar", settings);
        run_to(&s, 3);
        const hol_sim_info info = sim_info(s.sim);
        print_message("%s: %ld steps, %d crossings, error %.1e\n", formulas[i], info.steps,
                      (int)info.crossings, run_distance(&s, &r));
        assert_true(info.crossings > 0 && info.crossings == sim_info(r.sim).crossings);
        assert_true(run_distance(&s, &r) < 1e-4);
        run_close(&s);
    }
    run_close(&r);
}

/* A stop at an angle is found to the accuracy of the run. */
static void test_event(void **unused) {
    static const char lines[] = "stop_when: -1.9198621771937625 > theta\n";
    double t[FORMULAS + 1];
    (void)unused;
    if (!run_reads_files()) skip();
    for (int i = 0; i <= FORMULAS; i++) {
        char settings[128];
        snprintf(settings, sizeof settings, "integrator=%s tolerance=1e-9 end=10",
                 i < FORMULAS ? formulas[i] : "dop853");
        run r = run_with("pendulum", lines, settings);
        run_whole(&r);
        t[i] = hol_data_time(hol_sim_data(r.sim));
        run_close(&r);
    }
    assert_true(t[FORMULAS] > 0.1 && t[FORMULAS] < 2);
    for (int i = 0; i < FORMULAS; i++) assert_true(fabs(t[i] - t[FORMULAS]) < 1e-7);
}

/* Settings that do not go with a history are refused with the reason. */
static void test_refused(void **unused) {
    static const char *const settings[] = {"step=1e-3", "method=braun-goldfarb",
                                           "method=partitioning-hybrid",
                                           "method=baumgarte gains=optimal"};
    (void)unused;
    if (!run_reads_files()) skip();
    for (int i = 0; i < FORMULAS; i++)
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
            char all[128];
            snprintf(all, sizeof all, "integrator=%s %s", formulas[i], settings[k]);
            run_refuses("four_bar", all, formulas[i]);
        }
}

/* ---- stiff mechanisms ---- */

/* A model of stiff elements: `formula` agrees with dop853 to 1e-6 in at least 20 times fewer
 * evaluations. */
static void check_stiff(const char *file, const char *formula, double tolerance, double end) {
    char settings[128];
    snprintf(settings, sizeof settings, "integrator=dop853 tolerance=1e-9 end=%g", end);
    run r = run_open(file, settings);
    snprintf(settings, sizeof settings, "%s tolerance=%g end=%g", formula, tolerance, end);
    run s = run_open(file, settings);
    run_to(&r, end);
    run_to(&s, end);
    const hol_sim_info a = sim_info(r.sim), b = sim_info(s.sim);
    print_message("%s: dop853 %ld evaluations, %s %ld, error %.1e\n", file, a.evaluations, formula,
                  b.evaluations, run_distance(&s, &r));
    assert_true(20 * b.evaluations < a.evaluations);
    assert_true(run_distance(&s, &r) < 1e-6);
    run_close(&r);
    run_close(&s);
}

static void test_stiff(void **unused) {
    (void)unused;
    if (!run_reads_files()) skip();
    check_stiff("a05_flyball_governor", "integrator=bdf", 1e-8, 1);
    check_stiff("a05_flyball_governor", "integrator=ida method=dae", 1e-8, 1);
    check_stiff("stiff_suspension", "integrator=bdf", 1e-8, 0.6);
    check_stiff("stiff_suspension", "integrator=ida method=dae", 1e-8, 0.6);
}

/* ---- the mixed equations ---- */

/* The largest difference of positions and velocities of the two masses of the car axis to the
 * solution of the test set for initial value problems (computed there with GAMD in quadruple
 * precision). */
static double car_axis_error(const run *r) {
    static const double q[] = {0.493455784275402809122e-1, 0.496989460230171153861,
                               0.104174252488542151681e1, 0.373911027265361256927},
                        v[] = {-0.770583684040972357970e-1, 0.744686658723778553466e-2,
                               0.175568157537232222276e-1, 0.770341043779251976443};
    const double *x = hol_data_q(hol_sim_data(r->sim)), *y = hol_data_v(hol_sim_data(r->sim));
    double most = 0;
    for (int body = 0; body < 2; body++)
        for (int i = 0; i < 2; i++) {
            const int at = 3 * (body + 1) + i;
            most = fmax(most, fabs(x[at] - q[2 * body + i]));
            most = fmax(most, fabs(y[at] - v[2 * body + i]));
        }
    return most;
}

/* Errors of the solution follow the tolerance of IDA on an axis of index 3: four powers of ten of
 * the one are three of the other at least, and velocities, up to 2 m/s with an angular frequency of
 * 45/s, end within 1e-7. Constraints hold as well as the equations are solved. */
static void test_car_axis(void **unused) {
    double error[3];
    (void)unused;
    if (!run_reads_files()) skip();
    for (int k = 0; k < 3; k++) {
        char settings[128];
        snprintf(settings, sizeof settings, "method=dae integrator=ida tolerance=%g",
                 pow(10, -7 - 2 * k));
        run r = run_open("car_axis", settings);
        run_to(&r, 3);
        error[k] = car_axis_error(&r);
        const hol_sim_info info = sim_info(r.sim);
        print_message("car axis, tolerance %.0e: %ld steps, error %.1e, |Phi| %.1e, |psi| %.1e\n",
                      pow(10, -7 - 2 * k), info.steps, error[k], info.max_position_violation,
                      info.max_velocity_violation);
        assert_true(info.max_position_violation < pow(10, -7 - 2 * k));
        run_close(&r);
    }
    assert_true(error[2] < 1e-3 * error[0]);
    assert_true(error[2] < 1e-7);
}

/* Andrews' squeezer (A03) to ten digits: the angle of the crank after five turns, 33.8153407214. */
static void test_andrews(void **unused) {
    (void)unused;
    if (!run_reads_files()) skip();
    run r = run_open("a03_andrews", "method=dae integrator=ida tolerance=1e-12");
    run_to(&r, 0.05);
    const double turn = 2 * 3.14159265358979323846,
                 beta = fmod(hol_data_q(hol_sim_data(r.sim))[2], turn),
                 want = 33.8153407214 - 5 * turn;
    print_message("andrews: beta %.12g, want %.12g\n", beta + 5 * turn, want + 5 * turn);
    assert_true(fabs(remainder(beta - want, turn)) < 33.8 * 1e-10);
    run_close(&r);
}

/* The method takes integrators of constrained equations, and says which. */
static void test_needs_equations(void **unused) {
    (void)unused;
    if (!run_reads_files()) skip();
    run_refuses("four_bar", "method=dae integrator=dopri5", "take ida or radau5");
}

/* A ball bounces, each flight 0.8 of the one before, until bounces cannot be told apart. Parabolas
 * are exact for Runge–Kutta formulas; these begin anew with order 1 at every bounce and are off by
 * their tolerance. All bounces that lead higher than three times it are there, at their times: a
 * height that is off by the tolerance puts a bounce at the speed u off by tolerance/u. Then the
 * ball rests, and does not fall. */
static void test_bounces(void **unused) {
    static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-8, 1e-9, 1e-10};
    const double g = 9.81, e = 0.8, v = 4;
    (void)unused;
    if (!run_reads_files()) skip();
    for (int i = 0; i < FORMULAS; i++)
        for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
            char settings[96];
            const double tolerance = tolerances[k];
            snprintf(settings, sizeof settings, "integrator=%s tolerance=%g", formulas[i],
                     tolerance);
            run r = run_open("bouncing_ball", settings);
            run_whole(&r);
            const hol_sim_info info = sim_info(r.sim);
            double t = 0, u = v, off = 0;
            int bounces = 0;
            for (; u * u / (2 * g) > 3 * tolerance; u *= e, bounces++) {
                t += 2 * u / g;
                assert_true(bounces < info.event_times.n);
                off = fmax(off, fabs(info.event_times.values[bounces] - t) * u / tolerance);
            }
            print_message("%s %.0e: %ld bounces, %d above the tolerance, off by %.2g\n",
                          formulas[i], tolerance, info.events, bounces, off);
            assert_true(info.events >= bounces && off < 100);
            assert_true(fabs(run_measure(&r, "p.y")) < 1e-12);
            assert_true(fabs(run_measure(&r, "v.x") - 0.5) < 1e-12);
            run_close(&r);
        }
}

/* What a joint at rest holds is not crossed by rounding, and the next flight is seen: the ball is
 * at rest at 4.08 s and pulled up by twice its weight from 5.2 s to 5.4 s, so that it is at
 * g/2 0.2^2 = 0.1962 m with 1.962 m/s; it rises by as much again in 0.2 s and falls back. Flights
 * of 2 v/g e^k end 2.3 s later. */
static void test_leaves_rest(void **unused) {
    const double g = 9.81, fall = sqrt(2 * 0.3924 / g);
    (void)unused;
    if (!run_reads_files()) skip();
    for (int i = 0; i < FORMULAS; i++) {
        char settings[96];
        snprintf(settings, sizeof settings, "integrator=%s tolerance=1e-9 end=9", formulas[i]);
        run r = run_with("bouncing_ball",
                         "forces: {pull: {type: force, body: ball, at: [0, 0],"
                         " force: [0, 'if(t > 5.2 and t < 5.4, 2*0.7*9.81, 0)']}}\n",
                         settings);
        const double back = 5.4 + 0.2 + fall;
        run_to(&r, 5.1);
        const long before = sim_info(r.sim).events;
        assert_true(fabs(run_measure(&r, "p.y")) < 1e-12);
        run_to(&r, 9);
        const hol_sim_info info = sim_info(r.sim);
        print_message("%s: %ld bounces, %ld after, back at %.9f, want %.9f\n", formulas[i], before,
                      info.events - before, info.event_times.values[before], back);
        assert_true(fabs(info.event_times.values[before] - back) < 1e-6);
        assert_true(info.events - before > 35);
        assert_true(fabs(run_measure(&r, "p.y")) < 1e-12);
        run_close(&r);
    }
}

/* The same of a rigid contact. */
static void test_rigid_rest(void **unused) {
    static const double tolerances[] = {1e-3, 1e-4, 1e-6, 1e-8};
    (void)unused;
    if (!run_reads_files()) skip();
    for (int i = 0; i < FORMULAS; i++)
        for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances; k++) {
            char settings[96];
            snprintf(settings, sizeof settings, "integrator=%s tolerance=%g", formulas[i],
                     tolerances[k]);
            run r = run_open("rebounding_ball", settings);
            run_whole(&r);
            assert_true(fabs(run_measure(&r, "height")) < 1e-12);
            assert_true(fabs(run_measure(&r, "push.fy") + 5.886) < 1e-9);
            run_close(&r);
        }
}

/* A light pendulum on a heavy carriage, m of one is 1/ratio of that of the other. */
static run light_and_heavy(const char *method, const char *integrator, double tolerance,
                           double ratio) {
    char text[1024], settings[128];
    const double heavy = sqrt(ratio), light = 1 / heavy;
    snprintf(text, sizeof text,
             "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
             "  carriage: {mass: %g, inertia: 10, position: [0, 0]}\n"
             "  bob: {mass: %g, inertia: %g, position: [0.7, 0]}\njoints:\n"
             "  rail: {type: prismatic, bodies: [ground, carriage], at: [0, 0], axis: [1, 0]}\n"
             "  pin: {type: revolute, bodies: [carriage, bob], at: [0, 0]}\nforces:\n"
             "  spring: {type: spring, bodies: [ground, carriage], from: [-2, 0], to: [0, 0], "
             "stiffness: %g, free_length: 1.8}\nsimulation: {end: 3}\n",
             heavy, light, 0.2 * light, 9 * heavy);
    snprintf(settings, sizeof settings, "method=%s integrator=%s tolerance=%g", method, integrator,
             tolerance);
    run r = run_text(text, settings);
    run_to(&r, 3);
    return r;
}

/* Errors of momenta count by the velocities that they mean. Weighed by the largest mass the
 * momentum of the pendulum may be off by anything; 2e-6 as for all methods (above). Independent
 * coordinates are those of heavy bodies: steps do not depend on the masses (with the momentum of
 * the carriage along the pendulum they went as the root of the ratio, 87163 of dop853 at 1e6). */
static void test_masses(void **unused) {
    static const struct {
        const char *method;
        double ratio;
    } rows[] = {{"canonical", 1e12}, {"canonical-independent", 1e12}};
    (void)unused;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run r = light_and_heavy(rows[k].method, "dop853", 1e-11, rows[k].ratio);
        for (int i = 0; i < FORMULAS; i++) {
            run s = light_and_heavy(rows[k].method, formulas[i], 1e-9, rows[k].ratio);
            const double error = run_distance(&s, &r);
            print_message("masses of 1 and %g, %s %s: error %.1e, %ld steps\n", rows[k].ratio,
                          rows[k].method, formulas[i], error, sim_info(s.sim).steps);
            assert_true(error < 2e-6 && sim_info(s.sim).steps < 2000);
            run_close(&s);
        }
        assert_true(sim_info(r.sim).steps < 400);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_rest),     cmocka_unit_test(test_bounces),
        cmocka_unit_test(test_masses),          cmocka_unit_test(test_rigid_rest),
        cmocka_unit_test(test_methods),         cmocka_unit_test(test_turns),
        cmocka_unit_test(test_singular),        cmocka_unit_test(test_event),
        cmocka_unit_test(test_refused),         cmocka_unit_test(test_stiff),
        cmocka_unit_test(test_car_axis),        cmocka_unit_test(test_andrews),
        cmocka_unit_test(test_needs_equations),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
