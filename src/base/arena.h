/* arena.h: many small allocations that are released together.
 *
 * An object that is built in pieces (a description, a model) keeps its pieces in an arena; freeing
 * the arena frees the object, half built or whole, so constructors need no ladders.
 */
#ifndef HOL_BASE_ARENA_H
#define HOL_BASE_ARENA_H

#include "base/context.h"

typedef struct hol__arena {
    hol_context *ctx;
    struct hol__arena_block *blocks;
    int failed; /* an allocation failed; stays set */
} hol__arena;

void hol__arena_init(hol__arena *arena, hol_context *ctx);
void hol__arena_free(hol__arena *arena);

/* count * size bytes set to zero, aligned for any type; NULL without memory. */
void *hol__arena_alloc(hol__arena *arena, size_t count, size_t size);

/* Copies of a text, and of its first n characters. */
char *hol__arena_text(hol__arena *arena, const char *text);
char *hol__arena_text_n(hol__arena *arena, const char *text, size_t n);

/* A formatted text. */
char *hol__arena_format(hol__arena *arena, const char *format, ...) HOL__PRINTF(2, 3);

/* Room for n more items behind the count of an array that has grown by this call alone: its room
 * follows from the count, so that nobody keeps it. Returns the array, NULL without memory. */
void *hol__arena_append(hol__arena *arena, void *array, size_t size, int count, int n);

/* Grow an array in the arena to hold at least need items: returns the new array (old one copied,
 * the rest zero) and updates *capacity; the old array stays in the arena. NULL without memory. */
void *hol__arena_grow(hol__arena *arena, void *array, size_t size, int count, int *capacity,
                      int need);

#define HOL__NEW(arena, type) ((type *)hol__arena_alloc((arena), 1, sizeof(type)))
#define HOL__NEW_N(arena, type, n) ((type *)hol__arena_alloc((arena), (size_t)(n), sizeof(type)))

#endif
