/* asked.h: a question to the library with its answer, for tests of analyses. */
#ifndef HOL_TESTS_ASKED_H
#define HOL_TESTS_ASKED_H

#include "model_fixture.h"

typedef struct asked {
    hol_context *ctx;
    hol_spec *spec;
    hol_answer *answer;
    hol_status status;
} asked;

/* A question to a model that is still to be read. */
static inline asked asked_new(void) {
    asked a = {.ctx = hol_context_new()};
    a.spec = hol_spec_new(a.ctx);
    return a;
}

/* It must have an answer. */
static inline asked asked_well(asked a) {
    if (a.status) run_print_messages(a.ctx);
    assert_int_equal(a.status, HOL_OK);
    assert_non_null(a.answer);
    return a;
}

static inline void done(asked *a) {
    hol_answer_free(a->answer);
    hol_spec_free(a->spec);
    hol_context_free(a->ctx);
}

#endif
