/* test_error_scales.c: what an error of 1 means in each kind of state and set of coordinates: runs
 * at tolerances of 1e-6, 1e-8 and 1e-10 against solutions that use none of the library.
 *
 *   light cart-pole   cart and pole of masses 1:1000, 1000:1, 1e6:1 and 1:1e6; two coordinates,
 *                     own RK4
 *   spin              a body on an eccentric hinge without loads: angle = w t
 *   screw             constant acceleration about the axis
 *   free rotor        about its middle axis: Euler's equations and a quaternion, own RK4; at three
 *                     rates and of three sizes
 *   short crank       whose pin moves a rod forty times as long: one angle, own RK4
 *
 * The tolerance holds for one step. An error of a velocity goes on for the rest of the run, and the
 * errors of N steps add up: some ten tolerances after the hundred radians of the spinning bodies,
 * some hundred after the 30 swings of the pole. FACTOR and SWINGS are twice what reference-point
 * coordinates show. Where nothing holds the constraints, positions drift with the square of time:
 * ten times as much.
 */
#include "method_fixture.h"

#include "form/method.h"

#define FACTOR 50.0
#define SWINGS 300.0
#define DRIFT 10.0
#define WATCH 2.0 /* the default of the option */

/* ---- own solutions ---- */

typedef void slope(const double *y, double *f);

/* n steps of the classical formula over the time T. */
static void rk4(slope *f, int size, double T, int n, double *y) {
    double k[4][8], z[8];
    const double h = T / n;
    for (int step = 0; step < n; step++) {
        f(y, k[0]);
        for (int s = 1; s < 4; s++) {
            for (int i = 0; i < size; i++) z[i] = y[i] + (s == 3 ? 1 : 0.5) * h * k[s - 1][i];
            f(z, k[s]);
        }
        for (int i = 0; i < size; i++)
            y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* (x, theta, x', theta') of a pole of length 0.1 on a cart; the masses. */
static double cart_mass, pole_mass;

static void cart_pole(const double *y, double *f) {
    const double h = 0.05, s = sin(y[1]), c = cos(y[1]), m = pole_mass,
                 I = m * (0.1 * 0.1 / 12 + h * h), a = cart_mass + m, b = -m * h * s,
                 p = m * h * c * y[3] * y[3], q = -m * 9.81 * h * c, det = a * I - b * b;
    f[0] = y[2];
    f[1] = y[3];
    f[2] = (I * p - b * q) / det;
    f[3] = (a * q - b * p) / det;
}

/* A free body of inertias 0.01, 0.02, 0.03: a unit quaternion and omega in the body frame. */
static void rotor(const double *y, double *f) {
    const double *q = y, *w = y + 4;
    f[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    f[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    f[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    f[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    f[4] = (0.02 - 0.03) / 0.01 * w[1] * w[2];
    f[5] = (0.03 - 0.01) / 0.02 * w[2] * w[0];
    f[6] = (0.01 - 0.02) / 0.03 * w[0] * w[1];
}

/* The inertia of the crank of test_short_leg with all that it moves. */
static double crank_inertia(double angle) {
    const double r = 0.023, l = 0.9, s = sin(angle), c = cos(angle), u = r / l * s,
                 w = -r / l * c / sqrt(1 - u * u), /* of the rod, by that of the crank */
        x = -r * s - l / 2 * -u * w, y = r * c / 2, slide = -r * s + l * u * w;
    return 0.02 + 0.1 * w * w + 1.5 * (x * x + y * y) + 0.8 * slide * slide;
}

/* The angle: its kinetic energy stays. */
static void crank_rate(const double *y, double *f) {
    f[0] = 60 * sqrt(crank_inertia(0) / crank_inertia(y[0]));
}

/* ---- runs ---- */

/* Basic penalty forms and Braun-Goldfarb's terms are left out: their errors are those of the
 * penalty and of the energy term, and not of the integration. */
static int is_exact(const char *method) {
    return !strstr(method, "basic") && strcmp(method, "penalty") != 0 &&
           strcmp(method, "braun-goldfarb") != 0;
}

/* How much more a method may be off: one that lets positions drift, to the threshold of a
 * correction or without one; independent coordinates, of which others move up to `watch` times as
 * far. */
static double room_of(const hol_method_doc *method) {
    if (strcmp(method->state, "extended") == 0) return DRIFT;
    if (strcmp(method->state, "dependent") != 0) return WATCH;
    return strcmp(method->stabilizer, "none") == 0 && strcmp(method->correction, "none") == 0
               ? DRIFT
               : 1;
}

typedef struct answer {
    const char *measure;
    double value;
} answer;

/* All methods, coordinates and tolerances: off by at most `factor` tolerances. */
static void check_all(const char *name, const char *text, double end, const answer *answers,
                      int n_answers, double factor) {
    static const double tolerances[] = {1e-6, 1e-8, 1e-10};
    const subject s = {name, text, end};
    int bad = 0;
    for (int k = 0; k < N_SETS; k++) {
        set_now = sets[k];
        for (int i = 0; hol__method_get(i); i++)
            for (int t = 0; t < 3; t++) {
                char settings[64];
                const char *method = hol__method_get(i)->name;
                if (!belongs(method) || !is_exact(method)) continue;
                snprintf(settings, sizeof settings, "tolerance=%g", tolerances[t]);
                run r = start_method(&s, method, settings);
                double worst = 0;
                run_to(&r, end);
                for (int j = 0; j < n_answers; j++)
                    worst =
                        fmax(worst, fabs(run_measure(&r, answers[j].measure) - answers[j].value));
                if (!(worst <= room_of(hol__method_get(i)) * factor * tolerances[t])) {
                    print_error("%s, %s, %s coordinates: off by %.2g at a tolerance of %g\n", name,
                                method, set_now, worst, tolerances[t]);
                    bad++;
                }
                run_close(&r);
            }
    }
    set_now = "reference";
    assert_int_equal(bad, 0);
}

/* A cart and a pole of these masses, from rest with the pole level. */
static void write_cart(double cart, double pole, size_t size, char *model) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  cart: {mass: %g, inertia: %g, position: [0, 0]}\n"
        "  pole: {mass: %g, inertia: %.17g, position: [0.05, 0]}\n"
        "joints:\n"
        "  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
        "  pin: {type: revolute, bodies: [cart, pole], at: [0, 0]}\n"
        "measures:\n"
        "  x: {type: position, body: cart}\n  angle: {type: angle, body: pole}\n";
    snprintf(model, size, text, cart, 0.001 * cart, pole, pole * 0.1 * 0.1 / 12);
}

/* They move for 5 s. */
static void check_cart(double cart, double pole) {
    char model[1024];
    double y[4] = {0};
    cart_mass = cart, pole_mass = pole;
    write_cart(cart, pole, sizeof model, model);
    rk4(cart_pole, 4, 5, 300000, y);
    const answer answers[] = {{"x.x", y[0]}, {"angle", y[1]}};
    check_all("cart-pole", model, 5, answers, 2, SWINGS);
}

static void test_light_cart(void **unused) {
    (void)unused;
    check_cart(1e-3, 1);
}

static void test_light_pole(void **unused) {
    (void)unused;
    check_cart(1e-3, 1e-6);
}

/* Its momentum is some 1e-8 of what the weight of the cart adds to the multipliers of the rail. */
static void test_lightest_pole(void **unused) {
    (void)unused;
    check_cart(1, 1e-6);
}

/* Its momentum is a millionth of that of the pole, which goes through it to the rail. */
static void test_lightest_cart(void **unused) {
    (void)unused;
    check_cart(1e-6, 1);
}

/* A pole of 1e-9 is rounding beside the penalty of the default: that is said, and kkt takes it. */
static void test_lost_pole(void **unused) {
    char model[1024];
    (void)unused;
    write_cart(1, 1e-9, sizeof model, model);
    const subject s = {"cart-pole", model, 1};
    run r = start_method(&s, "augmented-lagrangian", "");
    assert_int_equal(hol_sim_run(r.sim, NULL), HOL_ERR_SINGULAR);
    assert_true(said_why(r.ctx, "take kernel kkt, or a smaller penalty"));
    run_close(&r);
    r = start_method(&s, "augmented-lagrangian", "kernel=kkt");
    run_to(&r, 1);
    run_close(&r);
    r = start_method(&s, "augmented-lagrangian", "penalty=1e4");
    run_to(&r, 1);
    run_close(&r);
}

static void test_spin(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
        "bodies:\n"
        "  wheel: {mass: 1.3, inertia: 0.083, position: [0.1, 0], velocity: [0, 4], omega: 40}\n"
        "joints:\n  pin: {type: revolute, bodies: [ground, wheel], at: [0, 0]}\n"
        "measures:\n  angle: {type: angle, body: wheel}\n";
    const answer answers[] = {{"angle", 80}};
    (void)unused;
    check_all("spin", text, 2, answers, 1, FACTOR);
}

/* Pitch p per turn, r = p/2 pi: (I + m e^2 + m r^2) angle'' = -m g r. */
static void test_screw(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  nut: {mass: 1, inertia: [0.01, 0.02, 0.03], position: [0.1, 0, 0],\n"
        "    velocity: [0, 3, 30*0.05/(2*pi)], omega: [0, 0, 30]}\n"
        "joints:\n"
        "  s: {type: screw, bodies: [ground, nut], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.05}\n"
        "measures:\n  at: {type: position, body: nut}\n";
    const double r = 0.05 / (2 * acos(-1.0)), T = 2, rate = -9.81 * r / (0.03 + 0.1 * 0.1 + r * r),
                 angle = 30 * T + 0.5 * rate * T * T;
    const answer answers[] = {
        {"at.x", 0.1 * cos(angle)}, {"at.y", 0.1 * sin(angle)}, {"at.z", r * angle}};
    (void)unused;
    check_all("screw", text, T, answers, 3, FACTOR);
}

/* The rotor `rate` times as fast for as many radians, with a tip at the distance `size`. */
static void check_rotor(double rate, double size) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\n"
        "parameters: {k: %g, L: %g}\n"
        "bodies:\n"
        "  rotor: {mass: 1, inertia: [0.01*L^2, 0.02*L^2, 0.03*L^2], omega: [0.4*k, 20*k, 0.4*k]}\n"
        "measures:\n  tip: {type: position, body: rotor, at: [L, 0, 0]}\n";
    char model[512];
    double y[7] = {1, 0, 0, 0, 0.4, 20, 0.4};
    snprintf(model, sizeof model, text, rate, size);
    rk4(rotor, 7, 1.5, 200000, y); /* Euler's equations are the same for k w and t/k */
    const double *q = y;
    const answer answers[] = {
        {"tip.x", size * (q[0] * q[0] + q[1] * q[1] - q[2] * q[2] - q[3] * q[3])},
        {"tip.y", size * 2 * (q[1] * q[2] + q[0] * q[3])},
        {"tip.z", size * 2 * (q[1] * q[3] - q[0] * q[2])},
    };
    check_all("free rotor", model, 1.5 / rate, answers, 3, size * FACTOR);
}

static void test_rotor(void **unused) {
    (void)unused;
    check_rotor(1, 1);
}

static void test_rotor_rates(void **unused) {
    (void)unused;
    check_rotor(37.3, 1);
    check_rotor(612, 1);
}

static void test_rotor_sizes(void **unused) {
    (void)unused;
    check_rotor(1, 0.053);
    check_rotor(1, 140);
}

/* At 2.3 mm the inertias are 1e-7 of the mass, and one of the pseudo-inertias of natural
 * coordinates is zero: what a kernel loses there may be no more than the tolerance, or steps become
 * short. The fewest are 212; changes of independent coordinates double them. */
static void test_small_rotor(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\nparameters: {L: 0.0023}\n"
        "bodies:\n"
        "  rotor: {mass: 1, inertia: [0.01*L^2, 0.02*L^2, 0.03*L^2], omega: [0.4, 20, 0.4]}\n";
    const subject s = {"small rotor", text, 1.5};
    (void)unused;
    set_now = "natural";
    for (int i = 0; hol__method_get(i); i++) {
        const char *method = hol__method_get(i)->name;
        if (!belongs(method) || !is_exact(method)) continue;
        /* the estimate of radau5 is of order 3: 1e4 steps */
        if (strcmp(method, "dae") == 0) continue;
        run r = start_method(&s, method, "tolerance=1e-10 output=0.1 max_steps=2000");
        run_to(&r, 1.5);
        if (sim_info(r.sim).steps > 4 * 212)
            fail_msg("%s: %ld steps", method, sim_info(r.sim).steps);
        run_close(&r);
    }
    set_now = "reference";
}

/* A crank of 23 mm with a rod of 0.9 m: the error of the point between them turns the crank. A
 * slider-crank without loads keeps T = I(angle) angle'^2/2: angle by own RK4. */
static void test_short_leg(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
        "parameters: {r: 0.023, l: 0.9}\n"
        "bodies:\n"
        "  crank: {mass: 2, inertia: 0.02, position: [0, 0], omega: 60}\n"
        "  rod: {mass: 1.5, inertia: 0.1, position: [r + l/2, 0], velocity: [0, 60*r/2],\n"
        "    omega: -60*r/l}\n"
        "  piston: {mass: 0.8, inertia: 1e-3, position: [r + l, 0]}\n"
        "joints:\n"
        "  main: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
        "  big: {type: revolute, bodies: [crank, rod], at: [r, 0]}\n"
        "  small: {type: revolute, bodies: [rod, piston], at: [r + l, 0]}\n"
        "  bore: {type: prismatic, bodies: [ground, piston], at: [r + l, 0], axis: [1, 0]}\n"
        "measures:\n  angle: {type: joint_coordinate, joint: main}\n";
    double y[1] = {0};
    (void)unused;
    rk4(crank_rate, 1, 1, 200000, y);
    const answer answers[] = {{"angle", y[0]}};
    check_all("short crank", text, 1, answers, 1, FACTOR);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_light_cart),    cmocka_unit_test(test_light_pole),
        cmocka_unit_test(test_lightest_pole), cmocka_unit_test(test_lightest_cart),
        cmocka_unit_test(test_small_rotor),   cmocka_unit_test(test_lost_pole),
        cmocka_unit_test(test_spin),          cmocka_unit_test(test_screw),
        cmocka_unit_test(test_rotor),         cmocka_unit_test(test_rotor_rates),
        cmocka_unit_test(test_rotor_sizes),   cmocka_unit_test(test_short_leg),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
