/* compare_plot.c: a comparison as a picture: errors over the number that --vary or --sweep changes,
 * errors over what they cost (--sweep), or bars. */
#include "cli/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PANELS = 16, NAME_SIZE = 160 };

/* Series, numbers and names of a picture. */
typedef struct drawing {
    const cli_comparison *c;
    int n_panels;
    cli_figure keys[MAX_PANELS];
    hol_figure panels[MAX_PANELS];
    int rows;                 /* series and points of one there is room for in a panel */
    hol_series *series;       /* rows for each panel */
    double *numbers;          /* 4 rows^2 for each panel */
    char (*names)[NAME_SIZE]; /* of all series */
    const char **labels;      /* of bars: the methods */
} drawing;

/* The figure with that key; 0 after an error that lists them. */
static int find_figure(const cli_comparison *c, const char *key, size_t length, cli_figure *out) {
    char all[512] = "";
    for (int k = 0; cli_figure_get(c, k, out); k++) {
        const size_t used = strlen(all);
        if (strlen(out->key) == length && strncmp(out->key, key, length) == 0) return 1;
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", out->key);
    }
    cli_usage(c->cli, c->args->command, "there is no figure '%.*s'; there are %s", (int)length, key,
              all);
    return 0;
}

/* Whether a cost is known of any run; before the runs, all are. */
static int is_counted(const cli_comparison *c, const cli_figure *cost) {
    for (int i = 0; i < c->n_trials && c->is_done; i++)
        if (c->trials[i].kind == CLI_TRIAL_SHOWN && isfinite(cli_figure_value(cost, &c->trials[i])))
            return 1;
    return !c->is_done;
}

/* What --figures names, or else the costs of a sweep, or the errors over a number that varies and
 * the times as bars; 0 after an error. */
static int choose_panels(drawing *d) {
    const char *list = cli_args_value(d->c->args, "figures");
    cli_figure figure;
    if (!list && !cli_compare_has_orders(d->c)) list = "time_ratio";
    if (!list) {
        for (int k = 0; cli_figure_get(d->c, k, &figure) && d->n_panels < MAX_PANELS; k++) {
            const int wanted = d->c->is_sweep ? figure.is_cost && is_counted(d->c, &figure)
                                              : figure.kind == CLI_FIGURE_ERROR;
            if (wanted) d->keys[d->n_panels++] = figure;
        }
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

/* The numbers of a panel. */
static double *numbers_of(const drawing *d, int panel) {
    return d->numbers + 4 * (size_t)panel * (size_t)(d->rows * d->rows);
}

/* The curve of a method by its name with an order. */
static hol_series curve(char *name, const char *label, double order, int i) {
    if (isfinite(order))
        snprintf(name, NAME_SIZE, "%s, order %.2f", label, order);
    else
        snprintf(name, NAME_SIZE, "%s", label);
    /* eight colours, then the same with dashes */
    return (hol_series){.name = name, .unit = "", .color = i, .dash = i / 8};
}

/* Errors of methods over what they cost, on logarithmic axes, and the front below them. */
static void fill_costs(drawing *d, int panel) {
    const cli_comparison *c = d->c;
    const int n = c->n_entries, rows = d->rows;
    const cli_figure *cost = &d->keys[panel];
    hol_series *front = d->series + panel * rows, *series = front + 1;
    double *numbers = numbers_of(d, panel);
    cli_figure error;
    cli_figure_find(c, "error", &error);
    for (int i = 0; i < n; i++, numbers += 2 * rows) {
        const double order = cli_compare_fit(c, &error, i).by_cost;
        series[i] = curve(d->names[panel * rows + i], c->entries[i].label,
                          strcmp(cost->key, "evaluations") == 0 ? order : NAN, i);
        series[i].n = c->n_cases;
        series[i].x = numbers;
        series[i].y = numbers + rows;
        for (int k = 0; k < c->n_cases; k++) {
            numbers[k] = cli_compare_figure(c, cost, i, k);
            numbers[rows + k] = cli_compare_figure(c, &error, i, k);
        }
    }
    double *x = numbers_of(d, panel) + 2 * rows * rows, *y = x + rows * rows;
    *front = (hol_series){
        .name = "front", .unit = "", .x = x, .y = y, .color = n < 7 ? 7 : n, .dash = 2};
    for (const cli_trial *t = NULL; (t = cli_compare_next_front(c, cost, t)); front->n++) {
        x[front->n] = cli_figure_value(cost, t);
        y[front->n] = t->error;
    }
    d->panels[panel] = (hol_figure){.n_series = n + (n > 1),
                                    .series = n > 1 ? front : series,
                                    .kind = HOL_FIGURE_POINTS,
                                    .x_name = cost->latex,
                                    .y_name = "error",
                                    .log_x = 1,
                                    .log_y = 1,
                                    .widen_x = 1};
}

/* Errors of methods over the number that varies, with their orders in the legend. */
static void fill_orders(drawing *d, int panel) {
    const cli_comparison *c = d->c;
    const int n = c->n_entries;
    hol_series *series = d->series + panel * d->rows;
    double *x = numbers_of(d, panel);
    for (int i = 0; i < c->n_cases; i++) cli_compare_axis_number(c, i, &x[i]);
    for (int i = 0; i < n; i++) {
        double *y = x + (size_t)(1 + i) * (size_t)d->rows;
        char *name = d->names[panel * d->rows + i];
        const double order = c->is_sweep ? cli_compare_fit(c, &d->keys[panel], i).order
                                         : cli_compare_order(c, &d->keys[panel], i);
        for (int k = 0; k < c->n_cases; k++) y[k] = cli_compare_figure(c, &d->keys[panel], i, k);
        series[i] = curve(name, c->entries[i].label, order, i);
        series[i].n = c->n_cases;
        series[i].x = x;
        series[i].y = y;
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
    hol_series *series = d->series + panel * d->rows;
    for (int k = 0; k < n; k++) {
        double *y = numbers_of(d, panel) + (size_t)k * (size_t)d->rows;
        char *name = d->names[panel * d->rows + k];
        *name = '\0';
        for (int a = 0; a < c->n_axes; a++) {
            const size_t used = strlen(name);
            snprintf(name + used, NAME_SIZE - used, "%s%s = %s", used ? ", " : "", c->axes[a].key,
                     cli_compare_value(c, a, k));
        }
        for (int i = 0; i < c->n_entries; i++) y[i] = cli_compare_figure(c, &d->keys[panel], i, k);
        series[k] = (hol_series){.name = name, .unit = "", .n = c->n_entries, .y = y, .color = k};
    }
    for (int i = 0; i < c->n_entries; i++) d->labels[i] = c->entries[i].label;
    d->panels[panel] = (hol_figure){.n_series = n,
                                    .series = series,
                                    .kind = HOL_FIGURE_BARS,
                                    .y_name = d->keys[panel].heading,
                                    .labels = d->labels};
}

/* The height of a panel; legends of several lines take room. */
static int height_of(const drawing *d) {
    const int plain = d->n_panels > 1 ? 300 : 420;
    return d->c->is_sweep ? plain + 60 + 10 * d->c->n_entries : plain;
}

/* Fill the panels and write the picture. */
static hol_status write_panels(drawing *d, const char *path) {
    const int lines = cli_compare_has_orders(d->c);
    for (int p = 0; p < d->n_panels; p++) {
        if (d->c->is_sweep && d->keys[p].is_cost)
            fill_costs(d, p);
        else if (lines)
            fill_orders(d, p);
        else
            fill_bars(d, p);
    }
    return hol_figures_write(d->c->cli->ctx, d->n_panels, d->panels, 720, height_of(d), path);
}

int cli_compare_can_plot(const cli_comparison *c, const char *path) {
    drawing d = {.c = c};
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0 ||
                strcmp(dot, ".html") == 0))
        return choose_panels(&d);
    cli_usage(c->cli, c->args->command,
              "'--plot %s': the name must end with .svg, .png, .pdf or .html (a page)", path);
    return 0;
}

int cli_compare_plot(const cli_comparison *c, const char *path) {
    drawing d = {.c = c};
    if (cli_compare_is_answer(path)) {
        const hol_status written = cli_compare_write_answer(c, path);
        if (written) cli_not_written(c->cli, written, "the page");
        return cli_exit_code(written);
    }
    if (!choose_panels(&d)) return CLI_USAGE;
    d.rows = 1 + (c->n_cases > c->n_entries ? c->n_cases : c->n_entries);
    const size_t rows = (size_t)d.rows, all = (size_t)d.n_panels * rows;
    d.series = calloc(all, sizeof *d.series);
    d.names = calloc(all, sizeof *d.names);
    d.numbers = calloc(4 * all * rows, sizeof *d.numbers);
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
