/* test_goal_at_switch.c: goals at the very time at which a law switches, where that moves with the
 * parameters. */
#include "ask.h"
#include "model_fixture.h"

#include <holonom/sensitivity.h>

/* A block on a rail that is pushed until the time t1, and braked from the place x1 on. */
#define PUSHED(law)                                                                                \
    "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {t1: 0.625, x1: 0.3125, f: 3.7}\n"    \
    "bodies: {block: {mass: 2.1, inertia: 1, position: [0, 0], velocity: [0.5, 0]}}\n"             \
    "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}\n"       \
    "forces:\n  push: {type: force, body: block, force: ['" law "', 0]}\n"                         \
    "measures: {p: {type: position, body: block}, v: {type: velocity, body: block}, "              \
    "a: {type: acceleration, body: block}}\n"                                                      \
    "simulation: {end: 1.3, tolerance: 1e-12}\n"

/* What is said of the goal, and the derivative by one parameter where there is one. */
static hol_status answer_to(const char *text, const char *goal, const char *name, const char *way,
                            char *said, size_t size, double *value, double *derivative) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol_answer *answer = NULL;
    const hol_sensitivity_options options = {
        .size = sizeof options, .goals = goal, .n_parameters = 1, .parameters = &name, .by = way};
    assert_int_equal(hol_spec_read_text(spec, text, "switch.yaml"), HOL_OK);
    const hol_status status = hol_sensitivity(ctx, spec, &options, &answer);
    said[0] = '\0';
    for (int i = 0; i < hol_message_count(ctx); i++)
        snprintf(said, size, "%s: %s", hol_message_get(ctx, i)->element,
                 hol_message_get(ctx, i)->text);
    const hol_table values = answer_table(answer, "goals"),
                    by = answer_table(answer, "sensitivity");
    if (values.rows) *value = answer_entry(&values, 0, 0);
    if (by.rows) *derivative = answer_entry(&by, 0, 0);
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
    return status;
}

static void test_switches(void **unused) {
    (void)unused;
    static const char timed[] = PUSHED("if(t < t1, f, 0.2*f)"),
                      placed[] = PUSHED("if(p.x < x1, 0, -f)");
    const double m = 2.1, f = 3.7, T = 0.625, v = 0.5 + f * T / m;
    const struct one {
        const char *text, *goal, *name, *words;
        double value, before, after; /* derivatives */
    } all[] = {
        /* the velocity goes on, its rate does not */
        {timed, "at 0.625 v.x", "t1", "another derivative before it", v, 0, 0.8 * f / m},
        {placed, "at 0.625 v.x", "x1", "another derivative before it", 0.5, 0, f / m / 0.5},
        /* so do places, with their rates */
        {timed, "at 0.625 p.x", "t1", NULL, 0.5 * T + f * T * T / m / 2, 0, 0},
        {placed, "at 0.625 p.x", "x1", NULL, 0.5 * T, 0, 0},
        /* what does not move the instant */
        {timed, "at 0.625 v.x", "f", NULL, v, T / m, T / m},
        {timed, "at 0.625 a.x", "t1", "and the goal jumps there", 0, 0, 0},
        {placed, "at 0.625 a.x", "x1", "and the goal jumps there", 0, 0, 0},
        {timed, "at 0.62 v.x", "t1", NULL, 0.5 + f * 0.62 / m, 0, 0},
    };
    static const char *const ways[] = {"direct", "adjoint"};
    for (size_t i = 0; i < 2 * sizeof all / sizeof *all; i++) {
        const struct one *x = &all[i / 2];
        char said[1024];
        double value = NAN, derivative = NAN;
        const hol_status status = answer_to(x->text, x->goal, x->name, ways[i % 2], said,
                                            sizeof said, &value, &derivative);
        if (x->words ? !strstr(said, x->words) || !strstr(said, "force 'push'") : said[0])
            fail_msg("%s by %s, %s, says '%s'", x->goal, x->name, ways[i % 2], said);
        if (x->words && strstr(x->words, "jumps")) {
            assert_true(status < 0);
            continue;
        }
        if (!(fabs(value - x->value) <= 1e-9))
            fail_msg("%s is %.12g and not %.12g", x->goal, value, x->value);
        if (!(fabs(derivative - x->before) <= 1e-7 || fabs(derivative - x->after) <= 1e-7))
            fail_msg("%s by %s, %s: %.12g", x->goal, x->name, ways[i % 2], derivative);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_switches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
