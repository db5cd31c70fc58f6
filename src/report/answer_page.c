/* answer_page.c: an answer as a page: facts, tables, and charts of the tables that have them. One
 * file without script: a chart is there in two sizes, for screens and for phones, its colours
 * follow the paper, and the numbers of long tables are files inside it. */
#include "base/argument.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "common/format.h"
#include "io/answer_format.h"
#include "io/out_file.h"
#include "report/figure.h"
#include "report/mathml.h"
#include "report/study_page.h"

#include <math.h>
#include <string.h>

/* Curves of a chart, rows of a table that is not folded, sizes of charts on screens and phones. */
enum { CELL = 40, MOST_SERIES = 8, MOST_ROWS = 24, N_SIZES = 2 };

static const struct {
    const char *name;
    int width, height, square; /* square: the height of a chart whose axes have one scale */
} sizes[N_SIZES] = {{"wide", 800, 420, 620}, {"narrow", 400, 340, 420}};

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem}\n"
    "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}\n"
    "h1,h2,dt,dd{overflow-wrap:break-word}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.15rem .6rem;text-align:right;white-space:nowrap}\n"
    "th:first-child,td.n{text-align:left;font-weight:400}\n"
    "td.f{text-align:left;padding:.4rem .8rem}table.f th{text-align:left}math{font-size:1.1em}\n"
    "thead th{border-bottom:1px solid;font-weight:600}thead small{font-weight:400}\n"
    "tbody tr:nth-child(even){background:#8881}\n"
    "dl{display:grid;grid-template-columns:fit-content(50%) minmax(0,1fr);gap:.1rem 1.2rem}\n"
    "dd{margin:0}summary{cursor:pointer}details{margin:.5rem 0}a{color:inherit}\n"
    "figure{margin:0}svg{max-width:100%;height:auto;display:block;margin:.5rem 0}\n"
    ".narrow{display:none}\n"
    "@media(max-width:560px){body{margin:1rem auto}.wide{display:none}.narrow{display:block}\n"
    "dl{display:block}dt{font-size:.85rem;opacity:.75}dd{margin-bottom:.4rem}}\n"
    "@media(prefers-color-scheme:dark){:root{background:#14181f;color:#e4e9f0}\n"
    "svg>rect:first-child{fill:none}\n";

/* Text that is no markup. */
static void put_text(hol__text *out, const char *text) {
    if (text) hol__text_add_xml(out, text);
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
            hol__mathml(out, t->latex[i * t->columns + j], t->formulas[i * t->columns + j]);
            hol__text_add(out, "</td>");
            continue;
        }
        hol__print(cell, sizeof cell, isnan(x) ? "" : "%.9g", x == 0 ? 0 : x);
        hol__text_add(out, "<td>%s</td>", cell);
    }
    hol__text_add(out, "</tr>\n");
}

static void put_rows(hol__text *out, const hol_table *t) {
    hol__text_add(out, "<div class=\"scroll\"><table%s><thead><tr>",
                  t->formulas ? " class=\"f\"" : "");
    if (t->row_names) hol__text_add(out, "<th></th>");
    for (int j = 0; j < t->columns; j++)
        put_heading(out, t->column_names[j], t->column_units ? t->column_units[j] : NULL);
    hol__text_add(out, "</tr></thead><tbody>\n");
    for (int i = 0; i < t->rows; i++) put_row(out, t, i);
    hol__text_add(out, "</tbody></table></div>\n");
}

/* The table as a file to keep, inside the page. */
static hol_status put_download(hol_context *ctx, hol__text *out, const hol_table *t) {
    hol__text csv;
    hol__text_init(&csv, ctx);
    hol__answer_put_csv(t, &csv);
    hol__text_add(out, "<p><a download=\"");
    put_text(out, t->name);
    hol__text_add(out, ".csv\" href=\"data:text/csv;base64,");
    if (!csv.failed) hol__base64(out, csv.data, csv.length);
    hol__text_add(out, "\">%d rows as CSV</a></p>\n", t->rows);
    const int failed = csv.failed;
    hol__text_free(&csv);
    return failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* A table; a long one is folded, with its numbers as a file. */
static hol_status put_table(hol_context *ctx, hol__text *out, const hol_table *t) {
    const int folded = t->rows > MOST_ROWS;
    const hol_status status = folded ? put_download(ctx, out, t) : HOL_OK;
    if (folded) hol__text_add(out, "<details><summary>all rows</summary>\n");
    put_rows(out, t);
    if (folded) hol__text_add(out, "</details>\n");
    return status;
}

/* ---- charts ---- */

/* The charts of a table: columns of one unit against column x, or pairs of columns. */
typedef struct lines {
    hol_context *ctx;
    const hol_table *table;
    int *number; /* of pictures in the page so far */
    double *x;   /* of column x */
    int n;
    hol_series series[MOST_SERIES];
    double *own[2 * MOST_SERIES]; /* numbers of columns, to be released */
    int n_own;
    char names[MOST_SERIES][2 * CELL];
} lines;

/* Column j by itself; NULL without memory. */
static double *column_of(hol_context *ctx, const hol_table *t, int j) {
    double *x = hol__alloc(ctx, (size_t)t->rows + 1, sizeof *x);
    for (int i = 0; x && i < t->rows; i++)
        x[i] = t->values[(size_t)i * (size_t)t->columns + (size_t)j];
    return x;
}

/* Add a curve; x NULL: over column x. 0 without memory. */
static int add_curve(lines *l, const char *name, double *x, int y) {
    const hol_table *t = l->table;
    double *values = column_of(l->ctx, t, y);
    if (x) l->own[l->n_own++] = x;
    if (values) l->own[l->n_own++] = values;
    if (!values) return 0;
    l->series[l->n] = (hol_series){.name = name,
                                   .unit = t->column_units[y],
                                   .n = t->rows,
                                   .x = x ? x : l->x,
                                   .y = values,
                                   .color = l->n};
    l->n++;
    return 1;
}

static void drop_curves(lines *l) {
    for (int i = 0; i < l->n_own; i++) hol__release(l->ctx, l->own[i]);
    l->n = l->n_own = 0;
}

/* A picture within the page, with names of its own for what it refers to. */
static void put_picture(hol__text *out, const char *svg, int number) {
    static const char *const marks[] = {"id=\"clip", "url(#clip"};
    while (*svg) {
        const char *next = NULL;
        for (int k = 0; k < 2; k++) {
            const char *at = strstr(svg, marks[k]);
            if (at && (!next || at < next)) next = at + strlen(marks[k]);
        }
        if (!next) break;
        hol__text_add_n(out, svg, (size_t)(next - svg));
        hol__text_add(out, "%d-", number);
        svg = next;
    }
    hol__text_add(out, "%s", svg);
}

/* How much higher a chart has to be for a legend of several lines. */
static int legend_room(const hol_figure *figure, int width) {
    const double size = 13, field = width - 8 * size;
    double used = 0;
    for (int i = 0; i < figure->n_series; i++)
        if (figure->series[i].name)
            used += 55 + 1.05 * hol__canvas_text_width(figure->series[i].name, size);
    return (int)(1.5 * size * fmin(fmax(0, ceil(1.25 * used / field) - 1), figure->n_series));
}

/* The chart in each size. */
static hol_status put_figure(hol__text *out, const lines *l, const hol_figure *figure) {
    hol_status status = HOL_OK;
    hol__text_add(out, "<figure role=\"img\" aria-label=\"");
    put_text(out, l->table->title);
    hol__text_add(out, "\">\n");
    for (int k = 0; k < N_SIZES && !status; k++) {
        const int height = (figure->equal ? sizes[k].square : sizes[k].height) +
                           legend_room(figure, sizes[k].width);
        hol__text picture;
        hol__text_init(&picture, l->ctx);
        status = hol__figure_svg(l->ctx, figure, sizes[k].width, height, &picture);
        hol__text_add(out, "<div class=\"%s\">\n", sizes[k].name);
        if (!status) put_picture(out, picture.data, ++*l->number);
        hol__text_add(out, "</div>\n");
        hol__text_free(&picture);
    }
    hol__text_add(out, "</figure>\n");
    return status;
}

/* The curves so far over column x, and none left. */
static hol_status put_chart(hol__text *out, lines *l) {
    const hol_table *t = l->table;
    const hol_figure figure = {.n_series = l->n,
                               .series = l->series,
                               .x_name = t->column_names[t->x],
                               .x_unit = t->column_units[t->x],
                               .y_name = l->n == 1 ? l->series[0].name : NULL,
                               .log_x = t->log_x,
                               .log_y = t->log_y};
    const hol_status status = l->n ? put_figure(out, l, &figure) : HOL_OK;
    drop_curves(l);
    return status;
}

/* Bytes of a name before its number: "real" of "real 3"; 0 without one. */
static size_t stem_of(const char *name) {
    const char *space = strrchr(name, ' ');
    return space && space[1] && !space[1 + strspn(space + 1, "0123456789")] ? (size_t)(space - name)
                                                                            : 0;
}

/* Whether a column is 0 in all rows: that needs no curve. */
static int is_zero(const hol_table *t, int j) {
    for (int i = 0; i < t->rows; i++)
        if (t->values[(size_t)i * (size_t)t->columns + (size_t)j] != 0) return 0;
    return 1;
}

/* Whether columns j and k go into one chart: one unit, and of numbered ones one stem. */
static int go_together(const hol_table *t, int j, int k) {
    const size_t n = stem_of(t->column_names[j]);
    return strcmp(t->column_units[j], t->column_units[k]) == 0 &&
           n == stem_of(t->column_names[k]) &&
           strncmp(t->column_names[j], t->column_names[k], n) == 0;
}

/* Whether a column before j goes into the chart of column j. */
static int seen_before(const hol_table *t, int j) {
    for (int k = 0; k < j; k++)
        if (k != t->x && go_together(t, k, j)) return 1;
    return 0;
}

/* Name the columns that have no curve. */
static void put_zeros(hol__text *out, const hol_table *t) {
    int n = 0;
    for (int j = 0; j < t->columns; j++) {
        if (j == t->x || !is_zero(t, j)) continue;
        hol__text_add(out, n++ ? ", " : "<p>Zero throughout: ");
        put_text(out, t->column_names[j]);
    }
    if (n) hol__text_add(out, "</p>\n");
}

/* Charts of the columns that go with column j, of so many curves each. */
static hol_status put_unit(hol__text *out, lines *l, int j) {
    const hol_table *t = l->table;
    hol_status status = HOL_OK;
    for (int k = j; k < t->columns && !status; k++) {
        if (k == t->x || !go_together(t, j, k) || is_zero(t, k)) continue;
        if (l->n == MOST_SERIES) status = put_chart(out, l);
        if (!status && !add_curve(l, t->column_names[k], NULL, k)) status = HOL_ERR_MEMORY;
    }
    return status ? status : put_chart(out, l);
}

/* Charts for each unit that columns have, and each stem of numbered ones. */
static hol_status put_charts(hol__text *out, lines *l) {
    const hol_table *t = l->table;
    hol_status status = HOL_OK;
    l->x = column_of(l->ctx, t, t->x);
    if (!l->x) return HOL_ERR_MEMORY;
    for (int j = 0; j < t->columns && !status; j++)
        if (j != t->x && !seen_before(t, j)) status = put_unit(out, l, j);
    put_zeros(out, t);
    drop_curves(l);
    hol__release(l->ctx, l->x);
    return status;
}

/* The name of a path from those of its columns: "foot" of "foot.x" and "foot.y", else "x, y". */
static void name_path(const char *x, const char *y, char name[2 * CELL]) {
    const char *dot = strrchr(x, '.');
    const size_t n = stem_of(x), m = stem_of(y);
    if (dot && strncmp(x, y, (size_t)(dot - x) + 1) == 0)
        hol__print(name, 2 * CELL, "%.*s", (int)(dot - x), x);
    else if (n && m && strcmp(x + n, y + m) == 0)
        hol__print(name, 2 * CELL, "%.70s", x + n + 1);
    else
        hol__print(name, 2 * CELL, "%.38s, %.38s", x, y);
}

/* What stands beside an axis of paths: the column, of several on logarithmic axes what they have in
 * common ("evaluations" of "lagrange.evaluations"), or a letter. */
static const char *axis_of(const hol_table *t, int column, const char *letter) {
    const char *name = t->column_names[column], *dot = strrchr(name, '.');
    if (t->scattered) return name;
    if (stem_of(name) && strncmp(name, "real", 4) == 0) return "real part";
    if (stem_of(name) && strncmp(name, "imaginary", 9) == 0) return "imaginary part";
    return (t->log_x || t->log_y) && dot ? dot + 1 : letter;
}

/* The paths of the table: curves together, places that stand by themselves (seen along an axis
 * each) in a chart of their own. */
static hol_status put_paths(hol__text *out, lines *l) {
    const hol_table *t = l->table;
    hol_status status = HOL_OK;
    for (int i = 0; i < t->n_paths && !status; i++) {
        const int x = t->paths[2 * i], y = t->paths[2 * i + 1];
        double *across = column_of(l->ctx, t, x);
        name_path(t->column_names[x], t->column_names[y], l->names[l->n]);
        if (!across || !add_curve(l, t->scattered ? NULL : l->names[l->n], across, y)) {
            status = HOL_ERR_MEMORY;
            break;
        }
        if (!t->scattered && i + 1 < t->n_paths && l->n < MOST_SERIES) continue;
        const int powers = t->log_x || t->log_y;
        const hol_figure figure = {.n_series = l->n,
                                   .series = l->series,
                                   .kind = t->scattered ? HOL_FIGURE_DOTS
                                           : powers     ? HOL_FIGURE_POINTS
                                                        : HOL_FIGURE_LINES,
                                   .x_name = axis_of(t, x, "x"),
                                   .x_unit = t->column_units[x],
                                   .y_name = axis_of(t, y, "y"),
                                   .log_x = t->log_x,
                                   .log_y = t->log_y,
                                   .widen_x = powers,
                                   .equal = !powers};
        status = put_figure(out, l, &figure);
        drop_curves(l);
    }
    drop_curves(l);
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

/* Facts, tables and charts, in the order of the answer. */
static hol_status write_plain(hol_context *ctx, const hol_answer *answer, const char *path) {
    hol_status status = HOL_OK;
    hol__text page;
    int pictures = 0;
    hol__text_init(&page, ctx);
    hol__text_add(&page, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    put_text(&page, hol_answer_title(answer));
    hol__text_add(&page, "</title>\n%s", style);
    hol__figure_dark_style(&page);
    hol__text_add(&page, "}\n</style>\n</head><body>\n<h1>");
    put_text(&page, hol_answer_title(answer));
    hol__text_add(&page, "</h1>\n");
    put_facts(&page, answer);
    for (int i = 0; i < hol_answer_tables(answer) && !status; i++) {
        hol_table table = {.size = sizeof table};
        hol_answer_table(answer, i, &table);
        hol__text_add(&page, "<h2>");
        put_text(&page, table.title);
        hol__text_add(&page, "</h2>\n");
        lines l = {.ctx = ctx, .table = &table, .number = &pictures};
        const int drawn = table.rows > 1 && table.column_units;
        if (drawn) status = put_paths(&page, &l);
        if (!status && drawn && table.x >= 0) status = put_charts(&page, &l);
        if (!table.rows)
            hol__text_add(&page, "<p>none</p>\n");
        else if (!status)
            status = put_table(ctx, &page, &table);
    }
    hol__text_add(&page, "</body></html>\n");
    const hol__piece piece = {page.data, page.length};
    if (!status && page.failed) status = HOL_ERR_MEMORY;
    if (!status) status = hol__out_write(ctx, path, &piece, 1);
    hol__text_free(&page);
    return status;
}

hol_status hol_report_answer(hol_context *ctx, const hol_answer *answer, const char *path) {
    static const char call[] = "hol_report_answer";
    hol__page page;
    if (!ctx || hol__need(ctx, call, "the answer", answer) ||
        hol__need(ctx, call, "the path", path))
        return HOL_ERR_ARGUMENT;
    if (strcmp(hol_answer_command(answer), "study") == 0 && hol__page_of_studies(&page))
        return hol__study_page_write(ctx, answer, &page, path);
    return write_plain(ctx, answer, path);
}
