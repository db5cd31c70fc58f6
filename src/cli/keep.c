/* keep.c: texts and arrays that are released together. See keep.h. */
#include "cli/keep.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *cli_keep_new(cli_keep *keep, size_t size) {
    if (keep->n == keep->capacity) {
        const int capacity = 2 * keep->capacity + 64;
        void **grown = realloc(keep->blocks, (size_t)capacity * sizeof *grown);
        if (!grown) return NULL;
        keep->blocks = grown;
        keep->capacity = capacity;
    }
    void *block = calloc(1, size ? size : 1);
    if (block) keep->blocks[keep->n++] = block;
    return block;
}

char *cli_keep_text(cli_keep *keep, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    char *text = n < 0 ? NULL : cli_keep_new(keep, (size_t)n + 1);
    if (text) vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

int cli_keep_append(cli_keep *keep, cli_grown *text, const char *from, size_t n) {
    if (text->n + n >= text->capacity) {
        const size_t wanted = 2 * (text->n + n) + 32;
        char *grown = cli_keep_new(keep, wanted);
        if (!grown) return 0;
        if (text->n) memcpy(grown, text->data, text->n);
        text->data = grown;
        text->capacity = wanted;
    }
    if (n) memcpy(text->data + text->n, from, n);
    text->n += n;
    text->data[text->n] = '\0';
    return 1;
}

void *cli_keep_room(cli_keep *keep, void *array, size_t size, int n, int *capacity) {
    if (n < *capacity) return array;
    const int wanted = 2 * n + 8;
    void *grown = cli_keep_new(keep, (size_t)wanted * size);
    if (!grown) return NULL;
    if (array && n) memcpy(grown, array, (size_t)n * size);
    *capacity = wanted;
    return grown;
}

void cli_keep_free(cli_keep *keep) {
    for (int i = 0; i < keep->n; i++) free(keep->blocks[i]);
    free(keep->blocks);
    *keep = (cli_keep){0};
}
