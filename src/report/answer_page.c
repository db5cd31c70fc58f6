/* answer_page.c: an answer as a page: facts, tables, and charts of the tables that have them. One
 * file without script. */
#include "base/argument.h"
#include "base/bytes.h"
#include "common/format.h"
#include "io/out_file.h"
#include "report/figure.h"

#include <math.h>
#include <string.h>

enum { CELL = 40, MOST_SERIES = 24 };

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}\n"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}\n"
    "div{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.15rem .6rem;text-align:right;white-space:nowrap}\n"
    "th:first-child,td.n{text-align:left;font-weight:400}\n"
    "td.f{text-align:left;font-family:ui-monospace,monospace}\n"
    "thead th{border-bottom:1px solid;font-weight:600}thead small{font-weight:400}\n"
    "tbody tr:nth-child(even){background:#8881}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1.2rem}dd{margin:0}\n"
    "img{max-width:100%;background:#fff;margin:.5rem 0}\n"
    "</style>\n";

/* Text that is no markup. */
static void put_text(hol__text *out, const char *text) {
    for (; text && *text; text++) {
        const char *as = *text == '<'   ? "&lt;"
                         : *text == '>' ? "&gt;"
                         : *text == '&' ? "&amp;"
                         : *text == '"' ? "&quot;"
                                        : NULL;
        if (as)
            hol__text_add(out, "%s", as);
        else
            hol__text_add_n(out, text, 1);
    }
}

/* ---- tables ---- */

static void put_heading(hol__text *out, const char *name, const char *unit) {
    hol__text_add(out, "<th>");
    put_text(out, name);
    if (unit && *unit) {
        hol__text_add(out, " <small>[");
        put_text(out, unit);
        hol__text_add(out, "]</small>");
    }
    hol__text_add(out, "</th>");
}

static void put_row(hol__text *out, const hol_table *t, int i) {
    char cell[CELL];
    hol__text_add(out, "<tr>");
    if (t->row_names) put_heading(out, t->row_names[i], t->row_units ? t->row_units[i] : NULL);
    for (int j = 0; j < t->columns; j++) {
        const double x = t->values[(size_t)i * (size_t)t->columns + (size_t)j];
        if (t->formulas) {
            hol__text_add(out, "<td class=\"f\">");
            put_text(out, t->formulas[i * t->columns + j]);
            hol__text_add(out, "</td>");
            continue;
        }
        hol__print(cell, sizeof cell, isnan(x) ? "" : "%.9g", x == 0 ? 0 : x);
        hol__text_add(out, "<td>%s</td>", cell);
    }
    hol__text_add(out, "</tr>\n");
}

static void put_table(hol__text *out, const hol_table *t) {
    hol__text_add(out, "<div><table><thead><tr>");
    if (t->row_names) hol__text_add(out, "<th></th>");
    for (int j = 0; j < t->columns; j++)
        put_heading(out, t->column_names[j], t->column_units ? t->column_units[j] : NULL);
    hol__text_add(out, "</tr></thead><tbody>\n");
    for (int i = 0; i < t->rows; i++) put_row(out, t, i);
    hol__text_add(out, "</tbody></table></div>\n");
}

/* ---- charts ---- */

/* Columns of one unit against column x of the table. */
typedef struct lines {
    hol_context *ctx;
    const hol_table *table;
    const char *unit;
    int n;
    hol_series series[MOST_SERIES];
} lines;

/* Column j by itself; NULL without memory. */
static double *column_of(hol_context *ctx, const hol_table *t, int j) {
    double *x = hol__alloc(ctx, (size_t)t->rows + 1, sizeof *x);
    for (int i = 0; x && i < t->rows; i++)
        x[i] = t->values[(size_t)i * (size_t)t->columns + (size_t)j];
    return x;
}

/* The columns of the unit as series. */
static void collect(lines *l, const double *x) {
    const hol_table *t = l->table;
    for (int j = 0; j < t->columns && l->n < MOST_SERIES; j++) {
        if (j == t->x || strcmp(t->column_units[j], l->unit) != 0) continue;
        double *y = column_of(l->ctx, t, j);
        if (!y) return;
        l->series[l->n] = (hol_series){.name = t->column_names[j],
                                       .unit = l->unit,
                                       .n = t->rows,
                                       .x = x,
                                       .y = y,
                                       .color = l->n % 8,
                                       .dash = l->n / 8};
        l->n++;
    }
}

/* The chart as a picture within the page. */
static hol_status put_chart(hol__text *out, const lines *l) {
    const hol_table *t = l->table;
    const hol_figure figure = {.n_series = l->n,
                               .series = l->series,
                               .x_name = t->column_names[t->x],
                               .x_unit = t->column_units[t->x],
                               .y_name = l->n == 1 ? l->series[0].name : NULL,
                               .log_x = t->log_x,
                               .log_y = t->log_y};
    hol__text picture;
    hol__text_init(&picture, l->ctx);
    const hol_status status = hol__figure_svg(l->ctx, &figure, 800, 420, &picture);
    if (!status) {
        hol__text_add(out, "<p><img alt=\"");
        put_text(out, t->title);
        hol__text_add(out, "\" src=\"data:image/svg+xml;base64,");
        hol__base64(out, picture.data, picture.length);
        hol__text_add(out, "\"></p>\n");
    }
    hol__text_free(&picture);
    return status;
}

/* A chart for each unit that columns have. */
static hol_status put_charts(hol_context *ctx, hol__text *out, const hol_table *t) {
    hol_status status = HOL_OK;
    double *x = column_of(ctx, t, t->x);
    if (!x) return HOL_ERR_MEMORY;
    for (int j = 0; j < t->columns && !status; j++) {
        int before = j == t->x;
        for (int k = 0; k < j && !before; k++)
            before = k != t->x && strcmp(t->column_units[k], t->column_units[j]) == 0;
        if (before) continue;
        lines l = {.ctx = ctx, .table = t, .unit = t->column_units[j]};
        collect(&l, x);
        if (l.n) status = put_chart(out, &l);
        for (int k = 0; k < l.n; k++) hol__release(ctx, (void *)l.series[k].y);
    }
    hol__release(ctx, x);
    return status;
}

/* ---- the page ---- */

static void put_facts(hol__text *out, const hol_answer *answer) {
    char cell[CELL];
    hol__text_add(out, "<dl>\n");
    for (int i = 0; i < hol_answer_facts(answer); i++) {
        hol_fact fact = {.size = sizeof fact};
        hol_answer_fact(answer, i, &fact);
        hol__text_add(out, "<dt>");
        put_text(out, fact.title);
        hol__text_add(out, "</dt><dd>");
        hol__print(cell, sizeof cell, "%.12g", fact.value);
        put_text(out, fact.text ? fact.text : cell);
        if (!fact.text && *fact.unit) hol__text_add(out, " ");
        if (!fact.text) put_text(out, fact.unit);
        hol__text_add(out, "</dd>\n");
    }
    hol__text_add(out, "</dl>\n");
}

hol_status hol_report_answer(hol_context *ctx, const hol_answer *answer, const char *path) {
    static const char call[] = "hol_report_answer";
    hol_status status = HOL_OK;
    hol__text page;
    if (!ctx || hol__need(ctx, call, "the answer", answer) ||
        hol__need(ctx, call, "the path", path))
        return HOL_ERR_ARGUMENT;
    hol__text_init(&page, ctx);
    hol__text_add(&page, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    put_text(&page, hol_answer_title(answer));
    hol__text_add(&page, "</title>\n%s</head><body>\n<h1>", style);
    put_text(&page, hol_answer_title(answer));
    hol__text_add(&page, "</h1>\n");
    put_facts(&page, answer);
    for (int i = 0; i < hol_answer_tables(answer) && !status; i++) {
        hol_table table = {.size = sizeof table};
        hol_answer_table(answer, i, &table);
        hol__text_add(&page, "<h2>");
        put_text(&page, table.title);
        hol__text_add(&page, "</h2>\n");
        if (table.x >= 0 && table.rows > 1 && table.column_units)
            status = put_charts(ctx, &page, &table);
        put_table(&page, &table);
    }
    hol__text_add(&page, "</body></html>\n");
    const hol__piece piece = {page.data, page.length};
    if (!status && page.failed) status = HOL_ERR_MEMORY;
    if (!status) status = hol__out_write(ctx, path, &piece, 1);
    hol__text_free(&page);
    return status;
}
