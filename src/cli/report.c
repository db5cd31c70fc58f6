/* report.c: holonom report: one or several result files as a page to look at. */
#include "cli/cli.h"

#include <stdlib.h>

/* holonom report: the page beside the first result or where the options say, never over a
 * result. */
static int run_report(cli_session *cli, const cli_args *args) {
    const char *named = cli_args_value(args, "output");
    char *own = named ? NULL : cli_path_from(args->words[0], ".html", 0);
    const char *path = named ? named : own;
    if (!path) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return CLI_MEMORY;
    }
    const hol_status status = hol_report_write(cli->ctx, args->n_words, args->words, path);
    const int code = cli_written(cli, args, status, "the report", path);
    free(own);
    return code;
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
