/* identify.c: holonom identify: parameters that make measures follow data. */
#include "cli/search.h"

#include <stdlib.h>

/* The texts of the command line. */
typedef struct texts {
    const char **vary, **fit;
    hol_identify_options how;
} texts;

static hol_status ask(cli_question *q, hol_answer **answer) {
    cli_search search;
    texts *t = q->user;
    int good = 1;
    t->how.data = cli_args_value(q->args, "data");
    t->how.tolerance = cli_number(q->cli, q->args, "tolerance", 0, 1e-14, 0.5, &good);
    t->how.evaluations = (int)cli_number(q->cli, q->args, "evaluations", 0, 1, 1e9, &good);
    t->how.end = cli_number(q->cli, q->args, "end", 0, 0, 1e300, &good);
    t->how.on_attempt = cli_search_attempt;
    t->how.user = &search;
    t->how.model = cli_search_wants_model(q->args);
    if (!good || !cli_search_begin(&search, q->cli, q->args)) return q->cli->status;
    return hol_identify(q->cli->ctx, q->spec, &t->how, answer);
}

static int run(cli_session *cli, const cli_args *args) {
    texts t = {.how = {.size = sizeof t.how}};
    t.how.vary = t.vary = cli_args_all(cli, args, "vary", &t.how.n_vary);
    t.how.fit = t.fit = cli_args_all(cli, args, "fit", &t.how.n_fit);
    const int code = t.vary && t.fit ? cli_search_run(cli, args, ask, &t) : CLI_MEMORY;
    free(t.vary);
    free(t.fit);
    return code;
}

static const cli_option options[] = {
    {"data", 'd', "FILE", NULL,
     "The data: .csv (a line of names, the first column is the time) or .h5 of a run."},
    {"fit", 0, "MEASURE[=COLUMN][:WEIGHT]", NULL,
     "A measure to fit to a column of the data (default: the column of the same name), with a "
     "weight: 1 over the standard deviation of its noise, required where units differ. May be "
     "given several times "
     "(default: every measure that the data have)."},
    CLI_SEARCH_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_identify = {
    "identify",
    "MODEL",
    "Fit parameters to data, and find how well the data determine them.",
    "Ctrl-C ends the search with the best point so far.\n\n"
    "holonom identify rig.yaml --data run.csv --fit position=x --vary k=10:1000 --vary c=0:5 -o "
    "fitted.yaml",
    options,
    1,
    1,
    run,
};
