/* equations.c: holonom equations: the terms of the equations of motion with their names. */
#include "cli/cli.h"

#include <string.h>

static hol_status ask(cli_question *q, hol_answer **answer) {
    return hol_equations(q->cli->ctx, q->sim, answer);
}

/* As formulas. */
static hol_status ask_formulas(cli_question *q, hol_answer **answer) {
    const char *symbols = cli_args_value(q->args, "symbols");
    const hol_symbolic_options how = {.size = sizeof how,
                                      .name_all = symbols && strcmp(symbols, "all") == 0};
    return hol_equations_symbolic(q->cli->ctx, q->spec, &how, answer);
}

static int run(cli_session *cli, const cli_args *args) {
    const char *symbols = cli_args_value(args, "symbols");
    if (symbols && strcmp(symbols, "all") != 0 && strcmp(symbols, "parameters") != 0)
        return cli_usage(cli, args->command, "'--symbols %s': use parameters or all", symbols);
    if (!cli_args_has(args, "symbolic")) return cli_answer(cli, args, CLI_WANTS_SIM, ask, NULL);
    if (cli_args_has(args, "at"))
        return cli_usage(cli, args->command,
                         "formulas hold at all times: use --symbolic without --at");
    return cli_answer(cli, args, CLI_WANTS_SPEC, ask_formulas, NULL);
}

static const cli_option options[] = {
    CLI_AT,
    {"symbolic", 0, NULL, NULL, "As formulas of the parameters and coordinates (small models)."},
    {"symbols", 0, "WHICH", NULL,
     "With --symbolic: parameters (default), or all: numbers of the file get symbols too."},
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
    "holonom equations four_bar.h5 --at 0.5\n"
    "holonom equations pendulum.yaml --symbolic --coordinates relative -o pendulum.tex",
    options,
    1,
    1,
    run,
};
