/* nearest.c: edit distance, for suggestions. */
#include "common/nearest.h"
#include "common/synonyms.h"
#include "common/ascii.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST_WORD = 63 };

/* The number of insertions, deletions, replacements and swaps of neighbours between a and b,
 * whatever the case of their letters. */
static int edit_distance(const char *a, const char *b) {
    const int m = (int)strlen(a), n = (int)strlen(b);
    int rows[3][LONGEST_WORD + 1];
    if (m > LONGEST_WORD || n > LONGEST_WORD) return LONGEST_WORD;
    for (int j = 0; j <= n; j++) rows[0][j] = j;
    for (int i = 1; i <= m; i++) {
        int *now = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = above[j - 1] + (hol__lower(a[i - 1]) != hol__lower(b[j - 1]));
            if (above[j] + 1 < best) best = above[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && hol__lower(a[i - 1]) == hol__lower(b[j - 2]) &&
                hol__lower(a[i - 2]) == hol__lower(b[j - 1]) && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[m % 3][n];
}

/* A third of the word may be wrong, but one letter always. */
hol__near hol__near_start(const char *word) {
    const int third = (int)strlen(word) / 3;
    return (hol__near){word, NULL, (third > 1 ? third : 1) + 1, 0};
}

void hol__near_try(hol__near *near, const char *name) {
    const size_t n = strlen(near->word);
    const int place = hol__is_synonym(near->word, name);
    int distance = place ? 0 : edit_distance(near->word, name);
    /* the beginning of a name is as near as one slip */
    if (n >= 2 && distance > 1 && strncmp(near->word, name, n) == 0) distance = 1;
    const int better =
        distance < near->distance || (distance == 0 && near->distance == 0 && place < near->place);
    if (!better || (distance && distance >= (int)strlen(name))) return;
    near->distance = distance;
    near->place = place;
    near->best = name;
}

const char *hol__nearest(const char *word, const char *(*name)(const void *list, int i),
                         const void *list) {
    hol__near near = hol__near_start(word);
    const char *candidate;
    for (int i = 0; (candidate = name(list, i)); i++) hol__near_try(&near, candidate);
    return near.best;
}

const char *hol__did_you_mean(const char *near, char *buf, size_t size) {
    if (near)
        snprintf(buf, size, "; did you mean '%s'?", near);
    else
        buf[0] = '\0';
    return buf;
}

const char *hol__article(const char *name) {
    return name[0] && strchr("aeio", name[0]) ? "an" : "a";
}
