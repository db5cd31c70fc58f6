/* chart.c: columns of results as a figure: which columns of which files, as curves over time or
 * over another column.
 *
 * A column that no file has by that name is an expression of columns, such as
 * constraints.position_violation^2, evaluated record by record.
 */
#include <holonom/report.h>

#include "io/out_file.h"
#include "base/argument.h"
#include "base/expr.h"
#include "base/text.h"
#include "base/unit_set.h"
#include "io/format.h"

#include <stdio.h>
#include <string.h>

typedef struct chart {
    hol_context *ctx;
    hol__arena arena;
    const hol_chart *about;
    hol_result **results;
    hol_series *series;
    int n_series;
} chart;

/* ---- columns ---- */

/* A result and the file it came from, for names and messages. */
typedef struct source {
    const hol_result *result;
    hol_location where;
} source;

static const char *name_at(const void *list, int i) {
    const hol_column *column = hol_result_column(((const source *)list)->result, i);
    return column ? column->name : NULL;
}

/* Names in expressions are columns, which are there in SI units. */
static hol__symbol find_symbol(void *self, const char *name, const hol_location *where) {
    const source *from = self;
    const int column = hol_result_find(from->result, name);
    (void)where;
    if (column < 0) return (hol__symbol){.kind = HOL__SYMBOL_UNKNOWN};
    const char *unit = hol_result_column(from->result, column)->unit;
    hol__symbol symbol = {.kind = HOL__SYMBOL_INPUT, .input = column};
    if (*unit) symbol.dim = hol__dim_of(unit);
    symbol.dim.soft = 1;
    return symbol;
}

/* What SI values of all columns are made of the shown ones: times/over each. */
static hol_unit *units_of(chart *c, const source *from, int columns) {
    hol_unit *units = HOL__NEW_N(&c->arena, hol_unit, columns + 1);
    for (int k = 0; units && k < columns; k++)
        if (!hol__unit_try(hol_result_column(from->result, k)->unit, &units[k]))
            units[k] = (hol_unit){.times = 1, .over = 1};
    return units;
}

/* Whether a word can only be a name. */
static int is_plain(const char *word) {
    return !strpbrk(word, "+-*/^()<>= ");
}

/* Whether a word asks for the length of a vector that is there (expr_magnitude.c). */
static int is_magnitude(const source *from, const char *word) {
    const char *dot = strrchr(word, '.'), *other;
    if (!dot || (strcmp(dot, ".magnitude") != 0 && strcmp(dot, ".moment_magnitude") != 0)) return 0;
    for (int i = 0; (other = name_at(from, i)); i++)
        if (strncmp(other, word, (size_t)(dot - word) + 1) == 0) return 1;
    return 0;
}

/* The values of an expression at all records; NULL after an error. */
static const double *evaluate(chart *c, source *from, const char *text, const char **unit) {
    const hol__scope scope = {.self = from, .find = find_symbol, .name = name_at};
    const int rows = hol_result_rows(from->result);
    int columns = 0;
    while (hol_result_column(from->result, columns)) columns++;
    hol__expr *e = hol__expr_compile(&c->arena, text, &scope, columns, &from->where, NULL);
    double *values = e ? HOL__NEW_N(&c->arena, double, rows + 1) : NULL;
    double *in = e ? HOL__NEW_N(&c->arena, double, columns + 1) : NULL;
    double *scratch = e ? HOL__NEW_N(&c->arena, double, hol__expr_scratch(e) + 1) : NULL;
    const hol_unit *units = e ? units_of(c, from, columns) : NULL;
    char name[HOL_UNIT_SIZE];
    if (!values || !in || !scratch || !units) return NULL;
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < columns; k++)
            in[k] = hol_result_values(from->result, k)[i] * units[k].times / units[k].over;
        values[i] = hol__expr_value(e, in, scratch);
    }
    *unit = hol__arena_text(&c->arena, hol__unit_of_dim(hol__expr_dim(e), name, sizeof name));
    return values;
}

/* "; it has 'M.load', 'M.power'": the columns of the measure of that name, or one that is near. */
static const char *suggest(const source *from, const char *name, char *hint, size_t size) {
    const size_t length = strlen(name);
    const char *other;
    size_t used = 0;
    for (int i = 0; (other = name_at(from, i)) && used < size; i++)
        if (strncmp(other, name, length) == 0 && other[length] == '.')
            used += (size_t)snprintf(hint + used, size - used, "%s'%s'", used ? ", " : "; it has ",
                                     other);
    return used ? hint : hol__did_you_mean(hol__nearest(name, name_at, from), hint, size);
}

/* The values of a column, or of an expression of columns, and their unit; NULL after an error. */
static const double *values_of(chart *c, source *from, const char *name, const char **unit) {
    const int column = hol_result_find(from->result, name);
    char hint[256];
    *unit = "";
    if (column >= 0) {
        *unit = hol_result_column(from->result, column)->unit;
        return hol_result_values(from->result, column);
    }
    if (!is_plain(name) || is_magnitude(from, name)) return evaluate(c, from, name, unit);
    hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &from->where, NULL,
                "there is no column '%s'%s", name, suggest(from, name, hint, sizeof hint));
    return NULL;
}

/* The differences from the first value. */
static const double *changes(chart *c, int n, const double *values) {
    double *out = HOL__NEW_N(&c->arena, double, n + 1);
    for (int i = 0; out && i < n; i++) out[i] = values[i] - values[0];
    return out;
}

/* ---- series ---- */

/* The last part of a path; without its ending where stem is set. */
static const char *file_name(chart *c, const char *path, int stem) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *dot = strrchr(name, '.');
    return stem && dot ? hol__arena_format(&c->arena, "%.*s", (int)(dot - name), name) : name;
}

/* What the legend calls a curve: its column, its file, or both, as there are several. */
static const char *legend(chart *c, int r, int k) {
    const hol_chart *about = c->about;
    const char *file =
        about->labels ? about->labels[r] : file_name(c, about->results[r], about->n_columns == 1);
    if (about->n_results == 1 && !about->labels) return about->columns[k];
    if (about->n_columns == 1) return file;
    return hol__arena_format(&c->arena, "%s \xC2\xB7 %s", about->columns[k], file);
}

/* Column k of result r as a curve. */
static hol_status add_series(chart *c, int r, int k) {
    const hol_chart *about = c->about;
    source from = {c->results[r], {about->results[r], 0, 0}};
    const int several = about->n_results > 1, n = hol_result_rows(from.result);
    const char *unit, *x_unit;
    const double *y = values_of(c, &from, about->columns[k], &unit);
    const double *x = y ? values_of(c, &from, about->x ? about->x : "time", &x_unit) : NULL;
    if (y && about->change) y = changes(c, n, y);
    if (c->arena.failed) return HOL_ERR_MEMORY;
    if (!x || !y) return HOL_ERR_ARGUMENT;
    c->series[c->n_series++] = (hol_series){.name = legend(c, r, k),
                                            .unit = unit,
                                            .n = n,
                                            .x = x,
                                            .y = y,
                                            .color = several ? r : k,
                                            .dash = several ? k : 0};
    return HOL_OK;
}

/* The only column with this unit; NULL where there are several. */
static const char *only_name(const chart *c, const char *unit) {
    const char *name = NULL;
    for (int i = 0; i < c->n_series; i++) {
        const char *column = c->about->columns[i % c->about->n_columns];
        if (strcmp(c->series[i].unit, unit) != 0) continue;
        if (name && strcmp(name, column) != 0) return NULL;
        name = column;
    }
    return name;
}

/* The second unit there is, or NULL. */
static const char *right_unit(const chart *c) {
    for (int i = 1; i < c->n_series; i++)
        if (strcmp(c->series[i].unit, c->series[0].unit) != 0) return c->series[i].unit;
    return NULL;
}

/* What is given, or the name of the column; "name (change)" where differences are drawn. */
static const char *axis_name(chart *c, const char *unit, const char *given) {
    const char *name = unit ? only_name(c, unit) : NULL;
    if (given) return given;
    return name && c->about->change ? hol__arena_format(&c->arena, "%s (change)", name) : name;
}

/* All curves, then the figure. */
static hol_status draw(chart *c, const char *path) {
    const hol_chart *about = c->about;
    hol_status status = HOL_OK;
    for (int r = 0; r < about->n_results && !status; r++)
        for (int k = 0; k < about->n_columns && !status; k++) status = add_series(c, r, k);
    if (status) return status;
    const int x = about->x ? hol_result_find(c->results[0], about->x) : 0;
    const hol_figure figure = {.n_series = c->n_series,
                               .series = c->series,
                               .x_name = about->x ? about->x : "time",
                               .x_unit = x >= 0 ? hol_result_column(c->results[0], x)->unit : "",
                               .y_name = axis_name(c, c->series[0].unit, about->name),
                               .right_name = axis_name(c, right_unit(c), NULL),
                               .title = about->title,
                               .kind = about->points ? HOL_FIGURE_POINTS : HOL_FIGURE_LINES,
                               .widen_x = about->x != NULL,
                               .log_x = about->log_x,
                               .log_y = about->log_y,
                               .low = about->low,
                               .high = about->high};
    return hol_figures_write(c->ctx, 1, &figure, about->width, about->height, path);
}

/* Read the results, then draw. */
static hol_status make(chart *c, const char *path) {
    for (int i = 0; i < c->about->n_results; i++) {
        c->results[i] = hol_result_read(c->ctx, c->about->results[i]);
        if (!c->results[i]) {
            const int n = hol_message_count(c->ctx);
            const hol_message *last = n ? hol_message_get(c->ctx, n - 1) : NULL;
            return last && last->status < 0 ? last->status : HOL_ERR_IO;
        }
        const hol_status status =
            c->about->units
                ? hol_result_set_units(c->results[i], c->about->units)
                : hol__result_follow(c->results[i], c->results[0], c->about->results[i]);
        if (status) return status;
    }
    return draw(c, path);
}

hol_status hol_chart_write(hol_context *ctx, const hol_chart *about, const char *path) {
    static const char call[] = "hol_chart_write";
    chart c = {.ctx = ctx, .about = about};
    if (!ctx || hol__need(ctx, call, "the chart", about) ||
        hol__need(ctx, call, "the path", path) ||
        hol__need_texts(ctx, call, "results", about->n_results, about->results) ||
        hol__need_texts(ctx, call, "columns", about->n_columns, about->columns))
        return HOL_ERR_ARGUMENT;
    const hol_status clash = hol__out_none_of(ctx, path, about->n_results, about->results);
    if (clash) return clash;
    hol__arena_init(&c.arena, ctx);
    c.results = HOL__NEW_N(&c.arena, hol_result *, about->n_results);
    c.series = HOL__NEW_N(&c.arena, hol_series, about->n_results * about->n_columns);
    const hol_status status = c.results && c.series ? make(&c, path) : HOL_ERR_MEMORY;
    for (int i = 0; c.results && i < about->n_results; i++) hol_result_free(c.results[i]);
    hol__arena_free(&c.arena);
    return status;
}
