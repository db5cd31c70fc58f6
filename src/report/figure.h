/* figure.h: the drawing of a figure into a part of a canvas. */
#ifndef HOL_REPORT_FIGURE_H
#define HOL_REPORT_FIGURE_H

#include <holonom/report.h>

#include "report/canvas.h"
#include "report/ticks.h"

enum { HOL__FIGURE_UNITS = 2 };

/* A figure that is being drawn: its scales and the place of its field. */
typedef struct hol__plot {
    hol_context *ctx;
    const hol_figure *about;
    hol__canvas *canvas;
    int n_units;
    const char *units[HOL__FIGURE_UNITS]; /* of the left and the right axis */
    hol__scale across, up[HOL__FIGURE_UNITS];
    int page_width, page_height; /* of its part of the picture */
    double page_top;
    double left, top, width, height; /* of the field */
    double size;                     /* of letters */
} hol__plot;

/* The bytes of an SVG picture of one figure behind those in out. */
hol_status hol__figure_svg(hol_context *ctx, const hol_figure *figure, int width, int height,
                           hol__text *out);

/* The rules of a style sheet that give SVG pictures of figures colours for dark paper. */
void hol__figure_dark_style(hol__text *out);

/* The axis of a series: 0 left, 1 right. */
int hol__plot_side(const hol__plot *plot, const hol_series *series);

/* The place of a value along the vertical axis of a side, in pixels. */
double hol__plot_up(const hol__plot *plot, int side, double value);

/* The colour and the dashes of a series. */
hol__stroke hol__plot_stroke(const hol_series *series, double width);

/* The series as lines (with discs at their points where they are asked for), or as bars with their
 * values above and their labels below; 0 without memory. */
int hol__plot_lines(const hol__plot *plot);
void hol__plot_bars(const hol__plot *plot);

#endif
