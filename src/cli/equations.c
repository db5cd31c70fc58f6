/* equations.c: holonom equations: the terms of the equations of motion with their names. */
#include "cli/cli.h"

static hol_status ask(cli_question *q, hol_answer **answer) {
    return hol_equations(q->cli->ctx, q->sim, answer);
}

static int run(cli_session *cli, const cli_args *args) {
    return cli_answer(cli, args, CLI_WANTS_SIM, ask, NULL);
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
