/* csv_read.c: comma-separated values as a result.
 *
 * The first line names the columns, "name [unit]"; the first of them is the time. Every other line
 * holds as many numbers; an empty cell is NaN. A last line without its line end may have been cut
 * and is left out with a warning.
 */
#include "base/unit_set.h"
#include "io/format.h"
#include "io/input.h"
#include "io/out_file.h"
#include "common/csv_cell.h"
#include "common/number.h"
#include "common/ascii.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct csv_reader {
    hol_result *result;
    const char *path;
    hol__text text;
    const char *at, *end;
    const char *line_start;
    int line;
    int any; /* the first column may be any */
} csv_reader;

/* Report an error in the text at a place of the current line. */
static hol_status wrong(const csv_reader *r, const char *at, const char *what) {
    const hol_location where = {r->path, r->line, (int)(at - r->line_start) + 1};
    return hol__error(r->result->ctx, &where, NULL, "%s", what);
}

/* Whether the file is one whose run has not written the line of names yet. */
static int is_unborn(const csv_reader *r) {
    return hol__out_is_part(r->path) && !memchr(r->at, '\n', (size_t)(r->end - r->at));
}

/* The whole file into r->text, ended by a 0. */
static hol_status load(csv_reader *r) {
    const hol__input input = {
        .path = r->path, .text = 1, .passing = 1, .most = (size_t)1 << 31, .what = "CSV file"};
    hol__text_init(&r->text, r->result->ctx);
    const hol_status status = hol__input_read(r->result->ctx, &input, &r->text);
    const char *data = r->text.data ? r->text.data : "";
    r->at = r->line_start = data;
    r->end = data + r->text.length;
    if (r->text.length >= 3 && memcmp(data, "\xEF\xBB\xBF", 3) == 0)
        r->at = r->line_start = data + 3;
    if (!status && is_unborn(r)) return hol__input_fail(r->result->ctx, &input, HOL__NO_RECORD);
    return status;
}

/* Step over the line end at r->at. */
static void next_line(csv_reader *r) {
    if (*r->at == '\r' && r->at[1] == '\n') r->at++;
    r->at++;
    r->line++;
    r->line_start = r->at;
}

/* Whether r->at stands at the end of a line. */
static int at_line_end(const csv_reader *r) {
    return r->at < r->end && (*r->at == '\n' || (*r->at == '\r' && r->at[1] == '\n'));
}

/* Step over the cell of the header at r->at; 0 after an error. */
static int skip_name(csv_reader *r) {
    const char *start = r->at;
    const int quoted = r->at < r->end && *r->at == '"';
    if (quoted) {
        /* up to a quote that is not doubled */
        for (r->at++; r->at < r->end && (*r->at != '"' || r->at[1] == '"'); r->at++)
            r->at += *r->at == '"';
        if (r->at >= r->end) {
            wrong(r, start, "this name has no closing quote");
            return 0;
        }
        r->at++;
    } else
        while (r->at < r->end && *r->at != ',' && !at_line_end(r)) r->at++;
    if (r->at >= r->end || *r->at == ',' || at_line_end(r)) return 1;
    wrong(r, r->at, "expected a comma or the end of the line after this name");
    return 0;
}

/* The cell of the header at r->at without its quotes, in the arena; NULL after an error. */
static char *read_name(csv_reader *r) {
    const char *start = r->at;
    if (!skip_name(r)) return NULL;
    char *cell = hol__arena_alloc(&r->result->arena, (size_t)(r->at - start) + 1, 1);
    size_t n = 0;
    if (!cell) return NULL;
    if (*start != '"') memcpy(cell, start, (size_t)(r->at - start));
    for (const char *s = start + 1; *start == '"' && s < r->at - 1; s++) {
        s += *s == '"';
        cell[n++] = *s;
    }
    return cell + (hol__csv_unguarded(cell) - cell);
}

/* Split "name [unit]" in place; the unit, "" where there is none. */
static const char *split_unit(char *cell) {
    const size_t n = strlen(cell);
    char *open = n > 3 && cell[n - 1] == ']' ? strrchr(cell, '[') : NULL;
    if (!open || open == cell || open[-1] != ' ') return "";
    cell[n - 1] = '\0';
    open[-1] = '\0';
    return open + 1;
}

/* Whether the word may head the column of time. */
static int means_time(const char *name) {
    return (hol__lower(name[0]) == 't' &&
            (!name[1] || (hol__lower(name[1]) == 'i' && hol__lower(name[2]) == 'm' &&
                          hol__lower(name[3]) == 'e' && !name[4])));
}

/* The line of names as columns. */
static hol_status read_header(csv_reader *r) {
    hol_result *result = r->result;
    if (r->at == r->end)
        return wrong(r, r->at, "the file is empty; expected a line of column names");
    for (;;) {
        const char *start = r->at;
        char *name = read_name(r);
        if (!name) return HOL_ERR_INPUT;
        const char *unit = split_unit(name);
        const int first = result->n_columns == 0 && !r->any;
        if (first && !means_time(name))
            return wrong(r, start, "the first column must be the time ('time [s]')");
        if (first && *unit && !hol__units_agree(unit, "s"))
            return wrong(r, start,
                         "the unit of the time must be one of time ('time [s]', 'time [ms]')");
        const hol_column column = {first ? "time" : name, unit, "", ""};
        if (!hol__result_add(result, &column)) return HOL_ERR_MEMORY;
        if (r->at >= r->end)
            return wrong(r, r->at, "the file ends within the line of column names");
        if (*r->at != ',') break;
        r->at++;
    }
    next_line(r);
    return HOL_OK;
}

/* Step over blanks within the line. */
static void skip_blanks(csv_reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
}

/* One line of numbers as the given row. */
static hol_status read_row(csv_reader *r, int row) {
    const int n = r->result->n_columns;
    for (int i = 0; i < n; i++) {
        skip_blanks(r);
        const char *start = r->at;
        double value = NAN;
        if (*r->at != ',' && !at_line_end(r)) {
            value = hol__number_read(r->at, &r->at);
            if (r->at == start) return wrong(r, start, "expected a number");
        }
        skip_blanks(r);
        r->result->values[i][row] = value;
        if (i + 1 < n && *r->at != ',')
            return wrong(r, r->at,
                         at_line_end(r) ? "this line has fewer numbers than there are columns"
                                        : "expected a comma");
        if (i + 1 < n) r->at++;
    }
    if (!at_line_end(r))
        return wrong(r, r->at,
                     *r->at == ',' ? "this line has more numbers than there are columns"
                                   : "expected the end of the line");
    next_line(r);
    return HOL_OK;
}

/* Give every column room for as many rows as there are line ends left, but for no more than there
 * are commas and line ends for: empty lines count as none. */
static hol_status make_room(csv_reader *r) {
    hol_result *result = r->result;
    const size_t most = (size_t)(r->end - r->at) / (size_t)result->n_columns;
    size_t lines = 0;
    for (const char *at = r->at; at < r->end && (at = memchr(at, '\n', (size_t)(r->end - at)));
         at++)
        lines++;
    if (lines > most) lines = most;
    assert(lines <= INT_MAX); /* load takes 2^31 bytes at most, and the header has some of them */
    for (int i = 0; i < result->n_columns; i++) {
        result->values[i] = HOL__NEW_N(&result->arena, double, lines);
        if (!result->values[i]) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
}

/* All lines of numbers. */
static hol_status read_rows(csv_reader *r) {
    hol_status status = make_room(r);
    int rows = 0;
    while (!status && r->at < r->end && memchr(r->at, '\n', (size_t)(r->end - r->at))) {
        if (at_line_end(r)) /* an empty line */
            next_line(r);
        else if (!(status = read_row(r, rows)))
            rows++;
    }
    r->result->rows = rows;
    if (!status && r->at < r->end) {
        const hol_location where = {r->path, r->line, 1};
        hol__warn(r->result->ctx, &where, NULL,
                  "the last line has no line end; it may be cut, and is left out");
    }
    return status;
}

hol_status hol__csv_read(hol_result *result, const char *path) {
    csv_reader r = {.result = result, .path = path, .line = 1};
    hol_status status = load(&r);
    if (!status) status = read_header(&r);
    if (!status) status = read_rows(&r);
    if (!status) status = hol__csv_read_extremes(result, path);
    hol__text_free(&r.text);
    return status;
}

hol_result *hol__csv_columns(hol_context *ctx, const char *path) {
    hol_result *result = hol__alloc(ctx, 1, sizeof *result);
    if (!result) return NULL;
    *result = (hol_result){.ctx = ctx};
    hol__arena_init(&result->arena, ctx);
    csv_reader r = {.result = result, .path = path, .line = 1, .any = 1};
    hol_status status = load(&r);
    if (!status) status = read_header(&r);
    if (!status) status = read_rows(&r);
    hol__text_free(&r.text);
    if (!status) return result;
    hol_result_free(result);
    return NULL;
}
