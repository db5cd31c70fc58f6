/* output.c: files that a program writes itself, in the way of the library. */
#include "base/argument.h"
#include "io/out_file.h"

#include <holonom/result.h>

hol_status hol_output_check(hol_context *ctx, const char *path) {
    hol__out_file out;
    if (!ctx || hol__need(ctx, "hol_output_check", "the path", path)) return HOL_ERR_ARGUMENT;
    const hol_status status = hol__out_open(ctx, path, 1, &out);
    if (!status) hol__out_drop(&out);
    return status;
}

hol_status hol_output_write(hol_context *ctx, const char *path, const void *data, size_t n) {
    static const char call[] = "hol_output_write";
    const hol__piece piece = {data, n};
    if (!ctx || hol__need(ctx, call, "the path", path) ||
        hol__need(ctx, call, "the data", n ? data : call))
        return HOL_ERR_ARGUMENT;
    return hol__out_write(ctx, path, &piece, 1);
}
