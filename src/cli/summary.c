/* summary.c: what a run was made of, what it cost and where it ended: as lines, or as one JSON
 * object. */
#include "cli/print_json.h"
#include "cli/run.h"

#include <math.h>
#include <string.h>

enum { LABEL_WIDTH = 20, MAX_MEASURES = 20, MAX_LISTED = 12 };

static const char *const end_texts[] = {"not finished", "the end of the run",
                                        "where stop_when or an event ended it", "interrupted",
                                        "failed"};

/* The value of an option as it was used. */
static const char *option_value(const hol_sim *sim, const char *name, char *buf, size_t size) {
    const char *text = hol_options_text(hol_sim_options(sim), name, buf, size);
    return text ? text : "";
}

const char *cli_time_text(const hol_sim *sim, double t, int digits, char *buf, size_t size) {
    hol_unit unit;
    hol_sim_unit(sim, "s", &unit);
    snprintf(buf, size, "%.*g %s", digits, hol_unit_show(&unit, t), unit.name);
    return buf;
}

/* ---- lines ---- */

/* The method with its parts. */
static void print_method(const hol_sim *sim, const hol_sim_info *info) {
    char text[1024], form[64];
    const int has_form = strcmp(info->kernel, "udwadia-kalaba") == 0;
    const int other = *info->dae_form && strcmp(info->dae_form, info->stabilizer) != 0;
    snprintf(text, sizeof text, "%s%s%s (kernel %s%s%s, stabilizer %s, correction %s)",
             info->method, other ? ", form " : "", other ? info->dae_form : "", info->kernel,
             has_form ? " by " : "",
             has_form ? option_value(sim, "uk_form", form, sizeof form) : "", info->stabilizer,
             info->correction);
    cli_print_row(stdout, 0, LABEL_WIDTH, "method", text);
    if (info->choice && *info->choice)
        cli_print_row(stdout, 0, LABEL_WIDTH, "chosen by auto", info->choice);
}

/* The formula and how its steps were found. */
static void print_integrator(const hol_sim *sim, const hol_sim_info *info) {
    char text[512], step[64], tolerance[64];
    option_value(sim, "step", step, sizeof step);
    option_value(sim, "tolerance", tolerance, sizeof tolerance);
    char number[HOL__NUMBER_SIZE];
    const char *end;
    double value = hol__number_read(step, &end);
    const int fixed = end != step && value > 0;
    if (!fixed) value = hol__number_read(tolerance, &end);
    snprintf(text, sizeof text, "%s, %s %s%s", info->integrator,
             fixed ? "fixed step" : "steps chosen for tolerance", hol__number_text(value, number),
             fixed ? " s" : "");
    cli_print_row(stdout, 0, LABEL_WIDTH, "integrator", text);
    const int used = snprintf(text, sizeof text, "%ld (%ld rejected), %ld evaluations", info->steps,
                              info->rejected, info->evaluations);
    if (info->coordinate_changes > 0)
        snprintf(text + used, sizeof text - (size_t)used,
                 ", %ld changes of independent coordinates", info->coordinate_changes);
    cli_print_row(stdout, 0, LABEL_WIDTH, "steps", text);
}

/* The first of the instants, "..." where there are more, with their unit where that was asked
 * for. */
static void list_text(hol_list list, const hol_unit *unit, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < list.n && used < size; i++) {
        const int more = i == MAX_LISTED;
        used += (size_t)snprintf(text + used, size - used, more ? ", ..." : "%s%.6g", i ? ", " : "",
                                 hol_unit_show(unit, list.values[i]));
        if (more) break;
    }
    const int asked = unit->times != unit->over;
    if (list.n && asked && used < size) snprintf(text + used, size - used, " %s", unit->name);
}

/* One statistic as text, "" where there is nothing to show. */
static void statistic_text(const cli_run *run, const hol_statistic *statistic,
                           hol_statistic_value value, char *text, size_t size) {
    hol_unit seconds;
    text[0] = '\0';
    switch (statistic->kind) {
    case HOL_STATISTIC_COUNT:
        if (value.count) snprintf(text, size, "%ld", value.count);
        break;
    case HOL_STATISTIC_REAL: snprintf(text, size, statistic->format, value.real); break;
    case HOL_STATISTIC_TEXT: snprintf(text, size, "%s", value.text ? value.text : ""); break;
    case HOL_STATISTIC_LIST:
        hol_sim_unit(run->sim, "s", &seconds);
        list_text(value.list, &seconds, text, size);
        break;
    }
}

/* The statistics that have a line of their own. */
static void print_statistics(const cli_run *run) {
    const hol_sim_info *info = &run->info;
    const hol_statistic *row;
    for (int i = 0; (row = hol_statistic_get(i)); i++) {
        char text[512];
        if (!(row->show & HOL_SHOW_SUMMARY)) continue;
        statistic_text(run, row, hol_statistic_of(info, i), text, sizeof text);
        if (*text) cli_print_row(stdout, 0, LABEL_WIDTH, row->title, text);
        if (strcmp(row->key, "switches") == 0) cli_events_print(run);
    }
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

/* A measured column at the end, in the unit that results show it in; NaN where it cannot be had. */
static double measure_of(const cli_run *run, int column, hol_unit *unit) {
    double value;
    if (hol_sim_measure_unit(run->sim, column, unit)) return NAN;
    return hol_data_measure(hol_sim_data(run->sim), column, &value) < 0
               ? NAN
               : hol_unit_show(unit, value);
}

/* The extremes of measure i over all steps, in the units of results; 0 where there are none. */
static int extremes_of(const cli_run *run, int i, hol_extremes *out) {
    const hol_sim_info *info = &run->info;
    if (i >= info->minima.n) return 0;
    hol_unit unit, time;
    if (hol_sim_measure_unit(run->sim, i, &unit)) return 0;
    hol_sim_unit(run->sim, "s", &time);
    *out = (hol_extremes){sizeof *out, hol_unit_show(&unit, info->minima.values[i]),
                          hol_unit_show(&time, info->minimum_times.values[i]),
                          hol_unit_show(&unit, info->maxima.values[i]),
                          hol_unit_show(&time, info->maximum_times.values[i])};
    return 1;
}

static void print_measures(const cli_run *run) {
    const int n = cli_about(run->model).n_measures;
    const char *file = first_output(run);
    int width = 0;
    if (n == 0) return;
    char t[CLI_TIME_SIZE];
    cli_printf(stdout, "\nat t = %s%s\n", cli_time_text(run->sim, run->info.t, 10, t, sizeof t),
               run->info.minima.n ? "; then the minimum and the maximum over all steps" : "");
    for (int i = 0; i < n && i < MAX_MEASURES; i++) {
        const int length = hol__utf8_length(hol_model_measure(run->model, i)->name);
        if (length > width) width = length;
    }
    for (int i = 0; i < n && i < MAX_MEASURES; i++) {
        const hol_column column = *hol_model_measure(run->model, i);
        fputs("  ", stdout);
        cli_print_padded(stdout, column.name, width + 2);
        hol_unit unit;
        hol_extremes x;
        const double value = measure_of(run, i, &unit);
        const int ranges = extremes_of(run, i, &x);
        cli_printf(stdout,
                   ranges       ? "%20.12g %-8s"
                   : *unit.name ? "%20.12g %s"
                                : "%20.12g",
                   value, unit.name);
        if (ranges)
            printf("  %.6g (t = %.6g) to %.6g (t = %.6g)", x.minimum, x.minimum_time, x.maximum,
                   x.maximum_time);
        putchar('\n');
    }
    if (n > MAX_MEASURES)
        cli_printf(stdout, "  ... %d more%s%s\n", n - MAX_MEASURES, file ? " in " : "",
                   file ? file : "");
}

void cli_summary_print(const cli_run *run) {
    const hol_sim_info *info = &run->info;
    const hol_model_info model = cli_about(run->model);
    char text[512];
    cli_print_row(stdout, 0, LABEL_WIDTH, "model", model.name);
    print_method(run->sim, info);
    cli_print_row(stdout, 0, LABEL_WIDTH, "coordinates", info->coordinates);
    print_integrator(run->sim, info);
    char t[CLI_TIME_SIZE];
    snprintf(text, sizeof text, "t = %s, %s", cli_time_text(run->sim, info->t, 10, t, sizeof t),
             end_texts[info->end]);
    cli_print_row(stdout, 0, LABEL_WIDTH, "end", text);
    print_statistics(run);
    const int n_v = cli_about(hol_data_model(hol_sim_data(run->sim))).n_v;
    snprintf(text, sizeof text, "%d (%d %s, %d %s, %d redundant)", info->dof, n_v,
             n_v == 1 ? "velocity" : "velocities", info->n_constraints,
             info->n_constraints == 1 ? "constraint" : "constraints", info->n_redundant);
    cli_print_row(stdout, 0, LABEL_WIDTH, "degrees of freedom", text);
    print_outputs(run);
    print_measures(run);
}

/* ---- JSON ---- */

/* The numbers of a list. */
static void put_list(hol__json *json, const char *key, hol_list list) {
    hol__json_open(json, key, '[');
    for (int i = 0; i < list.n; i++) hol__json_number(json, NULL, list.values[i], 0);
    hol__json_close(json, ']');
}

/* The extremes of the measures over all steps. */
static void put_extremes(hol__json *json, const cli_run *run) {
    hol_extremes x;
    hol__json_open(json, "extremes", '[');
    for (int i = 0; extremes_of(run, i, &x); i++) {
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "name", hol_model_measure(run->model, i)->name);
        hol__json_number(json, "minimum", x.minimum, 0);
        hol__json_number(json, "minimum_time", x.minimum_time, 0);
        hol__json_number(json, "maximum", x.maximum, 0);
        hol__json_number(json, "maximum_time", x.maximum_time, 0);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

/* What the simulation was and did. */
static void put_info(hol__json *json, const hol_sim_info *info) {
    const hol_statistic *row;
    for (int i = 0; (row = hol_statistic_get(i)); i++) {
        const hol_statistic_value value = hol_statistic_of(info, i);
        if (!(row->show & HOL_SHOW_JSON)) continue;
        switch (row->kind) {
        case HOL_STATISTIC_COUNT: hol__json_integer(json, row->key, value.count); break;
        case HOL_STATISTIC_REAL: hol__json_number(json, row->key, value.real, 0); break;
        case HOL_STATISTIC_TEXT: hol__json_text(json, row->key, value.text); break;
        case HOL_STATISTIC_LIST: put_list(json, row->key, value.list); break;
        }
    }
}

void cli_summary_json(const cli_run *run) {
    hol__json json = cli_json_start(stdout);
    hol__json_text(&json, "status", hol_status_name(run->status));
    hol__json_text(&json, "file", run->path);
    if (run->model) hol__json_text(&json, "model", cli_about(run->model).name);
    if (run->sim) {
        const int n = cli_about(run->model).n_measures;
        put_info(&json, &run->info);
        const hol_model_info about = cli_about(run->model);
        if (about.n_switched || about.n_events) cli_events_json(&json, run);
        hol_unit unit;
        hol__json_open(&json, "final", '{');
        for (int i = 0; i < n; i++)
            hol__json_number(&json, hol_model_measure(run->model, i)->name,
                             measure_of(run, i, &unit), 0);
        hol__json_close(&json, '}');
        hol__json_open(&json, "final_units", '[');
        for (int i = 0; i < n; i++)
            if (!hol_sim_measure_unit(run->sim, i, &unit)) hol__json_text(&json, NULL, unit.name);
        hol__json_close(&json, ']');
        put_extremes(&json, run);
    }
    cli_json_messages(&json, run->cli);
    hol__json_open(&json, "output", '[');
    for (int i = 0; i < run->outputs.n; i++)
        if (run->outputs.items[i].written) hol__json_text(&json, NULL, run->outputs.items[i].path);
    hol__json_close(&json, ']');
    cli_json_finish(&json);
}
