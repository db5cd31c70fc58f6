/* generate.c: holonom generate: a mechanism as standalone C99. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static hol_status ask(cli_question *q, hol_answer **answer) {
    int n = 0;
    const char *lanes = cli_args_value(q->args, "lanes");
    const char **parameters = cli_words(q->cli, q->args, "parameters", &n);
    const hol_generate_options how = {.size = sizeof how,
                                      .folder = cli_args_value(q->args, "folder"),
                                      .name = cli_args_value(q->args, "name"),
                                      .n_parameters = n,
                                      .parameters = parameters,
                                      .lanes = lanes ? lanes[0] - '0' : 0};
    const hol_status status =
        parameters ? hol_generate(q->cli->ctx, q->spec, &how, answer) : cli_why_unread(q->cli);
    free(parameters);
    return status;
}

static int run(cli_session *cli, const cli_args *args) {
    const char *lanes = cli_args_value(args, "lanes");
    if (lanes && strcmp(lanes, "4") != 0 && strcmp(lanes, "8") != 0)
        return cli_usage(cli, args->command, "'--lanes %s': use 4 or 8", lanes);
    if (!cli_args_has(args, "folder"))
        return cli_usage(cli, args->command, "no folder: give -o FOLDER");
    return cli_answer(cli, args, CLI_WANTS_SPEC, ask, NULL);
}

static const cli_option options[] = {
    {"folder", 'o', "FOLDER", NULL,
     "Write the files to this folder, which is created if it does not exist."},
    {"name", 0, "NAME", NULL, "What the code is called; default: as the model file."},
    {"parameters", 0, "NAMES", NULL,
     "Parameters of the model that stay inputs of the code, with commas between them; all others "
     "are folded."},
    {"lanes", 0, "N", NULL, "Also 4 or 8 states at once, each with its inputs."},
    {"set", 's', "KEY=VALUE", NULL, "Set a parameter or any value of the model by its path."},
    {"integrator", 0, "I", "simulation.integrator",
     "An explicit Runge-Kutta formula: euler, heun, rk4 (default), bs32, dopri5, dop853."},
    {"step", 0, "H", "simulation.step",
     "Step in seconds of the run that the code is compared with; default: 0.001."},
    CLI_INCLUDE_ROOT,
    {"json", 0, NULL, NULL, "Print one JSON object instead of text."},
    {"quiet", 'q', NULL, NULL, "Do not print the answer."},
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_generate = {
    "generate",
    "MODEL",
    "Write a mechanism as standalone C99: one step, no dependency, no allocation.",
    "holonom generate four_bar.yaml -o four_bar\n"
    "make -C four_bar check\n"
    "holonom generate four_bar.yaml -o four_bar --integrator dop853 --step 0.01",
    options,
    1,
    1,
    run,
};
