/* zip.h: several files as one archive. */
#ifndef HOL_FMU_ZIP_H
#define HOL_FMU_ZIP_H

#include "base/context.h"

/* A file of the archive. */
typedef struct hol__zipped {
    const char *name;
    const void *data;
    size_t size;
} hol__zipped;

/* The bytes of an archive of n files, to be released; the same for the same files. Errors are
 * reported. */
hol_status hol__zip_files(hol_context *ctx, int n, const hol__zipped *files, void **out,
                          size_t *size);

#endif
