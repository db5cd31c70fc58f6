/* input.c: files that the library reads.
 *
 * Invariants:
 * - every file is opened by hol__in_open: regular, without waiting;
 * - a file that a model names lies below a folder, symbolic links resolved: a model from a stranger
 *   reads what came with it, and nothing else;
 * - what was opened for a model is noted in the context, so that no output replaces it. Results
 *   are not: whoever looks at one may run again and write it anew.
 */
#define _XOPEN_SOURCE 700
#include "io/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

hol_status hol__input_fail(hol_context *ctx, const hol__input *input, const char *reason) {
    const hol_location where = {input->path, 0, 0};
    return hol__report(ctx, HOL_ERROR, HOL_ERR_IO, input->asked ? input->asked : &where, NULL,
                       "cannot read '%s': %s", input->path, reason);
}

/* Whether a resolved path lies below a resolved folder. */
static int is_below(const char *path, const char *folder) {
    const size_t n = strlen(folder);
    if (n == 1 && folder[0] == '/') return 1;
    return strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Report a file that the model may not read. */
static hol_status outside(hol_context *ctx, const hol__input *input) {
    if (!*input->below)
        return hol__error(ctx, input->asked, NULL,
                          "'%s' is not read: this model may not name other files", input->path);
    return hol__error(ctx, input->asked, NULL,
                      "'%s' lies outside of '%s', the folder below which this model reads files; "
                      "allow another one with --include-root",
                      input->path, input->below);
}

/* Open what the path leads to once its links are resolved. */
static hol_status open_below(hol_context *ctx, const hol__input *input, hol__in_file *file) {
    if (!*input->below) return outside(ctx, input);
    char *resolved = realpath(input->path, NULL);
    if (!resolved) return hol__input_fail(ctx, input, strerror(errno));
    hol_status status = HOL_OK;
    if (!is_below(resolved, input->below))
        status = outside(ctx, input);
    else {
        const char *reason = hol__in_open(resolved, input->pipes, file);
        if (reason) status = hol__input_fail(ctx, input, reason);
    }
    free(resolved);
    return status;
}

hol_status hol__input_open(hol_context *ctx, const hol__input *input, hol__in_file *file) {
    file->fd = -1;
    if (input->below) {
        const hol_status status = open_below(ctx, input, file);
        if (status) return status;
    } else {
        const char *reason = hol__in_open(input->path, input->pipes, file);
        if (reason) return hol__input_fail(ctx, input, reason);
    }
    if (input->passing) return HOL_OK;
    if (hol__context_add_input(ctx, file->device, file->inode, 0, input->path)) return HOL_OK;
    hol__in_close(file);
    return HOL_ERR_MEMORY;
}

/* Report a file that is too large. */
static hol_status too_large(hol_context *ctx, const hol__input *input) {
    char reason[128];
    snprintf(reason, sizeof reason, "it is larger than %zu MB, the most that is read of a %s",
             input->most >> 20, input->what);
    return hol__input_fail(ctx, input, reason);
}

hol_status hol__input_read(hol_context *ctx, const hol__input *input, hol__text *text) {
    char block[16384];
    hol__in_file file;
    long n = 0;
    const hol_status status = hol__input_open(ctx, input, &file);
    if (status) return status;
    while (!text->failed && text->length <= input->most &&
           (n = hol__in_read(&file, block, sizeof block)) > 0)
        if (input->text && memchr(block, 0, (size_t)n))
            break; /* not the rest either, which may be long */
        else
            hol__text_add_n(text, block, (size_t)n);
    const int reason = errno;
    hol__in_close(&file);
    if (n > 0 && text->length <= input->most && !text->failed)
        return hol__input_fail(ctx, input, "it is not text: it holds bytes that are 0");
    if (text->failed) return HOL_ERR_MEMORY;
    if (n < 0) return hol__input_fail(ctx, input, strerror(reason));
    return text->length > input->most ? too_large(ctx, input) : HOL_OK;
}
