/* tree.h: helpers for tests of descriptions: a fixture with an empty description, and comparing
 * trees. */
#ifndef HOL_TESTS_TREE_H
#define HOL_TESTS_TREE_H

#include "common.h"
#include "model/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether two trees have the same kinds, keys and texts in the same order; strict: the same quotes
 * too. */
static inline int same_tree(const hol__node *a, const hol__node *b, int strict) {
    if (a->kind != b->kind || a->count != b->count || !a->key != !b->key) return 0;
    if (a->key && strcmp(a->key, b->key) != 0) return 0;
    if (a->kind == HOL__SCALAR &&
        (strcmp(a->text, b->text) != 0 || (strict && a->quoted != b->quoted)))
        return 0;
    const hol__node *p = a->first, *q = b->first;
    for (; p && q; p = p->next, q = q->next)
        if (p->parent != a || q->parent != b || !same_tree(p, q, strict)) return 0;
    return !p && !q;
}

/* The node at a path of keys and indices with dots between, or NULL. */
static inline hol__node *node_at(const hol_spec *spec, const char *path) {
    char copy[256];
    hol__node *node = spec->root;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *part = strtok(copy, "."); part && node; part = strtok(NULL, "."))
        node = node->kind == HOL__LIST ? hol__node_at(node, atoi(part)) : hol__node_get(node, part);
    return node;
}

/* Its text, or NULL. */
static inline const char *text_at(const hol_spec *spec, const char *path) {
    const hol__node *node = node_at(spec, path);
    return node ? node->text : NULL;
}
/* An empty description and its context. */
typedef struct fixture {
    hol_context *ctx;
    hol_spec *spec;
} fixture;

static inline int setup(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->ctx = hol_context_new();
    f->spec = hol_spec_new(f->ctx);
    *state = f;
    return 0;
}

static inline int teardown(void **state) {
    fixture *f = *state;
    hol_spec_free(f->spec);
    hol_context_free(f->ctx);
    free(f);
    return 0;
}

#endif
