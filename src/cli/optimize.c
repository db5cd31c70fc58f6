/* optimize.c: holonom optimize: parameters with the least objective. */
#include "cli/run.h"
#include "cli/search.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The list of algorithms. */
static int list_algorithms(void) {
    const char *title;
    for (int i = 0; hol_optimize_algorithm(i, &title); i++)
        cli_print_row(stdout, 2, 12, hol_optimize_algorithm(i, NULL), title);
    return CLI_OK;
}

/* The texts of the command line. */
typedef struct texts {
    const char **vary, **minimize, **maximize, **subject;
    hol_optimize_options how;
    int violated; /* the search ended at a violated constraint */
    hol_wide_options wide;
} texts;

/* Whether the answer is none because a constraint is violated. */
static int is_violated(const hol_answer *answer) {
    hol_fact fact = {.size = sizeof fact};
    for (int i = 0; answer && hol_answer_fact(answer, i, &fact) == HOL_OK; i++)
        if (strcmp(fact.key, "verdict") == 0 && fact.text)
            return strncmp(fact.text, "not a solution", 14) == 0;
    return 0;
}

/* The line of a search in many places, five times a second. */
static hol_status show(void *user, const hol_wide_state *state) {
    cli_search *search = user;
    cli_session *cli = search->cli;
    if (search->show && state->elapsed - search->shown > 0.2) {
        search->shown = state->elapsed;
        cli_progress_clear(cli);
        if (state->generation) fprintf(stderr, "generation %d, ", state->generation);
        fprintf(stderr, "%lld of %lld %s", state->done, state->cases,
                search->many_runs ? "runs" : "searches");
        if (state->value == state->value) cli_printf(stderr, ", least %.6g", state->value);
        fflush(stderr);
        cli->progress = 1;
    }
    return cli_interrupt_signal() ? HOL_ERR_INTERRUPTED : HOL_OK;
}

/* Whether the list of algorithms begins with the one that has a population. */
static int has_population(const char *algorithms) {
    return algorithms && strcspn(algorithms, ",") == 9 && strncmp(algorithms, "evolution", 9) == 0;
}

/* How widely it is searched; 0 where an option is wrong. */
static int read_wide(cli_session *cli, const cli_args *args, hol_wide_options *wide) {
    int good = 1;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    *wide = (hol_wide_options){.size = sizeof *wide, .on_progress = show};
    wide->starts = (int)cli_number(cli, args, "starts", 0, 1, 1e6, &good);
    wide->population = (int)cli_number(cli, args, "population", 0, 4, 1e6, &good);
    wide->threads =
        (int)cli_number(cli, args, "jobs", cores > 0 ? (double)cores : 1, 1, 10000, &good);
    wide->log = cli_args_value(args, "log");
    wide->fresh = cli_args_has(args, "fresh");
    return good;
}

/* One search, or many of them. */
static hol_status search_for(texts *t, cli_question *q, cli_search *search, hol_answer **answer) {
    const int evolves = has_population(t->how.algorithm);
    if (!evolves && t->wide.starts < 2 && !t->wide.log && !t->wide.population)
        return hol_optimize(q->cli->ctx, q->spec, &t->how, answer);
    search->many_runs = evolves;
    t->wide.user = search;
    const hol_status status = hol_optimize_widely(q->cli->ctx, q->spec, &t->how, &t->wide, answer);
    cli_progress_clear(q->cli);
    q->elsewhere = !status && !*answer;
    return status;
}

static hol_status ask(cli_question *q, hol_answer **answer) {
    cli_search search;
    texts *t = q->user;
    int good = 1;
    t->how.algorithm = cli_args_value(q->args, "algorithm");
    t->how.by = cli_args_value(q->args, "by");
    t->how.tolerance = cli_number(q->cli, q->args, "tolerance", 0, 1e-14, 0.5, &good);
    t->how.evaluations = (int)cli_number(q->cli, q->args, "evaluations", 0, 1, 1e9, &good);
    t->how.seed = (unsigned long)cli_number(q->cli, q->args, "seed", 0, 1, 4e9, &good);
    t->how.on_attempt = cli_search_attempt;
    t->how.user = &search;
    t->how.model = cli_search_wants_model(q->args);
    if (!read_wide(q->cli, q->args, &t->wide)) good = 0;
    if (!good || !cli_search_begin(&search, q->cli, q->args)) return q->cli->status;
    const hol_status status = search_for(t, q, &search, answer);
    t->violated = is_violated(*answer);
    return status;
}

static int run(cli_session *cli, const cli_args *args) {
    texts t = {.how = {.size = sizeof t.how}};
    if (cli_args_has(args, "algorithms")) return list_algorithms();
    if (!args->n_words)
        return cli_usage(cli, args->command, "MODEL is missing: holonom optimize MODEL");
    t.how.vary = t.vary = cli_args_all(cli, args, "vary", &t.how.n_vary);
    t.how.minimize = t.minimize = cli_args_all(cli, args, "minimize", &t.how.n_minimize);
    t.how.maximize = t.maximize = cli_args_all(cli, args, "maximize", &t.how.n_maximize);
    t.how.subject = t.subject = cli_args_all(cli, args, "subject", &t.how.n_subject);
    const int code = t.vary && t.minimize && t.maximize && t.subject
                         ? cli_search_run(cli, args, ask, &t)
                         : CLI_MEMORY;
    free(t.vary);
    free(t.minimize);
    free(t.maximize);
    free(t.subject);
    return code == CLI_OK && t.violated ? CLI_BEYOND : code;
}

static const cli_option options[] = {
    {"minimize", 0, "GOAL", NULL,
     "What to minimise: 'end NAME', 'at T NAME', 'integral NAME', 'mean NAME', 'mean-square "
     "NAME', 'max NAME' or 'min NAME' of a measure, with a factor if wanted ('0.5*max torque'). "
     "Several are added."},
    {"maximize", 0, "GOAL", NULL, "The same with a minus."},
    {"subject", 0, "CONSTRAINT", NULL,
     "'GOAL <= LIMIT', 'GOAL >= LIMIT' or 'GOAL = LIMIT', in SI units or with a unit. May be given "
     "several times."},
    {"algorithm", 'a', "A", NULL,
     "slsqp (default) or another of --algorithms; several with commas between them follow each "
     "other, such as crs2,slsqp."},
    {"algorithms", 0, NULL, NULL, "List the algorithms."},
    {"by", 0, "D", NULL, "Derivatives: direct, adjoint or cheaper (default)."},
    {"seed", 0, "N", NULL, "Of random searches, which repeat with the same seed (default: 1)."},
    {"starts", 0, "N", NULL,
     "Searches: from the values of the model and from N - 1 points between the bounds; the answer "
     "has the optima at which they end."},
    {"population", 0, "N", NULL,
     "Members of the population of the algorithm evolution (default: ten a parameter, at least "
     "20)."},
    {"jobs", 'j', "N", NULL,
     "Threads of --starts and of evolution (default: as many as there are cores)."},
    {"log", 0, "FILE", NULL,
     "Keep what is done of --starts and evolution in this file; the same command goes on from it."},
    {"fresh", 0, NULL, NULL, "Begin anew where there is a log."},
    CLI_SEARCH_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_optimize = {
    "optimize",
    "MODEL",
    "Find parameters that minimise results of a run, between bounds and under constraints.",
    "Ctrl-C ends the search with the best point so far.\n\n"
    "holonom optimize four_bar.yaml --vary l2=0.1:0.5 --vary l3=0.2:0.9 --minimize 'mean error' -o "
    "best.yaml\n"
    "holonom optimize arm.yaml --vary k=1:50 --minimize 'end tip' --subject 'max torque <= 20 "
    "N*m'\n"
    "holonom optimize four_bar.yaml --vary l2=0.1:0.5 --vary l3=0.2:0.9 --minimize 'mean error' "
    "--starts 40",
    options,
    0,
    1,
    run,
};
