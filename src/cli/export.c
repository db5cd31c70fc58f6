/* export.c: holonom export: a model as a robot description for other programs. */
#include "cli/cli.h"

static const hol_import_note *note_of(const void *of, int i) {
    return hol_export_note_get(of, i);
}

static int run(cli_session *cli, const cli_args *args) {
    const char *output = cli_args_value(args, "output");
    const hol_export_options how = {.size = sizeof how,
                                    .format = cli_args_value(args, "format"),
                                    .output = output,
                                    .partial = cli_args_has(args, "partial")};
    if (!output)
        return cli_usage(cli, args->command, "no file: give -o robot.urdf or -o robot.xml");
    hol_options *options = NULL;
    hol_model *model = cli_load(cli, args, args->words[0], &options);
    hol_export *export = model ? hol_export_new(cli->ctx, model, &how) : NULL;
    hol_status status = export ? hol_export_write(export, output) : HOL_ERR_INPUT;
    if (export && !status)
        cli_print_notes(args, hol_export_note_count(export), note_of, export, output);
    if (export && status) cli_not_written(cli, status, "the description");
    hol_export_free(export);
    hol_model_free(model);
    hol_options_free(options);
    return cli_exit_code(cli->status ? cli->status : status);
}

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL, "The file: .urdf, or .xml for MJCF."},
    {"format", 0, "FORMAT", NULL, "urdf or mjcf; default: from the extension of the file."},
    {"partial", 0, NULL, NULL,
     "Leave out what acts on the motion and does not exist in the format; default: an error."},
    {"set", 's', "KEY=VALUE", NULL, "Set a parameter or any value of the model by its path."},
    CLI_INCLUDE_ROOT,
    {"quiet", 'q', NULL, NULL, "Do not print the list."},
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_export = {
    "export",
    "MODEL",
    "Write a model as a robot description: URDF or MJCF (MuJoCo).",
    "holonom export robot.yaml -o robot.xml\n"
    "holonom export robot.yaml -o robot.urdf --partial\n"
    "Prints a line for everything that differs in the exported file. What acts on the motion and "
    "does "
    "not\n"
    "exist in the format is an error, unless --partial is given.",
    options,
    1,
    1,
    run,
};
