/* version.c: holonom version: the version of the library and what it was built with. */
#include "cli/cli.h"
#include "cli/print_json.h"

/* The version and all parts as one object. */
static void print_json(void) {
    const hol_feature *part;
    hol__json json = cli_json_start(stdout);
    hol__json_text(&json, "version", hol_version());
    hol__json_open(&json, "features", '{');
    for (int i = 0; (part = hol_feature_get(i)); i++)
        hol__json_bool(&json, part->name, part->built);
    hol__json_close(&json, '}');
    cli_json_finish(&json);
}

static int run_version(cli_session *cli, const cli_args *args) {
    const hol_feature *part;
    (void)cli;
    if (cli_args_has(args, "json")) {
        print_json();
        return CLI_OK;
    }
    cli_printf(stdout, "holonom %s\n", hol_version());
    if (!cli_args_has(args, "features")) return CLI_OK;
    for (int i = 0; (part = hol_feature_get(i)); i++)
        cli_printf(stdout, "  %-12s %-4s %s%s%s\n", part->name, part->built ? "yes" : "no",
                   part->purpose, part->loaded[0] ? "; loaded when used: " : "", part->loaded);
    return CLI_OK;
}

static const cli_option options[] = {
    {"features", 0, NULL, NULL, "Also list the optional parts and whether they are built in."},
    {"json", 0, NULL, NULL, "Print one JSON object."},
    {0},
};

const cli_command cli_command_version = {
    .name = "version",
    .arguments = "",
    .title = "Print the version, and what the program was built with.",
    .options = options,
    .run = run_version,
};
