/* commands.c: the list of subcommands. */
#include "cli/cli.h"

#include <string.h>

static const cli_command *const commands[] = {
    &cli_command_run,         &cli_command_resume,     &cli_command_check,
    &cli_command_compare,     &cli_command_methods,    &cli_command_options,
    &cli_command_elements,    &cli_command_schema,     &cli_command_results,
    &cli_command_report,      &cli_command_view,       &cli_command_plot,
    &cli_command_animate,     &cli_command_equations,  &cli_command_generate,
    &cli_command_statics,     &cli_command_linearize,  &cli_command_inverse,
    &cli_command_gears,       &cli_command_assemble,   &cli_command_kinematics,
    &cli_command_sensitivity, &cli_command_optimize,   &cli_command_identify,
    &cli_command_study,       &cli_command_certify,    &cli_command_import,
    &cli_command_export,      &cli_command_fmu,        &cli_command_reproduce,
    &cli_command_help,        &cli_command_completion, &cli_command_version,
};

const cli_command *cli_command_get(int i) {
    return i < (int)(sizeof commands / sizeof *commands) ? commands[i] : NULL;
}

const cli_command *cli_command_find(const char *name) {
    for (int i = 0; cli_command_get(i); i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}
