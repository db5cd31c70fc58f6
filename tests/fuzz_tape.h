/* fuzz_tape.h: what the fuzzers share: their entry, and bytes as a row of choices for those that
 * build their inputs. Behind the last byte all choices are the first. */
#ifndef HOL_TESTS_FUZZ_TAPE_H
#define HOL_TESTS_FUZZ_TAPE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FUZZ_SECONDS = 10 }; /* of processor time, for one input */

/* What a fuzzer does with one input; called by replay/entry.c. A fuzzer whose inputs are choices
 * has a line "enum { FUZZ_LENGTH = N };": more bytes than these it never looks at, and
 * tools/fuzz.sh lets libFuzzer make no longer ones, whose changes would mostly be none. */
void fuzz_one(const uint8_t *data, size_t size);

/* A finding, with words; on the descriptor, since a fuzzer may have turned stderr away. */
_Noreturn static inline void fuzz_fail(const char *what) {
    char text[200];
    const int n = snprintf(text, sizeof text, "finding: %s\n", what);
    if (write(STDERR_FILENO, text, n > 0 ? (size_t)n : 0) < 0) _Exit(79);
    abort();
}

typedef struct tape {
    const uint8_t *at;
    size_t left;
} tape;

static inline unsigned tape_byte(tape *t) {
    if (!t->left) return 0;
    t->left--;
    return *t->at++;
}

/* A number from 0 to n - 1. */
static inline int tape_below(tape *t, int n) {
    const unsigned high = n > 256 ? tape_byte(t) << 8 : 0;
    return n > 0 ? (int)((high | tape_byte(t)) % (unsigned)n) : 0;
}

#endif
