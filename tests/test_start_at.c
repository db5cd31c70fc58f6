/* test_start_at.c: runs that start at their static equilibrium (`start_at: equilibrium`), against
 * closed forms, in every set of coordinates; what keeps a run from starting there is named.
 */
#include "mechanism_stage.h"

#include <math.h>

static const char *const sets[] = {"reference", "natural", "relative"};
enum { SETS = sizeof sets / sizeof *sets };

#define HEAD "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
#define START "simulation: {end: 0.4, start_at: equilibrium}\n"

/* The simulation of a text in a set of coordinates; NULL: it did not start. */
static hol_sim *open_in(mech *m, const char *text, const char *set) {
    *m = (mech){.ctx = hol_context_new()};
    hol_spec *spec = hol_spec_new(m->ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    assert_int_equal(hol_spec_set(spec, "simulation.coordinates", set, "test"), HOL_OK);
    m->model = hol_model_from_spec(m->ctx, spec, &m->options);
    hol_spec_free(spec);
    if (!m->model) fail_with_messages(m->ctx, text);
    return hol_sim_new(m->ctx, m->model, m->options);
}

static double value_of(hol_sim *sim, const char *column) {
    double x = NAN;
    const int i = hol_model_measure_index(hol_sim_model(sim), column);
    assert_true(i >= 0);
    hol_data_measure(hol_sim_data(sim), i, &x);
    return x;
}

/* A measure at the start and at the end of the run, which does not move. The limits are those of
 * the search, 1e-9 of the largest force, and of the run, 1e-8. */
static void check_stays(const char *text, const char *column, double wanted, const char *word) {
    for (int s = 0; s < SETS; s++) {
        mech m;
        hol_sim *sim = open_in(&m, text, sets[s]);
        if (!sim) fail_with_messages(m.ctx, text);
        const hol_sim_info start = sim_info(sim);
        assert_string_equal(start.equilibrium, word);
        assert_true(start.equilibrium_moved > 1e-3);
        assert_true(start.start_position_violation < 1e-14);
        assert_true(said(m.ctx, "starts at its static equilibrium"));
        check_close(value_of(sim, column), wanted, 1e-9, sets[s], text);
        assert_int_equal(hol_sim_run(sim, NULL), HOL_OK);
        check_close(value_of(sim, column), wanted, 1e-8, sets[s], text);
        hol_sim_free(sim);
        mech_close(&m);
    }
}

/* k (x - x0) + m g l cos x = 0 */
static double hanging_rod(double k, double x0, double mgl) {
    double x = x0;
    for (int i = 0; i < 60; i++) x -= (k * (x - x0) + mgl * cos(x)) / (k - mgl * sin(x));
    return x;
}

static void test_rod_on_a_spring(void **state) {
    (void)state;
    check_stays(HEAD "bodies:\n"
                     "  rod: {mass: 2.385, inertia: 0.07155, position: [0, 0], angle: 0.4, com: "
                     "[0.3, 0]}\n"
                     "joints:\n  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
                     "forces:\n  k: {type: torsion, joint: hinge, stiffness: 20.3, damping: 0.3}\n"
                     "measures:\n  a: {type: angle, body: rod}\n" START,
                "a", hanging_rod(20.3, 0.4, 2.385 * 9.81 * 0.3), "stable");
}

/* m g sin 25 deg / k along an inclined guide in space */
static void test_slider_in_space(void **state) {
    (void)state;
    const double slope = 25 * acos(-1) / 180, by = 1.73 * 9.81 * sin(slope) / 412.0;
    check_stays(
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
        "bodies:\n  b: {mass: 1.73, inertia: [0.1, 0.2, 0.15], position: [0.2, 0.1, 0]}\n"
        "joints:\n  s: {type: prismatic, bodies: [ground, b], at: [0.2, 0.1, 0], axis: "
        "[cos(25 deg), 0, -sin(25 deg)]}\n"
        "forces:\n  k: {type: axial_spring, bodies: [ground, b], from: [0.2, 0.1, 0], to: [0.2, "
        "0.1, 0], axis: [cos(25 deg), 0, -sin(25 deg)], stiffness: 412, damping: 9}\n"
        "measures:\n  x: {type: joint_coordinate, joint: s}\n" START,
        "x", by, "stable");
}

/* A controller with an integral part holds the weight: its state is at rest with the torque
 * m g l cos(0.31) = integral z. */
static void test_states_rest(void **state) {
    (void)state;
    check_stays(HEAD
                "bodies:\n  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
                "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
                "forces:\n  hold: {type: pid, joint: A, target: 0.31, proportional: 40, integral: "
                "15, derivative: 6}\n"
                "measures:\n  T: {type: load, force: hold, quantity: load}\n" START,
                "T", 1.2 * 9.81 * 0.5 * cos(0.31), "stable");
}

/* A rod falls into its rope: its end hangs the length below the hook. */
static void test_rope(void **state) {
    (void)state;
    check_stays(HEAD "bodies:\n  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
                     "joints:\n  sling: {type: rope, bodies: [ground, rod], from: [1.5, 1], to: "
                     "[1, 0], length: 1.3}\n"
                     "measures:\n  end: {type: position, body: rod, at: [1, 0]}\n" START,
                "end.y", 1 - 1.3, "stable");
}

/* Positions are those of rest, velocities those of the file: a motor that turns, a joint that has a
 * rate at the start. */
static void test_velocities(void **state) {
    (void)state;
    static const char text[] = HEAD
        "bodies:\n"
        "  crank: {mass: 1.2, inertia: 0.02, along: [[0, 0], [0.3, 0.1]]}\n"
        "  bob: {mass: 2.1, inertia: 0.03, along: [[0.3, 0.1], [0.8, 0.2]]}\n"
        "joints:\n"
        "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [crank, bob], at: [0.3, 0.1], start: {angle: 0.2, "
        "angle_rate: -0.9}}\n"
        "  M: {type: motor, joint: A, speed: 2.7}\n"
        "measures:\n  a: {type: angle, body: bob}\n  w: {type: angular_velocity, body: crank}\n"
        "  u: {type: angular_velocity, body: bob}\n" START;
    for (int s = 0; s < SETS; s++) {
        mech m;
        hol_sim *sim = open_in(&m, text, sets[s]);
        if (!sim) fail_with_messages(m.ctx, text);
        check_close(sin(value_of(sim, "a")), -1, 1e-15, "it hangs", sets[s]);
        check_close(value_of(sim, "w"), 2.7, 1e-12, "motor", sets[s]);
        check_close(value_of(sim, "u"), 2.7 - 0.9, 1e-12, "rate", sets[s]);
        assert_true(sim_info(sim).start_velocity_violation < 1e-13);
        hol_sim_free(sim);
        mech_close(&m);
    }
}

/* Drawn upright a pendulum stays there, and a warning says that it will not for long. */
static void test_unstable(void **state) {
    (void)state;
    mech m;
    hol_sim *sim = open_in(&m,
                           HEAD "bodies:\n  b: {mass: 2.385, inertia: 0.1, along: [[0, 0], [0, "
                                "0.7]]}\n"
                                "joints:\n  h: {type: revolute, bodies: [ground, b], at: [0, "
                                "0]}\n" START,
                           "relative");
    assert_non_null(sim);
    assert_string_equal(sim_info(sim).equilibrium, "unstable");
    assert_true(said(m.ctx, "unstable in the direction"));
    hol_sim_free(sim);
    mech_close(&m);
}

/* A wheel on its hub rests anywhere, which the note says with its name. */
static void test_neutral(void **state) {
    (void)state;
    mech m;
    hol_sim *sim = open_in(&m,
                           HEAD "bodies:\n  wheel: {mass: 2.385, inertia: 0.17, position: [0.3, "
                                "0.1]}\n"
                                "joints:\n  hub: {type: revolute, bodies: [ground, wheel], at: "
                                "[0.3, 0.1]}\n" START,
                           "reference");
    assert_non_null(sim);
    assert_string_equal(sim_info(sim).equilibrium, "neutral");
    assert_true(said(m.ctx, "neutral, since no force resists it: body 'wheel' turns"));
    hol_sim_free(sim);
    mech_close(&m);
}

/* Nothing starts without an equilibrium, or without the assembly that it needs. */
static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *words, *element;
    } cases[] = {
        {HEAD "bodies:\n  b: {mass: 2.385, inertia: 0.1, position: [0.3, 0]}\n" START,
         "nothing holds it", "body 'b'"},
        {HEAD "bodies:\n  b: {mass: 2.385, inertia: 0.1, along: [[0, 0], [0.7, 0]]}\n"
              "joints:\n  h: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"
              "simulation: {start_at: equilibrium, assemble: off}\n",
         "leave one of the two out", "simulation"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mech m;
        assert_null(open_in(&m, cases[i].text, "reference"));
        const hol_message *last = hol_message_get(m.ctx, hol_message_count(m.ctx) - 1);
        assert_non_null(strstr(last->text, cases[i].words));
        assert_string_equal(last->element, cases[i].element);
        assert_true(last->where.line > 3);
        mech_close(&m);
    }
}

/* A run whose error is estimated makes its repeats from the same start. */
static void test_repeats(void **state) {
    (void)state;
    mech m;
    hol_sim *sim =
        open_in(&m,
                HEAD "bodies:\n  rod: {mass: 2.385, inertia: 0.07, along: [[0, 0], [0.5, 0.3]]}\n"
                     "joints:\n  hinge: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"
                     "forces:\n  k: {type: torsion, joint: hinge, stiffness: 20.3}\n"
                     "  push: {type: torque, body: rod, torque: 3*sin(4*t)}\n"
                     "measures:\n  a: {type: angle, body: rod}\n"
                     "simulation: {end: 0.9, start_at: equilibrium, tolerance_kind: end}\n",
                "relative");
    if (!sim) fail_with_messages(m.ctx, "repeats");
    assert_int_equal(hol_sim_run(sim, NULL), HOL_OK);
    assert_true(sim_info(sim).repeats >= 2 && sim_info(sim).estimated_error < 1e-8);
    hol_sim_free(sim);
    mech_close(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rod_on_a_spring), cmocka_unit_test(test_slider_in_space),
        cmocka_unit_test(test_states_rest),     cmocka_unit_test(test_rope),
        cmocka_unit_test(test_velocities),      cmocka_unit_test(test_unstable),
        cmocka_unit_test(test_neutral),         cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_repeats),
    };
    if (!reads_yaml()) return skip_models();
    return cmocka_run_group_tests_name("start_at", tests, NULL, NULL);
}
