/* node.c: the tree of a description.
 *
 * Children of a node form a singly linked list in the order of the file; a node belongs to one
 * parent. All memory is in the arena of the description, so nodes are never freed one by one.
 */
#include "model/node.h"

#include <string.h>

/* Maps with more children have a tree of their keys. */
enum { SEARCHED_IN_TURN = 16 };

/* Enter a child under its key, unless another has it; 0 without memory. */
static int enter_key(hol__node *map, hol__node *child) {
    uintptr_t *held = hol__name_tree_find(map->keys, child->key);
    if (held && !*held) *held = (uintptr_t)child;
    return held || hol__name_tree_add(map->keys, &map->spec->arena, child->key, (uintptr_t)child);
}

/* Enter the child that was appended last; without memory the map is searched in turn. */
static void enter_last(hol__node *map) {
    const int all = map->count == SEARCHED_IN_TURN + 1;
    int good = 1;
    if (all) map->keys = HOL__NEW(&map->spec->arena, hol__name_tree);
    if (!map->keys) return;
    for (hol__node *at = all ? map->first : map->last; good && at; at = at->next)
        good = enter_key(map, at);
    if (!good) map->keys = NULL;
}

/* A key whose child is taken out belongs to the next child that has it. */
static void leave_key(hol__node *map, const hol__node *child) {
    uintptr_t *held = map->keys ? hol__name_tree_find(map->keys, child->key) : NULL;
    if (!held || *held != (uintptr_t)child) return;
    hol__node *next = child->next;
    while (next && strcmp(next->key, child->key) != 0) next = next->next;
    *held = (uintptr_t)next;
}

void hol__node_append(hol__node *parent, hol__node *child) {
    child->parent = parent;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
    if (parent->kind == HOL__MAP) enter_last(parent);
}

hol__node *hol__node_add(hol_spec *spec, hol__node *parent, const char *key, hol__node_kind kind) {
    const char *own_key = key ? hol__arena_text(&spec->arena, key) : NULL;
    hol__node *node = HOL__NEW(&spec->arena, hol__node);
    if (!node || (key && !own_key)) return NULL;
    node->kind = kind;
    node->spec = spec;
    node->key = own_key;
    if (parent) hol__node_append(parent, node);
    return node;
}

hol__node *hol__node_add_scalar(hol_spec *spec, hol__node *parent, const char *key,
                                const char *text) {
    const char *own_text = hol__arena_text(&spec->arena, text);
    hol__node *node = own_text ? hol__node_add(spec, parent, key, HOL__SCALAR) : NULL;
    if (node) node->text = own_text;
    return node;
}

hol__node *hol__node_get(const hol__node *node, const char *key) {
    if (!node || node->kind != HOL__MAP) return NULL;
    if (node->keys) {
        const uintptr_t *child = hol__name_tree_find(node->keys, key);
        return child ? (hol__node *)*child : NULL;
    }
    for (hol__node *child = node->first; child; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

hol__node *hol__node_at(const hol__node *node, int i) {
    if (!node || i < 0 || i >= node->count) return NULL;
    hol__node *child = node->first;
    while (i-- > 0) child = child->next;
    return child;
}

void hol__node_share(hol__node *node, const hol__node *from) {
    node->kind = from->kind;
    node->where = from->where;
    node->key_at = from->key_at;
    node->text = from->text;
    node->quoted = from->quoted;
    node->first = from->first;
    node->last = from->last;
    node->count = from->count;
    node->keys = from->keys;
}

void hol__node_replace(hol__node *node, const hol__node *from) {
    hol__node_share(node, from);
    for (hol__node *child = node->first; child; child = child->next) child->parent = node;
}

void hol__node_remove(hol__node *child) {
    hol__node *parent = child->parent;
    if (!parent) return;
    leave_key(parent, child);
    hol__node *before = NULL;
    for (hol__node *at = parent->first; at != child; at = at->next) before = at;
    if (before)
        before->next = child->next;
    else
        parent->first = child->next;
    if (parent->last == child) parent->last = before;
    parent->count--;
    child->parent = child->next = NULL;
}

const char *hol__node_kind_name(const hol__node *node) {
    if (!node) return "nothing";
    switch (node->kind) {
    case HOL__MAP: return "a map";
    case HOL__LIST: return "a list";
    case HOL__SCALAR: return "a number or text";
    default: return "nothing";
    }
}
