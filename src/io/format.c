/* format.c: the table of formats. */
#include "io/format.h"

#include "base/text.h"
#include "common/ascii.h"

#include <string.h>

static const hol__format *const formats[] = {&hol__hdf5_format, &hol__csv_format};

enum { N_FORMATS = sizeof formats / sizeof *formats };

/* Whether path ends with the extension, in any case of letters, after at least one more
 * character. */
static int ends_with(const char *path, const char *extension) {
    const size_t n = strlen(path), m = strlen(extension);
    if (n <= m || path[n - m - 1] == '/') return 0;
    for (size_t i = 0; i < m; i++)
        if (hol__lower(path[n - m + i]) != extension[i]) return 0;
    return 1;
}

const hol__format *hol__format_of(hol_context *ctx, const char *path) {
    for (int i = 0; i < N_FORMATS; i++)
        if (ends_with(path, formats[i]->extension)) return formats[i];
    hol__text list;
    hol__text_init(&list, ctx);
    for (int i = 0; i < N_FORMATS; i++)
        hol__text_add(&list, "%s%s (%s)", i ? " or " : "", formats[i]->extension,
                      formats[i]->title);
    const hol_location where = {path, 0, 0};
    hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL, "unknown extension: use %s%s",
                list.data ? list.data : "",
                ends_with(path, ".yaml") || ends_with(path, ".yml")
                    ? "; a model file holds no results: run it first"
                    : "");
    hol__text_free(&list);
    return NULL;
}
