/* compare_table.c: the columns of a comparison, and the table as text. */
#include "cli/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

static double error(const cli_trial *trial) {
    return trial->error;
}

static double time_ratio(const cli_trial *trial) {
    return trial->time_ratio;
}

static double error_end(const cli_trial *trial) {
    return trial->error_end;
}

static double instructions(const cli_trial *trial) {
    return trial->record.is_set_up ? trial->record.instructions : NAN;
}

static double cpu_time(const cli_trial *trial) {
    return trial->record.is_set_up ? trial->record.cpu_time : NAN;
}

/* What a comparison finds itself; the other columns are statistics. Places in a comparison and in a
 * sweep, and whether it is a cost there. */
/* clang-format off */
static const cli_figure own[] = {
    {"error_end",    "at end", "error at the end", CLI_FIGURE_ERROR, 0,  10, 0, -1, error_end},
    {"error",        "error",  "error",            CLI_FIGURE_ERROR, 40, 20, 0, -1, error},
    {"instructions", "instr",  "instructions",     CLI_FIGURE_COUNT, 0,  70, 1, -1, instructions},
    {"cpu_time",     "time",   "time [s]",         CLI_FIGURE_TIME,  0,  80, 1, -1, cpu_time},
    {"time_ratio",   "time",   "time",             CLI_FIGURE_RATIO, 90, 0,  0, -1, time_ratio},
};

/* The statistics that a sweep shows. */
static const struct {
    const char *key;
    int place, is_cost;
} swept[] = {
    {"relative_energy_error", 30, 0},
    {"evaluations",           40, 1},
    {"factorizations",        50, 1},
    {"steps",                 60, 0},
};
/* clang-format on */

enum { N_OWN = sizeof own / sizeof *own, CELL_SIZE = 32, MAX_FIGURES = N_OWN + CLI_STATISTICS };

/* Figure i of all, in no order; 0 past the end. order 0: it is not shown. */
static int figure_at(int i, cli_figure *figure) {
    const hol_statistic *row = i < N_OWN ? NULL : hol_statistic_get(i - N_OWN);
    if (i >= N_OWN && (!row || i >= MAX_FIGURES)) return 0;
    if (i < N_OWN)
        *figure = own[i];
    else
        *figure =
            (cli_figure){row->key,
                         row->heading,
                         row->latex,
                         row->kind == HOL_STATISTIC_COUNT ? CLI_FIGURE_COUNT : CLI_FIGURE_ERROR,
                         row->heading ? row->column : 0,
                         0,
                         0,
                         i - N_OWN,
                         NULL};
    for (size_t k = 0; k < sizeof swept / sizeof *swept; k++)
        if (strcmp(swept[k].key, figure->key) == 0) {
            figure->swept = swept[k].place;
            figure->is_cost = swept[k].is_cost;
        }
    return 1;
}

int cli_figure_cost(const cli_comparison *c, int i, cli_figure *figure) {
    for (int k = 0; cli_figure_get(c, k, figure); k++)
        if (figure->is_cost && i-- == 0) return 1;
    return 0;
}

int cli_figure_find(const cli_comparison *c, const char *key, cli_figure *figure) {
    for (int k = 0; cli_figure_get(c, k, figure); k++)
        if (strcmp(figure->key, key) == 0) return 1;
    return 0;
}

int cli_figure_get(const cli_comparison *c, int i, cli_figure *figure) {
    cli_figure other;
    int order = 0;
    for (int k = 0; k <= i; k++) {
        int next = 0;
        for (int j = 0; figure_at(j, &other); j++) {
            const int place = c->is_sweep ? other.swept : other.order;
            if (place > order && (!next || place < next)) {
                next = place;
                *figure = other;
            }
        }
        if (!next) return 0;
        order = next;
    }
    return 1;
}

double cli_figure_value(const cli_figure *figure, const cli_trial *trial) {
    if (figure->statistic < 0) return figure->value(trial);
    return trial->record.is_set_up ? trial->record.statistics[figure->statistic] : NAN;
}

void cli_trial_reason(const cli_trial *trial, char *buf, size_t size) {
    const char *why =
        trial->message && *trial->message ? trial->message : hol_status_text(trial->record.status);
    if (trial->record.is_set_up)
        snprintf(buf, size, "failed at t = %.6g s: %s", trial->record.t, why);
    else
        snprintf(buf, size, "failed: %s", why);
}

void cli_compare_reference_text(const cli_comparison *c, char *buf, size_t size) {
    const char *file = cli_args_value(c->args, "reference");
    if (c->file)
        snprintf(buf, size, "%s", file);
    else if (file)
        snprintf(buf, size, "none");
    else
        snprintf(buf, size, "method auto with tolerance %g", c->reference_tol);
}

/* ---- text ---- */

/* One figure of a trial, "-" where there is none. */
static void cell(const cli_trial *trial, const cli_figure *figure, char buf[CELL_SIZE]) {
    static const char *const formats[] = {"%.2e", "%.0f", "%.2f", "%.2e"};
    const double value = cli_figure_value(figure, trial);
    if (isfinite(value))
        snprintf(buf, CELL_SIZE, formats[figure->kind], value);
    else
        snprintf(buf, CELL_SIZE, isnan(value) ? "-" : "inf");
}

/* The columns with their widths over all rows. */
typedef struct columns {
    int n;
    cli_figure figures[MAX_FIGURES];
    int widths[MAX_FIGURES];
} columns;

static void find_columns(const cli_comparison *c, columns *table) {
    table->n = 0;
    while (cli_figure_get(c, table->n, &table->figures[table->n])) table->n++;
    for (int k = 0; k < table->n; k++) {
        const cli_figure *figure = &table->figures[k];
        table->widths[k] = hol__utf8_length(figure->heading);
        for (int i = 0; i < c->n_trials; i++) {
            const cli_trial *trial = &c->trials[i];
            char text[CELL_SIZE];
            if (trial->kind != CLI_TRIAL_SHOWN || trial->record.status) continue;
            cell(trial, figure, text);
            if (hol__utf8_length(text) > table->widths[k])
                table->widths[k] = hol__utf8_length(text);
        }
    }
}

/* The width of the methods, and that of an axis. */
static int entry_width(const cli_comparison *c) {
    int width = hol__utf8_length("method");
    for (int i = 0; i < c->n_entries; i++)
        if (hol__utf8_length(c->entries[i].label) > width)
            width = hol__utf8_length(c->entries[i].label);
    return width;
}

static int axis_width(const cli_axis *axis) {
    int width = hol__utf8_length(axis->key);
    for (int i = 0; i < axis->n_values; i++)
        if (hol__utf8_length(axis->values[i]) > width) width = hol__utf8_length(axis->values[i]);
    return width;
}

/* What the columns mean, with the time that is the unit. */
static void write_legend(const cli_comparison *c, FILE *out) {
    char text[1024], reference[512];
    const cli_trial *base = NULL;
    int n = 0;
    cli_compare_reference_text(c, reference, sizeof reference);
    fputc('\n', out);
    for (int i = 0; i < c->n_trials && !base; i++)
        if (c->trials[i].entry && strcmp(c->trials[i].entry->label, c->base.label) == 0)
            base = &c->trials[i];
    n = snprintf(text, sizeof text,
                 "reference: %s. |Phi|, |psi|: largest violation of positions and velocities; "
                 "energy: relative; time: of the processor, as a multiple of lagrange",
                 reference);
    if (base && base->record.status)
        snprintf(text + n, sizeof text - (size_t)n, ", which failed");
    else if (base)
        snprintf(text + n, sizeof text - (size_t)n, " (%.3g s%s)", base->record.cpu_time,
                 c->n_cases > 1 ? " in the first case" : "");
    cli_print_wrapped(out, 0, text);
}

/* One row: the method, the values that vary, and the figures or the reason why there are none. */
static void write_row(const cli_comparison *c, const cli_trial *trial, const columns *table,
                      FILE *out) {
    int indent = entry_width(c);
    cli_print_padded(out, trial->entry->label, indent);
    for (int a = 0; a < c->n_axes; a++) {
        const int width = axis_width(&c->axes[a]);
        fprintf(out, "  ");
        cli_print_padded(out, cli_compare_value(c, a, trial->case_index), width);
        indent += 2 + width;
    }
    if (trial->record.status) {
        char text[2048];
        cli_trial_reason(trial, text, sizeof text);
        fprintf(out, "  ");
        cli_print_wrapped(out, indent + 2, text);
        return;
    }
    for (int k = 0; k < table->n; k++) {
        char text[CELL_SIZE];
        cell(trial, &table->figures[k], text);
        cli_printf(out, "  %*s", table->widths[k], text);
    }
    fputc('\n', out);
}

void cli_compare_write_text(const cli_comparison *c, FILE *out) {
    columns table;
    find_columns(c, &table);
    cli_print_padded(out, "method", entry_width(c));
    for (int a = 0; a < c->n_axes; a++) {
        fprintf(out, "  ");
        cli_print_padded(out, c->axes[a].key, axis_width(&c->axes[a]));
    }
    for (int k = 0; k < table.n; k++)
        cli_printf(out, "  %*s", table.widths[k], table.figures[k].heading);
    fputc('\n', out);
    for (int i = 0; i < c->n_trials; i++)
        if (c->trials[i].kind == CLI_TRIAL_SHOWN) write_row(c, &c->trials[i], &table, out);
    if (c->is_sweep) {
        cli_compare_write_work(c, entry_width(c), out);
        return;
    }
    cli_compare_write_orders(c, entry_width(c), out);
    write_legend(c, out);
}
