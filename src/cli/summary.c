/* summary.c: what a run was made of, what it cost and where it ended: as lines, or as one JSON object. */
#include "cli/json.h"
#include "cli/run.h"

#include <string.h>

enum { LABEL_WIDTH = 20, MAX_MEASURES = 20 };

static const char *const end_names[] = {"running", "time", "stop", "interrupted", "failed"};
static const char *const end_texts[] = {"not finished", "the end of the run",
                                        "where stop_when was met", "interrupted", "failed"};

/* The value of an option as it was used. */
static const char *option_value(const hol_sim *sim, const char *name, char *buf, size_t size) {
    int n;
    const hol_option *options = hol_options(&n);
    for (int i = 0; i < n; i++)
        if (strcmp(options[i].name, name) == 0) return hol_sim_option(sim, i, buf, size);
    return "";
}

/* ---- lines ---- */

/* The method with its parts. */
static void print_method(const hol_sim_info *info) {
    char text[1024];
    snprintf(text, sizeof text, "%s (kernel %s, stabilizer %s, correction %s)", info->method,
             info->kernel, info->stabilizer, info->correction);
    cli_print_row(stdout, 0, LABEL_WIDTH, "method", text);
    if (info->choice && *info->choice)
        cli_print_row(stdout, 0, LABEL_WIDTH, "chosen by auto", info->choice);
}

/* The formula and how its steps were found. */
static void print_integrator(const hol_sim *sim, const hol_sim_info *info) {
    char text[512], step[64], tolerance[64];
    option_value(sim, "step", step, sizeof step);
    option_value(sim, "tolerance", tolerance, sizeof tolerance);
    char number[CLI_NUMBER_SIZE];
    double value = 0;
    const int fixed = sscanf(step, "%lf", &value) == 1 && value > 0;
    if (!fixed) sscanf(tolerance, "%lf", &value);
    snprintf(text, sizeof text, "%s, %s %s%s", info->integrator,
             fixed ? "fixed step" : "steps chosen for tolerance", cli_number(value, number),
             fixed ? " s" : "");
    cli_print_row(stdout, 0, LABEL_WIDTH, "integrator", text);
    const int used = snprintf(text, sizeof text, "%ld (%ld rejected), %ld evaluations", info->steps,
                              info->rejected, info->evaluations);
    if (info->coordinate_changes > 0)
        snprintf(text + used, sizeof text - (size_t)used,
                 ", %ld changes of independent coordinates", info->coordinate_changes);
    cli_print_row(stdout, 0, LABEL_WIDTH, "steps", text);
}

/* A label and a formatted number. */
static void print_number(const char *label, const char *format, double value) {
    char text[128];
    snprintf(text, sizeof text, format, value);
    cli_print_row(stdout, 0, LABEL_WIDTH, label, text);
}

/* The files that were written. */
static void print_outputs(const cli_run *run) {
    int n = 0;
    for (int i = 0; i < run->outputs.n; i++)
        if (run->outputs.items[i].written)
            cli_print_row(stdout, 0, LABEL_WIDTH, n++ ? "" : "output", run->outputs.items[i].path);
    if (!n) cli_print_row(stdout, 0, LABEL_WIDTH, "output", "none");
}

/* The first file that was written, or NULL. */
static const char *first_output(const cli_run *run) {
    for (int i = 0; i < run->outputs.n; i++)
        if (run->outputs.items[i].written) return run->outputs.items[i].path;
    return NULL;
}

/* The measures at the last state. */
static void print_measures(const cli_run *run) {
    const int n = hol_model_describe(run->model).n_measures;
    const char *file = first_output(run);
    int width = 0;
    if (n == 0) return;
    printf("\nat t = %.10g s\n", run->info.t);
    for (int i = 0; i < n && i < MAX_MEASURES; i++) {
        const int length = cli_length(hol_model_measure(run->model, i).name);
        if (length > width) width = length;
    }
    for (int i = 0; i < n && i < MAX_MEASURES; i++) {
        const hol_column column = hol_model_measure(run->model, i);
        fputs("  ", stdout);
        cli_print_padded(stdout, column.name, width + 2);
        const double value = hol_data_measure(hol_sim_data(run->sim), i);
        printf(column.unit && *column.unit ? "%20.12g %s\n" : "%20.12g\n", value, column.unit);
    }
    if (n > MAX_MEASURES)
        printf("  ... %d more%s%s\n", n - MAX_MEASURES, file ? " in " : "", file ? file : "");
}

void cli_summary_print(const cli_run *run) {
    const hol_sim_info *info = &run->info;
    const hol_model_info model = hol_model_describe(run->model);
    char text[512];
    cli_print_row(stdout, 0, LABEL_WIDTH, "model", model.name);
    print_method(info);
    cli_print_row(stdout, 0, LABEL_WIDTH, "coordinates", info->coordinates);
    print_integrator(run->sim, info);
    snprintf(text, sizeof text, "t = %.10g s, %s", info->t, end_texts[info->end]);
    cli_print_row(stdout, 0, LABEL_WIDTH, "end", text);
    print_number("wall time", "%.3g s", info->wall_time);
    print_number("max |Phi|", "%.2e", info->max_position_violation);
    print_number("max |psi|", "%.2e", info->max_velocity_violation);
    print_number("energy error", "%.2e (relative)", info->relative_energy_error);
    snprintf(text, sizeof text, "%d (%d velocities, %d constraints, %d redundant)", info->dof,
             model.n_v, info->n_constraints, info->n_redundant);
    cli_print_row(stdout, 0, LABEL_WIDTH, "degrees of freedom", text);
    print_outputs(run);
    print_measures(run);
}

/* ---- JSON ---- */

/* What the simulation was and did. */
static void put_info(cli_json *json, const hol_sim_info *info) {
    cli_json_text(json, "method", info->method);
    cli_json_text(json, "coordinates", info->coordinates);
    cli_json_text(json, "integrator", info->integrator);
    cli_json_text(json, "kernel", info->kernel);
    cli_json_text(json, "stabilizer", info->stabilizer);
    cli_json_text(json, "correction", info->correction);
    cli_json_text(json, "choice", info->choice);
    cli_json_text(json, "end", end_names[info->end]);
    cli_json_number(json, "t", info->t);
    cli_json_integer(json, "steps", info->steps);
    cli_json_integer(json, "rejected", info->rejected);
    cli_json_integer(json, "evaluations", info->evaluations);
    cli_json_integer(json, "factorizations", info->factorizations);
    cli_json_integer(json, "coordinate_changes", info->coordinate_changes);
    cli_json_number(json, "wall_time", info->wall_time);
    cli_json_number(json, "max_position_violation", info->max_position_violation);
    cli_json_number(json, "max_velocity_violation", info->max_velocity_violation);
    cli_json_number(json, "relative_energy_error", info->relative_energy_error);
    cli_json_integer(json, "dof", info->dof);
    cli_json_integer(json, "redundant", info->n_redundant);
}

void cli_summary_json(const cli_run *run) {
    cli_json json = cli_json_start(stdout);
    cli_json_text(&json, "status", hol_status_name(run->status));
    cli_json_text(&json, "file", run->path);
    if (run->model) cli_json_text(&json, "model", hol_model_describe(run->model).name);
    if (run->sim) {
        const int n = hol_model_describe(run->model).n_measures;
        put_info(&json, &run->info);
        cli_json_open(&json, "final", '{');
        for (int i = 0; i < n; i++)
            cli_json_number(&json, hol_model_measure(run->model, i).name,
                            hol_data_measure(hol_sim_data(run->sim), i));
        cli_json_close(&json, '}');
    }
    cli_json_messages(&json, run->cli);
    cli_json_open(&json, "output", '[');
    for (int i = 0; i < run->outputs.n; i++)
        if (run->outputs.items[i].written) cli_json_text(&json, NULL, run->outputs.items[i].path);
    cli_json_close(&json, ']');
    cli_json_finish(&json);
}
