/* figure.c: series of numbers as a figure for papers: axes with units, a legend, lines or bars.
 *
 * Several figures stand one below the other in one picture. A figure has at most two units, that of
 * the left and that of the right axis. Bars begin at zero.
 */
#include "base/argument.h"
#include "report/figure.h"

#include "report/picture.h"

#include <math.h>
#include <string.h>

enum { INK = 0x222222, SOFT = 0x666666, GRID = 0xDDDDDD };

static const unsigned colors[] = {0x2B66C0, 0xD9660F, 0x1F8A5B, 0xBF3556,
                                  0x7A55C0, 0x0F8CA3, 0xA07A10, 0xB04A92};
/* The same curves, and what stands around them, on dark paper. */
static const unsigned on_dark[] = {0x6AA2FF, 0xF0944D, 0x4FC491, 0xF07A93,
                                   0xB596F5, 0x45BFD6, 0xD3AE45, 0xE58CC8};
static const unsigned around[][2] = {{INK, 0xE4E9F0}, {SOFT, 0xA3AEBD}, {GRID, 0x2F3845}};
static const double dashes[] = {0, 7, 2.5, 11};

hol__stroke hol__plot_stroke(const hol_series *series, double width) {
    return (hol__stroke){colors[(size_t)series->color % (sizeof colors / sizeof *colors)], width,
                         dashes[(size_t)series->dash % (sizeof dashes / sizeof *dashes)], 1};
}

/* A rule that gives what has one colour another. */
static void put_rule(hol__text *out, unsigned from, unsigned to) {
    hol__text_add(out, "svg [fill=\"#%06x\"]{fill:#%06x}svg [stroke=\"#%06x\"]{stroke:#%06x}\n",
                  from, to, from, to);
}

void hol__figure_dark_style(hol__text *out) {
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        put_rule(out, around[i][0], around[i][1]);
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
        put_rule(out, colors[i], on_dark[i]);
}

int hol__plot_side(const hol__plot *p, const hol_series *series) {
    for (int i = 0; i < p->n_units; i++)
        if (strcmp(p->units[i], series->unit ? series->unit : "") == 0) return i;
    return -1;
}

double hol__plot_up(const hol__plot *p, int side, double value) {
    return p->top + p->height * (1 - hol__scale_place(&p->up[side], value));
}

/* ---- scales ---- */

/* The units of the series; an error where there are too many. */
static hol_status find_units(hol__plot *p) {
    for (int i = 0; i < p->about->n_series; i++) {
        const hol_series *series = &p->about->series[i];
        if (hol__plot_side(p, series) >= 0) continue;
        if (p->n_units == HOL__FIGURE_UNITS)
            return hol__report(p->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                               "a chart has at most two units; '%s' brings a third (%s)",
                               series->name, series->unit);
        p->units[p->n_units++] = series->unit ? series->unit : "";
    }
    return HOL_OK;
}

/* Widen low … high by n finite values (of their size where log is set). */
static void widen(int n, const double *values, int log, double *low, double *high) {
    for (int i = 0; i < n; i++) {
        const double v = log ? fabs(values[i]) : values[i];
        if (!isfinite(v) || (log && !(v > 0))) continue;
        if (v < *low) *low = v;
        if (v > *high) *high = v;
    }
}

/* The vertical scale of one side: as asked for, else what the values need. */
static void scale_up(hol__plot *p, int side) {
    const hol_figure *about = p->about;
    const int wanted = (int)fmax(3, p->height / 55);
    double low = INFINITY, high = -INFINITY;
    if (about->low < about->high) {
        hol__scale_init(&p->up[side], about->low, about->high, about->log_y, wanted, 0);
        return;
    }
    for (int i = 0; i < about->n_series; i++)
        if (hol__plot_side(p, &about->series[i]) == side)
            widen(about->series[i].n, about->series[i].y, about->log_y, &low, &high);
    if (about->kind == HOL_FIGURE_BARS) low = fmin(low, 0), high = fmax(high, 0) * 1.06;
    hol__scale_init(&p->up[side], low, high, about->log_y && low <= high, wanted, 1);
}

/* Both axes with one scale: as many pixels a unit as fit, with a little room around the values. */
static void make_equal(hol__plot *p) {
    const hol_figure *about = p->about;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, unit = 0;
    const double room[2] = {p->width, p->height};
    for (int i = 0; i < about->n_series; i++) {
        widen(about->series[i].n, about->series[i].x, 0, &low[0], &high[0]);
        widen(about->series[i].n, about->series[i].y, 0, &low[1], &high[1]);
    }
    for (int k = 0; k < 2; k++) {
        if (!(low[k] <= high[k])) low[k] = 0, high[k] = 1;
        unit = fmax(unit, 1.08 * (high[k] - low[k]) / room[k]);
    }
    if (!(unit > 0)) unit = fmax(1e-6, 0.1 * fmax(fabs(high[0]), fabs(high[1]))) / p->height;
    for (int k = 0; k < 2; k++) {
        const double middle = 0.5 * (low[k] + high[k]), half = 0.5 * unit * room[k];
        hol__scale_init(k ? &p->up[0] : &p->across, middle - half, middle + half, 0,
                        (int)fmax(3, room[k] / (k ? 55 : 90)), 0);
    }
}

static void make_scales(hol__plot *p) {
    const hol_figure *about = p->about;
    double low = INFINITY, high = -INFINITY;
    if (about->equal && p->n_units == 1) {
        make_equal(p);
        return;
    }
    for (int side = 0; side < p->n_units; side++) scale_up(p, side);
    if (about->kind == HOL_FIGURE_BARS) return;
    for (int i = 0; i < about->n_series; i++)
        widen(about->series[i].n, about->series[i].x, about->log_x, &low, &high);
    hol__scale_init(&p->across, low, high, about->log_x && low <= high, (int)fmax(3, p->width / 90),
                    about->widen_x);
}

/* ---- what stands around the field ---- */

/* The legend above the field in lines; draws nothing without a canvas. Returns its height, 0 where
 * a single series without a name needs none. */
static double draw_legend(const hol__plot *p, hol__canvas *canvas, double y) {
    const double line = 1.5 * p->size;
    double x = p->left, used = 0;
    for (int i = 0; i < p->about->n_series; i++) {
        const hol_series *series = &p->about->series[i];
        if (!series->name || !*series->name) continue;
        const double width = 34 + hol__canvas_text_width(series->name, p->size) * 1.05 + 18;
        if (used == 0 || (x > p->left && x + width > p->left + p->width + 20))
            x = p->left, used += line;
        if (canvas) {
            const double level = y + used - line - 0.35 * p->size;
            const double at[4] = {x, level, x + 26, level};
            hol__canvas_line(canvas, 2, at,
                             hol__plot_stroke(series, p->about->kind == HOL_FIGURE_BARS ? 7 : 2));
            hol__canvas_text(canvas, x + 32, y + used - line, p->size, HOL__ANCHOR_START, 0, INK,
                             series->name);
        }
        x += width;
    }
    return used;
}

/* Grid, marks and numbers along the horizontal axis. */
static void draw_across(const hol__plot *p) {
    const double bottom = p->top + p->height;
    for (int i = 0; i < p->across.n; i++) {
        const double x = p->left + p->width * hol__scale_place(&p->across, p->across.at[i]);
        const double line[4] = {x, p->top, x, bottom}, tick[4] = {x, bottom, x, bottom + 5};
        hol__canvas_line(p->canvas, 2, line, (hol__stroke){GRID, 0.8, 0, 1});
        hol__canvas_line(p->canvas, 2, tick, (hol__stroke){SOFT, 1, 0, 1});
        hol__canvas_text(p->canvas, x, bottom + 7 + p->size, p->size, HOL__ANCHOR_MIDDLE, 0, SOFT,
                         p->across.label[i]);
    }
}

/* Grid, marks and numbers along a vertical axis. */
static void draw_up(const hol__plot *p, int side) {
    const double right = p->left + p->width, edge = side ? right : p->left;
    for (int i = 0; i < p->up[side].n; i++) {
        const double y = hol__plot_up(p, side, p->up[side].at[i]);
        const double line[4] = {p->left, y, right, y},
                     tick[4] = {edge, y, edge + (side ? 5 : -5), y};
        if (!side) hol__canvas_line(p->canvas, 2, line, (hol__stroke){GRID, 0.8, 0, 1});
        hol__canvas_line(p->canvas, 2, tick, (hol__stroke){SOFT, 1, 0, 1});
        hol__canvas_text(p->canvas, edge + (side ? 8 : -8), y + 0.35 * p->size, p->size,
                         side ? HOL__ANCHOR_START : HOL__ANCHOR_END, 0, SOFT, p->up[side].label[i]);
    }
}

static void draw_frame(const hol__plot *p) {
    const double right = p->left + p->width, bottom = p->top + p->height;
    const double box[10] = {p->left, p->top,  right,  p->top,  right,
                            bottom,  p->left, bottom, p->left, p->top};
    hol__canvas_line(p->canvas, 5, box, (hol__stroke){SOFT, 1, 0, 1});
}

/* "name [unit]" beside an axis. */
static void draw_name(const hol__plot *p, double x, double y, int turned, const char *name,
                      const char *unit) {
    hol__text text;
    hol__text_init(&text, p->ctx);
    if (name) hol__text_add(&text, "%s", name);
    if (unit && *unit) hol__text_add(&text, "%s[%s]", name && *name ? " " : "", unit);
    hol__canvas_text(p->canvas, x, y, p->size, HOL__ANCHOR_MIDDLE, turned, INK,
                     text.data ? text.data : "");
    hol__text_free(&text);
}

static void draw_titles(const hol__plot *p) {
    const hol_figure *about = p->about;
    draw_name(p, p->left + 0.5 * p->width, p->page_top + p->page_height - 0.6 * p->size, 0,
              about->x_name, about->x_unit);
    for (int side = 0; side < p->n_units; side++)
        draw_name(p, side ? p->page_width - 0.6 * p->size : 1.2 * p->size, p->top + 0.5 * p->height,
                  1, side ? about->right_name : about->y_name, p->units[side]);
    if (about->title)
        hol__canvas_text(p->canvas, p->left + 0.5 * p->width, p->page_top + 1.6 * p->size,
                         1.2 * p->size, HOL__ANCHOR_MIDDLE, 0, INK, about->title);
}

/* ---- a figure, and a picture of several ---- */

/* The room beside a vertical axis, for its numbers and its name. */
static double margin(const hol__plot *p, int side) {
    double widest = 0;
    for (int i = 0; i < p->up[side].n; i++)
        widest = fmax(widest, hol__canvas_text_width(p->up[side].label[i], p->size));
    return fmax(5.6 * p->size, 1.05 * widest + 2.2 * p->size);
}

/* Set out the page of a figure; an error where it is too small. */
static hol_status lay_out(hol__plot *p) {
    const double head = (p->about->title ? 2.4 : 0.6) * p->size;
    p->left = margin(p, 0);
    /* the last mark of the horizontal axis may stand at the edge of the field */
    const char *last = p->across.n ? p->across.label[p->across.n - 1] : "";
    const double right =
        p->n_units > 1 ? margin(p, 1) : 0.55 * hol__canvas_text_width(last, p->size) + 2;
    p->width = p->page_width - p->left - fmax(right, 1.6 * p->size);
    p->top = p->page_top + head + draw_legend(p, NULL, 0) + 0.4 * p->size;
    /* names of bars take up to three lines */
    const double foot = p->about->kind == HOL_FIGURE_BARS ? 4.2 : 3.6;
    p->height = p->page_top + p->page_height - p->top - foot * p->size;
    if (p->width > 40 && p->height > 40) return HOL_OK;
    return hol__report(p->ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                       "the chart of %d by %d pixels is too small for its legend and axes",
                       p->page_width, p->page_height);
}

/* One figure into its part of the canvas. */
static hol_status draw_figure(hol__plot *p) {
    int good = 1;
    p->size = fmax(11, fmin(16, p->page_height / 34.0));
    hol_status status = find_units(p);
    /* the scales follow the height of the field, its width the numbers of the scales */
    for (int pass = 0; pass < 2 && !status; pass++) {
        status = lay_out(p);
        if (!status) make_scales(p);
    }
    if (status) return status;
    draw_legend(p, p->canvas, p->page_top + (p->about->title ? 2.4 : 0.6) * p->size + p->size);
    draw_across(p);
    for (int side = 0; side < p->n_units; side++) draw_up(p, side);
    draw_frame(p);
    draw_titles(p);
    if (p->about->kind == HOL_FIGURE_BARS)
        hol__plot_bars(p);
    else
        good = hol__plot_lines(p);
    return good ? HOL_OK : HOL_ERR_MEMORY;
}

/* Whether a figure has the arrays that it counts. */
static hol_status check_figure(hol_context *ctx, const char *call, const hol_figure *figure) {
    hol_status bad = hol__need_array(ctx, call, "series", figure->n_series, 0, figure->series);
    for (int i = 0; !bad && i < figure->n_series; i++) {
        const hol_series *s = &figure->series[i];
        bad = hol__need_array(ctx, call, "values of a series", s->n, 0, s->y);
        if (!bad && figure->kind != HOL_FIGURE_BARS)
            bad = hol__need_array(ctx, call, "values of a series", s->n, 0, s->x);
    }
    return bad;
}

/* n figures one below the other, each of the height. */
static hol_status draw_figures(hol_context *ctx, hol__canvas *canvas, int n,
                               const hol_figure *figures, int width, int height) {
    hol_status status = HOL_OK;
    for (int i = 0; i < n && !status; i++) {
        hol__plot plot = {.ctx = ctx,
                          .about = &figures[i],
                          .canvas = canvas,
                          .page_width = width,
                          .page_height = height,
                          .page_top = (double)i * height};
        status = draw_figure(&plot);
    }
    return status;
}

hol_status hol__figure_svg(hol_context *ctx, const hol_figure *figure, int width, int height,
                           hol__text *out) {
    hol__canvas *canvas =
        hol__canvas_new(ctx, hol__canvas_type_find("svg"), width, height, 0xFFFFFF);
    if (!canvas) return HOL_ERR_MEMORY;
    hol_status status = draw_figures(ctx, canvas, 1, figure, width, height);
    if (!status && !hol__canvas_finish(canvas, out)) status = HOL_ERR_MEMORY;
    hol__canvas_free(canvas);
    return status;
}

hol_status hol_figures_write(hol_context *ctx, int n, const hol_figure *figures, int width,
                             int height, const char *path) {
    static const char call[] = "hol_figures_write";
    hol__picture picture;
    if (!ctx || hol__need_array(ctx, call, "figures", n, 1, figures) ||
        hol__need(ctx, call, "the path", path))
        return HOL_ERR_ARGUMENT;
    for (int i = 0; i < n; i++)
        if (check_figure(ctx, call, &figures[i])) return HOL_ERR_ARGUMENT;
    const int each = height ? height : 500;
    hol_status status =
        hol__picture_init(&picture, ctx, path, width, each > 16000 ? each : n * each, 800, 500);
    if (status) return status;
    hol__canvas *canvas =
        hol__canvas_new(ctx, picture.type, picture.width, picture.height, 0xFFFFFF);
    if (!canvas) return HOL_ERR_MEMORY;
    status = draw_figures(ctx, canvas, n, figures, picture.width, each);
    if (!status) return hol__picture_write(ctx, canvas, path);
    hol__canvas_free(canvas);
    return status;
}
