/* text.c: a growing text, and a hash. */
#include "base/text.h"

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
    if (n) memcpy(text->data + text->length, data, n); /* nothing may come from nowhere */
    text->length += n;
    text->data[text->length] = '\0';
}

void hol__text_add(hol__text *text, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = hol__vprint(NULL, 0, format, args);
    va_end(args);
    if (n >= 0 && reserve(text, (size_t)n)) {
        hol__vprint(text->data + text->length, (size_t)n + 1, format, again);
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

void hol__text_sink(void *text, const char *data, size_t n) {
    hol__text_add_n(text, data, n);
}

unsigned long long hol__hash_numbers(unsigned long long h, const double *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned long long bits;
        memcpy(&bits, x + i, sizeof bits);
        h = (h ^ bits) * 1099511628211ULL;
        h ^= h >> 32;
    }
    return h;
}

unsigned long long hol__hash(unsigned long long h, const void *data, size_t n) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < n; i++) h = (h ^ bytes[i]) * 1099511628211ULL;
    return h;
}
