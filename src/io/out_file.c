/* out_file.c: the one way in which files are written.
 *
 * Invariants:
 * - bytes go to a file of their own, "x.part.csv" beside "x.csv"; it gets its name when it is whole
 *   and on the disk. Until then an older file of that name is untouched, whatever happens;
 * - the part is locked while it is written (out_lock.c): a second writer is told who writes, and a
 *   process that ends, in whatever way, holds no lock;
 * - no input is overwritten, and nothing but regular files is replaced or removed (out_path.c);
 * - the new file has the permissions of the older one, and its owner where that may be given.
 */
#define _GNU_SOURCE
#include "io/out_file.h"

#include "base/text.h"
#include "io/out_lock.h"
#include "io/out_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 16, ANY = 1 << 30 };

/* ---- opening ---- */

/* Report who else has the part, which is called so. */
static hol_status is_taken(hol__out_file *out, const char *who, const char *part) {
    const hol_location where = {out->path, 0, 0};
    out->failed = 1;
    return hol__report(out->ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL,
                       "cannot write '%s': %s (to '%s')", out->path, who, part);
}

/* Whether the open file is still the one of that name, a regular file with so many names at
 * most. */
static int is_still(int fd, const char *path, unsigned long names) {
    struct stat open_file, named;
    return fstat(fd, &open_file) == 0 && lstat(path, &named) == 0 && S_ISREG(named.st_mode) &&
           open_file.st_ino == named.st_ino && open_file.st_dev == named.st_dev &&
           named.st_nlink <= names;
}

/* Open and lock the part, empty; HOL_OK, or what was reported. A part that another writer has just
 * given its name, or that has two names, is left alone. */
static hol_status open_part(hol__out_file *out) {
    for (int i = 0; i < TRIES; i++) {
        const int fd =
            open(out->part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (fd < 0) return hol__out_fail(out, errno, NULL);
        char who[HOL__OUT_WHO];
        const int held = !hol__out_lock(fd, who);
        struct stat file;
        if (held && is_still(fd, out->part, 1)) {
            close(fd);
            return is_taken(out, who, out->shown);
        }
        if (!held && is_still(fd, out->part, 1) && ftruncate(fd, 0) == 0) {
            out->fd = fd;
            return HOL_OK;
        }
        const int reason = errno, linked = fstat(fd, &file) == 0 && file.st_nlink > 1;
        close(fd);
        if (!held && linked && unlink(out->part) != 0) return hol__out_fail(out, reason, NULL);
    }
    return hol__out_fail(out, EBUSY, NULL);
}

/* Open a FIFO or a device that was asked for. */
static hol_status open_stream(hol__out_file *out) {
    out->fd = open(out->target, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    return out->fd < 0 ? hol__out_fail(out, errno, NULL) : HOL_OK;
}

/* Give the part the permissions and, where that is allowed, the owner of the older file. */
static void dress(const hol__out_file *out, const hol__out_path *older) {
    struct stat own;
    if (!older->exists || older->stream || fstat(out->fd, &own) != 0) return;
    if ((own.st_uid != older->owner || own.st_gid != older->group) &&
        fchown(out->fd, older->owner, older->group) != 0)
        return; /* the file of somebody else: as a new one */
    if (fchmod(out->fd, older->mode | S_IRUSR | S_IWUSR) != 0) return;
}

/* Free what the object holds. */
static void release(hol__out_file *out) {
    if (out->fd >= 0) close(out->fd);
    if (out->held) close(out->held);
    hol__release(out->ctx, out->path);
    hol__release(out->ctx, out->target);
    hol__release(out->ctx, out->part);
    hol__release(out->ctx, out->shown);
    *out = (hol__out_file){.fd = -1};
}

/* Open a file under the name that `part` makes of its own. */
static hol_status open_as(hol_context *ctx, const char *path, int streams,
                          char *(*part)(hol_context *, const char *), hol__out_file *out) {
    hol__out_path found;
    hol_status status = HOL_OK;
    *out = (hol__out_file){
        .ctx = ctx, .fd = -1, .path = hol__copy_text(ctx, path), .sum = HOL__HASH_START};
    if (!hol__out_look(ctx, path, streams ? HOL__OUT_STREAMS : 0, &found))
        status = hol__out_refuse(ctx, path, &found);
    out->target = found.target;
    out->existed = found.exists && !found.stream;
    if (!status && !found.stream) {
        out->part = part(ctx, found.target);
        out->shown = part(ctx, found.is_link ? found.target : path);
    }
    if (!status && (!out->path || (!found.stream && (!out->part || !out->shown))))
        status = HOL_ERR_MEMORY;
    if (!status) status = found.stream ? open_stream(out) : open_part(out);
    if (!status)
        dress(out, &found);
    else
        release(out);
    return status;
}

hol_status hol__out_open(hol_context *ctx, const char *path, int streams, hol__out_file *out) {
    return open_as(ctx, path, streams, hol__out_part, out);
}

hol_status hol__out_open_growing(hol_context *ctx, const char *path, int *fd) {
    const hol_location where = {path, 0, 0};
    hol__out_path found;
    hol_status status = HOL_OK;
    struct stat file;
    char who[HOL__OUT_WHO];
    *fd = -1;
    if (!hol__out_look(ctx, path, HOL__OUT_GROWS, &found))
        status = hol__out_refuse(ctx, path, &found);
    if (!status) {
        *fd = open(found.target, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (*fd < 0)
            status = hol__report(ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "cannot write '%s': %s",
                                 path, strerror(errno));
        else if (!hol__out_lock(*fd, who))
            status = hol__report(ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "cannot write '%s': %s",
                                 path, who);
        else if (fstat(*fd, &file) == 0 &&
                 !hol__context_add_input(ctx, file.st_dev, file.st_ino, 1, path))
            status = HOL_ERR_MEMORY;
    }
    if (status && *fd >= 0) close(*fd);
    if (status) *fd = -1;
    hol__release(ctx, found.target);
    return status;
}

/* ---- going on with the records of an earlier run ---- */

/* Hold the part of the earlier run, where it is there, so that nobody writes it. One that gets its
 * name meanwhile is there no longer. */
static hol_status hold_part(hol__out_file *out, const char *part) {
    for (int i = 0; i < TRIES; i++) {
        char who[HOL__OUT_WHO];
        const int fd = open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0) return errno == ENOENT ? HOL_OK : hol__out_fail(out, errno, NULL);
        const int held = !hol__out_lock(fd, who);
        if (is_still(fd, part, ANY)) {
            if (!held) {
                out->held = fd;
                return HOL_OK;
            }
            close(fd);
            return is_taken(out, who, part);
        }
        close(fd);
    }
    return hol__out_fail(out, EBUSY, NULL);
}

hol_status hol__out_open_again(hol_context *ctx, const char *path, hol__out_file *out,
                               char **from) {
    *from = NULL;
    hol_status status = open_as(ctx, path, 0, hol__out_part_again, out);
    if (status) return status;
    char *part = hol__out_part(ctx, out->target);
    status = part ? hold_part(out, part) : HOL_ERR_MEMORY;
    if (!status) *from = out->held ? part : hol__copy_text(ctx, out->target);
    if (!status && !*from) status = HOL_ERR_MEMORY;
    if (*from != part) hol__release(ctx, part);
    if (status) hol__out_drop(out);
    return status;
}

hol_status hol__out_take_place(hol__out_file *out) {
    char *part = hol__out_part(out->ctx, out->target);
    char *shown = hol__out_part(out->ctx, strcmp(out->shown, out->part) ? out->path : out->target);
    hol_status status = part && shown ? hol__out_sync(out) : HOL_ERR_MEMORY;
    if (!status && rename(out->part, part) != 0) status = hol__out_fail(out, errno, NULL);
    if (status) {
        hol__release(out->ctx, part);
        hol__release(out->ctx, shown);
        return status;
    }
    hol__release(out->ctx, out->part);
    hol__release(out->ctx, out->shown);
    out->part = part;
    out->shown = shown;
    if (out->held) close(out->held);
    out->held = 0;
    return HOL_OK;
}

/* ---- writing ---- */

hol_status hol__out_sync(hol__out_file *out) {
    if (out->failed) return HOL_ERR_IO;
    return !out->part || fsync(out->fd) == 0 || errno == EINVAL ? HOL_OK
                                                                : hol__out_fail(out, errno, NULL);
}

hol_status hol__out_fail(hol__out_file *out, int reason, const char *words) {
    const hol_location where = {out->path, 0, 0};
    const int kept = out->keep && out->part;
    const int in_folder = out->fd < 0 && (reason == EACCES || reason == EROFS || reason == EPERM);
    if (out->failed) return HOL_ERR_IO;
    out->failed = 1;
    return hol__report(
        out->ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "cannot write '%s': %s%s%s%s%s%s", out->path,
        reason ? strerror(reason) : words,
        in_folder ? "; its folder must be writable, because a file is written under another name "
                    "until it is whole"
                  : "",
        kept ? "; what was written before is in '" : "", kept ? out->shown : "", kept ? "'" : "",
        out->existed && out->fd >= 0 ? "; the older file is as it was" : "");
}

hol_status hol__out_append(hol__out_file *out, const void *data, size_t n) {
    const char *bytes = data;
    size_t done = 0;
    if (out->failed) return HOL_ERR_IO;
    while (done < n) {
        const ssize_t put = write(out->fd, bytes + done, n - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) {
            const int reason = errno;
            if (out->part && ftruncate(out->fd, (off_t)out->written) != 0) errno = reason;
            return hol__out_fail(out, reason, NULL);
        }
        done += (size_t)put;
    }
    out->written += (long long)n;
    return HOL_OK;
}

/* ---- the ends ---- */

/* Bring the folder of a file to the disk, with the new name in it. Where that cannot be done the
 * file is as safe as the system makes it. */
static void sync_folder(const char *path) {
    char folder[4096];
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) : 0;
    if (n >= sizeof folder) return;
    memcpy(folder, path, n);
    memcpy(folder + n, n ? "" : "/", n ? 1 : 2);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

hol_status hol__out_finish(hol__out_file *out) {
    hol_status status = out->failed ? HOL_ERR_IO : HOL_OK;
    if (!status) status = hol__out_sync(out);
    /* somebody may have taken the part away, or put another file in its place */
    if (!status && out->part && !is_still(out->fd, out->part, ANY))
        status = hol__out_fail(out, ESTALE, NULL);
    /* the lock is held until the name is given */
    if (!status && out->part && rename(out->part, out->target) != 0)
        status = hol__out_fail(out, errno, NULL);
    if (!status && out->part) sync_folder(out->target);
    if (status && out->part && !out->keep && is_still(out->fd, out->part, ANY)) unlink(out->part);
    const int closed = close(out->fd) == 0, reason = errno;
    if (!closed && !status) status = hol__out_fail(out, reason, NULL);
    out->fd = -1;
    release(out);
    return status;
}

hol_status hol__out_leave(hol__out_file *out) {
    const hol_status status = out->failed ? HOL_ERR_IO : HOL_OK;
    if (out->part) fsync(out->fd);
    release(out);
    return status;
}

void hol__out_drop(hol__out_file *out) {
    if (out->fd < 0) return;
    if (out->part && is_still(out->fd, out->part, ANY)) unlink(out->part);
    release(out);
}

hol_status hol__out_write(hol_context *ctx, const char *path, const hol__piece *pieces, int n) {
    hol__out_file out;
    hol_status status = hol__out_open(ctx, path, 1, &out);
    if (status) return status;
    for (int i = 0; i < n && !status; i++)
        status = hol__out_append(&out, pieces[i].data, pieces[i].size);
    if (!status) return hol__out_finish(&out);
    hol__out_drop(&out);
    return status;
}

void hol__out_remove(hol_context *ctx, const char *path) {
    hol__out_path found;
    if (hol__out_look(ctx, path, 0, &found) && found.exists) unlink(found.target);
    hol__release(ctx, found.target);
}

int hol__out_is_part(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot - name > 5 && strncmp(dot - 5, ".part", 5) == 0;
}
