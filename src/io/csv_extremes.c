/* csv_extremes.c: the extremes of the columns over all steps, in a file beside the samples.
 *
 * x.csv holds samples only, so that every program can read it; x.extremes.csv has a line a measured
 * column: its name with its unit, the least value and its time, the largest and its time. Numbers
 * have 17 significant digits.
 */
#define _POSIX_C_SOURCE 200809L
#include "common/number.h"
#include "io/format.h"
#include "io/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const keys[] = {"statistics.minima", "statistics.minimum_times",
                                   "statistics.maxima", "statistics.maximum_times"};

enum { LISTS = sizeof keys / sizeof *keys };

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
                                   const hol_sim_info *info) {
    hol__text name, lines;
    hol__text_init(&name, ctx);
    hol__text_init(&lines, ctx);
    name_beside(&name, path);
    put_lines(&lines, record, info);
    hol_status status = name.failed || lines.failed ? HOL_ERR_MEMORY : HOL_OK;
    FILE *file = status || !info->minima.n ? NULL : fopen(name.data, "wb");
    if (!status && !info->minima.n) remove(name.data); /* of an earlier run */
    if (!status && info->minima.n) {
        const int whole = file && fwrite(lines.data, 1, lines.length, file) == lines.length;
        const int reason = errno, closed = file && fclose(file) == 0;
        const hol_location where = {name.data, 0, 0};
        if (!whole || !closed)
            status = hol__report(ctx, HOL_ERROR, HOL_ERR_IO, &where, NULL, "cannot write '%s': %s",
                                 name.data, strerror(reason));
    }
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
 * line. */
static int read_lines(char *text, hol__text *lists) {
    int n = -1; /* the first holds the names */
    for (char *next; text && *text; text = next) {
        next = strchr(text, '\n');
        if (next) *next++ = '\0';
        if (n >= 0 && !read_line(text, lists)) return -1;
        n++;
    }
    return n;
}

hol_status hol__csv_read_extremes(hol_result *result, const char *path) {
    hol__text name, text, lists[LISTS];
    int n = 0, added = 1;
    hol__text_init(&name, result->ctx);
    hol__text_init(&text, result->ctx);
    for (int k = 0; k < LISTS; k++) hol__text_init(&lists[k], result->ctx);
    name_beside(&name, path);
    const hol__input input = {
        .path = name.data, .text = 1, .most = (size_t)64 << 20, .what = "file of extremes"};
    hol_status status = name.failed ? HOL_ERR_MEMORY : HOL_OK;
    if (!status && access(name.data, F_OK) == 0)
        status = hol__input_read(result->ctx, &input, &text);
    if (!status && text.data) n = read_lines(text.data, lists);
    /* beside other samples than its own it says nothing */
    const int fits = !status && n > 0 && n < result->n_columns;
    for (int k = 0; fits && k < LISTS; k++)
        added &= !lists[k].failed && hol__result_add_text(result, keys[k], lists[k].data);
    if (!added) status = HOL_ERR_MEMORY;
    hol__text_free(&name);
    hol__text_free(&text);
    for (int k = 0; k < LISTS; k++) hol__text_free(&lists[k]);
    return status;
}
