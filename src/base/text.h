/* text.h: a growing text, and a hash. */
#ifndef HOL_BASE_TEXT_H
#define HOL_BASE_TEXT_H

#include "base/context.h"
#include "common/nearest.h"

/* A text that grows; failed stays set once memory ran out, and further additions do nothing. */
typedef struct hol__text {
    hol_context *ctx;
    char *data;
    size_t length, size;
    int failed;
} hol__text;

void hol__text_init(hol__text *text, hol_context *ctx);
void hol__text_free(hol__text *text);
void hol__text_add(hol__text *text, const char *format, ...) HOL__PRINTF(2, 3);
void hol__text_add_n(hol__text *text, const char *data, size_t n);

/* Hand the text over to the caller (hol__release); NULL when memory ran out. */
char *hol__text_take(hol__text *text);

/* hol__text_add_n as a hol__json_sink. */
void hol__text_sink(void *text, const char *data, size_t n);

/* FNV-1a over n bytes, continuing from h (start with HOL__HASH_START). */
#define HOL__HASH_START 14695981039346656037ULL
unsigned long long hol__hash(unsigned long long h, const void *data, size_t n);

/* The same for numbers, eight bytes at a time: every bit of one changes the sum. Its high bits are
 * folded down, since products carry upwards only. */
unsigned long long hol__hash_numbers(unsigned long long h, const double *x, size_t n);

#endif
