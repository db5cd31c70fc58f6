/* compare_write.c: the table of a comparison as CSV [RFC 4180], as one JSON object and as a LaTeX
 * tabular. */
#include "cli/compare.h"
#include "cli/print_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The name of the column in which the error is, or "". */
static const char *worst_column(const cli_comparison *c, const cli_trial *trial) {
    return trial->worst >= 0 ? hol_model_measure(c->model, trial->worst)->name : "";
}

static const char *message_of(const cli_trial *trial) {
    return trial->message ? trial->message : "";
}

/* ---- CSV ---- */

/* A number, nothing where there is none. */
static void put_number(FILE *out, double value) {
    char buf[HOL__NUMBER_SIZE];
    cli_printf(out, ",%s", isnan(value) ? "" : hol__number_text(value, buf));
}

void cli_compare_write_csv(const cli_comparison *c, FILE *out) {
    fputs("method", out);
    for (int a = 0; a < c->n_axes; a++) {
        fputc(',', out);
        cli_print_cell(out, c->axes[a].key);
    }
    cli_figure figure;
    for (int k = 0; cli_figure_get(c, k, &figure); k++) cli_printf(out, ",%s", figure.key);
    fputs(c->is_sweep ? "" : ",cpu_time", out);
    fputs(",error_column,status,t,message\n", out);
    for (int i = 0; i < c->n_trials; i++) {
        const cli_trial *trial = &c->trials[i];
        if (trial->kind != CLI_TRIAL_SHOWN) continue;
        cli_print_cell(out, trial->entry->label);
        for (int a = 0; a < c->n_axes; a++) {
            fputc(',', out);
            cli_print_cell(out, cli_compare_value(c, a, trial->case_index));
        }
        for (int k = 0; cli_figure_get(c, k, &figure); k++)
            put_number(out, cli_figure_value(&figure, trial));
        if (!c->is_sweep) put_number(out, trial->record.is_set_up ? trial->record.cpu_time : NAN);
        fputc(',', out);
        cli_print_cell(out, worst_column(c, trial));
        cli_printf(out, ",%s", hol_status_name(trial->record.status));
        put_number(out, trial->record.is_set_up ? trial->record.t : NAN);
        fputc(',', out);
        cli_print_cell(out, message_of(trial));
        fputc('\n', out);
    }
}

/* ---- JSON ---- */

/* What the run was made of and how it ended. */
static void put_run(hol__json *json, const cli_trial *trial, int is_sweep) {
    const cli_record *record = &trial->record;
    hol__json_text(json, "status", hol_status_name(record->status));
    hol__json_text(json, "message", message_of(trial));
    hol__json_number(json, "t", record->is_set_up ? record->t : NAN, 0);
    if (!is_sweep)
        hol__json_number(json, "cpu_time", record->is_set_up ? record->cpu_time : NAN, 0);
    for (int i = 0; hol_statistic_get(i) && i < CLI_STATISTICS; i++) {
        const hol_statistic *row = hol_statistic_get(i);
        if (!(row->show & HOL_SHOW_COMPARE)) continue;
        if (row->kind == HOL_STATISTIC_TEXT)
            hol__json_text(json, row->key, record->texts[i]);
        else
            hol__json_number(json, row->key, record->is_set_up ? record->statistics[i] : NAN, 0);
    }
}

/* The largest difference in each column that counts. */
static void put_differences(const cli_comparison *c, hol__json *json, const cli_trial *trial) {
    hol__json_open(json, "differences", '{');
    for (int j = 0; j < c->n_columns; j++)
        if (c->judged[j])
            hol__json_number(json, hol_model_measure(c->model, j)->name,
                             trial->differences ? trial->differences[j] : NAN, 0);
    hol__json_close(json, '}');
}

/* One row. */
static void put_row(const cli_comparison *c, hol__json *json, const cli_trial *trial) {
    hol__json_open(json, NULL, '{');
    hol__json_text(json, "method", trial->entry->label);
    hol__json_open(json, "vary", '{');
    for (int a = 0; a < c->n_axes; a++)
        hol__json_text(json, c->axes[a].key, cli_compare_value(c, a, trial->case_index));
    hol__json_close(json, '}');
    cli_figure figure;
    for (int k = 0; cli_figure_get(c, k, &figure); k++)
        hol__json_number(json, figure.key, cli_figure_value(&figure, trial), 0);
    const int known = trial->worst >= 0;
    hol__json_text(json, "error_column", known ? worst_column(c, trial) : NULL);
    hol__json_number(json, "error_difference", known ? trial->worst_difference : NAN, 0);
    hol__json_number(json, "error_time", known ? trial->worst_time : NAN, 0);
    put_differences(c, json, trial);
    put_run(json, trial, c->is_sweep);
    hol__json_close(json, '}');
}

/* The orders of the errors of each method in the number that varies. */
static void put_orders(const cli_comparison *c, hol__json *json) {
    cli_figure figure;
    hol__json_open(json, "orders", '[');
    for (int i = 0; i < c->n_entries; i++) {
        hol__json_open(json, NULL, '{');
        hol__json_text(json, "method", c->entries[i].label);
        hol__json_text(json, "in", c->axes[0].key);
        for (int k = 0; cli_figure_get(c, k, &figure); k++)
            if (figure.kind == CLI_FIGURE_ERROR)
                hol__json_number(json, figure.key, cli_compare_order(c, &figure, i), 0);
        hol__json_close(json, '}');
    }
    hol__json_close(json, ']');
}

void cli_compare_write_json(const cli_comparison *c, hol_status status, FILE *out) {
    hol__json json = cli_json_start(out);
    char reference[512];
    cli_compare_reference_text(c, reference, sizeof reference);
    hol__json_text(&json, "status", hol_status_name(status));
    hol__json_text(&json, "file", c->path);
    if (c->model) hol__json_text(&json, "model", cli_about(c->model).name);
    hol__json_text(&json, "reference", reference);
    hol__json_open(&json, "error_columns", '[');
    for (int j = 0; j < c->n_columns && c->judged; j++)
        if (c->judged[j]) hol__json_text(&json, NULL, hol_model_measure(c->model, j)->name);
    hol__json_close(&json, ']');
    hol__json_open(&json, "rows", '[');
    for (int i = 0; i < c->n_trials && c->is_done; i++)
        if (c->trials[i].kind == CLI_TRIAL_SHOWN) put_row(c, &json, &c->trials[i]);
    hol__json_close(&json, ']');
    if (c->is_done && c->is_sweep)
        cli_compare_json_work(c, &json);
    else if (c->is_done && cli_compare_has_orders(c))
        put_orders(c, &json);
    cli_json_messages(&json, c->cli);
    cli_json_finish(&json);
}

/* ---- LaTeX ---- */

/* A text with the characters that LaTeX reads as commands written out. */
static void put_latex(FILE *out, const char *text) {
    static const struct {
        char letter;
        const char *latex;
    } special[] = {{'\\', "\\textbackslash{}"},
                   {'~', "\\textasciitilde{}"},
                   {'^', "\\textasciicircum{}"},
                   {'_', "\\_"},
                   {'&', "\\&"},
                   {'%', "\\%"},
                   {'#', "\\#"},
                   {'$', "\\$"},
                   {'{', "\\{"},
                   {'}', "\\}"},
                   {'<', "\\textless{}"},
                   {'>', "\\textgreater{}"},
                   {'|', "\\textbar{}"},
                   {'\n', " "}};
    for (; *text; text++) {
        const char *latex = NULL;
        for (size_t i = 0; i < sizeof special / sizeof *special && !latex; i++)
            if (special[i].letter == *text) latex = special[i].latex;
        if (latex)
            cli_puts(out, latex);
        else
            fputc((unsigned char)*text < 0x20 || *text == 0x7F ? '?' : *text, out);
    }
}

/* A figure: 1.2e-05 as 1.2 times a power of ten. */
static void put_figure(FILE *out, const cli_figure *figure, double value) {
    if (!isfinite(value))
        cli_puts(out, isnan(value) ? "--" : "$\\infty$");
    else if (figure->kind == CLI_FIGURE_COUNT)
        fprintf(out, "%.0f", value);
    else if (figure->kind == CLI_FIGURE_RATIO)
        fprintf(out, "%.2f", value);
    else if (value == 0)
        fputs("0", out);
    else {
        char text[HOL__NUMBER_SIZE];
        snprintf(text, sizeof text, "%.1e", value);
        char *e = strchr(text, 'e');
        const int power = atoi(e + 1);
        *e = '\0';
        cli_printf(out, "$%s\\cdot10^{%d}$", text, power);
    }
}

/* One row; a run that failed has its reason across the figures. */
static void put_latex_row(const cli_comparison *c, const cli_trial *trial, int n_figures,
                          FILE *out) {
    cli_figure figure;
    put_latex(out, trial->entry->label);
    for (int a = 0; a < c->n_axes; a++) {
        fputs(" & ", out);
        put_latex(out, cli_compare_value(c, a, trial->case_index));
    }
    if (trial->record.status) {
        char text[2048];
        cli_trial_reason(trial, text, sizeof text);
        fprintf(out, " & \\multicolumn{%d}{l}{", n_figures);
        put_latex(out, text);
        fputc('}', out);
    } else
        for (int k = 0; cli_figure_get(c, k, &figure); k++) {
            fputs(" & ", out);
            put_figure(out, &figure, cli_figure_value(&figure, trial));
        }
    fputs(" \\\\\n", out);
}

void cli_compare_write_latex(const cli_comparison *c, FILE *out) {
    int n_figures = 0;
    cli_figure figure;
    while (cli_figure_get(c, n_figures, &figure)) n_figures++;
    fputs("\\begin{tabular}{l", out);
    for (int a = 0; a < c->n_axes; a++) fputc('l', out);
    for (int k = 0; k < n_figures; k++) fputc('r', out);
    fputs("}\n\\hline\nmethod", out);
    for (int a = 0; a < c->n_axes; a++) {
        fputs(" & ", out);
        put_latex(out, c->axes[a].key);
    }
    for (int k = 0; cli_figure_get(c, k, &figure); k++) cli_printf(out, " & %s", figure.latex);
    fputs(" \\\\\n\\hline\n", out);
    for (int i = 0; i < c->n_trials; i++)
        if (c->trials[i].kind == CLI_TRIAL_SHOWN) put_latex_row(c, &c->trials[i], n_figures, out);
    fputs("\\hline\n\\end{tabular}\n", out);
}
