/* compare.c: holonom compare: one model under several methods, in one table. */
#define _POSIX_C_SOURCE 200809L
#include "cli/compare.h"
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum table_format { TEXT, CSV, JSON, LATEX, NO_FORMAT } table_format;

static const struct format_row {
    const char *name, *ending;
} formats[] = {{"text", ".txt"}, {"csv", ".csv"}, {"json", ".json"}, {"latex", ".tex"}};

/* ---- options ---- */

/* The format that --format or --json names, or else the ending of the file; NO_FORMAT after a
 * mistake. */
static table_format choose_format(cli_session *cli, const cli_args *args) {
    const char *name = cli_args_value(args, "format"), *path = cli_args_value(args, "output");
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (name && cli_args_has(args, "json") && strcmp(name, "json") != 0) {
        cli_usage(cli, args->command, "--json and --format %s exclude each other", name);
        return NO_FORMAT;
    }
    if (cli_args_has(args, "json")) return JSON;
    for (int i = 0; i < NO_FORMAT; i++)
        if (name ? strcmp(name, formats[i].name) == 0 : dot && strcmp(dot, formats[i].ending) == 0)
            return (table_format)i;
    if (!name) return TEXT;
    cli_usage(cli, args->command, "there is no format '%s'; write text, csv, json or latex", name);
    return NO_FORMAT;
}

/* A whole number from 1 up, or the default; 0 after a mistake. */
static int read_count(cli_session *cli, const cli_args *args, const char *name, int initial) {
    const char *text = cli_args_value(args, name);
    char *end;
    if (!text) return initial;
    const long n = strtol(text, &end, 10);
    if (end != text && !*end && n >= 1 && n <= 10000) return (int)n;
    cli_usage(cli, args->command, "'--%s %s': write a whole number from 1 to 10000", name, text);
    return 0;
}

/* Cores that are there. */
static int count_cores(void) {
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 && n <= 10000 ? (int)n : 1;
}

/* ---- output ---- */

/* Whether the file can be written, before the runs: it is not the model, nor what that names. */
static void check_output(cli_comparison *c, const char *path) {
    if (path) hol_output_check(c->cli->ctx, path);
}

/* The table in its format. */
static void write_table(const cli_comparison *c, table_format format, hol_status status,
                        FILE *out) {
    switch (format) {
    case CSV: cli_compare_write_csv(c, out); break;
    case JSON: cli_compare_write_json(c, status, out); break;
    case LATEX: cli_compare_write_latex(c, out); break;
    default: cli_compare_write_text(c, out); break;
    }
}

/* The table to the file or to stdout; 0 when the file could not be written. */
static int put_table(const cli_comparison *c, table_format format, hol_status status) {
    const char *path = c->may_write ? cli_args_value(c->args, "output") : NULL;
    char *text = NULL;
    size_t n = 0;
    if (path && cli_compare_is_answer(path) && !cli_args_has(c->args, "format"))
        return cli_compare_write_answer(c, path) == HOL_OK;
    if (!path) {
        write_table(c, format, status, stdout);
        return 1;
    }
    FILE *out = open_memstream(&text, &n);
    if (out) write_table(c, format, status, out);
    const int whole = out && !ferror(out);
    const int closed = out && fclose(out) == 0;
    if (!whole || !closed) cli_report(c->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    const int good = whole && closed && hol_output_write(c->cli->ctx, path, text, n) == HOL_OK;
    free(text);
    return good;
}

/* ---- the comparison ---- */

/* Read the plan, load the model of the first case, run everything; HOL_OK also when some runs
 * failed. */
static hol_status carry_out(cli_comparison *c) {
    const char *path = cli_args_value(c->args, "output");
    c->jobs = read_count(c->cli, c->args, "jobs", count_cores());
    c->repeat = read_count(c->cli, c->args, "repeat", 0);
    if (c->cli->status || !cli_compare_plan(c)) return c->cli->status;
    const char *picture = cli_args_value(c->args, "plot");
    if (!picture && cli_args_has(c->args, "figures"))
        cli_usage(c->cli, c->args->command, "--figures says what --plot draws: add --plot FILE");
    if (picture) cli_compare_can_plot(c, picture);
    if (c->cli->status) return c->cli->status;
    hol_options *options;
    c->model = cli_compare_load(c, c->cli, 0, NULL, 0, &options);
    if (c->model) cli_compare_can_sweep(c, options);
    hol_options_free(options);
    if (!c->model || c->cli->status) return c->cli->status;
    check_output(c, path);
    check_output(c, picture);
    if (c->cli->status) return c->cli->status;
    c->may_write = 1;
    c->n_columns = cli_about(c->model).n_measures;
    c->judged = calloc((size_t)c->n_columns + 1, 1);
    if (!c->judged) {
        cli_report(c->cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return HOL_ERR_MEMORY;
    }
    cli_compare_judged(c);
    cli_instructions_close(cli_instructions_open(c->no_instructions, sizeof c->no_instructions));
    cli_interrupt_catch();
    const hol_status status = cli_compare_run(c);
    c->is_done = !status;
    if (!status) cli_compare_evaluate(c);
    return status ? status : c->cli->status;
}

/* Say what the table does not: a reference that failed or has nothing in common with the runs. */
static void judge_reference(const cli_comparison *c) {
    int known = 0, ran = 0;
    char text[2048];
    for (int i = 0; i < c->n_trials; i++) {
        const cli_trial *trial = &c->trials[i];
        known += trial->worst >= 0;
        ran += trial->kind == CLI_TRIAL_SHOWN && !trial->record.status;
        if (trial->kind != CLI_TRIAL_REFERENCE || !trial->record.status) continue;
        cli_trial_reason(trial, text, sizeof text);
        cli_report(c->cli, HOL_WARNING, trial->record.status,
                   "there is no reference, so errors are unknown: %s", text);
    }
    if (c->file && ran && !known)
        cli_report(c->cli, HOL_WARNING, HOL_OK,
                   "no run has an instant and a column in common with '%s', so errors are unknown; "
                   "set `output` to its interval and give the measures the same names",
                   cli_args_value(c->args, "reference"));
}

/* The status of the first run that failed. Where all methods run because none was named, one that
 * does not take the settings of the others is no failure. */
static hol_status first_failure(const cli_comparison *c) {
    const int named = cli_args_value(c->args, "methods") != NULL;
    hol_status refused = HOL_OK;
    int ran = 0;
    for (int i = 0; i < c->n_trials; i++) {
        const hol_status status = c->trials[i].record.status;
        if (c->trials[i].kind == CLI_TRIAL_BASE || c->trials[i].kind == CLI_TRIAL_CHECK) continue;
        ran += !status;
        if (status && (named || status != HOL_ERR_INPUT)) return status;
        if (status) refused = status;
    }
    return ran ? HOL_OK : refused;
}

static int run_compare(cli_session *cli, const cli_args *args) {
    cli_comparison c = {.cli = cli, .args = args, .path = args->words[0]};
    const table_format format = choose_format(cli, args);
    hol_status status = HOL_ERR_ARGUMENT, failure = HOL_OK;
    int written = 1;
    cli->quiet = cli_args_has(args, "quiet");
    if (format != NO_FORMAT) status = carry_out(&c);
    if (!status) {
        judge_reference(&c);
        failure = first_failure(&c);
    }
    if (status == HOL_ERR_INTERRUPTED)
        cli_report(cli, HOL_WARNING, status, "interrupted; there is no table");
    const char *picture = cli_args_value(args, "plot");
    int drawn = CLI_OK;
    if (!status && picture) drawn = cli_compare_plot(&c, picture);
    if (!status || format == JSON) written = put_table(&c, format, status ? status : failure);
    cli_compare_plan_free(&c);
    free(c.judged);
    hol_model_free(c.model);
    if (status == HOL_ERR_INTERRUPTED) return 128 + cli_interrupt_signal();
    if (status) return cli_exit_code(status);
    if (!written) return cli->status == HOL_ERR_MEMORY ? CLI_MEMORY : CLI_IO;
    return drawn ? drawn : failure ? CLI_FAILED : CLI_OK;
}

/* clang-format off */
static const cli_option options[] = {
    {"methods", 'm', "LIST", NULL,
     "The methods to compare, with commas between them (default: all of `holonom methods`). Each "
     "may carry further "
     "options: nullspace+basis=svd+correction=direct."},
    {"vary", 0, "KEY=LIST", NULL,
     "Repeat everything for each of these values of a parameter or an option. May be given several "
     "times; all "
     "combinations are run."},
    {"sweep", 0, "KEY=FROM..TO", NULL,
     "Work and precision: repeat everything along the tolerance (tolerance=1e-3..1e-12, a value a "
     "decade) or the fixed step (step=8e-3..1e-3, halved); 1e-3..1e-12:28 for so many values. "
     "Errors against evaluations, factorizations, instructions and time, fitted orders, and what "
     "no other setting beats."},
    {"reference", 0, "FILE", NULL,
     "Measure errors against this result file (.h5 or .csv), at the times that it shares with the "
     "runs; 'none': not "
     "at all (default: a reference is computed)."},
    {"reference-tol", 0, "T", NULL, "Tolerance of the reference that is computed "
     "(1e-12; of a sweep 1e-14, and checked against a run by other equations)."},
    {"set", 's', "KEY=VALUE", NULL,
     "Set a parameter, an option of the simulation or any key of the model, for all runs. May be "
     "given several times."},
    CLI_INCLUDE_ROOT,
    {"integrator", 0, "I", "simulation.integrator", "The integration formula of all methods."},
    {"integrators", 0, "LIST", "simulation.integrator", "Each method with each of these formulas."},
    {"coordinates", 0, "LIST", "simulation.coordinates",
     "The unknowns: reference, natural, relative or auto; of several each method with each."},
    {"step", 0, "H", "simulation.step", "Fixed step in seconds; 0 chooses steps by error."},
    {"tol", 0, "T", "simulation.tolerance", "Local error allowed per step."},
    {"end", 0, "T", "simulation.end", "Time at which the runs end, in seconds."},
    {"format", 'f', "FORMAT", NULL, "text, csv, json or latex; the default follows the ending of "
     "the output file, or is text."},
    {"json", 0, NULL, NULL, "The same as --format json: one JSON object, also after a failure."},
    {"jobs", 'j', "N", NULL, "Runs at the same time (default: as many as there are cores). 1 gives "
     "the fairest times."},
    {"repeat", 0, "N", NULL, "Run each method N times and report the fastest (default: short runs "
     "are repeated until 0.1 s are spent)."},
    {"output", 'o', "FILE", NULL,
     "Write the table to this file; .h5, .mat and .html (a page) too."},
    {"plot", 'p', "FILE", NULL, "Draw the table too, .svg, .png, .pdf or .html (a page): errors "
     "over the number that --vary changes, or over the costs of a --sweep, on logarithmic axes, "
     "with their orders; without it, bars of the times."},
    {"figures", 0, "LIST", NULL, "What to draw, by the keys of the JSON format, for example "
     "error,evaluations."},
    {"quiet", 'q', NULL, NULL, "No progress line, no notes."},
    {0},
};
/* clang-format on */

const cli_command cli_command_compare = {
    .name = "compare",
    .arguments = "MODEL",
    .title = "Simulate a model under several methods and print one table of errors and costs.",
    .text =
        "A row has the largest violation of positions and velocities, the relative error of "
        "the energy balance, "
        "the error against the reference, evaluations of the equations of motion, "
        "factorizations, changes of "
        "independent coordinates, steps, and processor time as a multiple of that of "
        "`lagrange`. The error is the "
        "largest difference over all output times and measured lengths and angles: angles in "
        "radians, lengths "
        "relative to the largest of the reference, or to 1 m when that is larger. The "
        "reference is a run of the method auto "
        "with error-controlled "
        "steps. A run that fails has the reason in its row, and the exit code is 1; without "
        "--methods, a method that does not take the other settings has it too, and is no failure. "
        "Each run is a "
        "thread; its time is what the processor spent on it alone, but runs at the same time "
        "compete for memory and caches, so that ratios are fairest with --jobs 1."
        "\n\n  holonom compare four_bar.yaml --step 1e-3 --methods "
        "lagrange,baumgarte+alpha=10,direct-correction"
        "\n\n  holonom compare four_bar.yaml --methods direct-correction --integrators "
        "dopri5,dop853,radau9 --sweep tolerance=1e-3..1e-12 --plot work.html",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_compare,
};
