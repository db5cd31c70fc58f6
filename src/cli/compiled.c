/* compiled.c: run --compiled: the equations of motion as machine code, kept from run to run. */
#include "cli/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static int is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* Where programs keep what they can make again: XDG's folder, or the one in the home folder, which
 * is not made where it is not there, as for users of services. */
static const char *cache_folder(char *path, size_t size) {
    const char *own = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const int given = own && *own == '/';
    if (!given && (!home || *home != '/' || !is_folder(home))) return NULL;
    const int n = snprintf(path, size, "%s%s/holonom", given ? own : home, given ? "" : "/.cache");
    return n > 0 && (size_t)n < size ? path : NULL;
}

hol_status cli_compiled_prepare(cli_session *cli, hol_spec *spec) {
    static const struct {
        const char *option, *key, *value;
    } needs[] = {{"coordinates", "simulation.coordinates", "relative"},
                 {"method", "simulation.method", "direct-correction"}};
    hol_options *options = hol_options_from_spec(cli->ctx, spec);
    hol_status status = options ? HOL_OK : HOL_ERR_INPUT;
    for (size_t i = 0; i < sizeof needs / sizeof *needs && !status; i++)
        if (!hol_options_is_given(options, needs[i].option))
            status = hol_spec_set(spec, needs[i].key, needs[i].value, "--compiled");
    hol_options_free(options);
    return status;
}

hol_status cli_compiled_use(cli_run *run, const hol_spec *spec) {
    char path[3800];
    const char *compiler = getenv("CC");
    const hol_code_options how = {.size = sizeof how,
                                  .cache = cache_folder(path, sizeof path),
                                  .compiler = compiler && *compiler ? compiler : NULL};
    cli_interrupt_catch(); /* the compiler's folder is to be taken away */
    const hol_status status = hol_code_new(run->cli->ctx, spec, &how, &run->code);
    if (cli_interrupt_signal()) {
        cli_report(run->cli, HOL_WARNING, HOL_OK, "interrupted while the code was compiled");
        return HOL_ERR_INTERRUPTED;
    }
    return status ? status : hol_sim_use_code(run->sim, run->code);
}
