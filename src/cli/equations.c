/* equations.c: holonom equations: the terms of the equations of motion with their names. */
#include "cli/cli.h"

/* The equations at the time that was asked for. */
static hol_status find(cli_session *cli, const cli_args *args, hol_sim *sim, hol_answer **answer) {
    int good = 1;
    const double start = cli_figures(sim).t,
                 t = cli_number(cli, args, "at", start, start, 1e300, &good);
    if (!good) return HOL_ERR_ARGUMENT;
    const hol_status status = hol_sim_advance(sim, t);
    return status ? status : hol_equations(cli->ctx, sim, answer);
}

static int run(cli_session *cli, const cli_args *args) {
    hol_options *options = NULL;
    hol_answer *answer = NULL;
    hol_status status = HOL_ERR_INPUT;
    hol_model *model = cli_load(cli, args, args->words[0], &options);
    hol_sim *sim = model ? hol_sim_new(cli->ctx, model, options) : NULL;
    if (sim)
        status = find(cli, args, sim, &answer);
    else
        status = cli->status;
    const int code = cli_answer_finish(cli, args, options, status, answer);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    return code;
}

static const cli_option options[] = {
    {"at", 't', "T", NULL, "At this time of a run, in seconds (default: at the start)."},
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_equations = {
    "equations",
    "MODEL",
    "Show the equations of motion of a model: M, A, Q, b, c, R, accelerations, multipliers.",
    "holonom equations four_bar.yaml\n"
    "holonom equations four_bar.yaml --at 0.5 -o four_bar.mat -o four_bar.tex",
    options,
    1,
    1,
    run,
};
