/* test_many_turns.c: what large numbers do to a run: angles of thousands of turns, places far from
 * the origin.
 *
 * A residual cannot fall below eps times the numbers in it, whatever the size of the mechanism: a
 * correction must end there.
 *     gear pair, torque T on the pinion: theta1 = 1/2 alpha t^2, alpha = T / (I1 + I2 (z1/z2)^2),
 *                                        theta2 = -theta1 z1/z2
 *     a four-bar moves alike at the origin and 50 km away from it
 * Between steps, states with independent coordinates are asked for in any order, as far apart as
 * the step is long.
 */
#include "motion_fixture.h"

#include <math.h>

/* The pinion turns by 1/2 * 0.7/0.033 * 20^2 = 4242 rad in 20 s. */
static const char *const gear_text =
    "holonom: 1\nspace: planar\nbodies:\n"
    "  pinion: {mass: 1.1, inertia: 0.013, position: [0, 0]}\n"
    "  wheel: {mass: 0.6, inertia: 0.08, position: [0.3, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, pinion], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [ground, wheel], at: [0.3, 0]}\n"
    "  mesh: {type: gear, joints: [A, B], teeth: [20, 40]}\n"
    "forces:\n  drive: {type: torque, body: pinion, torque: 0.7}\n"
    "measures:\n  first: {type: joint_coordinate, joint: A}\n"
    "  second: {type: joint_coordinate, joint: B}\n"
    "%s"
    "simulation: {end: 20, output: 0.05, tolerance: %g, method: %s, coordinates: %s, output_mode: "
    "%s}\n";

static const double alpha = 0.7 / (0.013 + 0.08 / 4);

static const char *const methods[] = {"auto",         "direct-correction", "index1-projection",
                                      "partitioning", "independent",       "canonical-independent"};
enum { N_METHODS = sizeof methods / sizeof *methods };

static motion open_gears(const char *stop, double tolerance, const char *method,
                         const char *coordinates, const char *mode) {
    char text[2048];
    snprintf(text, sizeof text, gear_text, stop, tolerance, method, coordinates, mode);
    return run_open(text);
}

/* The largest error of both angles over all outputs of a run. */
static hol_status keep_error(void *user, hol_sim *sim) {
    double *most = user;
    hol_data *data = hol_sim_data(sim);
    const double t = hol_data_time(data), exact = 0.5 * alpha * t * t;
    *most = fmax(*most, fabs(measure_of(data, 0) - exact));
    *most = fmax(*most, fabs(measure_of(data, 1) + exact / 2));
    return HOL_OK;
}

/* Constant accelerations are integrated exactly but for rounding, eps times the angle in every
 * step. Natural coordinates turn the bodies by sines and cosines: there the bound is that of the
 * integrator's errors, which grow with the square of the time. */
static void check_gears(const char *method, const char *coordinates, const char *mode,
                        double tolerance, double bound) {
    double most = 0;
    motion r = open_gears("", tolerance, method, coordinates, mode);
    const hol_observer observer = {.user = &most, .on_output = keep_error};
    if (hol_sim_run(r.sim, &observer)) fail_with_messages(r.ctx, method);
    near_to(most, 0, bound, method);
    run_close(&r, 1e-8);
}

static void test_gears_turn_thousands_of_times(void **state) {
    (void)state;
    for (int i = 0; i < N_METHODS; i++) {
        check_gears(methods[i], "reference", "land", 1e-8, 1e-7);
        check_gears(methods[i], "relative", "land", 1e-8, 1e-7);
    }
    check_gears("auto", "natural", "land", 1e-9, 1e-2);
}

static void test_interpolated_outputs(void **state) {
    (void)state;
    for (int i = 0; i < N_METHODS; i++)
        for (int k = 0; k < 2; k++)
            check_gears(methods[i], "reference", "dense", k ? 1e-8 : 1e-6, 1e-5);
}

/* first > 100 at t = sqrt(200/alpha). */
static void test_stop_after_turns(void **state) {
    (void)state;
    for (int i = 0; i < N_METHODS; i++) {
        motion r = open_gears("stop_when: first > 100\n", 1e-8, methods[i], "reference", "land");
        if (hol_sim_run(r.sim, &(hol_observer){0})) fail_with_messages(r.ctx, methods[i]);
        assert_int_equal(sim_info(r.sim).end, HOL_END_STOP);
        near_to(hol_data_time(r.data), sqrt(200 / alpha), 1e-8, methods[i]);
        run_close(&r, 1e-8);
    }
}

/* ---- far from the origin ---- */

static const char *const far_text =
    "holonom: 1\nspace: planar\ngravity: [0.3, -9.37]\nparameters: {X: %g, Y: %g}\n"
    "points: {O: [X, Y], A: [X + 0.41, Y + 0.73], B: [X + 2.17, Y + 1.33], C: [X + 2.6, Y - "
    "0.12]}\n"
    "bodies:\n  crank: {mass: 1.37, inertia: 0.117, along: [O, A]}\n"
    "  coupler: {mass: 2.9, inertia: 0.83, along: [A, B]}\n"
    "  rocker: {mass: 1.1, inertia: 0.29, along: [C, B]}\n"
    "joints:\n  O: {type: revolute, bodies: [ground, crank], at: O}\n"
    "  A: {type: revolute, bodies: [crank, coupler], at: A}\n"
    "  B: {type: revolute, bodies: [rocker, coupler], at: B}\n"
    "  C: {type: revolute, bodies: [ground, rocker], at: C}\n"
    "simulation: {end: 2, tolerance: 1e-8, coordinates: %s}\n";

/* Coordinates of 5e4 m are rounded to 7e-12 m; the angles of links of 1 m follow to about that,
 * times the growth of errors in 2 s. */
static void test_far_from_the_origin(void **state) {
    static const char *const sets[] = {"reference", "natural", "relative"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        double angle[2];
        for (int k = 0; k < 2; k++) {
            char text[2048];
            snprintf(text, sizeof text, far_text, k ? 5e4 : 0.0, k ? 2e4 : 0.0, sets[i]);
            motion r = run_open(text);
            run_to(&r, 2);
            angle[k] = atan2(pose_of(&r, "crank").R[3], pose_of(&r, "crank").R[0]);
            hol_sim_free(r.sim);
            hol_options_free(r.options);
            hol_model_free(r.model);
            hol_context_free(r.ctx);
        }
        near_to(angle[1], angle[0], 1e-6, sets[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gears_turn_thousands_of_times),
        cmocka_unit_test(test_interpolated_outputs),
        cmocka_unit_test(test_stop_after_turns),
        cmocka_unit_test(test_far_from_the_origin),
    };
    return run_tests_of_models("many turns", tests);
}
