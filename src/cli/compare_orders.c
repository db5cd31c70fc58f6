/* compare_orders.c: how errors of a comparison fall with a number that --vary changes, and the
 * picture of it.
 *
 * The order of a figure e in a number h is the slope p of the straight line log e = p log h + c
 * through all runs of a method, by least squares. Runs that failed, and figures that are zero, are
 * left out; two runs make a line.
 */
#include "cli/compare.h"
#include "common/number.h"

#include <math.h>
#include <stdlib.h>
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

/* The figure of a method in a case; NAN where the run failed. */
static double figure_of(const cli_comparison *c, const cli_figure *figure, int entry,
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
        const double e = figure_of(c, figure, entry, i);
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
    for (int k = 0; cli_figure_get(k, &figure); k++)
        if (figure.kind == CLI_FIGURE_ERROR) cli_printf(out, "  %8s", figure.heading);
    fputc('\n', out);
    for (int i = 0; i < c->n_entries; i++) {
        cli_print_padded(out, c->entries[i].label, width);
        for (int k = 0; cli_figure_get(k, &figure); k++) {
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

/* ---- the picture ---- */

enum { MAX_PANELS = 16, NAME_SIZE = 160 };

/* Series, numbers and names of a picture. */
typedef struct drawing {
    const cli_comparison *c;
    int n_panels;
    cli_figure keys[MAX_PANELS];
    hol_figure panels[MAX_PANELS];
    hol_series *series;       /* for all panels */
    double *numbers;          /* x, then the y of all series */
    char (*names)[NAME_SIZE]; /* of all series */
    const char **labels;      /* of bars: the methods */
} drawing;

/* The figure with that key; 0 after an error that lists them. */
static int find_figure(const cli_comparison *c, const char *key, size_t length, cli_figure *out) {
    char all[512] = "";
    for (int k = 0; cli_figure_get(k, out); k++) {
        const size_t used = strlen(all);
        if (strlen(out->key) == length && strncmp(out->key, key, length) == 0) return 1;
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", out->key);
    }
    cli_usage(c->cli, c->args->command, "there is no figure '%.*s'; there are %s", (int)length, key,
              all);
    return 0;
}

/* What --figures names, or else the errors over a number that varies and the times as bars; 0
 * after an error. */
static int choose_panels(drawing *d) {
    const char *list = cli_args_value(d->c->args, "figures");
    cli_figure figure;
    if (!list && !cli_compare_has_orders(d->c)) list = "time_ratio";
    if (!list) {
        for (int k = 0; cli_figure_get(k, &figure) && d->n_panels < MAX_PANELS; k++)
            if (figure.kind == CLI_FIGURE_ERROR) d->keys[d->n_panels++] = figure;
        return 1;
    }
    for (const char *p = list;; p++) {
        const size_t length = strcspn(p, ",");
        if (d->n_panels == MAX_PANELS) {
            cli_usage(d->c->cli, d->c->args->command, "'--figures': at most %d", MAX_PANELS);
            return 0;
        }
        if (!find_figure(d->c, p, length, &d->keys[d->n_panels])) return 0;
        d->n_panels++;
        p += length;
        if (!*p) return 1;
    }
}

/* Errors of methods over the number that varies, with their orders in the legend. */
static void fill_orders(drawing *d, int panel) {
    const cli_comparison *c = d->c;
    const int n = c->n_entries;
    hol_series *series = d->series + panel * n;
    for (int i = 0; i < c->n_cases; i++) cli_compare_axis_number(c, i, &d->numbers[i]);
    for (int i = 0; i < n; i++) {
        double *y = d->numbers + (1 + (size_t)panel * (size_t)n + (size_t)i) * (size_t)c->n_cases;
        char *name = d->names[panel * n + i];
        const double order = cli_compare_order(c, &d->keys[panel], i);
        for (int k = 0; k < c->n_cases; k++) y[k] = figure_of(c, &d->keys[panel], i, k);
        if (isfinite(order))
            snprintf(name, NAME_SIZE, "%s, order %.2f", c->entries[i].label, order);
        else
            snprintf(name, NAME_SIZE, "%s", c->entries[i].label);
        series[i] = (hol_series){
            .name = name, .unit = "", .n = c->n_cases, .x = d->numbers, .y = y, .color = i};
    }
    d->panels[panel] = (hol_figure){.n_series = n,
                                    .series = series,
                                    .kind = HOL_FIGURE_POINTS,
                                    .x_name = c->axes[0].key,
                                    .y_name = d->keys[panel].heading,
                                    .log_x = 1,
                                    .log_y = 1,
                                    .widen_x = 1};
}

/* A bar for each method, beside each other for each case. */
static void fill_bars(drawing *d, int panel) {
    const cli_comparison *c = d->c;
    const int n = c->n_cases;
    hol_series *series = d->series + panel * n;
    for (int k = 0; k < n; k++) {
        double *y = d->numbers + ((size_t)panel * (size_t)n + (size_t)k) * (size_t)c->n_entries;
        char *name = d->names[panel * n + k];
        *name = '\0';
        for (int a = 0; a < c->n_axes; a++) {
            const size_t used = strlen(name);
            snprintf(name + used, NAME_SIZE - used, "%s%s = %s", used ? ", " : "", c->axes[a].key,
                     cli_compare_value(c, a, k));
        }
        for (int i = 0; i < c->n_entries; i++) y[i] = figure_of(c, &d->keys[panel], i, k);
        series[k] = (hol_series){.name = name, .unit = "", .n = c->n_entries, .y = y, .color = k};
    }
    for (int i = 0; i < c->n_entries; i++) d->labels[i] = c->entries[i].label;
    d->panels[panel] = (hol_figure){.n_series = n,
                                    .series = series,
                                    .kind = HOL_FIGURE_BARS,
                                    .y_name = d->keys[panel].heading,
                                    .labels = d->labels};
}

/* Fill the panels and write the picture. */
static hol_status write_panels(drawing *d, const char *path) {
    const int lines = cli_compare_has_orders(d->c);
    for (int p = 0; p < d->n_panels; p++) {
        if (lines)
            fill_orders(d, p);
        else
            fill_bars(d, p);
    }
    return hol_figures_write(d->c->cli->ctx, d->n_panels, d->panels, 720,
                             d->n_panels > 1 ? 300 : 420, path);
}

int cli_compare_can_plot(const cli_comparison *c, const char *path) {
    drawing d = {.c = c};
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0))
        return choose_panels(&d);
    cli_usage(c->cli, c->args->command, "'--plot %s': the name must end with .svg, .png or .pdf",
              path);
    return 0;
}

int cli_compare_plot(const cli_comparison *c, const char *path) {
    drawing d = {.c = c};
    if (!choose_panels(&d)) return CLI_USAGE;
    const size_t rows = (size_t)(c->n_cases > c->n_entries ? c->n_cases : c->n_entries),
                 all = (size_t)d.n_panels * rows;
    d.series = calloc(all, sizeof *d.series);
    d.names = calloc(all, sizeof *d.names);
    d.numbers = calloc((all + 1) * rows, sizeof *d.numbers);
    d.labels = calloc(rows, sizeof *d.labels);
    hol_status status = HOL_ERR_MEMORY;
    if (d.series && d.names && d.numbers && d.labels) status = write_panels(&d, path);
    free(d.series);
    free(d.names);
    free(d.numbers);
    free(d.labels);
    if (!status) return CLI_OK;
    cli_not_written(c->cli, status, "the picture");
    return cli_exit_code(status);
}
