/* fuzz_tape.h: bytes as a row of choices, for fuzzers that build their inputs. Behind the last byte
 * all choices are the first. */
#ifndef HOL_TESTS_FUZZ_TAPE_H
#define HOL_TESTS_FUZZ_TAPE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A finding, with words. */
_Noreturn static inline void fuzz_fail(const char *what) {
    fprintf(stderr, "finding: %s\n", what);
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
