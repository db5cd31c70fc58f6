/* test_crossing.c: what counts as a singular position, and starts in one.
 *
 * Linkages whose singular positions are known by geometry: the slider-crank of equal links passes
 * one at every quarter turn beyond the first, a parallelogram of three cranks whose pivots lie in
 * one line one at every half turn; with the middle crank beside that line there is none, although
 * every pair of cranks by itself has one. Light bodies are none either.
 */
#include "model_fixture.h"

enum { LONGEST = 250 };

/* ---- the slider-crank ---- */

/* theta1(10) = -0.43700734 [BG 4.1]; it swings through -pi/2 to -3.92 rad and back, three times
 * each way. */
static void test_slider_crank(void **state) {
    (void)state;
    static const char *const sets[] = {"reference", "natural", "relative"};
    static const double tolerances[] = {1e-6, 1e-8, 1e-10, 1e-12};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            char settings[LONGEST];
            snprintf(settings, sizeof settings, "coordinates=%s tolerance=%g end=10 output=0.37",
                     sets[i], tolerances[k]);
            run r = run_open("slider_crank", settings);
            const hol_sim_info info = run_whole(&r);
            assert_int_equal(info.crossings, 6);
            check_near(settings, info.crossing_times.values[0], 0.88257, 1e-3);
            check_near(settings, run_measure(&r, "theta1"), -0.43700734,
                       500 * tolerances[k] + 6e-9);
            check_near(settings, run_measure(&r, "theta1") + run_measure(&r, "theta2"), 0, 1e-12);
            run_close(&r);
        }
}

/* Methods without a correction may stop there, but do not leave the branch theta2 = -theta1 before,
 * also where their constraints are off by rounding alone and steps lead within 1e-6 of it. */
static void test_no_other_branch(void **state) {
    (void)state;
    static const char *const sets[] = {"reference", "natural", "relative"};
    static const char *const methods[] = {"lagrange", "nullspace", "baumgarte", "udwadia-kalaba"};
    for (int i = 0; i < 48; i++) {
        char settings[LONGEST];
        snprintf(settings, sizeof settings, "method=%s coordinates=%s tolerance=1e-%d end=6",
                 methods[i / 12], sets[i % 3], 8 + i / 3 % 4);
        run r = run_open("slider_crank", settings);
        hol_status status = HOL_OK;
        for (int k = 1; k <= 300 && !status; k++) {
            status = hol_sim_advance(r.sim, 0.02 * k);
            if (!status)
                check_near(settings, run_measure(&r, "theta1") + run_measure(&r, "theta2"), 0,
                           1e-3);
        }
        if (status) assert_int_equal(status, HOL_ERR_SINGULAR);
        run_close(&r);
    }
}

/* ---- beside a position ---- */

/* A parallelogram of cranks of 0.1 m, 0.2 degrees from where all links lie in one line, on a stiff
 * torsion spring: J x'' = -k (x - a) - c x' - w cos(x), x the angle of the cranks. */
static double flat_rate(double x, double v) {
    const double J = 2 * (2e-4 + 0.2 * 0.0025) + 0.2 * 0.01, a = 0.2 * acos(-1) / 180;
    return (-1e3 * (x - a) - 0.05 * v - 9.81 * 0.2 * (0.05 + 0.05 + 0.1) * cos(x)) / J;
}

/* x(0.2) by the classical Runge-Kutta formula. */
static double flat_angle(void) {
    const int n = 80000;
    const double h = 0.2 / n;
    double x = 0.2 * acos(-1) / 180, v = 0;
    for (int i = 0; i < n; i++) {
        const double a1 = flat_rate(x, v), v2 = v + h / 2 * a1, a2 = flat_rate(x + h / 2 * v, v2),
                     v3 = v + h / 2 * a2, a3 = flat_rate(x + h / 2 * v2, v3), v4 = v + h * a3,
                     a4 = flat_rate(x + h * v3, v4);
        x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return x;
}

/* Steps that something stiff makes short do not creep into a position beside which they are made:
 * until 0.2.0 a hundred of them were enough to stop. */
static void test_stiff_beside(void **state) {
    (void)state;
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {a: 0.2 deg}\npoints:\n"
        "  O: [0, 0]\n  A: [0.1*cos(a), 0.1*sin(a)]\n  B: [0.3 + 0.1*cos(a), 0.1*sin(a)]\n"
        "  C: [0.3, 0]\nbodies:\n  left: {mass: 0.2, inertia: 2e-4, along: [O, A]}\n"
        "  top: {mass: 0.2, inertia: 2e-4, along: [A, B]}\n"
        "  right: {mass: 0.2, inertia: 2e-4, along: [C, B]}\njoints:\n"
        "  o: {type: revolute, bodies: [ground, left], at: O}\n"
        "  a: {type: revolute, bodies: [left, top], at: A}\n"
        "  b: {type: revolute, bodies: [top, right], at: B}\n"
        "  c: {type: revolute, bodies: [ground, right], at: C}\nforces:\n"
        "  stop: {type: torsion, joint: o, stiffness: 1e3, damping: 0.05}\nmeasures:\n"
        "  angle: {type: angle, body: left}\nsimulation: {end: 0.2}\n";
    static const char *const methods[] = {"auto",      "direct-correction", "lagrange",
                                          "baumgarte", "partitioning",      "nullspace"};
    const double angle = flat_angle();
    for (int i = 0; i < 12; i++) {
        char settings[LONGEST];
        snprintf(settings, sizeof settings, "method=%s integrator=%s tolerance=1e-9",
                 methods[i / 2], i % 2 ? "dop853" : "dopri5");
        run r = run_text(text, settings);
        const hol_sim_info info = run_whole(&r);
        assert_true(info.steps > 100);
        assert_int_equal(info.crossings, 0);
        check_near(settings, run_measure(&r, "angle"), angle, 1e-7);
        run_close(&r);
    }
}

/* A crank of 1 m and a rod of l, 1.5 mm longer, turn over: where the crank is upright the rod turns
 * back within 0.06 rad, since the position in which both were upright is so near. There is none. */
static const double rod_length = 1.0015, drawn = 0.7, rate = 4;

/* theta'^2/2 = (E - V)/J, in one coordinate. */
static double rate_at(double theta, double energy) {
    const double l = rod_length, s = sin(theta), c = cos(theta), r = sqrt(l * l - s * s),
                 slide = -s - s * c / r, middle = (slide - s) / 2, turn = c / r,
                 J = 1. / 3 + middle * middle + c * c / 4 + l * l / 12 * turn * turn +
                     slide * slide;
    return energy < 0 ? J : sqrt(2 * (energy - 9.81 * s) / J);
}

/* theta at the time t, by Runge and Kutta's formula. */
static double angle_at(double t) {
    enum { N = 40000 };
    const double h = t / N, E = rate_at(drawn, -1) * rate * rate / 2 + 9.81 * sin(drawn);
    double x = drawn;
    for (int i = 0; i < N; i++) {
        const double k1 = rate_at(x, E), k2 = rate_at(x + h / 2 * k1, E),
                     k3 = rate_at(x + h / 2 * k2, E), k4 = rate_at(x + h * k3, E);
        x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return x;
}

static void test_passed_by(void **state) {
    (void)state;
    static const char *const sets[] = {"reference", "natural", "relative"};
    static const char *const methods[] = {
        "auto",      "lagrange",  "baumgarte",      "projection",
        "nullspace", "canonical", "udwadia-kalaba", "augmented-lagrangian"};
    const double x = cos(drawn), y = sin(drawn), far = x + sqrt(rod_length * rod_length - y * y);
    char text[2048];
    snprintf(text, sizeof text,
             "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
             "  crank: {mass: 1, inertia: 1/12, along: [[0, 0], [%.17g, %.17g]], omega: %g}\n"
             "  rod: {mass: 1, inertia: %.17g, along: [[%.17g, %.17g], [%.17g, 0]]}\n"
             "  slider: {mass: 1, inertia: 0.01, position: [%.17g, 0]}\njoints:\n"
             "  O: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
             "  A: {type: revolute, bodies: [crank, rod], at: [%.17g, %.17g]}\n"
             "  B: {type: revolute, bodies: [rod, slider], at: [%.17g, 0]}\n"
             "  guide: {type: prismatic, bodies: [ground, slider], at: [0, 0], axis: [1, 0]}\n"
             "measures:\n  turned: {type: joint_coordinate, joint: O}\n",
             x, y, rate, rod_length * rod_length / 12, x, y, far, far, x, y, far);
    const double wanted = angle_at(3) - drawn;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        for (int k = 0; k < 3; k++) {
            char settings[LONGEST];
            snprintf(settings, sizeof settings, "method=%s coordinates=%s tolerance=1e-9 end=3",
                     methods[i], sets[k]);
            run r = run_text(text, settings);
            const hol_sim_info info = run_whole(&r);
            assert_int_equal(info.crossings, 0);
            check_near(settings, run_measure(&r, "turned"), wanted, 1e-7);
            run_close(&r);
        }
}

/* ---- parallelograms ---- */

/* Cranks of 0.5 m at x = 0, 1 and 2, the middle one at y; they start at 0.7 rad with 9 rad/s. */
static run parallelogram(double y, const char *settings) {
    const double l = 0.5, dx = l * cos(0.7), dy = l * sin(0.7);
    const double x[] = {0, 2, 1}, h[] = {0, 0, y};
    char text[4096];
    int n = snprintf(text, sizeof text,
                     "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
                     "  p: {mass: 2, inertia: 0.7, along: [[%.17g, %.17g], [%.17g, %.17g]]}\n",
                     dx, dy, 2 + dx, dy);
    for (int i = 0; i < 3; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  c%d: {mass: 1, inertia: 0.02, along: [[%g, %g], [%.17g, %.17g]]%s}\n", i,
                      x[i], h[i], x[i] + dx, h[i] + dy, i ? "" : ", omega: 9");
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    for (int i = 0; i < 3; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  A%d: {type: revolute, bodies: [ground, c%d], at: [%g, %g]}\n"
                      "  B%d: {type: revolute, bodies: [c%d, p], at: [%.17g, %.17g]}\n",
                      i, i, x[i], h[i], i, i, x[i] + dx, h[i] + dy);
    snprintf(text + n, sizeof text - (size_t)n,
             "measures:\n  first: {type: joint_coordinate, joint: A0}\n"
             "  second: {type: joint_coordinate, joint: A1}\n"
             "  middle: {type: joint_coordinate, joint: A2}\n");
    return run_text(text, settings);
}

/* Five turns and more: 60.77 rad in 6 s. The cranks turn together, so that the platform never turns
 * and the motion is that of a pendulum with masses 3 x 1 + 2: counted through 0.7 + first = k
 * pi. */
static void test_parallelogram(void **state) {
    (void)state;
    static const double tolerances[] = {1e-6, 1e-8, 1e-10};
    for (int k = 0; k < 3; k++) {
        char settings[LONGEST];
        snprintf(settings, sizeof settings, "tolerance=%g end=6 output=0.05", tolerances[k]);
        run r = parallelogram(0, settings);
        const hol_sim_info info = run_whole(&r);
        const double first = run_measure(&r, "first");
        assert_true(first > 10 * acos(-1.0));
        assert_int_equal(info.n_redundant, 1);
        assert_int_equal(info.crossings, (int)floor((0.7 + first) / acos(-1.0)));
        check_near(settings, run_measure(&r, "second"), first, 1e-9);
        check_near(settings, run_measure(&r, "middle"), first, 1e-9);
        run other = parallelogram(0.3, settings);
        const hol_sim_info free_of = run_whole(&other);
        assert_int_equal(free_of.crossings, 0);
        check_near(settings, first, run_measure(&other, "first"), 300 * tolerances[k]);
        run_close(&other);
        run_close(&r);
    }
}

/* ---- light bodies ---- */

/* A pole of 1 kg on a cart of mass r. */
static run cart_pole(double r, const char *settings) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  cart: {mass: %g, inertia: %g}\n"
        "  pole: {mass: 1, inertia: 1/12, along: [[0, 0], [0.8, 0.6]]}\n"
        "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
        "  pin: {type: revolute, bodies: [cart, pole], at: [0, 0]}\n"
        "measures:\n  angle: {type: angle, body: pole}\n",
        r, 0.1 * r);
    return run_text(text, settings);
}

/* The angle of the pole after 2 s in one coordinate, horizontal momentum (r + 1) x' - s w
 * sin(angle) = 0:
 *     w^2 (I + s^2 - s^2 sin^2/(1 + r))/2 + g s sin = const,  s = 1/2, I = 1/12, by steps of 1e-5
 * (RK4). */
static double pole_acceleration(double r, double q, double w) {
    const double s = 0.5, I = 1.0 / 12, m = I + s * s - s * s * sin(q) * sin(q) / (1 + r),
                 dm = -2 * s * s * sin(q) * cos(q) / (1 + r);
    return -(0.5 * dm * w * w + 9.81 * s * cos(q)) / m;
}

static double pole_angle(double r, double end) {
    const double h = 1e-5;
    double q = atan2(0.6, 0.8), w = 0;
    for (long i = 0; i < lround(end / h); i++) {
        const double a1 = pole_acceleration(r, q, w),
                     a2 = pole_acceleration(r, q + h / 2 * w, w + h / 2 * a1),
                     a3 = pole_acceleration(r, q + h / 2 * w + h * h / 4 * a1, w + h / 2 * a2),
                     a4 = pole_acceleration(r, q + h * w + h * h / 2 * a2, w + h * a3);
        q += h * w + h * h / 6 * (a1 + a2 + a3);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return q;
}

/* From 1:10 to 1:1e10 no singular position is seen, and it costs no more steps than the motion
 * itself. */
static void test_light_bodies(void **state) {
    (void)state;
    run even = cart_pole(1e-3, "tolerance=1e-9 end=2 output=2");
    const long steps = run_whole(&even).steps;
    run_close(&even);
    for (double r = 0.1; r > 0.9e-10; r /= 10) {
        char what[LONGEST];
        run light = cart_pole(r, "tolerance=1e-9 end=2 output=2");
        const hol_sim_info info = run_whole(&light);
        snprintf(what, sizeof what, "a cart of %g", r);
        assert_int_equal(info.crossings, 0);
        assert_true(info.steps < 1.2 * (double)steps);
        /* rounding of the constraints, 1e-16, against a mass r */
        check_near(what, run_measure(&light, "angle"), pole_angle(r, 2), 2e-8 + 1e-16 / r);
        run_close(&light);
    }
}

/* ---- starts in a singular position ---- */

/* Two four-bars, flat, turning with w. */
static run flat(double w, const char *settings) {
    char text[4096];
    int n = snprintf(
        text, sizeof text,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {I: 1/12}\nbodies:\n");
    for (int i = 0; i < 3; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  up%d: {mass: 1, inertia: I, along: [[%d, 0], [%d, 0]], omega: %.17g, "
                      "velocity: [0, %.17g]}\n",
                      i, i, i + 1, w, w / 2);
    for (int i = 0; i < 2; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  top%d: {mass: 1, inertia: I, along: [[%d, 0], [%d, 0]], omega: 0, "
                      "velocity: [0, %.17g]}\n",
                      i, i + 1, i + 2, w);
    snprintf(text + n, sizeof text - (size_t)n,
             "joints:\n  A0: {type: revolute, bodies: [ground, up0], at: [0, 0]}\n"
             "  A1: {type: revolute, bodies: [ground, up1], at: [1, 0]}\n"
             "  A2: {type: revolute, bodies: [ground, up2], at: [2, 0]}\n"
             "  B0: {type: revolute, bodies: [up0, top0], at: [1, 0]}\n"
             "  C1: {type: revolute, bodies: [top0, up1], at: [2, 0]}\n"
             "  B1: {type: revolute, bodies: [up1, top1], at: [2, 0]}\n"
             "  C2: {type: revolute, bodies: [top1, up2], at: [3, 0]}\n"
             "measures:\n  theta: {type: angle, body: up0}\n  last: {type: angle, body: up2}\n");
    return run_text(text, settings);
}

/* Whether a warning says that the run starts in a singular position and names a joint. */
static int warns(const hol_context *ctx) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        if (m->severity == HOL_WARNING && m->element && strstr(m->element, "singular position") &&
            strstr(m->text, "do not determine the motion") &&
            (strstr(m->text, "joint 'C") || strstr(m->text, "body 'top")))
            return 1;
    }
    return 0;
}

/* The same motion in one coordinate, 1.5 w^2 + 3.5 g sin = const: theta after `end`. */
static double swing(double w, double end) {
    const double h = 1e-5, k = 3.5 * 9.81 / 3;
    double q = 0;
    for (long i = 0; i < lround(end / h); i++) {
        const double a1 = -k * cos(q), a2 = -k * cos(q + h / 2 * w),
                     a3 = -k * cos(q + h / 2 * w + h * h / 4 * a1),
                     a4 = -k * cos(q + h * w + h * h / 2 * a2);
        q += h * w + h * h / 6 * (a1 + a2 + a3);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return q;
}

/* The given rates satisfy the constraints and say which branch is meant. */
static void test_start_in_motion(void **state) {
    (void)state;
    static const char *const settings[] = {
        "tolerance=1e-9 end=3 output=3", "tolerance=1e-9 end=3 output=3 coordinates=natural",
        "tolerance=1e-9 end=3 output=3 coordinates=relative", "step=1e-3 end=3 output=3",
        "tolerance=1e-9 end=3 output=3 method=index1-projection"};
    const double w = -4.8877, wanted = swing(w, 3);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        run r = flat(w, settings[i]);
        assert_true(warns(r.ctx));
        const hol_sim_info info = run_whole(&r);
        assert_int_equal(info.n_redundant, 0);
        assert_int_equal(info.dof, 1);
        check_near(settings[i], run_measure(&r, "theta"), wanted, 1e-7);
        check_near(settings[i], run_measure(&r, "last"), wanted, 1e-7);
        run_close(&r);
    }
}

/* At rest nothing says it. */
static void test_start_at_rest(void **state) {
    (void)state;
    run r = flat(0, "end=1");
    assert_true(warns(r.ctx));
    run_close(&r);
}

/* Constraints that are always redundant are not taken for a singular position. */
static void test_redundant_start(void **state) {
    (void)state;
    run r = run_open("a04_bricard", NULL);
    assert_false(warns(r.ctx));
    assert_int_equal(sim_info(r.sim).n_redundant, 1);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_other_branch), cmocka_unit_test(test_passed_by),
        cmocka_unit_test(test_stiff_beside),    cmocka_unit_test(test_slider_crank),
        cmocka_unit_test(test_parallelogram),   cmocka_unit_test(test_light_bodies),
        cmocka_unit_test(test_start_in_motion), cmocka_unit_test(test_start_at_rest),
        cmocka_unit_test(test_redundant_start),
    };
    return run_tests_of_models("tests", tests);
}
