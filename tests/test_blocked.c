/* test_blocked.c: drivers that cannot go on: the first error names the driver with its place, what
 * it asks for, when, and what stops it; in the plane and in space, under several methods, in all
 * coordinates; and drivers that can go on are not stopped.
 *
 * Where the position is reached follows from the lengths. Methods that are helped over singular
 * positions come within a share of 1e-4 of it, others stop from a share of 0.1 on: the last tenth
 * of a radian, in which a coordinate near its end moves by some (0.1)^2/2 of a length. Fixed steps
 * of 1 ms may pass it by one step.
 */
#include "method_fixture.h"

#include <math.h>

/* A mechanism with the driver's name, what it asks for, who stops it, and when; near: how much
 * earlier a method without help may stop. */
typedef struct blocked {
    const char *name, *text, *driver, *asks, *stopped_by;
    double t, near;
} blocked;

static const char slider_text[] =
    "holonom: 1\nspace: planar\ngravity: [0, 0]\n"
    "parameters: {r: 0.1, l: 0.3, x: sqrt(l^2 - r^2)}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 0.002, along: [[0, 0], [0, r]]}\n"
    "  rod: {mass: 1, inertia: 0.002, along: [[0, r], [x, 0]]}\n"
    "  slider: {mass: 1, inertia: 0.001, position: [x, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [crank, rod], at: [0, r]}\n"
    "  C: {type: revolute, bodies: [rod, slider], at: [x, 0]}\n"
    "  guide: {type: prismatic, bodies: [ground, slider], at: [x, 0], axis: [1, 0]}\n"
    "  push: {type: %s}\n";

static const char spatial_text[] =
    "holonom: 1\nspace: spatial\ngravity: [0, 0, 0]\n"
    "parameters: {r: 0.1, l: 0.3, x: sqrt(l^2 - r^2)}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.002, 0.002, 0.002], position: [0, 0, r/2]}\n"
    "  rod: {mass: 1, inertia: [0.002, 0.002, 0.002], position: [x/2, 0, r/2]}\n"
    "  slider: {mass: 1, inertia: [0.001, 0.001, 0.001], position: [x, 0, 0]}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: [0, 1, 0]}\n"
    "  B: {type: spherical, bodies: [crank, rod], at: [0, 0, r]}\n"
    "  C: {type: universal, bodies: [rod, slider], at: [x, 0, 0], axis: [0, 0, 1], axis_second: "
    "[0, 1, 0]}\n"
    "  guide: {type: prismatic, bodies: [ground, slider], at: [x, 0, 0], axis: [1, 0, 0]}\n"
    "  push: {type: driver, joint: guide, position: 0.2*t}\n";

static const char four_bar_text[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "points: {A: [0, 0], B: [0.2, 0.4], C: [0.9, 0.55], D: [1, 0]}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: 0.02, along: [A, B]}\n"
    "  coupler: {mass: 1, inertia: 0.02, along: [B, C]}\n"
    "  rocker: {mass: 1, inertia: 0.02, along: [C, D]}\n"
    "joints:\n"
    "  jA: {type: revolute, bodies: [ground, crank], at: A}\n"
    "  jB: {type: revolute, bodies: [crank, coupler], at: B}\n"
    "  jC: {type: revolute, bodies: [coupler, rocker], at: C}\n"
    "  jD: {type: revolute, bodies: [rocker, ground], at: D}\n"
    "  drive: {type: motor, joint: jA, angle: 2*t}\n";

static const char cylinder_text[] =
    "holonom: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  boom: {mass: 50, inertia: 10, along: [[0, 0], [2, 0.5]]}\n"
    "joints:\n"
    "  hinge: {type: revolute, bodies: [ground, boom], at: [0, 0]}\n"
    "  cylinder: {type: driver, component: distance, bodies: [ground, boom], from: [0.5, -0.4],\n"
    "    to: [1, 0.25], position: %s}\n";

/* The first error; NULL: none. */
static const hol_message *first_error(const hol_context *ctx) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (hol_message_get(ctx, i)->severity == HOL_ERROR) return hol_message_get(ctx, i);
    return NULL;
}

/* The line of a text on which a name begins. */
static int line_of(const char *text, const char *name) {
    char key[64];
    int line = 1;
    snprintf(key, sizeof key, "\n  %s:", name);
    const char *at = strstr(text, key);
    assert_non_null(at);
    for (const char *c = text; c <= at; c++) line += *c == '\n';
    return line;
}

/* The error names the driver, its place, and all of `texts`. */
static void check_error(const hol_context *ctx, const char *what, const char *text,
                        const char *driver, const char *const *texts) {
    const hol_message *m = first_error(ctx);
    char name[64];
    snprintf(name, sizeof name, "joint '%s'", driver);
    if (!m || !m->element || strcmp(m->element, name) != 0) {
        run_print_messages(ctx);
        fail_msg("%s: the first error is not that of the driver", what);
    }
    assert_int_equal(m->where.line, line_of(text, driver));
    for (; *texts; texts++)
        if (!strstr(m->text, *texts)) fail_msg("%s: no '%s' in: %s", what, *texts, m->text);
}

static void check_blocked(const blocked *b, const char *method, const char *settings) {
    const subject s = {b->name, b->text, 10};
    char what[256];
    snprintf(what, sizeof what, "%s under %s, %s, %s", b->name, method, set_now, settings);
    run r = start_method(&s, method, settings);
    if (hol_sim_advance(r.sim, 10) == HOL_OK) fail_msg("%s: goes on", what);
    const double t = hol_data_time(hol_sim_data(r.sim));
    const char *const texts[] = {"cannot go on at t = ", b->asks, b->stopped_by, NULL};
    check_error(r.ctx, what, b->text, b->driver, texts);
    const double early =
        strcmp(method, "auto") == 0 || strstr(method, "partition") ? 2e-3 : b->near;
    if (t < b->t - early || t > b->t + 2e-3) fail_msg("%s: at %.9g, not %.9g", what, t, b->t);
    run_close(&r);
}

static void check_methods(const blocked *b) {
    for (int k = 0; k < N_SETS; k++) {
        set_now = sets[k];
        check_blocked(b, "auto", "tolerance=1e-6");
        check_blocked(b, "auto", "tolerance=1e-10");
        check_blocked(b, "auto", "step=1e-3");
        check_blocked(b, "lagrange", "tolerance=1e-8");
        check_blocked(b, "augmented-lagrangian", "tolerance=1e-8");
        check_blocked(b, "canonical", "tolerance=1e-8");
        if (!strstr(b->text, "speed")) check_blocked(b, "partitioning", "tolerance=1e-8");
    }
    set_now = "reference";
}

/* From the crank upright to both links in line: l + r - sqrt(l^2 - r^2) at 0.2 m/s. */
static const double dead_point = (0.4 - 0.28284271247461903) / 0.2;

static void test_slider(void **unused) {
    char text[1500];
    (void)unused;
    snprintf(text, sizeof text, slider_text, "motor, joint: guide, speed: 0.2");
    check_methods(
        &(blocked){"pushed slider", text, "push", "0.2 m/s", "joint 'B'", dead_point, 0.03});
    snprintf(text, sizeof text, slider_text, "driver, joint: guide, position: 0.2*t");
    check_methods(
        &(blocked){"driven slider", text, "push", "0.2 m/s", "joint 'B'", dead_point, 0.03});
}

static void test_space(void **unused) {
    (void)unused;
    check_methods(&(blocked){"driven slider in space", spatial_text, "push", "0.2 m/s", "joint 'B'",
                             dead_point, 0.03});
}

/* The crank turns until coupler and rocker lie in one line: |B - D| = BC + CD. */
static void test_four_bar(void **unused) {
    const double a = hypot(0.2, 0.4), far = hypot(0.7, 0.15) + hypot(0.1, 0.55),
                 end = acos((a * a + 1 - far * far) / (2 * a));
    (void)unused;
    check_methods(&(blocked){"four-bar", four_bar_text, "drive", "2 rad/s", "joint 'jC'",
                             (end - atan2(0.4, 0.2)) / 2, 0.03});
}

static void test_cylinder(void **unused) {
    const double from = hypot(0.5, 0.4), to = hypot(1, 0.25), start = hypot(0.5, 0.65);
    char text[1000];
    (void)unused;
    snprintf(text, sizeof text, cylinder_text, "sqrt(0.5^2 + 0.65^2) + 0.2*t");
    check_methods(&(blocked){"cylinder", text, "cylinder", "0.2 m/s", "joint 'hinge'",
                             (from + to - start) / 0.2, 0.2});
}

/* A position that cannot be reached at the start: the driver is named first, with what stops it. */
static void test_start(void **unused) {
    char text[1000];
    (void)unused;
    snprintf(text, sizeof text, cylinder_text, "2.4");
    const subject s = {"cylinder", text, 1};
    for (int k = 0; k < N_SETS; k++) {
        static const char *const texts[] = {"cannot be reached", "stopped by joint 'hinge'", NULL};
        set_now = sets[k];
        run r = open_method(&s, "auto", "");
        assert_null(r.sim);
        check_error(r.ctx, set_now, text, "cylinder", texts);
        run_close(&r);
    }
    set_now = "reference";
}

/* A stroke that ends in the dead points takes the crank through them; a driven crank goes round;
 * and where branches cross, nobody blames a driver. */
static void test_goes_on(void **unused) {
    char text[1500];
    (void)unused;
    snprintf(text, sizeof text, slider_text,
             "driver, joint: guide, position: r*cos(3*t + pi/2) + sqrt(l^2 - (r*sin(3*t + "
             "pi/2))^2) - sqrt(l^2 - r^2)");
    const subject stroke = {"stroke", text, 3};
    run r = start_method(&stroke, "auto", "tolerance=1e-8");
    run_to(&r, 3);
    run_close(&r);
    r = start_method(&stroke, "lagrange", "tolerance=1e-8");
    if (hol_sim_advance(r.sim, 3)) assert_false(said_why(r.ctx, "cannot go on"));
    run_close(&r);
    snprintf(text, sizeof text, slider_text, "motor, joint: A, speed: 3");
    const subject round = {"crank", text, 3};
    r = start_method(&round, "auto", "tolerance=1e-8");
    run_to(&r, 3);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider),   cmocka_unit_test(test_space),
        cmocka_unit_test(test_four_bar), cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_start),    cmocka_unit_test(test_goes_on),
    };
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
