/* model_fixture.h: shared by the tests that run models: load with settings, advance, read measures;
 * failures print the messages. */
#ifndef HOLONOM_TEST_MODEL_FIXTURE_H
#define HOLONOM_TEST_MODEL_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "answers.h"
#include "common.h"

#include <holonom/holonom.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model that is set up to run, with the context it lives in. */
typedef struct run {
    hol_context *ctx;
    hol_model *model;
    hol_options *options; /* of the section `simulation` */
    hol_sim *sim;
} run;

static inline void run_print_messages(const hol_context *ctx) {
    char line[1024];
    for (int i = 0; i < hol_message_count(ctx); i++) {
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        print_error("%s\n", line);
    }
}

/* The last error; NULL where there is none. */
static inline const hol_message *run_last_error(const hol_context *ctx) {
    const hol_message *last = NULL;
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (hol_message_get(ctx, i)->severity == HOL_ERROR) last = hol_message_get(ctx, i);
    return last;
}

/* Whether this build can read model files. */
static inline int run_reads_files(void) {
    return reads_yaml();
}

/* Apply "name=value name=value …" to a description. */
static inline hol_status run_settings(hol_spec *spec, const char *settings) {
    char pair[512];
    hol_status status = HOL_OK;
    while (!status && settings && *settings) {
        const size_t length = strcspn(settings, " ");
        assert_true(length < sizeof pair);
        memcpy(pair, settings, length);
        pair[length] = '\0';
        char *equals = strchr(pair, '=');
        assert_non_null(equals);
        *equals = '\0';
        status = hol_spec_set(spec, pair, equals + 1, "test");
        settings += length + strspn(settings + length, " ");
    }
    return status;
}

/* Compile and set up a description that has been read, which is freed; sim is NULL where that
 * fails. */
static inline run run_try(hol_context *ctx, hol_spec *spec, hol_status status,
                          const char *settings) {
    run r = {.ctx = ctx};
    if (!status) status = run_settings(spec, settings);
    if (!status) r.model = hol_model_from_spec(ctx, spec, &r.options);
    if (r.model) r.sim = hol_sim_new(ctx, r.model, r.options);
    hol_spec_free(spec);
    return r;
}

/* The same; the test fails when that fails. */
static inline run run_from_spec(hol_context *ctx, hol_spec *spec, hol_status status,
                                const char *settings) {
    const run r = run_try(ctx, spec, status, settings);
    if (!r.sim) {
        run_print_messages(ctx);
        fail_msg("the model cannot run (settings: %s)", settings ? settings : "none");
    }
    return r;
}

/* The description of a model of models/, read. */
static inline hol_status run_read(hol_spec *spec, const char *file) {
    char path[1024];
    assert_non_null(spec);
    snprintf(path, sizeof path, "%s/%s.yaml", HOLONOM_TEST_MODELS, file);
    return hol_spec_read_file(spec, path);
}

/* A model of models/ with settings "name=value …" (NULL: as it is). */
static inline run run_open(const char *file, const char *settings) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    return run_from_spec(ctx, spec, run_read(spec, file), settings);
}

/* The same with more lines in the file (for example "stop_when: x > 1"): a file that includes
 * it. */
static inline run run_with(const char *file, const char *lines, const char *settings) {
    char text[8192], path[1024];
    const int size = snprintf(text, sizeof text, "holonom: 1\ninclude: %s.yaml\n%s", file, lines);
    assert_true(size > 0 && size < (int)sizeof text);
    snprintf(path, sizeof path, "%s/test.yaml", HOLONOM_TEST_MODELS);
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_non_null(spec);
    return run_from_spec(ctx, spec, hol_spec_read_text(spec, text, path), settings);
}

/* A model of its own. */
static inline run run_text(const char *text, const char *settings) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_non_null(spec);
    return run_from_spec(ctx, spec, hol_spec_read_text(spec, text, "test.yaml"), settings);
}

static inline void run_close(run *r) {
    hol_sim_free(r->sim);
    hol_options_free(r->options);
    hol_model_free(r->model);
    hol_context_free(r->ctx);
    *r = (run){0};
}

/* A description that has been read makes a model that does not run with these settings; the last
 * error has these words. */
static inline void run_refused(hol_context *ctx, hol_spec *spec, hol_status status,
                               const char *settings, const char *words) {
    run r = run_try(ctx, spec, status, settings);
    const hol_message *last = run_last_error(ctx);
    if (r.sim || !r.model || !last || !strstr(last->text, words)) {
        run_print_messages(ctx);
        fail_msg("with %s: wanted a refusal with '%s'", settings, words);
    }
    run_close(&r);
}

/* The same of a model of models/, and of a model of its own. */
static inline void run_refuses(const char *file, const char *settings, const char *words) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    run_refused(ctx, spec, run_read(spec, file), settings, words);
}

static inline void run_refuses_text(const char *text, const char *settings, const char *words) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_non_null(spec);
    run_refused(ctx, spec, hol_spec_read_text(spec, text, "test.yaml"), settings, words);
}

/* A model that cannot be compiled: an error has these words. */
static inline void run_wont_compile(const char *text, const char *words) {
    hol_context *ctx = hol_context_new();
    hol_spec *spec = hol_spec_new(ctx);
    assert_int_equal(hol_spec_read_text(spec, text, "test.yaml"), HOL_OK);
    assert_null(hol_model_compile(ctx, spec, NULL));
    char line[1024];
    int found = 0;
    for (int i = 0; i < hol_message_count(ctx); i++) {
        hol_message_format(hol_message_get(ctx, i), line, sizeof line);
        found |= strstr(line, words) != NULL;
    }
    if (!found) {
        run_print_messages(ctx);
        fail_msg("wanted '%s'", words);
    }
    hol_spec_free(spec);
    hol_context_free(ctx);
}

/* Advance to t, which must work. */
static inline void run_to(run *r, double t) {
    if (hol_sim_advance(r->sim, t)) {
        run_print_messages(r->ctx);
        fail_msg("the run failed before t = %g", t);
    }
}

/* The largest difference of q and v, each relative to 1 plus its size. */
static inline double run_distance(const run *a, const run *b) {
    const hol_model_info info = model_info(a->model);
    const double *x = hol_data_q(hol_sim_data(a->sim)), *y = hol_data_q(hol_sim_data(b->sim));
    double most = 0;
    for (int i = 0; i < info.n_q; i++) most = fmax(most, fabs(x[i] - y[i]) / (1 + fabs(y[i])));
    x = hol_data_v(hol_sim_data(a->sim)), y = hol_data_v(hol_sim_data(b->sim));
    for (int i = 0; i < info.n_v; i++) most = fmax(most, fabs(x[i] - y[i]) / (1 + fabs(y[i])));
    return most;
}

/* Run the whole span, which must work. */
static inline hol_sim_info run_whole(run *r) {
    if (hol_sim_run(r->sim, NULL)) {
        run_print_messages(r->ctx);
        fail_msg("the run failed");
    }
    return sim_info(r->sim);
}

/* A measured column by name, now. */
static inline double run_measure(run *r, const char *name) {
    const int column = hol_model_measure_index(r->model, name);
    if (column < 0) fail_msg("there is no measure '%s'", name);
    return measure_of(hol_sim_data(r->sim), column);
}

/* |a - b| over the measures of two runs of one model, the largest. */
static inline double run_difference(run *a, run *b) {
    double largest = 0;
    for (int i = 0; i < model_info(a->model).n_measures; i++)
        largest = fmax(largest, fabs(measure_of(hol_sim_data(a->sim), i) -
                                     measure_of(hol_sim_data(b->sim), i)));
    return largest;
}

/* Fail unless |value - wanted| <= tolerance. */
static inline void check_near(const char *what, double value, double wanted, double tolerance) {
    if (!(fabs(value - wanted) <= tolerance))
        fail_msg("%s: %.15g, wanted %.15g: off by %.3g, allowed %.3g", what, value, wanted,
                 fabs(value - wanted), tolerance);
}

/* Whether a warning has these words. */
static inline int run_warns(const run *r, const char *words) {
    for (int i = 0; i < hol_message_count(r->ctx); i++) {
        const hol_message *message = hol_message_get(r->ctx, i);
        if (message->severity == HOL_WARNING && strstr(message->text, words)) return 1;
    }
    return 0;
}

#endif
