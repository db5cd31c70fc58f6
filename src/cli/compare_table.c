/* compare_table.c: the columns of a comparison, and the table as text. */
#include "cli/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

/* A figure of a run that was set up. */
static double if_set_up(const cli_trial *trial, double value) {
    return trial->record.is_set_up ? value : NAN;
}

static double max_position(const cli_trial *trial) {
    return if_set_up(trial, trial->record.max_position);
}

static double max_velocity(const cli_trial *trial) {
    return if_set_up(trial, trial->record.max_velocity);
}

static double energy_error(const cli_trial *trial) {
    return if_set_up(trial, trial->record.energy_error);
}

static double error(const cli_trial *trial) {
    return trial->error;
}

static double evaluations(const cli_trial *trial) {
    return if_set_up(trial, (double)trial->record.evaluations);
}

static double factorizations(const cli_trial *trial) {
    return if_set_up(trial, (double)trial->record.factorizations);
}

static double coordinate_changes(const cli_trial *trial) {
    return if_set_up(trial, (double)trial->record.coordinate_changes);
}

static double steps(const cli_trial *trial) {
    return if_set_up(trial, (double)trial->record.steps);
}

static double time_ratio(const cli_trial *trial) {
    return trial->time_ratio;
}

/* clang-format off */
static const cli_figure figures[] = {
    {"max_position_violation", "|Phi|",   "$\\max\\|\\Phi\\|$",      CLI_FIGURE_ERROR, max_position},
    {"max_velocity_violation", "|psi|",   "$\\max\\|\\dot\\Phi\\|$", CLI_FIGURE_ERROR, max_velocity},
    {"relative_energy_error",  "energy",  "energy",                  CLI_FIGURE_ERROR, energy_error},
    {"error",                  "error",   "error",                   CLI_FIGURE_ERROR, error},
    {"evaluations",            "evals",   "evaluations",             CLI_FIGURE_COUNT, evaluations},
    {"factorizations",         "factor",  "factorizations",          CLI_FIGURE_COUNT, factorizations},
    {"coordinate_changes",     "changes", "changes",                 CLI_FIGURE_COUNT, coordinate_changes},
    {"steps",                  "steps",   "steps",                   CLI_FIGURE_COUNT, steps},
    {"time_ratio",             "time",    "time",                    CLI_FIGURE_RATIO, time_ratio},
};
/* clang-format on */

enum { N_FIGURES = sizeof figures / sizeof *figures, CELL_SIZE = 32 };

const cli_figure *cli_figure_get(int i) {
    return i < N_FIGURES ? &figures[i] : NULL;
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
    static const char *const formats[] = {"%.2e", "%.0f", "%.2f"};
    const double value = figure->value(trial);
    if (isfinite(value))
        snprintf(buf, CELL_SIZE, formats[figure->kind], value);
    else
        snprintf(buf, CELL_SIZE, isnan(value) ? "-" : "inf");
}

/* Widths of the figures over all rows. */
static void find_widths(const cli_comparison *c, int widths[N_FIGURES]) {
    for (int k = 0; k < N_FIGURES; k++) widths[k] = cli_length(figures[k].heading);
    for (int i = 0; i < c->n_trials; i++)
        for (int k = 0; k < N_FIGURES && c->trials[i].kind == CLI_TRIAL_SHOWN; k++) {
            char text[CELL_SIZE];
            if (c->trials[i].record.status) continue;
            cell(&c->trials[i], &figures[k], text);
            if (cli_length(text) > widths[k]) widths[k] = cli_length(text);
        }
}

/* The width of the methods, and that of an axis. */
static int entry_width(const cli_comparison *c) {
    int width = cli_length("method");
    for (int i = 0; i < c->n_entries; i++)
        if (cli_length(c->entries[i].label) > width) width = cli_length(c->entries[i].label);
    return width;
}

static int axis_width(const cli_axis *axis) {
    int width = cli_length(axis->key);
    for (int i = 0; i < axis->n_values; i++)
        if (cli_length(axis->values[i]) > width) width = cli_length(axis->values[i]);
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
static void write_row(const cli_comparison *c, const cli_trial *trial, const int *widths,
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
    for (int k = 0; k < N_FIGURES; k++) {
        char text[CELL_SIZE];
        cell(trial, &figures[k], text);
        fprintf(out, "  %*s", widths[k], text);
    }
    fputc('\n', out);
}

void cli_compare_write_text(const cli_comparison *c, FILE *out) {
    int widths[N_FIGURES];
    find_widths(c, widths);
    cli_print_padded(out, "method", entry_width(c));
    for (int a = 0; a < c->n_axes; a++) {
        fprintf(out, "  ");
        cli_print_padded(out, c->axes[a].key, axis_width(&c->axes[a]));
    }
    for (int k = 0; k < N_FIGURES; k++) fprintf(out, "  %*s", widths[k], figures[k].heading);
    fputc('\n', out);
    for (int i = 0; i < c->n_trials; i++)
        if (c->trials[i].kind == CLI_TRIAL_SHOWN) write_row(c, &c->trials[i], widths, out);
    write_legend(c, out);
}
