/* assemble.c: holonom assemble: the ways in which a mechanism can be put together. */
#include "cli/cli.h"

#include <string.h>

/* Where the assemblies go. */
typedef struct target {
    const char *path;
    hol_writer *writer;
    hol_spec *spec; /* of the model that starts in the one that is picked */
} target;

static hol_status on_assembly(void *user, hol_sim *sim, int number, int count) {
    target *to = user;
    if (number == 1) to->writer = hol_writer_open(sim, to->path);
    const hol_status status = to->writer ? hol_writer_record(to->writer) : HOL_ERR_IO;
    if (status)
        hol_writer_discard(to->writer);
    else if (number == count)
        return hol_writer_close(to->writer);
    return status;
}

static hol_status on_setting(void *user, const char *joint, const char *key, double value) {
    const target *to = user;
    hol_item *item = hol_item_map(hol_spec_section(to->spec, "joints"), joint);
    return hol_item_number(hol_item_map(item, "start"), key, value);
}

/* The model that starts in the assembly that was picked. */
static hol_status write_model(cli_session *cli, const target *to, const char *path) {
    char *text = hol_spec_text(to->spec);
    const hol_status status =
        text ? hol_output_write(cli->ctx, path, text, strlen(text)) : HOL_ERR_MEMORY;
    hol_free(cli->ctx, text);
    if (status) cli_not_written(cli, status, "the model");
    return status;
}

/* What the command line asks for. */
static hol_status ask(cli_question *q, hol_answer **answer) {
    cli_session *cli = q->cli;
    const cli_args *args = q->args;
    target to = {.path = cli_args_value(args, "motion"), .spec = q->spec};
    int good = 1;
    const char *path = cli_args_value(args, "model");
    hol_assemblies_options how = {.size = sizeof how,
                                  .starts = (int)cli_number(cli, args, "starts", 0, 1, 1e7, &good),
                                  .pick = (int)cli_number(cli, args, "pick", 0, 1, 1e6, &good),
                                  .hold = cli_args_value(args, "hold"),
                                  .on_assembly = to.path ? on_assembly : NULL,
                                  .on_setting = on_setting,
                                  .user = &to};
    if (!good) return HOL_ERR_ARGUMENT;
    hol_status status = hol_assemblies(cli->ctx, q->model, q->options, &how, answer);
    if (!status && path && how.pick) status = write_model(cli, &to, path);
    return status;
}

/* --pick and --model belong together. */
static int check(cli_session *cli, const cli_args *args) {
    if (cli_args_has(args, "pick") == cli_args_has(args, "model")) return 1;
    cli_usage(cli, args->command, "write --pick K --model FILE.yaml, both or none");
    return 0;
}

static int run(cli_session *cli, const cli_args *args) {
    return check(cli, args) ? cli_answer(cli, args, CLI_WANTS_GEOMETRY, ask, NULL) : CLI_USAGE;
}

static const cli_option options[] = {
    {"starts", 'n', "N", NULL, "Positions to start from besides the drawn one (default: 300)."},
    {"hold", 0, "LIST", NULL,
     "What to hold where the mechanism has freedoms: coordinates of bodies and joints, such as "
     "crank.angle,slider.x,hinge (default: chosen, and told)."},
    {"motion", 0, "FILE", NULL,
     "Write the assemblies to this result file (.h5 or .csv), a record for each, the time of which "
     "is its number."},
    {"pick", 0, "K", NULL, "Let a model start in assembly K: with --model."},
    {"model", 0, "FILE", NULL, "Write that model to this file."},
    CLI_MODEL_OPTIONS,
    CLI_ANSWER_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_assemble = {
    "assemble",
    "MODEL",
    "Close a roughly drawn mechanism, and list the configurations in which it can be assembled.",
    "holonom assemble four_bar.yaml\n"
    "holonom assemble four_bar.yaml --hold crank.angle --pick 2 --model crossed.yaml",
    options,
    1,
    1,
    run,
};
