/* compare_fit.c: how the errors of a method fall along a sweep, over the settings that tell.
 *
 * Settings stand from loose to tight, h_0 > h_1 > …, with errors e_k. Two things end the fall:
 *
 *   delta  what the reference may be off by: its distance from a run by other equations;
 *   rho    the level at which the errors of the method stay: rounding, or an error that neither
 *          step nor tolerance sets. The tail are the last settings between which the local order
 *              log(e_k / e_k+1) / log(h_k / h_k+1)
 *          is below 1/2. No formula converges that slowly: fixed steps have an order of 1 at least,
 *          and error control with a formula of order p holds the error near tolerance^(p/(p+1)),
 *          p/(p+1) >= 1/2. rho is the largest error of the tail, 0 where there is none.
 *
 * Rounding grows with the number of steps, so rho bounds its share in the errors before the tail. A
 * setting tells where 10 max(delta, rho) <= e_k <= 0.1: then at most a tenth of e_k is something
 * else (0.046 decades), and the error is small against what it is the error of. The order is the
 * slope of the straight line through log e over log h by least squares.
 */
#include "cli/compare.h"

#include <math.h>
#include <string.h>

static const double FOREIGN = 10, NO_DIGIT = 0.1, SLOWEST = 0.5;

double cli_compare_reference_error(const cli_comparison *c, int at_end) {
    if (!c->check || c->check->record.status) return 0;
    const double error = at_end ? c->check->error_end : c->check->error;
    return isfinite(error) ? error : 0;
}

/* The error of a method at a setting; NAN where it has none above zero. */
static double error_of(const cli_comparison *c, const cli_figure *error, int entry, int k) {
    const double e = cli_compare_figure(c, error, entry, k);
    return e > 0 && isfinite(e) ? e : NAN;
}

/* rho. */
static double tail_level(const cli_comparison *c, const cli_figure *error, int entry) {
    double level = 0, h, h_next, next = NAN;
    int k_next = -1;
    for (int k = c->n_cases - 1; k >= 0; k--) {
        const double e = error_of(c, error, entry, k);
        if (isnan(e)) continue;
        if (k_next >= 0) {
            cli_compare_axis_number(c, k, &h);
            cli_compare_axis_number(c, k_next, &h_next);
            if (!(log(e / next) < SLOWEST * log(h / h_next))) return level;
            level = fmax(level, fmax(e, next));
        }
        k_next = k;
        next = e;
    }
    return level;
}

int cli_compare_is_left_out(const cli_fit *fit, double error) {
    return !(error >= FOREIGN * fit->level && error <= NO_DIGIT);
}

/* Sums of a straight line y over x. */
typedef struct sums {
    double n, x, y, xx, xy;
} sums;

static void add(sums *s, double x, double y) {
    s->n++, s->x += x, s->y += y, s->xx += x * x, s->xy += x * y;
}

static double slope(const sums *s) {
    const double spread = s->n * s->xx - s->x * s->x;
    return s->n >= 2 && spread > 1e-12 * (1 + s->n * s->xx) ? (s->n * s->xy - s->x * s->y) / spread
                                                            : NAN;
}

cli_fit cli_compare_fit(const cli_comparison *c, const cli_figure *error, int entry) {
    cli_fit fit = {.first = -1, .last = -1, .deviation = NAN};
    const int at_end = strcmp(error->key, "error_end") == 0;
    cli_figure evaluations;
    sums by_number = {0}, by_cost = {0};
    double h;
    cli_figure_find(c, "evaluations", &evaluations);
    fit.level = fmax(cli_compare_reference_error(c, at_end), tail_level(c, error, entry));
    for (int k = 0; k < c->n_cases; k++) {
        const double e = error_of(c, error, entry, k);
        if (cli_compare_is_left_out(&fit, e) || !cli_compare_axis_number(c, k, &h)) continue;
        if (fit.first < 0) fit.first = k;
        fit.last = k;
        fit.used++;
        add(&by_number, log(h), log(e));
        add(&by_cost, log(cli_compare_figure(c, &evaluations, entry, k)), log(e));
    }
    fit.order = slope(&by_number);
    fit.by_cost = -slope(&by_cost);
    for (int k = fit.first; fit.used > 1 && k <= fit.last; k++) {
        const double e = error_of(c, error, entry, k);
        if (cli_compare_is_left_out(&fit, e) || !cli_compare_axis_number(c, k, &h)) continue;
        const double line =
            (by_number.y + fit.order * (by_number.n * log(h) - by_number.x)) / by_number.n;
        fit.deviation = fmax(fit.deviation, fabs(log(e) - line) / log(10));
    }
    return fit;
}
