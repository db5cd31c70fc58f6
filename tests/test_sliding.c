/* test_sliding.c: derivatives of runs whose laws jump where a speed changes its sign: refused where
 * the motion cannot leave that, and right where it can. */
#include "model_fixture.h"

#include "analysis/goals.h"

/* A block on a rail. */
#define DRY(law, options)                                                                          \
    "holonom: 1\nspace: planar\ngravity: [0, 0]\nparameters: {F: 2.1, v0: 1, k: 5}\n"              \
    "bodies: {block: {mass: 1, inertia: 1, position: [0, 0], velocity: [v0, 0]}}\n"                \
    "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0]}}\n"       \
    "forces:\n  drag: {type: force, body: block, force: ['" law "', 0]}\n"                         \
    "measures: {p: {type: position, body: block}, v: {type: velocity, body: block}}\n"             \
    "simulation: {" options "}\n"

/* The law drives the motion back from both sides: in chosen steps the run creeps without end, in
 * fixed ones the stages hide it. */
static void test_refused(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        DRY("if(v.x > 0, -F, F)", "end: 1"),
        DRY("if(v.x > 0, -F, F)", "end: 1, step: 0.01"),
        DRY("if(v.x > 0, -F, F)", "end: 1, step: 0.0007, integrator: heun"),
        DRY("-F*sign(v.x) + 0.3*F", "end: 1, step: 0.02"),
        DRY("-F*sign(v.x) - k*p.x", "end: 3"),
        DRY("-F*sign(v.x) - k*p.x", "end: 3, step: 0.01"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        hol_context *ctx = hol_context_new();
        hol_spec *spec = hol_spec_new(ctx);
        hol_answer *answer = NULL;
        const hol_sensitivity_options options = {.size = sizeof options};
        assert_int_equal(hol_spec_read_text(spec, texts[i], "dry.yaml"), HOL_OK);
        const hol_status status = hol_sensitivity(ctx, spec, &options, &answer);
        const hol_message *m = run_last_error(ctx);
        if (status >= 0 || answer || !m || !strstr(m->text, "the motion cannot leave")) {
            run_print_messages(ctx);
            fail_msg("law %d is not refused", (int)i);
        }
        assert_string_equal(m->element, "force 'drag'");
        assert_int_equal(m->where.line, 8);
        hol_spec_free(spec);
        hol_context_free(ctx);
    }
}

/* The derivatives of p.x and v.x at the end by F and v0. */
static void derive(const char *text, double *out) {
    static const char *const names[] = {"F", "v0"};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    hol__arena arena;
    hol__goals *goals = NULL;
    hol_goal *list;
    int n;
    double p[2], value[2];
    hol__arena_init(&arena, ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "dry.yaml"), HOL_OK);
    assert_int_equal(hol__goals_read(ctx, "p.x, v.x", &arena, &n, &list), HOL_OK);
    assert_int_equal(hol__goals_new(ctx, spec, NULL, 2, names, n, list, &goals), HOL_OK);
    hol__goals_given(goals, p);
    if (hol__goals_evaluate(goals, p, HOL__BY_DIRECT, value, out))
        fail_msg("no gradient: %s", hol__goals_reason(goals));
    hol__goals_free(goals);
    hol__arena_free(&arena);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Laws that jump there too and let the motion go on: to rest, and back. */
static void test_passed(void **unused) {
    (void)unused;
    /* p = v0^2/(6 F) - F s^2/2, v = -F s with s = T - v0/(3 F) */
    const double F = 2.1, T = 1, s = T - 1 / (3 * F);
    const struct passed {
        const char *text;
        double want[4];
    } all[] = {
        {DRY("if(v.x > 0, -F, 0)", "end: 1, tolerance: 1e-10"), {-0.5 / (F * F), 1 / F, 0, 0}},
        {DRY("-2*F - F*sign(v.x)", "end: 1, tolerance: 1e-10"),
         {-1 / (6 * F * F) - s * s / 2 - s / (3 * F), 1 / (3 * F) + s / 3, -T, 1.0 / 3}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double is[4];
        derive(all[i].text, is);
        for (int k = 0; k < 4; k++)
            if (!(fabs(is[k] - all[i].want[k]) <= 1e-8))
                fail_msg("law %d: derivative %d is %.12g and not %.12g", (int)i, k, is[k],
                         all[i].want[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_passed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
