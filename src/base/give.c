/* give.c: filling structs that may grow. See give.h. */
#include "base/argument.h"
#include "base/give.h"

#include <string.h>

hol_status hol__give(hol_context *ctx, const char *call, const void *full, size_t known,
                     void *out) {
    size_t size;
    if (hol__need(ctx, call, "the struct to fill", out)) return HOL_ERR_ARGUMENT;
    memcpy(&size, out, sizeof size);
    if (size <= sizeof size)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, call,
                           "the struct to fill has size %zu; set out->size = sizeof *out before "
                           "the call",
                           size);
    const size_t n = size < known ? size : known;
    memcpy((char *)out + sizeof size, (const char *)full + sizeof size, n - sizeof size);
    return HOL_OK;
}
