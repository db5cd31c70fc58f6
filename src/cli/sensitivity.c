/* sensitivity.c: holonom sensitivity: how numbers of a run follow parameters. */
#include "cli/cli.h"

#include <stdlib.h>

static hol_status ask(cli_question *q, hol_answer **answer) {
    return hol_sensitivity(q->cli->ctx, q->spec, q->user, answer);
}

static int run(cli_session *cli, const cli_args *args) {
    hol_sensitivity_options o = {.size = sizeof o};
    int good = 1;
    const char **names = cli_words(cli, args, "parameters", &o.n_parameters);
    o.parameters = names;
    o.goals = cli_args_value(args, "goals");
    o.by = cli_args_value(args, "by");
    o.points = (int)cli_number(cli, args, "points", 0, 1, 1e5, &good);
    o.tolerance = cli_number(cli, args, "accuracy", 0, 1e-14, 1, &good);
    const int code = names && good ? cli_answer(cli, args, CLI_WANTS_SPEC, ask, &o)
                     : cli->status == HOL_ERR_MEMORY ? CLI_MEMORY
                                                     : CLI_USAGE;
    free(names);
    return code;
}

static const cli_option options[] = {
    {"parameters", 'p', "A,B", NULL,
     "By these parameters of the model file, or numbers of it by their paths, such as "
     "bodies.rod.mass or gravity.1 (default: all parameters)."},
    {"goals", 'g', "LIST", NULL,
     "Of these numbers of the run, with commas between them: end NAME, at T NAME, integral NAME, "
     "mean NAME, mean-square NAME, max NAME, min NAME (default: all measures at the end)."},
    {"by", 0, "WAY", NULL,
     "direct (along the run, for each parameter), adjoint (backwards, for each goal) or auto "
     "(default: what takes less)."},
    {"points", 0, "N", NULL,
     "A table of all measures and their derivatives over time too, with N intervals."},
    {"accuracy", 0, "E", NULL,
     "Of the derivatives, against the largest of their column (default: 1e-9)."},
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_sensitivity = {
    "sensitivity",
    "MODEL",
    "Find how results of a run depend on parameters: derivatives of measures, integrals and "
    "extremes.",
    "holonom sensitivity four_bar.yaml --goals 'max crank_torque, end coupler.x'\n"
    "holonom sensitivity pendulum.yaml --parameters L,start --points 200 -o pendulum.html",
    options,
    1,
    1,
    run,
};
