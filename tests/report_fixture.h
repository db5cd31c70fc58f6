/* report_fixture.h: shared by the tests of reports: a context with a text, and looking into
 * files. */
#ifndef HOL_TESTS_REPORT_FIXTURE_H
#define HOL_TESTS_REPORT_FIXTURE_H

#include "model_fixture.h"

#include "base/text.h"

typedef struct fixture {
    hol_context *ctx;
    hol__text text;
} fixture;

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f) return 1;
    f->ctx = hol_context_new();
    hol__text_init(&f->text, f->ctx);
    return f->ctx == NULL;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    hol__text_free(&f->text);
    hol_context_free(f->ctx);
    free(f);
    return 0;
}

/* A whole file with a zero behind it; the test fails when it is not there. */
static inline char *slurp(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s was not written", path);
    fseek(file, 0, SEEK_END);
    const long n = ftell(file);
    rewind(file);
    char *data = calloc((size_t)n + 1, 1);
    assert_non_null(data);
    assert_int_equal(fread(data, 1, (size_t)n, file), (size_t)n);
    fclose(file);
    if (size) *size = (size_t)n;
    return data;
}

/* How often the word stands in the text. */
static inline int count_of(const char *text, const char *word) {
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word)) n++;
    return n;
}

/* Four bytes as a number, the largest first. */
static inline unsigned word_at(const unsigned char *p) {
    return (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
}

#endif
