/* test_rigid.c: joints that push and do not pull: rigid contacts with impact and Coulomb friction,
 * ropes, stops; against closed forms and against equations that are written out here, in all
 * methods and coordinates; the exact state; what is refused.
 *
 * Where the motion between impacts is a polynomial, or nothing but rounding is left, 1e-12; motions
 * of a tolerance of 1e-10 a step are held to 1e-8. */
#include "event_fixture.h"

static const double g = 9.81, exact = 1e-12, near = 1e-8, pi = 3.14159265358979323846;

/* ---- impact ---- */

/* Impacts at T, T + 2 e T, T + 2 e T + 2 e^2 T …, T = sqrt(2 h/g), each with the share 1 - e^2 of
 * the energy; at rest at the sum of the series, up to what rises less than 1e-9 of the size,
 * 2 r. */
static void test_bouncing_ball(void **unused) {
    const double h = 1, e = 0.5, T = sqrt(2 * h / g), m = 0.6;
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_open("rebounding_ball", coordinates(set));
        run_to(&r, 2);
        const hol_sim_info info = sim_info(r.sim);
        double t = T, energy = m * g * h;
        for (int i = 0; i < info.switches; i++) {
            const hol_event event = event_of(&r, i);
            const int last = i == info.switches - 1;
            check_near("impact", event.t, t, exact);
            check_near("loss", event.energy_lost, (last ? 1 : 1 - e * e) * energy, 1e-10);
            assert_int_equal(event.joints[0], last ? HOL_TAKES_HOLD : HOL_IS_HIT);
            energy *= e * e;
            t += 2 * pow(e, i + 1) * T;
        }
        /* the rebound that is not made: e^n sqrt(2 g h) rises by e^2n h <= 1e-9 * 2 r */
        assert_int_equal(info.switches, ceil(log(1e-9 * 0.2 / h) / log(e * e)));
        assert_true(fabs(event_of(&r, (int)info.switches - 1).t - 3 * T) < 1e-3 * T);
        check_near("height", run_measure(&r, "height"), 0, 1e-15);
        check_near("push", run_measure(&r, "push.fy"), -m * g, exact);
        check_balance(&r, 1e-13);
        run_close(&r);
    }
}

/* What hits at one end leaves at the other; the angle of 30 degrees comes back. */
static void test_cradle(void **unused) {
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_open("newtons_cradle", coordinates(set));
        /* the first ball falls from rest: the others do nothing until it is there */
        run_to(&r, 0.4);
        check_near("second", run_measure(&r, "b"), 0, exact);
        double most[4] = {0, 0, 0, 0}, least[4] = {0, 0, 0, 0};
        for (int k = 0; k < 600; k++) {
            static const char *const names[] = {"a", "b", "c", "d"};
            run_to(&r, 0.4 + 0.005 * k);
            for (int i = 0; i < 4; i++) {
                const double x = run_measure(&r, names[i]);
                most[i] = fmax(most[i], x), least[i] = fmin(least[i], x);
            }
        }
        /* the samples lie within 2.5 ms of the turning points */
        check_near("last ball", most[3], pi / 6, 1e-4);
        check_near("first ball", least[0], -pi / 6, 1e-4);
        check_near("balls between", fmax(most[1] - least[1], most[2] - least[2]), 0, 1e-10);
        check_near("last ball back", least[3], 0, 1e-10);
        check_balance(&r, 1e-10);
        run_close(&r);
    }
}

/* The balls that wait touch each other and carry nothing, whatever the steps are. */
static void test_cradle_waits(void **unused) {
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_open("newtons_cradle", coordinates(set));
        while (hol_data_time(hol_sim_data(r.sim)) < 0.5)
            assert_int_equal(hol_sim_step(r.sim), HOL_OK);
        /* B, C and D meet at the start, and next comes A */
        assert_true(sim_info(r.sim).switches >= 1 && event_of(&r, 0).t == 0);
        assert_true(sim_info(r.sim).switches <= 1 || event_of(&r, 1).t > 0.5);
        run_close(&r);
    }
}

/* A ball with spin hits a plane: it slides through the impact, or sticks in it.
 *     u = vx - r w;   z_N = (1 + e) m vz;   sticking takes m u/(1 + m r^2/J), sliding mu z_N */
static void check_spin(double w, double mu) {
    char text[1024];
    const double m = 1, J = 0.004, radius = 0.1, e = 0.6, vx = 1, h = 0.5, vz = sqrt(2 * g * h);
    snprintf(
        text, sizeof text,
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0, 0, 0.6], velocity: "
        "[1, 0, 0], omega: [0, %g, 0]}\n"
        "joints:\n  floor: {type: rigid_contact, bodies: [ground, ball], shapes: [{type: plane, "
        "at: [0, 0, 0], normal: [0, 0, 1]}, {type: sphere, radius: 0.1}], restitution: 0.6, "
        "friction: %g}\n"
        "measures:\n  v: {type: velocity, body: ball}\n"
        "  w: {type: angular_velocity, body: ball}\nsimulation: {end: 1}\n",
        w, mu);
    run r = run_text(text, NULL);
    const double t = sqrt(2 * h / g), u = vx - radius * w,
                 sticks = -m * u / (1 + m * radius * radius / J), most = mu * (1 + e) * m * vz,
                 z = fabs(sticks) <= most ? sticks
                     : u > 0              ? -most
                                          : most;
    run_to(&r, t + 1e-3);
    check_near("impact", event_of(&r, 0).t, t, exact);
    check_near("vx", run_measure(&r, "v.x"), vx + z / m, exact);
    check_near("w", run_measure(&r, "w.y"), w - radius * z / J, 1e-11);
    check_near("vz", run_measure(&r, "v.z"), e * vz - g * 1e-3, 1e-11);
    check_balance(&r, 1e-13);
    run_close(&r);
}

static void test_spin(void **unused) {
    (void)unused;
    check_spin(-60, 0.25);
    check_spin(-60, 2);
    check_spin(20, 0.1);
    check_spin(10, 0.3); /* it rolls: nothing across */
}

/* A ball falls on a belt that is driven at 3 m/s and leaves it sliding: the belt gives the impulse
 * z across, and the energy that the ball gains is the driver's. */
static void test_driven_belt(void **unused) {
    const double h = 0.4, e = 0.5, mu = 0.1, vz = sqrt(2 * g * h), z = mu * (1 + e) * vz;
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_text(
            "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
            "  belt: {mass: 1, inertia: 1, position: [0, -0.05]}\n"
            "  ball: {mass: 1, inertia: 0.004, position: [0, 0.5]}\njoints:\n"
            "  guide: {type: prismatic, bodies: [ground, belt], at: [0, -0.05], axis: [1, 0]}\n"
            "  drive: {type: driver, joint: guide, velocity: 3}\n"
            "  grip: {type: rigid_contact, bodies: [belt, ball], restitution: 0.5, friction: 0.1, "
            "shapes: [{type: plane, at: [0, 0], normal: [0, 1]}, {type: sphere, at: [0, 0.5], "
            "radius: 0.1}]}\n"
            "measures:\n  v: {type: velocity, body: ball}\nsimulation: {end: 0.3}\n",
            coordinates(set));
        run_to(&r, sqrt(2 * h / g) + 1e-3);
        const hol_event event = event_of(&r, 0);
        check_near("across", run_measure(&r, "v.x"), z, exact);
        check_near("energy lost", event.energy_lost,
                   (1 - e * e) * vz * vz / 2 - z * z / 2 * (1 + 0.01 / 0.004), exact);
        check_balance(&r, 1e-13);
        run_close(&r);
    }
}

/* A slanted rod hits the floor with its end and sticks there in the impact. The velocities of the
 * end, -1 down and -0.3 across, become e and 0 by impulses z = G^-1 ((1 + e), 0.3) with
 * G = [[5/2, 3/2], [3/2, 5/2]]; they give z.((e - 1), -0.3)/2, for e = 0.9 more than there was.
 * That is said; without restitution there is nothing to say. */
static void test_energy_from_restitution(void **unused) {
    static const char format[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
        "  rod: {mass: 1, inertia: 1/12, position: [0, 0.5*sin(45 deg) + 1e-3], angle: -45 deg, "
        "velocity: [-0.3, -1]}\njoints:\n  floor: {type: rigid_contact, bodies: [ground, rod], "
        "friction: 0.5, restitution: %g, shapes: [{type: plane, normal: [0, 1]}, {type: sphere, "
        "at: [0.5*cos(45 deg), 1e-3], radius: 1e-9}]}\nsimulation: {end: 0.01}\n";
    (void)unused;
    for (int bounces = 0; bounces < 2; bounces++) {
        const double e = bounces ? 0.9 : 0, n = (2.5 * (1 + e) - 1.5 * 0.3) / 4,
                     across = (2.5 * 0.3 - 1.5 * (1 + e)) / 4;
        char text[1024];
        snprintf(text, sizeof text, format, e);
        run r = run_text(text, "tolerance=1e-10");
        run_to(&r, 0.01);
        assert_int_equal(sim_info(r.sim).switches >= 1, 1);
        check_near("energy", event_of(&r, 0).energy_lost, n * (1 - e) / 2 + across * 0.3 / 2, 1e-8);
        assert_int_equal(run_warns(&r, "gives 0.025 J to the bodies"), bounces);
        assert_int_equal(run_warns(&r, "to the bodies"), bounces);
        check_balance(&r, 1e-12);
        run_close(&r);
    }
}

/* ---- friction ---- */

/* A block thrown along a plane stops after v/(mu g) at v^2/(2 mu g) and stays there. */
static void test_thrown_block(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  block: {mass: 2, inertia: 0.1, position: [0, 0.1], velocity: [3, 0]}\njoints:\n"
        "  floor: {type: rigid_contact, bodies: [ground, block], shapes: [{type: plane, at: [0, "
        "0], "
        "normal: [0, 1]}, {type: box, size: [0.6, 0.2]}], friction: 0.3}\n"
        "measures:\n  p: {type: position, body: block}\n  v: {type: velocity, body: block}\n"
        "  N: {type: reaction, joint: floor}\nsimulation: {end: 3}\n";
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_text(text, coordinates(set));
        run_to(&r, 0.5);
        check_near("friction", run_measure(&r, "N.fx"), 0.3 * 2 * g, exact);
        run_to(&r, 3);
        const hol_event event = event_of(&r, 1);
        check_near("instant", event.t, 3 / (0.3 * g), exact);
        assert_int_equal(event.joints[0], HOL_STICKS);
        check_near("place", run_measure(&r, "p.x"), 9 / (2 * 0.3 * g), exact);
        check_near("height", run_measure(&r, "p.y"), 0.1, 1e-15);
        check_near("velocity", run_measure(&r, "v.x"), 0, 1e-15);
        check_near("no friction left", run_measure(&r, "N.fx"), 0, exact);
        check_balance(&r, 1e-13);
        run_close(&r);
    }
}

static void test_stick_slip(void **unused) {
    const double k = 20, omega = sqrt(k), v = 0.2, mu = 0.3, grip = 0.5;
    const double slides = 2 * (pi - atan((grip - mu) * g / (omega * v))) / omega,
                 sticks = 2 * (grip - mu) * g / (k * v);
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_open("stick_slip", coordinates(set));
        run_to(&r, 10);
        const hol_sim_info info = sim_info(r.sim);
        assert_true(info.switches >= 8);
        for (int i = 2; i + 1 < info.switches; i++) {
            const hol_event a = event_of(&r, i), b = event_of(&r, i + 1);
            const int grips = a.joints[hol_model_joint(r.model, "grip")] == HOL_STICKS;
            check_near(grips ? "sticks" : "slides", b.t - a.t, grips ? sticks : slides, near);
        }
        check_balance(&r, 1e-12);
        run_close(&r);
    }
}

/* The same under penalty, whose contacts give way by some 1e-7 m/s while they stick: that is no
 * sliding. The times are off by what its belt is, 3e-7 of 0.2 m/s over 10 s. */
static void test_stick_slip_penalty(void **unused) {
    (void)unused;
    run first = run_open("stick_slip", NULL), r = run_open("stick_slip", "method=penalty");
    run_to(&first, 10);
    run_to(&r, 10);
    assert_int_equal(sim_info(r.sim).switches, sim_info(first.sim).switches);
    for (int i = 0; i < sim_info(r.sim).switches; i++)
        check_near("instant", event_of(&r, i).t, event_of(&first, i).t, 1.5e-5);
    run_close(&first);
    run_close(&r);
}

/* A block in space on an incline with mu above its slope: it comes to rest, on four corners of
 * which three are enough, and does not creep. */
static void test_rest_on_four_corners(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [3, 0, -9]\nbodies:\n"
        "  block: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, 0.1], velocity: [0, 1, 0]}\n"
        "joints:\n  floor: {type: rigid_contact, bodies: [ground, block], shapes: [{type: plane, "
        "at: [0, 0, 0], normal: [0, 0, 1]}, {type: box, size: [0.6, 0.6, 0.2]}], friction: 0.4}\n"
        "measures:\n  p: {type: position, body: block}\n  N: {type: reaction, joint: floor}\n"
        "simulation: {end: 100}\n";
    (void)unused;
    run r = run_text(text, "tolerance=1e-10");
    run_to(&r, 2);
    const double x = run_measure(&r, "p.x"), y = run_measure(&r, "p.y");
    assert_int_equal(sim_info(r.sim).dof, 0);
    /* the energy: m g_x x + m v^2/2 = work of friction, mu m g_z s along a way longer than the
     * straight one */
    assert_true(0.4 * 9 * hypot(x, y) < 0.5 + 3 * x);
    run_to(&r, 100);
    /* what sticks is held by its velocities: to some 1e-14 m/s, for 98 s */
    check_near("x", run_measure(&r, "p.x"), x, 1e-11);
    check_near("y", run_measure(&r, "p.y"), y, 1e-11);
    check_near("z", run_measure(&r, "p.z"), 0.1, 1e-15);
    check_near("push", run_measure(&r, "N.fz"), -18, 1e-11);
    check_near("holds", run_measure(&r, "N.fx"), 6, 1e-11);
    run_close(&r);
}

/* ---- against equations that are written out ---- */

/* A rod falls with its lower end sliding on the floor; s = (x, angle, x', angle'):
 *     y = c sin(a);  N = m (y'' + g);  m x'' = -mu N sign(u);  J a'' = -N c cos(a) - mu N sign(u) c
 *     sin(a), u = x' + c sin(a) a' */
static void rod_rates(const double *s, double *rate) {
    const double m = 1.3, J = 0.2, c = 0.5, mu = 0.25, a = s[1], w = s[3];
    const double u = s[2] + c * sin(a) * w, f = u > 0 ? -mu : mu;
    /* the end is at (-c cos a, -c sin a) from the centre: J a'' = N (-c cos a) + f N c sin a */
    const double arm = -c * cos(a) + f * c * sin(a);
    const double N = m * (g - c * sin(a) * w * w) / (1 - m * c * cos(a) * arm / J);
    rate[0] = s[2], rate[1] = w, rate[2] = f * N / m, rate[3] = arm * N / J;
}

static void rod_step(double *s, double h) {
    double k[4][4], x[4];
    for (int stage = 0; stage < 4; stage++) {
        const double at = stage == 0 ? 0 : stage == 3 ? h : h / 2;
        for (int i = 0; i < 4; i++) x[i] = s[i] + (stage ? at * k[stage - 1][i] : 0);
        rod_rates(x, k[stage]);
    }
    for (int i = 0; i < 4; i++) s[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static void test_sliding_rod(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {a: 1.1}\nbodies:\n"
        "  rod: {mass: 1.3, inertia: 0.2, position: [0, 0.5*sin(a)], angle: a, velocity: [2, 0]}\n"
        "joints:\n  floor: {type: rigid_contact, bodies: [ground, rod], shapes: [{type: plane, at: "
        "[0, 0], normal: [0, 1]}, {type: capsule, at: [-0.5*cos(a), 0], to: [0.5*cos(a), "
        "sin(a)], radius: 1e-9}], friction: 0.25}\n"
        "measures:\n  x: {type: position, body: rod}\n  v: {type: velocity, body: rod}\n"
        "  angle: {type: angle, body: rod}\nsimulation: {end: 0.35}\n";
    double s[4] = {0, 1.1, 2, 0};
    (void)unused;
    for (int i = 0; i < 4000; i++) rod_step(s, 0.3 / 4000);
    for (int set = 0; set < N_SETS; set++) {
        run r = run_text(text, coordinates(set));
        run_to(&r, 0.3);
        assert_int_equal(sim_info(r.sim).switches, 1);
        check_near("x", run_measure(&r, "x.x"), s[0], 2 * near);
        check_near("angle", run_measure(&r, "angle"), s[1], 2 * near);
        check_near("v", run_measure(&r, "v.x"), s[2], 2 * near);
        check_balance(&r, near);
        run_close(&r);
    }
}

/* The time of a quarter of rocking from the tilt a, and the rate when it lands: energy, and
 * dt = da/rate with the substitution a = a0 (1 - s^2). */
static double quarter(double a0, double *rate) {
    const double b = 0.2, h = 0.8, R = hypot(b, h), alpha = atan2(b, h), J = 4.0 / 3 * R * R;
    double sum = 0;
    const int n = 20000;
    for (int i = 0; i < n; i++) {
        const double s = (i + 0.5) / n, a = a0 * (1 - s * s),
                     w2 = 2 * g * R / J * (cos(alpha - a0) - cos(alpha - a));
        sum += 2 * a0 * s / sqrt(w2) / n;
    }
    *rate = sqrt(2 * g * R / J * (cos(alpha - a0) - cos(alpha)));
    return sum;
}

/* Housner's block: the first landing, and the share of the rate that each leaves. */
static void test_rocking_block(void **unused) {
    const double alpha = atan2(0.2, 0.8), share = 1 - 1.5 * sin(alpha) * sin(alpha);
    double rate;
    const double t = quarter(0.1, &rate);
    (void)unused;
    run r = run_open("rocking_block", "tolerance=1e-11");
    run_to(&r, 6);
    check_near("landing", event_of(&r, 1).t, t, 1e-7);
    const double T = 0.5 * 50 * 4.0 / 3 * 0.68 * rate * rate;
    double energy = T;
    for (int i = 1; i < 8; i++) {
        check_near("loss", event_of(&r, i).energy_lost / energy, 1 - share * share, 1e-8);
        energy *= share * share;
    }
    run_to(&r, 6);
    check_balance(&r, 1e-9);
    run_close(&r);
    /* it comes to rest: the times of rocking are a convergent series */
    r = run_open("rocking_block", "end=12");
    run_to(&r, 12);
    assert_int_equal(sim_info(r.sim).dof, 0);
    check_near("flat", run_measure(&r, "angle"), 0, 1e-15);
    run_close(&r);
}

/* A box tumbles and comes to rest on one of its faces, whatever the coordinates; nothing is lost
 * but what the impacts and friction take. */
static void test_tumbling_box(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  box: {mass: 2, inertia: [0.1, 0.12, 0.15], position: [0, 0, 1], omega: [2, 1, 0.5], "
        "velocity: [0.5, 0, 0]}\njoints:\n  floor: {type: rigid_contact, bodies: [ground, box], "
        "shapes: [{type: plane, at: [0, 0, 0], normal: [0, 0, 1]}, {type: box, size: [0.8, 0.6, "
        "0.5]}], friction: 0.4, restitution: 0.3}\n"
        "measures:\n  p: {type: position, body: box}\n  v: {type: velocity, body: box}\n"
        "simulation: {end: 3}\n";
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_text(text, coordinates(set));
        run_to(&r, 3);
        assert_int_equal(sim_info(r.sim).dof, 0);
        const double z = run_measure(&r, "p.z");
        assert_true(fabs(z - 0.25) < 1e-14 || fabs(z - 0.3) < 1e-14 || fabs(z - 0.4) < 1e-14);
        check_near("speed", run_measure(&r, "v.x"), 0, 1e-14);
        check_balance(&r, 1e-9);
        run_close(&r);
    }
}

/* A block slides off another, tips over its edge and falls: corners change their faces. */
static void test_off_the_edge(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  b: {mass: 1, inertia: 0.02, position: [0.05, 0.35], velocity: [1.2, 0]}\njoints:\n"
        "  table: {type: rigid_contact, bodies: [ground, b], shapes: [{type: box, at: [0, 0.1], "
        "size: [0.8, 0.2]}, {type: box, size: [0.4, 0.3]}]}\n"
        "  floor: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, at: [0, -1], "
        "normal: [0, 1]}, {type: box, size: [0.4, 0.3]}], friction: 0.5}\n"
        "measures:\n  p: {type: position, body: b}\n  a: {type: angle, body: b}\n"
        "simulation: {end: 2}\n";
    (void)unused;
    run r = run_text(text, "tolerance=1e-10");
    /* until its mass centre is over the edge nothing happens, with corners on either face */
    run_to(&r, 0.35 / 1.2 - 1e-6);
    check_near("x", run_measure(&r, "p.x"), 0.4 - 1.2e-6, 1e-12);
    check_near("angle", run_measure(&r, "a"), 0, 1e-14);
    run_to(&r, 0.35 / 1.2 + 0.05);
    assert_true(run_measure(&r, "a") < -1e-3);
    run_to(&r, 2);
    assert_true(fabs(run_measure(&r, "p.y") + 0.8) < 1e-14 ||
                fabs(run_measure(&r, "p.y") + 0.85) < 1e-14);
    check_balance(&r, 1e-9);
    run_close(&r);
}

/* ---- ropes and stops ---- */

/* A weight falls beside its rope and is caught: what it has along the rope is lost. */
static void test_rope(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -10]\nbodies:\n"
        "  m: {mass: 1, inertia: 0.01, position: [0.6, 0.3]}\njoints:\n"
        "  r: {type: rope, bodies: [ground, m], from: [0, 0], to: [0.6, 0.3], length: 1}\n"
        "measures:\n  p: {type: position, body: m}\n  v: {type: velocity, body: m}\n"
        "  S: {type: reaction, joint: r}\nsimulation: {end: 5}\n";
    const double t = sqrt(2 * 1.1 / 10), v = 10 * t;
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_text(text, coordinates(set));
        run_to(&r, t + 1e-9);
        check_near("taut", event_of(&r, 0).t, t, exact);
        check_near("loss", event_of(&r, 0).energy_lost, 0.5 * v * v * 0.64, exact);
        run_to(&r, 5);
        check_near("length", hypot(run_measure(&r, "p.x"), run_measure(&r, "p.y")), 1, 1e-14);
        check_balance(&r, 1e-9);
        run_close(&r);
    }
}

/* A pendulum between two stops with e = 1 goes back and forth with its energy. */
static void test_stops(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
        "  m: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, -1]}\njoints:\n"
        "  A: {type: revolute, bodies: [ground, m], at: [0, 0, 0], axis: [0, 1, 0], start: "
        "{angle_rate: 3}}\n"
        "  ends: {type: rigid_stop, joint: A, lower: -20 deg, upper: 30 deg, restitution: 1}\n"
        "measures:\n  a: {type: joint_coordinate, joint: A}\n  w: {type: angular_velocity, body: "
        "m}\nsimulation: {end: 5}\n";
    (void)unused;
    for (int set = 0; set < N_SETS; set++) {
        run r = run_text(text, coordinates(set));
        double low = 0, high = 0;
        for (int k = 1; k <= 500; k++) {
            run_to(&r, 0.01 * k);
            low = fmin(low, run_measure(&r, "a")), high = fmax(high, run_measure(&r, "a"));
        }
        assert_true(low >= -20 * pi / 180 - 1e-13 && high <= 30 * pi / 180 + 1e-13);
        const double a = run_measure(&r, "a"), w = run_measure(&r, "w.y");
        check_near("energy", 0.5 * 1.1 * w * w + g * (1 - cos(a)), 0.5 * 1.1 * 9, 1e-7);
        assert_true(sim_info(r.sim).switches > 10);
        run_close(&r);
    }
}

/* ---- all formulations ---- */

#define LINKS                                                                                      \
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                                    \
    "  a: {mass: 1, inertia: 0.1, position: [0.5, 0]}\n"                                           \
    "  b: {mass: 1, inertia: 0.1, position: [1.5, 0]}\njoints:\n"                                  \
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"                                     \
    "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"                                          \
    "  floor: {type: rigid_contact, bodies: [ground, b], shapes: [{type: plane, at: [0, -0.8], "   \
    "normal: [0, 1]}, {type: sphere, at: [2, 0], radius: 0.05}], restitution: 0.3, friction: "     \
    "0.2}\n"                                                                                       \
    "measures:\n  p: {type: position, body: b, at: [2, 0]}\n"                                      \
    "  v: {type: velocity, body: b, at: [2, 0]}\nsimulation: {end: 0.8}\n"

static void test_all_methods(void **unused) {
    (void)unused;
    run first = run_text(LINKS, "tolerance=1e-10");
    run_to(&first, 0.8);
    assert_true(sim_info(first.sim).switches > 5);
    const hol_method_doc *method;
    for (int i = 0; (method = hol_method_get(i)); i++)
        for (int set = 0; set < N_SETS; set++) {
            char settings[128];
            const int soft = strcmp(method->name, "penalty") == 0;
            snprintf(settings, sizeof settings, "method=%s coordinates=%s tolerance=1e-10",
                     method->name, sets[set]);
            run r = run_text(LINKS, settings);
            run_to(&r, 0.8);
            check_near(settings, run_measure(&r, "p.x"), run_measure(&first, "p.x"),
                       soft ? 1e-6 : near);
            check_near(settings, run_measure(&r, "v.x"), run_measure(&first, "v.x"),
                       soft ? 1e-6 : near);
            run_close(&r);
        }
    run_close(&first);
}

/* Implicit integrators have the friction in their derivatives. */
static void test_integrators(void **unused) {
    static const char *const names[] = {"radau5", "esdirk4", "rodas4", "rk4 step=1e-3", "bs32"};
    (void)unused;
    run first = run_text(LINKS, "tolerance=1e-10");
    run_to(&first, 0.8);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char settings[128];
        const int fixed = strstr(names[i], "step=") != NULL;
        snprintf(settings, sizeof settings, "integrator=%s%s", names[i],
                 fixed ? "" : " tolerance=1e-9");
        run r = run_text(LINKS, settings);
        run_to(&r, 0.8);
        check_near(settings, run_measure(&r, "p.x"), run_measure(&first, "p.x"), 1e-6);
        run_close(&r);
    }
    run_close(&first);
}

/* Saved in the air, sliding and sticking, loaded elsewhere: the same bits. */
static void test_exact_state(void **unused) {
    static const char *const models[] = {"rebounding_ball", "stick_slip", "rocking_block"};
    static const double saves[] = {0.3, 0.6, 1.1, 1.9};
    (void)unused;
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 4; k++) {
            run a = run_open(models[m], NULL), b = run_open(models[m], NULL);
            run_to(&a, saves[k]);
            run_to(&b, saves[(k + 1) % 4]);
            const size_t size = hol_sim_state_size(a.sim);
            void *block = malloc(size);
            assert_int_equal(hol_sim_state_save(a.sim, block, size), HOL_OK);
            assert_int_equal(hol_sim_state_load(b.sim, block, size), HOL_OK);
            run_to(&a, 2);
            run_to(&b, 2);
            for (int i = 0; i < model_info(a.model).n_measures; i++)
                assert_true(measure_of(hol_sim_data(a.sim), i) ==
                            measure_of(hol_sim_data(b.sim), i));
            assert_int_equal(sim_info(a.sim).switches, sim_info(b.sim).switches);
            assert_int_equal(sim_info(a.sim).evaluations, sim_info(b.sim).evaluations);
            free(block);
            run_close(&a);
            run_close(&b);
        }
}

/* A floor that goes away lets the ball go that rests on it, onto the next one; by its key `active`
 * and by an event. */
#define FLOORS(first, more)                                                                        \
    "holonom: 1\nspace: planar\ngravity: [0, -10]\nbodies:\n"                                      \
    "  ball: {mass: 1, inertia: 0.004, position: [0, 0.35]}\njoints:\n"                            \
    "  floor: {type: rigid_contact, bodies: [ground, ball], shapes: [{type: plane, normal: [0, "   \
    "1]}, {type: sphere, radius: 0.1}], restitution: 0.3, friction: 0.2" first "}\n"               \
    "  next: {type: rigid_contact, bodies: [ground, ball], shapes: [{type: plane, at: [0, -1], "   \
    "normal: [0, 1]}, {type: sphere, radius: 0.1}], restitution: 0.3}\n"                           \
    "measures:\n  p: {type: position, body: ball}\n" more "simulation: {end: 3}\n"

static void test_floor_goes_away(void **unused) {
    static const char *const texts[] = {
        FLOORS(", active: t < 1", ""),
        FLOORS("", "events:\n  gone: {when: t > 1, do: {release: floor}}\n")};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        run r = run_text(texts[i], NULL);
        run_to(&r, 0.9);
        check_near("rests", run_measure(&r, "p.y"), 0.1, 1e-15);
        run_to(&r, 1.3);
        check_near("falls", run_measure(&r, "p.y"), 0.1 - 5 * 0.09, 1e-12);
        run_to(&r, 3);
        check_near("rests again", run_measure(&r, "p.y"), -0.9, 1e-15);
        check_balance(&r, 1e-13);
        run_close(&r);
    }
}

/* ---- what is refused ---- */

#define BALL(shapes, more)                                                                         \
    "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"                                \
    "  ball: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [0, 0, 1]}\njoints:\n"                  \
    "  c: {type: rigid_contact, bodies: [ground, ball], shapes: [" shapes "]" more                 \
    "}\nsimulation: {end: 1}\n"
#define FLOOR "{type: plane, at: [0, 0, 0], normal: [0, 0, 1]}"

static void check_error(const char *text, const char *words) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = NULL;
    if (!hol_spec_read_text(spec, text, "test.yaml"))
        model = hol_model_compile(ctx, spec, "reference");
    assert_null(model);
    if (!said_why(ctx, words)) {
        run_print_messages(ctx);
        fail_msg("wanted an error with '%s'", words);
    }
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* A block on four corners is pulled harder and harder, along any direction: it stays until the pull
 * k t is mu m g, at t0, and has moved by k/6m (t - t0)^3 from there. Which corner carries which
 * part of the friction is left open; all of them together do not carry more than mu m g. */
static void test_slip_in_space(void **unused) {
    static const double along[][2] = {{5, 0}, {0, 5}, {4, 3}, {-3, 4}, {-4, -3}};
    /* implicit formulas are not bound by how stiff friction is while the block is slow */
    static const struct {
        const char *settings;
        long most;
    } ways[] = {{NULL, 100000}, {"integrator=radau5", 10000}, {"integrator=esdirk4", 15000}};
    const double mu = 0.3, m = 2, t0 = mu * m * g / 5;
    (void)unused;
    for (size_t k = 0; k < sizeof along / sizeof *along; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                 "  block: {mass: 2, inertia: [0.02, 0.03, 0.04], position: [0, 0, 0.1]}\njoints:\n"
                 "  floor: {type: rigid_contact, bodies: [ground, block], friction: 0.3, shapes: "
                 "[{type: plane, normal: [0, 0, 1]}, {type: box, size: [0.4, 0.3, 0.2]}]}\n"
                 "forces:\n  pull: {type: force, body: block, at: [0, 0, 0.05], "
                 "force: [%g*t, %g*t, 0]}\nmeasures:\n  p: {type: position, body: block}\n"
                 "simulation: {end: 3, tolerance: 1e-8}\n",
                 along[k][0], along[k][1]);
        const long most = ways[k % 3].most;
        run r = run_text(text, ways[k % 3].settings);
        run_to(&r, t0 - 1e-6);
        assert_true(hypot(run_measure(&r, "p.x"), run_measure(&r, "p.y")) < exact);
        run_to(&r, 3);
        const double far = pow(3 - t0, 3) / (6 * m);
        check_near("x", run_measure(&r, "p.x"), along[k][0] * far, 5e-8);
        check_near("y", run_measure(&r, "p.y"), along[k][1] * far, 5e-8);
        print_message("pulled along (%g, %g): %ld evaluations\n", along[k][0], along[k][1],
                      sim_info(r.sim).evaluations);
        assert_true(sim_info(r.sim).evaluations < most);
        run_close(&r);
    }
}

/* a of a puck under a pull of 5 t that turns by 4/s, against its sliding. */
static void puck_rate(double t, const double y[4], double out[4]) {
    const double speed = hypot(y[2], y[3]), pull = 5 * t / 2, rub = 0.3 * g / speed;
    out[0] = y[2], out[1] = y[3];
    out[2] = pull * cos(4 * t) - rub * y[2];
    out[3] = pull * sin(4 * t) - rub * y[3];
}

/* The puck from a thousandth of a second behind its start on, where it moves along the pull, by RK4
 * with steps of a fifth of its time scale: what the start is off by falls by e^-100 at once. */
static void slide_puck(double t0, double end, double y[4]) {
    double t = t0 + 1e-3, k[4][4], x[4];
    const double speed = 1.25e-6;
    y[0] = y[1] = 0, y[2] = speed * cos(4 * t), y[3] = speed * sin(4 * t);
    while (t < end) {
        const double h = fmin(end - t, fmin(1e-4, 0.2 * hypot(y[2], y[3]) / (0.3 * g)));
        static const double at[] = {0, 0.5, 0.5, 1};
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 4; i++) x[i] = y[i] + (s ? at[s] * h * k[s - 1][i] : 0);
            puck_rate(t + at[s] * h, x, k[s]);
        }
        for (int i = 0; i < 4; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
        t += h;
    }
}

/* The direction of sliding turns with a pull that turns, from the first moment on. */
static void test_turning_slip(void **unused) {
    double y[4];
    (void)unused;
    slide_puck(0.3 * 2 * g / 5, 2.2, y);
    run r = run_text("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
                     "  puck: {mass: 2, inertia: [0.02, 0.03, 0.04], position: [0, 0, 0.1]}\n"
                     "joints:\n  floor: {type: rigid_contact, bodies: [ground, puck], friction: "
                     "0.3, shapes: [{type: plane, normal: [0, 0, 1]}, {type: sphere, radius: "
                     "0.1}]}\n  upright: {type: same_orientation, bodies: [ground, puck]}\n"
                     "forces:\n  pull: {type: force, body: puck, at: [0, 0, 0.1], "
                     "force: [5*t*cos(4*t), 5*t*sin(4*t), 0]}\nmeasures:\n"
                     "  p: {type: position, body: puck}\n  v: {type: velocity, body: puck}\n"
                     "simulation: {end: 2.2, tolerance: 1e-8}\n",
                     NULL);
    run_to(&r, 2.2);
    check_near("x", run_measure(&r, "p.x"), y[0], 2e-8);
    check_near("y", run_measure(&r, "p.y"), y[1], 2e-8);
    check_near("vx", run_measure(&r, "v.x"), y[2], 2e-8);
    check_near("vy", run_measure(&r, "v.y"), y[3], 2e-8);
    run_close(&r);
}

/* Painleve's rod slides on its end, and friction presses it into the floor without end:
 * G_NN - mu G_NT < 0 at 60 degrees for mu > 1.34, so that no accelerations exist. An impact without
 * collision stops the end; the moment of momentum about it stays, (I + m L^2/4) w = m v L/2 sin a,
 * and the rod vaults over it. Below that friction it slides on. */
static void test_painleve(void **unused) {
    const double inertia = 0.0833, v = 3;
    (void)unused;
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {a: 60 deg}\n"
                 "bodies:\n  rod: {mass: 1, inertia: %g, position: [0, 0.5*sin(a)], angle: a, "
                 "velocity: [-%g, 0]}\njoints:\n  floor: {type: rigid_contact, bodies: "
                 "[ground, rod], friction: %g, shapes: [{type: plane, normal: [0, 1]}, {type: "
                 "hull, points: [[-0.5, 0], [0.5, 0.001], [0.5, -0.001]]}]}\n"
                 "simulation: {end: 1, tolerance: 1e-9}\n",
                 inertia, v, k ? 2.5 : 0.2);
        run r = run_text(text, NULL);
        assert_int_equal(hol_sim_advance(r.sim, 1e-9), HOL_OK);
        const double w = v * 0.5 * sin(pi / 3) / (inertia + 0.25);
        const double *now = hol_data_v(hol_sim_data(r.sim));
        if (k) {
            assert_true(fabs(now[2] - w) < 1e-7);
            assert_true(fabs(now[0] + 0.5 * w * sin(pi / 3)) < 1e-7);
            assert_true(fabs(now[1] - 0.5 * w * cos(pi / 3)) < 1e-7);
        } else
            assert_true(fabs(now[0] + v) < 1e-6);
        run_whole(&r);
        assert_true(sim_info(r.sim).relative_energy_error < 1e-8);
        run_close(&r);
    }
}

static void test_refusals(void **unused) {
    (void)unused;
    check_error(BALL(FLOOR ", {type: sphere, radius: 0.1}", ", restitution: 1.2"),
                "would make energy");
    check_error(BALL(FLOOR ", " FLOOR, ""), "two planes overlap without end");
    check_error(
        BALL(FLOOR ", {type: sphere, radius: 0.1}", ", friction: 0.4, static_friction: 0.3"),
        "what slides cannot hold better");
    run r = run_text(BALL(FLOOR ", {type: sphere, radius: 1.5}", ""), NULL);
    assert_int_not_equal(hol_sim_advance(r.sim, 0.1), HOL_OK);
    assert_true(said_why(r.ctx, "draw the bodies so that they do not overlap"));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bouncing_ball),
        cmocka_unit_test(test_cradle),
        cmocka_unit_test(test_cradle_waits),
        cmocka_unit_test(test_spin),
        cmocka_unit_test(test_driven_belt),
        cmocka_unit_test(test_energy_from_restitution),
        cmocka_unit_test(test_thrown_block),
        cmocka_unit_test(test_stick_slip),
        cmocka_unit_test(test_stick_slip_penalty),
        cmocka_unit_test(test_rest_on_four_corners),
        cmocka_unit_test(test_sliding_rod),
        cmocka_unit_test(test_rocking_block),
        cmocka_unit_test(test_tumbling_box),
        cmocka_unit_test(test_off_the_edge),
        cmocka_unit_test(test_rope),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_all_methods),
        cmocka_unit_test(test_integrators),
        cmocka_unit_test(test_exact_state),
        cmocka_unit_test(test_floor_goes_away),
        cmocka_unit_test(test_slip_in_space),
        cmocka_unit_test(test_turning_slip),
        cmocka_unit_test(test_painleve),
        cmocka_unit_test(test_refusals),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
