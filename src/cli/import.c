/* import.c: holonom import: robot descriptions of other programs as model files. */
#include "cli/cli.h"

#include <stdlib.h>

static const hol_import_note *note_of(const void *of, int i) {
    return hol_import_note_get(of, i);
}

static int run(cli_session *cli, const cli_args *args) {
    const char *source = args->words[0], *output = cli_args_value(args, "output");
    char *made = output ? NULL : cli_path_from(source, ".yaml", 1);
    const char *path = output ? output : made;
    const hol_import_options how = {.size = sizeof how,
                                    .format = cli_args_value(args, "format"),
                                    .include_root = cli_args_value(args, "include-root"),
                                    .packages = cli_args_value(args, "packages"),
                                    .output = path,
                                    .floating = cli_args_has(args, "floating"),
                                    .merge_fixed = cli_args_has(args, "merge-fixed"),
                                    .repair_inertia = cli_args_has(args, "repair-inertia"),
                                    .no_limits = cli_args_has(args, "no-limits")};
    if (!path) return CLI_MEMORY;
    hol_import *import = hol_import_read(cli->ctx, source, &how);
    hol_status status = import ? hol_import_write(import, path) : HOL_ERR_INPUT;
    if (import && !status)
        cli_print_notes(args, hol_import_note_count(import), note_of, import, path);
    if (import && status) cli_not_written(cli, status, "the model file");
    hol_import_free(import);
    free(made);
    return cli_exit_code(cli->status ? cli->status : status);
}

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "The model file; default: named after the description, with the extension .yaml, in the "
     "current folder."},
    {"format", 0, "FORMAT", NULL, "urdf, mjcf or sdf; default: from the root element."},
    {"include-root", 0, "DIR", NULL,
     "Files named by the description (includes, meshes) must be in or below this folder (default: "
     "its own; where that is called urdf, xml, mjcf, sdf or robots, the one above)."},
    {"packages", 0, "DIR", NULL,
     "Where package:// and model:// are searched (default: the folders above the description that "
     "have the name, then the include root)."},
    {"floating", 0, NULL, NULL, "The root link of a URDF moves freely; default: fixed to ground."},
    {"merge-fixed", 0, NULL, NULL, "Merge bodies joined by fixed joints into one."},
    {"repair-inertia", 0, NULL, NULL,
     "Replace impossible inertias by three equal values, their mean; default: an error."},
    {"no-limits", 0, NULL, NULL, "Leave out the limits of joints."},
    {"quiet", 'q', NULL, NULL, "Do not print the list."},
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_import = {
    "import",
    "FILE",
    "Make a model file of a robot description: URDF, MJCF (MuJoCo) or SDFormat (Gazebo).",
    "holonom import robot.urdf -o robot.yaml\n"
    "holonom import scene.xml -o scene.yaml --include-root ..\n"
    "Prints a line for everything that is not converted exactly: its place, whether it was\n"
    "changed, left out, has no effect on the motion or is unknown, and what was done instead.",
    options,
    1,
    1,
    run,
};
