/* test_contact_shapes.c: blocks, rollers and balls in contact against closed solutions.
 *
 * Friction is mu N tanh(v/slip), so that what sticks creeps with slip atanh(T/(mu N)), and what
 * slides has lost mu N (1 - tanh) at the end: lengths differ by slip^2/(mu g), 1e-8 m here.
 */
#include "mechanism_fixture.h"
#include "model_fixture.h"

static const double g = 9.81;

/* The run to its end; the balance of energy stays to a share of the largest part of it. */
static void run_balanced(run *r, double share) {
    const double start = energy_of(hol_sim_data(r->sim)).balance;
    run_whole(r);
    const hol_energy e = energy_of(hol_sim_data(r->sim));
    check_near("balance", e.balance, start,
               share * (fabs(start) + fabs(e.work) + fabs(e.potential)));
}

/* Hertz: a sphere that meets a plane with v has p = (5 m v^2/(4 k))^(2/5) at the turn, and leaves
 * it after 2 p/v int_0^1 dx/sqrt(1 - x^2.5) = 2.94327 p/v. */
static void test_hertz_impact(void **state) {
    static const char *const model =
        "holonom: 1\nspace: spatial\nbodies:\n  b: {mass: 0.37, inertia: 1e-3, position: [0, 0, "
        "0.04], velocity: [0, 0, -1.7]}\n"
        "forces:\n  c: {type: contact, bodies: [b, ground], shapes: [{type: sphere, radius: 0.04}, "
        "{type: plane, normal: [0, 0, 1]}], modulus: 3e7}\n"
        "measures:\n  v: {type: velocity, body: b, component: z}\n"
        "  N: {type: load, force: c, quantity: normal}\n"
        "  p: {type: load, force: c, quantity: penetration}\n"
        "stop_when: '%s'\nsimulation: {end: 0.1, tolerance: 1e-10}\n";
    char text[2048];
    const double m = 0.37, v = 1.7, k = 4.0 / 3 * 3e7 * sqrt(0.04),
                 p = pow(5 * m * v * v / (4 * k), 0.4),
                 whole = 2 * sqrt(acos(-1.0)) * tgamma(0.4) / (2.5 * tgamma(0.9)) * p / v;
    (void)state;
    snprintf(text, sizeof text, model, "v");
    run r = run_text(text, NULL);
    run_whole(&r);
    check_near("depth at the turn", run_measure(&r, "p"), p, 1e-8 * p);
    check_near("force at the turn", run_measure(&r, "N"), k * pow(p, 1.5), 1e-8 * k * pow(p, 1.5));
    run_close(&r);
    snprintf(text, sizeof text, model, "if(t > 1e-4, -p, -1)");
    r = run_text(text, NULL);
    run_whole(&r);
    check_near("duration", hol_sim_data(r.sim)->t, whole, 1e-7 * whole);
    check_near("speed after it", run_measure(&r, "v"), v, 1e-8);
    run_close(&r);
}

/* A block that slides to rest: v^2/(2 mu g), in the plane and in space, on a half-space and on a
 * box, whose N is m g all the time, and it does not turn: friction below the mass centre only
 * shifts the place of N by mu h/2. */
static void test_sliding(void **state) {
    static const char *const floors[] = {"planar",
                                         "{type: plane, normal: [0, 1]}",
                                         "{type: box, size: [0.3, 0.1]}",
                                         "planar",
                                         "{type: box, at: [0, -0.5], size: [9, 1]}",
                                         "{type: box, size: [0.3, 0.1]}",
                                         "spatial",
                                         "{type: plane, normal: [0, 1, 0]}",
                                         "{type: box, size: [0.3, 0.1, 0.2]}",
                                         "spatial",
                                         "{type: box, at: [0, -0.5, 0], size: [9, 1, 9]}",
                                         "{type: box, size: [0.3, 0.1, 0.2]}"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const int space = i > 1, n = space ? 4 : 2;
        char text[2048];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: %s\ngravity: [0, -9.81%s]\nparameters: {k: 1e6, p: "
                 "3*9.81/(%d*k)}\n"
                 "bodies:\n  b: {mass: 3, inertia: %s, position: [0, 0.05 - p%s], velocity: [2, "
                 "0%s]}\n"
                 "forces:\n  c: {type: contact, bodies: [ground, b], shapes: [%s, %s], stiffness: "
                 "k, exponent: 1, dissipation: linear, damping: 300, friction: 0.3, slip_speed: "
                 "1e-4}\n"
                 "measures:\n  x: {type: position, body: b, component: x}\n"
                 "  v: {type: velocity, body: b, component: x}\n"
                 "  N: {type: load, force: c, quantity: normal}\n"
                 "  place: {type: load, force: c, quantity: place, component: x}\n"
                 "simulation: {end: 0.9, tolerance: 1e-8, integrator: rodasp}\n",
                 floors[3 * i], space ? ", 0" : "", n, space ? "[0.0125, 0.0325, 0.025]" : "0.025",
                 space ? ", 0" : "", space ? ", 0" : "", floors[3 * i + 1], floors[3 * i + 2]);
        run r = run_text(text, NULL);
        run_to(&r, 0.3);
        check_near("N while it slides", run_measure(&r, "N"), 3 * g, 1e-6);
        check_near("speed", run_measure(&r, "v"), 2 - 0.3 * g * 0.3, 1e-6);
        check_near("place of N", run_measure(&r, "place") - run_measure(&r, "x"), 0.3 * 0.05, 1e-5);
        run_balanced(&r, 1e-7);
        check_near("way to rest", run_measure(&r, "x"), 4 / (2 * 0.3 * g), 1e-6);
        check_near("N at rest", run_measure(&r, "N"), 3 * g, 1e-6);
        run_close(&r);
    }
}

/* A block of width w and height h on a slope that is pulled along it: it tips about its lower edge
 * where the pull at height a exceeds m g w/(2 a), and slides where it exceeds mu m g. */
static void test_tipping(void **state) {
    static const struct {
        double share, mu;
        int tips;
    } cases[] = {{0.97, 0.9, 0}, {1.03, 0.9, 1}, {1.03, 0.5, 0}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[2048];
        const double w = 0.2, a = 0.17, pull = cases[i].share * 3 * g * w / (2 * a);
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
            "bodies:\n  b: {mass: 3, inertia: 0.02, position: [0, 0.1]}\n"
            "forces:\n  c: {type: contact, bodies: [ground, b], shapes: [{type: plane, normal: "
            "[0, 1]}, {type: box, size: [0.2, 0.2]}], stiffness: 1e7, exponent: 1, "
            "dissipation: linear, damping: 3000, friction: %g, slip_speed: 1e-4}\n"
            "  pull: {type: force, body: b, at: [0.1, %g], force: ['%.17g*min(1, t/0.2)', 0]}\n"
            "measures:\n  a: {type: angle, body: b}\n  x: {type: position, body: b, component: "
            "x}\n"
            "simulation: {end: 0.8, tolerance: 1e-7, integrator: rodasp}\n",
            cases[i].mu, a, pull);
        run r = run_text(text, NULL);
        run_to(&r, 0.8);
        const double angle = -run_measure(&r, "a");
        if (cases[i].tips != (angle > 0.05)) fail_msg("case %d: it turned by %g", i, angle);
        if (cases[i].mu == 0.5) assert_true(run_measure(&r, "x") > 0.01);
        run_close(&r);
    }
}

/* A capsule or a cylinder down a slope of angle a rolls without slip: acceleration
 * g sin a/(1 + I/(m r^2)) along it, up to the depth p beside r and to the creep of friction. */
static void test_rolling(void **state) {
    static const char *const shapes[] = {"capsule", "cylinder"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: spatial\ngravity: [9.81*sin(0.2), -9.81*cos(0.2), 0]\n"
            "parameters: {k: 1e8, p: 1.3*9.81*cos(0.2)/(2*k), I: 4e-4}\n"
            "bodies:\n  b: {mass: 1.3, inertia: [0.01, 0.01, I], position: [0, 0.03 - p, 0]}\n"
            "forces:\n  c: {type: contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, "
            "1, 0]}, {type: %s, at: [0, 0.03 - p, -0.2], to: [0, 0.03 - p, 0.3], radius: 0.03}], "
            "stiffness: k, exponent: 1, dissipation: linear, damping: 3000, friction: 0.4, "
            "slip_speed: 1e-4}\n"
            "measures:\n  v: {type: velocity, body: b, component: x}\n  w: {type: "
            "angular_velocity, body: b, component: z}\n  N: {type: load, force: c, quantity: "
            "normal}\nsimulation: {end: 0.5, tolerance: 1e-8, integrator: rodasp}\n",
            shapes[i]);
        run r = run_text(text, NULL);
        const double rate = g * sin(0.2) / (1 + 4e-4 / (1.3 * 0.03 * 0.03));
        run_balanced(&r, 1e-7);
        check_near("speed", run_measure(&r, "v"), rate * 0.5, 1e-4);
        check_near("no slip", run_measure(&r, "v") + 0.03 * run_measure(&r, "w"), 0, 1e-4);
        check_near("N", run_measure(&r, "N"), 1.3 * g * cos(0.2), 2e-3);
        run_close(&r);
    }
}

/* Blocks of the same size on each other, one across them and a plank across that, dropped from
 * nowhere: every N is what lies above, and nothing turns. */
static void test_stack(void **state) {
    static const char *const law = "stiffness: 1e6, exponent: 1, dissipation: linear, damping: "
                                   "1000, friction: 0.4, slip_speed: 1e-3";
    (void)state;
    char text[4096];
    snprintf(text, sizeof text,
             "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
             "  a: {mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, 0.05]}\n"
             "  b: {mass: 1.1, shape: {type: box, size: [0.2, 0.2, 0.1]}, position: [0, 0, 0.15]}\n"
             "  c: {mass: 1.2, shape: {type: box, size: [0.3, 0.1, 0.1]}, position: [0, 0, 0.25], "
             "orientation: {axis: [0, 0, 1], angle: 0.3}}\n"
             "  d: {mass: 1.3, shape: {type: box, size: [0.08, 0.5, 0.02]}, position: [0.03, 0, "
             "0.31], orientation: {axis: [0, 0, 1], angle: 0.2}}\n"
             "forces:\n"
             "  f: {type: contact, bodies: [ground, a], shapes: [{type: plane, normal: [0, 0, 1]}, "
             "{type: box, size: [0.2, 0.2, 0.1]}], %s}\n"
             "  ab: {type: contact, bodies: [a, b], shapes: [{type: box, size: [0.2, 0.2, 0.1]}, "
             "{type: box, size: [0.2, 0.2, 0.1]}], %s}\n"
             "  bc: {type: contact, bodies: [b, c], shapes: [{type: box, size: [0.2, 0.2, 0.1]}, "
             "{type: box, size: [0.3, 0.1, 0.1]}], %s}\n"
             "  cd: {type: contact, bodies: [d, c], shapes: [{type: box, size: [0.08, 0.5, 0.02]}, "
             "{type: box, size: [0.3, 0.1, 0.1]}], %s}\n"
             "measures:\n  N1: {type: load, force: f, quantity: normal}\n  N2: {type: load, force: "
             "ab, quantity: normal}\n  N3: {type: load, force: bc, quantity: normal}\n  N4: {type: "
             "load, force: cd, quantity: normal}\n  place: {type: load, force: cd, quantity: "
             "place}\n  w: {type: angular_velocity, body: d}\n  d: {type: position, body: d}\n"
             "simulation: {end: 1, tolerance: 1e-7, integrator: rodas4}\n",
             law, law, law, law);
    run r = run_text(text, NULL);
    run_balanced(&r, 1e-6);
    check_near("N on the floor", run_measure(&r, "N1"), 4.6 * g, 1e-5);
    check_near("N between equal blocks", run_measure(&r, "N2"), 3.6 * g, 1e-5);
    check_near("N of a turned block", run_measure(&r, "N3"), 2.5 * g, 1e-5);
    check_near("N of a plank across", run_measure(&r, "N4"), 1.3 * g, 1e-5);
    check_near("place x", run_measure(&r, "place.x"), run_measure(&r, "d.x"), 1e-5);
    check_near("place y", run_measure(&r, "place.y"), run_measure(&r, "d.y"), 1e-5);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"w.x", "w.y", "w.z"};
        check_near("turn", run_measure(&r, names[i]), 0, 1e-6);
    }
    run_close(&r);
}

/* A ball between two plates, of which the upper one is loaded: below it carries both. */
static void test_between_plates(void **state) {
    (void)state;
    run r = run_text(
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  ball: {mass: 0.7, inertia: 1e-3, position: [0.1, 0.05]}\n"
        "  plate: {mass: 2.1, inertia: 0.1, position: [0.1, 0.11]}\n"
        "joints:\n  guide: {type: prismatic, bodies: [ground, plate], at: [0.1, 0.1], axis: [0, "
        "1]}\n"
        "forces:\n  low: {type: contact, bodies: [ground, ball], shapes: [{type: box, at: [0, -1], "
        "size: [4, 2]}, {type: sphere, radius: 0.05}], stiffness: 2e5, exponent: 1.5, restitution: "
        "0.3}\n"
        "  high: {type: contact, bodies: [ball, plate], shapes: [{type: sphere, radius: 0.05}, "
        "{type: box, size: [0.4, 0.02]}], stiffness: 2e5, exponent: 1.5, restitution: 0.3}\n"
        "  push: {type: force, body: plate, at: [0.1, 0.1], force: [0, -7]}\n"
        "  slow: {type: drag, body: plate, linear: 40}\n"
        "measures:\n  low: {type: load, force: low, quantity: normal}\n  high: {type: load, force: "
        "high, quantity: normal}\n"
        "simulation: {end: 2, tolerance: 1e-8, integrator: rodasp}\n",
        NULL);
    run_balanced(&r, 1e-6);
    check_near("above", run_measure(&r, "high"), 2.1 * g + 7, 1e-4);
    check_near("below", run_measure(&r, "low"), 2.8 * g + 7, 1e-4);
    run_close(&r);
}

/* Edges that cross in the air: two long boxes, one turned onto its edge; and two capsules. The
 * speed after an elastic impact of a free body on a fixed one is that before it. */
static void test_edges(void **state) {
    static const char *const shapes[] = {
        "{type: box, at: [0, 0, 0], size: [2, 0.1, 0.1], across: [0, 1, 1]}, {type: box, at: [0, "
        "0, "
        "0.5], size: [0.1, 2, 0.1], across: [0, 1, 0], along: [1, 0, 1]}",
        "{type: capsule, at: [-1, 0, 0], to: [1, 0, 0], radius: 0.1}, {type: capsule, at: [0, -1, "
        "0.5], to: [0, 1, 0.5], radius: 0.05}",
        "{type: box, at: [0, 0, 0], size: [2, 0.1, 0.1], across: [0, 1, 1]}, {type: capsule, at: "
        "[0, -1, 0.5], to: [0, 1, 0.5], radius: 0.05}",
        "{type: hull, at: [0, 0, 0], points: [[-1, 0, 0.1], [1, 0, 0.1], [0, 0.2, -0.1], [0, -0.2, "
        "-0.1]]}, {type: box, at: [0, 0, 0.5], size: [0.1, 2, 0.1], along: [1, 0, 1], across: [0, "
        "1, 0]}"};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: spatial\nbodies:\n  b: {mass: 0.37, inertia: [0.1, 0.01, 0.1], "
            "position: [0, 0, 0.5], velocity: [0, 0, -1.9]}\n"
            "forces:\n  c: {type: contact, bodies: [ground, b], shapes: [%s], stiffness: 1e6, "
            "exponent: 1.5}\nmeasures:\n  v: {type: velocity, body: b}\n  w: {type: "
            "angular_velocity, body: b}\n"
            "simulation: {end: 0.4, tolerance: 1e-9}\n",
            shapes[i]);
        run r = run_text(text, NULL);
        run_balanced(&r, 1e-8);
        check_near("speed after the impact", run_measure(&r, "v.z"), 1.9, 1e-7);
        check_near("no spin", run_measure(&r, "w.x"), 0, 1e-7);
        run_close(&r);
    }
}

/* A box with a spin that tumbles on a floor without friction and loss: its energy, and what it has
 * along the floor, stay. */
static void test_tumbling(void **state) {
    (void)state;
    run r = run_text(
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  b: {mass: 1.4, shape: {type: box, size: [0.3, 0.2, 0.1]}, position: [0, 0, 0.5], "
        "velocity: [0.3, 0.1, 0], omega: [3, -2, 1]}\n"
        "forces:\n  c: {type: contact, bodies: [b, ground], shapes: [{type: box, size: [0.3, 0.2, "
        "0.1]}, {type: box, at: [0, 0, -1], size: [9, 9, 2]}], stiffness: 1e5, exponent: 1.5}\n"
        "measures:\n  v: {type: velocity, body: b}\n  E: {type: energy}\n"
        "simulation: {end: 2, tolerance: 1e-11}\n",
        NULL);
    run_balanced(&r, 1e-8);
    check_near("along x", run_measure(&r, "v.x"), 0.3, 1e-8);
    check_near("along y", run_measure(&r, "v.y"), 0.1, 1e-8);
    check_near("work", run_measure(&r, "E.work"), 0, 1e-9);
    run_close(&r);
}

/* Cylinders and rounded boxes that bounce without friction and loss: the balance of energy stays,
 * with as many digits as the tolerance has, and so does the speed along the floor. */
static void test_round_shapes(void **state) {
    static const char *const pairs[][2] = {
        {"{type: cylinder, at: [0.02, 0.01, 0.4], to: [0.05, 0.15, 0.6], radius: 0.08}",
         "{type: plane, normal: [0, 0, 1]}"},
        {"{type: box, size: [0.3, 0.2, 0.12], radius: 0.03}", "{type: plane, normal: [0, 0, 1]}"},
        {"{type: hull, points: [[-0.1, 0, 0], [0.1, 0.02, 0], [0, 0.13, -0.05], [0, 0, 0.15]], "
         "radius: 0.02}",
         "{type: plane, normal: [0, 0, 1]}"},
        {"{type: cylinder, at: [0.02, 0.01, 0.4], to: [0.05, 0.15, 0.6], radius: 0.08}",
         "{type: sphere, at: [0.1, 0.02, -4], radius: 4}"},
        {"{type: box, size: [0.3, 0.2, 0.12], radius: 0.03}",
         "{type: capsule, at: [-2, 0.1, -1], to: [2, 0, -1], radius: 1}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                 "  b: {mass: 1.4, inertia: [0.011, 0.017, 0.02], position: [0, 0, 0.5], velocity: "
                 "[0.3, 0.1, 0], omega: [3, -2, 1]}\n"
                 "forces:\n  c: {type: contact, bodies: [b, ground], shapes: [%s, %s], stiffness: "
                 "1e5, exponent: 1.5}\n"
                 "measures:\n  v: {type: velocity, body: b}\n  N: {type: load, force: c, quantity: "
                 "normal}\nsimulation: {end: 1.5, tolerance: 1e-11}\n",
                 pairs[i][0], pairs[i][1]);
        run r = run_text(text, NULL);
        run_balanced(&r, 1e-8);
        if (i < 3) check_near("along x", run_measure(&r, "v.x"), 0.3, 1e-8);
        run_close(&r);
    }
}

/* A cylinder that is set down on its end, a little tilted, comes to rest upright: four touches
 * carry it, p = m g/(4 k). */
static void test_standing(void **state) {
    (void)state;
    run r = run_text(
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  b: {mass: 1.4, inertia: [0.02, 0.02, 0.01], position: [0, 0, 0.201]}\n"
        "forces:\n  c: {type: contact, bodies: [ground, b], shapes: [{type: plane, normal: [0, 0, "
        "1]}, {type: cylinder, at: [6e-4, -2e-4, 1e-3], to: [-6e-4, 2e-4, 0.401], radius: 0.1}], "
        "stiffness: 2e4, exponent: 1, dissipation: linear, damping: 200, friction: 0.5, "
        "slip_speed: "
        "1e-3}\nmeasures:\n  N: {type: load, force: c, quantity: normal}\n"
        "  p: {type: load, force: c, quantity: penetration}\n"
        "  w: {type: angular_velocity, body: b}\nsimulation: {end: 2, tolerance: 1e-9, integrator: "
        "rodasp}\n",
        NULL);
    run_whole(&r);
    check_near("N", run_measure(&r, "N"), 1.4 * g, 1e-5);
    check_near("p", run_measure(&r, "p"), 1.4 * g / 8e4, 1e-9);
    check_near("turns", run_measure(&r, "w.x"), 0, 1e-6);
    run_close(&r);
}

/* Pairs that have no touches yet, and dimensions that leave nothing, are refused with a way out. */
static void test_refused(void **state) {
    static const char *const cases[][4] = {
        {"spatial", "{type: cylinder, to: [0, 0, 1], radius: 0.1}", "{type: box, size: [1, 1, 1]}",
         "a cylinder touches a plane or a sphere"},
        {"spatial", "{type: box, size: [1, 1, 1], radius: 0.1}", "{type: box, size: [1, 1, 1]}",
         "leave the radius out"},
        {"spatial", "{type: box, size: [1, 0.2, 1], radius: 0.1}",
         "{type: plane, normal: [0, 0, 1]}", "a side of the box is 0.2"},
        {"spatial", "{type: cylinder, at: [0, 0, 1], to: [0, 0, 1], radius: 0.1}",
         "{type: plane, normal: [0, 0, 1]}", "both ends of the cylinder are at the same place"},
        {"planar", "{type: cylinder, to: [0, 1], radius: 0.1}", "{type: plane, normal: [0, 1]}",
         "a cylinder is in space"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: %s\nbodies:\n  b: {mass: 1, inertia: 1}\nforces:\n  c: {type: "
                 "contact, bodies: [b, ground], shapes: [%s, %s], stiffness: 1}\nsimulation: {end: "
                 "1}\n",
                 cases[i][0], cases[i][1], cases[i][2]);
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        assert_null(hol_model_compile(ctx, spec, NULL));
        const hol_message *last = run_last_error(ctx);
        if (!last || !strstr(last->text, cases[i][3])) fail_msg("case %zu: no word of it", i);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hertz_impact), cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_tipping),      cmocka_unit_test(test_rolling),
        cmocka_unit_test(test_stack),        cmocka_unit_test(test_between_plates),
        cmocka_unit_test(test_edges),        cmocka_unit_test(test_tumbling),
        cmocka_unit_test(test_round_shapes), cmocka_unit_test(test_standing),
        cmocka_unit_test(test_refused),
    };
    return run_tests_of_models("tests", tests);
}
