/* test_work.c: forces, laws, drivers and forces of the caller against closed solutions, with the
 * energy balance
 *
 *     T + V - W = const,   W' = power of everything that no potential accounts for
 *
 * closing in each case.
 */
#include "model_fixture.h"

/* The balance stays within the relative tolerance of the scale. */
static void check_balance(run *r, double tolerance) {
    check_near("energy balance", sim_info(r->sim).relative_energy_error, 0, tolerance);
}

/* ---- a damped oscillator in several ways ---- */

static const double osc_m = 2.385, osc_k = 71.3, osc_c = 3.17, osc_x0 = 0.27;

/* m x'' + c x' + k x = 0, x(0) = x0, x'(0) = 0, underdamped. */
static void oscillator(double m, double c, double k, double x0, double t, double *x, double *v) {
    const double d = c / (2 * m), w = sqrt(k / m - d * d), e = x0 * exp(-d * t);
    *x = e * (cos(w * t) + d / w * sin(w * t));
    *v = -e * (d * d / w + w) * sin(w * t);
}

static const char *const oscillator_head =
    "holonom: 1\nspace: planar\n"
    "parameters: {m: 2.385, k: 71.3, c: 3.17, l0: 1.1}\n"
    "bodies: {block: {mass: m, inertia: 0.21, position: [1.37, 0.4]}}\n"
    "joints: {guide: {type: prismatic, bodies: [ground, block], at: [0.2, 0.4], axis: [1, 0]}}\n"
    "measures:\n  x: {type: position, body: block, component: x}\n"
    "  v: {type: velocity, body: block, component: x}\n  energy: {type: energy}\n"
    "simulation: {end: 4, tolerance: 1e-11}\nforces:\n";

/* The same force, written in different ways; conservative says which part of it has a potential. */
static const struct {
    const char *forces;
    int conservative;
} oscillators[] = {
    {"  s: {type: spring, bodies: [ground, block], from: [0, 0.4], to: [1.37, 0.4], stiffness: k, "
     "damping: c, free_length: l0}\n",
     1},
    {"  s: {type: spring, bodies: [block, ground], from: [1.37, 0.4], to: [0, 0.4], stiffness: k, "
     "force: c*rate, free_length: l0}\n",
     1},
    {"  s: {type: spring, bodies: [ground, block], from: [0, 0.4], to: [1.37, 0.4], stiffness: "
     "\"k*(1 + 0*length)\", damping: "
     "\"if(t > -1, c, 0)\", free_length: l0}\n",
     0},
    {"  s: {type: force, body: block, force: [-k*(x - l0) - c*v, 0]}\n", 0},
    {"  s: {type: force, body: block, frame: body, at: [1.5, 0.6], force: [-k*(x - l0), 0]}\n"
     "  d: {type: spring, bodies: [ground, block], from: [0, 0.4], to: [1.37, 0.4], damping: c}\n",
     0},
};

static void test_oscillator(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof oscillators / sizeof *oscillators; i++) {
        char text[2048];
        snprintf(text, sizeof text, "%s%s", oscillator_head, oscillators[i].forces);
        run r = run_text(text, NULL);
        for (int k = 1; k <= 8; k++) {
            double x, v;
            run_to(&r, 0.5 * k);
            oscillator(osc_m, osc_c, osc_k, osc_x0, 0.5 * k, &x, &v);
            check_near("x", run_measure(&r, "x"), 1.1 + x, 1e-9);
            check_near("v", run_measure(&r, "v"), v, 1e-8);
            const double T = 0.5 * osc_m * v * v, V = 0.5 * osc_k * x * x,
                         E0 = 0.5 * osc_k * osc_x0 * osc_x0;
            check_near("potential", run_measure(&r, "energy.potential"),
                       oscillators[i].conservative ? V : 0, 1e-8);
            check_near("work", run_measure(&r, "energy.work"),
                       oscillators[i].conservative ? T + V - E0 : T, 1e-8);
        }
        check_balance(&r, 1e-9);
        run_close(&r);
    }
}

/* A torsional spring and damper, wound up by more than one turn; in space about an axis that is
 * none of the principal ones. */
static void test_torsion(void **state) {
    (void)state;
    static const char *const texts[] = {
        "holonom: 1\nspace: planar\n"
        "bodies: {disk: {mass: 1.7, inertia: 0.43, position: [0.3, 0.2]}}\n"
        "joints: {A: {type: revolute, bodies: [ground, disk], at: [0, 0]}}\n"
        "forces: {s: {type: torsion, joint: A, stiffness: 9.1, free_angle: 8.2, damping: 0.35}}\n"
        "measures: {phi: {type: joint_coordinate, joint: A}, w: {type: joint_coordinate, joint: A, "
        "component: angle_rate}}\n"
        "simulation: {end: 3, tolerance: 1e-11}\n",
        "holonom: 1\nspace: spatial\n"
        "bodies: {disk: {mass: 1.7, inertia: [0.3, 0.5, 0.62], position: [0.3, 0.2, -0.1]}}\n"
        "joints: {A: {type: revolute, bodies: [ground, disk], at: [0, 0, 0], axis: [1, 2, -2]}}\n"
        "forces: {s: {type: torsion, joint: A, stiffness: 9.1, free_angle: 8.2, torque: "
        "-0.35*rate}}\n"
        "measures: {phi: {type: joint_coordinate, joint: A}, w: {type: joint_coordinate, joint: A, "
        "component: angle_rate}}\n"
        "simulation: {end: 3, tolerance: 1e-11}\n",
    };
    /* n = (1, 2, -2)/3: n J n + m (r^2 - (r n)^2) */
    const double along = (0.3 + 0.4 + 0.2) / 3;
    const double I[2] = {0.43 + 1.7 * 0.13,
                         (0.3 + 4 * 0.5 + 4 * 0.62) / 9 + 1.7 * (0.14 - along * along)};
    for (int i = 0; i < 2; i++) {
        run r = run_text(texts[i], NULL);
        for (int k = 1; k <= 6; k++) {
            double x, v;
            run_to(&r, 0.5 * k);
            oscillator(I[i], 0.35, 9.1, -8.2, 0.5 * k, &x, &v);
            check_near("angle", run_measure(&r, "phi"), 8.2 + x, 1e-8);
            check_near("rate", run_measure(&r, "w"), v, 1e-7);
        }
        check_balance(&r, 1e-9);
        run_close(&r);
    }
}

/* ---- drivers ---- */

/* phi = 0.7 t + 0.4 sin(3 t) with its derivatives. */
static void driven(double t, double *phi, double *rate, double *acceleration) {
    *phi = 0.7 * t + 0.4 * sin(3 * t);
    *rate = 0.7 + 1.2 * cos(3 * t);
    *acceleration = -3.6 * sin(3 * t);
}

/* A rod turned by a driver: exact motion, the torque that it takes (ground receives the opposite),
 * and its work. */
static void test_driven_rod(void **state) {
    (void)state;
    static const char *const texts[] = {
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "bodies: {rod: {mass: 3.1, inertia: 0.27, position: [0.64, 0]}}\n"
        "joints: {A: {type: generic, bodies: [ground, rod], at: [0, 0], lock: [x, y], drive: "
        "{angle: 0.7*t + 0.4*sin(3*t)}}}\n"
        "measures: {theta: {type: angle, body: rod}, w: {type: angular_velocity, body: rod}, "
        "m: {type: reaction, joint: A, component: mz}, energy: {type: energy}}\n"
        "simulation: {end: 3, tolerance: 1e-10}\n",
        "holonom: 1\nspace: spatial\ngravity: [0, -9.81, 0]\n"
        "bodies: {rod: {mass: 3.1, inertia: [0.01, 0.27, 0.27], position: [0.64, 0, 0]}}\n"
        "joints: {A: {type: generic, bodies: [ground, rod], at: [0, 0, 0], lock: [x, y, z, rx, "
        "ry], drive: {rz: 0.7*t + 0.4*sin(3*t)}}}\n"
        "measures: {theta: {type: joint_coordinate, joint: A, component: angle}, "
        "w: {type: angular_velocity, body: rod, component: z}, m: {type: reaction, joint: A, "
        "component: mz}, energy: {type: energy}}\n"
        "simulation: {end: 3, tolerance: 1e-10}\n",
    };
    const double I = 0.27 + 3.1 * 0.64 * 0.64, mgl = 3.1 * 9.81 * 0.64;
    for (int i = 0; i < 2; i++) {
        run r = run_text(texts[i], NULL);
        assert_int_equal(sim_info(r.sim).dof, 0);
        double phi, rate, acceleration;
        driven(0, &phi, &rate, &acceleration);
        const double T0 = 0.5 * I * rate * rate;
        for (int k = 0; k <= 6; k++) {
            run_to(&r, 0.5 * k);
            driven(0.5 * k, &phi, &rate, &acceleration);
            check_near("angle", run_measure(&r, "theta"), phi, 1e-12);
            check_near("rate", run_measure(&r, "w"), rate, 1e-12);
            check_near("torque", -run_measure(&r, "m"), I * acceleration + mgl * cos(phi), 1e-9);
            check_near("work", run_measure(&r, "energy.work"),
                       0.5 * I * rate * rate - T0 + mgl * sin(phi), 1e-8);
        }
        check_balance(&r, 1e-9);
        run_close(&r);
    }
}

/* The four-bar with its crank driven: every position follows from two circles. */
static void test_driven_four_bar(void **state) {
    (void)state;
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "points: {A: [0, 0], B: [1, 1.7320508075688772], C: [4.6469, 3.3751], D: [2.5, 0]}\n"
        "bodies:\n"
        "  crank: {mass: 1.00, inertia: 0.30, position: [0.5, 0.8660254037844386], angle: 60 deg, "
        "fix: [angle]}\n"
        "  coupler: {mass: 2.25, inertia: 2.00, position: B, angle: 0.4232, com: [2, 0]}\n"
        "  follower: {mass: 2.20, inertia: 1.35, position: D, angle: 1.0042, com: [2, 0]}\n"
        "joints:\n"
        "  A: {type: generic, bodies: [ground, crank], at: A, lock: [x, y], drive: {angle: "
        "3*sin(1.1*t)}}\n"
        "  B: {type: revolute, bodies: [crank, coupler], at: B, at_second: {body: coupler, at: [0, "
        "0]}}\n"
        "  C: {type: revolute, bodies: [coupler, follower], at: {body: coupler, at: [4, 0]}, "
        "at_second: {body: follower, at: [4, 0]}}\n"
        "  D: {type: revolute, bodies: [follower, ground], at: {body: follower, at: [0, 0]}, "
        "at_second: D}\n"
        "measures: {a: {type: angle, body: crank}, c: {type: position, body: coupler, at: {body: "
        "coupler, at: [4, 0]}}}\n"
        "simulation: {end: 3, tolerance: 1e-10}\n";
    run r = run_text(text, NULL);
    assert_int_equal(sim_info(r.sim).dof, 0);
    for (int k = 0; k <= 12; k++) {
        const double t = 0.25 * k, a = acos(-1.0) / 3 + 3 * sin(1.1 * t);
        run_to(&r, t);
        check_near("crank", run_measure(&r, "a"), a, 1e-12);
        /* both links have length 4: C lies over the middle of B D, to its left seen from D */
        const double x = 2 * cos(a), y = 2 * sin(a), dx = x - 2.5, dy = y, d = hypot(dx, dy),
                     h = sqrt(16 - 0.25 * d * d);
        check_near("C x", run_measure(&r, "c.x"), 2.5 + 0.5 * dx + h * dy / d, 1e-11);
        check_near("C y", run_measure(&r, "c.y"), 0.5 * dy - h * dx / d, 1e-11);
    }
    check_balance(&r, 1e-9);
    run_close(&r);
}

/* A pendulum whose length is L = 1 + 0.2 sin(2 t): L theta'' + 2 L' theta' + g sin(theta) = 0,
 * theta from the vertical. */
static void test_driven_length(void **state) {
    (void)state;
    static const char text[] = "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                               "bodies: {bob: {mass: 1.3, inertia: 0.1, position: [0.6, -0.8]}}\n"
                               "joints: {rope: {type: distance, bodies: [ground, bob], from: [0, "
                               "0], to: [0.6, -0.8], length: 1 + 0.2*sin(2*t)}}\n"
                               "measures: {p: {type: position, body: bob}}\n"
                               "simulation: {end: 4, tolerance: 1e-11}\n";
    run r = run_text(text, NULL);
    double y[2] = {atan2(0.6, 0.8), 0};
    const double h = 2.5e-4;
    for (long i = 0; i <= 16000; i++) {
        const double t = h * (double)i;
        if (i % 2000 == 0) {
            const double L = 1 + 0.2 * sin(2 * t);
            run_to(&r, t);
            check_near("x", run_measure(&r, "p.x"), L * sin(y[0]), 1e-9);
            check_near("y", run_measure(&r, "p.y"), -L * cos(y[0]), 1e-9);
        }
        double k[4][2];
        for (int s = 0; s < 4; s++) {
            const double part = s == 0 ? 0 : s == 3 ? 1 : 0.5, at = t + part * h;
            const double a = y[0] + (s ? part * h * k[s - 1][0] : 0),
                         w = y[1] + (s ? part * h * k[s - 1][1] : 0);
            k[s][0] = w;
            k[s][1] = -(9.81 * sin(a) + 0.8 * cos(2 * at) * w) / (1 + 0.2 * sin(2 * at));
        }
        for (int j = 0; j < 2; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    check_balance(&r, 1e-9);
    run_close(&r);
}

/* ---- forces of the caller ---- */

/* A wind that changes with time, at a point of the rod, and friction: the same as in the file. */
static hol_status wind_and_friction(void *user, hol_data *data) {
    const double t = hol_data_time(data), point[3] = {0.25, 0.1, 0},
                 force[3] = {4.1 * sin(2.3 * t), 1.7, 0};
    const double torque[3] = {0, 0, -0.6 * twist_at(data, 0).omega[2]};
    ++*(long *)user;
    hol_data_add_force(data, 0, point, force);
    hol_data_add_torque(data, 0, torque);
    return HOL_OK;
}

static const char *const wind_in_file =
    "forces:\n"
    "  wind: {type: force, body: rod, at: {body: rod, at: [0.25, 0.1]}, force: [4.1*sin(2.3*t), "
    "1.7]}\n"
    "  friction: {type: torque, body: rod, torque: -0.6*omega}\n";

static void test_callback_equals_file(void **state) {
    (void)state;
    static const char *const settings[] = {"tolerance=1e-11 end=6",
                                           "integrator=rk4 step=1e-3 end=6",
                                           "integrator=dopri5 tolerance=1e-9 end=6"};
    for (int i = 0; i < 3; i++) {
        run file = run_with("pendulum", wind_in_file, settings[i]),
            call = run_open("pendulum", settings[i]);
        long calls = 0;
        hol_sim_on_force(call.sim, wind_and_friction, &calls);
        for (int k = 1; k <= 6; k++) {
            run_to(&file, k);
            run_to(&call, k);
            check_near("agreement", run_difference(&file, &call), 0, 1e-9);
        }
        assert_true(fabs(run_measure(&call, "energy.work")) > 1);
        assert_true(calls >= sim_info(call.sim).evaluations);
        assert_int_equal(sim_info(call.sim).steps, sim_info(file.sim).steps);
        check_balance(&file, i == 0 ? 1e-9 : 1e-6);
        check_balance(&call, i == 0 ? 1e-9 : 1e-6);
        run_close(&file);
        run_close(&call);
    }
}

/* In space: a force at a point off the axes, in global components, and a torque. */
static hol_status push_top(void *user, hol_data *data) {
    const double point[3] = {0.1, 0.7, -0.2},
                 force[3] = {30, -20 * sin(5 * hol_data_time(data)), 12}, torque[3] = {1, 2, -7};
    (void)user;
    hol_data_add_force(data, 0, point, force);
    hol_data_add_torque(data, 0, torque);
    return HOL_OK;
}

static void test_callback_in_space(void **state) {
    (void)state;
    static const char *const lines = "forces:\n"
                                     "  push: {type: force, body: top, at: {body: top, at: [0.1, "
                                     "0.7, -0.2]}, force: [30, -20*sin(5*t), 12]}\n"
                                     "  turn: {type: torque, body: top, torque: [1, 2, -7]}\n";
    run file = run_with("heavy_top", lines, "tolerance=1e-11"),
        call = run_open("heavy_top", "tolerance=1e-11");
    hol_sim_on_force(call.sim, push_top, NULL);
    run_to(&file, 1);
    run_to(&call, 1);
    check_near("agreement", run_difference(&file, &call), 0, 1e-7);
    check_balance(&file, 1e-9);
    check_balance(&call, 1e-9);
    run_close(&file);
    run_close(&call);
}

/* Set in the middle of a run it acts from there, and can be taken away again; the balance counts
 * from there. */
static void test_callback_in_the_middle(void **state) {
    (void)state;
    run r = run_open("four_bar", "tolerance=1e-11"), same = run_open("four_bar", "tolerance=1e-11");
    long calls = 0;
    run_to(&r, 1);
    run_to(&same, 1);
    hol_sim_on_force(r.sim, wind_and_friction, &calls);
    run_to(&r, 1);
    check_near("still there", run_difference(&r, &same), 0, 0);
    run_to(&r, 2);
    run_to(&same, 2);
    assert_true(run_difference(&r, &same) > 1e-3);
    check_balance(&r, 1e-9);
    const double work = energy_of(hol_sim_data(r.sim)).work;
    assert_true(fabs(work) > 1e-3);
    hol_sim_on_force(r.sim, NULL, NULL);
    const long before = calls;
    run_to(&r, 3);
    assert_int_equal(calls, before);
    check_near("work", energy_of(hol_sim_data(r.sim)).work, work, 0);
    check_balance(&r, 1e-9);
    run_close(&r);
    run_close(&same);
}

/* A status of the callback ends the run with that status; the state is that of the last step. */
static hol_status stop_later(void *user, hol_data *data) {
    (void)user;
    return hol_data_time(data) > 0.5 ? HOL_ERR_INTERRUPTED : HOL_OK;
}

static void test_callback_stops(void **state) {
    (void)state;
    run r = run_open("pendulum", NULL);
    hol_sim_on_force(r.sim, stop_later, NULL);
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_INTERRUPTED);
    const hol_sim_info info = sim_info(r.sim);
    assert_int_equal(info.end, HOL_END_INTERRUPTED);
    assert_true(info.t > 0.4 && info.t <= 0.5);
    assert_true(isfinite(run_measure(&r, "theta")));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillator),        cmocka_unit_test(test_torsion),
        cmocka_unit_test(test_driven_rod),        cmocka_unit_test(test_driven_four_bar),
        cmocka_unit_test(test_driven_length),     cmocka_unit_test(test_callback_equals_file),
        cmocka_unit_test(test_callback_in_space), cmocka_unit_test(test_callback_in_the_middle),
        cmocka_unit_test(test_callback_stops),
    };
    return run_tests_of_models("work", tests);
}
