/* out_path.c: where an output leads, and whether a file may be written there.
 *
 * A path is followed through its symbolic links, also one that leads to nothing yet, so that a link
 * stays a link and the file behind it is replaced. Refused are: a folder; what is no regular file,
 * unless it is asked for by "stream:"; a file that may not be written; a file that was read through
 * the context, whatever it is called; the file that standard output or standard error goes to.
 */
#define _XOPEN_SOURCE 700
#include "io/out_path.h"

#include "base/text.h"
#include "io/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 16, LINK_SIZE = 4096 };

static const char stream_prefix[] = "stream:";

/* The name at the end of a path. */
static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A name in the folder of a path, or the name itself where it is absolute; NULL without memory. */
static char *beside(hol_context *ctx, const char *path, const char *name) {
    hol__text text;
    hol__text_init(&text, ctx);
    if (name[0] != '/') hol__text_add_n(&text, path, (size_t)(base_of(path) - path));
    hol__text_add_n(&text, name, strlen(name));
    char *made = text.failed ? NULL : hol__copy_text(ctx, text.data);
    hol__text_free(&text);
    return made;
}

/* A path that leads to no file yet, its folder resolved; NULL with errno when there is no such
 * folder. */
static char *resolve_new(hol_context *ctx, const char *path) {
    char *folder = beside(ctx, path, ".");
    char *found = folder ? realpath(folder, NULL) : NULL;
    const int reason = folder ? errno : ENOMEM;
    hol__text text;
    hol__text_init(&text, ctx);
    if (found) {
        hol__text_add_n(&text, found, strlen(found));
        if (strcmp(found, "/") != 0) hol__text_add_n(&text, "/", 1);
        hol__text_add_n(&text, base_of(path), strlen(base_of(path)));
    }
    char *made = found && !text.failed ? hol__copy_text(ctx, text.data) : NULL;
    hol__text_free(&text);
    hol__release(ctx, folder);
    free(found);
    errno = made ? 0 : found ? ENOMEM : reason;
    return made;
}

/* What a path leads to, also where that is not there yet; NULL with errno after a failure. */
static char *resolve(hol_context *ctx, const char *path) {
    char link[LINK_SIZE];
    char *at = hol__copy_text(ctx, path);
    for (int i = 0; at && i < MOST_LINKS; i++) {
        char *found = realpath(at, NULL), *next = NULL;
        const int reason = errno;
        if (found) {
            next = hol__copy_text(ctx, found);
            free(found);
            hol__release(ctx, at);
            errno = next ? 0 : ENOMEM;
            return next;
        }
        const ssize_t n = reason == ENOENT ? readlink(at, link, sizeof link - 1) : -1;
        if (n < 0) {
            errno = reason;
            if (reason == ENOENT && *base_of(at)) next = resolve_new(ctx, at);
            const int why = errno;
            hol__release(ctx, at);
            errno = why;
            return next;
        }
        link[n] = '\0';
        next = beside(ctx, at, link);
        hol__release(ctx, at);
        at = next;
    }
    hol__release(ctx, at);
    errno = at ? ELOOP : ENOMEM;
    return NULL;
}

/* Whether standard output or standard error goes to this file. */
static int is_standard(const struct stat *file) {
    struct stat own;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &own) == 0 && own.st_dev == file->st_dev && own.st_ino == file->st_ino)
            return 1;
    return 0;
}

/* The name of the input that a file is, or NULL. A file that was read and is gone may have left its
 * inode to another; that is seen where its name says for certain where it was. */
static const char *input_of(hol_context *ctx, const struct stat *file, int may) {
    struct stat now;
    const char *name =
        hol__context_find_input(ctx, (unsigned long long)file->st_dev,
                                (unsigned long long)file->st_ino, may & HOL__OUT_GROWS);
    if (!name || name[0] != '/') return name;
    const int same =
        stat(name, &now) == 0 && now.st_dev == file->st_dev && now.st_ino == file->st_ino;
    return same ? name : NULL;
}

/* Why a file that is there may not be written; NULL where it may, or where out->reason says. */
static const char *speaks_against(hol_context *ctx, const struct stat *file, int may,
                                  hol__out_path *out) {
    const int regular = S_ISREG(file->st_mode), standard = is_standard(file);
    if (S_ISDIR(file->st_mode)) return "it is a directory";
    out->input = input_of(ctx, file, may);
    if (out->input) return "it is read here";
    if (out->stream)
        return !regular || standard ? NULL : "stream: is for FIFOs and devices, and this is a file";
    if (regular && standard) return "standard output or standard error goes there";
    if (!regular)
        return "it is not a regular file; write stream: before its name to use it as it is";
    if (access(out->target, W_OK) != 0) out->reason = errno;
    return NULL;
}

int hol__out_look(hol_context *ctx, const char *path, int may, hol__out_path *out) {
    struct stat file;
    const size_t n = sizeof stream_prefix - 1;
    *out = (hol__out_path){.stream = strncmp(path, stream_prefix, n) == 0};
    if (out->stream && !(may & HOL__OUT_STREAMS))
        out->why = "this kind of file cannot be written to a stream";
    if (!out->stream && hol__out_is_part(path))
        out->why = "its name is that of a file that is not whole yet (.part)";
    if (out->why) return 0;
    out->target =
        out->stream ? hol__copy_text(ctx, path + n) : resolve(ctx, *path ? path : "/dev/null/");
    if (!out->target) {
        out->reason = errno ? errno : ENOMEM;
        return 0;
    }
    out->is_link = lstat(path, &file) == 0 && S_ISLNK(file.st_mode);
    out->exists = stat(out->target, &file) == 0;
    if (!out->exists) out->reason = errno == ENOENT && !out->stream ? 0 : errno;
    if (out->exists) {
        out->why = speaks_against(ctx, &file, may, out);
        out->mode = file.st_mode & 0777;
        out->owner = (unsigned)file.st_uid;
        out->group = (unsigned)file.st_gid;
    }
    return !out->why && !out->reason;
}

hol_status hol__out_refuse(hol_context *ctx, const char *path, const hol__out_path *found) {
    const hol_location where = {path, 0, 0};
    if (found->input)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
                           "'%s' would overwrite '%s', which is read here; name another file", path,
                           found->input);
    return hol__report(ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "cannot write '%s': %s", path,
                       found->why ? found->why : strerror(found->reason));
}

hol_status hol__out_none_of(hol_context *ctx, const char *path, int n, const char *const *inputs) {
    struct stat output, input;
    if (stat(path, &output) != 0) return HOL_OK;
    for (int i = 0; i < n; i++)
        if (inputs[i] && stat(inputs[i], &input) == 0 && input.st_dev == output.st_dev &&
            input.st_ino == output.st_ino)
            return hol__out_refuse(ctx, path, &(hol__out_path){.input = inputs[i]});
    return HOL_OK;
}

/* The name with a word before its extension; NULL without memory. */
static char *with_word(hol_context *ctx, const char *target, const char *word) {
    const char *name = base_of(target), *dot = strrchr(name, '.');
    const size_t n = dot && dot > name ? (size_t)(dot - target) : strlen(target);
    hol__text text;
    hol__text_init(&text, ctx);
    hol__text_add_n(&text, target, n);
    hol__text_add(&text, "%s%s", word, target + n);
    char *made = text.failed ? NULL : hol__copy_text(ctx, text.data);
    hol__text_free(&text);
    return made;
}

char *hol__out_part(hol_context *ctx, const char *target) {
    return with_word(ctx, target, ".part");
}

char *hol__out_part_again(hol_context *ctx, const char *target) {
    return with_word(ctx, target, ".resumed.part");
}
