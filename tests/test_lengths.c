/* test_lengths.c: linkages given by their lengths and a rough sketch of their points.
 *
 * A sketch is good enough when assembly finds the nearest position with the given lengths: the
 * distances of the assembled points are those lengths, the branch is that of the sketch, masses and
 * points on a body are at its true scale, and the motion is that of the same linkage drawn exactly.
 */
#include "mechanism_fixture.h"
#include "model_fixture.h"

/* A four-bar by its lengths, sketched with those points B and C. */
static void put_four_bar(mech_text *text, const char *B, const char *C, int exact) {
    static const char *const length[3] = {", length: 300 mm", ", length: 0.9", ", length: 0.7"};
    put(text,
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "points: {A: [0, 0], B: %s, C: %s, D: [1, 0]}\nbodies:\n"
        "  crank: {mass: 1, inertia: 0.01, along: [A, B]%s}\n"
        "  coupler: {mass: 2, inertia: 0.1, along: [B, C]%s}\n"
        "  rocker: {mass: 1.5, inertia: 0.05, along: [D, C]%s}\n"
        "joints:\n  A: {type: revolute, bodies: [ground, crank], at: A}\n"
        "  B: {type: revolute, bodies: [crank, coupler], at: B}\n"
        "  C: {type: revolute, bodies: [coupler, rocker], at: C}\n"
        "  D: {type: revolute, bodies: [ground, rocker], at: D}\n"
        "measures:\n  B: {type: position, body: crank, at: B}\n"
        "  C: {type: position, body: rocker, at: C}\n"
        "  middle: {type: position, body: coupler, at: {body: coupler, at: [0.45, 0]}}\n"
        "  pin: {type: reaction, joint: C}\n  E: {type: energy}\n"
        "simulation: {end: 1, tolerance: 1e-10}\n",
        B, C, exact ? "" : length[0], exact ? "" : length[1], exact ? "" : length[2]);
}

static double distance(run *r, const char *a, const char *b, const double fixed[2]) {
    double d[2];
    for (int k = 0; k < 2; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s.%c", a, "xy"[k]);
        d[k] = run_measure(r, name);
        snprintf(name, sizeof name, "%s.%c", b ? b : a, "xy"[k]);
        d[k] -= b ? run_measure(r, name) : fixed[k];
    }
    return hypot(d[0], d[1]);
}

/* The lengths hold to rounding; the same linkage, drawn exactly where the sketch was assembled,
 * moves alike. */
static void check_four_bar(const char *B, const char *C, const char *settings, int up) {
    static const double A[2] = {0, 0}, D[2] = {1, 0};
    mech_text text = {.used = 0}, drawn = {.used = 0};
    char exact[2][80];
    put_four_bar(&text, B, C, 0);
    run r = run_text(text.text, settings);
    run_to(&r, 0);
    check_near("crank", distance(&r, "B", NULL, A), 0.3, 1e-13);
    check_near("coupler", distance(&r, "B", "C", NULL), 0.9, 1e-13);
    check_near("rocker", distance(&r, "C", NULL, D), 0.7, 1e-13);
    check_near("middle", distance(&r, "middle", "B", NULL), 0.45, 1e-13);
    assert_int_equal(run_measure(&r, "C.y") > 0, up);
    for (int i = 0; i < 2; i++)
        snprintf(exact[i], sizeof exact[i], "[%.17g, %.17g]", run_measure(&r, i ? "C.x" : "B.x"),
                 run_measure(&r, i ? "C.y" : "B.y"));
    put_four_bar(&drawn, exact[0], exact[1], 1);
    run e = run_text(drawn.text, settings);
    for (int i = 0; i <= 10; i++) {
        run_to(&r, 0.1 * i);
        run_to(&e, 0.1 * i);
        if (!(run_difference(&r, &e) < 1e-6)) fail_msg("they differ by %g", run_difference(&r, &e));
    }
    run_close(&r);
    run_close(&e);
}

static void test_four_bar(void **state) {
    static const char *const sets[] = {"simulation.coordinates=reference",
                                       "simulation.coordinates=relative",
                                       "simulation.coordinates=natural"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        check_four_bar("[0.15, 0.25]", "[0.9, 0.6]", sets[i], 1);
        check_four_bar("[0.2, 0.2]", "[0.8, -0.5]", sets[i], 0);
        check_four_bar("[0.3, 0.5]", "[1.3, 0.9]", sets[i], 1);
    }
}

/* Everything that is drawn on a body with a length is to its scale, here 0.4: places on it, its
 * mass centre; what is given in its frame is what it is. */
static void test_scale(void **state) {
    (void)state;
    if (!reads_yaml()) skip();
    mech m = mech_open("holonom: 1\nspace: planar\npoints: {A: [0.2, 0.1], B: [0.2, 2.1], M: "
                       "[0.2, 0.6], N: [0.7, 1.1]}\nbodies:\n"
                       "  rod: {mass: 1, inertia: 0.1, along: [A, B], length: 0.8}\n"
                       "measures:\n  B: {type: position, body: rod, at: B}\n"
                       "  M: {type: position, body: rod, at: M}\n"
                       "  N: {type: position, body: rod, at: N}\n"
                       "  s: {type: position, body: rod, at: {body: rod, at: [0.3, -0.1]}}\n"
                       "  o: {type: position, body: rod}\n");
    static const struct {
        const char *name;
        double value;
    } wanted[] = {{"B.x", 0.2},       {"B.y", 0.9}, {"M.y", 0.1 + 0.4 * 0.5},
                  {"N.x", 0.2 + 0.2}, {"N.y", 0.5}, {"s.x", 0.3},
                  {"s.y", 0.4},       {"o.x", 0.2}, {"o.y", 0.1}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        check_close(measure_of(m.data, hol_model_measure_index(m.model, wanted[i].name)),
                    wanted[i].value, 1e-15, wanted[i].name, "");
    check_close(m.model->bodies[0].r[1], 0.5, 1e-15, "mass centre", "");
    mech_close(&m);
}

/* Rods of the section natural, with and without mass: lengths, mass centre, inertia of a uniform
 * rod, and point masses on them, against the same linkage as bodies. */
static void check_natural(const char *settings) {
    static const double A[2] = {0, 0}, D[2] = {1, 0};
    run r = run_text("holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
                     "points: {A: [0, 0], B: [0.15, 0.25], C: [0.9, 0.6], D: [1, 0], E: [0.5, "
                     "0.9]}\nnatural:\n  fixed: [A, D]\n  masses: {B: 0.4, E: 1}\n  rods:\n"
                     "    crank: {points: [A, B], length: 0.3, mass: 1}\n"
                     "    coupler: {points: [B, C], length: 0.9, mass: 2}\n"
                     "    rocker: {points: [D, C], length: 0.7, mass: 1.5}\n"
                     "    tie: {points: [C, E], length: 0.5}\nmeasures:\n"
                     "  B: {type: position, body: crank, at: B}\n"
                     "  C: {type: position, body: rocker, at: C}\n  E: {type: position, body: E}\n"
                     "  T: {type: energy, component: kinetic}\n  w: {type: angular_velocity, "
                     "body: crank}\n  u: {type: angular_velocity, body: coupler}\n"
                     "  z: {type: angular_velocity, body: rocker}\n"
                     "  vE: {type: velocity, body: E}\n  vB: {type: velocity, body: crank, at: "
                     "B}\n  vC: {type: velocity, body: rocker, at: C}\n"
                     "simulation: {end: 1, tolerance: 1e-9}\n",
                     settings);
    for (int i = 0; i <= 5; i++) {
        run_to(&r, 0.1 * i);
        check_near("crank", distance(&r, "B", NULL, A), 0.3, 1e-12);
        check_near("coupler", distance(&r, "B", "C", NULL), 0.9, 1e-12);
        check_near("rocker", distance(&r, "C", NULL, D), 0.7, 1e-12);
        check_near("tie", distance(&r, "C", "E", NULL), 0.5, 1e-12);
        /* T of uniform rods: m L^2 w^2/6 about an end; the coupler by the velocities of its ends */
        const double w = run_measure(&r, "w"), u = run_measure(&r, "u"), z = run_measure(&r, "z");
        const double bx = run_measure(&r, "vB.x"), by = run_measure(&r, "vB.y"),
                     cx = run_measure(&r, "vC.x"), cy = run_measure(&r, "vC.y");
        const double mx = 0.5 * (bx + cx), my = 0.5 * (by + cy);
        const double T = 0.09 * w * w / 6 + 1.5 * 0.49 * z * z / 6 + (mx * mx + my * my) +
                         2 * 0.81 / 24 * u * u + 0.2 * (bx * bx + by * by) +
                         0.5 * (pow(run_measure(&r, "vE.x"), 2) + pow(run_measure(&r, "vE.y"), 2));
        check_near("kinetic energy", run_measure(&r, "T"), T, 1e-10);
    }
    run_close(&r);
}

static void test_natural(void **state) {
    (void)state;
    check_natural("simulation.coordinates=reference");
    check_natural("simulation.coordinates=relative");
    check_natural("simulation.coordinates=natural");
}

/* Massless links take a length too: the ends are that far apart at the start, and the angle of the
 * link to its axes is as drawn. */
static void test_links(void **state) {
    static const char *const types[] = {"spherical_spherical", "universal_spherical",
                                        "revolute_spherical, axis: [0, 0.2, 1]",
                                        "revolute_revolute, axis: [0.1, 0, 1]"};
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        mech_text text = {.used = 0};
        put(&text,
            "holonom: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n"
            "  a: {mass: 1, inertia: [1, 1, 1], position: [1, 0.1, 0.2]}\njoints:\n"
            "  L: {type: %s, bodies: [ground, a], from: [0.1, 0, 0], to: [0.8, 0.3, 0.1], "
            "length: 0.9}\nmeasures:\n  d: {type: distance, bodies: [ground, a], from: [0.1, 0, "
            "0], to: [0.8, 0.3, 0.1]}\n  P: {type: position, body: a, at: [0.8, 0.3, 0.1]}\n"
            "simulation: {end: 1}\n",
            types[i]);
        run r = run_text(text.text, NULL);
        for (int k = 0; k <= 5; k++) {
            run_to(&r, 0.1 * k);
            check_near("length", run_measure(&r, "d"), 0.9, 1e-12);
            const double s = 0.9 / sqrt(0.49 + 0.09 + 0.01);
            if (i == 2) /* a . d */
                check_near("height", 0.2 * run_measure(&r, "P.y") + run_measure(&r, "P.z"),
                           s * (0.06 + 0.1), 1e-12);
        }
        run_close(&r);
    }
}

/* Lengths that cannot close name joints; a length without two points, or below 0, is refused. */
static void test_refusals(void **state) {
    static const char *const cases[][2] = {
        {"along: [A, B], length: 2.9", "cannot be closed"},
        {"position: A, length: 0.3", "goes with `along`"},
        {"along: [A, B], length: -0.3", "must be positive"},
        {"along: [A, B], length: 3 s", "wrong unit"},
    };
    (void)state;
    if (!reads_yaml()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hol_context *ctx = hol_context_new();
        hol_options *options = NULL;
        mech_text text = {.used = 0};
        char line[1024] = "";
        put(&text,
            "holonom: 1\nspace: planar\npoints: {A: [0, 0], B: [0.3, 0.1], D: [1, 0]}\nbodies:\n"
            "  crank: {mass: 1, inertia: 1, %s}\n  rocker: {mass: 1, inertia: 1, along: [D, B]}\n"
            "joints:\n  A: {type: revolute, bodies: [ground, crank], at: A}\n"
            "  B: {type: revolute, bodies: [crank, rocker], at: B}\n"
            "  D: {type: revolute, bodies: [ground, rocker], at: D}\n",
            cases[i][0]);
        hol_model *model = compile_text(ctx, text.text, "test.yaml", &options);
        hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
        assert_null(sim);
        assert_int_equal(model != NULL, i == 0);
        for (int k = 0; k < hol_message_count(ctx) && !strstr(line, cases[i][1]); k++)
            hol_message_format(hol_message_get(ctx, k), line, sizeof line);
        if (!strstr(line, cases[i][1])) fail_msg("%s: %s", cases[i][0], line);
        hol_options_free(options);
        hol_model_free(model);
        hol_context_free(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_four_bar), cmocka_unit_test(test_scale),
        cmocka_unit_test(test_natural),  cmocka_unit_test(test_links),
        cmocka_unit_test(test_refusals),
    };
    return run_tests_of_models("tests", tests);
}
