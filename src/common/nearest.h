/* nearest.h: the nearest of several names to a mistyped word ("did you mean …"). */
#ifndef HOL_COMMON_NEAREST_H
#define HOL_COMMON_NEAREST_H

#include <stddef.h>

/* The best name so far; NULL while none is near enough to suggest. */
typedef struct hol__near {
    const char *word;
    const char *best;
    int distance;
    int place; /* among the words for it; 0: it is the word itself, or near */
} hol__near;

hol__near hol__near_start(const char *word);
void hol__near_try(hol__near *near, const char *name);

/* The nearest of the names, or NULL. Names come from name(list, i), which returns NULL past the
 * end. */
const char *hol__nearest(const char *word, const char *(*name)(const void *list, int i),
                         const void *list);

/* "; did you mean 'x'?" into buf (empty when near is NULL). Returns buf. */
const char *hol__did_you_mean(const char *near, char *buf, size_t size);

/* "a" or "an" in front of a name: a universal joint, an energy measure. */
const char *hol__article(const char *name);

#endif
