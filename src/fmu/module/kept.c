/* kept.c: states of instances that the importer holds, and as bytes of its own. */
#include "fmu/module/kept.h"

#include "base/context.h"
#include "fmu/module/instance.h"

#include <stdint.h>
#include <string.h>

typedef struct kept {
    size_t size;
    unsigned char bytes[];
} kept;

static hol_status missing(const hol__fmu *c, const char *call, const void *a, const void *b) {
    const hol_status status = fmu_need(c, call, 1, a);
    return status ? status : fmu_need(c, call, 1, b);
}

hol_status fmu_keep(hol__fmu *c, const char *call, void **out) {
    if (missing(c, call, out, out)) return HOL_ERR_ARGUMENT;
    const size_t size = hol__fmu_state_size(c);
    kept *k = hol__alloc(c->ctx, 1, sizeof *k + size);
    if (!k) return HOL_ERR_MEMORY;
    k->size = size;
    const hol_status status = hol__fmu_state_save(c, k->bytes, size);
    hol__release(c->ctx, status ? k : *out);
    if (!status) *out = k;
    return status;
}

hol_status fmu_bring_back(hol__fmu *c, const char *call, const void *state) {
    const kept *k = state;
    if (missing(c, call, state, state)) return HOL_ERR_ARGUMENT;
    return hol__fmu_state_load(c, k->bytes, k->size);
}

void fmu_let_go(hol__fmu *c, void **state) {
    if (!state) return;
    hol__release(c->ctx, *state);
    *state = NULL;
}

hol_status fmu_kept_size(const hol__fmu *c, const char *call, const void *state, size_t *size) {
    if (missing(c, call, state, size)) return HOL_ERR_ARGUMENT;
    *size = ((const kept *)state)->size;
    return HOL_OK;
}

hol_status fmu_kept_write(const hol__fmu *c, const char *call, const void *state, void *bytes,
                          size_t size) {
    const kept *k = state;
    if (missing(c, call, state, bytes)) return HOL_ERR_ARGUMENT;
    if (size < k->size)
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the state takes %zu bytes and there is room for %zu", k->size, size);
    memcpy(bytes, k->bytes, k->size);
    return HOL_OK;
}

hol_status fmu_kept_read(hol__fmu *c, const char *call, const void *bytes, size_t size,
                         void **out) {
    if (missing(c, call, bytes, out)) return HOL_ERR_ARGUMENT;
    kept *k = size < SIZE_MAX - sizeof *k ? hol__alloc(c->ctx, 1, sizeof *k + size) : NULL;
    if (!k) return HOL_ERR_MEMORY;
    k->size = size;
    memcpy(k->bytes, bytes, size);
    hol__release(c->ctx, *out);
    *out = k;
    return HOL_OK;
}
