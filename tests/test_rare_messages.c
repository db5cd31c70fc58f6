/* test_rare_messages.c: messages that no other test produces. */
#include "model_fixture.h"

#define PLANE "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
#define ROD "bodies:\n  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
#define HINGE "  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"

static void test_elements(void **state) {
    static const char *const rows[][2] = {
        {PLANE ROD "joints:\n  c: {type: point_on_curve, bodies: [ground, rod], x: s, s_from: -2, "
                   "s_to: 2, point: [0, 0]}\n",
         "a curve has either `points`, or both `x` and `y`"},
        {PLANE ROD "joints:\n" HINGE
                   "  c: {type: coupler, coordinates: {a: {joint: A}, b: {body: rod, component: y, "
                   "at: [1, 0]}}, factors: [1 + t, 2]}\n",
         "factors are constant; use `equation`"},
        {PLANE ROD "joints:\n" HINGE
                   "forces:\n  f: {type: contact, bodies: [ground, rod], shapes: [{type: plane, "
                   "normal: [0, 1]}, {type: hull, points: 3}], stiffness: 1e5}\n",
         "'points' is a list of points such as [[0, 0], [1, 0], [0, 1]]"},
        {"holonom: 1\nspace: spatial\nbodies:\n  rod: {mass: 1, inertia: [1, 1, 1]}\n"
         "joints:\n  B: {type: spherical, bodies: [ground, rod], at: [0, 0, 0]}\n"
         "  d: {type: driver, measure: m, position: 0.1*t}\n"
         "measures:\n  m: {type: joint_coordinate, joint: B}\n",
         "joint 'B' has no axis and no coordinate"},
        {PLANE "bodies:\n  rod: {mass: 1.2, inertia: 0.1, along: [[0, 0], [1, 0]]}\n"
               "  arm: {mass: 1.2, inertia: 0.1, along: [[3, 0], [4, 0]]}\n"
               "joints:\n" HINGE "  B: {type: revolute, bodies: [ground, arm], at: [3, 0]}\n"
               "  g: {type: gear, joints: [A, B], teeth: 20}\n",
         "'teeth' is a list of numbers, found"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        run_wont_compile(rows[i][0], rows[i][1]);
}

static void test_large_hull(void **state) {
    char text[4096];
    int n = snprintf(text, sizeof text,
                     PLANE ROD "joints:\n" HINGE "forces:\n  f: {type: contact, bodies: [ground, "
                               "rod], stiffness: 1e5, shapes: [{type: plane, normal: [0, 1]}, "
                               "{type: hull, points: [");
    (void)state;
    for (int i = 0; i < 65; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s[%.3f, %.3f]", i ? ", " : "",
                      0.1 * cos(0.09 * i), 0.1 * sin(0.09 * i));
    snprintf(text + n, sizeof text - (size_t)n, "]}]}\n");
    run_wont_compile(text, "a hull has at most 64 points, found 65");
}

/* Eight terms and a coordinate that their factors depend on, of nine bodies. */
static void test_many_bodies(void **state) {
    char text[4096];
    int n = snprintf(text, sizeof text, PLANE "bodies:\n");
    (void)state;
    for (int i = 0; i < 9; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  b%d: {mass: 1.2, inertia: 0.1, position: [%d, 0.3]}\n", i, i);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "measures:\n  c: {type: position, body: b8, component: y}\n"
                  "joints:\n  sum: {type: velocity_constraint, terms: [");
    for (int i = 0; i < 8; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "%s{body: b%d, component: vx, factor: 2 + c}", i ? ", " : "", i);
    snprintf(text + n, sizeof text - (size_t)n, "]}\n");
    run_wont_compile(text, "acts on more than 8 bodies");
}

/* Two round hulls in space: each edge of one may meet each of the other. */
static void test_many_edges(void **state) {
    char text[8192];
    int n = snprintf(text, sizeof text,
                     "holonom: 1\nspace: spatial\nbodies:\n"
                     "  a: {mass: 1, inertia: [1, 1, 1]}\n"
                     "  b: {mass: 1, inertia: [1, 1, 1], position: [0, 0, 3]}\n"
                     "joints:\n  c: {type: rigid_contact, bodies: [a, b], shapes: [");
    (void)state;
    for (int k = 0; k < 2; k++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "%s{type: hull, points: [", k ? ", " : "");
        for (int i = 0; i < 60; i++) { /* a spiral on the unit sphere */
            const double z = -1 + (2 * i + 1) / 60.0, r = sqrt(1 - z * z), turn = 2.4 * i;
            n += snprintf(text + n, sizeof text - (size_t)n, "%s[%.4f, %.4f, %.4f]", i ? ", " : "",
                          r * cos(turn), r * sin(turn), z);
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "]}");
    }
    snprintf(text + n, sizeof text - (size_t)n, "]}\n");
    run_wont_compile(text, "corners and pairs of edges that may meet, and at most 10000 are taken");
}

/* Settings that do not go together. */
static void test_settings(void **state) {
    (void)state;
    run_refuses("elements/knife_edge", "integrator=rattle step=0.01",
                "constraints on velocities alone (joint 'blade') do not go together; take radau5");
    run_refuses("four_bar",
                "method=baumgarte gains=pole-placement integrator=newmark-extrapolated step=0.01",
                "those of 'newmark-extrapolated' are not: take another rule");
    run_refuses("four_bar", "method=partitioning correction=hybrid",
                "take method partitioning-hybrid, or the correction drift");
}

/* A joint that lets go: a note tells what is left of the mechanism. */
static void test_switch(void **state) {
    (void)state;
    run r = run_text(PLANE ROD "joints:\n" HINGE
                               "  lock: {type: motor, joint: A, angle: 0, active: 't < 0.05'}\n"
                               "simulation: {end: 0.1}\n",
                     NULL);
    run_whole(&r);
    int found = 0;
    for (int i = 0; i < hol_message_count(r.ctx); i++) {
        const hol_message *m = hol_message_get(r.ctx, i);
        found += m->severity == HOL_NOTE && strstr(m->text, "at t = 0.05") &&
                 strstr(m->text, "1 degree of freedom, 0 of 2 constraints redundant");
    }
    if (!found) run_print_messages(r.ctx);
    assert_int_equal(found, 1);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),    cmocka_unit_test(test_large_hull),
        cmocka_unit_test(test_many_bodies), cmocka_unit_test(test_many_edges),
        cmocka_unit_test(test_settings),    cmocka_unit_test(test_switch)};
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
