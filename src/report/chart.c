/* chart.c: columns of results as a chart for papers: axes with units, curves, a legend. */
#include <holonom/report.h>

#include "base/text.h"
#include "io/format.h"
#include "report/canvas.h"
#include "report/file.h"
#include "report/ticks.h"

#include <math.h>
#include <string.h>

enum { MAX_UNITS = 2, MAX_SIDE = 16000, INK = 0x222222, SOFT = 0x666666, GRID = 0xDDDDDD };

static const unsigned colors[] = {0x2B66C0, 0xD9660F, 0x1F8A5B, 0xBF3556,
                                  0x7A55C0, 0x0F8CA3, 0xA07A10, 0xB04A92};
static const double dashes[] = {0, 7, 2.5, 11};

/* A curve: a column of a result, the column that it stands over, and its axis. */
typedef struct curve {
    const hol_result *result;
    const char *file;
    int x, y; /* columns */
    int side; /* 0: left axis, 1: right */
    int color, dash;
} curve;

typedef struct chart {
    hol_context *ctx;
    const hol_chart *about;
    hol_result **results;
    int n_curves, n_units;
    curve *curves;
    const char *units[MAX_UNITS];
    hol__scale across, up[MAX_UNITS];
    double left, top, width, height; /* of the field */
    double size;                     /* of letters */
    double legend;                   /* height of the legend */
} chart;

/* ---- what is drawn ---- */

typedef struct name_list {
    const hol_result *result;
} name_list;

static const char *name_at(const void *list, int i) {
    const hol_column *column = hol_result_column(((const name_list *)list)->result, i);
    return column ? column->name : NULL;
}

/* The column of that name; -1 after an error with a suggestion. */
static int find(const chart *c, const hol_result *result, const char *file, const char *name) {
    const int column = hol_result_find(result, name);
    const name_list list = {result};
    const hol_location where = {file, 0, 0};
    char hint[160];
    if (column < 0)
        hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL, "there is no column '%s'%s",
                    name, hol__did_you_mean(hol__nearest(name, name_at, &list), hint, sizeof hint));
    return column;
}

/* The axis for a unit; -1 when there are too many units. */
static int side_of(chart *c, const char *unit) {
    for (int i = 0; i < c->n_units; i++)
        if (strcmp(c->units[i], unit) == 0) return i;
    if (c->n_units == MAX_UNITS) return -1;
    c->units[c->n_units] = unit;
    return c->n_units++;
}

/* All columns of all results as curves. */
static hol_status collect(chart *c) {
    const hol_chart *about = c->about;
    for (int r = 0; r < about->n_results; r++)
        for (int k = 0; k < about->n_columns; k++) {
            const hol_result *result = c->results[r];
            const char *file = about->results[r], *slash = strrchr(file, '/');
            const int y = find(c, result, file, about->columns[k]);
            const int x = about->x ? find(c, result, file, about->x) : 0;
            if (x < 0 || y < 0) return HOL_ERR_ARGUMENT;
            const int side = side_of(c, hol_result_column(result, y)->unit);
            if (side < 0)
                return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                                   "a chart has at most two units; '%s' brings a third (%s)",
                                   about->columns[k], hol_result_column(result, y)->unit);
            const int several = about->n_results > 1;
            c->curves[c->n_curves++] = (curve){
                result, slash ? slash + 1 : file, x, y, side, several ? r : k, several ? k : 0};
        }
    return HOL_OK;
}

/* Widen low … high by the finite values of a column (of its size where log is set). */
static void widen(const hol_result *result, int column, int log, double *low, double *high) {
    const double *values = hol_result_values(result, column);
    for (int i = 0; i < hol_result_rows(result); i++) {
        const double v = log ? fabs(values[i]) : values[i];
        if (!isfinite(v) || (log && !(v > 0))) continue;
        if (v < *low) *low = v;
        if (v > *high) *high = v;
    }
}

static void make_scales(chart *c) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < c->n_curves; i++)
        widen(c->curves[i].result, c->curves[i].x, 0, &low, &high);
    hol__scale_init(&c->across, low, high, 0, c->width > 0 ? (int)fmax(3, c->width / 90) : 6,
                    c->about->x != NULL);
    for (int side = 0; side < c->n_units; side++) {
        low = INFINITY, high = -INFINITY;
        for (int i = 0; i < c->n_curves; i++)
            if (c->curves[i].side == side)
                widen(c->curves[i].result, c->curves[i].y, c->about->log_y, &low, &high);
        hol__scale_init(&c->up[side], low, high, c->about->log_y && low <= high,
                        (int)fmax(3, c->height / 55), 1);
    }
}

/* ---- drawing ---- */

/* "name, file" of a curve. */
static void legend_text(const chart *c, const curve *line, hol__text *out) {
    hol__text_init(out, c->ctx);
    hol__text_add(out, "%s", hol_result_column(line->result, line->y)->name);
    if (c->about->n_results > 1) hol__text_add(out, " \xC2\xB7 %s", line->file);
}

static hol__stroke stroke_of(const curve *line) {
    return (hol__stroke){colors[(size_t)line->color % (sizeof colors / sizeof *colors)], 1.6,
                         dashes[(size_t)line->dash % (sizeof dashes / sizeof *dashes)], 1};
}

/* The legend above the field in lines; draws nothing when canvas is NULL. Returns its height. */
static double draw_legend(const chart *c, hol__canvas *canvas, double y) {
    const double line = 1.5 * c->size;
    double x = c->left, used = line;
    for (int i = 0; i < c->n_curves; i++) {
        hol__text text;
        legend_text(c, &c->curves[i], &text);
        const char *words = text.data ? text.data : "";
        const double width = 34 + hol__canvas_text_width(words, c->size) * 1.05 + 18;
        if (x > c->left && x + width > c->left + c->width + 20) x = c->left, used += line;
        if (canvas) {
            const double at[4] = {x, y + used - line - 0.35 * c->size, x + 26,
                                  y + used - line - 0.35 * c->size};
            hol__stroke stroke = stroke_of(&c->curves[i]);
            stroke.width = 2;
            hol__canvas_line(canvas, 2, at, stroke);
            hol__canvas_text(canvas, x + 32, y + used - line, c->size, HOL__ANCHOR_START, 0, INK,
                             words);
        }
        x += width;
        hol__text_free(&text);
    }
    return used;
}

/* The field with its grid, marks and numbers. */
static void draw_axes(const chart *c, hol__canvas *canvas) {
    const double right = c->left + c->width, bottom = c->top + c->height;
    const hol__stroke grid = {GRID, 0.8, 0, 1}, frame = {SOFT, 1, 0, 1};
    for (int i = 0; i < c->across.n; i++) {
        const double x = c->left + c->width * hol__scale_place(&c->across, c->across.at[i]);
        const double line[4] = {x, c->top, x, bottom}, tick[4] = {x, bottom, x, bottom + 5};
        hol__canvas_line(canvas, 2, line, grid);
        hol__canvas_line(canvas, 2, tick, frame);
        hol__canvas_text(canvas, x, bottom + 7 + c->size, c->size, HOL__ANCHOR_MIDDLE, 0, SOFT,
                         c->across.label[i]);
    }
    for (int side = 0; side < c->n_units; side++)
        for (int i = 0; i < c->up[side].n; i++) {
            const double y = bottom - c->height * hol__scale_place(&c->up[side], c->up[side].at[i]);
            const double line[4] = {c->left, y, right, y}, edge = side ? right : c->left;
            const double tick[4] = {edge, y, edge + (side ? 5 : -5), y};
            if (!side) hol__canvas_line(canvas, 2, line, grid);
            hol__canvas_line(canvas, 2, tick, frame);
            hol__canvas_text(canvas, edge + (side ? 8 : -8), y + 0.35 * c->size, c->size,
                             side ? HOL__ANCHOR_START : HOL__ANCHOR_END, 0, SOFT,
                             c->up[side].label[i]);
        }
    const double box[10] = {c->left, c->top,  right,  c->top,  right,
                            bottom,  c->left, bottom, c->left, c->top};
    hol__canvas_line(canvas, 5, box, frame);
}

/* "name [unit]" into text. */
static void axis_text(const chart *c, int column, const char *unit, hol__text *out) {
    hol__text_init(out, c->ctx);
    if (column >= 0) hol__text_add(out, "%s", hol_result_column(c->curves[0].result, column)->name);
    if (unit && *unit) hol__text_add(out, "%s[%s]", column >= 0 ? " " : "", unit);
}

static void draw_titles(const chart *c, hol__canvas *canvas) {
    const int x = c->curves[0].x;
    hol__text text;
    axis_text(c, x, hol_result_column(c->curves[0].result, x)->unit, &text);
    hol__canvas_text(canvas, c->left + 0.5 * c->width, c->about->height - 0.6 * c->size, c->size,
                     HOL__ANCHOR_MIDDLE, 0, INK, text.data ? text.data : "");
    hol__text_free(&text);
    for (int side = 0; side < c->n_units; side++) {
        int only = -1, n = 0;
        for (int i = 0; i < c->n_curves; i++)
            if (c->curves[i].side == side && c->curves[i].y != only) only = c->curves[i].y, n++;
        axis_text(c, n == 1 ? only : -1, c->units[side], &text);
        hol__canvas_text(canvas, side ? c->about->width - 0.6 * c->size : 1.2 * c->size,
                         c->top + 0.5 * c->height, c->size, HOL__ANCHOR_MIDDLE, 1, INK,
                         text.data ? text.data : "");
        hol__text_free(&text);
    }
    if (c->about->title)
        hol__canvas_text(canvas, c->left + 0.5 * c->width, 1.6 * c->size, 1.2 * c->size,
                         HOL__ANCHOR_MIDDLE, 0, INK, c->about->title);
}

/* One curve, in pieces where values are not finite. Points that fall on the same column of pixels
 * are thinned to the first, the least, the greatest and the last of them where the curve is one of
 * time. */
static int draw_curve(const chart *c, hol__canvas *canvas, const curve *line) {
    const int rows = hol_result_rows(line->result);
    const double *xs = hol_result_values(line->result, line->x),
                 *ys = hol_result_values(line->result, line->y);
    double *xy = hol__alloc(c->ctx, 2 * (size_t)rows + 2, sizeof *xy);
    int n = 0;
    if (!xy) return 0;
    for (int i = 0; i <= rows; i++) {
        const double x = i < rows ? c->left + c->width * hol__scale_place(&c->across, xs[i]) : NAN;
        const double y =
            i < rows ? c->top + c->height * (1 - hol__scale_place(&c->up[line->side], ys[i])) : NAN;
        if (!isfinite(x) || !isfinite(y)) {
            hol__canvas_line(canvas, n, xy, stroke_of(line));
            n = 0;
            continue;
        }
        const double limited = fmin(fmax(y, c->top - 4 * c->height), c->top + 5 * c->height);
        /* the middle of three in one column of pixels that does not turn back adds nothing */
        if (n >= 2 && floor(2 * xy[2 * n - 4]) == floor(2 * x) &&
            (xy[2 * n - 1] - xy[2 * n - 3]) * (limited - xy[2 * n - 1]) >= 0)
            n--;
        xy[2 * n] = x, xy[2 * n + 1] = limited;
        n++;
    }
    hol__release(c->ctx, xy);
    return 1;
}

/* Set out the page, draw everything and write the file. */
static hol_status draw(chart *c, const char *path) {
    const int png = hol__has_extension(path, ".png");
    const hol_chart *about = c->about;
    c->size = fmax(11, fmin(16, about->height / 34.0));
    c->left = 5.6 * c->size;
    c->width = about->width - c->left - (c->n_units > 1 ? 5.6 : 1.6) * c->size;
    c->legend = draw_legend(c, NULL, 0);
    c->top = (about->title ? 2.4 : 0.6) * c->size + c->legend + 0.4 * c->size;
    c->height = about->height - c->top - 3.6 * c->size;
    if (!(c->width > 40) || !(c->height > 40))
        return hol__report(c->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "the chart of %d by %d pixels is too small for its legend and axes",
                           about->width, about->height);
    make_scales(c);
    hol__canvas *canvas = hol__canvas_new(c->ctx, about->width, about->height, 0xFFFFFF, png);
    if (!canvas) return HOL_ERR_MEMORY;
    draw_legend(c, canvas, (about->title ? 2.4 : 0.6) * c->size + c->size);
    draw_axes(c, canvas);
    draw_titles(c, canvas);
    hol__canvas_clip(canvas, c->left, c->top, c->width, c->height);
    int good = 1;
    for (int i = 0; i < c->n_curves; i++) good &= draw_curve(c, canvas, &c->curves[i]);
    hol__canvas_clip(canvas, 0, 0, 0, 0);
    hol__text out;
    hol__text_init(&out, c->ctx);
    hol_status status = HOL_ERR_MEMORY;
    if (good && hol__canvas_finish(canvas, &out)) {
        const hol__piece piece = {out.data, out.length};
        status = hol__file_write(c->ctx, path, &piece, 1);
    }
    hol__text_free(&out);
    hol__canvas_free(canvas);
    return status;
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
    }
    const hol_status status = collect(c);
    return status ? status : draw(c, path);
}

/* Whether there is something to draw, to a file of a known kind. */
static hol_status check(hol_context *ctx, const hol_chart *about, const char *path) {
    const hol_location where = {path, 0, 0};
    if (!hol__has_extension(path, ".svg") && !hol__has_extension(path, ".png"))
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, &where, NULL,
                           "the name of a chart ends with .svg or .png");
    if (about->n_results < 1 || about->n_columns < 1)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a chart needs a result and a column");
    if (about->width < 0 || about->height < 0 || about->width > MAX_SIDE ||
        about->height > MAX_SIDE)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "a chart is at most %d pixels wide and high", MAX_SIDE);
    return HOL_OK;
}

hol_status hol_chart_write(hol_context *ctx, const hol_chart *about, const char *path) {
    hol_chart sized = *about;
    hol_status status = check(ctx, about, path);
    if (status) return status;
    if (!sized.width) sized.width = 800;
    if (!sized.height) sized.height = 500;
    chart c = {.ctx = ctx, .about = &sized};
    c.results = hol__alloc(ctx, (size_t)about->n_results, sizeof *c.results);
    c.curves =
        hol__alloc(ctx, (size_t)about->n_results * (size_t)about->n_columns, sizeof *c.curves);
    status = c.results && c.curves ? make(&c, path) : HOL_ERR_MEMORY;
    for (int i = 0; c.results && i < about->n_results; i++) hol_result_free(c.results[i]);
    hol__release(ctx, c.results);
    hol__release(ctx, c.curves);
    return status;
}
