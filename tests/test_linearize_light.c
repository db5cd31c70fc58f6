/* test_linearize_light.c: small motions of bodies whose inertia is next to nothing beside the mass
 * that they carry at a distance from their joint: no set of coordinates loses digits. Against
 * closed solutions. */
#include "model_fixture.h"

static const char *const sets[] = {"reference", "relative", "natural"};
static const double inertias[] = {1e-3, 1e-6, 1e-9, 1e-12, 1e-15, 1e-18, 1e-24};
enum { SETS = 3, INERTIAS = 7 };

#define TOLERANCE 1e-10

/* Two equal pendulums that hang along gravity, at `lean` degrees, with a spring across them. */
static const char two[] =
    "holonom: 1\nspace: planar\ngravity: [9.81*cos(lean), 9.81*sin(lean)]\n"
    "parameters: {lean: %d deg, I: %g, m: 1.31, L: 0.73, h: 0.41, k: 17.3, d: 0.907, free: %.17g,\n"
    "  c: cos(lean), s: sin(lean)}\n"
    "bodies:\n"
    "  left: {mass: m, inertia: I, position: [L*c, L*s], angle: lean}\n"
    "  right: {mass: m, inertia: I, position: [L*c - d*s, L*s + d*c], angle: lean}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, left], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [ground, right], at: [-d*s, d*c]}\n"
    "forces:\n"
    "  spring: {type: spring, bodies: [left, right], from: [h*c, h*s], to: [h*c - d*s, h*s + "
    "d*c],\n"
    "    stiffness: k, free_length: free}\n"
    "simulation: {end: 1}\n";

static const double g = 9.81, m = 1.31, L = 0.73, h = 0.41, k = 17.3, d = 0.907;

static hol_answer *small_motions(run *r, int settle, const char *input) {
    const hol_linearize_options how = {.size = sizeof how,
                                       .settle = settle,
                                       .n_inputs = input != NULL,
                                       .inputs = &input,
                                       .n_frequencies = 2};
    hol_answer *answer = NULL;
    const hol_status status = hol_linearize(r->ctx, r->sim, NULL, &how, &answer);
    if (status) run_print_messages(r->ctx);
    assert_int_equal(status, HOL_OK);
    return answer;
}

/* Two frequencies without damping, the lower first. */
static void check_pair(hol_answer *answer, double slow, double fast, const char *where) {
    const hol_table e = answer_table(answer, "eigenvalues");
    assert_int_equal(e.rows, 2);
    const double a = answer_entry(&e, 0, 1), b = answer_entry(&e, 1, 1);
    check_near(where, fmin(a, b), slow, TOLERANCE);
    check_near(where, fmax(a, b), fast, TOLERANCE);
    for (int i = 0; i < 2; i++) check_near(where, answer_entry(&e, i, 0), 0, TOLERANCE);
}

/* A torque on the left one turns it alone, with the acceleration `wanted` where its angle is the
 * coordinate. */
static void check_torque(hol_answer *answer, double wanted, int by_angle) {
    const hol_table B = answer_table(answer, "B");
    double most = 0, all = 0;
    for (int i = 0; i < 4; i++) {
        most = fmax(most, fabs(answer_entry(&B, i, 0)));
        all += fabs(answer_entry(&B, i, 0));
    }
    check_near("others", all - most, 0, TOLERANCE);
    if (by_angle) check_near("B", most, wanted, TOLERANCE);
}

/* Hanging straight: w^2 = m g L/(m L^2 + I) and (m g L + 2 k h^2)/(m L^2 + I), along an axis, where
 * each row of a joint has one coordinate besides the angle or none, and across the axes. */
static void test_straight(void **unused) {
    static const int lean[] = {-90, -53};
    char text[1600], settings[64];
    (void)unused;
    for (int i = 0; i < 2 * INERTIAS * SETS; i++) {
        const double I = inertias[i / 2 / SETS], J = m * L * L + I;
        snprintf(text, sizeof text, two, lean[i % 2], I, d);
        snprintf(settings, sizeof settings, "coordinates=%s", sets[i / 2 % SETS]);
        run r = run_text(text, settings);
        hol_answer *answer = small_motions(&r, 0, "left.m");
        check_pair(answer, sqrt(m * g * L / J), sqrt((m * g * L + 2 * k * h * h) / J), settings);
        check_torque(answer, 1 / J, lean[i % 2] == -53 && i / 2 % SETS < 2);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* Drawn together by a short spring, both by the angle b, so that its length is s = d - 2 h sin b
 * and pulls with P = k (s - f): P h cos b = m g L sin b. The opposed motion has the stiffness
 * m g L cos b + P h sin b + 2 k h^2 cos^2 b for each; the common one tilts the spring, by
 * 2 h sin b/s of the angle, instead of drawing it out. */
static void test_drawn(void **unused) {
    const double f = 0.713;
    char text[1600], settings[64];
    double b = 0.1, s = d, P = 0;
    (void)unused;
    for (int i = 0; i < 100; i++) {
        s = d - 2 * h * sin(b);
        P = k * (s - f);
        const double slope = -2 * k * h * h * cos(b) * cos(b) - P * h * sin(b) - m * g * L * cos(b);
        b -= (P * h * cos(b) - m * g * L * sin(b)) / slope;
    }
    const double hang = m * g * L * cos(b) + P * h * sin(b), y = h * sin(b),
                 common = hang + 2 * P * y * y / s,
                 opposed = hang + 2 * k * h * h * cos(b) * cos(b);
    for (int i = 0; i < INERTIAS * SETS; i++) {
        const double J = m * L * L + inertias[i / SETS];
        snprintf(text, sizeof text, two, -53, inertias[i / SETS], f);
        snprintf(settings, sizeof settings, "coordinates=%s", sets[i % SETS]);
        run r = run_text(text, settings);
        hol_answer *answer = small_motions(&r, 2, NULL);
        check_pair(answer, sqrt(common / J), sqrt(opposed / J), settings);
        hol_answer_free(answer);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight),
        cmocka_unit_test(test_drawn),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
