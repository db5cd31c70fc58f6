/* output.c: files that a program writes itself, in the way of the library. */
#include "io/out_file.h"

#include <holonom/result.h>

hol_status hol_output_check(hol_context *ctx, const char *path) {
    hol__out_file out;
    const hol_status status = hol__out_open(ctx, path, 1, &out);
    if (!status) hol__out_drop(&out);
    return status;
}

hol_status hol_output_write(hol_context *ctx, const char *path, const void *data, size_t n) {
    const hol__piece piece = {data, n};
    return hol__out_write(ctx, path, &piece, 1);
}
