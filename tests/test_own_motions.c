/* test_own_motions.c: motions of stops, drivers and springs under integrators that solve the
 * constrained equations, against equations written out here.
 *
 * Work of drivers: a mechanism without freedoms is known before any iteration, and the forces of
 * its drivers after the first; their work has to follow. Stops: the interpolant of a formula with
 * long steps is less exact than their ends, and a fixed step may end deep in a stop; the step ends
 * where the stop is all the same. Steps of nanoseconds before a stop converge although velocities
 * are positions over their length. */
#include "event_fixture.h"

/* ---- a driven mass on a spring ---- */

static const char pushed[] =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
    "  sled: {mass: 1.37, inertia: 0.05, position: [0.4, 0]}\njoints:\n"
    "  guide: {type: prismatic, bodies: [ground, sled], at: [0.4, 0], axis: [1, 0]}\n"
    "  drive: {type: driver, joint: guide, velocity: 0.31}\n"
    "forces:\n  spring: {type: spring, bodies: [ground, sled], from: [0, 0], to: [0.4, 0],\n"
    "    stiffness: 43, damping: 2.3}\n"
    "measures:\n  force: {type: reaction, joint: drive, component: fx}\n"
    "simulation: {end: 0.83, output: 0.83, tolerance: 1e-8}\n";

/* k (v t)^2/2 + c v^2 t: the integral of (k v s + c v) v. */
static double work_of(double t) {
    const double k = 43, c = 2.3, v = 0.31;
    return k * v * v * t * t / 2 + c * v * v * t;
}

static void test_driven(void **unused) {
    static const char *const integrators[] = {
        "radau3", "radau5", "radau9", "generalized-alpha", "hht", "newmark", "newmark-extrapolated",
    };
    (void)unused;
    for (int set = 0; set < N_SETS; set++)
        for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
            char settings[128];
            snprintf(settings, sizeof settings, "coordinates=%s integrator=%s", sets[set],
                     integrators[i]);
            run r = run_text(pushed, settings);
            const hol_sim_info info = run_whole(&r);
            hol_energy e = {.size = sizeof e};
            hol_data_energy(hol_sim_data(r.sim), &e);
            /* rounding of the transforms of radau9 is 4e-12; the damper takes its part */
            check_near(settings, e.work, work_of(0.83) - 2.3 * 0.31 * 0.31 * 0.83, 2e-11);
            check_balance(&r, 2e-11);
            assert_true(info.steps < 60);
            run_close(&r);
        }
}

/* ---- an elbow with a stop ---- */

enum { A, B, DA, DB, N_ELBOW };

/* Rods of 1.1 and 0.8 m at absolute angles, hinged at their ends; velocities after `y`. */
static const double l1 = 1.1, l2 = 0.8, m1 = 1.3, m2 = 0.7, J1 = 0.11, J2 = 0.05, gravity = 9.81;

static void masses(const double *y, double m[3]) {
    m[0] = J1 + m1 * l1 * l1 / 4 + m2 * l1 * l1;
    m[1] = m2 * l1 * l2 / 2 * cos(y[A] - y[B]);
    m[2] = J2 + m2 * l2 * l2 / 4;
}

static void rates(const double *y, double *f) {
    double m[3];
    masses(y, m);
    const double s = m2 * l1 * l2 / 2 * sin(y[A] - y[B]), det = m[0] * m[2] - m[1] * m[1],
                 p = -s * y[DB] * y[DB] - (m1 / 2 + m2) * gravity * l1 * cos(y[A]),
                 q = s * y[DA] * y[DA] - m2 * gravity * l2 / 2 * cos(y[B]);
    f[A] = y[DA], f[B] = y[DB];
    f[DA] = (m[2] * p - m[1] * q) / det, f[DB] = (m[0] * q - m[1] * p) / det;
}

static void rk4(const double *y, double h, double *out) {
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[5][N_ELBOW] = {{0}};
    for (int i = 0; i < N_ELBOW; i++) out[i] = y[i];
    for (int s = 0; s < 4; s++) {
        double z[N_ELBOW];
        for (int i = 0; i < N_ELBOW; i++) z[i] = y[i] + (s ? at[s] * h * k[s - 1][i] : 0);
        rates(z, k[s]);
        for (int i = 0; i < N_ELBOW; i++) out[i] += h / 6 * weight[s] * k[s][i];
    }
}

/* How far the elbow is beyond its nearer end, on the way out. */
static double beyond(const double *y) {
    const double x = y[B] - y[A], rate = y[DB] - y[DA];
    return rate > 0 ? x - 0.47 : -0.31 - x;
}

/* The state at `end`, with restitution e at both ends; steps of 2e-5 s are good for 1e-12. */
static int bounce(double e, double end, double *y) {
    const double step = 2e-5;
    int hits = 0;
    for (double t = 0, h; t < end - 1e-13; t += h) {
        double next[N_ELBOW];
        h = fmin(step, end - t);
        rk4(y, h, next);
        if (beyond(next) > 0) {
            double low = 0, high = h, m[3];
            for (int i = 0; i < 60; i++) {
                const double mid = (low + high) / 2;
                rk4(y, mid, next);
                *(beyond(next) > 0 ? &high : &low) = mid;
            }
            rk4(y, high, next);
            masses(next, m);
            const double det = m[0] * m[2] - m[1] * m[1], a = -(m[2] + m[1]) / det,
                         b = (m[0] + m[1]) / det, z = -(1 + e) * (next[DB] - next[DA]) / (b - a);
            next[DA] += z * a, next[DB] += z * b;
            h = high, hits++;
        }
        memcpy(y, next, sizeof next);
    }
    return hits;
}

static const char elbow[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {ax: 1.1*cos(0.2), ay: "
    "1.1*sin(0.2),\n  bx: 0.8*cos(0.25), by: 0.8*sin(0.25)}\nbodies:\n"
    "  up: {mass: 1.3, inertia: 0.11, along: [[0, 0], [ax, ay]], omega: 0.9,\n"
    "    velocity: [-0.45*ay, 0.45*ax]}\n"
    "  low: {mass: 0.7, inertia: 0.05, along: [[ax, ay], [ax + bx, ay + by]], omega: -1.3,\n"
    "    velocity: [-0.9*ay + 0.65*by, 0.9*ax - 0.65*bx]}\njoints:\n"
    "  shoulder: {type: revolute, bodies: [ground, up], at: [0, 0]}\n"
    "  elbow: {type: revolute, bodies: [up, low], at: [ax, ay]}\n"
    "  ends: {type: rigid_stop, joint: elbow, lower: -0.36, upper: 0.42, restitution: 0.93}\n"
    "measures:\n  a: {type: angle, body: up}\n  b: {type: angle, body: low}\n"
    "simulation: {end: 1.1}\n";

static void test_elbow(void **unused) {
    static const struct {
        const char *settings;
        double off; /* errors of steps: h^2, or what the tolerance leaves after two impacts */
    } cases[] = {
        {"integrator=newmark-extrapolated tolerance=1e-9", 2e-8},
        {"integrator=newmark-extrapolated tolerance=1e-7", 2e-6},
        {"integrator=radau9 tolerance=1e-10", 1e-10},
        {"integrator=rattle step=1e-3", 3e-5},
        {"integrator=rattle step=5e-4", 8e-6},
        {"integrator=energy-momentum step=5e-4", 8e-6},
        {"integrator=euler step=1e-4", 3e-3},
        {"integrator=rk4 step=1e-3", 1e-9},
    };
    double y[N_ELBOW] = {0.2, 0.25, 0.9, -1.3};
    (void)unused;
    assert_int_equal(bounce(0.93, 1.1, y), 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char settings[128];
        snprintf(settings, sizeof settings, "coordinates=reference %s", cases[i].settings);
        run r = run_text(elbow, settings);
        run_whole(&r);
        check_near(settings, run_measure(&r, "a"), y[A], cases[i].off);
        check_near(settings, run_measure(&r, "b"), y[B], cases[i].off);
        assert_int_equal(sim_info(r.sim).switches, 2);
        run_close(&r);
    }
}

/* ---- a spring by a law ---- */

/* What a law does is work, not a potential: formulas that iterate until rounding do so also where
 * this work is all that moves, at the start and near turning points. */
static void test_law(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\nbodies:\n"
        "  sled: {mass: 0.77, inertia: 0.1, position: [0.31, 0]}\njoints:\n"
        "  guide: {type: prismatic, bodies: [ground, sled], at: [0, 0], axis: [1, 0]}\n"
        "forces:\n  law: {type: force, body: sled, at: [0.31, 0], force: [\"-113*x - 0.9*v\", "
        "0]}\n"
        "measures:\n  x: {type: position, body: sled, component: x}\n"
        "  v: {type: velocity, body: sled, component: x}\n"
        "simulation: {end: 1.3, coordinates: reference}\n";
    static const struct {
        const char *settings;
        double off;
    } cases[] = {
        {"integrator=rattle step=1e-3", 2e-5},
        {"integrator=rattle6 step=2e-3", 1e-9},
        {"integrator=energy-momentum step=1e-3", 2e-5},
    };
    const double d = 0.9 / (2 * 0.77), w = sqrt(113 / 0.77 - d * d), t = 1.3,
                 x = 0.31 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run r = run_text(text, cases[i].settings);
        run_whole(&r);
        check_near(cases[i].settings, run_measure(&r, "x"), x, cases[i].off);
        run_close(&r);
    }
}

/* ---- rebounds ---- */

/* A puck drawn at a height of 0.35 m: its height on the floor is a number of that size less itself,
 * and right behind a rebound rounding. Rebounds end at 2 e t/(1 - e) behind the first. */
static void test_rebounds(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  puck: {mass: 1.3, inertia: 0.02, position: [0, 0.35], velocity: [3.1, 0]}\njoints:\n"
        "  level: {type: generic, bodies: [ground, puck], at: [0, 0.35], lock: [angle]}\n"
        "  floor: {type: generic, bodies: [ground, puck], at: [0, 0], at_second: [0, 0.35],\n"
        "    lock: [y], active: {initially: false, until: N.fy > 0}}\n"
        "measures:\n  p: {type: position, body: puck}\n  v: {type: velocity, body: puck}\n"
        "  N: {type: reaction, joint: floor}\n"
        "events:\n  bounce: {when: p.y < 0, do: {impact: {joint: floor, restitution: 0.4}}}\n"
        "simulation: {end: 1.2, tolerance: 1e-10}\n";
    const double fall = sqrt(2 * 0.35 / gravity);
    (void)unused;
    for (int set = 0; set < N_SETS; set++)
        for (int e = 0; e < 2; e++) {
            char settings[128];
            snprintf(settings, sizeof settings,
                     "coordinates=%s events.bounce.do.impact.restitution=%g", sets[set],
                     e ? 0.4 : 0.0);
            run r = run_text(text, settings);
            const hol_sim_info info = run_whole(&r);
            const int last = (int)info.switches - 1;
            check_near("height", run_measure(&r, "p.y"), 0, 1e-12);
            check_near("push", run_measure(&r, "N.fy"), -1.3 * gravity, 1e-10);
            check_near("way", run_measure(&r, "p.x"), 3.1 * 1.2, 1e-9);
            check_near("rest", event_of(&r, last).t, fall * (e ? 1 + 2 * 0.4 / 0.6 : 1), 1e-5);
            assert_int_equal(event_of(&r, last).joints[1], HOL_TAKES_HOLD);
            assert_true(info.steps < 2000);
            run_close(&r);
        }
}

/* ---- momenta ---- */

/* Momenta along the constraints mean no velocity, and the penalty of the basic form makes much of
 * them out of rounding: iterations have converged when the velocities have. */
static void test_momenta(void **unused) {
    static const char *const methods[] = {"canonical", "canonical-augmented",
                                          "canonical-augmented-basic"};
    static const struct {
        const char *name;
        double off; /* of order 5, 4, 2, 2, 2 */
    } formulas[] = {{"radau5", 1e-8},
                    {"esdirk4", 2e-6},
                    {"generalized-alpha", 2e-4},
                    {"newmark", 2e-4},
                    {"energy-momentum", 2e-4}};
    run r = run_open("four_bar", "end=0.3 tolerance=1e-11");
    (void)unused;
    run_whole(&r);
    const double angle = run_measure(&r, "crank_angle");
    run_close(&r);
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
            char settings[160];
            snprintf(settings, sizeof settings,
                     "end=0.3 coordinates=reference method=%s integrator=%s step=1e-3", methods[k],
                     formulas[i].name);
            r = run_open("four_bar", settings);
            const hol_sim_info info = run_whole(&r);
            check_near(settings, run_measure(&r, "crank_angle"), angle, formulas[i].off);
            assert_int_equal(info.steps, 300);
            run_close(&r);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driven),   cmocka_unit_test(test_elbow),   cmocka_unit_test(test_law),
        cmocka_unit_test(test_rebounds), cmocka_unit_test(test_momenta),
    };
    return run_tests_of_models("own motions", tests);
}
