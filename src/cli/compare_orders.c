/* compare_orders.c: how errors of a comparison fall with a number that --vary changes.
 *
 * The order of a figure e in a number h is the slope p of the straight line log e = p log h + c
 * through all runs of a method, by least squares. Runs that failed, and figures that are zero, are
 * left out; two runs make a line.
 */
#include "cli/compare.h"
#include "common/number.h"

#include <math.h>
#include <string.h>

int cli_compare_axis_number(const cli_comparison *c, int case_index, double *value) {
    const char *end;
    if (c->n_axes != 1) return 0;
    const char *text = cli_compare_value(c, 0, case_index);
    *value = hol__number_read(text, &end);
    return end != text && !*end && *value > 0 && isfinite(*value);
}

int cli_compare_has_orders(const cli_comparison *c) {
    double value;
    if (c->n_axes != 1 || c->n_cases < 2) return 0;
    for (int i = 0; i < c->n_cases; i++)
        if (!cli_compare_axis_number(c, i, &value)) return 0;
    return 1;
}

double cli_compare_figure(const cli_comparison *c, const cli_figure *figure, int entry,
                          int case_index) {
    for (int i = 0; i < c->n_trials; i++) {
        const cli_trial *trial = &c->trials[i];
        if (trial->kind == CLI_TRIAL_SHOWN && trial->entry == &c->entries[entry] &&
            trial->case_index == case_index)
            return trial->record.status ? NAN : cli_figure_value(figure, trial);
    }
    return NAN;
}

double cli_compare_order(const cli_comparison *c, const cli_figure *figure, int entry) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, h;
    for (int i = 0; i < c->n_cases; i++) {
        const double e = cli_compare_figure(c, figure, entry, i);
        if (!cli_compare_axis_number(c, i, &h) || !(e > 0) || !isfinite(e)) continue;
        n++, x += log(h), y += log(e), xx += log(h) * log(h), xy += log(h) * log(e);
    }
    const double spread = n * xx - x * x;
    return n >= 2 && spread > 1e-12 * (1 + n * xx) ? (n * xy - x * y) / spread : NAN;
}

void cli_compare_write_orders(const cli_comparison *c, int width, FILE *out) {
    cli_figure figure;
    if (!cli_compare_has_orders(c)) return;
    cli_printf(out, "\norders in %s, by least squares\n", c->axes[0].key);
    cli_print_padded(out, "method", width);
    for (int k = 0; cli_figure_get(c, k, &figure); k++)
        if (figure.kind == CLI_FIGURE_ERROR) cli_printf(out, "  %8s", figure.heading);
    fputc('\n', out);
    for (int i = 0; i < c->n_entries; i++) {
        cli_print_padded(out, c->entries[i].label, width);
        for (int k = 0; cli_figure_get(c, k, &figure); k++) {
            const double order = cli_compare_order(c, &figure, i);
            if (figure.kind != CLI_FIGURE_ERROR) continue;
            if (isfinite(order))
                fprintf(out, "  %8.2f", order);
            else
                cli_printf(out, "  %8s", "-");
        }
        fputc('\n', out);
    }
}
