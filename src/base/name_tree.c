/* name_tree.c: a tree over the bits in which names differ (a crit-bit tree, [Morrison 1968]).
 *
 * A fork says which bit of which byte decides between its two branches; forks on the way down have
 * bits further and further behind. A name is compared as a whole once, at the leaf.
 */
#include "base/name_tree.h"

#include <string.h>

typedef struct hol__name_node {
    const char *name;                /* of a leaf; NULL in a fork */
    uintptr_t value;                 /* of a leaf */
    struct hol__name_node *child[2]; /* of a fork */
    size_t byte;
    unsigned char bit; /* one bit of it is set */
} name_node;

/* Which way a name of that length goes at a fork: behind its end a name is zero. */
static int way_at(const name_node *fork, const char *name, size_t length) {
    return fork->byte < length && ((unsigned char)name[fork->byte] & fork->bit) != 0;
}

/* The only leaf that can be the name's. */
static name_node *leaf_for(const hol__name_tree *tree, const char *name, size_t length) {
    name_node *at = tree->root;
    while (at && !at->name) at = at->child[way_at(at, name, length)];
    return at;
}

uintptr_t *hol__name_tree_find(const hol__name_tree *tree, const char *name) {
    name_node *leaf = leaf_for(tree, name, strlen(name));
    return leaf && strcmp(leaf->name, name) == 0 ? &leaf->value : NULL;
}

/* The highest bit that is set. */
static unsigned char highest_bit(unsigned char byte) {
    unsigned char bit = 0x80;
    while (!(byte & bit)) bit >>= 1;
    return bit;
}

/* Put a fork, whose byte and bit are known, with the new leaf where the forks behind it begin. */
static void put_fork(hol__name_tree *tree, name_node *fork, name_node *leaf, size_t length) {
    name_node **place = &tree->root;
    while (!(*place)->name && ((*place)->byte < fork->byte ||
                               ((*place)->byte == fork->byte && (*place)->bit > fork->bit)))
        place = &(*place)->child[way_at(*place, leaf->name, length)];
    const int way = way_at(fork, leaf->name, length);
    fork->child[way] = leaf;
    fork->child[!way] = *place;
    *place = fork;
}

int hol__name_tree_add(hol__name_tree *tree, hol__arena *arena, const char *name, uintptr_t value) {
    const size_t length = strlen(name);
    const name_node *near = leaf_for(tree, name, length);
    size_t byte = 0;
    if (near) {
        while (near->name[byte] == name[byte] && name[byte]) byte++;
        if (near->name[byte] == name[byte]) return 1;
    }
    name_node *leaf = HOL__NEW(arena, name_node);
    name_node *fork = near ? HOL__NEW(arena, name_node) : NULL;
    if (!leaf || (near && !fork)) return 0;
    *leaf = (name_node){.name = name, .value = value};
    if (!near) {
        tree->root = leaf;
        return 1;
    }
    fork->byte = byte;
    fork->bit = highest_bit((unsigned char)(near->name[byte] ^ name[byte]));
    put_fork(tree, fork, leaf, length);
    return 1;
}
