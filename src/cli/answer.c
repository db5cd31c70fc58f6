/* answer.c: the end of the commands that answer with tables: printed, and written to files. */
#include "cli/cli.h"
#include "cli/print_json.h"

#include "common/extension.h"

#include <string.h>

/* Rows of a table that are printed. */
enum { MOST_ROWS = 40 };

/* The answer to one file. */
static hol_status write_file(cli_session *cli, const hol_answer *answer, const char *path) {
    if (hol__has_extension(path, ".html")) return hol_report_answer(cli->ctx, answer, path);
    return hol_answer_write(answer, path);
}

/* All files that the command line names. */
static hol_status write_files(cli_session *cli, const cli_args *args, const hol_answer *answer) {
    hol_status status = HOL_OK;
    for (int i = 0; i < args->n_given && !status; i++) {
        if (strcmp(args->given[i].option->name, "output") != 0) continue;
        status = write_file(cli, answer, args->given[i].value);
        if (status) cli_not_written(cli, status, "the answer");
    }
    return status;
}

/* One object: what happened, the answer, what was said. */
static void print_json(cli_session *cli, hol_status status, const hol_answer *answer) {
    char *text = answer ? hol_answer_to_json(answer) : NULL;
    hol__json json = cli_json_start(stdout);
    hol__json_text(&json, "status", hol_status_name(status));
    if (text) hol__json_raw(&json, "answer", text);
    cli_json_messages(&json, cli);
    cli_json_finish(&json);
    hol_free(cli->ctx, text);
}

static void print_text(cli_session *cli, const hol_answer *answer) {
    char *text = hol_answer_to_text(answer, MOST_ROWS);
    if (text) cli_print_block(stdout, 0, text);
    hol_free(cli->ctx, text);
}

int cli_answer_finish(cli_session *cli, const cli_args *args, const hol_options *options,
                      hol_status status, hol_answer *answer) {
    char units[1024];
    if (!status && answer && options)
        status =
            hol_answer_set_units(answer, hol_options_text(options, "units", units, sizeof units));
    if (!status && answer) status = write_files(cli, args, answer);
    if (cli_args_has(args, "json"))
        print_json(cli, status, status ? NULL : answer);
    else if (!status && answer && !cli_args_has(args, "quiet"))
        print_text(cli, answer);
    hol_answer_free(answer);
    return cli_exit_code(status ? status : cli->status);
}
