/* compare_error.c: the error of a run against a reference, and its time against lagrange.
 *
 *     error = max over columns j and common instants t of |x_j(t) - r_j(t)| / s_j
 *
 * Columns are the measured lengths and angles (units m and rad), or all of them where the model
 * measures neither. The scale s_j is 1 for an angle; for a length the largest |r| over all lengths,
 * at least 1 m, as the tolerances of the library have it, so that a coordinate at rest is judged by
 * the size of its mechanism; for anything else the largest |r| over all columns of its unit.
 * Nothing is interpolated: an instant counts when both have it. The error at the end is the same
 * over the last of these instants alone.
 */
#include "cli/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of equal length, each at a distance from one value to the next; a column may be
 * missing. */
typedef struct series {
    int rows, stride;
    const double *time;
    const double **columns;
} series;

/* Value i of a column. */
static double at(const series *s, const double *column, int i) {
    return column[(size_t)i * (size_t)s->stride];
}

static const char *unit_of(const cli_comparison *c, int j) {
    const char *unit = hol_model_measure(c->model, j)->unit;
    return unit ? unit : "";
}

void cli_compare_judged(cli_comparison *c) {
    int n = 0;
    for (int j = 0; j < c->n_columns; j++) {
        c->judged[j] = strcmp(unit_of(c, j), "m") == 0 || strcmp(unit_of(c, j), "rad") == 0;
        n += c->judged[j];
    }
    for (int j = 0; j < c->n_columns && !n; j++) c->judged[j] = 1;
}

/* ---- the reference ---- */

/* The samples of a trial as a series. */
static series series_of_trial(const cli_comparison *c, const cli_trial *trial,
                              const double **columns) {
    const int width = c->n_columns + 1;
    for (int j = 0; j < c->n_columns; j++) columns[j] = trial->samples + j + 1;
    return (series){(int)trial->record.n_samples, width, trial->samples, columns};
}

/* Whether a column of the file, which is in SI units, is of the unit that is measured; a warning if
 * not. */
static int is_same_unit(const cli_comparison *c, int j, const char *unit) {
    if (!unit || !*unit || strcmp(unit, unit_of(c, j)) == 0) return 1;
    cli_report(
        c->cli, HOL_WARNING, HOL_OK,
        "the column '%s' of the reference is in %s, but the measure is in %s; it is left out",
        hol_model_measure(c->model, j)->name, unit, *unit_of(c, j) ? unit_of(c, j) : "none");
    return 0;
}

/* The columns of a file as a series, by name. */
static series series_of_file(const cli_comparison *c, const double **columns) {
    for (int j = 0; j < c->n_columns; j++) {
        const int found = hol_result_find(c->file, hol_model_measure(c->model, j)->name);
        const int fits = found >= 0 && is_same_unit(c, j, hol_result_column(c->file, found)->unit);
        columns[j] = fits ? hol_result_values(c->file, found) : NULL;
    }
    return (series){hol_result_rows(c->file), 1, hol_result_values(c->file, 0), columns};
}

/* s_j for all columns. */
static void find_scales(const cli_comparison *c, const series *reference, double *scales) {
    for (int j = 0; j < c->n_columns; j++) {
        const int is_angle = strcmp(unit_of(c, j), "rad") == 0;
        const int is_length = strcmp(unit_of(c, j), "m") == 0;
        double largest = is_length ? 1 : 0;
        for (int k = 0; k < c->n_columns && !is_angle; k++) {
            if (!reference->columns[k] || strcmp(unit_of(c, k), unit_of(c, j)) != 0) continue;
            for (int i = 0; i < reference->rows; i++)
                largest = fmax(largest, fabs(at(reference, reference->columns[k], i)));
        }
        scales[j] = largest > 0 ? largest : 1;
    }
}

/* ---- the error ---- */

/* The row x of the run against row r of the reference. */
static void compare_rows(const cli_comparison *c, cli_trial *trial, const series *reference,
                         const double *scales, const double *x, int r) {
    trial->error_end = -1;
    for (int j = 0; j < c->n_columns; j++) {
        if (!c->judged[j] || !reference->columns[j]) continue;
        const double difference = fabs(x[j + 1] - at(reference, reference->columns[j], r));
        if (!(difference / scales[j] <= trial->error_end))
            trial->error_end = isnan(difference) ? INFINITY : difference / scales[j];
        if (!(difference <= trial->differences[j])) trial->differences[j] = difference;
        if (difference / scales[j] <= trial->error) continue;
        trial->error = isnan(difference) ? INFINITY : difference / scales[j];
        trial->worst = j;
        trial->worst_difference = difference;
        trial->worst_time = x[0];
    }
}

/* The error over all common instants; NAN when there are none. */
static void compare_all(const cli_comparison *c, cli_trial *trial, const series *reference,
                        const double *scales) {
    const size_t width = (size_t)c->n_columns + 1, n = trial->record.n_samples;
    const double *samples = trial->samples;
    const double slack = n ? 1e-9 * fabs(samples[(n - 1) * width] - samples[0]) : 0;
    int r = 0, any = 0;
    trial->differences = malloc(width * sizeof *trial->differences);
    if (!trial->differences) return;
    for (size_t j = 0; j < width; j++) trial->differences[j] = NAN;
    trial->error = -1;
    for (size_t i = 0; i < n; i++) {
        const double *x = samples + i * width;
        while (r < reference->rows && at(reference, reference->time, r) < x[0] - slack) r++;
        if (r == reference->rows) break;
        if (at(reference, reference->time, r) > x[0] + slack) continue;
        compare_rows(c, trial, reference, scales, x, r);
        any = 1;
    }
    if (!any || trial->worst < 0) trial->error = trial->error_end = NAN;
}

/* Errors of the trials of all cases with this reference. */
static void judge(cli_comparison *c, const series *reference, int reference_index, double *scales) {
    find_scales(c, reference, scales);
    for (int i = 0; i < c->n_trials; i++) {
        cli_trial *trial = &c->trials[i];
        const int is_its = c->file || c->reference_of[trial->case_index] == reference_index;
        const int is_judged = trial->kind == CLI_TRIAL_SHOWN || trial->kind == CLI_TRIAL_CHECK;
        if (is_judged && is_its && trial->record.n_samples)
            compare_all(c, trial, reference, scales);
    }
}

/* ---- times ---- */

/* CPU times over those of lagrange in the same case. */
static void find_ratios(cli_comparison *c) {
    for (int i = 0; i < c->n_trials; i++) {
        const cli_trial *base = &c->trials[i];
        if (!base->entry || strcmp(base->entry->label, c->base.label) != 0 || base->record.status)
            continue;
        for (int k = 0; k < c->n_trials; k++) {
            cli_trial *trial = &c->trials[k];
            if (trial->entry && trial->case_index == base->case_index && !trial->record.status)
                trial->time_ratio = trial->record.cpu_time / base->record.cpu_time;
        }
    }
}

void cli_compare_evaluate(cli_comparison *c) {
    const size_t n = (size_t)c->n_columns + 1;
    const double **columns = calloc(n, sizeof *columns);
    double *scales = calloc(n, sizeof *scales);
    for (int i = 0; i < c->n_trials; i++) {
        c->trials[i].error = c->trials[i].error_end = c->trials[i].time_ratio = NAN;
        c->trials[i].worst = -1;
    }
    if (!columns || !scales)
        cli_report(c->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    else if (c->file) {
        const series reference = series_of_file(c, columns);
        judge(c, &reference, -1, scales);
    } else
        for (int i = 0; i < c->n_trials && c->trials[i].kind == CLI_TRIAL_REFERENCE; i++) {
            if (c->trials[i].record.status || !c->trials[i].samples) continue;
            const series reference = series_of_trial(c, &c->trials[i], columns);
            judge(c, &reference, i, scales);
        }
    find_ratios(c);
    free(columns);
    free(scales);
}
