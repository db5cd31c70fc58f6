/* test_locus.c: all crossings of the border of stability over a parameter, also two that cancel
 * between neighbouring values: against closed solutions. */
#include "model_fixture.h"

static void check_close(double a, double b, double tolerance, int line) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("line %d: %.17g, not %.17g: off by %.3g", line, a, b, a - b);
}

#define assert_close(a, b, tolerance) check_close(a, b, tolerance, __LINE__)

/* The crossings of a description over p from 0 to 1, in n values. */
static hol_answer *crossings_of(hol_context *ctx, const char *text, int n) {
    const hol_locus_options how = {
        .size = sizeof how, .parameter = "p", .from = 0, .to = 1, .n = n, .settle = 2};
    hol_spec *spec = hol_spec_new(ctx);
    hol_answer *answer = NULL;
    assert_int_equal(hol_spec_read_text(spec, text, "locus.yaml"), HOL_OK);
    const hol_status status = hol_locus(ctx, spec, NULL, &how, &answer);
    if (status) run_print_messages(ctx);
    assert_int_equal(status, HOL_OK);
    hol_spec_free(spec);
    return answer;
}

/* Two crossings at p = low and p = high within the tolerance, of frequency w, with 0 growing, then
 * `grow`, then 0. */
static void expect(const char *text, double low, double high, double tolerance, double w,
                   int grow) {
    for (int n = 2; n <= 5; n++) {
        hol_context *ctx = hol_context_new();
        hol_answer *answer = crossings_of(ctx, text, n);
        const hol_table t = answer_table(answer, "crossings");
        assert_int_equal(t.rows, 2);
        assert_close(answer_entry(&t, 0, 0), low, tolerance);
        assert_close(answer_entry(&t, 1, 0), high, tolerance);
        for (int i = 0; i < 2; i++) {
            assert_close(answer_entry(&t, i, 1), w, 0.02);
            assert_int_equal((int)answer_entry(&t, i, 3), i ? grow : 0);
            assert_int_equal((int)answer_entry(&t, i, 4), i ? 0 : grow);
        }
        hol_answer_free(answer);
        hol_context_free(ctx);
    }
}

#define CART                                                                                       \
    "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {p: 0.3}\nbodies:\n"                  \
    "  cart: {mass: 1.3, inertia: 0.1, position: [0, 0]}\n"                                        \
    "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"

/* m x'' + d(p) x' + k x = 0 with d = 3 ((p - 0.37)^2 - 0.02^2): it grows between 0.35 and 0.39. */
static void test_damping(void **unused) {
    (void)unused;
    expect(CART "forces:\n  hold: {type: axial_spring, bodies: [ground, cart], from: [0, 0], to: "
                "[0, 0], axis: [1, 0], stiffness: 23.4, "
                "damping: 3*((p-0.37)^2 - 0.0004)}\nsimulation: {end: 1}\n",
           0.35, 0.39, 1e-10, sqrt(23.4 / 1.3), 2);
}

/* Without damping, k = 40 ((p - 0.62)^2 - 0.03^2): it falls over between 0.59 and 0.65. */
static void test_stiffness(void **unused) {
    (void)unused;
    expect(CART "forces:\n  hold: {type: axial_spring, bodies: [ground, cart], from: [0, 0], to: "
                "[0, 0], axis: [1, 0], "
                "stiffness: 40*((p-0.62)^2 - 0.0009)}\nsimulation: {end: 1}\n",
           0.59, 0.65, 1e-10, 0, 1);
}

/* Two carts without damping of squares of frequencies 9 and 9 + 10 (p - 0.41), each pushed by the
 * place of the other, s = 0.1 and -0.1: flutter where they differ by less than 2 s, between 0.39
 * and 0.43, with the squares 8.9 and 9.1. Where two frequencies meet rounding parts them: that of
 * real parts is eps w^2 over their distance, which is more than a few eps w up to 1e-5 of p. */
static void test_flutter(void **unused) {
    (void)unused;
    expect("holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {p: 0.3}\nbodies:\n"
           "  one: {mass: 1, inertia: 0.1, position: [0, 0]}\n"
           "  two: {mass: 1, inertia: 0.1, position: [0, 1]}\n"
           "joints:\n"
           "  first: {type: prismatic, bodies: [ground, one], at: [0, 0], axis: [1, 0]}\n"
           "  second: {type: prismatic, bodies: [ground, two], at: [0, 1], axis: [1, 0]}\n"
           "measures:\n"
           "  x: {type: position, body: one, component: x}\n"
           "  y: {type: position, body: two, component: x}\n"
           "forces:\n"
           "  a: {type: force, body: one, at: [0, 0], force: [-9*x + 0.1*y, 0]}\n"
           "  b: {type: force, body: two, at: [0, 1], force: [-(9 + 10*(p - 0.41))*y - 0.1*x, 0]}\n"
           "simulation: {end: 1}\n",
           0.39, 0.43, 1e-5, 3, 2);
}

/* Where the cart stands is zero at all values; its speed falls with p - 0.42 and goes through zero:
 * each keeps its column. */
static void test_through_zero(void **unused) {
    (void)unused;
    hol_context *ctx = hol_context_new();
    hol_answer *answer = crossings_of(
        ctx,
        CART "forces:\n  hold: {type: axial_spring, bodies: [ground, cart], from: [0, 0], to: [0, "
             "0], axis: [1, 0], stiffness: 0, damping: 2.6*(0.42 - p)}\nsimulation: {end: 1}\n",
        11);
    const hol_table t = answer_table(answer, "locus");
    const int moving = answer_entry(&t, 0, 1) == 0 ? 2 : 1;
    assert_true(t.rows >= 11);
    for (int i = 0; i < t.rows; i++) {
        assert_close(answer_entry(&t, i, moving), 2 * (answer_entry(&t, i, 0) - 0.42), 1e-14);
        assert_close(answer_entry(&t, i, 3 - moving), 0, 0);
    }
    hol_answer_free(answer);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_stiffness),
        cmocka_unit_test(test_flutter),
        cmocka_unit_test(test_through_zero),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
