/* csv.c: results as comma-separated values [RFC 4180]: the time and the measures; the extremes over
 * all steps in a file beside it (csv_extremes.c).
 *
 * The first line names the columns, "name [unit]"; then follows one line a record with 17
 * significant digits, so that every number reads back to the same bits. A line leaves in one write,
 * and one that could not be written whole is taken back, so that the file of a run that was killed
 * or met a full disk holds whole lines only.
 */
#include "base/text.h"
#include "common/csv_cell.h"
#include "common/number.h"
#include "io/format.h"
#include "io/input.h"

#include <errno.h>
#include <string.h>

enum { DIGITS = 17 };

typedef struct csv_file {
    hol__out_file *out;
    const hol__record *record;
    char *line; /* room for one record */
} csv_file;

void hol__csv_put_cell(hol__text *out, const char *s) {
    const int quoted = hol__csv_needs_quotes(s);
    if (quoted) hol__text_add_n(out, "\"", 1);
    if (hol__csv_needs_guard(s)) hol__text_add_n(out, "'", 1);
    for (; *s; s++) hol__text_add(out, *s == '"' ? "\"\"" : "%c", *s);
    if (quoted) hol__text_add_n(out, "\"", 1);
}

void hol__csv_put_name(hol__text *out, const hol__field *field) {
    hol__text cell;
    hol__text_init(&cell, out->ctx);
    hol__text_add(&cell, field->unit && *field->unit ? "%s [%s]" : "%s", field->name, field->unit);
    if (cell.failed) out->failed = 1;
    hol__csv_put_cell(out, cell.data ? cell.data : "");
    hol__text_free(&cell);
}

/* Write the line of names. */
static hol_status write_header(csv_file *file) {
    hol__text line;
    hol__text_init(&line, file->out->ctx);
    for (int i = 0; i <= file->record->shape.n_measures; i++) {
        if (i) hol__text_add_n(&line, ",", 1);
        hol__csv_put_name(&line, &file->record->fields[i]);
    }
    hol__text_add_n(&line, "\n", 1);
    const hol_status status =
        line.failed ? HOL_ERR_MEMORY : hol__out_append(file->out, line.data, line.length);
    hol__text_free(&line);
    return status;
}

/* Nothing comes last; release everything. */
static hol_status csv_close(void *self, const hol_sim_info *info) {
    csv_file *file = self;
    hol_context *ctx = file->out->ctx;
    const hol_status status = file->out->failed ? HOL_ERR_IO : HOL_OK;
    (void)info;
    hol__release(ctx, file->line);
    hol__release(ctx, file);
    return status;
}

/* Write the header. */
static hol_status csv_open(hol__out_file *out, const hol__record *record, void **opened) {
    csv_file *file = hol__alloc(out->ctx, 1, sizeof *file);
    if (!file) return HOL_ERR_MEMORY;
    *file = (csv_file){.out = out, .record = record};
    file->line = hol__alloc(out->ctx, (size_t)record->shape.n_measures + 1, HOL__NUMBER_SIZE);
    const hol_status status = file->line ? write_header(file) : HOL_ERR_MEMORY;
    if (status)
        csv_close(file, NULL);
    else
        *opened = file;
    return status;
}

/* One line from the values as they stand. */
static hol_status csv_append(void *self) {
    csv_file *file = self;
    const hol__record *record = file->record;
    size_t n = 0;
    for (int i = 0; i <= record->shape.n_measures; i++) {
        char number[HOL__NUMBER_SIZE];
        const size_t length = (size_t)hol__number_write(record->values[i], DIGITS, number);
        memcpy(file->line + n, number, length);
        n += length;
        file->line[n++] = i < record->shape.n_measures ? ',' : '\n';
    }
    file->out->sum = hol__hash(file->out->sum, file->line, n);
    return hol__out_append(file->out, file->line, n);
}

/* Lines leave as they come. */
static hol_status csv_sync(void *self) {
    const csv_file *file = self;
    return file->out->failed ? HOL_ERR_IO : HOL_OK;
}

/* How many of n bytes belong to the first lines; *left: how many lines are to come. */
static size_t bytes_of_lines(const char *bytes, size_t n, long *left) {
    size_t at = 0;
    while (at<n && * left> 0) *left -= bytes[at++] == '\n';
    return at;
}

/* The first line as it is here, then the lines that were asked for; one that is cut or missing is
 * told by the checksum. */
static hol_status csv_copy(void *self, const char *from, long rows) {
    csv_file *file = self;
    hol__out_file *out = file->out;
    const hol__input input = {.path = from, .passing = 1};
    char bytes[16384];
    hol__in_file in;
    long long head = out->written;
    hol_status status = hol__input_open(out->ctx, &input, &in);
    if (status) return status;
    for (long n = 1; !status && rows > 0 && n > 0;) {
        const size_t ask = head > 0 && head < (long long)sizeof bytes ? (size_t)head : sizeof bytes;
        n = hol__in_read(&in, bytes, ask);
        if (n < 0) status = hol__input_fail(out->ctx, &input, strerror(errno));
        if (n <= 0) break;
        if (head > 0) {
            head -= n;
            continue;
        }
        const size_t take = bytes_of_lines(bytes, (size_t)n, &rows);
        out->sum = hol__hash(out->sum, bytes, take);
        status = hol__out_append(out, bytes, take);
    }
    hol__in_close(&in);
    return status;
}

/* A number takes some 18 characters, and a comma or a line end. */
static double csv_row_bytes(const hol__record *record) {
    return 19.0 * (record->shape.n_measures + 1);
}

const hol__format hol__csv_format = {.extension = ".csv",
                                     .title = "comma-separated values: time and measures",
                                     .open = csv_open,
                                     .append = csv_append,
                                     .close = csv_close,
                                     .read = hol__csv_read,
                                     .sync = csv_sync,
                                     .copy = csv_copy,
                                     .beside = hol__csv_write_extremes,
                                     .row_bytes = csv_row_bytes,
                                     .streams = 1};
