/* tree.h: helpers for tests of descriptions: comparing trees and messages. */
#ifndef HOL_TESTS_TREE_H
#define HOL_TESTS_TREE_H

#include "model/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether two trees have the same kinds, keys and texts in the same order; strict: the same quotes too. */
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

/* Whether some message has the words. */
static inline int said(const hol_context *ctx, const char *words) {
    for (int i = 0; i < hol_message_count(ctx); i++)
        if (strstr(hol_message_get(ctx, i)->text, words)) return 1;
    return 0;
}

/* An allocator that counts, and fails once. */
typedef struct counting {
    long count, fail_at, live;
} counting;

static inline void *counting_alloc(void *user, size_t size) {
    counting *c = user;
    if (++c->count == c->fail_at) return NULL;
    c->live++;
    return malloc(size);
}

static inline void counting_release(void *user, void *block) {
    counting *c = user;
    if (block) c->live--;
    free(block);
}

#endif
