/* link.h: sets that are joined one by one (union and find): link[i] is a member of the set of i
 * that is nearer to its root, the smallest member, which is linked to itself. */
#ifndef HOL_LA_LINK_H
#define HOL_LA_LINK_H

/* The root of the set of i; the way to it becomes shorter. */
static inline int hol__link_root(int *link, int i) {
    while (link[i] != i) i = link[i] = link[link[i]];
    return i;
}

/* The sets of i and j become one. */
static inline void hol__link_join(int *link, int i, int j) {
    const int a = hol__link_root(link, i), b = hol__link_root(link, j);
    link[a > b ? a : b] = a < b ? a : b;
}

#endif
