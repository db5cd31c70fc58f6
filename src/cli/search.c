/* search.c: searches on the command line. See search.h. */
#include "cli/search.h"

#include "cli/run.h"
#include "common/extension.h"

#include <stdlib.h>
#include <string.h>

const char **cli_args_all(cli_session *cli, const cli_args *args, const char *name, int *n) {
    const char **values = calloc((size_t)args->n_given + 1, sizeof *values);
    *n = 0;
    if (!values) cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
    for (int i = 0; values && i < args->n_given; i++)
        if (strcmp(args->given[i].option->name, name) == 0) values[(*n)++] = args->given[i].value;
    return values;
}

/* Output i of the command line; NULL where the option is another. */
static const char *output(const cli_args *args, int i) {
    return strcmp(args->given[i].option->name, "output") == 0 ? args->given[i].value : NULL;
}

static int is_model(const char *path) {
    return hol__has_extension(path, ".yaml") || hol__has_extension(path, ".yml");
}

int cli_search_wants_model(const cli_args *args) {
    for (int i = 0; i < args->n_given; i++)
        if (output(args, i) && is_model(output(args, i))) return 1;
    return 0;
}

int cli_search_begin(cli_search *search, cli_session *cli, const cli_args *args) {
    const int quiet = cli_args_has(args, "quiet") || cli_args_has(args, "json");
    *search = (cli_search){.cli = cli, .args = args, .show = !quiet && cli_is_terminal(stderr)};
    /* tables of a .csv have names of their own */
    for (int i = 0; i < args->n_given; i++)
        if (output(args, i) && !hol__has_extension(output(args, i), ".csv") &&
            hol_output_check(cli->ctx, output(args, i)))
            return 0;
    cli_interrupt_catch();
    return 1;
}

hol_status cli_search_attempt(void *user, const hol_attempt *attempt) {
    cli_search *search = user;
    if (search->show && attempt->better) {
        if (!search->head) {
            fputs("  run         value  violation", stderr);
            for (int i = 0; i < attempt->n; i++) cli_printf(stderr, "  %12.12s", attempt->names[i]);
            fputs("\n", stderr);
        }
        search->head = 1;
        fprintf(stderr, "%5ld  %12.6g  %9.2g", attempt->number, attempt->value, attempt->violation);
        for (int i = 0; i < attempt->n; i++) fprintf(stderr, "  %12.6g", attempt->values[i]);
        fputs("\n", stderr);
    }
    return cli_interrupt_signal() ? HOL_ERR_INTERRUPTED : HOL_OK;
}

int cli_search_run(cli_session *cli, const cli_args *args, cli_ask *ask, void *user) {
    const int code = cli_answer(cli, args, CLI_WANTS_SPEC, ask, user);
    if (code != CLI_OK || !cli_interrupt_signal()) return code;
    cli_report(cli, HOL_WARNING, HOL_OK, "interrupted: the answer is the best point so far");
    return 128 + cli_interrupt_signal();
}
