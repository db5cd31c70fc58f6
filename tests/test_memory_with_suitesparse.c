/* test_memory_with_suitesparse.c: KLU takes memory of its own; where it gets none for the pattern
 * or for the factors, what is given back is a message and a status, and nothing is kept. Its
 * functions are replaced when this program is linked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "la/klu.h"

#include <klu.h>
#include <math.h>

static int no_pattern, no_factors;

klu_symbolic *__real_klu_analyze(int n, int *ptr, int *idx, klu_common *common);
klu_symbolic *__wrap_klu_analyze(int n, int *ptr, int *idx, klu_common *common);
klu_numeric *__real_klu_factor(int *ptr, int *idx, double *x, klu_symbolic *symbolic,
                               klu_common *common);
klu_numeric *__wrap_klu_factor(int *ptr, int *idx, double *x, klu_symbolic *symbolic,
                               klu_common *common);

klu_symbolic *__wrap_klu_analyze(int n, int *ptr, int *idx, klu_common *common) {
    if (!no_pattern) return __real_klu_analyze(n, ptr, idx, common);
    common->status = KLU_OUT_OF_MEMORY;
    return NULL;
}

klu_numeric *__wrap_klu_factor(int *ptr, int *idx, double *x, klu_symbolic *symbolic,
                               klu_common *common) {
    if (!no_factors) return __real_klu_factor(ptr, idx, x, symbolic, common);
    common->status = KLU_OUT_OF_MEMORY;
    return NULL;
}

static const int ptr[] = {0, 2, 4}, idx[] = {0, 1, 0, 1};
static const double x[] = {2.385, 0.31, -1.07, 0.45};

static void assert_said(hol_context *ctx, const char *text) {
    assert_int_equal(hol_message_count(ctx), 1);
    assert_int_equal(hol_message_get(ctx, 0)->status, HOL_ERR_MEMORY);
    assert_string_equal(hol_message_get(ctx, 0)->text, text);
    hol_message_clear(ctx);
}

static void test_no_pattern(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__klu *klu;
    no_pattern = 1;
    assert_int_equal(hol__klu_new(ctx, 2, ptr, idx, &klu), HOL_ERR_MEMORY);
    assert_null(klu);
    assert_said(ctx, "out of memory (the pattern of a sparse matrix of 2 rows)");
    no_pattern = 0;
    hol_context_free(ctx);
}

/* The factors fail once; with memory again the same object solves. */
static void test_no_factors(void **state) {
    (void)state;
    hol_context *ctx = hol_context_new();
    hol__klu *klu;
    double b[2] = {x[0] * 0.7 + x[2] * -1.3, x[1] * 0.7 + x[3] * -1.3};
    assert_int_equal(hol__klu_new(ctx, 2, ptr, idx, &klu), HOL_OK);
    no_factors = 1;
    assert_int_equal(hol__klu_factor(klu, x), HOL_ERR_MEMORY);
    assert_said(ctx, "out of memory (the factors of a sparse matrix of 2 rows)");
    no_factors = 0;
    assert_int_equal(hol__klu_factor(klu, x), HOL_OK);
    assert_int_equal(hol__klu_solve(klu, b), HOL_OK);
    assert_true(fabs(b[0] - 0.7) < 1e-14 && fabs(b[1] + 1.3) < 1e-14);
    hol__klu_free(klu);
    hol_context_free(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_pattern),
        cmocka_unit_test(test_no_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
