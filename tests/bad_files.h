/* bad_files.h: model files with mistakes, and the errors that each must give: their places, their
 * texts and no others.
 */
#ifndef HOLONOM_TEST_BAD_FILES_H
#define HOLONOM_TEST_BAD_FILES_H

#include "model_fixture.h"

/* Pieces of files. */
#define PLANE "holonom: 1\nspace: planar\n"
#define SPACE "holonom: 1\nspace: spatial\n"
#define ROD "bodies:\n  rod: {mass: 1.2, inertia: 0.1}\n"
#define ROD3 "bodies:\n  rod: {mass: 1.2, inertia: [0.1, 0.2, 0.25]}\n"
#define HINGE "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0]}\n"

enum { MAX_EXPECTED = 11 };

/* An error: its place and a part of its text ("element: text"). */
typedef struct expected {
    int line, column;
    const char *text;
} expected;

/* A file and all the errors that it has. */
typedef struct bad_file {
    const char *name, *text;
    expected errors[MAX_EXPECTED];
} bad_file;

/* Read, compile, set up, and solve the equations at the start; what worked is freed. */
static void try_text(hol_context *ctx, const char *text) {
    hol_spec *spec = hol_spec_new(ctx);
    hol_model *model = NULL;
    hol_options *options = NULL;
    hol_sim *sim = NULL;
    assert_non_null(spec);
    if (hol_spec_read_text(spec, text, "bad.yaml") == HOL_OK)
        model = hol_model_from_spec(ctx, spec, &options);
    if (model) sim = hol_sim_new(ctx, model, options);
    const int works = sim && hol_sim_advance(sim, hol_data_time(hol_sim_data(sim))) == HOL_OK;
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    hol_spec_free(spec);
    /* failure is never silent, and nothing works after an error */
    assert_int_equal(works, hol_message_count_of(ctx, HOL_ERROR) == 0);
}

/* Whether some error of the context is the expected one. */
static int has_error(const hol_context *ctx, const expected *e) {
    for (int i = 0; i < hol_message_count(ctx); i++) {
        const hol_message *m = hol_message_get(ctx, i);
        char text[2048];
        snprintf(text, sizeof text, "%s%s%s", m->element ? m->element : "", m->element ? ": " : "",
                 m->text);
        if (m->severity == HOL_ERROR && m->status < 0 && m->where.line == e->line &&
            m->where.column == e->column && strstr(text, e->text) && m->where.file &&
            strcmp(m->where.file, "bad.yaml") == 0)
            return 1;
    }
    return 0;
}

static void test_file(void **state) {
    const bad_file *file = *state;
    hol_context *ctx = hol_context_new();
    try_text(ctx, file->text);
    int n = 0, missing = 0;
    for (; n < MAX_EXPECTED && file->errors[n].text; n++)
        if (!has_error(ctx, &file->errors[n])) {
            missing = 1;
            print_error("missing: %d:%d %s\n", file->errors[n].line, file->errors[n].column,
                        file->errors[n].text);
        }
    if (missing || hol_message_count_of(ctx, HOL_ERROR) != n) {
        run_print_messages(ctx);
        fail_msg("%s: %d errors, wanted %d", file->name, hol_message_count_of(ctx, HOL_ERROR), n);
    }
    hol_context_free(ctx);
}

/* A test for each of n files. */
static inline void bad_tests(const bad_file *files, size_t n, struct CMUnitTest *tests) {
    for (size_t i = 0; i < n; i++)
        tests[i] =
            (struct CMUnitTest){files[i].name, test_file, NULL, NULL, (void *)(uintptr_t)&files[i]};
}

#endif
