/* test_contact_rest.c: what sticks stays where it is, for hours: blocks on a slope, on a table that
 * shakes, on a disk that turns, across another one; by explicit and implicit formulas and one with
 * a history, in all coordinates. What is left is what corrections leave of positions, 1e-12, and
 * does not grow with the time. */
#include "model_fixture.h"

static const double left = 1e-12;

static const char *const sets[] = {"reference", "natural", "relative"};

#define BOX "mass: 2.385, inertia: [0.0731, 0.05, 0.09]"
#define RUBS "friction: 0.53}\n"

/* On a slope of 20.3 degrees that leans to both sides, with tan < 0.53. */
static const char slope[] =
    "holonom: 1\nspace: spatial\ngravity: [-3.17, 1.13, -9.31]\nbodies:\n"
    "  b: {" BOX ", position: [0.4173, 0.231, 0.0937]}\njoints:\n"
    "  f: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, 0, 1]}, "
    "{type: box, size: [0.5311, 0.4117, 0.1874]}], " RUBS
    "measures:\n  p: {type: position, body: b}\nsimulation: {end: 20000}\n";

static const char planar_slope[] =
    "holonom: 1\nspace: planar\ngravity: [-3.17, -9.31]\nbodies:\n"
    "  b: {mass: 2.385, inertia: 0.0731, position: [0.4173, 0.0937]}\njoints:\n"
    "  f: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, 1]}, "
    "{type: box, size: [0.5311, 0.1874]}], " RUBS
    "measures:\n  p: {type: position, body: b}\nsimulation: {end: 20000}\n";

/* It begins at rest, and its accelerations, 2 m/s^2, are less than 0.53 g. */
static const char table[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  t: {mass: 10, inertia: 1, position: [0, -0.05]}\n"
    "  b: {mass: 2.385, inertia: 0.0731, position: [0.4173, 0.0937]}\njoints:\n"
    "  guide: {type: prismatic, bodies: [ground, t], at: [0, -0.05], axis: [1, 0]}\n"
    "  drive: {type: driver, joint: guide, position: \"0.0371*(1 - cos(7.3*t))\"}\n"
    "  f: {type: rigid_contact, bodies: [t, b], shapes: [{type: plane, at: [0, 0], normal: [0, "
    "1]}, "
    "{type: box, size: [0.5311, 0.1874]}], " RUBS
    "measures:\n  p: {type: position, body: b, relative_to: t}\nsimulation: {end: 1000}\n";

static const char disk[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  d: {mass: 10, inertia: [1, 1, 2], position: [0, 0, -0.05]}\n"
    "  b: {" BOX ", position: [0.4173, 0.231, 0.0937]}\njoints:\n"
    "  pivot: {type: revolute, bodies: [ground, d], at: [0, 0, -0.05], axis: [0, 0, 1]}\n"
    "  drive: {type: driver, joint: pivot, position: \"0.93*(t - sin(0.71*t)/0.71)\"}\n"
    "  f: {type: rigid_contact, bodies: [d, b], shapes: [{type: plane, at: [0, 0, 0], normal: "
    "[0, 0, 1]}, {type: box, size: [0.5311, 0.4117, 0.1874]}], " RUBS
    "measures:\n  p: {type: position, body: b, relative_to: d}\nsimulation: {end: 1000}\n";

/* A beam across another one, at 63 degrees, touches it where edges cross. */
static const char across[] =
    "holonom: 1\nspace: spatial\ngravity: [-1.17, 1.13, -9.31]\nbodies:\n"
    "  a: {mass: 3, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.05]}\n"
    "  b: {" BOX ", position: [0.013, 0.021, 0.15], orientation: {axis: [0, 0, 1], angle: 1.1}}\n"
    "joints:\n"
    "  f: {type: rigid_contact, bodies: [ground, a], shapes: [{type: plane, normal: [0, 0, 1]}, "
    "{type: box, size: [0.8, 0.12, 0.1]}], " RUBS
    "  on: {type: rigid_contact, bodies: [a, b], shapes: [{type: box, size: [0.8, 0.12, 0.1]}, "
    "{type: box, size: [0.7, 0.13, 0.1]}], " RUBS
    "measures:\n  p: {type: position, body: b}\nsimulation: {end: 20000}\n";

/* Events change numbers while it rests; then the slope holds it no longer. */
static const char changed[] =
    "holonom: 1\nspace: planar\nparameters: {mu: 0.53, m: 2.385}\ngravity: [-3.17, -9.31]\n"
    "bodies:\n  b: {mass: m, inertia: 0.0731, position: [0.4173, 0.0937]}\njoints:\n"
    "  f: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, 1]}, "
    "{type: box, size: [0.5311, 0.1874]}], friction: mu}\n"
    "measures:\n  p: {type: position, body: b}\n"
    "events:\n  heavy: {when: t > 1.3, do: {set: {m: 5.17}}}\n"
    "  smooth: {when: t > 100, do: {set: {mu: 0.2}}}\nsimulation: {end: 20000}\n";

/* The same with round edges, and a capsule that lies in the plane: none of them can roll. */
static const char round_slope[] =
    "holonom: 1\nspace: spatial\ngravity: [-3.17, 1.13, -9.31]\nbodies:\n"
    "  b: {" BOX ", position: [0.4173, 0.231, 0.0937]}\njoints:\n"
    "  f: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, 0, 1]}, "
    "{type: box, size: [0.5311, 0.4117, 0.1874], radius: 0.0213}], " RUBS
    "measures:\n  p: {type: position, body: b}\nsimulation: {end: 20000}\n";
static const char round_planar_slope[] =
    "holonom: 1\nspace: planar\ngravity: [-3.17, -9.31]\nbodies:\n"
    "  b: {mass: 2.385, inertia: 0.0731, position: [0.4173, 0.0937]}\njoints:\n"
    "  f: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, 1]}, "
    "{type: box, size: [0.5311, 0.1874], radius: 0.0213}], " RUBS
    "measures:\n  p: {type: position, body: b}\nsimulation: {end: 20000}\n";
static const char capsule[] =
    "holonom: 1\nspace: planar\ngravity: [-3.17, -9.31]\nbodies:\n"
    "  b: {mass: 2.385, inertia: 0.0731, position: [0.4173, 0.0937]}\njoints:\n"
    "  f: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, 1]}, "
    "{type: capsule, at: [0.1173, 0.0937], to: [0.7173, 0.0937], radius: 0.0937}], " RUBS
    "measures:\n  p: {type: position, body: b}\nsimulation: {end: 20000}\n";
static const char round_disk[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  d: {mass: 10, inertia: [1, 1, 2], position: [0, 0, -0.05]}\n"
    "  b: {" BOX ", position: [0.4173, 0.231, 0.0937]}\njoints:\n"
    "  pivot: {type: revolute, bodies: [ground, d], at: [0, 0, -0.05], axis: [0, 0, 1]}\n"
    "  drive: {type: driver, joint: pivot, position: \"0.93*(t - sin(0.71*t)/0.71)\"}\n"
    "  f: {type: rigid_contact, bodies: [d, b], shapes: [{type: plane, at: [0, 0, 0], normal: "
    "[0, 0, 1]}, {type: box, size: [0.5311, 0.4117, 0.1874], radius: 0.0213}], " RUBS
    "measures:\n  p: {type: position, body: b, relative_to: d}\nsimulation: {end: 1000}\n";

/* It is tipped by a push, rolls over one round corner and falls back. */
static const char tipped[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
    "  b: {mass: 2.385, inertia: 0.0731, position: [0.4173, 0.1937]}\njoints:\n"
    "  f: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, 1]}, "
    "{type: box, size: [0.2311, 0.3874], radius: 0.0213}], friction: 0.97}\nforces:\n"
    "  push: {type: force, body: b, at: [0.4173, 0.3], force: [\"if(t > 0.2 and t < 0.5, 8.7, "
    "0)\", 0]}\n"
    "measures:\n  p: {type: position, body: b}\n  a: {type: angle, body: b}\n"
    "simulation: {end: 2000}\n";

static run start(const char *text, const char *integrator, const char *set, const char *more) {
    char settings[256];
    snprintf(settings, sizeof settings,
             "simulation.integrator=%s simulation.coordinates=%s simulation.tolerance=1e-8 %s",
             integrator, set, more);
    return run_text(text, settings);
}

/* It is where it was, at several times. */
static void check_stays(const char *text, const char *integrator, const char *set, double end,
                        double y) {
    char what[128];
    run r = start(text, integrator, set, "");
    const double x = run_measure(&r, "p.x");
    for (int i = 1; i <= 4; i++) {
        run_to(&r, end * i / 4);
        snprintf(what, sizeof what, "%s, %s, at %g s", integrator, set, end * i / 4);
        check_near(what, run_measure(&r, "p.x"), x, left);
        check_near(what, run_measure(&r, "p.y"), y, left);
    }
    run_close(&r);
}

static void test_slope(void **unused) {
    static const char *const integrators[] = {"dopri5", "bs32", "radau5", "bdf"};
    (void)unused;
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 4; i++) {
            check_stays(slope, integrators[i], sets[s], 1e4, 0.231);
            check_stays(planar_slope, integrators[i], sets[s], 1e4, 0.0937);
        }
}

static void test_table(void **unused) {
    (void)unused;
    for (int s = 0; s < 3; s++) {
        check_stays(table, "dopri5", sets[s], 40, 0.1437);
        check_stays(table, "radau5", sets[s], 10, 0.1437);
    }
}

static void test_disk(void **unused) {
    (void)unused;
    for (int s = 0; s < 3; s++) {
        check_stays(disk, "dopri5", sets[s], 20, 0.231);
        check_stays(disk, "radau5", sets[s], 7, 0.231);
    }
}

static void test_across(void **unused) {
    (void)unused;
    for (int s = 0; s < 3; s++) {
        check_stays(across, "dopri5", sets[s], 1e4, 0.021);
        check_stays(across, "radau5", sets[s], 1e4, 0.021);
    }
}

/* The springs of `penalty` give way once and for all. */
static void test_springs(void **unused) {
    (void)unused;
    run r = start(planar_slope, "radau5", "reference", "simulation.method=penalty");
    run_to(&r, 10);
    const double x = run_measure(&r, "p.x");
    check_near("it gives way", x, 0.4173, 1e-5);
    run_to(&r, 1e4);
    check_near("and stays", run_measure(&r, "p.x"), x, left);
    run_close(&r);
}

/* It slides from t = 100 on, by a t^2/2. */
static void test_changed(void **unused) {
    (void)unused;
    for (int s = 0; s < 3; s++) {
        run r = start(changed, "dopri5", sets[s], "");
        run_to(&r, 100);
        check_near("it stays", run_measure(&r, "p.x"), 0.4173, left);
        run_to(&r, 102);
        check_near("it slides", run_measure(&r, "p.x"), 0.4173 - 2 * (3.17 - 0.2 * 9.31), 1e-8);
        run_close(&r);
    }
}

static void test_round(void **unused) {
    static const char *const integrators[] = {"dopri5", "bs32", "radau5", "bdf"};
    (void)unused;
    for (int s = 0; s < 3; s++) {
        for (int i = 0; i < 4; i++) {
            check_stays(round_slope, integrators[i], sets[s], 1e4, 0.231);
            check_stays(round_planar_slope, integrators[i], sets[s], 1e4, 0.0937);
            check_stays(capsule, integrators[i], sets[s], 1e4, 0.0937);
        }
        check_stays(round_disk, "dopri5", sets[s], 20, 0.231);
        check_stays(round_disk, "radau5", sets[s], 7, 0.231);
    }
}

/* Rolling in the plane leads back: the box stands where it stood, to the error of the steps that
 * rolled, and stays there with all digits. */
static void test_tipped(void **unused) {
    static const char *const integrators[] = {"dopri5", "radau5", "bdf"};
    (void)unused;
    for (int i = 0; i < 3; i++) {
        run r = start(tipped, integrators[i], "reference", "");
        run_to(&r, 0.45);
        const double angle = run_measure(&r, "a");
        print_message("%s: tipped to %.4f rad, off by %.1e\n", integrators[i], angle,
                      run_measure(&r, "p.x") - 0.4173);
        assert_true(angle < -0.02 && angle > -0.3);
        run_to(&r, 10);
        check_near("it stands again", run_measure(&r, "a"), 0, 1e-12);
        const double x = run_measure(&r, "p.x");
        check_near("where it stood", x, 0.4173, 1e-7);
        run_to(&r, 2000);
        check_near("and stays", run_measure(&r, "p.x"), x, left);
        run_close(&r);
    }
}

/* What stops while it slides is held where it stopped, and its derivative by the speed stays. */
static void test_stopped(void **unused) {
    (void)unused;
    run r = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                     "  b: {mass: 2.385, inertia: 0.0731, position: [0.4173, 0.0937], velocity: "
                     "[1.31, 0]}\njoints:\n"
                     "  f: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, "
                     "normal: [0, 1]}, {type: box, size: [0.5311, 0.1874]}], " RUBS
                     "measures:\n  p: {type: position, body: b}\nsimulation: {end: 20000}\n",
                     "simulation.integrator=dopri5 simulation.tolerance=1e-10");
    run_to(&r, 1);
    const double x = run_measure(&r, "p.x");
    check_near("it stops", x, 0.4173 + 1.31 * 1.31 / (2 * 0.53 * 9.81), 1e-9);
    run_to(&r, 1e4);
    check_near("and stays", run_measure(&r, "p.x"), x, left);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope),   cmocka_unit_test(test_table),
        cmocka_unit_test(test_disk),    cmocka_unit_test(test_across),
        cmocka_unit_test(test_springs), cmocka_unit_test(test_changed),
        cmocka_unit_test(test_stopped), cmocka_unit_test(test_round),
        cmocka_unit_test(test_tipped),
    };
    if (!run_reads_files()) return skip_models();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
