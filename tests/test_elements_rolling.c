/* test_elements_rolling.c: resistance to rolling, spinning and slipping against closed solutions,
 * and what it refuses. */
#include "model_fixture.h"

static const double g = 9.81;

/* One that rolls at the rate W loses w' = -al tanh(w/w0), al = b N / (I + m r^2): while w >> w0 it
 * slows down evenly, and until it rests it has turned by the integral of w dw / (al tanh(w/w0))
 * over 0 ... W, which is W^2 / (2 al) + pi^2 w0^2 / (12 al) but for exp(-2 W/w0). */
static void check_rolling_stop(const char *joint, int spatial, double I) {
    const double m = 1.37, r = 0.21, W = 6.3, w0 = 0.1, b = 0.013, N = m * 9.81,
                 al = b * N / (I + m * r * r), rest = W / al, pi = acos(-1.0);
    char text[2048];
    snprintf(text, sizeof text,
             "holonom: 1\nspace: %s\ngravity: %s\nbodies:\n  b: {mass: %.17g, inertia: %.17g, "
             "position: %s, velocity: %s%s}\njoints:\n  roll: {type: %s, bodies: [ground, b], "
             "radius: %.17g}\nforces:\n  loss: {type: rolling_resistance, joint: roll, load: "
             "%.17g, arm: %.17g, slip_rate: %.17g}\nmeasures:\n  x: {type: position, body: b, "
             "component: x}\n  v: {type: velocity, body: b, component: x}\nsimulation: {end: 100, "
             "tolerance: 1e-11}\n",
             spatial ? "spatial" : "planar", spatial ? "[0, 0, -9.81]" : "[0, -9.81]", m, I,
             spatial ? "[0, 0, 0.21]" : "[0, 0.21]", spatial ? "[1.323, 0, 0]" : "[1.323, 0]",
             spatial ? ", omega: [0, 6.3, 0]" : "", joint, r, N, b, w0);
    run a = run_text(text, NULL);
    /* until 20 w0 are left, where tanh is 1 to the last bit */
    const double t = (W - 20 * w0) / al;
    run_to(&a, t);
    check_near("speed", run_measure(&a, "v"), r * (W - al * t), 1e-10);
    check_near("place", run_measure(&a, "x"), r * (W * t - 0.5 * al * t * t), 1e-10);
    /* exp(-40) of the rate is left after 40 w0/al more */
    run_to(&a, rest + 40 * w0 / al);
    check_near("rest", run_measure(&a, "v"), 0, 1e-10);
    check_near("place of rest", run_measure(&a, "x"),
               r * (0.5 * W * W + pi * pi * w0 * w0 / 12) / al, 1e-8);
    assert_true(sim_info(a.sim).relative_energy_error < 1e-8);
    run_close(&a);
}

static void test_rolling_resistance(void **state) {
    (void)state;
    check_rolling_stop("rolling_disk", 0, 0.0417);
    check_rolling_stop("rolling_sphere", 1, 0.0291);
    check_rolling_stop("rolling_disk, axis: [0, 1, 0]", 1, 0.0307);
}

/* On a slope the moment m g r sin(slope) below b N holds: it creeps at the rate w with b N
 * tanh(w/w0) = m g r sin(slope), and above it rolls off with (m g r sin(slope) - b N)/(I + m
 * r^2). */
static void test_rolling_resistance_on_a_slope(void **state) {
    const double m = 0.9, r = 0.3, I = 0.05, w0 = 0.02;
    (void)state;
    for (int holds = 0; holds < 2; holds++) {
        const double slope = holds ? 0.02 : 0.09, N = m * g * cos(slope), b = 0.012,
                     drive = m * g * r * sin(slope), t = 1.5;
        char text[2048];
        snprintf(text, sizeof text,
                 "holonom: 1\nspace: planar\ngravity: [%.17g, %.17g]\nbodies:\n  b: {mass: %g, "
                 "inertia: %g, position: [0, %g]}\njoints:\n  roll: {type: rolling_disk, bodies: "
                 "[ground, b], radius: %g}\nforces:\n  loss: {type: rolling_resistance, joint: "
                 "roll, load: %.17g, arm: %g, viscous: %g, slip_rate: %g}\nmeasures:\n  v: {type: "
                 "velocity, body: b, component: x}\nsimulation: {end: 10, tolerance: 1e-11}\n",
                 g * sin(slope), -g * cos(slope), m, I, r, r, N, b, holds ? 0 : 0.03, w0);
        run a = run_text(text, NULL);
        run_to(&a, t);
        /* with the viscous part c: w = (drive - b N)/c (1 - exp(-c t/J)); tanh is not 1 only for
         * the first 1e-2 s or so, during which the rate is below 20 w0: the gain is the integral of
         * b N (1 - tanh) dt <= b N w0 ln 2 / (J times the rate of w), decaying with c */
        const double J = I + m * r * r, c = 0.03;
        if (holds)
            check_near("creep", run_measure(&a, "v") / r, w0 * atanh(drive / (b * N)), 1e-9);
        else
            check_near("rate", run_measure(&a, "v") / r,
                       (drive - b * N) / c * (1 - exp(-c * t / J)),
                       b * N * w0 * log(2.0) / (drive - b * N));
        run_close(&a);
    }
}

/* Spinning about the normal ends at Izz W/(s N), and does not touch the rolling. */
static void test_spin_resistance(void **state) {
    const double W = 31, w0 = 0.2, s = 4e-4, m = 0.6, I = 0.0011, N = m * 9.81, al = s * N / I,
                 t = (W - 20 * w0) / al;
    (void)state;
    run a =
        run_text("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  b: {mass: 0.6, "
                 "inertia: 0.0011, position: [0, 0, 0.07], velocity: [0.3, 0, 0], omega: [0, "
                 "4.285714285714286, 31]}\njoints:\n  roll: {type: rolling_sphere, bodies: "
                 "[ground, b], radius: 0.07}\nforces:\n  loss: {type: rolling_resistance, joint: "
                 "roll, load: 0.6*9.81, spin_arm: 4e-4, slip_rate: 0.2}\nmeasures:\n  w: {type: "
                 "angular_velocity, body: b}\n  v: {type: velocity, body: b}\nsimulation: {end: "
                 "100, tolerance: 1e-11}\n",
                 NULL);
    run_to(&a, t);
    check_near("spin", run_measure(&a, "w.z"), W - al * t, 1e-9);
    check_near("speed", run_measure(&a, "v.x"), 0.3, 1e-9);
    run_to(&a, (W + 30 * w0) / al);
    check_near("spin at rest", run_measure(&a, "w.z"), 0, 1e-9);
    run_close(&a);
}

/* A ball that is thrown without turning slips with x'' = -mu g and w' = mu g m r/I until t = 2 v/(7
 * mu g) and then rolls with 5 v/7. */
static void test_slip_resistance(void **state) {
    const double v = 1.9, mu = 0.21, r = 0.08, end = 2 * v / (7 * mu * g);
    (void)state;
    run a =
        run_text("holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  b: {mass: 0.5, "
                 "inertia: 0.4*0.5*0.08^2, position: [0, 0, 0.08], velocity: [1.9, 0, 0], omega: "
                 "[0, 0, 0]}\njoints:\n  slide: {type: rolling_sphere, bodies: [ground, b], "
                 "radius: 0.08, slip: true}\nforces:\n  rub: {type: rolling_resistance, joint: "
                 "slide, load: 0.5*9.81, friction: 0.21, slip_speed: 1 mm/s}\nmeasures:\n  w: "
                 "{type: angular_velocity, body: b, component: y}\n  v: {type: velocity, body: b, "
                 "component: x}\nsimulation: {end: 2, tolerance: 1e-10}\n",
                 NULL);
    run_to(&a, 0.8 * end);
    check_near("slipping", run_measure(&a, "v"), v - mu * g * 0.8 * end, 1e-9);
    check_near("turning", run_measure(&a, "w"), 2.5 * mu * g * 0.8 * end / r, 1e-7);
    run_to(&a, 2 * end);
    /* the angular momentum about the contact is kept whatever the friction is; the slip falls to
     * exp(-7/2 mu g end/v0), nothing */
    check_near("rolling", run_measure(&a, "v"), 5 * v / 7, 1e-9);
    check_near("without slip", run_measure(&a, "w") * r, 5 * v / 7, 1e-9);
    assert_true(sim_info(a.sim).relative_energy_error < 1e-8);
    run_close(&a);
}

/* What makes no sense is refused at its line. */
static void test_rolling_resistance_refusals(void **state) {
    static const struct {
        const char *keys, *message;
    } cases[] = {{"joint: hinge, viscous: 0.1", "acts in a rolling_disk or a rolling_sphere"},
                 {"joint: roll, load: 3, friction: 0.2", "rolls without slip"},
                 {"joint: roll, arm: 2 mm", "act with a `load`"},
                 {"joint: roll, load: 3", "has no effect"},
                 {"joint: roll, load: 3, arm: -2 mm", "not be negative"},
                 {"joint: roll, load: press.fy, arm: 2 mm", "cannot drive one"},
                 {"joint: roll, load: 3, spin_arm: 2 mm", "no meaning in a planar model"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048], line[1024];
        int found = 0;
        snprintf(
            text, sizeof text,
            "holonom: 1\nspace: planar\nbodies:\n  a: {mass: 1, inertia: 1, position: [0, "
            "0.3]}\n  b: {mass: 1, inertia: 1}\njoints:\n  roll: {type: rolling_disk, bodies: "
            "[ground, a], radius: 0.3}\n  hinge: {type: revolute, bodies: [ground, b], at: [0, "
            "0]}\nmeasures:\n  press: {type: reaction, joint: roll}\nforces:\n  f: {type: "
            "rolling_resistance, %s}\n",
            cases[i].keys);
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
        hol_model *model = hol_model_from_spec(ctx, spec, NULL);
        if (model) fail_msg("compiled: %s", cases[i].keys);
        for (int k = 0; k < hol_message_count(ctx); k++) {
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
            found |=
                strstr(line, cases[i].message) != NULL && strstr(line, "test.yaml:12:") != NULL;
        }
        if (!found) run_print_messages(ctx);
        assert_true(found);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolling_resistance),
        cmocka_unit_test(test_rolling_resistance_on_a_slope),
        cmocka_unit_test(test_spin_resistance),
        cmocka_unit_test(test_slip_resistance),
        cmocka_unit_test(test_rolling_resistance_refusals),
    };
    return run_tests_of_models("tests", tests);
}
