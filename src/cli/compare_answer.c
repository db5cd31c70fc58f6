/* compare_answer.c: a comparison as an answer: facts and tables for files (.h5, .mat) and pages.
 *
 * Tables: `runs`, a row each; of a sweep `orders`, and for each cost a table of (cost, error) by
 * method, which a page draws on logarithmic axes. What failed is a fact that says why.
 */
#include "cli/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 200, MOST_FIGURES = CLI_STATISTICS };

/* Names and numbers of a table while it is made. */
typedef struct sheet {
    int rows, columns;
    double *values;
    char (*row_names)[NAME], (*column_names)[NAME];
    const char **row_list, **column_list, **units;
    int *paths;
} sheet;

int cli_compare_is_answer(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot &&
           (strcmp(dot, ".h5") == 0 || strcmp(dot, ".mat") == 0 || strcmp(dot, ".html") == 0);
}

static void sheet_free(sheet *s) {
    free(s->values);
    free(s->row_names);
    free(s->column_names);
    free(s->row_list);
    free(s->column_list);
    free(s->units);
    free(s->paths);
}

/* Room for a table; 0 without memory. */
static int sheet_make(sheet *s, int rows, int columns) {
    const size_t r = (size_t)rows + 1, c = (size_t)columns + 1;
    *s = (sheet){.rows = rows, .columns = columns};
    s->values = calloc(r * c, sizeof *s->values);
    s->row_names = calloc(r, sizeof *s->row_names);
    s->column_names = calloc(c, sizeof *s->column_names);
    s->row_list = calloc(r, sizeof *s->row_list);
    s->column_list = calloc(c, sizeof *s->column_list);
    s->units = calloc(c, sizeof *s->units);
    s->paths = calloc(c, sizeof *s->paths);
    for (int i = 0; s->row_list && s->row_names && i < rows; i++) s->row_list[i] = s->row_names[i];
    for (int j = 0; s->column_list && s->column_names && s->units && j < columns; j++) {
        s->column_list[j] = s->column_names[j];
        s->units[j] = "";
    }
    return s->values && s->row_names && s->column_names && s->row_list && s->column_list &&
           s->units && s->paths;
}

/* The number in row i and column j. */
static double *cell(const sheet *s, int i, int j) {
    return &s->values[(size_t)i * (size_t)s->columns + (size_t)j];
}

/* Add the table with n_paths pairs of columns, and free it. */
static hol_status sheet_add(hol_answer *answer, sheet *s, const char *name, const char *title,
                            int n_paths) {
    const hol_table table = {.size = sizeof table,
                             .name = name,
                             .title = title,
                             .rows = s->rows,
                             .columns = s->columns,
                             .row_names = s->row_list,
                             .column_names = s->column_list,
                             .column_units = s->units,
                             .values = s->values,
                             .x = -1,
                             .log_x = n_paths > 0,
                             .log_y = n_paths > 0,
                             .n_paths = n_paths,
                             .paths = s->paths};
    const hol_status status = hol_answer_add_table(answer, &table);
    sheet_free(s);
    return status;
}

/* ---- runs ---- */

/* "lagrange, step 1e-3". */
static void name_run(const cli_comparison *c, const cli_trial *trial, char *name) {
    int n = snprintf(name, NAME, "%s", trial->entry->label);
    for (int a = 0; a < c->n_axes && n < NAME; a++)
        n += snprintf(name + n, (size_t)(NAME - n), ", %s %s", c->axes[a].key,
                      cli_compare_value(c, a, trial->case_index));
}

/* All figures of all runs, and in a sweep of which costs each is on the front. */
static hol_status add_runs(const cli_comparison *c, hol_answer *answer) {
    cli_figure figures[MOST_FIGURES];
    int n = 0, rows = 0, costs = 0, row = 0;
    sheet s;
    while (n < MOST_FIGURES && cli_figure_get(c, n, &figures[n])) costs += figures[n++].is_cost;
    if (!c->is_sweep) costs = 0;
    for (int i = 0; i < c->n_trials; i++) rows += c->trials[i].kind == CLI_TRIAL_SHOWN;
    if (!sheet_make(&s, rows, n + costs)) {
        sheet_free(&s);
        return HOL_ERR_MEMORY;
    }
    for (int i = 0; i < c->n_trials; i++) {
        const cli_trial *trial = &c->trials[i];
        if (trial->kind != CLI_TRIAL_SHOWN) continue;
        name_run(c, trial, s.row_names[row]);
        for (int k = 0, at = n; k < n; k++) {
            *cell(&s, row, k) = trial->record.status ? NAN : cli_figure_value(&figures[k], trial);
            if (costs && figures[k].is_cost)
                *cell(&s, row, at++) = cli_compare_is_front(c, &figures[k], trial);
        }
        row++;
    }
    for (int k = 0, at = n; k < n; k++) {
        snprintf(s.column_names[k], NAME, "%s", figures[k].key);
        if (figures[k].kind == CLI_FIGURE_TIME) s.units[k] = "s";
        if (costs && figures[k].is_cost)
            snprintf(s.column_names[at++], NAME, "front_%s", figures[k].key);
    }
    return sheet_add(answer, &s, "runs", "Runs", 0);
}

/* ---- a sweep ---- */

/* The orders of each method. */
static hol_status add_orders(const cli_comparison *c, hol_answer *answer) {
    static const char *const names[] = {"order", "order_at_end", "order_in_evaluations", "settings",
                                        "from",  "to",           "deviation_decades"};
    enum { N = sizeof names / sizeof *names };
    cli_figure error, end;
    sheet s;
    if (!sheet_make(&s, c->n_entries, N)) {
        sheet_free(&s);
        return HOL_ERR_MEMORY;
    }
    cli_figure_find(c, "error", &error);
    cli_figure_find(c, "error_end", &end);
    for (int j = 0; j < N; j++) snprintf(s.column_names[j], NAME, "%s", names[j]);
    for (int i = 0; i < c->n_entries; i++) {
        const cli_fit fit = cli_compare_fit(c, &error, i);
        double from = NAN, to = NAN;
        if (fit.used) cli_compare_axis_number(c, fit.first, &from);
        if (fit.used) cli_compare_axis_number(c, fit.last, &to);
        const double row[N] = {
            fit.order,    cli_compare_fit(c, &end, i).order, fit.by_cost, fit.used, from, to,
            fit.deviation};
        snprintf(s.row_names[i], NAME, "%s", c->entries[i].label);
        memcpy(cell(&s, i, 0), row, sizeof row);
    }
    return sheet_add(answer, &s, "orders", "Orders of the errors, and over which settings", 0);
}

/* Errors of the methods over a cost. */
static hol_status add_cost(const cli_comparison *c, hol_answer *answer, const cli_figure *cost) {
    char title[NAME];
    cli_figure error;
    int n_paths = 0;
    sheet s;
    if (!sheet_make(&s, c->n_cases, 2 * c->n_entries)) {
        sheet_free(&s);
        return HOL_ERR_MEMORY;
    }
    cli_figure_find(c, "error", &error);
    for (int k = 0; k < c->n_cases; k++)
        snprintf(s.row_names[k], NAME, "%s %s", c->axes[0].key, cli_compare_value(c, 0, k));
    for (int j = 0; j < 2 * c->n_entries; j++) {
        const cli_figure *figure = j % 2 ? &error : cost;
        snprintf(s.column_names[j], NAME, "%.150s.%s", c->entries[j / 2].label, figure->key);
        if (figure->kind == CLI_FIGURE_TIME) s.units[j] = "s";
        int known = 0;
        for (int k = 0; k < c->n_cases; k++) {
            *cell(&s, k, j) = cli_compare_figure(c, figure, j / 2, k);
            known |= isfinite(*cell(&s, k, j));
        }
        /* a method that failed throughout has no curve */
        if (j % 2 == 0 && known) s.paths[2 * n_paths] = j, s.paths[2 * n_paths + 1] = j + 1;
        n_paths += j % 2 == 0 && known;
    }
    if (n_paths) {
        snprintf(title, sizeof title, "Error against %s", cost->latex);
        return sheet_add(answer, &s, cost->key, title, n_paths);
    }
    sheet_free(&s);
    return HOL_OK;
}

/* The settings that no other beats, as a fact. */
static hol_status add_front(const cli_comparison *c, hol_answer *answer, const cli_figure *cost) {
    char key[NAME], title[NAME], text[4096];
    cli_compare_front_text(c, cost, text, sizeof text);
    snprintf(key, sizeof key, "front_%s", cost->key);
    snprintf(title, sizeof title, "front of error and %s", cost->latex);
    return *text ? hol_answer_add_text(answer, key, title, text) : HOL_OK;
}

static hol_status add_sweep(const cli_comparison *c, hol_answer *answer) {
    char text[512];
    cli_figure cost;
    cli_compare_check_text(c, text, sizeof text);
    hol_status status = hol_answer_add_text(answer, "check", "check of the reference", text);
    if (!status)
        status = hol_answer_add_number(answer, "reference_error", "the reference may be off by",
                                       cli_compare_reference_error(c, 0), "");
    if (!status && *c->no_instructions)
        status = hol_answer_add_text(answer, "instructions", "instructions not available",
                                     c->no_instructions);
    for (int i = 0; !status && cli_figure_cost(c, i, &cost); i++)
        status = add_front(c, answer, &cost);
    for (int i = 0; !status && cli_figure_cost(c, i, &cost); i++)
        status = add_cost(c, answer, &cost);
    return status ? status : add_orders(c, answer);
}

/* ---- the answer ---- */

/* Whether two runs of one method failed for one reason. */
static int fail_alike(const cli_trial *a, const cli_trial *b) {
    return a->kind == CLI_TRIAL_SHOWN && a->record.status && a->entry == b->entry &&
           a->record.t == b->record.t &&
           strcmp(a->message ? a->message : "", b->message ? b->message : "") == 0;
}

/* The runs that failed, and why: those of a method that failed for one reason together. */
static hol_status add_failures(const cli_comparison *c, hol_answer *answer) {
    hol_status status = HOL_OK;
    int n = 0;
    for (int i = 0; i < c->n_trials && !status; i++) {
        const cli_trial *trial = &c->trials[i];
        char key[32], name[NAME + 32], text[2048];
        int before = 0, alike = 0;
        if (trial->kind != CLI_TRIAL_SHOWN || !trial->record.status) continue;
        for (int k = 0; k < c->n_trials; k++)
            if (fail_alike(&c->trials[k], trial)) *(k < i ? &before : &alike) += 1;
        if (before) continue;
        snprintf(key, sizeof key, "failed_%d", ++n);
        name_run(c, trial, name);
        if (alike > 1) snprintf(name + strlen(name), 32, " and %d more", alike - 1);
        cli_trial_reason(trial, text, sizeof text);
        status = hol_answer_add_text(answer, key, name, text);
    }
    return status;
}

hol_status cli_compare_write_answer(const cli_comparison *c, const char *path) {
    const char *dot = strrchr(path, '.');
    char text[512];
    snprintf(text, sizeof text, "%s of %s", c->is_sweep ? "Work and precision" : "Comparison",
             cli_about(c->model).name);
    hol_answer *answer = hol_answer_new(c->cli->ctx, "compare", text);
    hol_status status = answer ? HOL_OK : HOL_ERR_MEMORY;
    cli_compare_reference_text(c, text, sizeof text);
    if (!status) status = hol_answer_add_text(answer, "reference", "reference", text);
    if (!status) status = add_failures(c, answer);
    if (!status && c->is_sweep) status = add_sweep(c, answer);
    if (!status) status = add_runs(c, answer);
    if (!status)
        status = dot && strcmp(dot, ".html") == 0 ? hol_report_answer(c->cli->ctx, answer, path)
                                                  : hol_answer_write(answer, path);
    hol_answer_free(answer);
    return status;
}
