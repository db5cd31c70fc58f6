/* arena.c: a list of blocks, filled from the front; a request that does not fit opens a new block,
 * twice as large as the last one up to a limit: blocks are cleared, and most arenas stay small (a
 * law or a name that is read has one of its own). */
#include "base/arena.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SIZE = 512, BLOCK_SIZE = 16384 };

typedef struct hol__arena_block {
    struct hol__arena_block *next;
    size_t used, size;
    max_align_t data[];
} hol__arena_block;

void hol__arena_init(hol__arena *arena, hol_context *ctx) {
    *arena = (hol__arena){.ctx = ctx};
}

void hol__arena_free(hol__arena *arena) {
    for (hol__arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        hol__release(arena->ctx, block);
    }
    arena->blocks = NULL;
}

/* A block with room for size bytes at the head of the list; NULL without memory. */
static hol__arena_block *block_with_room(hol__arena *arena, size_t size) {
    hol__arena_block *block = arena->blocks;
    if (block && block->size - block->used >= size) return block;
    size_t room = block ? 2 * block->size : FIRST_SIZE;
    if (room > BLOCK_SIZE) room = BLOCK_SIZE;
    if (room < size) room = size;
    block = hol__alloc(arena->ctx, 1, sizeof *block + room);
    if (!block) return NULL;
    *block = (hol__arena_block){.next = arena->blocks, .size = room};
    arena->blocks = block;
    return block;
}

void *hol__arena_alloc(hol__arena *arena, size_t count, size_t size) {
    const size_t align = sizeof(max_align_t);
    if (size && count > (SIZE_MAX - align) / size) {
        hol__report(arena->ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                    "out of memory (%zu items of %zu bytes)", count, size);
        arena->failed = 1;
        return NULL;
    }
    const size_t total = (count * size + align - 1) / align * align;
    hol__arena_block *block = block_with_room(arena, total ? total : align);
    if (!block) {
        arena->failed = 1;
        return NULL;
    }
    void *at = (char *)block->data + block->used;
    block->used += total ? total : align;
    return at;
}

char *hol__arena_text_n(hol__arena *arena, const char *text, size_t n) {
    char *copy = hol__arena_alloc(arena, n + 1, 1);
    return copy ? memcpy(copy, text, n) : NULL;
}

char *hol__arena_text(hol__arena *arena, const char *text) {
    return hol__arena_text_n(arena, text, strlen(text));
}

char *hol__arena_format(hol__arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = hol__vprint(NULL, 0, format, args);
    va_end(args);
    char *text = n < 0 ? NULL : hol__arena_alloc(arena, (size_t)n + 1, 1);
    if (text) hol__vprint(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

void *hol__arena_grow(hol__arena *arena, void *array, size_t size, int count, int *capacity,
                      int need) {
    if (need <= *capacity) return array;
    const int room = need > 2 * *capacity ? need : 2 * *capacity;
    void *grown = hol__arena_alloc(arena, (size_t)room, size);
    if (!grown) return NULL;
    if (count) memcpy(grown, array, (size_t)count * size);
    *capacity = room;
    return grown;
}

/* The room of an array that is appended to, by what it holds: a power of two. */
static int room_of(int count) {
    int room = count ? 4 : 0;
    while (room < count) room *= 2;
    return room;
}

void *hol__arena_append(hol__arena *arena, void *array, size_t size, int count, int n) {
    int room = room_of(count);
    if (n > INT_MAX / 4 - count) {
        arena->failed = 1;
        return NULL;
    }
    const int wanted = room_of(count + n);
    return hol__arena_grow(arena, array, size, count, &room, wanted);
}
