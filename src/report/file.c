/* file.c: whole files written at once. */
#include "report/file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

hol_status hol__file_write(hol_context *ctx, const char *path, const hol__piece *pieces, int n) {
    const hol_location where = {path, 0, 0};
    errno = 0;
    FILE *file = fopen(path, "wb");
    int good = file != NULL;
    for (int i = 0; good && i < n; i++)
        good = pieces[i].size == 0 ||
               fwrite(pieces[i].data, 1, pieces[i].size, file) == pieces[i].size;
    int reason = errno;
    if (file && fclose(file) != 0 && good) good = 0, reason = errno;
    if (good) return HOL_OK;
    if (file) remove(path);
    return hol__report(ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "cannot write '%s': %s", path,
                       reason ? strerror(reason) : "the disk did not take it");
}

int hol__has_extension(const char *path, const char *extension) {
    const size_t n = strlen(path), m = strlen(extension);
    if (n <= m) return 0;
    for (size_t i = 0; i < m; i++)
        if (tolower((unsigned char)path[n - m + i]) != extension[i]) return 0;
    return 1;
}
