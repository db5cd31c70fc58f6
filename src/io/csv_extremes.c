/* csv_extremes.c: the extremes of the columns over all steps, in a file beside the samples.
 *
 * x.csv holds samples only, so that every program can read it; x.extremes.csv has a line a measured
 * column: its name with its unit, the least value and its time, the largest and its time. Numbers
 * have 17 significant digits. The last line, "# end: 1001 rows, time", says how many records the
 * samples have and how the run ended: a file of samples that was cut is told by it. It stands here
 * because a line that is no record would stop many readers of the samples.
 */
#define _POSIX_C_SOURCE 200809L
#include "common/number.h"
#include "io/format.h"
#include "io/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const keys[] = {"statistics.minima", "statistics.minimum_times",
                                   "statistics.maxima", "statistics.maximum_times"};

enum { LISTS = sizeof keys / sizeof *keys };

#define END_MARK "# end: "

/* The name of the file beside path, which ends with ".csv", into out. */
static void name_beside(hol__text *out, const char *path) {
    const size_t n = strlen(path);
    hol__text_add(out, "%.*s.extremes.csv", (int)(n > 4 ? n - 4 : n), path);
}

/* One number behind a comma. */
static void put_number(hol__text *out, double value) {
    char number[HOL__NUMBER_SIZE];
    const int n = hol__number_write(value, 17, number);
    hol__text_add_n(out, ",", 1);
    hol__text_add_n(out, number, (size_t)n);
}

/* All lines. */
static void put_lines(hol__text *out, const hol__record *record, const hol_sim_info *info) {
    const char *unit = record->fields[0].unit;
    hol__text_add(out, "column,minimum,minimum_time [%s],maximum,maximum_time [%s]\n", unit, unit);
    for (int i = 0; i < info->minima.n && i < record->shape.n_measures; i++) {
        hol__csv_put_name(out, &record->fields[1 + i]);
        put_number(out, info->minima.values[i]);
        put_number(out, info->minimum_times.values[i]);
        put_number(out, info->maxima.values[i]);
        put_number(out, info->maximum_times.values[i]);
        hol__text_add_n(out, "\n", 1);
    }
}

hol_status hol__csv_write_extremes(hol_context *ctx, const hol__record *record, const char *path,
                                   long rows, const hol_sim_info *info) {
    hol__text name, lines;
    hol__text_init(&name, ctx);
    hol__text_init(&lines, ctx);
    name_beside(&name, path);
    const int some = info->minima.n > 0;
    if (some) put_lines(&lines, record, info);
    if (some) hol__text_add(&lines, END_MARK "%ld rows, %s\n", rows, hol_end_name(info->end));
    hol_status status = name.failed || lines.failed ? HOL_ERR_MEMORY : HOL_OK;
    if (!status && some) {
        const hol__piece piece = {lines.data, lines.length};
        status = hol__out_write(ctx, name.data, &piece, 1);
    } else if (!status)
        hol__out_remove(ctx, name.data); /* of an earlier run */
    hol__text_free(&name);
    hol__text_free(&lines);
    return status;
}

/* The numbers of one line behind its name, each to its list; 0 where it is not such a line. */
static int read_line(const char *line, hol__text *lists) {
    const char *at = line;
    if (*at == '"') {
        for (at++; *at && (*at != '"' || at[1] == '"'); at++) at += *at == '"';
        at += *at == '"';
    } else
        at += strcspn(at, ",");
    for (int k = 0; k < LISTS; k++) {
        char number[HOL__NUMBER_SIZE];
        const char *start = at + 1;
        if (*at != ',') return 0;
        const double value = hol__number_read(start, &at);
        if (at == start) return 0;
        hol__text_add(&lists[k], "%s%s", lists[k].length ? ", " : "",
                      hol__number_text(value, number));
    }
    return 1;
}

/* The lines behind the first one, whose ends are overwritten; how many, -1 where one is not such a
 * line. *end receives the last line, where it says how the run ended. */
static int read_lines(char *text, hol__text *lists, char **end) {
    const size_t mark = strlen(END_MARK);
    int n = -1; /* the first holds the names */
    for (char *next; text && *text; text = next) {
        next = strchr(text, '\n');
        if (next) *next++ = '\0';
        if (n >= 0 && strncmp(text, END_MARK, mark) == 0) {
            *end = text + mark;
            return n;
        }
        if (n >= 0 && !read_line(text, lists)) return -1;
        n++;
    }
    return n;
}

/* The last line: how the run ended as a text of the result, and a warning where the samples are not
 * as many as it says; 0 without memory. */
static int read_end(hol_result *result, const char *path, char *text) {
    char *at;
    const long rows = strtol(text, &at, 10);
    const hol_location where = {path, 0, 0};
    if (rows != result->rows)
        hol__warn(result->ctx, &where, NULL,
                  "'%s' has %d rows, and the run wrote %ld: it was cut or changed", path,
                  result->rows, rows);
    at += strspn(at, " rows,");
    at[strcspn(at, "\r")] = '\0';
    return !*at || hol__result_add_text(result, "end", at);
}

hol_status hol__csv_read_extremes(hol_result *result, const char *path) {
    hol__text name, text, lists[LISTS];
    char *end = NULL;
    int n = 0, added = 1;
    hol__text_init(&name, result->ctx);
    hol__text_init(&text, result->ctx);
    for (int k = 0; k < LISTS; k++) hol__text_init(&lists[k], result->ctx);
    name_beside(&name, path);
    const hol__input input = {.path = name.data,
                              .text = 1,
                              .passing = 1,
                              .most = (size_t)64 << 20,
                              .what = "file of extremes"};
    hol_status status = name.failed ? HOL_ERR_MEMORY : HOL_OK;
    if (!status && access(name.data, F_OK) == 0)
        status = hol__input_read(result->ctx, &input, &text);
    if (!status && text.data) n = read_lines(text.data, lists, &end);
    /* beside other samples than its own it says nothing */
    const int fits = !status && n > 0 && n < result->n_columns;
    for (int k = 0; fits && k < LISTS; k++)
        added &= !lists[k].failed && hol__result_add_text(result, keys[k], lists[k].data);
    if (fits && end) added &= read_end(result, path, end);
    if (!added) status = HOL_ERR_MEMORY;
    hol__text_free(&name);
    hol__text_free(&text);
    for (int k = 0; k < LISTS; k++) hol__text_free(&lists[k]);
    return status;
}
