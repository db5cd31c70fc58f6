/* test_light_reactions.c: what joints of bodies carry whose inertia is next to nothing beside their
 * mass: no method takes what the rows of such a joint have in the heavy columns for nothing.
 * Pendulums against their equation of motion. */
#include "model_fixture.h"

static const double g = 9.81, m = 1.31, L = 0.73, END = 0.17;

/* Angle of a pendulum at the start and at END, by its own equation w' = -k cos a. */
static double angle_at_end(double a, double k, double *speed) {
    const int steps = 4000;
    const double h = END / steps;
    double w = 0;
    for (int i = 0; i < steps; i++) {
        const double w1 = w, f1 = -k * cos(a), w2 = w + h / 2 * f1, f2 = -k * cos(a + h / 2 * w1),
                     w3 = w + h / 2 * f2, f3 = -k * cos(a + h / 2 * w2), w4 = w + h * f3,
                     f4 = -k * cos(a + h * w3);
        a += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (f1 + 2 * f2 + 2 * f3 + f4);
    }
    *speed = w;
    return a;
}

/* What the ground receives at the pin of a pendulum at angle a: m (gravity - acceleration). */
static void pin_force(double a, double w, double k, double force[2]) {
    const double turn = -k * cos(a);
    force[0] = -m * L * (-turn * sin(a) - w * w * cos(a));
    force[1] = -m * (g + L * (turn * cos(a) - w * w * sin(a)));
}

static double lean_of(int i) {
    return -0.93 + 0.011 * i;
}

/* `count` pendulums, each on `pins` equal hinges; the caller frees. */
static char *pendulums(int spatial, int count, int pins, double I) {
    const size_t room = 600 + (size_t)count * (300 + 120 * (size_t)pins);
    char *text = malloc(room);
    assert_non_null(text);
    int n =
        snprintf(text, room, "holonom: 1\nspace: %s\ngravity: %s\nparameters: {I: %g}\nbodies:\n",
                 spatial ? "spatial" : "planar", spatial ? "[0, -9.81, 0]" : "[0, -9.81]", I);
    for (int i = 0; i < count; i++) {
        const double a = lean_of(i), x = L * cos(a) + 2 * i, y = L * sin(a);
        n += spatial ? snprintf(text + n, room - (size_t)n,
                                "  b%d: {mass: 1.31, inertia: [I, I, I], position: [%.17g, %.17g, "
                                "0], orientation: {axis: [0, 0, 1], angle: %.17g rad}}\n",
                                i, x, y, a)
                     : snprintf(text + n, room - (size_t)n,
                                "  b%d: {mass: 1.31, inertia: I, position: [%.17g, %.17g], angle: "
                                "%.17g rad}\n",
                                i, x, y, a);
    }
    n += snprintf(text + n, room - (size_t)n, "joints:\n");
    for (int i = 0; i < count * pins; i++)
        n += snprintf(text + n, room - (size_t)n,
                      spatial ? "  p%d: {type: revolute, bodies: [ground, b%d], at: [%d, 0, 0], "
                                "axis: [0, 0, 1]}\n"
                              : "  p%d: {type: revolute, bodies: [ground, b%d], at: [%d, 0]}\n",
                      i, i / pins, 2 * (i / pins));
    snprintf(text + n, room - (size_t)n, "simulation: {end: %g, tolerance: 1e-11}\n", END);
    return text;
}

/* The pins of pendulum i together carry what its motion says. */
static void check_pins(run *r, int i, int pins, double a, double w, double I, const char *where) {
    double sum[2] = {0, 0}, wanted[2];
    for (int p = 0; p < pins; p++) {
        const hol_reaction one = reaction_of(hol_sim_data(r->sim), i * pins + p);
        for (int c = 0; c < 2; c++) sum[c] += one.force[c];
    }
    pin_force(a, w, m * g * L / (m * L * L + I), wanted);
    for (int c = 0; c < 2; c++) check_near(where, sum[c], wanted[c], 2e-8);
}

/* At the start and at the end of a run. */
static void check_run(const char *text, int count, int pins, double I, const char *settings) {
    run r = run_text(text, settings);
    for (int i = 0; i < count; i++) check_pins(&r, i, pins, lean_of(i), 0, I, settings);
    const hol_status status = hol_sim_advance(r.sim, END);
    if (status) run_print_messages(r.ctx);
    assert_int_equal(status, HOL_OK);
    for (int i = 0; i < count; i++) {
        double w;
        const double a = angle_at_end(lean_of(i), m * g * L / (m * L * L + I), &w);
        check_pins(&r, i, pins, a, w, I, settings);
    }
    run_close(&r);
}

static const double inertias[] = {1e-6, 1e-14, 1e-20, 1e-24, 1e-30};
static const char *const sets[] = {"reference", "natural", "relative"};
static const char *const ways[] = {
    "method=auto",
    "method=direct-correction",
    "method=direct-correction kernel=schur",
    "method=direct-correction storage=dense",
    "method=direct-correction kernel=schur storage=dense",
    "method=udwadia-kalaba",
    "method=nullspace",
    "method=partitioning",
    "method=canonical",
};
enum { INERTIAS = 5, SETS = 3, WAYS = 9 };

/* Vectors of natural coordinates in space that weigh 1e-24 of a kilogram are found to fewer digits
 * than steps of this tolerance need, from 1e-14 on by udwadia-kalaba, which takes roots of the mass
 * matrix: such runs creep, with a warning. */
static int creeps(int spatial, int set, const char *way, double I) {
    return spatial && set == 1 && I < (strcmp(way, "method=udwadia-kalaba") ? 1e-20 : 1e-9);
}

/* Every way with every set of coordinates. */
static void test_all(int spatial, int count, int pins) {
    char settings[128];
    for (int i = 0; i < INERTIAS; i++) {
        char *text = pendulums(spatial, count, pins, inertias[i]);
        for (int s = 0; s < SETS * WAYS; s++) {
            if (creeps(spatial, s % SETS, ways[s / SETS], inertias[i])) continue;
            snprintf(settings, sizeof settings, "coordinates=%s %s", sets[s % SETS],
                     ways[s / SETS]);
            check_run(text, count, pins, inertias[i], settings);
        }
        free(text);
    }
}

static void test_planar(void **unused) {
    (void)unused;
    test_all(0, 2, 1);
}

static void test_spatial(void **unused) {
    (void)unused;
    test_all(1, 2, 1);
}

/* Rows that do depend stay dependent. */
static void test_doubled(void **unused) {
    (void)unused;
    test_all(0, 2, 2);
    test_all(1, 1, 2);
}

/* More equations than are ever taken as full matrices. */
static void test_many(void **unused) {
    const int count = 90;
    (void)unused;
    for (int i = 0; i < INERTIAS; i++)
        for (int s = 0; s < 2; s++) {
            char settings[128], *text = pendulums(0, count, 1, inertias[i]);
            snprintf(settings, sizeof settings, "coordinates=%s method=direct-correction", sets[s]);
            check_run(text, count, 1, inertias[i], settings);
            free(text);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar),
        cmocka_unit_test(test_spatial),
        cmocka_unit_test(test_doubled),
        cmocka_unit_test(test_many),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
