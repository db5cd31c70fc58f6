/* zip_without_zip.c: stands in for archives where the library was built without libzip. */
#include "fmu/zip.h"

hol_status hol__zip_files(hol_context *ctx, int n, const hol__zipped *files, void **out,
                          size_t *size) {
    (void)n, (void)files, (void)out, (void)size;
    return hol__report(ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                       "an FMU is a zip archive, and this build has no libzip (libzip-dev)");
}
