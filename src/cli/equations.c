/* equations.c: holonom equations: the terms of the equations of motion with their names. */
#include "cli/cli.h"

static int run(cli_session *cli, const cli_args *args) {
    hol_model *model = NULL;
    hol_options *options = NULL;
    hol_answer *answer = NULL;
    hol_sim *sim = cli_open(cli, args, &model, &options);
    const hol_status status = sim ? hol_equations(cli->ctx, sim, &answer) : cli->status;
    const int code = cli_answer_finish(cli, args, options, status, answer);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    return code;
}

static const cli_option options[] = {
    CLI_AT,
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_equations = {
    "equations",
    "MODEL|RESULT",
    "Show the equations of motion of a model: M, A, Q, b, c, R, accelerations, multipliers.",
    "holonom equations four_bar.yaml\n"
    "holonom equations four_bar.yaml --at 0.5 -o four_bar.mat -o four_bar.tex\n"
    "holonom equations four_bar.h5 --at 0.5",
    options,
    1,
    1,
    run,
};
