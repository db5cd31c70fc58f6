/* show.c: what pictures and scenes show beside the mechanism: the option --show. */
#include "cli/cli.h"

#include <string.h>

int cli_read_show(cli_session *cli, const cli_args *args, unsigned *bits) {
    static const struct word {
        const char *name;
        unsigned bit;
    } words[] = {{"trails", HOL_MOTION_TRAILS},
                 {"reactions", HOL_MOTION_REACTIONS},
                 {"forces", HOL_MOTION_FORCES},
                 {"axes", HOL_MOTION_AXES},
                 {"none", HOL_MOTION_BARE}};
    const char *at = cli_args_value(args, "show");
    *bits = 0;
    for (size_t n; at; at = at[n] ? at + n + 1 : NULL) {
        const unsigned before = *bits;
        n = strcspn(at, ",");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (strlen(words[i].name) == n && strncmp(words[i].name, at, n) == 0)
                *bits |= words[i].bit;
        if (*bits != before) continue;
        cli_usage(cli, args->command,
                  "--show takes some of trails, reactions, forces, axes, with commas, or none, "
                  "each once; "
                  "not '%.*s'",
                  (int)n, at);
        return 0;
    }
    return 1;
}
