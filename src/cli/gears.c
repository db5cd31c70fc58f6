/* gears.c: holonom gears: a mechanism seen from some of its shafts. */
#include "cli/cli.h"

#include <stdlib.h>

/* The answer at the state of the simulation. */
static hol_status ask(cli_question *q, hol_answer **answer) {
    hol_gears_options how = {.size = sizeof how};
    const char **shafts = cli_words(q->cli, q->args, "shafts", &how.n_shafts),
               **loads = shafts ? cli_words(q->cli, q->args, "loads", &how.n_loads) : NULL;
    how.shafts = shafts;
    how.loads = loads;
    const hol_status status = loads ? hol_gears(q->cli->ctx, q->sim, &how, answer) : q->cli->status;
    free(shafts);
    free(loads);
    return status;
}

static int run(cli_session *cli, const cli_args *args) {
    return cli_answer(cli, args, CLI_WANTS_SIM, ask, NULL);
}

static const cli_option options[] = {
    {"shafts", 0, "NAMES", NULL,
     "As many as there are freedoms: joints (drum), or velocities of bodies (sun.angle; in space "
     "sun.omega_z), with commas between them (default: chosen so that they tell most of the "
     "others)."},
    {"loads", 0, "NAMES", NULL,
     "The forces and drivers that take power out (default: those with a negative power; what "
     "dampers and friction take is lost)."},
    CLI_AT,
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_gears = {
    "gears",
    "MODEL|RESULT",
    "Reduce a gear train to some of its shafts: masses, stability, power flow.",
    "holonom gears models/rotary_drive.yaml --shafts gear2.angle,gear4.angle",
    options,
    1,
    1,
    run,
};
