/* test_elements_drivers.c: drivers, motors and couplers follow their laws. */
#include "motion_fixture.h"

/* ---- drivers ---- */

/* x(t) = 0.4 t + 0.3 sin 2t given as itself, as its rate and as its second derivative. */
static void test_motors_at_three_levels(void **state) {
    static const char *const laws[] = {"angle: 0.4*t + 0.3*sin(2*t)", "speed: 0.4 + 0.6*cos(2*t)",
                                       "acceleration: -1.2*sin(2*t), initial_rate: 1.0"};
    double torque[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  rod: {mass: 1.2, inertia: "
            "0.13, along: [[0, 0], [0.9, 0]]}\njoints:\n"
            "  motor: {type: motor, joint: A, %s}\n  A: {type: revolute, bodies: [ground, rod], "
            "at: [0, 0]}\n"
            "simulation: {end: 3, tolerance: 1e-10}\n",
            laws[i]);
        motion run = run_open(text.text);
        run_to(&run, 2.7);
        const double x = 0.4 * 2.7 + 0.3 * sin(5.4);
        const hol_pose p = pose_of(&run, "rod");
        near_to(atan2(p.R[3], p.R[0]), x, 1e-8, "angle");
        near_to(twist_of(&run, "rod").omega[2], 0.4 + 0.6 * cos(5.4), 1e-8, "speed");
        hol_sim_step(run.sim);
        torque[i] = reaction_of(run.data, hol_model_joint(run.model, "motor")).moment[2];
        /* what ground receives is the opposite of the torque on the rod, (I + m l^2/4) x'' + m g
         * l/2 cos x */
        const double t = hol_data_time(run.data), y = 0.4 * t + 0.3 * sin(2 * t);
        near_to(-torque[i], (0.13 + 1.2 * 0.2025) * -1.2 * sin(2 * t) + 1.2 * g * 0.45 * cos(y),
                1e-6, "torque");
        run_close(&run, 1e-9);
    }
}

/* Steps of a double pendulum whose first rod follows an acceleration. */
static long steps_with_acceleration(const char *method, const char *coordinates) {
    mech_text text = {.used = 0};
    put(&text,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  a: {mass: 1.2, inertia: 0.3, position: [0.5, 0]}\n"
        "  b: {mass: 0.8, inertia: 0.2, position: [1.5, 0]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
        "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
        "  m: {type: motor, joint: A, acceleration: 0.7*cos(2*t), initial_rate: 0.3}\n"
        "simulation: {end: 1, tolerance: 1e-9, method: %s, coordinates: %s}\n",
        method, coordinates);
    motion run = run_open(text.text);
    run_to(&run, 1);
    near_to(twist_of(&run, "a").omega[2], 0.3 + 0.35 * sin(2), 1e-9, method);
    const hol_sim_info info = sim_info(run.sim);
    assert_true(info.max_velocity_violation < 1e-8);
    assert_true(info.relative_energy_error < 1e-8);
    run_free(&run);
    return (long)info.steps;
}

/* The rate that is driven is a state of its own. Methods that solve A v = b for velocities need it
 * before them: with that of the stage before every step is short. */
static void test_accelerations_under_methods(void **state) {
    static const char *const methods[] = {"partitioning-extended", "independent-extended",
                                          "canonical", "canonical-augmented"},
                             *const sets[] = {"reference", "natural", "relative"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        const long few = steps_with_acceleration("lagrange", sets[k]);
        for (int i = 0; i < 4; i++)
            assert_in_range(steps_with_acceleration(methods[i], sets[k]), 1, 3 * few);
    }
}

/* In a joint that turns and slides the motor turns; its displacement stays free, or follows the
 * thread. */
static void test_motors_of_joints_that_slide_as_well(void **state) {
    static const char *const joints[] = {"cylindrical", "screw, pitch: 0.37"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  a: {mass: 1.3, "
            "inertia: [0.1, 0.2, 0.3]}\njoints:\n"
            "  c: {type: %s, bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
            "  m: {type: motor, joint: c, speed: 120 deg/s + sin(t)}\n"
            "measures:\n  x: {type: joint_coordinate, joint: c, component: angle}\n"
            "  s: {type: joint_coordinate, joint: c, component: displacement}\n"
            "simulation: {end: 1, tolerance: 1e-10}\n",
            joints[i]);
        motion run = run_open(text.text);
        run_to(&run, 0.9);
        const double turn = 120 * acos(-1) / 180 * 0.9 + 1 - cos(0.9),
                     slide = i ? 0.37 * turn / (2 * acos(-1)) : -9.81 * 0.81 / 2;
        near_to(measure_of(run.data, hol_model_measure_index(run.model, "x")), turn, 1e-9, "x");
        near_to(measure_of(run.data, hol_model_measure_index(run.model, "s")), slide, 1e-9, "s");
        run_close(&run, 1e-9);
    }
}

/* A distance, a component and an angle about an axis in space follow their laws. */
static void test_drivers_in_space(void **state) {
    (void)state;
    motion run = run_open(
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  a: {mass: 1, inertia: "
        "[0.02, 0.03, 0.04], position: [0.5, 0, 0]}\n"
        "joints:\n  ball: {type: spherical, bodies: [ground, a], at: [0, 0, 0]}\n"
        "  d: {type: driver, bodies: [ground, a], from: [1, 1, 0.2], to: [0.5, 0, 0], position: "
        "1.1357816691600546 + 0.1*sin(2*t)}\n"
        "  z: {type: driver, body: a, at: [0.5, 0, 0], component: z, velocity: 0.1*cos(t)}\n"
        "  r: {type: driver, bodies: [ground, a], axis: [1, 0, 0], acceleration: 0.5, "
        "initial_rate: 0.2}\n"
        "measures:\n  l: {type: distance, bodies: [ground, a], from: [1, 1, 0.2], to: [0.5, 0, "
        "0]}\n  z: {type: position, body: a, component: z}\n"
        "simulation: {end: 1, tolerance: 1e-10}\n");
    run_to(&run, 0.8);
    near_to(measure_of(run.data, hol_model_measure_index(run.model, "l")),
            1.1357816691600546 + 0.1 * sin(1.6), 1e-9, "distance");
    near_to(measure_of(run.data, hol_model_measure_index(run.model, "z")), 0.1 * sin(0.8), 1e-9,
            "z");
    /* the twist of the rotation about x: 2 atan2(p1, p0), in half angles from the matrix */
    const hol_pose p = pose_of(&run, "a");
    near_to(2 * atan2(p.R[7] - p.R[5], 1 + p.R[0] + p.R[4] + p.R[8]), 0.2 * 0.8 + 0.25 * 0.64, 1e-9,
            "twist");
    run_close(&run, 1e-9);
}

/* Kinds of coordinates: a joint that has it, its keys, a measure of it, and its value as drawn. */
static const struct {
    int spatial;
    const char *what, *joint, *keys, *measure;
    double x0;
} driven[] = {
    {0, "angle of a revolute joint", "A: {type: revolute, bodies: [ground, a], at: [0.1, 0.2]}",
     "joint: A", "joint_coordinate, joint: A", 0},
    {0, "displacement of a prismatic joint",
     "A: {type: prismatic, bodies: [b, a], at: [0.1, 0.2], axis: [3, 4]}", "joint: A",
     "joint_coordinate, joint: A", 0},
    {0, "distance", NULL, "bodies: [b, a], from: [0.2, 2.3], to: [0.5, 0.1]",
     "distance, bodies: [b, a], from: [0.2, 2.3], to: [0.5, 0.1]", 2.2203603311174516},
    {0, "point", NULL, "body: a, at: [0.7, -0.3], component: y",
     "position, body: a, at: [0.7, -0.3], component: y", -0.3},
    {0, "angle of a body", NULL, "body: a, component: angle", "angle, body: a", 0.35},
    {0, "angle of two bodies", NULL, "bodies: [b, a]", "angle, body: a, relative_to: b", 0},
    {1, "angle of a cylindrical joint",
     "A: {type: cylindrical, bodies: [b, a], at: [0.1, 0.2, 0.3], axis: [1, 2, 2]}",
     "joint: A, component: angle", "joint_coordinate, joint: A, component: angle", 0},
    {1, "displacement of a cylindrical joint",
     "A: {type: cylindrical, bodies: [ground, a], at: [0.1, 0.2, 0.3], axis: [1, 2, 2]}",
     "joint: A", "joint_coordinate, joint: A", 0},
    {1, "distance", NULL, "bodies: [ground, a], from: [0.2, 2.3, 0.4], to: [0.5, 0.1, 0.7]",
     "distance, bodies: [ground, a], from: [0.2, 2.3, 0.4], to: [0.5, 0.1, 0.7]",
     2.240535650240808},
    {1, "point", NULL, "body: a, at: [0.7, -0.3, 0.2], component: z",
     "position, body: a, at: [0.7, -0.3, 0.2], component: z", 0.2},
    {1, "angle of two bodies", NULL, "bodies: [b, a], axis: [0, 0.6, 0.8]",
     "angle, body: a, relative_to: b, axis: [0, 0.6, 0.8]", 0},
};

/* Every kind of coordinate follows x(t) = x0 + 0.4 t + 0.3 sin 2t, x0 as drawn, when it is given as
 * itself, as its rate and as its second derivative; named by its keys, and by a measure of it. */
static void test_drivers_at_three_levels(void **state) {
    static const char *const laws[] = {"position: %.17g + 0.4*t + 0.3*sin(2*t)",
                                       "velocity: 0.4 + 0.6*cos(2*t)",
                                       "acceleration: -1.2*sin(2*t), initial_rate: 1"};
    (void)state;
    for (size_t i = 0; i < sizeof driven / sizeof *driven; i++)
        for (int way = 0; way < 6; way++) {
            mech_text text = {.used = 0};
            char law[128], what[128];
            /* the angle of a body counts from the x axis, the measure of two bodies in the plane as
             * well: -0.9 and 0.35 as drawn */
            const int absolute =
                strcmp(driven[i].what, "angle of two bodies") == 0 && !driven[i].spatial;
            const double x0 = absolute && way >= 3 ? 0.35 + 0.9 : driven[i].x0;
            snprintf(law, sizeof law, laws[way % 3], x0);
            snprintf(what, sizeof what, "%s, way %d", driven[i].what, way);
            put(&text,
                driven[i].spatial
                    ? "holonom: 1\nspace: spatial\ngravity: [0.3, -0.2, -9.81]\nbodies:\n  a: "
                      "{mass: 1.3, inertia: [0.02, 0.03, 0.04], position: [0.5, 0.1, 0.2]}\n  "
                      "b: {mass: 2.1, inertia: [0.2, 0.3, 0.4], position: [-0.4, 0.1, 0.6]}\n"
                    : "holonom: 1\nspace: planar\ngravity: [0.3, -9.81]\nbodies:\n  a: {mass: "
                      "1.3, inertia: 0.02, position: [0.5, 0.1], angle: 0.35}\n  b: {mass: "
                      "2.1, inertia: 0.3, position: [-0.4, 0.1], angle: -0.9}\n");
            put(&text, "joints:\n");
            if (driven[i].joint) put(&text, "  %s\n", driven[i].joint);
            put(&text,
                "  J: {type: driver, %s, %s}\nmeasures:\n  m: {type: %s}\nsimulation: {end: 2, "
                "tolerance: 1e-10}\n",
                way >= 3 ? "measure: m" : driven[i].keys, law, driven[i].measure);
            motion run = run_open(text.text);
            const double drawn = measure_of(run.data, 0), t = 1.3;
            run_to(&run, t);
            near_to(measure_of(run.data, 0) - drawn, 0.4 * t + 0.3 * sin(2 * t), 1e-8, what);
            run_close(&run, 1e-8);
        }
}

/* Position and velocity couplers follow their equations, over full turns. */
static void test_couplers(void **state) {
    (void)state;
    motion run = run_open("holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1.2, inertia: 0.1, "
                          "position: [0, 0], omega: 4}\n"
                          "  b: {mass: 0.7, inertia: 0.05, position: [2, 0]}\n  c: {mass: 0.4, "
                          "inertia: 0.01, position: [3, 0]}\njoints:\n"
                          "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n  B: {type: "
                          "revolute, bodies: [ground, b], at: [2, 0]}\n"
                          "  C: {type: prismatic, bodies: [ground, c], at: [3, 0], axis: [0, 1]}\n"
                          "  f: {type: coupler, coordinates: {x: {joint: A}, y: {joint: B}}, "
                          "equation: y - 0.2*sin(x) - 0.3*x}\n"
                          "  v: {type: velocity_coupler, coordinates: {x: {joint: A}, s: {joint: "
                          "C}}, factors: [0.1*cos(x), 1], value: 0.02*t}\n"
                          "measures:\n  x: {type: joint_coordinate, joint: A}\n  y: {type: "
                          "joint_coordinate, joint: B}\n  s: {type: joint_coordinate, joint: C}\n"
                          "simulation: {end: 3, tolerance: 1e-10}\n");
    run_to(&run, 3);
    const double x = measure_of(run.data, 0);
    assert_true(x > 7);
    near_to(measure_of(run.data, 1), 0.2 * sin(x) + 0.3 * x, 1e-11, "coupler");
    /* s' = 0.02 t - 0.1 cos(x) x' can be integrated */
    near_to(measure_of(run.data, 2), 0.01 * 9 - 0.1 * sin(x), 1e-8, "velocity coupler");
    run_close(&run, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_motors_at_three_levels),
        cmocka_unit_test(test_accelerations_under_methods),
        cmocka_unit_test(test_motors_of_joints_that_slide_as_well),
        cmocka_unit_test(test_drivers_in_space),
        cmocka_unit_test(test_drivers_at_three_levels),
        cmocka_unit_test(test_couplers),
    };
    return run_tests_of_models("tests", tests);
}
