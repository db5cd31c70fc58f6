/* study.c: holonom study: many runs of one mechanism, and what they say. */
#include "cli/run.h"
#include "cli/search.h"
#include "cli/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what there is to do ---- */

static int list_designs(void) {
    const char *title;
    for (int i = 0; hol_study_design(i, &title); i++)
        cli_print_row(stdout, 2, 18, hol_study_design(i, NULL), title);
    return CLI_OK;
}

static hol_study_info about(const hol_study *study) {
    hol_study_info info = {.size = sizeof info};
    hol_study_describe(study, &info);
    return info;
}

/* Seconds in words. */
static const char *duration(double s, char *buf, size_t size) {
    if (!(s >= 0)) return "unknown";
    if (s < 100)
        snprintf(buf, size, "%.3g s", s);
    else if (s < 6000)
        snprintf(buf, size, "%.3g min", s / 60);
    else
        snprintf(buf, size, "%.3g h", s / 3600);
    return buf;
}

/* ---- one case ---- */

/* Run one case and write its results, as `holonom run` does. */
static int run_case(cli_session *cli, const cli_args *args, hol_study *study) {
    int good = 1;
    const double k = cli_number(cli, args, "case", 0, 0, (double)about(study).cases - 1, &good);
    cli_run run = {.cli = cli,
                   .args = args,
                   .printing = args,
                   .path = args->words[0],
                   .study = study,
                   .number = (long long)k};
    if (good && k != floor(k))
        return cli_usage(cli, args->command, "--case wants the number of a case");
    return good ? cli_run_whole(&run) : CLI_USAGE;
}

/* ---- dry run ---- */

/* How long some cases take: the first, the last and some between. */
static double time_of_a_case(cli_session *cli, hol_study *study, long long cases) {
    enum { TRIED = 5 };
    double sum = 0;
    int n = 0;
    for (int i = 0; i < TRIED && !cli_interrupt_signal(); i++) {
        hol_sim *sim = hol_study_sim(study, (cases - 1) * i / (TRIED - 1));
        if (!sim || hol_sim_run(sim, NULL)) continue;
        sum += cli_figures(sim).wall_time;
        n++;
    }
    (void)cli;
    return n ? sum / n : (double)NAN;
}

static int dry_run(cli_session *cli, hol_study *study, int jobs) {
    const hol_study_info info = about(study);
    char number[HOL__NUMBER_SIZE], text[64];
    cli_printf(stdout, "%lld cases, design %s, %d factors, %d responses\n", info.cases, info.design,
               info.n_factors, info.n_responses);
    for (int i = 0; hol_study_factor(study, i); i++) {
        const hol_column *f = hol_study_factor(study, i);
        cli_printf(stdout, "  %-24s %s\n", f->name, f->unit);
    }
    if (!*info.model) return CLI_OK;
    const double each = time_of_a_case(cli, study, info.cases);
    cli_printf(stdout, "a case takes about %s, all of them %s, %d at a time\n",
               duration(each, text, sizeof text),
               duration(each * (double)info.cases / jobs, (char[64]){0}, 64), jobs);
    cli_printf(stdout, "the log takes %s", hol__size_text(info.log_bytes, number));
    cli_printf(
        stdout, ", the table of cases %s in an HDF5 file\n",
        hol__size_text(8 * (double)info.cases * (info.n_factors + info.n_responses + 4), number));
    return CLI_OK;
}

/* ---- all cases ---- */

/* How far it is, in a line. */
static void print_state(const hol_study_state *state) {
    char text[64];
    const double here = (double)(state->done - state->found);
    fprintf(stderr, "%lld of %lld cases, %lld failed", state->done, state->cases, state->failed);
    if (here > 0 && state->elapsed > 0)
        cli_printf(stderr, ", %.3g a second, %s to go", here / state->elapsed,
                   duration(state->remaining, text, sizeof text));
}

/* On a terminal a line that changes five times a second; elsewhere, as in the files of a batch
 * system, one of its own every so often. The first process of several speaks. */
static hol_status show(void *user, const hol_study_state *state) {
    cli_study_watcher *w = user;
    cli_session *cli = w->cli;
    const int changes = cli_is_terminal(stderr);
    const double every = w->every > 0 ? w->every
                         : changes    ? 0.2
                                      : (state->ranks > 1 ? 60 : INFINITY);
    if (!cli->quiet && !state->rank && state->elapsed - w->shown >= every) {
        w->shown = state->elapsed;
        cli_progress_clear(cli);
        print_state(state);
        if (!changes) fputc('\n', stderr);
        fflush(stderr);
        cli->progress = changes;
    }
    return cli_interrupt_signal() ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* The log: the option, or the name of the study with the ending .cases in the current folder. */
static char *log_of(const cli_args *args) {
    const char *given = cli_args_value(args, "log");
    if (!given) return cli_path_from(args->words[0], ".cases", 1);
    char *copy = malloc(strlen(given) + 1);
    return copy ? strcpy(copy, given) : NULL;
}

static int run_all(cli_session *cli, const cli_args *args, hol_study *study, int jobs) {
    int good = 1;
    cli_study_watcher looks = {
        .cli = cli, .args = args, .every = cli_number(cli, args, "progress", 0, 0, 1e9, &good)};
    if (!good) return CLI_USAGE;
    const int threads = cli_args_has(args, "threads");
    hol_study_options options = {.size = sizeof options,
                                 .threads = threads ? jobs : 0,
                                 .processes = threads ? 0 : jobs,
                                 .on_answer = cli_study_so_far,
                                 .fresh = cli_args_has(args, "fresh"),
                                 .so_far = cli_args_has(args, "so-far"),
                                 .on_progress = show,
                                 .user = &looks};
    hol_answer *answer = NULL;
    char *log = log_of(args);
    if (!log) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return CLI_MEMORY;
    }
    options.log = *about(study).model ? log : NULL;
    cli_interrupt_catch();
    const hol_status status = hol_study_run(study, &options, &answer);
    cli_progress_clear(cli);
    if (status == HOL_ERR_INTERRUPTED)
        cli_report(cli, HOL_WARNING, HOL_OK,
                   "interrupted: the answer is that of the cases so far, which are in '%s'; the "
                   "same command goes on from there",
                   log);
    free(log);
    if (!status && !answer) return CLI_OK; /* the first of several processes has it */
    const hol_status kept =
        !status && !options.so_far ? cli_study_keep(args, study, answer) : HOL_OK;
    const int code =
        cli_answer_finish(cli, args, NULL, status == HOL_ERR_INTERRUPTED ? HOL_OK : status, answer);
    if (code == CLI_OK && status == HOL_OK) cli_study_so_far_gone(args);
    if (code == CLI_OK && kept) return cli_exit_code(kept);
    return status == HOL_ERR_INTERRUPTED && code == CLI_OK ? 128 + cli_interrupt_signal() : code;
}

static int run(cli_session *cli, const cli_args *args) {
    int good = 1;
    if (cli_args_has(args, "designs")) return list_designs();
    if (!args->n_words)
        return cli_usage(cli, args->command, "STUDY is missing: holonom study STUDY");
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int jobs =
        (int)cli_number(cli, args, "jobs", cores > 0 ? (double)cores : 1, 1, 10000, &good);
    if (!good) return CLI_USAGE;
    hol_study *study = hol_study_read(cli->ctx, args->words[0]);
    if (!study) return cli_exit_code(cli->status ? cli->status : HOL_ERR_INPUT);
    const int code = cli_args_has(args, "dry-run") ? dry_run(cli, study, jobs)
                     : cli_args_has(args, "case")  ? run_case(cli, args, study)
                                                   : run_all(cli, args, study, jobs);
    hol_study_free(study);
    return code;
}

static const cli_option options[] = {
    {"jobs", 'j', "N", NULL,
     "Cases at a time (default: as many as there are cores), each in a process of its own: one "
     "that "
     "crashes or is killed is replaced."},
    {"threads", 0, NULL, NULL, "The same by threads of one process (always so in an MPI job)."},
    {"log", 0, "FILE", NULL,
     "Where cases that are done are kept (default: the name of the study with .cases, in the "
     "current folder)."},
    {"fresh", 0, NULL, NULL, "Begin anew where there is a log."},
    {"so-far", 0, NULL, NULL,
     "Run nothing: the answer of the cases in the log, which may be being written."},
    {"case", 0, "K", NULL,
     "Run this case alone (from 0) and write its results (-o x.h5, x.csv), as holonom run does."},
    {"progress", 0, "SECONDS", NULL,
     "Say how far it is every so many seconds (default: on a terminal; in an MPI job every 60)."},
    {"dry-run", 0, NULL, NULL, "Run some cases to say how long all of them take."},
    {"designs", 0, NULL, NULL, "List the designs."},
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_study = {
    "study",
    "STUDY",
    "Run a model with many values of its parameters, and say what follows from which.",
    "The file of a study names the model, what varies (factors), which cases are run (the design) "
    "and what is kept of each (responses). Killed or interrupted, the same command goes on where "
    "it was.\n\n"
    "holonom study tolerances.yaml -o tolerances.h5 -o tolerances.html\n"
    "holonom study tolerances.yaml --case 812 -o worst.h5",
    options,
    0,
    1,
    run,
};
