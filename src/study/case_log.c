/* case_log.c: the log of a study. See case_log.h.
 *
 *     head     "holonom cases 1\n", the mark of the study, the number of goals, their sum
 *     record   its sum, number of the case, state, status, length of the reason, steps,
 *              evaluations, goals, reason, padded to 8 bytes
 *
 * Numbers are those of the machine; a sum is the hash of what stands behind it. A process that is
 * killed leaves whole records and at most one that is cut, which its sum tells: whoever goes on
 * cuts the file there. A log of another study, or of another version of the program, has another
 * mark and is refused: its cases are others.
 */
#define _POSIX_C_SOURCE 200809L
#include "study/case_log.h"

#include "base/text.h"
#include "common/clock.h"
#include "io/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 20, FULL = 1 << 15 };
static const double PAUSE = 0.25;
static const char magic[] = "holonom cases 1\n"; /* 16 bytes */

typedef struct head {
    char magic[16];
    uint64_t mark, n_goals, sum;
} head;

typedef struct record {
    uint64_t sum;
    int64_t number;
    int32_t state, status, length, unused;
    double steps, evaluations;
} record;

struct hol__case_log {
    const hol_study *study;
    char *path;
    int fd;
    hol__text buffer; /* records that are not on disk yet */
    double written;   /* when the last were */
};

size_t hol__case_log_size(const hol_study *s) {
    return sizeof(record) + sizeof(double) * (size_t)s->n_goals;
}

/* An error about the file, with the words of the system. */
static hol_status fail(const hol_study *s, const char *path, const char *what) {
    const hol_location where = {path, 0, 0};
    return hol__report(s->ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "%s: %s", what,
                       strerror(errno));
}

/* All of some bytes. */
static int write_all(int fd, const char *data, size_t n) {
    while (n) {
        const ssize_t done = write(fd, data, n);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return 0;
        data += done;
        n -= (size_t)done;
    }
    return 1;
}

/* Up to n bytes; -1 after an error. */
static ssize_t read_some(int fd, char *data, size_t n) {
    size_t have = 0;
    while (have < n) {
        const ssize_t done = read(fd, data + have, n - have);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return -1;
        if (!done) break;
        have += (size_t)done;
    }
    return (ssize_t)have;
}

/* ---- head ---- */

static head head_of(const hol_study *s) {
    head h = {.mark = s->mark, .n_goals = (uint64_t)s->n_goals};
    memcpy(h.magic, magic, sizeof h.magic);
    h.sum = hol__hash(HOL__HASH_START, &h, offsetof(head, sum));
    return h;
}

/* Whether the file is a log of this study; *found: a log, of whatever study. */
static hol_status check_head(const hol_study *s, const char *path, const head *have, int *found) {
    const hol_location where = {path, 0, 0};
    const head wanted = head_of(s);
    *found = memcmp(have->magic, magic, sizeof have->magic) == 0;
    if (!*found)
        return hol__error(s->ctx, &where, NULL,
                          "this file holds no cases of a study, and is left as it is");
    if (memcmp(have, &wanted, sizeof wanted) == 0) return HOL_OK;
    return hol__error(
        s->ctx, &where, NULL,
        "its cases are those of another study: the model, a factor, the design, the "
        "seed, a goal or the version of the program has changed; begin anew (--fresh) "
        "or name another log (--log)");
}

/* ---- records ---- */

/* The record at the beginning of n bytes, told; its length, 0 where it is not whole. */
static size_t take(const hol_study *s, const char *bytes, size_t n, double *goals,
                   hol__case_log_fn *fn, void *user, hol_status *status) {
    record r;
    hol__outcome out = {.goals = goals};
    const size_t fixed = hol__case_log_size(s);
    if (n < fixed) return 0;
    memcpy(&r, bytes, sizeof r);
    if (r.length < 0 || r.length >= HOL__REASON_SIZE) return 0;
    const size_t size = fixed + ((size_t)r.length + 7) / 8 * 8;
    if (n < size) return 0;
    if (r.sum != hol__hash(HOL__HASH_START, bytes + sizeof r.sum, size - sizeof r.sum)) return 0;
    memcpy(goals, bytes + sizeof r, fixed - sizeof r);
    memcpy(out.reason, bytes + fixed, (size_t)r.length);
    out.reason[r.length] = '\0';
    out.number = r.number;
    out.state = (hol__case_state)r.state;
    out.status = (hol_status)r.status;
    out.steps = r.steps;
    out.evaluations = r.evaluations;
    *status = fn(user, &out);
    return size;
}

/* All whole records behind the head; *end: where the last of them ends. */
static hol_status read_records(const hol_study *s, const char *path, int fd, hol__case_log_fn *fn,
                               void *user, off_t *end) {
    char *block = hol__alloc(s->ctx, BLOCK, 1);
    double *goals = hol__alloc(s->ctx, (size_t)s->n_goals + 1, sizeof *goals);
    hol_status status = block && goals ? HOL_OK : HOL_ERR_MEMORY;
    size_t have = 0;
    *end = sizeof(head);
    for (int more = 1; more && !status;) {
        const ssize_t n = read_some(fd, block + have, BLOCK - have);
        size_t used = 0, size = 1;
        if (n < 0) status = fail(s, path, "cannot read the log");
        if (n > 0) have += (size_t)n;
        while (size && !status) {
            size = take(s, block + used, have - used, goals, fn, user, &status);
            used += size;
        }
        *end += (off_t)used;
        memmove(block, block + used, have - used);
        have -= used;
        more = n > 0 && used;
    }
    hol__release(s->ctx, goals);
    hol__release(s->ctx, block);
    return status;
}

/* ---- the file ---- */

/* What is in the file, from its head on; *end: where to go on writing, 0 with an empty file. */
static hol_status load(const hol_study *s, const char *path, int fd, hol__case_log_mode mode,
                       hol__case_log_fn *fn, void *user, off_t *end) {
    head have = {0};
    int is_log = 0;
    *end = 0;
    const ssize_t n = read_some(fd, (char *)&have, sizeof have);
    if (n < 0) return fail(s, path, "cannot read the log");
    if (!n) return HOL_OK;
    if (mode != HOL__LOG_FRESH || memcmp(have.magic, magic, sizeof have.magic) != 0) {
        /* a head that was cut has no record behind it */
        if (n < (ssize_t)sizeof have && memcmp(&have, magic, n < 16 ? (size_t)n : 16) == 0)
            return HOL_OK;
        const hol_status status = check_head(s, path, &have, &is_log);
        return status ? status : read_records(s, path, fd, fn, user, end);
    }
    return HOL_OK;
}

/* Begin the file with its head, or cut what is behind the last whole record. */
static hol_status prepare(const hol_study *s, const char *path, int fd, off_t end) {
    const head h = head_of(s);
    if (ftruncate(fd, end) || lseek(fd, end, SEEK_SET) < 0 ||
        (!end && !write_all(fd, (const char *)&h, sizeof h)))
        return fail(s, path, "cannot write the log");
    return HOL_OK;
}

/* The open file: locked where it is to be written; *fd is -1 after an error. */
static hol_status open_file(const hol_study *s, const char *path, hol__case_log_mode mode,
                            int *fd) {
    struct stat about;
    if (mode != HOL__LOG_READ) return hol__out_open_growing(s->ctx, path, fd);
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const int regular = *fd >= 0 && fstat(*fd, &about) == 0 && S_ISREG(about.st_mode);
    if (regular && hol__context_add_input(s->ctx, about.st_dev, about.st_ino, 1, path))
        return HOL_OK;
    if (*fd >= 0) close(*fd);
    if (regular) return HOL_ERR_MEMORY;
    if (*fd >= 0) errno = EINVAL; /* no regular file */
    *fd = -1;
    return fail(s, path, "cannot read the log");
}

hol_status hol__case_log_open(const hol_study *s, const char *path, hol__case_log_mode mode,
                              hol__case_log_fn *fn, void *user, hol__case_log **out) {
    off_t end;
    *out = NULL;
    int fd;
    hol_status status = open_file(s, path, mode, &fd);
    if (status) return status;
    status = load(s, path, fd, mode, fn, user, &end);
    if (!status && mode != HOL__LOG_READ) status = prepare(s, path, fd, end);
    hol__case_log *log =
        !status && mode != HOL__LOG_READ ? hol__alloc(s->ctx, 1, sizeof *log) : NULL;
    if (!log) {
        close(fd);
        return status || mode == HOL__LOG_READ ? status : HOL_ERR_MEMORY;
    }
    log->study = s;
    log->fd = fd;
    log->path = hol__copy_text(s->ctx, path);
    log->written = hol__clock_wall();
    hol__text_init(&log->buffer, s->ctx);
    *out = log;
    if (log->path) return HOL_OK;
    hol__case_log_close(log);
    *out = NULL;
    return HOL_ERR_MEMORY;
}

/* The records that wait onto the disk. */
static hol_status flush(hol__case_log *log) {
    if (log->buffer.failed) return HOL_ERR_MEMORY;
    if (!write_all(log->fd, log->buffer.data ? log->buffer.data : "", log->buffer.length))
        return fail(log->study, log->path,
                    "cannot write the log; the cases before are in it, and the same command goes "
                    "on from there");
    log->buffer.length = 0;
    log->written = hol__clock_wall();
    return HOL_OK;
}

hol_status hol__case_log_add(hol__case_log *log, const hol__outcome *o) {
    static const char zeros[8] = {0};
    const size_t length = strlen(o->reason), at = log->buffer.length;
    record r = {.number = o->number,
                .state = (int32_t)o->state,
                .status = (int32_t)o->status,
                .length = (int32_t)length,
                .steps = o->steps,
                .evaluations = o->evaluations};
    hol__text_add_n(&log->buffer, (const char *)&r, sizeof r);
    hol__text_add_n(&log->buffer, (const char *)o->goals,
                    sizeof *o->goals * (size_t)log->study->n_goals);
    hol__text_add_n(&log->buffer, o->reason, length);
    hol__text_add_n(&log->buffer, zeros, (8 - length % 8) % 8);
    if (log->buffer.failed) return HOL_ERR_MEMORY;
    char *begin = log->buffer.data + at;
    r.sum =
        hol__hash(HOL__HASH_START, begin + sizeof r.sum, log->buffer.length - at - sizeof r.sum);
    memcpy(begin, &r.sum, sizeof r.sum);
    const int wait = log->buffer.length < FULL && hol__clock_wall() - log->written < PAUSE;
    return wait ? HOL_OK : flush(log);
}

hol_status hol__case_log_close(hol__case_log *log) {
    if (!log) return HOL_OK;
    const hol_status status = flush(log);
    close(log->fd);
    hol__text_free(&log->buffer);
    hol__release(log->study->ctx, log->path);
    hol__release(log->study->ctx, log);
    return status;
}
