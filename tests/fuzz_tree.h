/* fuzz_tree.h: changes of the trees of YAML files, for fuzzers that begin with whole ones. */
#ifndef HOL_TESTS_FUZZ_TREE_H
#define HOL_TESTS_FUZZ_TREE_H

#include "fuzz_tape.h"
#include "model/node.h"

#include <stdlib.h>

enum { TREE_DEPTH = 24 }; /* of what is copied */

/* Node number *n in the order of the text; counts *n down. */
static inline hol__node *node_number(hol__node *from, int *n) {
    for (hol__node *child = from->first; child; child = child->next) {
        if ((*n)-- == 0) return child;
        hol__node *found = node_number(child, n);
        if (found) return found;
    }
    return NULL;
}

static inline int count_nodes(const hol__node *from) {
    int n = 0;
    for (const hol__node *child = from->first; child; child = child->next)
        n += 1 + count_nodes(child);
    return n;
}

static inline hol__node *any_node(tape *t, const hol_spec *spec) {
    int n = tape_below(t, count_nodes(spec->root));
    return node_number(spec->root, &n);
}

/* Put a copy of a tree under a parent. */
static inline void graft(hol_spec *spec, hol__node *parent, const char *key, const hol__node *from,
                         int depth) {
    hol__node *node = from->kind == HOL__SCALAR
                          ? hol__node_add_scalar(spec, parent, key, from->text)
                          : hol__node_add(spec, parent, key, from->kind);
    if (!node) abort();
    for (const hol__node *child = from->first; child && depth < TREE_DEPTH; child = child->next)
        graft(spec, node, node->kind == HOL__MAP ? child->key : NULL, child, depth + 1);
}

/* One change of a node. The kinds: 0 it goes; 1 another value; 2 a part of another tree in its
 * place; 3 once more, under another name; 4 a value of another place. */
static inline void tree_edit(tape *t, hol_spec *spec, hol__node *node, const hol_spec *other,
                             int kind, int n_values, const char *const *values) {
    const char *key = node->parent->kind == HOL__MAP ? node->key : NULL;
    const hol__node *from = kind == 2 ? any_node(t, other) : kind == 4 ? any_node(t, spec) : NULL;
    switch (kind) {
    case 0: hol__node_remove(node); break;
    case 1:
        if (node->kind == HOL__SCALAR) node->text = values[tape_below(t, n_values)];
        break;
    case 2:
        if (!from) break;
        graft(spec, node->parent, key, from, 0);
        hol__node_remove(node);
        break;
    case 3:
        graft(spec, node->parent,
              key ? hol__arena_format(&spec->arena, "%s_%d", key, tape_below(t, 3)) : NULL, node,
              0);
        break;
    default:
        if (from && node->kind == HOL__SCALAR && from->kind == HOL__SCALAR) node->text = from->text;
    }
}

#endif
