/* fmu.c: holonom fmu: a model as an FMU for other simulation programs. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* What the FMU has, in a few lines. */
static void print_answer(const hol_fmu_info *info, const char *path, int version) {
    cli_printf(stdout, "FMI %d.0%s: %s\n", version, info->step > 0 ? ", C99 sources" : "",
               info->exchanges ? "model exchange and co-simulation" : "co-simulation");
    cli_printf(stdout, "%d parameters, %d inputs, %d outputs, %d states, %d event indicators\n",
               info->n_parameters, info->n_inputs, info->n_outputs, info->n_states,
               info->n_conditions);
    if (info->n_constants)
        cli_printf(stdout, "%d parameters are numbers of the code (--tunable keeps them)\n",
                   info->n_constants);
    if (info->step > 0)
        cli_printf(stdout, "co-simulation in steps of %g s at most (--step)\n", info->step);
    cli_printf(stdout, "token %s\n", info->token);
    cli_printf(stdout, "%s\n", path);
}

/* The version that is asked for; 0 after a mistake. */
static int read_version(cli_session *cli, const cli_args *args) {
    const char *text = cli_args_value(args, "fmi");
    if (!text || strcmp(text, "2") == 0 || strcmp(text, "2.0") == 0) return 2;
    if (strcmp(text, "3") == 0 || strcmp(text, "3.0") == 0) return 3;
    cli_usage(cli, args->command, "'--fmi %s': take 2 or 3", text);
    return 0;
}

static int write_fmu(cli_session *cli, const cli_args *args, const hol_spec *spec, const char *path,
                     int version) {
    int n_inputs = 0, n_tunables = 0;
    const char **inputs = cli_words(cli, args, "inputs", &n_inputs),
               **tunables = cli_words(cli, args, "tunable", &n_tunables);
    hol_fmu_options how = {.size = sizeof how,
                           .version = version,
                           .name = cli_args_value(args, "name"),
                           .module = cli_args_value(args, "module"),
                           .sources = cli_args_has(args, "sources"),
                           .n_inputs = n_inputs,
                           .inputs = inputs,
                           .n_tunables = n_tunables,
                           .tunables = tunables};
    hol_fmu_info info = {.size = sizeof info};
    const int unread =
        (!inputs && cli_args_has(args, "inputs")) || (!tunables && cli_args_has(args, "tunable"));
    const hol_status status =
        unread ? cli_why_unread(cli) : hol_fmu_write(cli->ctx, spec, path, &how, &info);
    if (!status && !cli_args_has(args, "quiet")) print_answer(&info, path, version);
    if (status && !unread) cli_not_written(cli, status, "the FMU");
    free(inputs);
    free(tunables);
    return cli_exit_code(cli->status ? cli->status : status);
}

static int run(cli_session *cli, const cli_args *args) {
    const int version = read_version(cli, args);
    if (!version) return CLI_USAGE;
    const char *output = cli_args_value(args, "output");
    char *made = output ? NULL : cli_path_from(args->words[0], ".fmu", 1);
    const char *path = output ? output : made;
    hol_spec *spec = path ? cli_load_spec(cli, args, args->words[0]) : NULL;
    const int code = spec   ? write_fmu(cli, args, spec, path, version)
                     : path ? cli_exit_code(cli->status)
                            : CLI_MEMORY;
    hol_spec_free(spec);
    free(made);
    return code;
}

static const cli_option options[] = {
    {"output", 'o', "FILE", NULL,
     "The FMU; default: as the model, with the ending .fmu, in the current folder."},
    {"fmi", 0, "VERSION", NULL, "Of the standard: 2 or 3; default: 2."},
    {"inputs", 0, "LIST", NULL,
     "Inputs beside the variables of the model, with commas between them: parameters that laws "
     "read, loads on bodies (rod.fx, rod.mz; in the plane rod.m), joints for a torque about "
     "their axis."},
    {"tunable", 0, "LIST", NULL,
     "Parameters of the model that can change during the run, with commas between them: those that "
     "laws read; of sources all that 'holonom generate --parameters' takes."},
    {"sources", 0, NULL, NULL,
     "C99 in place of the binary, for any compiler and system: for models that 'holonom generate' "
     "takes."},
    {"name", 0, "NAME", NULL, "The identifier of the FMU; default: from the name of the file."},
    {"module", 0, "FILE", NULL,
     "The runtime that goes into the FMU; default: holonom_fmu.so of this installation."},
    {"quiet", 'q', NULL, NULL, "Print nothing but messages."},
    CLI_MODEL_OPTIONS,
    {NULL, 0, NULL, NULL, NULL},
};

const cli_command cli_command_fmu = {
    "fmu",
    "MODEL",
    "Make an FMU of a model: FMI 2.0 or 3.0, model exchange and co-simulation.",
    "holonom fmu four_bar.yaml\n"
    "holonom fmu crane.yaml --fmi 3 --inputs trolley.fx,hoist -o crane.fmu\n"
    "holonom fmu crane.yaml --sources --tunable payload -o crane.fmu\n"
    "Parameters of the model that are numbers are parameters of the FMU, variables that no event\n"
    "sets are its inputs, all other measures its outputs. Numbers are in SI units.",
    options,
    1,
    1,
    run,
};
