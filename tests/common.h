/* common.h: what any test may use: words without order, an allocator that counts and fails,
 * messages, parts of the build. */
#ifndef HOL_TESTS_COMMON_H
#define HOL_TESTS_COMMON_H

#include "ask.h"

#include <holonom/status.h>
#include <holonom/version.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers without order, the same sequence for the same seed ---- */

/* The next word of xorshift64. */
static inline uint64_t next_word(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A seed that belongs to a name (FNV-1a), so that what is drawn for it does not depend on other
 * names. */
static inline uint64_t seed_of(const char *name, uint64_t salt) {
    uint64_t hash = 14695981039346656037u ^ salt;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return hash ? hash : 1;
}

/* Uniform in [0, 1). */
static inline double random_unit(uint64_t *state) {
    return (double)(next_word(state) >> 11) * 0x1p-53;
}

/* Uniform in [-1, 1). */
static inline double random_one(uint64_t *state) {
    return (double)(next_word(state) >> 11) * 0x1p-52 - 1.0;
}

/* From the normal distribution, by two uniform numbers. */
#define random_normal(state)                                                                       \
    (sqrt(-2 * log(1 - random_unit(state))) * cos(6.283185307179586 * random_unit(state)))

/* ---- memory ---- */

/* Counts blocks; refuses the fail_at-th (from 1), never when 0, and with for_good all that are
 * asked for later. */
typedef struct counting {
    long made, live, fail_at;
    int for_good;
} counting;

static inline void *counting_alloc(void *user, size_t size) {
    counting *c = user;
    c->made++;
    if (c->fail_at && (c->for_good ? c->made >= c->fail_at : c->made == c->fail_at)) return NULL;
    void *block = malloc(size);
    if (block) c->live++;
    return block;
}

static inline void counting_release(void *user, void *block) {
    counting *c = user;
    if (block) c->live--;
    free(block);
}

/* A context whose fail_at-th allocation fails; NULL when that is its own. */
static inline hol_context *failing_context(counting *c, long fail_at) {
    const hol_allocator allocator = {counting_alloc, counting_release, c};
    *c = (counting){.fail_at = fail_at};
    return hol_context_new_with(&allocator);
}

/* A context that counts. */
static inline hol_context *counting_context(counting *c) {
    return failing_context(c, 0);
}

/* ---- messages and parts ---- */

/* Whether some message has the words. */
static inline int said(const hol_context *ctx, const char *words) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (strstr(hol_message_get(ctx, i)->text, words)) return 1;
    return 0;
}

/* Whether the library was built with that part. */
static inline int built_with(const char *name) {
    const hol_feature *part;
    for (int i = 0; (part = hol_feature_get(i)); i++)
        if (strcmp(part->name, name) == 0) return part->built;
    return 0;
}

/* Whether this build can read model files. */
static inline int reads_yaml(void) {
    return built_with("fyaml");
}

/* Say that all tests of a program are skipped, because they read model files; its exit status. */
static inline int skip_models(void) {
    puts("1..0 # SKIP built without libfyaml: there are no model files");
    return 0;
}

/* The end of a main whose tests all read model files. */
#define run_tests_of_models(name, tests)                                                           \
    (reads_yaml() ? cmocka_run_group_tests_name(name, tests, NULL, NULL) : skip_models())

#endif
