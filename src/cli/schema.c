/* schema.c: holonom schema: the format of model files, for editors and for readers. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* The comment that tells editors the schema of a model file: that of the installation, or of the
 * repository that the program was built in. */
static int print_modeline(cli_session *cli) {
    static const char *const places[] = {"share/holonom", "docs"};
    char path[PATH_SIZE], file[PATH_SIZE + 64];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    for (char *slash; (slash = strrchr(path, '/'));) {
        *slash = '\0';
        for (int i = 0; i < 2; i++) {
            snprintf(file, sizeof file, "%s/%s/model-file.schema.json", path, places[i]);
            if (access(file, R_OK) == 0) {
                cli_printf(stdout, "# yaml-language-server: $schema=%s\n", file);
                return CLI_OK;
            }
        }
    }
    cli_report(cli, HOL_ERROR, HOL_ERR_IO,
               "the schema that comes with the program (share/holonom/model-file.schema.json) is "
               "not there; write it with "
               "'holonom schema > model-file.schema.json'");
    return CLI_IO;
}

static int run_schema(cli_session *cli, const cli_args *args) {
    if (cli_args_has(args, "modeline")) return print_modeline(cli);
    if (cli_args_has(args, "snippets")) return cli_schema_snippets(cli);
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
    {"modeline", 0, NULL, NULL,
     "Print the first line of a model file that tells editors where the schema is."},
    {"snippets", 0, NULL, NULL,
     "Print snippets of all elements, for editors that take those of VS Code."},
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
