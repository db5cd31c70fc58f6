/* figure_marks.c: what stands in the field of a figure: lines with or without discs at their
 * points, and bars. */
#include "report/figure.h"
#include "report/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { INK = 0x222222 };

/* ---- lines ---- */

/* Points are x, y in pixels; n of them so far. One that falls on the same column of pixels as the
 * two before it and does not turn back replaces the last: a long curve keeps of each column the
 * first, the least, the greatest and the last. */
static void add_point(double *xy, int *n, double x, double y) {
    if (*n >= 2 && floor(2 * xy[2 * *n - 4]) == floor(2 * x) &&
        (xy[2 * *n - 1] - xy[2 * *n - 3]) * (y - xy[2 * *n - 1]) >= 0)
        --*n;
    xy[2 * *n] = x, xy[2 * *n + 1] = y;
    ++*n;
}

/* One series, in pieces where values are not finite; 0 without memory. */
static int draw_line(const hol__plot *p, const hol_series *series) {
    const int side = hol__plot_side(p, series);
    const int dots = p->about->kind == HOL_FIGURE_DOTS;
    const hol__stroke stroke = hol__plot_stroke(series, 1.6);
    double *xy = hol__alloc(p->ctx, 2 * (size_t)series->n + 2, sizeof *xy);
    int n = 0;
    if (!xy) return 0;
    for (int i = 0; i <= series->n; i++) {
        const double x = i < series->n
                             ? p->left + p->width * hol__scale_place(&p->across, series->x[i])
                             : NAN,
                     y = i < series->n ? hol__plot_up(p, side, series->y[i]) : NAN;
        if (isfinite(x) && isfinite(y)) {
            add_point(xy, &n, x, fmin(fmax(y, p->top - 4 * p->height), p->top + 5 * p->height));
            if (p->about->kind == HOL_FIGURE_POINTS)
                hol__canvas_disc(p->canvas, x, y, 3.4, stroke.color, 1);
            if (dots) hol__canvas_disc(p->canvas, x, y, 1.8, stroke.color, 0.75);
            continue;
        }
        if (n && !dots) hol__canvas_line(p->canvas, n, xy, stroke);
        n = 0;
    }
    hol__release(p->ctx, xy);
    return 1;
}

int hol__plot_lines(const hol__plot *p) {
    int good = 1;
    hol__canvas_clip(p->canvas, p->left, p->top, p->width, p->height);
    for (int i = 0; i < p->about->n_series; i++) good &= draw_line(p, &p->about->series[i]);
    hol__canvas_clip(p->canvas, 0, 0, 0, 0);
    return good;
}

/* ---- bars ---- */

/* A bar from zero to its value, with the value above it. */
static void draw_bar(const hol__plot *p, const hol_series *series, double x, double width,
                     double value) {
    const int side = hol__plot_side(p, series);
    const double y = hol__plot_up(p, side, value), zero = hol__plot_up(p, side, 0);
    const double xy[8] = {x, zero, x, y, x + width, y, x + width, zero};
    char text[HOL__LABEL_SIZE];
    if (!isfinite(value)) return;
    hol__value_label(value, text);
    hol__canvas_fill(p->canvas, 4, xy, hol__plot_stroke(series, 1).color, 1);
    hol__canvas_text(p->canvas, x + 0.5 * width, y - 0.4 * p->size, p->size, HOL__ANCHOR_MIDDLE, 0,
                     INK, text);
}

/* The end of the word at p: behind a hyphen, a plus or a space. */
static const char *word_end(const char *p) {
    p += strcspn(p, "-+ ");
    return *p ? p + 1 : p;
}

/* A label in lines of words, no wider than its place as far as its words allow. */
static void draw_label(const hol__plot *p, double x, double width, const char *label) {
    double y = p->top + p->height + 1.2 * p->size;
    while (*label) {
        char line[80];
        const char *end = word_end(label);
        for (const char *more = end; *more; end = more) {
            more = word_end(more);
            snprintf(line, sizeof line, "%.*s", (int)(more - label), label);
            if (hol__canvas_text_width(line, p->size) > 0.95 * width) break;
        }
        snprintf(line, sizeof line, "%.*s", (int)(end - label), label);
        hol__canvas_text(p->canvas, x, y, p->size, HOL__ANCHOR_MIDDLE, 0, INK, line);
        y += 1.1 * p->size;
        label = end;
    }
}

void hol__plot_bars(const hol__plot *p) {
    const hol_figure *about = p->about;
    int places = 0;
    for (int i = 0; i < about->n_series; i++)
        if (about->series[i].n > places) places = about->series[i].n;
    if (!places || !about->n_series) return;
    const double place = p->width / places, width = 0.62 * place / about->n_series;
    for (int k = 0; k < places; k++) {
        const double middle = p->left + (k + 0.5) * place;
        for (int i = 0; i < about->n_series; i++)
            if (k < about->series[i].n)
                draw_bar(p, &about->series[i], middle + (i - 0.5 * about->n_series) * width, width,
                         about->series[i].y[k]);
        if (about->labels) draw_label(p, middle, place, about->labels[k]);
    }
}
