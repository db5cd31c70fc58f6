/* exits.c: exit codes: what each means, and which goes with a status. */
#include "cli/cli.h"

static const struct exit_row {
    const char *code, *text;
} rows[] = {
    {"0", "success"},
    {"1", "the run failed: tolerances not met, equations singular, a value not finite"},
    {"2", "invalid command line"},
    {"3", "the model or an option is wrong"},
    {"4", "a file could not be read or written"},
    {"5", "the mechanism cannot be assembled"},
    {"6", "not built with what this needs (holonom version --features)"},
    {"7", "out of memory"},
    {"8", "the run ended but exceeded its tolerances, or a search at a violated constraint: the "
          "warnings say by how much"},
    {"9", "not certified: methods disagree, or digits that were asked for are not there"},
    {"10", "no claim that was run holds (holonom reproduce)"},
    {"11", "a claim holds in part, or some claims hold and others do not"},
    {"130, 143", "interrupted by SIGINT (Ctrl-C) or SIGTERM; what was computed is kept"},
    {"129", "interrupted by SIGHUP (the terminal was closed); what was computed is kept"},
};

hol_status cli_why_unread(const cli_session *cli) {
    return cli->status ? cli->status : HOL_ERR_ARGUMENT;
}

int cli_exit_code(hol_status status) {
    switch (status) {
    case HOL_OK: return CLI_OK;
    case HOL_ERR_MEMORY: return CLI_MEMORY;
    case HOL_ERR_INPUT: return CLI_INPUT;
    case HOL_ERR_ARGUMENT: return CLI_USAGE;
    case HOL_ERR_IO: return CLI_IO;
    case HOL_ERR_ASSEMBLY: return CLI_ASSEMBLY;
    case HOL_ERR_FEATURE: return CLI_FEATURE;
    default: return CLI_FAILED;
    }
}

int cli_exit_get(int i, const char **code, const char **text) {
    if (i >= (int)(sizeof rows / sizeof *rows)) return 0;
    *code = rows[i].code;
    *text = rows[i].text;
    return 1;
}

void cli_print_exit_codes(FILE *out) {
    const char *code, *text;
    fputs("Exit codes:\n", out);
    for (int i = 0; cli_exit_get(i, &code, &text); i++) cli_print_row(out, 2, 12, code, text);
}
