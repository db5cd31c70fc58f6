/* test_elements_forces.c: forces against closed solutions: bushing, springs, stops, limits,
 * friction, drag, motor, controller, rotor. */
#include "model_fixture.h"

static const double g = 9.81;

/* The relative change of T + V - W over the run so far; what the integrator lets through at its
 * tolerance. */
static double balance_error(run *r, double start, double size) {
    return fabs(energy_of(hol_sim_data(r->sim)).balance - start) / size;
}

static double balance(run *r) {
    return energy_of(hol_sim_data(r->sim)).balance;
}

/* The largest acceleration at the start. */
static double first_acceleration(run *r) {
    double largest = 0;
    run_to(r, 0);
    const double *a = hol_data_acceleration(hol_sim_data(r->sim));
    for (int i = 0; i < model_info(r->model).n_v; i++) largest = fmax(largest, fabs(a[i]));
    return largest;
}

/* ---- axial spring ---- */

/* A point mass with a spring along (3, 4)/5 from the origin: along it x = x0 + (v/w) sin(w t),
 * w^2 = k/m; across it, nothing. On a body that turns with the constant speed W the direction
 * turns too: from rest at x0 on the axis, x'' = W^2 x - k/m (x - x0). The tolerance of the
 * integrator is 1e-11. */
static void test_axial_spring(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: planar\nbodies:\n"
                     "  b: {mass: 1.7, point: true, position: [0.6, 0.8], velocity: [0.1, 0.7]}\n"
                     "forces:\n  s: {type: axial_spring, bodies: [ground, b], from: [0, 0], to: "
                     "[0.6, 0.8], axis: [3, 4], stiffness: 85}\n"
                     "measures:\n  p: {type: position, body: b}\n"
                     "simulation: {end: 2, tolerance: 1e-11}\n",
                     NULL);
    run_to(&r, 1.37);
    const double w = sqrt(85 / 1.7), x = 1 + 0.62 / w * sin(w * 1.37), y = 1.37 * 0.34;
    check_near("along", run_measure(&r, "p.x"), 0.6 * x - 0.8 * y, 1e-9);
    check_near("across", run_measure(&r, "p.y"), 0.8 * x + 0.6 * y, 1e-9);
    run_close(&r);
    r = run_text("holonom: 1\nspace: spatial\nbodies:\n  arm: {mass: 1, inertia: [1, 1, 1], omega: "
                 "[0, 0, 3]}\n  b: {mass: 1.7, inertia: [1, 1, 1], position: [0.5, 0, 0], "
                 "velocity: [0, 1.5, 0], omega: [0, 0, 3]}\njoints:\n"
                 "  A: {type: revolute, bodies: [ground, arm], at: [0, 0, 0], axis: [0, 0, 1]}\n"
                 "  B: {type: prismatic, bodies: [arm, b], at: [0.5, 0, 0], axis: [1, 0, 0]}\n"
                 "  M: {type: motor, joint: A, speed: 3}\nforces:\n"
                 "  s: {type: axial_spring, bodies: [arm, b], from: [0, 0.2, 0.1], to: [0.5, 0.3, "
                 "0.4], axis: [1, 0, 0], stiffness: 85}\nmeasures:\n"
                 "  x: {type: load, force: s, quantity: displacement}\n"
                 "simulation: {end: 2, tolerance: 1e-11}\n",
                 NULL);
    run_to(&r, 1.37);
    const double rest = 50 * 0.5 / 41;
    check_near("turning", run_measure(&r, "x"), rest + (0.5 - rest) * cos(sqrt(41) * 1.37), 1e-9);
    run_close(&r);
}

/* ---- bushing ---- */

/* K x = f with a full matrix in the plane: x = (1.2, -0.7, 0.9)e-3 in a frame turned by 0.4 rad is
 * the rest position under the force and torque that K gives; forces of 1e2 N cancel to rounding, so
 * accelerations stay below 1e-12 times that. */
static void test_bushing_rest(void **state) {
    (void)state;
    run r = run_text(
        "holonom: 1\nspace: planar\n"
        "parameters: {x: 1.2e-3, y: -0.7e-3, a: 0.9e-3, c: cos(0.4), s: sin(0.4)}\n"
        "bodies:\n  b: {mass: 1.3, inertia: 0.2, position: [c*x - s*y, s*x + c*y], angle: a}\n"
        "forces:\n"
        "  mount: {type: bushing, bodies: [ground, b], at: [0, 0], at_second: {body: b, at: [0, "
        "0]}, axis: [c, s],\n"
        "    axis_second: [cos(0.4 + a), sin(0.4 + a)], stiffness: [[9e4, 2e3, 300], [2e3, 5e4, "
        "-700], [300, -700, 80]]}\n"
        "  load: {type: force, body: b, force: [c*fx - s*fy, s*fx + c*fy]}\n"
        "  twist: {type: torque, body: b, torque: 300*x - 700*y + 80*a}\n"
        "measures:\n  fx: {type: expression, value: 9e4*x + 2e3*y + 300*a}\n"
        "  fy: {type: expression, value: 2e3*x + 5e4*y - 700*a}\n",
        NULL);
    const double largest = first_acceleration(&r);
    if (!(largest < 1e-9)) fail_msg("the rest position accelerates with %g", largest);
    run_close(&r);
}

/* Free oscillation in one direction at a time: x0 cos(w t), w^2 = k/m, for translation along a
 * turned axis and for rotation about a principal axis of any size. The tolerance of the integrator
 * is 1e-11 over some 30 rad. */
static void test_bushing_frequency(void **state) {
    (void)state;
    run r = run_text("holonom: 1\nspace: spatial\n"
                     "bodies:\n  b: {mass: 1.7, inertia: [0.11, 0.19, 0.23], velocity: [0.3, 0, "
                     "0], omega: [0, 0, 8]}\n"
                     "forces:\n  mount: {type: bushing, bodies: [ground, b], at: [0, 0, 0], "
                     "stiffness: [850, 1, 1, 1, 1, 37]}\n"
                     "measures:\n  x: {type: position, body: b, component: x}\n  w: {type: "
                     "angular_velocity, body: b, component: z}\n"
                     "simulation: {end: 2, tolerance: 1e-11}\n",
                     NULL);
    const double start = balance(&r), wx = sqrt(850 / 1.7), wr = sqrt(37 / 0.23);
    run_to(&r, 1.37);
    check_near("x", run_measure(&r, "x"), 0.3 / wx * sin(wx * 1.37), 1e-9);
    check_near("omega", run_measure(&r, "w"), 8 * cos(wr * 1.37), 1e-8);
    assert_true(balance_error(&r, start, 10) < 1e-9);
    run_close(&r);
}

/* ---- springs and stops ---- */

/* A table as the law of a spring: at the length of a point of the table the force is that of the
 * point. */
static void test_spring_table(void **state) {
    (void)state;
    run r = run_open("elements/spring_table", NULL);
    const double start = balance(&r);
    run_whole(&r);
    assert_true(balance_error(&r, start, 12) < 1e-7);
    run_close(&r);
    r = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  b: {mass: 15/9.81, "
                 "inertia: 1, position: [0, -0.6]}\n"
                 "forces:\n  k: {type: spring, bodies: [ground, b], from: [0, 0], to: [0, -0.6], "
                 "force: 'table(length, 0.3, -60, 0.4, -25, 0.5, 0, 0.6, 15, 0.7, 45)'}\n",
                 NULL);
    assert_true(first_acceleration(&r) < 1e-12);
    run_close(&r);
}

/* A mass falls by h onto a one-sided spring: k p^2/2 = m g (h + p) at the deepest point, where the
 * speed is 0; back at the start its energy is what it was. In the other direction a rope does the
 * same. */
static void test_bump_stop(void **state) {
    static const char *const stops[] = {
        "from: [0, 0], to: [0, 0.8], length: 0.5, stiffness: k",
        "from: [0, 3], to: [0, 0.8], length: 2.5, stiffness: k, acts: above"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {k: 2300}\n"
            "bodies:\n  b: {mass: 1.9, inertia: 0.1, position: [0, 0.8]}\n"
            "joints:\n  guide: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [0, 1]}\n"
            "forces:\n  stop: {type: bump_stop, bodies: [ground, b], %s}\n"
            "measures:\n  y: {type: position, body: b, component: y}\n  v: {type: velocity, body: "
            "b, component: y}\n"
            "stop_when: v > 0\nsimulation: {end: 5, tolerance: 1e-11}\n",
            stops[i]);
        run r = run_text(text, NULL);
        const double m = 1.9, k = 2300, h = 0.3,
                     p = (m * g + sqrt(m * g * (m * g + 2 * k * h))) / k, start = balance(&r);
        run_whole(&r);
        check_near("deepest point", run_measure(&r, "y"), 0.5 - p, 1e-8);
        assert_true(balance_error(&r, start, 15) < 1e-10);
        run_close(&r);
    }
}

/* A slider runs into a stop without damping: penetration v sqrt(m/k), and it comes back with the
 * same speed; with damping it loses as much as the work says. */
static void test_limit(void **state) {
    (void)state;
    const char *text =
        "holonom: 1\nspace: spatial\nparameters: {c: 0}\n"
        "bodies:\n  b: {mass: 2.1, inertia: 0.1, velocity: [0, 1.3, 0]}\n"
        "joints:\n  rail: {type: cylindrical, bodies: [ground, b], at: [0, 0, 0], axis: [0, 1, "
        "0]}\n"
        "forces:\n  end: {type: limit, joint: rail, component: displacement, lower: -1, upper: "
        "0.2, stiffness: 8e3, damping: c, depth: 1e-3}\n"
        "measures:\n  s: {type: joint_coordinate, joint: rail, component: displacement}\n"
        "  v: {type: joint_coordinate, joint: rail, component: displacement_rate}\n"
        "simulation: {end: 1, tolerance: 1e-11}\n";
    const double m = 2.1, k = 8e3, v = 1.3, contact = 0.2 / v, quarter = acos(0) * sqrt(m / k);
    run r = run_text(text, NULL);
    run_to(&r, contact + quarter);
    check_near("penetration", run_measure(&r, "s") - 0.2, v * sqrt(m / k), 1e-9);
    run_to(&r, 0.5);
    check_near("speed after", run_measure(&r, "v"), -v, 1e-9);
    run_close(&r);
    r = run_text(text, "c=60");
    const double start = balance(&r);
    run_to(&r, 0.5);
    const hol_energy e = energy_of(hol_sim_data(r.sim));
    assert_true(e.kinetic < 0.5 * m * v * v * 0.7 && e.potential == 0);
    check_near("energy lost", 0.5 * m * v * v - e.kinetic, -e.work, 1e-8);
    assert_true(balance_error(&r, start, 1) < 1e-8);
    run_close(&r);
}

/* ---- friction ---- */

static const char *const incline =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "parameters: {a: 25 deg, mu: 0.3, m: 1.7, slip: 1e-3}\n"
    "bodies:\n  b: {mass: m, inertia: 0.1}\n"
    "joints:\n  track: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [-cos(a), "
    "-sin(a)]}\n"
    "forces:\n  grip: {type: friction, joint: track, level: mu*m*9.81*cos(a), slip_speed: slip}\n"
    "measures:\n  v: {type: joint_coordinate, joint: track, component: displacement_rate}\n"
    "simulation: {end: 1, tolerance: 1e-10}\n";

/* Sliding: a = g (sin a - mu cos a) once the speed is far above the slip speed. Sticking: the speed
 * at which mu cos a tanh(v/slip) = sin a. */
static void test_coulomb(void **state) {
    (void)state;
    const double a = 25 * acos(-1.0) / 180, slide = g * (sin(a) - 0.3 * cos(a));
    run r = run_text(incline, NULL);
    run_to(&r, 0.5);
    const double v1 = run_measure(&r, "v");
    run_to(&r, 1);
    check_near("acceleration", (run_measure(&r, "v") - v1) / 0.5, slide, 1e-8);
    run_close(&r);
    r = run_text(incline, "mu=0.6");
    run_to(&r, 1);
    check_near("creep", run_measure(&r, "v"), 1e-3 * atanh(tan(a) / 0.6), 1e-9);
    run_close(&r);
}

static const char *const rough =
    "holonom: 1\nspace: planar\nparameters: {F: 0.7}\n"
    "bodies:\n  b: {mass: 0.9, inertia: 0.1}\n"
    "joints:\n  floor: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
    "forces:\n  pull: {type: force, body: b, force: [F, 0]}\n"
    "  grip: {type: friction, joint: floor, model: lugre, level: 1, level_static: 1.5, "
    "stribeck_speed: 0.001, "
    "bristle_stiffness: 4e4, bristle_damping: 300, viscous: 2}\n"
    "measures:\n  x: {type: joint_coordinate, joint: floor}\n"
    "  v: {type: joint_coordinate, joint: floor, component: displacement_rate}\n"
    "simulation: {end: 8, tolerance: 1e-9}\n";

/* Below the static level the bristles hold: at rest z = F/s0, and the body has moved by a little
 * more, z' = v - s0 |v| z/g with z/g < F/Fs along the way: F/s0 <= x <= F/s0 / (1 - F/Fs). Above it
 * slides, at the end with F = Fc + c v. */
static void test_lugre(void **state) {
    (void)state;
    run r = run_text(rough, NULL);
    run_to(&r, 3);
    const double x = run_measure(&r, "x"), z = 0.7 / 4e4;
    assert_true(x >= z * (1 - 1e-6) && x <= z / (1 - 0.7 / 1.5));
    assert_true(fabs(run_measure(&r, "v")) < 1e-9);
    run_close(&r);
    r = run_text(rough, "F=1.9");
    const double start = balance(&r);
    run_to(&r, 8);
    /* exp(-c t/m) is 2e-8 by then */
    check_near("speed", run_measure(&r, "v"), (1.9 - 1) / 2, 1e-7);
    assert_true(balance_error(&r, start, 10) < 1e-8);
    run_close(&r);
}

/* ---- drag ---- */

/* v = vt tanh(g t/vt), vt^2 = m g/c2; v = vt (1 - exp(-c1 t/m)); omega' = -(d1 + d2 omega) omega/I
 * has omega = d1 w0 q/(d1 + d2 w0 (1 - q)), q = exp(-d1 t/I). */
static void test_drag(void **state) {
    (void)state;
    const char *text =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nparameters: {c1: 0, c2: 0}\n"
        "bodies:\n  b: {mass: 0.8, inertia: 0.07, omega: [0, 0, 21]}\n"
        "forces:\n  air: {type: drag, body: b, linear: c1, quadratic: c2, turn_linear: 0.03, "
        "turn_quadratic: 0.004}\n"
        "measures:\n  v: {type: velocity, body: b, component: z}\n  w: {type: angular_velocity, "
        "body: b, component: z}\n"
        "simulation: {end: 3, tolerance: 1e-11}\n";
    const double m = 0.8, t = 1.3, q = exp(-0.03 * t / 0.07);
    run r = run_text(text, "c2=0.37");
    run_to(&r, t);
    const double vt = sqrt(m * g / 0.37);
    check_near("quadratic", run_measure(&r, "v"), -vt * tanh(g * t / vt), 1e-9);
    check_near("turn", run_measure(&r, "w"), 0.03 * 21 * q / (0.03 + 0.004 * 21 * (1 - q)), 1e-8);
    run_close(&r);
    r = run_text(text, "c1=0.9");
    run_to(&r, t);
    check_near("linear", run_measure(&r, "v"), -m * g / 0.9 * (1 - exp(-0.9 * t / m)), 1e-9);
    run_close(&r);
}

/* ---- motor and controller ---- */

/* T = T0 (1 - w/w0): w = w0 (1 - exp(-T0 t/(I w0))). */
static void test_motor(void **state) {
    (void)state;
    run r = run_text(
        "holonom: 1\nspace: spatial\nbodies:\n  b: {mass: 1, inertia: [0.3, 0.3, 0.17]}\n"
        "joints:\n  shaft: {type: revolute, bodies: [ground, b], at: [0, 0, 0], axis: [0, 0, 1]}\n"
        "forces:\n  motor: {type: motor, joint: shaft, curve: 'table(speed, 0, 2.4, 20, 1.2, 40, "
        "0)'}\n"
        "measures:\n  w: {type: joint_coordinate, joint: shaft, component: angle_rate}\n"
        "simulation: {end: 5, tolerance: 1e-11}\n",
        NULL);
    run_to(&r, 2.3);
    check_near("speed", run_measure(&r, "w"), 40 * (1 - exp(-2.4 * 2.3 / (0.17 * 40))), 1e-8);
    run_close(&r);
}

/* P and D on a mass: x'' + 2 d w x' + w^2 x = w^2 for a step of 1. With I and all poles at -a: x =
 * 1 - exp(-a t)(1 + a t - a^2 t^2). */
static void test_pid(void **state) {
    (void)state;
    const char *text =
        "holonom: 1\nspace: planar\nparameters: {P: 90, I: 0, D: 12}\n"
        "bodies:\n  b: {mass: 2.5, inertia: 0.1}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
        "forces:\n  control: {type: pid, joint: rail, target: 1, measured: x, measured_rate: v, "
        "proportional: P, integral: I, derivative: D}\n"
        "measures:\n  x: {type: position, body: b, component: x}\n  v: {type: velocity, body: b, "
        "component: x}\n"
        "simulation: {end: 5, tolerance: 1e-11}\n";
    const double w = sqrt(90 / 2.5), d = 12 / (2 * 2.5 * w), wd = w * sqrt(1 - d * d), t = 0.83;
    run r = run_text(text, NULL);
    run_to(&r, t);
    check_near("step response", run_measure(&r, "x"),
               1 - exp(-d * w * t) * (cos(wd * t) + d * w / wd * sin(wd * t)), 1e-9);
    run_close(&r);
    const double a = 4.2;
    char settings[128];
    snprintf(settings, sizeof settings, "P=%.17g I=%.17g D=%.17g", 3 * a * a * 2.5, a * a * a * 2.5,
             3 * a * 2.5);
    r = run_text(text, settings);
    run_to(&r, t);
    check_near("with I", run_measure(&r, "x"), 1 - exp(-a * t) * (1 + a * t - a * a * t * t), 1e-8);
    run_close(&r);
}

/* ---- rotor ---- */

/* R (J omega + h) and omega . J omega/2 do not change [GJB problem 5/9]. */
static void test_rotor(void **state) {
    (void)state;
    static const double J[3] = {40, 55, 70}, h[3] = {0, 0.06 * 150, 0};
    run r = run_open("elements/rotor", "tolerance=1e-12");
    const hol_energy before = (run_to(&r, 0), energy_of(hol_sim_data(r.sim)));
    double L[2][3];
    for (int k = 0; k < 2; k++) {
        if (k) run_to(&r, 60);
        const hol_pose pose = pose_at(hol_sim_data(r.sim), 0);
        const char *const names[] = {"omega.x", "omega.y", "omega.z"};
        double body[3];
        for (int i = 0; i < 3; i++) body[i] = J[i] * run_measure(&r, names[i]) + h[i];
        for (int i = 0; i < 3; i++)
            L[k][i] =
                pose.R[3 * i] * body[0] + pose.R[3 * i + 1] * body[1] + pose.R[3 * i + 2] * body[2];
    }
    for (int i = 0; i < 3; i++) check_near("angular momentum", L[1][i], L[0][i], 1e-9);
    check_near("energy", energy_of(hol_sim_data(r.sim)).kinetic, before.kinetic, 1e-10);
    /* the wheel keeps the spin about the intermediate axis; without it the satellite turns over */
    check_near("spin", run_measure(&r, "omega.y"), 0.3, 0.01);
    run_close(&r);
}

/* ---- values that are not finite ---- */

/* A force or a driver that becomes NaN or infinite ends the run and is named with its line, at the
 * start and later, whatever the method, the coordinates and the steps; others that are fine are
 * not. */
static void test_not_finite(void **state) {
    static const struct {
        const char *law, *joint, *settings, *label, *line;
    } cases[] = {
        {"sqrt(0.37 - t)", "0.2*t", "tolerance=1e-8", "force 'bad'", "test.yaml:11:"},
        {"sqrt(0.37 - t)", "0.2*t", "step=0.01", "force 'bad'", "test.yaml:11:"},
        {"sqrt(-0.37 - t)", "0.2*t", "step=0.01", "force 'bad'", "test.yaml:11:"},
        {"1/floor(1.63 - t)", "0.2*t", "method=lagrange", "force 'bad'", "test.yaml:11:"},
        {"sqrt(0.37 - t)", "0.2*t", "method=partitioning", "force 'bad'", "test.yaml:11:"},
        {"sqrt(0.37 - t)", "0.2*t", "method=canonical", "force 'bad'", "test.yaml:11:"},
        {"sqrt(0.37 - t)", "0.2*t", "coordinates=relative", "force 'bad'", "test.yaml:11:"},
        {"sqrt(1.5 + t)", "0.2*sqrt(0.37 - t)", "step=0.01", "joint 'B'", "test.yaml:8:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024], line[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 0.1, along: [[0, 0], "
                 "[1, 0]]}\n  b: {mass: 1, inertia: 0.1, along: [[1, 0], [2, 0]]}\njoints:\n  A: "
                 "{type: revolute, bodies: [ground, a], at: [0, 0]}\n  B: {type: generic, bodies: "
                 "[a, b], at: [1, 0], lock: [x, y], drive: {angle: %s}}\nforces:\n  good: {type: "
                 "force, body: b, force: [sin(t), 0.3]}\n  bad: {type: torque, body: a, torque: "
                 "%s}\nsimulation: {end: 1}\n",
                 cases[i].joint, cases[i].law);
        run r = run_text(text, cases[i].settings);
        assert_true(hol_sim_run(r.sim, NULL) < 0);
        int named = 0;
        for (int k = 0; k < hol_message_count(r.ctx); k++) {
            hol_message_format(hol_message_get(r.ctx, k), line, sizeof line);
            assert_null(strstr(line, "'good'"));
            named |= strstr(line, cases[i].label) && strstr(line, cases[i].line) &&
                     strstr(line, "NaN or infinite");
        }
        if (!named) {
            run_print_messages(r.ctx);
            fail_msg("%s is not named (%s)", cases[i].label, cases[i].settings);
        }
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axial_spring),
        cmocka_unit_test(test_bushing_rest),
        cmocka_unit_test(test_bushing_frequency),
        cmocka_unit_test(test_spring_table),
        cmocka_unit_test(test_bump_stop),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_coulomb),
        cmocka_unit_test(test_lugre),
        cmocka_unit_test(test_drag),
        cmocka_unit_test(test_motor),
        cmocka_unit_test(test_pid),
        cmocka_unit_test(test_rotor),
        cmocka_unit_test(test_not_finite),
    };
    return run_tests_of_models("tests", tests);
}
