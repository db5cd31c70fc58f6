/* result.c: results in memory, whatever file they came from. */
#include "base/argument.h"
#include "io/format.h"
#include "io/out_lock.h"
#include "io/out_path.h"
#include "base/give.h"
#include "base/unit_set.h"
#include "common/in_file.h"
#include "common/number.h"

#include <string.h>

/* Say that the rows are those of a run that goes on or did not end. */
static void say_unfinished(const hol_result *result, const char *path) {
    const char *end = hol_result_text(result, "end");
    const hol_location where = {path, 0, 0};
    const int known = end && strcmp(end, hol_end_name(HOL_END_RUNNING)) != 0;
    hol__in_file in;
    if (known || (!end && !hol__out_is_part(path)) || hol__in_open(path, 0, &in)) return;
    const long writer = hol__out_writer_of(in.fd);
    hol__in_close(&in);
    if (writer > 0)
        hol__report(result->ctx, HOL_NOTE, HOL_OK, &where, NULL,
                    "process %ld is writing this file: %d rows so far", writer, result->rows);
    else
        hol__warn(result->ctx, &where, NULL, "the run that %s: %d rows are whole",
                  writer ? "writes this file goes on" : "wrote this file did not end",
                  result->rows);
}

/* A file that is not there may be that of a run that goes on or did not end; say so. */
static void say_part(hol_context *ctx, const char *path) {
    hol__in_file in;
    char *part = hol__in_open(path, 0, &in) ? hol__out_part(ctx, path) : NULL;
    const hol_location where = {path, 0, 0};
    hol__in_close(&in);
    if (part && !hol__in_open(part, 0, &in))
        hol__report(ctx, HOL_NOTE, HOL_OK, &where, NULL,
                    "'%s' is there, of a run that goes on or did not end", part);
    hol__in_close(&in);
    hol__release(ctx, part);
}

hol_result *hol_result_read(hol_context *ctx, const char *path) {
    if (!ctx || hol__need(ctx, "hol_result_read", "the path", path)) return NULL;
    const hol__format *format = hol__format_of(ctx, path);
    hol_result *result = format ? hol__alloc(ctx, 1, sizeof *result) : NULL;
    if (!result) return NULL;
    *result = (hol_result){.ctx = ctx};
    hol__arena_init(&result->arena, ctx);
    if (format->read(result, path) == HOL_OK) {
        say_unfinished(result, path);
        return result;
    }
    say_part(ctx, path);
    hol_result_free(result);
    return NULL;
}

void hol_result_free(hol_result *result) {
    if (!result) return;
    hol__arena_free(&result->arena);
    hol__release(result->ctx, result);
}

/* A copy in the arena, "" for NULL. */
static const char *copy(hol_result *result, const char *text) {
    return text ? hol__arena_text(&result->arena, text) : "";
}

double *hol__result_add(hol_result *result, const hol_column *column) {
    const int n = result->n_columns;
    hol_column *columns = hol__arena_grow(&result->arena, result->columns, sizeof *columns, n,
                                          &result->column_capacity, n + 1);
    double **values = hol__arena_grow(&result->arena, result->values, sizeof *values, n,
                                      &result->value_capacity, n + 1);
    const char **stored = hol__arena_grow(&result->arena, result->stored, sizeof *stored, n,
                                          &result->stored_capacity, n + 1);
    double *numbers = HOL__NEW_N(&result->arena, double, result->rows);
    if (columns) result->columns = columns;
    if (values) result->values = values;
    if (stored) result->stored = stored;
    const hol_column own = {copy(result, column->name), copy(result, column->unit),
                            copy(result, column->frame), copy(result, column->doc)};
    if (!columns || !values || !stored || !numbers) return NULL;
    if (!own.name || !own.unit || !own.frame || !own.doc) return NULL;
    columns[n] = own;
    stored[n] = own.unit;
    values[n] = numbers;
    result->n_columns = n + 1;
    return numbers;
}

int hol__result_add_text(hol_result *result, const char *key, const char *value) {
    const int n = result->n_texts;
    hol__pair *texts = hol__arena_grow(&result->arena, result->texts, sizeof *texts, n,
                                       &result->text_capacity, n + 1);
    if (!texts) return 0;
    result->texts = texts;
    texts[n] = (hol__pair){copy(result, key), copy(result, value)};
    if (!texts[n].key || !texts[n].value) return 0;
    result->n_texts = n + 1;
    return 1;
}

int hol_result_rows(const hol_result *result) {
    return result ? result->rows : 0;
}

int hol_result_columns(const hol_result *result) {
    return result ? result->n_columns : 0;
}

const hol_column *hol_result_column(const hol_result *result, int i) {
    return result && i >= 0 && i < result->n_columns ? &result->columns[i] : NULL;
}

const double *hol_result_values(const hol_result *result, int i) {
    return result && i >= 0 && i < result->n_columns ? result->values[i] : NULL;
}

int hol_result_find(const hol_result *result, const char *name) {
    for (int i = 0; result && name && i < result->n_columns; i++)
        if (strcmp(result->columns[i].name, name) == 0) return i;
    return -1;
}

const char *hol_result_text(const hol_result *result, const char *key) {
    for (int i = 0; result && key && i < result->n_texts; i++)
        if (strcmp(result->texts[i].key, key) == 0) return result->texts[i].value;
    return NULL;
}

/* Number k of a stored list; 0 where there is none. */
static int number_of(const hol_result *result, const char *key, int k, double *value) {
    const char *at = hol_result_text(result, key);
    for (; at && k > 0; k--) {
        at = strchr(at, ',');
        if (at) at++;
    }
    if (!at) return 0;
    at += strspn(at, " ");
    const char *end;
    *value = hol__number_read(at, &end);
    return end != at;
}

/* A number of column i from the unit of the file to that which the column is shown in. */
static double in_shown_unit(const hol_result *result, int i, double value) {
    hol_unit from, to;
    const char *stored = result->stored[i], *shown = result->columns[i].unit;
    if (strcmp(stored, shown) == 0 || !hol__unit_try(stored, &from) || !hol__unit_try(shown, &to))
        return value;
    return hol_unit_show(&to, value * from.times / from.over);
}

hol_status hol_result_extremes(const hol_result *result, int i, hol_extremes *out) {
    hol_extremes x = {0};
    if (!result || i < 1 || i >= result->n_columns ||
        !number_of(result, "statistics.minima", i - 1, &x.minimum) ||
        !number_of(result, "statistics.minimum_times", i - 1, &x.minimum_time) ||
        !number_of(result, "statistics.maxima", i - 1, &x.maximum) ||
        !number_of(result, "statistics.maximum_times", i - 1, &x.maximum_time))
        return HOL_ERR_ARGUMENT;
    x.minimum = in_shown_unit(result, i, x.minimum);
    x.maximum = in_shown_unit(result, i, x.maximum);
    x.minimum_time = in_shown_unit(result, 0, x.minimum_time);
    x.maximum_time = in_shown_unit(result, 0, x.maximum_time);
    return hol__give(result->ctx, "hol_result_extremes", &x, sizeof x, out);
}
