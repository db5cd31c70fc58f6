/* test_events.c: instants that follow from the time alone, and corners of laws in the state, are
 * not passed over by steps.
 *
 * A force F(t) on a free body of mass m changes its velocity by int F dt/m; a force F(x) over a
 * short way changes its energy by int F dx. Laws that are pieces of polynomials are integrated
 * exactly by every formula once steps end at their corners, so that what remains is the rounding of
 * the instants: an ulp of the time times the force.
 */
#include "model_fixture.h"

static const char *const plane =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "bodies:\n  b: {mass: 1.7, inertia: 0.3, position: [0, 0], velocity: [3, 0]}\n"
    "joints:\n  rail: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0]}\n"
    "forces:\n  f: {type: force, body: b, force: ['LAW', 0]}\n"
    "measures:\n  x: {type: position, body: b, component: x}\n"
    "  v: {type: velocity, body: b, component: x}\n"
    "simulation: {end: 10, output_mode: dense}\n";

static const char *const space =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\n"
    "bodies:\n  b: {mass: 1.7, inertia: [0.3, 0.2, 0.4], position: [0, 0, 0], velocity: [3, 0, 0], "
    "omega: [0.2, 0.1, 0.3]}\n"
    "forces:\n  f: {type: force, body: b, force: ['LAW', 0, 0]}\n"
    "measures:\n  x: {type: position, body: b, component: x}\n"
    "  v: {type: velocity, body: b, component: x}\n"
    "simulation: {end: 10, output_mode: dense}\n";

static const double m = 1.7, v0 = 3;

/* One of the two with a law. */
static run run_law(const char *model, const char *law, const char *settings) {
    char text[4096];
    const char *place = strstr(model, "LAW");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(place - model), model, law, place + 3);
    return run_text(text, settings);
}

static const char *const ways[] = {
    "tolerance=1e-3 integrator=dopri5",    "tolerance=1e-9 integrator=dop853",
    "tolerance=1e-5 integrator=bs32",      "tolerance=1e-6 integrator=rodas4",
    "tolerance=1e-6 integrator=esdirk4",   "step=0.037 integrator=rk4",
    "tolerance=1e-6 coordinates=relative", "tolerance=1e-6 coordinates=natural",
    "tolerance=1e-6 output_mode=land"};

enum { WAYS = sizeof ways / sizeof *ways };

/* ---- time ---- */

/* The bump of the table below: a natural spline through (0, 0), (1, y), (2, 0) is y (3 s - s^3)/2
 * up to its middle, whose integral is 5/8 y: of both halves 5/4 y h = 1. */
static void test_pulses_in_time(void **state) {
    const double pi = acos(-1);
    const struct {
        const char *law;
        double integral, largest; /* of F over 0 … 10; |F| */
        int exact;                /* pieces of low degree */
    } cases[] = {
        {"if(t > 5 and t < 5.001, 4000, 0)", 4, 4000, 1},
        {"if(t >= 5 and t <= 5 + 1e-7, 3e6, 0)", 0.3, 3e6, 1},
        {"1000*max(0, 1 - abs(t - 5)/0.001)", 1, 1000, 1},
        {"1000*step(t, 5, 0, 5.0004, 1)*step(t, 5.0006, 1, 5.001, 0)", 0.6, 1000, 0},
        {"if(mod(t, 1) < 0.001, 500, 0)", 5, 500, 1},
        {"if(sin(40*t) > 0.99999, 2000, 0)", 64 * 2000 * 2 * acos(0.99999) / 40, 2000, 1},
        {"floor(t/3)", 12, 3, 1},
        {"ceil(t/3)", 3 + 6 + 9 + 4, 4, 1},
        {"sign(t - 2.385)", 10 - 2 * 2.385, 1, 1},
        {"if(t^3 - 20*t^2 + 124*t > 240, 1, 0)", 2, 1, 1},
        {"abs(sin(3*t))", (2 * 9 + 1 - cos(30 - 9 * pi)) / 3, 1, 0},
        /* a sawtooth of 2.3 t, whose teeth have no integral; what is left of the last one */
        {"40*atan2(sin(2.3*t), cos(2.3*t))", 40 * (23 - 8 * pi) * (23 - 8 * pi) / 4.6, 40 * pi, 1},
        {"clamp(100*(t - 5), 0, 2) - clamp(100*(t - 5.05), 0, 2)", 0.1, 2, 1},
        {"table(t, 4.999, 0, 5, 800, 5.001, 0)*(t > 4.999 and t < 5.001)", 1, 800, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 2 * WAYS; k++) {
            run r = run_law(k % 2 ? space : plane, cases[i].law, ways[k / 2]);
            char what[256];
            run_whole(&r);
            snprintf(what, sizeof what, "%s, %s", cases[i].law, ways[k / 2]);
            /* an instant is off by an ulp of 10; what is not exact by some ten tolerances */
            const double off = cases[i].exact ? 0 : strstr(what, "1e-3") ? 1e-2 : 1e-3;
            check_near(what, m * (run_measure(&r, "v") - v0), cases[i].integral,
                       1e-10 + 40 * 2e-15 * cases[i].largest + off * cases[i].integral);
            run_close(&r);
        }
}

/* Steps end at the instants themselves, also where a run starts or an output lies on one. */
static void test_instants_are_landed_on(void **state) {
    (void)state;
    run r = run_law(plane, "if(t > 0 and t <= 2.5, 17, 0)", "output=0.5");
    run_to(&r, 2.5);
    check_near("at the instant", hol_data_time(hol_sim_data(r.sim)), 2.5, 0);
    check_near("velocity there", run_measure(&r, "v"), v0 + 10 * 2.5, 1e-12 * 28);
    run_to(&r, 10);
    check_near("velocity at the end", run_measure(&r, "v"), v0 + 10 * 2.5, 1e-12 * 28);
    run_close(&r);
}

/* A comparison that changes a million times costs only what the run needs. */
static void test_many_changes_are_found_as_needed(void **state) {
    (void)state;
    run r = run_law(plane, "if(sin(1e5*t)*cos(1e5*t) > 0.5000001, 1, 0)", "end=0.01");
    run_whole(&r);
    check_near("no force at all", run_measure(&r, "v"), v0, 1e-15 * v0);
    run_close(&r);
    r = run_law(plane, "if(mod(t, 1e-3) < 1e-6, 2000, 0)", "end=0.3");
    run_whole(&r);
    check_near("300 pulses", m * (run_measure(&r, "v") - v0), 300 * 2e-3, 1e-9);
    run_close(&r);
}

/* ---- the state ---- */

/* A short stretch of force on the way is not jumped over, and its work is right: with the error
 * test whatever the tolerance, because the force is constant between the corners. */
static void test_pulses_on_the_way(void **state) {
    static const char *const laws[] = {
        "if(x > 1.234 and x < 1.2341, 5000, 0)",
        "10000*max(0, 1 - abs(x - 7.7)/5e-5)",
        "if(abs(x - 20) < 5e-5, 5000, 0)",
        "if(mod(x, 40) < 25 or mod(x, 40) > 25.0001, 0, 5000)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        for (int k = 0; k < 2 * WAYS; k++) {
            run r = run_law(k % 2 ? space : plane, laws[i], ways[k / 2]);
            char what[256];
            run_whole(&r);
            snprintf(what, sizeof what, "%s, %s", laws[i], ways[k / 2]);
            const double v = run_measure(&r, "v");
            check_near(what, 0.5 * m * (v * v - v0 * v0), 0.5, i == 1 ? 2e-3 : 1e-8);
            run_close(&r);
        }
}

/* A stop at a condition that holds on a short part of the way. */
static void test_stop_on_the_way(void **state) {
    char text[4096];
    (void)state;
    snprintf(text, sizeof text, "%sstop_when: x > 1.234 and x < 1.2341\n", plane);
    run r = run_law(text, "0", "tolerance=1e-6");
    run_whole(&r);
    check_near("time of the stop", hol_data_time(hol_sim_data(r.sim)), 1.234 / 3, 1e-12);
    run_close(&r);
}

/* Whether a warning about an element has these words. */
static int warns(const run *r, const char *element, const char *words) {
    for (int i = 0; i < hol_message_count(r->ctx); i++) {
        const hol_message *message = hol_message_get(r->ctx, i);
        if (message->severity == HOL_WARNING && strstr(message->text, words) &&
            strstr(message->element, element))
            return 1;
    }
    return 0;
}

/* A law that drives its own condition back is named; from there on the error test alone holds it,
 * as a law that nobody can see into. */
static void test_back_and_forth(void **state) {
    (void)state;
    run r = run_law(plane, "-20*sign(v) + 5*sin(t)", "tolerance=1e-5 end=0.265");
    run_whole(&r);
    check_near("it sticks", run_measure(&r, "v"), 0, 1e-3);
    assert_true(warns(&r, "'f'", "back and forth"));
    run_close(&r);
}

/* ---- contacts ---- */

static const char *const balls =
    "holonom: 1\nspace: SPACE\ngravity: NONE\n"
    "bodies:\n  a: {mass: 0.4, inertia: 1e-3, position: [-300.123, OFF], velocity: [1000, OFF0]}\n"
    "  b: {mass: 0.4, inertia: 1e-3, position: [0, OFF0]}\n"
    "forces:\n  hit: {type: contact_spheres, bodies: [a, b], from: [-300.123, OFF], to: [0, "
    "OFF0],\n"
    "    radius_from: 0.01, radius_to: 0.01, stiffness: 1e11, restitution: 1}\n"
    "measures:\n  va: {type: velocity, body: a, component: x}\n"
    "  vb: {type: velocity, body: b, component: x}\n"
    "simulation: {end: 1, output_mode: dense}\n";

/* Replace every word by another. */
static void replace(const char *text, const char *word, const char *by, char *out, size_t size) {
    size_t used = 0;
    for (const char *at; (at = strstr(text, word)); text = at + strlen(word))
        used += (size_t)snprintf(out + used, size - used, "%.*s%s", (int)(at - text), text, by);
    snprintf(out + used, size - used, "%s", text);
}

/* Two equal balls exchange their speeds, at 1000 m/s and with contacts of 20 microseconds, however
 * loose the tolerance is; they pass each other where they miss by a hair. */
static void test_balls_do_not_tunnel(void **state) {
    static const struct {
        const char *settings;
        double off;
    } cases[] = {{"tolerance=1e-3 integrator=dopri5", 1e-2},
                 {"tolerance=1e-6 integrator=dop853", 1e-4},
                 {"tolerance=1e-9 integrator=dop853", 1e-7},
                 {"tolerance=1e-7 integrator=rodas4", 1e-4},
                 {"tolerance=1e-7 integrator=esdirk4", 1e-4}};
    char one[2048], two[2048], text[2048], missed[2048];
    (void)state;
    for (int k = 0; k < 2; k++) {
        replace(balls, "SPACE", k ? "spatial" : "planar", one, sizeof one);
        replace(one, "NONE", k ? "[0, 0, 0]" : "[0, 0]", two, sizeof two);
        replace(two, "OFF0", k ? "0, 0" : "0", one, sizeof one);
        replace(one, "OFF", k ? "0, 0" : "0", text, sizeof text);
        replace(one, "OFF", k ? "0.0201, 0" : "0.0201", missed, sizeof missed);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            run r = run_text(text, cases[i].settings);
            run_whole(&r);
            check_near("the first ball", run_measure(&r, "va"), 0, 1000 * cases[i].off);
            check_near("the second ball", run_measure(&r, "vb"), 1000, 1000 * cases[i].off);
            run_close(&r);
            r = run_text(missed, cases[i].settings);
            run_whole(&r);
            check_near("a ball that misses", run_measure(&r, "va"), 1000, 0);
            run_close(&r);
        }
    }
    /* a fixed step finds it too, and says that it is too long for it */
    run r = run_text(text, "step=0.01 integrator=rk4");
    run_whole(&r);
    assert_true(warns(&r, "'hit'", "fixed step"));
    run_close(&r);
}

/* A linear stop, limit, contact or tyre without damping sends a mass back with its speed after half
 * a period of its spring, pi sqrt(m/k); the run ends when the mass is where it was at the start. */
static void test_stops_are_not_passed(void **state) {
    static const struct {
        const char *force;
    } cases[] = {
        {"{type: bump_stop, bodies: [ground, b], from: [7, 0], to: [0, 0], length: 1, stiffness: "
         "3e9}"},
        {"{type: bump_stop, bodies: [ground, b], from: [-7, 0], to: [0, 0], length: 13, acts: "
         "above, stiffness: 3e9}"},
        {"{type: limit, joint: rail, upper: 6, stiffness: 3e9}"},
        {"{type: contact_plane, bodies: [ground, b], plane: [6, 0], normal: [-1, 0], point: [0, "
         "0], "
         "stiffness: 3e9, exponent: 1, restitution: 1}"},
    };
    static const char *const settings[] = {
        "tolerance=1e-4 integrator=dopri5", "tolerance=1e-9 integrator=dop853",
        "tolerance=1e-7 integrator=rodas4", "tolerance=1e-7 integrator=esdirk4",
        "tolerance=1e-7 coordinates=relative"};
    static const double off[] = {1e-2, 1e-7, 1e-4, 1e-4, 1e-4};
    const double pi = acos(-1), half = pi * sqrt(m / 3e9);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
            char text[4096], with[512], more[256];
            replace(plane, "{type: force, body: b, force: ['LAW', 0]}", cases[i].force, text,
                    sizeof text);
            snprintf(more, sizeof more, "%s end=%.17g", settings[k], 4 + half);
            run r = run_text(text, more);
            run_whole(&r);
            snprintf(with, sizeof with, "%s, %s", cases[i].force, more);
            check_near(with, run_measure(&r, "v"), -v0, v0 * off[k]);
            check_near(with, run_measure(&r, "x"), 0, v0 * 2 * off[k]);
            run_close(&r);
        }
}

/* A wheel that falls at 1000 m/s onto a stiff tyre comes back. */
static void test_tyre_is_not_passed(void **state) {
    (void)state;
    run r =
        run_text("holonom: 1\nspace: planar\ngravity: [0, 0]\n"
                 "bodies:\n  w: {mass: 2, inertia: 0.1, position: [0, 500.3], velocity: [0, "
                 "-1000]}\nforces:\n  tyre: {type: tyre, body: w, radius: 0.3, stiffness: 1e10}\n"
                 "measures:\n  v: {type: velocity, body: w, component: y}\nsimulation: {end: 1, "
                 "output_mode: dense}\n",
                 "tolerance=1e-6");
    run_whole(&r);
    check_near("speed of the wheel", run_measure(&r, "v"), 1000, 1);
    run_close(&r);
}

/* Saved and loaded between instants and corners, a run goes on with the same bits. */
static void test_state_is_exact(void **state) {
    const char *law = "if(mod(t, 0.31) < 0.01, 5, 0) - 30*max(0, x - 2) + 30*max(0, -x)";
    (void)state;
    run a = run_law(plane, law, "end=4"), b = run_law(plane, law, "end=4");
    while (hol_data_time(hol_sim_data(a.sim)) < 3) {
        const size_t size = hol_sim_state_size(a.sim);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        assert_int_equal(hol_sim_state_save(a.sim, bytes, size), HOL_OK);
        assert_int_equal(hol_sim_state_load(b.sim, bytes, size), HOL_OK);
        free(bytes);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(hol_sim_step(a.sim), HOL_OK);
            assert_int_equal(hol_sim_step(b.sim), HOL_OK);
            assert_true(hol_data_time(hol_sim_data(a.sim)) == hol_data_time(hol_sim_data(b.sim)));
            assert_true(run_measure(&a, "v") == run_measure(&b, "v"));
        }
    }
    run_close(&a);
    run_close(&b);
}

/* A force that changes its sign where the run ends does not carry the run beyond its end: the
 * cutting force of a quick-return at the turning point of its ram. */
static void test_corner_at_the_end(void **state) {
    (void)state;
    run r = run_open("../examples/machines/quick_return", "coordinates=reference");
    run_whole(&r);
    assert_true(hol_data_time(hol_sim_data(r.sim)) == 1);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pulses_in_time),
        cmocka_unit_test(test_instants_are_landed_on),
        cmocka_unit_test(test_many_changes_are_found_as_needed),
        cmocka_unit_test(test_pulses_on_the_way),
        cmocka_unit_test(test_stop_on_the_way),
        cmocka_unit_test(test_back_and_forth),
        cmocka_unit_test(test_balls_do_not_tunnel),
        cmocka_unit_test(test_stops_are_not_passed),
        cmocka_unit_test(test_tyre_is_not_passed),
        cmocka_unit_test(test_state_is_exact),
        cmocka_unit_test(test_corner_at_the_end),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
