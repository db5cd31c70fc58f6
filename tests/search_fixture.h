/* search_fixture.h: what the tests of optimize and identify share. */
#ifndef HOL_TESTS_SEARCH_FIXTURE_H
#define HOL_TESTS_SEARCH_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "common.h"

#include <math.h>

#define COUPLER HOLONOM_TEST_SOURCE "/examples/optimize/coupler"

/* The linkage that made the curve of the example: what is varied, and what it is. */
static const char *const coupler_vary[] = {"l1=0.3:0.6",  "l2=0.05:0.15",  "l3=0.25:0.5",
                                           "l4=0.2:0.45", "along=0.1:0.3", "above=0.05:0.2",
                                           NULL};
static const double coupler_truth[] = {0.4, 0.115, 0.36, 0.29, 0.21, 0.13};

/* How many texts there are before NULL. */
static inline int count(const char *const *texts) {
    int n = 0;
    while (texts[n]) n++;
    return n;
}

static inline void check(const char *what, double value, double wanted, double near) {
    if (!(fabs(value - wanted) <= near)) fail_msg("%s is %.12g, not %.12g", what, value, wanted);
}

/* The text of a file, to be freed. */
static inline char *read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 20000);
    assert_true(fread(text, 1, 19999, file) > 0);
    fclose(file);
    return text;
}

#endif
