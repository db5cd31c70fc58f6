/* schema.c: holonom schema: the format of model files, for editors and for readers. */
#include "cli/cli.h"

static int run_schema(cli_session *cli, const cli_args *args) {
    if (cli_args_has(args, "local")) return cli_schema_local(cli);
    char *text =
        cli_args_has(args, "markdown") ? hol_schema_markdown(cli->ctx) : hol_schema_json(cli->ctx);
    if (!text) return CLI_MEMORY;
    cli_puts(stdout, text);
    hol_free(cli->ctx, text);
    return CLI_OK;
}

static const cli_option options[] = {
    {"markdown", 0, NULL, NULL, "Print the reference page instead."},
    {"local", 0, NULL, NULL, "Print the page of the local coordinates of all joint types."},
    {0},
};

const cli_command cli_command_schema = {
    .name = "schema",
    .arguments = "",
    .title = "Print the format of model files as a JSON Schema, or as the reference page.",
    .text = "An editor that knows JSON Schema completes and checks model files with it.",
    .options = options,
    .run = run_schema,
};
