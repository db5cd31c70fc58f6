/* test_inverse.c: the loads that a motion takes: those that caused it come back, of open chains and
 * loops, in all coordinates; least loads and limits against closed forms; what is refused. */
#include "method_fixture.h"

#define ARM(more)                                                                                  \
    "holonom: 1\nname: arm\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                         \
    "  upper: {mass: 2, inertia: 0.1, position: [0.3, 0]}\n"                                       \
    "  lower: {mass: 1, inertia: 0.05, position: [0.9, 0.1]}\njoints:\n"                           \
    "  shoulder: {type: revolute, bodies: [ground, upper], at: [0, 0]}\n"                          \
    "  elbow: {type: revolute, bodies: [upper, lower], at: [0.6, 0]}\n" more                       \
    "simulation: {end: 1, output: 0.1}\n"

/* A crank that is driven in a four-bar. */
#define BAR                                                                                        \
    "holonom: 1\nname: bar\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                         \
    "  crank: {mass: 1, inertia: 0.1, along: [[0, 0], [0.5, 0.9]]}\n"                              \
    "  coupler: {mass: 2, inertia: 0.9, along: [[0.5, 0.9], [2.8, 1.6]]}\n"                        \
    "  rocker: {mass: 1.5, inertia: 0.4, along: [[2.8, 1.6], [2.5, 0]]}\njoints:\n"                \
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"                                 \
    "  B: {type: revolute, bodies: [crank, coupler], at: [0.5, 0.9]}\n"                            \
    "  C: {type: revolute, bodies: [coupler, rocker], at: [2.8, 1.6]}\n"                           \
    "  D: {type: revolute, bodies: [ground, rocker], at: [2.5, 0]}\n"                              \
    "  turn: {type: driver, joint: A, velocity: 4}\n"                                              \
    "measures:\n  turn: {type: load, joint: turn, quantity: load}\n"                               \
    "  wa: {type: joint_coordinate, joint: A, component: angle_rate}\n"                            \
    "  wd: {type: joint_coordinate, joint: D, component: angle_rate}\n"                            \
    "simulation: {end: 1, output: 0.1, tolerance: 1e-12}\n"

static hol_status take(void *user, hol_sim *sim) {
    return hol_inverse_take(user, hol_sim_data(sim));
}

/* The answer for a model of that text over a run; NULL where something is refused, with a message
 * in the context of the run. */
static hol_answer *ask(run *motion, const hol_model *model, int n, const hol_actuator *actuators) {
    const hol_inverse_options how = {.size = sizeof how, .n_actuators = n, .actuators = actuators};
    hol_inverse *inverse;
    hol_answer *answer = NULL;
    if (hol_inverse_new(motion->ctx, model ? model : motion->model, &how, &inverse)) return NULL;
    const hol_observer observer = {.on_output = take, .user = inverse};
    if (hol_sim_run(motion->sim, &observer)) {
        hol_inverse_free(inverse);
        return NULL;
    }
    assert_int_equal(hol_inverse_finish(inverse, &answer), HOL_OK);
    return answer;
}

static hol_table loads_of(const hol_answer *answer) {
    assert_non_null(answer);
    return answer_table(answer, "loads");
}

/* An arm that torques move: the model without them finds the torques from the motion. */
static void test_torques_come_back(void **unused) {
    static const hol_actuator actuators[] = {{.name = "shoulder"}, {.name = "elbow"}};
    (void)unused;
    run plain = run_text(ARM(""), NULL);
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s tolerance=1e-9", sets[set]);
        run r = run_text(ARM("forces:\n"
                             "  t1: {type: torque, body: upper, torque: 12 + 2*sin(3*t)}\n"
                             "  t2: {type: torque, body: lower, reaction: upper, torque: "
                             "3*cos(2*t)}\n"),
                         settings);
        hol_answer *answer = ask(&r, plain.model, 2, actuators);
        const hol_table t = loads_of(answer);
        assert_int_equal(t.rows, 11);
        for (int i = 0; i < t.rows; i++) {
            const double time = answer_entry(&t, i, 0);
            check_near("time", time, 0.1 * i, 1e-14);
            check_near("shoulder", answer_entry(&t, i, 1), 12 + 2 * sin(3 * time), 1e-10);
            check_near("elbow", answer_entry(&t, i, 2), 3 * cos(2 * time), 1e-10);
        }
        assert_string_equal(t.column_units[1], "N*m");
        hol_answer_free(answer);
        run_close(&r);
    }
    run_close(&plain);
}

/* A loop: the driver's load, and the torque at the rocker that has the same power. */
static void test_loop(void **unused) {
    static const hol_actuator rocker[] = {{.name = "D"}};
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(BAR, settings), s = run_text(BAR, settings), u = run_text(BAR, settings);
        hol_answer *driver = ask(&r, NULL, 0, NULL), *other = ask(&s, NULL, 1, rocker);
        const hol_table a = loads_of(driver), d = loads_of(other);
        assert_string_equal(a.column_names[1], "turn");
        for (int i = 0; i < a.rows; i++) {
            run_to(&u, 0.1 * i);
            const double load = run_measure(&u, "turn"), wa = run_measure(&u, "wa"),
                         wd = run_measure(&u, "wd");
            check_near("driver", answer_entry(&a, i, 1), load, 1e-9);
            check_near("rate", wa, 4, 1e-11);
            check_near("power", answer_entry(&a, i, 3), load * 4, 4e-9);
            check_near("rocker", answer_entry(&d, i, 1), load * wa / wd, 1e-7 * fabs(wa / wd));
        }
        hol_answer_free(driver);
        hol_answer_free(other);
        run_close(&r);
        run_close(&s);
        run_close(&u);
    }
}

/* A driven four-bar with a brake that acts for a while, bristles with a state and a joint that lets
 * go: the load of the driver is that of the run, before and after. */
static const char coming[] =
    "holonom: 1\nname: bar\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  crank: {mass: 1, inertia: 0.1, along: [[0, 0], [0.5, 0.9]]}\n"
    "  coupler: {mass: 2, inertia: 0.9, along: [[0.5, 0.9], [2.8, 1.6]]}\n"
    "  rocker: {mass: 1.5, inertia: 0.4, along: [[2.8, 1.6], [2.5, 0]]}\n"
    "  bob: {mass: 0.4, inertia: 0.01, position: [2.2, 1.2]}\njoints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, coupler], at: [0.5, 0.9]}\n"
    "  C: {type: revolute, bodies: [coupler, rocker], at: [2.8, 1.6]}\n"
    "  D: {type: revolute, bodies: [ground, rocker], at: [2.5, 0]}\n"
    "  grip: {type: fixed, bodies: [rocker, bob], at: [2.2, 1.2], active: {until: t - 0.61}}\n"
    "  turn: {type: driver, joint: A, velocity: 1.3}\n"
    "forces:\n"
    "  brake: {type: torsion, joint: D, damping: 3, active: sin(9*t)}\n"
    "  bristles: {type: friction, joint: A, model: lugre, level: 1, level_static: 1.5, "
    "stribeck_speed: 0.01, bristle_stiffness: 1e3, bristle_damping: 20, viscous: 0.4}\n"
    "measures:\n  turn: {type: load, joint: turn, quantity: load}\n"
    "simulation: {end: 1, output: 0.05, tolerance: 1e-9}\n";

static void test_elements_that_come_and_go(void **unused) {
    static const hol_actuator drive[] = {{.name = "turn"}};
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(coming, settings), u = run_text(coming, settings);
        /* once the grip lets go the bob falls freely: nothing is asked of the driver for it */
        hol_answer *answer = ask(&r, NULL, 1, drive);
        if (!answer) run_print_messages(r.ctx);
        const hol_table t = loads_of(answer);
        assert_int_equal(t.rows, 21);
        for (int i = 0; i < t.rows; i++) {
            run_to(&u, answer_entry(&t, i, 0));
            check_near("driver", answer_entry(&t, i, 1), run_measure(&u, "turn"), 1e-6);
        }
        hol_answer_free(answer);
        run_close(&r);
        run_close(&u);
    }
}

/* A driven bar that catches a wheel where it meets it, holds it there and lets it go: the load of
 * the driver is J b'' + m g a cos(b), with the wheel in J while it is held; a wheel that was caught
 * elsewhere would have to turn. */
static void test_catch_here(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  bar: {mass: 1.7, inertia: 0.09, along: [[0, 0], [0.8, 0]]}\n"
        "  wheel: {mass: 0.9, inertia: 0.21, position: [0, 0]}\njoints:\n"
        "  pin: {type: revolute, bodies: [ground, bar], at: [0, 0]}\n"
        "  turn: {type: driver, joint: pin, position: 0.7*t^3}\n"
        "  axle: {type: revolute, bodies: [ground, wheel], at: [0, 0]}\n"
        "  latch: {type: generic, bodies: [wheel, bar], at: [0, 0], lock: [angle],\n"
        "    active: {catch: here}}\n"
        "events:\n  catch: {when: t > 0.42, do: {activate: latch}}\n"
        "  let_go: {when: t > 0.77, do: {release: latch}}\n"
        "simulation: {end: 1, output: 0.1, tolerance: 1e-10}\n";
    static const hol_actuator drive[] = {{.name = "turn"}};
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings);
        hol_answer *answer = ask(&r, NULL, 1, drive);
        if (!answer) run_print_messages(r.ctx);
        const hol_table t = loads_of(answer);
        for (int i = 0; i < t.rows; i++) {
            const double time = answer_entry(&t, i, 0), b = 0.7 * time * time * time,
                         J = 0.09 + 1.7 * 0.16 + (time > 0.42 && time < 0.77 ? 0.21 : 0);
            check_near("driver", answer_entry(&t, i, 1), J * 4.2 * time + 1.7 * 9.81 * 0.4 * cos(b),
                       1e-9);
        }
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* Two actuators for one freedom: least sum of w u^2 where w_a u_a + w_d u_d is the power; then one
 * at its limit. */
static void test_least_loads(void **unused) {
    (void)unused;
    for (int limited = 0; limited < 2; limited++) {
        const hol_actuator both[] = {
            {.name = "A", .low = limited ? -1 : 0, .high = limited ? 1 : 0},
            {.name = "D", .weight = 4}};
        run r = run_text(BAR, NULL), u = run_text(BAR, NULL);
        hol_answer *answer = ask(&r, NULL, 2, both);
        const hol_table t = loads_of(answer);
        for (int i = 0; i < t.rows; i++) {
            run_to(&u, 0.1 * i);
            const double power = 4 * run_measure(&u, "turn"), wa = run_measure(&u, "wa"),
                         wd = run_measure(&u, "wd");
            double a = power * wa / (wa * wa + wd * wd / 4);
            if (limited && fabs(a) > 1) a = a > 0 ? 1 : -1;
            const double d = (power - a * wa) / wd;
            check_near("crank", answer_entry(&t, i, 1), a, 1e-8);
            check_near("rocker", answer_entry(&t, i, 2), d, 1e-7 * (1 + fabs(d)));
        }
        hol_answer_free(answer);
        run_close(&r);
        run_close(&u);
    }
}

/* A slider that is driven along its rail, with a spring towards the origin. */
#define SLIDER                                                                                     \
    "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"                                        \
    "  block: {mass: 3, inertia: 1, position: [1, 0]}\njoints:\n"                                  \
    "  rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}\n"               \
    "  drive: {type: driver, joint: rail, position: 0.1*sin(2*t)}\nforces:\n"                      \
    "  k: {type: spring, bodies: [ground, block], from: [0, 0], to: [1, 0], "                      \
    "stiffness: 50, free_length: 0.8}\nsimulation: {end: 1, output: 0.25}\n"

/* The spring is asked to do it: its tension is then what the motion takes, -m x'' along x. */
static void test_spring(void **unused) {
    static const hol_actuator spring[] = {{.name = "k"}};
    (void)unused;
    run r = run_text(SLIDER, NULL);
    hol_answer *answer = ask(&r, NULL, 1, spring);
    const hol_table t = loads_of(answer);
    for (int i = 0; i < t.rows; i++)
        check_near("tension", answer_entry(&t, i, 1), 3 * 0.4 * sin(2 * answer_entry(&t, i, 0)),
                   1e-11);
    assert_string_equal(t.column_units[1], "N");
    hol_answer_free(answer);
    run_close(&r);
}

/* A force F in the rail and the tension T of the spring share the load, F - T = m x'': the least
 * F^2 + w T^2 of whole loads, whatever the spring does by itself, is at T = -m x''/(1 + w). One
 * that may only pull, and with 0.613 N at least, has limits of its whole tension, the upper one
 * being none. */
static void test_spring_shares(void **unused) {
    const double w = 0.37;
    (void)unused;
    for (int limited = 0; limited < 2; limited++) {
        const hol_actuator both[] = {
            {.name = "rail"},
            {.name = "k", .weight = w, .low = limited ? 0.613 : 0, .high = limited ? INFINITY : 0}};
        run r = run_text(SLIDER, NULL);
        hol_answer *answer = ask(&r, NULL, 2, both);
        const hol_table t = loads_of(answer);
        assert_int_equal(t.rows, 5);
        for (int i = 0; i < t.rows; i++) {
            const double time = answer_entry(&t, i, 0), force = -3 * 0.4 * sin(2 * time),
                         rate = 0.2 * cos(2 * time);
            double tension = -force / (1 + w);
            if (limited) tension = fmax(tension, 0.613);
            check_near("force", answer_entry(&t, i, 1), force + tension, 1e-11);
            check_near("tension", answer_entry(&t, i, 2), tension, 1e-11);
            check_near("power of the tension", answer_entry(&t, i, 4), -tension * rate, 1e-11);
            check_near("power", answer_entry(&t, i, 5), force * rate, 1e-11);
        }
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* Two wheels in mesh and a block on the first, four turns long: full turns are followed
 * in all coordinates, by the model itself and by one that knows the motion alone. The torque is
 * (Ja + Jc + Jb/4) alpha. */
static void test_turns(void **unused) {
#define WHEELS(name)                                                                               \
    "holonom: 1\nname: " name "\nspace: planar\ngravity: [0, 0]\nbodies:\n"                        \
    "  a: {mass: 1, inertia: 0.11, position: [0, 0]}\n"                                            \
    "  b: {mass: 1, inertia: 0.38, position: [0.3, 0]}\n"                                          \
    "  c: {mass: 0.7, inertia: 0.02, position: [0, 0]}\njoints:\n"                                 \
    "  pa: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"                                    \
    "  pb: {type: revolute, bodies: [ground, b], at: [0.3, 0]}\n"                                  \
    "  slot: {type: fixed, bodies: [a, c], at: [0, 0]}\n"                                          \
    "  mesh: {type: gear, joints: [pa, pb], teeth: [20, 40]}\n"                                    \
    "  turn: {type: motor, joint: pa, angle: 2*pi*t^2}\n"                                          \
    "simulation: {end: 2, output: 0.05}\n"
    const double pi = acos(-1.0), torque = (0.11 + 0.02 + 0.38 / 4) * 4 * pi;
    (void)unused;
    run other = run_text(WHEELS("other"), NULL);
    for (int k = 0; k < 2 * N_SETS; k++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[k / 2]);
        run r = run_text(WHEELS("wheels"), settings);
        hol_answer *answer = ask(&r, k % 2 ? other.model : NULL, 0, NULL);
        if (!answer) run_print_messages(r.ctx);
        const hol_table t = loads_of(answer);
        assert_int_equal(t.rows, 41);
        for (int i = 0; i < t.rows; i++) check_near("torque", answer_entry(&t, i, 1), torque, 1e-9);
        hol_answer_free(answer);
        run_close(&r);
    }
    run_close(&other);
}

/* A block that a slanted rod draws over the floor: the rod lifts it, and so changes the friction of
 * its rigid contact, F = m (a + s mu g)/(e_x + s mu e_y) with the direction e of the rod and the
 * sign s of the speed. The rod begins to pull with a jerk and does not turn the block round. */
static void test_sliding(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  block: {mass: 2.3, inertia: 0.05, position: [0, 0.1], velocity: [-1.9, 0]}\njoints:\n"
        "  floor: {type: rigid_contact, bodies: [ground, block], friction: 0.31, shapes: [{type: "
        "plane, normal: [0, 1]}, {type: box, size: [0.6, 0.2]}]}\n"
        "  pull: {type: driver, bodies: [ground, block], component: distance, from: [-3, 1.2], to: "
        "[0, 0.1], position: 'sqrt(9 + 1.21) - 1.78330*t + 0.4*t^2'}\n"
        "measures:\n  p: {type: position, body: block}\n  v: {type: velocity, body: block}\n"
        "  a: {type: acceleration, body: block}\n"
        "simulation: {end: 0.6, output: 0.1, tolerance: 1e-10}\n";
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        char settings[64];
        snprintf(settings, sizeof settings, "coordinates=%s", sets[set]);
        run r = run_text(text, settings), u = run_text(text, settings);
        hol_answer *answer = ask(&r, NULL, 0, NULL);
        if (!answer) run_print_messages(r.ctx);
        const hol_table t = loads_of(answer);
        assert_int_equal(t.rows, 7);
        for (int i = 0; i < t.rows; i++) {
            run_to(&u, 0.1 * i);
            const double x = run_measure(&u, "p.x") + 3, y = run_measure(&u, "p.y") - 1.2,
                         d = hypot(x, y), s = run_measure(&u, "v.x") < 0 ? -1 : 1,
                         F = 2.3 * (run_measure(&u, "a.x") + s * 0.31 * 9.81) /
                             (x / d + s * 0.31 * y / d);
            assert_true(s < 0 && fabs(F) > 0.1);
            check_near("pull", answer_entry(&t, i, 1), F, 1e-8 * fabs(F));
        }
        hol_answer_free(answer);
        run_close(&r);
        run_close(&u);
    }
}

/* ---- refused ---- */

static void check_refused(const char *text, const char *model, int n, const hol_actuator *actuators,
                          const char *words) {
    run r = run_text(text, NULL), other = {0};
    if (model) other = run_text(model, NULL);
    assert_null(ask(&r, other.model, n, actuators));
    if (!said_why(r.ctx, words)) {
        run_print_messages(r.ctx);
        fail_msg("wanted an error with '%s'", words);
    }
    if (model) run_close(&other);
    run_close(&r);
}

static void test_refusals(void **unused) {
    static const hol_actuator none[] = {{.name = "sholder"}}, one[] = {{.name = "shoulder"}},
                              tight[] = {{.name = "A", .low = -1e-3, .high = 1e-3}},
                              part[] = {{.name = "shoulder.twist"}},
                              twice[] = {{.name = "elbow"}, {.name = "elbow"}},
                              body[] = {{.name = "lower.z"}},
                              nan_limit[] = {{.name = "elbow", .low = NAN, .high = 1}};
    (void)unused;
    check_refused(ARM(""), NULL, 1, none, "did you mean 'shoulder'");
    check_refused(ARM(""), NULL, 0, NULL, "no driver whose load could be found; name what");
    check_refused(ARM(""), NULL, 1, part, "not along 'twist'");
    check_refused(ARM(""), NULL, 2, twice, "named twice");
    check_refused(ARM(""), NULL, 1, body, "x, y and angle");
    check_refused(ARM(""), NULL, 1, nan_limit, "limits, the lower one first");
    /* the elbow is not moved by gravity alone as these torques move it */
    check_refused(ARM("forces:\n  t: {type: torque, body: lower, reaction: upper, torque: 5}\n"),
                  ARM(""), 1, one, "name another actuator");
    check_refused(BAR, NULL, 1, tight, "within their limits");
    check_refused(BAR, NULL, 1, tight, "without limits the load of 'A' would be");
    check_refused(ARM(""), BAR, 1, tight, "no body of that name");
    /* another place of the elbow */
    check_refused(ARM(""),
                  "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                  "  upper: {mass: 2, inertia: 0.1, position: [0.3, 0]}\n"
                  "  lower: {mass: 1, inertia: 0.05, position: [0.9, 0.1]}\njoints:\n"
                  "  shoulder: {type: revolute, bodies: [ground, upper], at: [0, 0]}\n"
                  "  elbow: {type: revolute, bodies: [upper, lower], at: [0.5, 0]}\n",
                  1, one, "it does not allow the motion");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torques_come_back),
        cmocka_unit_test(test_loop),
        cmocka_unit_test(test_least_loads),
        cmocka_unit_test(test_spring),
        cmocka_unit_test(test_spring_shares),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_elements_that_come_and_go),
        cmocka_unit_test(test_catch_here),
        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_refusals),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
