/* search.h: what `optimize` and `identify` share: texts of options that are given several times,
 * rows while the search goes on, its interruption, the model file among the outputs. */
#ifndef HOL_CLI_SEARCH_H
#define HOL_CLI_SEARCH_H

#include "cli/cli.h"

typedef struct cli_search {
    cli_session *cli;
    const cli_args *args;
    int show;      /* rows on the terminal */
    int head;      /* they have a head */
    int many_runs; /* the line counts runs, not searches */
    double shown;  /* when it was written last */
} cli_search;

/* The rows of options that both have. */
#define CLI_SEARCH_OPTIONS                                                                         \
    {"vary", 'v', "NAME=LOW:HIGH", NULL,                                                           \
     "A parameter of the model, or a number of it by its path (bodies.rod.mass), and its bounds, " \
     "in SI units or with units (l=100 mm:0.5 m); the search begins with the value in the model. " \
     "May be given several times."},                                                               \
        {"tolerance", 0, "T", NULL, "Tolerance of the parameters, as a share of their ranges."},   \
        {"evaluations", 0, "N", NULL, "Maximum number of runs of the model."}, CLI_MODEL_OPTIONS,  \
        {"output", 'o', "FILE", NULL,                                                              \
         "Write the answer to this file; the extension sets its format: .yaml (the model with "    \
         "the values "                                                                             \
         "that were found), .html (a page), .txt, .json, .csv (a file for each table), .h5, "      \
         ".mat, .tex. May be given several times."},                                               \
        {"json", 0, NULL, NULL, "Print one JSON object instead of text."}, {                       \
        "quiet", 'q', NULL, NULL, "Print neither the answer nor progress."                         \
    }

/* Begin: whether all outputs can be written (0: not, which is reported); signals are caught, and
 * rows are shown on a terminal. */
int cli_search_begin(cli_search *search, cli_session *cli, const cli_args *args);

/* hol_attempt_fn with a cli_search: a row for each better point; the end after a signal. */
hol_status cli_search_attempt(void *user, const hol_attempt *attempt);

/* Whether a model file is among the outputs. */
int cli_search_wants_model(const cli_args *args);

/* All values of an option, and how many; to be freed. NULL without memory. */
const char **cli_args_all(cli_session *cli, const cli_args *args, const char *name, int *n);

/* The whole command: the exit code is that of a signal where one ended the search. */
int cli_search_run(cli_session *cli, const cli_args *args, cli_ask *ask, void *user);

#endif
