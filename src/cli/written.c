/* written.c: the files that commands write: names made from those of others, and what is said when
 * they are done. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

char *cli_path_from(const char *path, const char *ending, int here) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.'), *start = here ? name : path;
    const size_t n = dot && dot > name ? (size_t)(dot - start) : strlen(start);
    const size_t size = strlen(ending) + 1;
    char *made = malloc(n + size);
    if (made) {
        memcpy(made, start, n);
        memcpy(made + n, ending, size);
    }
    return made;
}

void cli_not_written(cli_session *cli, hol_status status, const char *what) {
    if (!cli->status)
        cli_report(cli, HOL_ERROR, status, "%s could not be written: %s", what,
                   hol_status_text(status));
}

int cli_written(cli_session *cli, const cli_args *args, hol_status status, const char *what,
                const char *path) {
    if (status)
        cli_not_written(cli, status, what);
    else if (!cli_args_has(args, "quiet"))
        cli_printf(stdout, "%s\n", path);
    return cli_exit_code(status);
}
