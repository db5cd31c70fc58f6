/* test_many_runs.c: many runs of one description with other values: each has the bits of a run of a
 * description that was read anew, whatever ran before it.
 */
#include "method_fixture.h"

enum { ROWS = 64 };

typedef struct rows {
    int n;
    double x[ROWS];
} rows;

static hol_status take(void *user, hol_sim *sim) {
    rows *r = user;
    assert_true(r->n < ROWS);
    return hol_data_measure(hol_sim_data(sim), 0, &r->x[r->n++]);
}

/* The rows of a run of the description as it stands. */
static rows run_spec(hol_context *ctx, const hol_spec *spec) {
    rows out = {0};
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    assert_non_null(sim);
    const hol_observer observer = {.on_output = take, .user = &out};
    assert_int_equal(hol_sim_run(sim, &observer), HOL_OK);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    return out;
}

static hol_spec *read_model(hol_context *ctx, const char *model, const char *coordinates) {
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(run_read(spec, model), HOL_OK);
    assert_int_equal(run_settings(spec, "end=0.5 output=0.01 tolerance=1e-8"), HOL_OK);
    assert_int_equal(hol_spec_set(spec, "coordinates", coordinates, "test"), HOL_OK);
    return spec;
}

static const struct {
    const char *model, *path, *values[4]; /* the last is the first again */
} cases[] = {
    {"four_bar", "parameters.L2", {"2", "1.93", "1.7", "2"}},
    {"four_bar", "bodies.coupler.mass", {"2.25", "2.385", "3.1", "2.25"}},
    {"slider_crank_spatial",
     "gravity",
     {"[0, 0, -9.81]", "[0, 0.3, -1.62]", "[0, 0, 0]", "[0, 0, -9.81]"}},
};

/* A value that is changed in a description, and changed back. */
static void check(int i, const char *coordinates) {
    rows of[4];
    hol_context *ctx = hol_context_new();
    hol_spec *kept = read_model(ctx, cases[i].model, coordinates);
    for (int k = 0; k < 4; k++) {
        hol_spec *fresh = read_model(ctx, cases[i].model, coordinates);
        assert_int_equal(hol_spec_set(kept, cases[i].path, cases[i].values[k], "test"), HOL_OK);
        assert_int_equal(hol_spec_set(fresh, cases[i].path, cases[i].values[k], "test"), HOL_OK);
        of[k] = run_spec(ctx, kept);
        const rows anew = run_spec(ctx, fresh);
        assert_int_equal(of[k].n, 51);
        assert_memory_equal(&of[k], &anew, sizeof anew);
        hol_spec_free(fresh);
    }
    assert_memory_equal(&of[0], &of[3], sizeof of[0]);
    assert_memory_not_equal(&of[0], &of[1], sizeof of[0]);
    assert_memory_not_equal(&of[1], &of[2], sizeof of[0]);
    hol_spec_free(kept);
    hol_context_free(ctx);
}

static void test_changed_values(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check((int)i, "reference");
        check((int)i, "relative");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_changed_values)};
    if (!run_reads_files()) return 0;
    return cmocka_run_group_tests_name("many_runs", tests, NULL, NULL);
}
