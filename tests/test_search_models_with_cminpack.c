/* test_search_models_with_cminpack.c: optimize and identify are asked of every model with a
 * parameter and a measure: a parameter between bounds of 3 % about its value, for a hundredth
 * of a second; a right answer, or an error that says why not. */
#define _POSIX_C_SOURCE 200809L
#include "tangent_fixture.h"

#include "model/node.h"

#include <math.h>
#include <unistd.h>

static int optimized, identified, refused, skipped, failures;

static void complain(const char *file, const char *what) {
    if (failures++ < 20) print_error("%s: %s\n", file, what);
}

/* The first parameter that is a number other than 0, and its value. */
static const char *first_parameter(const hol_spec *spec, double *value) {
    const hol__node *section = hol__node_get(spec->root, "parameters");
    for (const hol__node *node = section ? section->first : NULL; node; node = node->next) {
        char *end;
        *value = node->kind == HOL__SCALAR ? strtod(node->text, &end) : 0;
        if (*value != 0 && *end == '\0') return node->key;
    }
    return NULL;
}

static hol_spec *open_spec(hol_context *ctx, const char *file) {
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(run_read(spec, file), HOL_OK);
    hol_spec_set(spec, "end", "0.01", "test");
    hol_spec_set(spec, "output", "0.002", "test");
    return spec;
}

/* The records of a run with the values of the file; the name of its first measured column, "" where
 * there is none or it does not run. */
static void record(const char *file, char *column) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = open_spec(ctx, file);
    hol_options *options = NULL;
    hol_model *model = hol_model_from_spec(ctx, spec, &options);
    hol_sim *sim = model ? hol_sim_new(ctx, model, options) : NULL;
    column[0] = '\0';
    if (sim && model->nb <= 20 && model->n_columns && strchr(model->columns[0].name, ' ') == NULL) {
        hol_writer *writer = hol_writer_open(sim, "records.csv");
        hol_status status = writer ? HOL_OK : HOL_ERR_IO;
        for (int i = 0; i <= 5 && !status; i++) {
            status = hol_sim_advance(sim, sim_info(sim).t_start + 0.002 * i);
            if (!status) status = hol_data_update(hol_sim_data(sim), HOL_STAGE_ACC);
            if (!status) status = hol_writer_record(writer);
        }
        if (writer) hol_writer_close(writer);
        if (!status) snprintf(column, 128, "%s", model->columns[0].name);
    }
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* What an answer or an error has to have. */
static void judge(const char *file, hol_context *ctx, hol_status status, hol_answer *answer,
                  const char *before, int *good) {
    if (status) {
        refused++;
        if (!run_last_error(ctx)) complain(file, "nothing said");
        return;
    }
    const double end = hol_answer_value(answer, before),
                 start = hol_answer_value(answer, "at_start");
    ++*good;
    if (!(end <= start + 1e-12 * fabs(start))) complain(file, "the end is worse than the start");
    hol_answer_free(answer);
}

static void check_file(const char *file, const char *set, uint64_t *seed) {
    char column[128], vary[200], goal[160];
    double value;
    (void)seed;
    if (strcmp(set, "reference") != 0) return; /* as the files say */
    record(file, column);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = open_spec(ctx, file);
    const char *name = first_parameter(spec, &value);
    if (!name || !*column) {
        skipped++;
    } else {
        const char *const texts[] = {vary}, *const goals[] = {goal}, *const fits[] = {column};
        hol_answer *answer = NULL;
        snprintf(vary, sizeof vary, "%s=%.17g:%.17g", name, value - 0.03 * fabs(value),
                 value + 0.03 * fabs(value));
        snprintf(goal, sizeof goal, "end %s", column);
        const hol_optimize_options how = {.size = sizeof how,
                                          .n_vary = 1,
                                          .vary = texts,
                                          .n_minimize = 1,
                                          .minimize = goals,
                                          .evaluations = 2};
        hol_status status = hol_optimize(ctx, spec, &how, &answer);
        judge(file, ctx, status, answer, "value", &optimized);
        /* the value of the file from one beside it */
        char start[64];
        snprintf(start, sizeof start, "%.17g", value + 0.01 * fabs(value));
        hol_spec_set(spec, name, start, "test");
        const hol_identify_options fit = {.size = sizeof fit,
                                          .n_vary = 1,
                                          .vary = texts,
                                          .data = "records.csv",
                                          .n_fit = 1,
                                          .fit = fits,
                                          .evaluations = 4};
        answer = NULL;
        status = hol_identify(ctx, spec, &fit, &answer);
        judge(file, ctx, status, answer, "squares", &identified);
    }
    hol_spec_free(spec);
    hol_context_free(ctx);
}

static void test_models(void **unused) {
    (void)unused;
    const int all = each_model(check_file, 11);
    print_message("%d optimized, %d identified, %d refused, %d without parameter or measure\n",
                  optimized, identified, refused, skipped);
    if (all && built_with("nlopt")) assert_true(optimized > 8 && identified > 8);
    assert_int_equal(failures, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_models)};
    return run_reads_files() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
