/* view.c: holonom view: a model as a page, assembled and not run: the quickest look at a new
 * file. */
#include "cli/cli.h"

#include <stdlib.h>

/* Assemble the model, solve its equations once and draw it. */
static hol_status draw(cli_session *cli, const hol_model *model, const hol_options *options,
                       const char *path) {
    hol_sim *sim = hol_sim_new(cli->ctx, model, options);
    if (!sim) {
        if (!cli->status) cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        return cli->status;
    }
    hol_status status = hol_sim_advance(sim, hol_data_time(hol_sim_data(sim)));
    if (status && !cli->status)
        cli_report(cli, HOL_WARNING, HOL_OK,
                   "the equations of motion cannot be solved here (%s); the model is drawn without "
                   "reactions",
                   hol_status_text(status));
    status = hol_report_view(sim, path);
    hol_sim_free(sim);
    return status;
}

/* holonom view: load, draw, name the page. */
static int run_view(cli_session *cli, const cli_args *args) {
    const char *named = cli_args_value(args, "output");
    char *own = named ? NULL : cli_path_from(args->words[0], ".html", 1);
    const char *path = named ? named : own;
    hol_options *run_options = NULL;
    hol_model *model = path ? cli_load(cli, args, args->words[0], &run_options) : NULL;
    if (!path) cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    const hol_status status = model ? draw(cli, model, run_options, path) : cli->status;
    const int code = cli_written(cli, args, status, "the page", path);
    hol_model_free(model);
    hol_options_free(run_options);
    free(own);
    return code;
}

/* clang-format off */
static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "Write the page to this file. Without it the page has the name of the model and .html, in the "
     "current folder."},
    {"set", 's', "KEY=VALUE", NULL, "Set a parameter or any key of the model. May be given several "
     "times."},
    CLI_INCLUDE_ROOT,
    {"quiet", 'q', NULL, NULL, "Do not print the name of the page."},
    {0},
};
/* clang-format on */

const cli_command cli_command_view = {
    .name = "view",
    .arguments = "MODEL",
    .title = "Draw the assembled model as a page, without running it.",
    .options = options,
    .min_words = 1,
    .max_words = 1,
    .run = run_view,
};
