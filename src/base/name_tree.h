/* name_tree.h: what belongs to a name, in time that grows with the length of the name alone.
 *
 * A file of a stranger may have a hundred thousand names, chosen to be slow to tell apart; a binary
 * tree over the bits in which names differ has no such choice, and no number that a hash would
 * begin with.
 */
#ifndef HOL_BASE_NAME_TREE_H
#define HOL_BASE_NAME_TREE_H

#include "base/arena.h"

#include <stdint.h>

typedef struct hol__name_tree {
    struct hol__name_node *root;
} hol__name_tree;

/* Keep a value, an index or an address, under a name, which is not copied; a name that has one
 * keeps it. 0 without memory. */
int hol__name_tree_add(hol__name_tree *tree, hol__arena *arena, const char *name, uintptr_t value);

/* The place of the value of a name, to be read or changed; NULL when the name was never added. */
uintptr_t *hol__name_tree_find(const hol__name_tree *tree, const char *name);

#endif
