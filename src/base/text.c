/* text.c: a growing text, edit distance for suggestions, and a hash. */
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void hol__text_init(hol__text *text, hol_context *ctx) {
    *text = (hol__text){.ctx = ctx};
}

void hol__text_free(hol__text *text) {
    hol__release(text->ctx, text->data);
    text->data = NULL;
    text->length = text->size = 0;
}

/* Room for n more characters and the terminator. */
static int reserve(hol__text *text, size_t n) {
    if (text->failed) return 0;
    if (text->length + n + 1 <= text->size) return 1;
    const size_t size = 2 * (text->length + n + 1) + 64;
    char *data = hol__alloc(text->ctx, size, 1);
    if (!data) {
        text->failed = 1;
        return 0;
    }
    if (text->length) memcpy(data, text->data, text->length);
    hol__release(text->ctx, text->data);
    text->data = data;
    text->size = size;
    return 1;
}

void hol__text_add_n(hol__text *text, const char *data, size_t n) {
    if (!reserve(text, n)) return;
    memcpy(text->data + text->length, data, n);
    text->length += n;
    text->data[text->length] = '\0';
}

void hol__text_add(hol__text *text, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && reserve(text, (size_t)n)) {
        vsnprintf(text->data + text->length, (size_t)n + 1, format, again);
        text->length += (size_t)n;
    }
    va_end(again);
}

char *hol__text_take(hol__text *text) {
    if (!text->data) hol__text_add_n(text, "", 0);
    char *data = text->failed ? NULL : text->data;
    if (!data) hol__release(text->ctx, text->data);
    text->data = NULL;
    text->length = text->size = 0;
    return data;
}

void hol__text_json(hol__text *text, const char *s) {
    hol__text_add_n(text, "\"", 1);
    for (; *s; s++) {
        const unsigned char ch = (unsigned char)*s;
        if (ch == '"' || ch == '\\')
            hol__text_add(text, "\\%c", ch);
        else if (ch < 0x20)
            hol__text_add(text, "\\u%04x", ch);
        else
            hol__text_add_n(text, s, 1);
    }
    hol__text_add_n(text, "\"", 1);
}

enum { LONGEST_WORD = 63 };

static int lower(char ch) {
    return tolower((unsigned char)ch);
}

/* The number of insertions, deletions, replacements and swaps of neighbours between a and b, case ignored. */
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
            int best = above[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            if (above[j] + 1 < best) best = above[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]) && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return rows[m % 3][n];
}

const char *hol__nearest(const char *word, const char *(*name)(const void *list, int i),
                         const void *list) {
    const char *best = NULL;
    int least = (int)strlen(word) / 3 + 2;
    for (int i = 0;; i++) {
        const char *candidate = name(list, i);
        if (!candidate) return best;
        const int distance = edit_distance(word, candidate);
        if (distance < least && distance < (int)strlen(candidate)) {
            least = distance;
            best = candidate;
        }
    }
}

const char *hol__did_you_mean(const char *near, char *buf, size_t size) {
    if (near)
        snprintf(buf, size, "; did you mean '%s'?", near);
    else
        buf[0] = '\0';
    return buf;
}

unsigned long long hol__hash(unsigned long long h, const void *data, size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; i++) h = (h ^ bytes[i]) * 1099511628211ULL;
    return h;
}
