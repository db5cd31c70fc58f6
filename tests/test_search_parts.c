/* test_search_parts.c: optimize and identify of a description that was built by calls: an answer
 * where NLopt and cminpack are there, and otherwise an error that says what to install. */
#include "search_fixture.h"

#include <holonom/holonom.h>

/* A block on a spring, x = 0.31 cos(sqrt(k/2) t). */
static hol_spec *build(hol_context *ctx) {
    hol_spec *spec = hol_spec_new(ctx);
    const double none[] = {0, 0}, at[] = {0.31, 0}, from[] = {-5, 0}, along[] = {1, 0};
    const char *const bodies[] = {"ground", "block"};
    hol_item *root = hol_spec_root(spec);
    hol_item_text(root, "space", "planar");
    hol_item_number(root, "holonom", 1);
    hol_item_vector(root, "gravity", 2, none);
    hol_item_number(hol_spec_section(spec, "parameters"), "k", 30);
    hol_item *block = hol_spec_add(spec, "bodies", "block", NULL);
    hol_item_number(block, "mass", 2);
    hol_item_number(block, "inertia", 1);
    hol_item_vector(block, "position", 2, at);
    hol_item *rail = hol_spec_add(spec, "joints", "rail", "prismatic");
    hol_item_texts(rail, "bodies", 2, bodies);
    hol_item_vector(rail, "at", 2, none);
    hol_item_vector(rail, "axis", 2, along);
    hol_item *spring = hol_spec_add(spec, "forces", "spring", "spring");
    hol_item_texts(spring, "bodies", 2, bodies);
    hol_item_vector(spring, "from", 2, from);
    hol_item_vector(spring, "to", 2, at);
    hol_item_text(spring, "stiffness", "k");
    hol_item_number(spring, "free_length", 5);
    hol_item *x = hol_spec_add(spec, "measures", "x", "position");
    hol_item_text(x, "body", "block");
    hol_item_text(x, "component", "x");
    hol_item *off = hol_spec_add(spec, "measures", "off", "expression");
    hol_item_text(off, "value", "(x + 0.13)^2");
    hol_item *simulation = hol_spec_section(spec, "simulation");
    hol_item_number(simulation, "end", 0.71);
    hol_item_number(simulation, "tolerance", 1e-10);
    return spec;
}

static const double wanted = 0.71;

static void test_optimize(void **state) {
    (void)state;
    static const char *const vary[] = {"k=5:60"}, *const goals[] = {"end off"};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = build(ctx);
    hol_answer *answer = NULL;
    const hol_optimize_options how = {.size = sizeof how,
                                      .n_vary = 1,
                                      .vary = vary,
                                      .n_minimize = 1,
                                      .minimize = goals,
                                      .tolerance = 1e-8,
                                      .model = 1};
    const hol_status status = hol_optimize(ctx, spec, &how, &answer);
    if (built_with("nlopt")) {
        assert_int_equal(status, HOL_OK);
        const hol_table t = answer_table(answer, "parameters");
        check("k", answer_entry(&t, 0, 1), 2 * pow(acos(-0.13 / 0.31) / wanted, 2), 1e-4);
        assert_non_null(strstr(hol_answer_model(answer), "parameters:\n  k: 15.9"));
    } else {
        assert_int_equal(status, HOL_ERR_FEATURE);
        assert_true(said(ctx, "libnlopt-dev"));
    }
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void test_identify(void **state) {
    (void)state;
    static const char *const vary[] = {"k=5:60"}, *const fit[] = {"x", NULL};
    hol_context *ctx = hol_context_new();
    hol_spec *spec = build(ctx);
    hol_answer *answer = NULL;
    FILE *file = fopen("spring.csv", "w");
    assert_non_null(file);
    fprintf(file, "time,x\n");
    for (int i = 1; i < 8; i++)
        fprintf(file, "%.17g,%.17g\n", 0.1 * i, 0.31 * cos(sqrt(23.85 / 2) * 0.1 * i));
    fclose(file);
    const hol_identify_options how = {.size = sizeof how,
                                      .n_vary = 1,
                                      .vary = vary,
                                      .data = "spring.csv",
                                      .n_fit = 1,
                                      .fit = fit};
    const hol_status status = hol_identify(ctx, spec, &how, &answer);
    if (built_with("cminpack")) {
        assert_int_equal(status, HOL_OK);
        const hol_table t = answer_table(answer, "parameters");
        check("k", answer_entry(&t, 0, 1), 23.85, 1e-6);
    } else {
        assert_int_equal(status, HOL_ERR_FEATURE);
        assert_true(said(ctx, "libcminpack-dev"));
    }
    hol_answer_free(answer);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_optimize),
                                       cmocka_unit_test(test_identify)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
