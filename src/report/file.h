/* file.h: whole files written at once. */
#ifndef HOL_REPORT_FILE_H
#define HOL_REPORT_FILE_H

#include "base/context.h"

typedef struct hol__piece {
    const void *data;
    size_t size;
} hol__piece;

/* Write the pieces one after another; a file that could not be written whole is taken away, and the
 * error reported. */
hol_status hol__file_write(hol_context *ctx, const char *path, const hol__piece *pieces, int n);

/* Whether a path ends with the extension, in any case of letters. */
int hol__has_extension(const char *path, const char *extension);

#endif
