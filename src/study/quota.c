/* quota.c: a context whose memory has a limit. See quota.h. */
#include "study/quota.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct hol__quota {
    hol_context *ctx;
    double used, most;
};

/* In front of a block. */
typedef struct head {
    _Alignas(max_align_t) size_t size;
} head;

static void *take(void *user, size_t size) {
    hol__quota *quota = user;
    if (size > SIZE_MAX - sizeof(head)) return NULL;
    if (quota->most > 0 && quota->used + (double)size > quota->most) return NULL;
    head *h = malloc(sizeof *h + size);
    if (!h) return NULL;
    h->size = size;
    quota->used += (double)size;
    return h + 1;
}

static void give_back(void *user, void *block) {
    hol__quota *quota = user;
    if (!block) return;
    head *h = (head *)block - 1;
    quota->used -= (double)h->size;
    free(h);
}

hol__quota *hol__quota_new(double bytes) {
    hol__quota *quota = calloc(1, sizeof *quota);
    if (!quota) return NULL;
    const hol_allocator allocator = {take, give_back, quota};
    quota->most = bytes;
    quota->ctx = hol_context_new_with(&allocator);
    if (quota->ctx) return quota;
    free(quota);
    return NULL;
}

void hol__quota_free(hol__quota *quota) {
    if (!quota) return;
    hol_context_free(quota->ctx);
    free(quota);
}

hol_context *hol__quota_context(hol__quota *quota) {
    return quota->ctx;
}
