/* report.c: holonom report: one or several result files as a page to look at. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* The name of the first file with .html in the place of its ending; NULL without memory. */
static char *default_path(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const size_t n = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    char *own = malloc(n + sizeof ".html");
    if (own) {
        memcpy(own, path, n);
        memcpy(own + n, ".html", sizeof ".html");
    }
    return own;
}

static int run_report(cli_session *cli, const cli_args *args) {
    const char *named = cli_args_value(args, "output");
    char *own = named ? NULL : default_path(args->words[0]);
    const char *path = named ? named : own;
    if (!path) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return CLI_MEMORY;
    }
    for (int i = 0; i < args->n_words; i++)
        if (strcmp(args->words[i], path) == 0) {
            free(own);
            return cli_usage(cli, args->command, "the page would overwrite the result '%s'",
                             args->words[i]);
        }
    const hol_status status = hol_report_write(cli->ctx, args->n_words, args->words, path);
    if (status && !cli->status)
        cli_report(cli, HOL_ERROR, status, "the report could not be written: %s",
                   hol_status_text(status));
    if (!status && !cli_args_has(args, "quiet")) printf("%s\n", path);
    free(own);
    return cli_exit_code(status);
}

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "Write the page to this file. Without it the page stands beside the first result, with its "
     "name and .html."},
    {"quiet", 'q', NULL, NULL, "Do not print the name of the page."},
    {0},
};

const cli_command cli_command_report = {
    .name = "report",
    .arguments = "RESULT...",
    .title = "Write a page with the mechanism in motion, plots and a summary.",
    .text = "The page is one file that needs no server and no network. Several results are shown "
            "beside each other.\n\n  holonom report four_bar.h5 -o four_bar.html",
    .options = options,
    .min_words = 1,
    .max_words = -1,
    .run = run_report,
};
