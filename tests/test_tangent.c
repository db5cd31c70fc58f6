/* test_tangent.c: the tangents of every model, in every set of coordinates, against differences of
 * the whole pipeline. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

static void check_model(const char *file, const char *set, uint64_t *seed) {
    hol_context *ctx = hol_context_new();
    hol_model *model = tangent_model(ctx, file, set);
    if (model) {
        residual r = residual_open(ctx, model);
        hol__tangent *t;
        assert_int_equal(hol__tangent_new(r.data, &t), HOL_OK);
        static const double far[] = {0.03, 1e-4, 0};
        static const int parts[] = {HOL__PART_ALL, HOL__PART_FORCES, HOL__PART_REACTIONS,
                                    HOL__PART_INERTIA};
        for (int i = 0; i < 5; i++) {
            char what[256];
            r.parts = parts[i % 4];
            residual_random(&r, far[i % 3], seed);
            snprintf(what, sizeof what, "%s in %s coordinates, state %d", file, set, i);
            const int before = failures;
            const int kinks = check_tangent(&r, t, what);
            if (getenv("TANGENT_VERBOSE") || kinks)
                print_message("%-40s kinks %d failures %d worst %.1e\n", what, kinks,
                              failures - before, worst);
            worst = 0;
        }
        hol__tangent_free(t);
        residual_close(&r);
    }
    hol_model_free(model);
    hol_context_free(ctx);
}

static void test_models(void **state) {
    (void)state;
    if (!run_reads_files()) skip();
    const int all = each_model(check_model, 88172645463325252u);
    assert_int_equal(failures, 0);
    if (!all) return;
    assert_true(checked > 500000);
    assert_true(200 * skipped < checked);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
