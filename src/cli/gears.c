/* gears.c: holonom gears: a mechanism seen from some of its shafts. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* The words of an option, cut at its commas; both to be freed. NULL without memory. */
static const char **split(const char *list, char **text, int *n) {
    *n = 0;
    *text = malloc(strlen(list ? list : "") + 1);
    const char **words = calloc(strlen(list ? list : "") + 1, sizeof *words);
    if (!*text || !words) return words;
    strcpy(*text, list ? list : "");
    for (char *word = strtok(*text, ","); word; word = strtok(NULL, ",")) {
        while (*word == ' ') word++;
        words[(*n)++] = word;
    }
    return words;
}

/* The answer at the state of the simulation. */
static hol_status find(cli_session *cli, const cli_args *args, hol_sim *sim, hol_answer **answer) {
    char *shaft_text, *load_text;
    hol_gears_options how = {.size = sizeof how};
    const char **shafts = split(cli_args_value(args, "shafts"), &shaft_text, &how.n_shafts),
               **loads = split(cli_args_value(args, "loads"), &load_text, &how.n_loads);
    hol_status status = !shafts || !loads || !shaft_text || !load_text ? HOL_ERR_MEMORY : HOL_OK;
    how.shafts = shafts;
    how.loads = loads;
    if (!status) status = hol_gears(cli->ctx, sim, &how, answer);
    free(shafts);
    free(loads);
    free(shaft_text);
    free(load_text);
    return status;
}

static int run(cli_session *cli, const cli_args *args) {
    hol_options *options = NULL;
    hol_answer *answer = NULL;
    if (!cli_args_value(args, "shafts"))
        return cli_usage(cli, args->command, "name the shafts: --shafts sun.angle,carrier.angle");
    hol_model *model = NULL;
    hol_sim *sim = cli_open(cli, args, &model, &options);
    const hol_status status = sim ? find(cli, args, sim, &answer) : cli->status;
    const int code = cli_answer_finish(cli, args, options, status, answer);
    hol_sim_free(sim);
    hol_options_free(options);
    hol_model_free(model);
    return code;
}

static const cli_option options[] = {
    {"shafts", 0, "NAMES", NULL,
     "As many as there are freedoms: joints (drum), or velocities of bodies (sun.angle; in space "
     "sun.omega_z), with commas between them."},
    {"loads", 0, "NAMES", NULL,
     "The forces that take power out (default: those with a negative power)."},
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
