/* pool.c: memory that is used again. See pool.h.
 *
 * Blocks come in classes of size, four to each power of two, so that at most a fifth of one is
 * lost; each class has a list of those that are free. A block is never split or joined.
 */
#include "base/pool.h"

#include <stddef.h>
#include <stdint.h>

/* The first class has 64 bytes; beyond the last there are no blocks. */
enum { SMALLEST = 64, CLASSES = 4 * 40 };

/* In front of a block. */
typedef struct head {
    _Alignas(max_align_t) struct head *older; /* of all blocks */
    struct head *next;                        /* of those that are free */
    int class;
} head;

struct hol__pool {
    hol_context *ctx;
    head *newest, *free[CLASSES];
};

/* The class of a size, and the size of a class: 4, 5, 6, 7 quarters of a power of two. CLASSES: the
 * size is beyond all of them, or a quarter of the address space. */
static int class_of(size_t size, size_t *room) {
    size_t quarter = SMALLEST / 4;
    int class = 0;
    if (size > SIZE_MAX / 4) return CLASSES;
    while (class < CLASSES && 8 * quarter <= size) quarter *= 2, class += 4;
    if (class >= CLASSES) return CLASSES;
    size_t most = 4 * quarter;
    while (most < size) most += quarter, class ++;
    *room = most;
    return class;
}

static void *take(void *user, size_t size) {
    hol__pool *pool = user;
    size_t room;
    const int class = class_of(size, &room);
    if (class >= CLASSES) return NULL;
    head *h = pool->free[class];
    if (h)
        pool->free[class] = h->next;
    else {
        h = hol__alloc(pool->ctx, 1, sizeof *h + room);
        if (!h) return NULL;
        *h = (head){.older = pool->newest, .class = class};
        pool->newest = h;
    }
    return h + 1;
}

static void give_back(void *user, void *block) {
    hol__pool *pool = user;
    if (!block) return;
    head *h = (head *)block - 1;
    h->next = pool->free[h->class];
    pool->free[h->class] = h;
}

hol__pool *hol__pool_new(hol_context *ctx) {
    hol__pool *pool = hol__alloc(ctx, 1, sizeof *pool);
    if (pool) pool->ctx = ctx;
    return pool;
}

void hol__pool_free(hol__pool *pool) {
    if (!pool) return;
    for (head *h = pool->newest, *older; h; h = older) {
        older = h->older;
        hol__release(pool->ctx, h);
    }
    hol__release(pool->ctx, pool);
}

hol_context *hol__pool_context(hol__pool *pool) {
    return hol_context_new_with(&(hol_allocator){take, give_back, pool});
}
