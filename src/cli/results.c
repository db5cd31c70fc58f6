/* results.c: holonom results: what a result file holds, or some of its columns as CSV. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* EXACT: the digits with which every number reads back as it was. */
enum { LABEL_WIDTH = 36, SHORT_TEXT = 200, EXACT = 17 };

/* ---- the listing ---- */

/* A stored text, where there is one: in full when it is short, else its size. */
static int print_text(const hol_result *result, const char *key) {
    const char *text = hol_result_text(result, key);
    char size[64];
    if (!text || !*text) return 0;
    if (strlen(text) > SHORT_TEXT || strchr(text, '\n')) {
        int lines = 1;
        for (const char *p = text; *p; p++) lines += *p == '\n' && p[1];
        snprintf(size, sizeof size, "%d lines (--text %s)", lines, key);
        text = size;
    }
    cli_print_row(stdout, 2, LABEL_WIDTH, key, text);
    return 1;
}

/* The statistics that the file holds. */
static void print_statistics(const hol_result *result) {
    const hol_statistic *row;
    for (int i = 0; (row = hol_statistic_get(i)); i++) {
        char key[128];
        const int in_head = row->show & HOL_SHOW_HEAD;
        snprintf(key, sizeof key, "%s%s", in_head ? "" : "statistics.",
                 row->stored ? row->stored : row->key);
        if (row->show & HOL_SHOW_LISTING) print_text(result, key);
    }
}

/* All stored texts. */
static void print_texts(const hol_result *result) {
    static const char *const first[] = {"model", "name", "hash", "version", "end"};
    const hol_option *option;
    if (!hol_result_text(result, "model") && !hol_result_text(result, "version")) return;
    puts("\ntexts");
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) print_text(result, first[i]);
    print_statistics(result);
    for (int i = 0; (option = hol_option_get(i)); i++) {
        char key[128];
        snprintf(key, sizeof key, "options.%s", option->name);
        print_text(result, key);
    }
}

/* The extremes of the columns over all steps of the run. */
static void print_extremes(const hol_result *result) {
    hol_extremes x = {.size = sizeof x};
    int n = 0;
    for (int i = 1; i < hol_result_columns(result); i++)
        if (hol_result_extremes(result, i, &x) == HOL_OK)
            cli_print_extremes(stdout, hol_result_column(result, i), &x, n++ == 0);
}

/* The size, the columns and the texts of a file. */
static void print_listing(const hol_result *result, const char *path) {
    const int rows = hol_result_rows(result), columns = hol_result_columns(result);
    const double *time = hol_result_values(result, 0);
    cli_printf(stdout, "%s: %d rows, %d columns", path, rows, columns);
    if (rows && time)
        cli_printf(stdout, ", t = %.10g to %.10g %s", time[0], time[rows - 1],
                   hol_result_column(result, 0)->unit);
    puts("\n\ncolumns");
    for (int i = 0; i < columns; i++) {
        const hol_column column = *hol_result_column(result, i);
        char label[256], text[1024];
        const int has_unit = column.unit && *column.unit, has_frame = column.frame && *column.frame;
        snprintf(label, sizeof label, "%s%s%s%s", column.name, has_unit ? " [" : "",
                 has_unit ? column.unit : "", has_unit ? "]" : "");
        snprintf(text, sizeof text, "%s%s%s%s", column.doc ? column.doc : "",
                 has_frame ? " (frame: " : "", has_frame ? column.frame : "", has_frame ? ")" : "");
        cli_print_row(stdout, 2, LABEL_WIDTH, label, text);
    }
    print_extremes(result);
    print_texts(result);
}

/* ---- columns as CSV ---- */

/* The index of a column; -1 after a message with a suggestion. */
static int find_column(cli_session *cli, const cli_args *args, const hol_result *result,
                       const char *name) {
    const int found = hol_result_find(result, name);
    if (found >= 0) return found;
    hol__near near = hol__near_start(name);
    for (int i = 0; i < hol_result_columns(result); i++)
        hol__near_try(&near, hol_result_column(result, i)->name);
    cli_usage(cli, args->command, "there is no column '%s' in '%s'%s%s%s", name, args->words[0],
              near.best ? "; did you mean '" : "", near.best ? near.best : "",
              near.best ? "'?" : "");
    return -1;
}

/* The chosen columns with a line of names. */
static void print_columns(const hol_result *result, const int *columns, int n, int digits) {
    for (int k = 0; k < n; k++) {
        const hol_column column = *hol_result_column(result, columns[k]);
        const int has_unit = column.unit && *column.unit;
        char name[512];
        snprintf(name, sizeof name, has_unit ? "%s [%s]" : "%s", column.name, column.unit);
        if (k) putchar(',');
        cli_print_cell(stdout, name);
    }
    putchar('\n');
    for (int i = 0; i < hol_result_rows(result); i++)
        for (int k = 0; k < n; k++)
            printf("%.*g%c", digits, hol_result_values(result, columns[k])[i],
                   k + 1 < n ? ',' : '\n');
}

/* The significant digits that are asked for, EXACT without the option; 0 after a message. */
static int read_digits(cli_session *cli, const cli_args *args) {
    const char *text = cli_args_value(args, "digits");
    char *end;
    if (!text) return EXACT;
    const long n = strtol(text, &end, 10);
    if (end != text && !*end && n >= 1 && n <= EXACT) return (int)n;
    cli_usage(cli, args->command, "--digits takes a whole number from 1 to %d, not '%s'", EXACT,
              text);
    return 0;
}

/* The columns that the words after the file name; the exit code. */
static int run_columns(cli_session *cli, const cli_args *args, const hol_result *result) {
    const int n = args->n_words - 1, digits = read_digits(cli, args);
    if (!digits) return CLI_USAGE;
    int *columns = malloc((size_t)n * sizeof *columns), found = 0;
    if (!columns) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return CLI_MEMORY;
    }
    for (int k = 0; k < n; k++) {
        columns[k] = find_column(cli, args, result, args->words[k + 1]);
        found += columns[k] >= 0;
    }
    if (found == n) print_columns(result, columns, n, digits);
    free(columns);
    return found == n ? CLI_OK : CLI_USAGE;
}

/* One stored text as it is; the exit code. */
static int run_text(cli_session *cli, const cli_args *args, const hol_result *result,
                    const char *key) {
    const char *text = hol_result_text(result, key);
    if (!text)
        return cli_usage(cli, args->command, "there is no text '%s' in '%s'", key, args->words[0]);
    cli_puts(stdout, text);
    if (*text && text[strlen(text) - 1] != '\n') putchar('\n');
    return CLI_OK;
}

/* The whole file for another program; "mat" stands for the same name with that ending. */
static int run_convert(cli_session *cli, const cli_args *args, const char *to) {
    const char *path = args->words[0], *dot = strrchr(path, '.');
    char name[4096];
    if (args->n_words > 1 || cli_args_value(args, "units") || cli_args_value(args, "text"))
        return cli_usage(
            cli, args->command,
            "--to writes the whole file as it is: leave out names, --units and --text");
    if (strcmp(to, "mat") == 0) {
        snprintf(name, sizeof name, "%.*s.mat", (int)(dot ? (size_t)(dot - path) : strlen(path)),
                 path);
        to = name;
    }
    const hol_status status = hol_result_convert(cli->ctx, path, to);
    return status ? cli_exit_code(status) : CLI_OK;
}

static int run_results(cli_session *cli, const cli_args *args) {
    hol_result *result = hol_result_read(cli->ctx, args->words[0]);
    const char *key = cli_args_value(args, "text");
    const char *to = cli_args_value(args, "to");
    int code = CLI_OK;
    if (!result) return cli_exit_code(cli->status ? cli->status : HOL_ERR_MEMORY);
    const char *units = cli_args_value(args, "units");
    if (to) {
        hol_result_free(result);
        return run_convert(cli, args, to);
    }
    const hol_status shown = units ? hol_result_set_units(result, units) : HOL_OK;
    if (shown)
        code = CLI_USAGE;
    else if (key)
        code = run_text(cli, args, result, key);
    else if (args->n_words > 1)
        code = run_columns(cli, args, result);
    else
        print_listing(result, args->words[0]);
    hol_result_free(result);
    return code;
}

static const cli_option options[] = {
    {"text", 0, "KEY", NULL, "Print one stored text as it is, for example the model."},
    {"units", 'u', "LIST", NULL,
     "Show the columns in these units, such as angle=deg,length=mm; '' for SI units."},
    {"to", 0, "FILE", NULL,
     "Write the whole result for MATLAB, Octave or SciPy: FILE.mat, or mat for the same name with "
     ".mat."},
    {"digits", 'd', "N", NULL, "Significant digits of the columns (default: 17, exact)."},
    {0},
};

const cli_command cli_command_results = {
    .name = "results",
    .arguments = "FILE [NAME...]",
    .title = "List the contents of a result file; with names, print these columns as CSV.",
    .text = "holonom results bar.h5 time crank_angle\nholonom results bar.h5 time crank_angle -d "
            "5\nholonom results bar.h5 --to bar.mat",
    .options = options,
    .min_words = 1,
    .max_words = -1,
    .run = run_results,
};
