/* plot.c: the picture of a mechanism: the error of each row over time, on a logarithmic axis. */
#include "validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVES = 12, POINTS = 120 };

/* Instants of row r with an error that can be drawn, thinned out; errors below rounding are shown
 * there, as the axis has no zero. */
static int points_of(const row *r, double *x, double *y) {
    const reference *ref = &r->of->reference;
    const int stride = 1 + ref->n_t / POINTS;
    int n = 0;
    for (int i = 1; i < ref->n_t; i += stride) {
        double largest = 0;
        for (int k = i; k < i + stride && k < ref->n_t; k++) largest = fmax(largest, r->errors[k]);
        if (!isfinite(r->errors[i])) continue;
        x[n] = ref->t[i];
        y[n++] = fmax(largest, 1e-16);
    }
    return n;
}

static void label(const row *r, char *out) {
    char options[TEXT_SIZE];
    row_options(r, options, sizeof options);
    snprintf(out, 128, "%.24s, %.10s, %.20s; %.50s", r->method, r->coordinates, r->integrator,
             options);
}

hol_status plot_subject(hol_context *ctx, const subject *s, const char *path) {
    double *numbers = taken((size_t)CURVES * 2 * (POINTS + 2), sizeof *numbers);
    char labels[CURVES][128];
    hol_series series[CURVES] = {{0}};
    int n = 0;
    /* where there are more rows than curves, those of equal distance */
    const int stride = (s->n_rows + CURVES - 1) / CURVES;
    for (int i = 0; i < s->n_rows; i += stride) {
        const row *r = &s->rows[i];
        double *x = numbers + (ptrdiff_t)n * 2 * (POINTS + 2), *y = x + POINTS + 2;
        if (!r->errors) continue;
        label(r, labels[n]);
        series[n] = (hol_series){.name = labels[n],
                                 .unit = "",
                                 .x = x,
                                 .y = y,
                                 .color = n % 8,
                                 .dash = n / 8,
                                 .n = points_of(r, x, y)};
        if (series[n].n > 1) n++;
    }
    const hol_figure figure = {.n_series = n,
                               .series = series,
                               .kind = HOL_FIGURE_LINES,
                               .x_name = "t",
                               .x_unit = "s",
                               .y_name = "error",
                               .log_y = 1};
    const hol_status status = n ? hol_figures_write(ctx, 1, &figure, 900, 420, path) : HOL_OK;
    free(numbers);
    return status;
}
