/* test_code.c: compiled code by the calls of the library: it makes the evaluations of a run, those
 * that it does not make are counted, and it serves simulations of its own description alone.
 */
#include "model_fixture.h"

#include <math.h>
#include <stdlib.h>

typedef struct subject {
    hol_context *ctx;
    hol_spec *spec;
    hol_options *options;
    hol_model *model;
    hol_sim *sim;
    hol_code *code; /* NULL: none */
} subject;

static subject open_subject(const char *settings) {
    subject s = {.ctx = hol_context_new()};
    s.spec = hol_spec_new(s.ctx);
    assert_int_equal(run_read(s.spec, "four_bar"), HOL_OK);
    assert_int_equal(run_settings(s.spec, settings), HOL_OK);
    s.model = hol_model_from_spec(s.ctx, s.spec, &s.options);
    s.sim = s.model ? hol_sim_new(s.ctx, s.model, s.options) : NULL;
    assert_non_null(s.sim);
    return s;
}

static void close_subject(subject *s) {
    hol_sim_free(s->sim);
    hol_code_free(s->code);
    hol_model_free(s->model);
    hol_options_free(s->options);
    hol_spec_free(s->spec);
    hol_context_free(s->ctx);
}

static hol_status no_force(void *user, hol_data *data) {
    (void)data;
    ++*(int *)user;
    return HOL_OK;
}

/* The crank at the end of a run, and its evaluations beside the code. */
static double end_of(int with_code, int with_force, long *beside) {
    subject s = open_subject("simulation.coordinates=relative simulation.method=direct-correction "
                             "simulation.end=2");
    hol_sim_info info = {.size = sizeof info};
    int calls = 0;
    double angle;
    if (with_code) {
        assert_int_equal(hol_code_new(s.ctx, s.spec, NULL, &s.code), HOL_OK);
        assert_int_equal(hol_sim_use_code(s.sim, s.code), HOL_OK);
    }
    if (with_force) hol_sim_on_force(s.sim, no_force, &calls);
    assert_int_equal(hol_sim_run(s.sim, NULL), HOL_OK);
    assert_int_equal(hol_data_measure(hol_sim_data(s.sim), 0, &angle), HOL_OK);
    assert_int_equal(hol_sim_describe(s.sim, &info), HOL_OK);
    assert_true(with_force == (calls > 0));
    assert_true(strcmp(info.kernel, "compiled") == 0 ? with_code : !with_code);
    *beside = info.beside_code;
    close_subject(&s);
    return angle;
}

static void test_counted(void **unused) {
    long none, all, plain;
    (void)unused;
    const double right = end_of(0, 0, &plain), coded = end_of(1, 0, &none),
                 beside = end_of(1, 1, &all);
    assert_int_equal(plain, 0);
    assert_int_equal(none, 0);
    assert_true(all > 100);
    assert_true(fabs(coded - right) < 1e-11);
    assert_true(fabs(beside - right) < 1e-11);
}

static void test_other_description(void **unused) {
    (void)unused;
    static const char *const others[] = {
        "simulation.coordinates=relative simulation.method=direct-correction gravity=[0,-1]",
        "simulation.coordinates=relative simulation.method=lagrange",
        "simulation.coordinates=relative simulation.method=direct-correction "
        "simulation.kernel=schur",
        "simulation.coordinates=reference simulation.method=direct-correction"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        subject s = open_subject(others[i]);
        hol_spec *spec = hol_spec_new(s.ctx);
        assert_int_equal(run_read(spec, "four_bar"), HOL_OK);
        if (i > 0) assert_int_equal(run_settings(spec, others[i]), HOL_OK);
        assert_int_equal(hol_code_new(s.ctx, spec, NULL, &s.code), HOL_OK);
        assert_int_equal(hol_sim_use_code(s.sim, s.code), HOL_ERR_ARGUMENT);
        hol_spec_free(spec);
        close_subject(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counted),
                                       cmocka_unit_test(test_other_description)};
    if (!run_reads_files() || system("cc --version >/dev/null 2>&1") != 0) return 0;
    return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
