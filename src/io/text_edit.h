/* text_edit.h: changes within a text at places by line and column. */
#ifndef HOL_IO_TEXT_EDIT_H
#define HOL_IO_TEXT_EDIT_H

#include "base/arena.h"
#include "base/text.h"

/* Replace `length` bytes from `at` on. */
typedef struct hol__edit {
    size_t at, length;
    const char *text;
    int order; /* of edits at one place */
} hol__edit;

typedef struct hol__edits {
    hol__arena *arena;
    const char *text; /* before all edits */
    hol__edit *list;
    int n, capacity;
} hol__edits;

/* The byte at a line and column, both from 1, columns in characters; the end of the text where
 * there is no such place. */
size_t hol__text_offset(const char *text, int line, int column);

/* One more edit, which overlaps with no other; 0 without memory. */
int hol__edits_add(hol__edits *edits, size_t at, size_t length, const char *text);

/* The text after all of them. */
void hol__edits_apply(hol__edits *edits, hol__text *out);

#endif
