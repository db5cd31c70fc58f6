/* test_linearize_rest.c: small motions about an equilibrium whose drivers move in a run: they hold
 * what they ask for at that time, as in statics. Against closed solutions. */
#include "model_fixture.h"

static const char *const sets[] = {"coordinates=reference", "coordinates=relative",
                                   "coordinates=natural"};

static void check_close(double a, double b, double tolerance, int line) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("line %d: %.17g, not %.17g: off by %.3g", line, a, b, a - b);
}

#define assert_close(a, b, tolerance) check_close(a, b, tolerance, __LINE__)

/* The eigenvalues about the equilibrium at that time of a run. */
static hol_answer *answer_at(run *r, double t) {
    const hol_linearize_options how = {.size = sizeof how, .settle = 2};
    hol_answer *answer = NULL;
    assert_int_equal(hol_sim_advance(r->sim, t), HOL_OK);
    const hol_status status = hol_linearize(r->ctx, r->sim, NULL, &how, &answer);
    if (status) run_print_messages(r->ctx);
    assert_int_equal(status, HOL_OK);
    return answer;
}

/* Two point masses on threads of lengths a and b, mu = m2/m1:
 *     a b w^4 - (1 + mu) (a + b) g w^2 + (1 + mu) g^2 = 0
 * The upper thread is drawn in while it runs, at 0.4 s with 0.14 m/s. */
static void test_rope(void **unused) {
    const double g = 9.81, mu = 0.6 / 1.4, b = 0.5, t = 0.4,
                 a = sqrt(0.89) - 0.1 * (1 - cos(2 * t)), p = (1 + mu) * (a + b) * g,
                 root = sqrt(p * p - 4 * a * b * (1 + mu) * g * g);
    (void)unused;
    for (int i = 0; i < 3; i++) {
        run r = run_open("elements/distance", sets[i]);
        hol_answer *answer = answer_at(&r, t);
        const hol_table e = answer_table(answer, "eigenvalues");
        double w[2] = {answer_entry(&e, 0, 1), answer_entry(&e, 1, 1)};
        if (w[0] > w[1]) w[0] = w[1], w[1] = answer_entry(&e, 0, 1);
        assert_close(w[0], sqrt((p - root) / (2 * a * b)), 1e-9);
        assert_close(w[1], sqrt((p + root) / (2 * a * b)), 1e-9);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* A block on bristles and a spring whose other end is drawn away in a run:
 * s^2 + (d + v) s + k + b = 0, and one that it keeps where it is put. */
static void test_bristles(void **unused) {
    const double k = 40, b = 1e4, d = 200.4, root = sqrt(d * d - 4 * (k + b));
    (void)unused;
    for (int i = 0; i < 3; i++) {
        run r = run_open("elements/friction_lugre", sets[i]);
        hol_answer *answer = answer_at(&r, 0);
        const hol_table e = answer_table(answer, "eigenvalues");
        assert_int_equal(e.rows, 3);
        assert_close(answer_entry(&e, 0, 0), (-d + root) / 2, 1e-6);
        assert_close(answer_entry(&e, 1, 0), (-d - root) / 2, 1e-6);
        assert_close(answer_entry(&e, 2, 0), 0, 0);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* A crank that a motor turns at a given speed stands still at the angle that it has come to:
 * nothing moves, and the place of the crank is the one state that is left. */
static void test_motor(void **unused) {
    (void)unused;
    for (int i = 0; i < 3; i++) {
        run r = run_open("elements/motor_joint", sets[i]);
        hol_answer *answer = answer_at(&r, 0.3);
        const hol_table e = answer_table(answer, "eigenvalues");
        assert_int_equal(e.rows, 1);
        assert_close(answer_entry(&e, 0, 0), 0, 0);
        hol_answer_free(answer);
        run_close(&r);
    }
}

/* A mass on a spring below a driven hook, with the pull of the hook as an output: C of the pull by
 * the place of the mass is the stiffness, whatever the hook does at that time. */
static void test_outputs(void **unused) {
    static const char text[] =
        "holonom: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
        "  hook: {mass: 0.3, inertia: 0.01, position: [0, 0]}\n"
        "  load: {mass: 1.7, inertia: 0.02, position: [0, -0.4]}\n"
        "joints:\n"
        "  rail: {type: prismatic, bodies: [ground, hook], at: [0, 0], axis: [0, 1]}\n"
        "  lift: {type: motor, joint: rail, angle: 0.2*sin(3*t)}\n"
        "  guide: {type: prismatic, bodies: [ground, load], at: [0, -0.4], axis: [0, 1]}\n"
        "forces:\n  spring: {type: spring, bodies: [hook, load], from: [0, 0], to: [0, -0.4], "
        "stiffness: 230, free_length: 0.3}\n"
        "measures:\n  pull: {type: reaction, joint: lift, component: fy}\n"
        "simulation: {end: 1}\n";
    static const char *const inputs[] = {"load.fy"};
    (void)unused;
    run r = run_text(text, sets[0]);
    const hol_linearize_options how = {
        .size = sizeof how, .settle = 2, .n_inputs = 1, .inputs = inputs, .n_frequencies = 2};
    hol_answer *answer = NULL;
    assert_int_equal(hol_sim_advance(r.sim, 0.35), HOL_OK);
    const hol_status status = hol_linearize(r.ctx, r.sim, NULL, &how, &answer);
    if (status) run_print_messages(r.ctx);
    assert_int_equal(status, HOL_OK);
    const hol_table C = answer_table(answer, "C"), e = answer_table(answer, "eigenvalues");
    assert_int_equal(C.columns, 2);
    assert_close(fabs(answer_entry(&C, 0, 0)), 230, 1e-6);
    assert_close(answer_entry(&C, 0, 1), 0, 1e-6);
    assert_close(answer_entry(&e, 0, 1), sqrt(230 / 1.7), 1e-9);
    hol_answer_free(answer);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rope),
        cmocka_unit_test(test_bristles),
        cmocka_unit_test(test_motor),
        cmocka_unit_test(test_outputs),
    };
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
