/* csv.c: results as comma-separated values [RFC 4180]: the time and the measures; the extremes over
 * all steps in a file beside it (csv_extremes.c).
 *
 * The first line names the columns, "name [unit]"; then follows one line a record with 17
 * significant digits, so that every number reads back to the same bits. A line leaves in one write,
 * and one that could not be written whole is taken back, so that the file of a run that was killed
 * or met a full disk holds whole lines only.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/text.h"
#include "io/format.h"
#include "common/number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS = 17 };

typedef struct csv_file {
    hol_context *ctx;
    const hol__record *record;
    char *path;
    int fd;
    off_t length; /* of the whole lines so far */
    char *line;   /* room for one record */
    int failed;
} csv_file;

/* Report once that the file cannot be written. */
static hol_status cannot_write(csv_file *file, int reason) {
    const hol_location where = {file->path, 0, 0};
    file->failed = 1;
    return hol__report(file->ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "cannot write '%s': %s",
                       file->path, strerror(reason));
}

/* Write one whole line, or nothing. */
static hol_status write_line(csv_file *file, const char *line, size_t n) {
    size_t done = 0;
    while (done < n) {
        const ssize_t put = write(file->fd, line + done, n - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) {
            const int reason = errno;
            if (done && ftruncate(file->fd, file->length) != 0) errno = reason;
            return cannot_write(file, reason);
        }
        done += (size_t)put;
    }
    file->length += (off_t)n;
    return HOL_OK;
}

/* One cell of the header, in quotes where it holds a comma, a quote, a line end or a space at its
 * ends. */
void hol__csv_put_name(hol__text *out, const hol__field *field) {
    hol__text cell;
    hol__text_init(&cell, out->ctx);
    hol__text_add(&cell, field->unit && *field->unit ? "%s [%s]" : "%s", field->name, field->unit);
    const char *s = cell.data ? cell.data : "";
    const size_t n = cell.length;
    if (cell.failed) out->failed = 1;
    if (n && !s[strcspn(s, ",\"\r\n")] && s[0] != ' ' && s[n - 1] != ' ')
        hol__text_add_n(out, s, n);
    else {
        hol__text_add_n(out, "\"", 1);
        for (size_t i = 0; i < n; i++) hol__text_add(out, s[i] == '"' ? "\"\"" : "%c", s[i]);
        hol__text_add_n(out, "\"", 1);
    }
    hol__text_free(&cell);
}

/* Write the line of names. */
static hol_status write_header(csv_file *file) {
    hol__text line;
    hol__text_init(&line, file->ctx);
    for (int i = 0; i <= file->record->shape.n_measures; i++) {
        if (i) hol__text_add_n(&line, ",", 1);
        hol__csv_put_name(&line, &file->record->fields[i]);
    }
    hol__text_add_n(&line, "\n", 1);
    const hol_status status =
        line.failed ? HOL_ERR_MEMORY : write_line(file, line.data, line.length);
    hol__text_free(&line);
    return status;
}

/* Release everything; the status of closing. */
static hol_status csv_free(csv_file *file) {
    hol_status status = HOL_OK;
    if (file->fd >= 0 && close(file->fd) != 0 && !file->failed) status = cannot_write(file, errno);
    hol__release(file->ctx, file->path);
    hol__release(file->ctx, file->line);
    hol__release(file->ctx, file);
    return status;
}

/* Create the file and write its header. */
static hol_status csv_open(hol_context *ctx, const hol__record *record, const char *path,
                           void **out) {
    csv_file *file = hol__alloc(ctx, 1, sizeof *file);
    if (!file) return HOL_ERR_MEMORY;
    *file = (csv_file){.ctx = ctx, .record = record, .fd = -1};
    file->path = hol__copy_text(ctx, path);
    file->line = hol__alloc(ctx, (size_t)record->shape.n_measures + 1, HOL__NUMBER_SIZE);
    hol_status status = file->path && file->line ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) {
        file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        status = file->fd < 0 ? cannot_write(file, errno) : write_header(file);
    }
    if (!status) {
        *out = file;
        return HOL_OK;
    }
    file->failed = 1;
    csv_free(file);
    return status;
}

/* One line from the values as they stand. */
static hol_status csv_append(void *self) {
    csv_file *file = self;
    const hol__record *record = file->record;
    size_t n = 0;
    if (file->failed) return HOL_ERR_IO;
    for (int i = 0; i <= record->shape.n_measures; i++) {
        char number[HOL__NUMBER_SIZE];
        const size_t length = (size_t)hol__number_write(record->values[i], DIGITS, number);
        memcpy(file->line + n, number, length);
        n += length;
        file->line[n++] = i < record->shape.n_measures ? ',' : '\n';
    }
    return write_line(file, file->line, n);
}

/* Close; an error of a line counts as an error of the file. */
static hol_status csv_close(void *self, const hol_sim_info *info) {
    csv_file *file = self;
    const int failed = file->failed;
    const hol_status beside =
        failed ? HOL_ERR_IO : hol__csv_write_extremes(file->ctx, file->record, file->path, info);
    const hol_status status = csv_free(file);
    return beside ? beside : status;
}

const hol__format hol__csv_format = {".csv",    "comma-separated values: time and measures",
                                     csv_open,  csv_append,
                                     csv_close, hol__csv_read};
