/* help.c: holonom help, from the tables of subcommands, options and exit codes. */
#include "cli/cli.h"

#include <string.h>

enum { COMMAND_WIDTH = 12, OPTION_WIDTH = 24 };

/* "-o, --output FILE". */
static void option_label(const cli_option *option, char *buf, size_t size) {
    char letter[8] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(buf, size, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
}

/* The help of one subcommand. */
static void print_command(FILE *out, const cli_command *command) {
    const int has_options = command->options && command->options->name;
    cli_printf(out, "holonom %s%s%s%s\n\n", command->name, *command->arguments ? " " : "",
               command->arguments, has_options ? " [options]" : "");
    cli_print_wrapped(out, 0, command->title);
    if (command->text) {
        fputc('\n', out);
        cli_print_wrapped(out, 0, command->text);
    }
    fputs("\nOptions:\n", out);
    for (const cli_option *o = command->options; o && o->name; o++) {
        char label[64];
        option_label(o, label, sizeof label);
        cli_print_row(out, 2, OPTION_WIDTH, label, o->doc);
    }
    cli_print_row(out, 2, OPTION_WIDTH, "-h, --help", "Show this.");
    if (command == &cli_command_run) {
        fputs("\nOptions of the simulation (--set NAME=VALUE, or the section `simulation` of the "
              "model):\n",
              out);
        cli_print_simulation_options(out, 2);
    }
    fputc('\n', out);
    cli_print_exit_codes(out);
}

void cli_print_help(FILE *out, const cli_command *command) {
    if (command) {
        print_command(out, command);
        return;
    }
    cli_printf(out, "holonom %s: constrained multibody dynamics\n\n", hol_version());
    fputs("  holonom run MODEL            simulate a model file; results go to MODEL's name with "
          ".h5 or .csv\n"
          "  holonom help COMMAND         how a command is used\n\nCommands:\n",
          out);
    for (int i = 0; cli_command_get(i); i++)
        cli_print_row(out, 2, COMMAND_WIDTH, cli_command_get(i)->name, cli_command_get(i)->title);
    fputs("\nData goes to standard output, messages to standard error. NO_COLOR switches colours "
          "off.\n\n",
          out);
    cli_print_exit_codes(out);
}

static int run_help(cli_session *cli, const cli_args *args) {
    const cli_command *command = NULL;
    if (args->n_words) {
        command = cli_command_find(args->words[0]);
        if (!command) {
            hol__near near = hol__near_start(args->words[0]);
            for (int i = 0; cli_command_get(i); i++) hol__near_try(&near, cli_command_get(i)->name);
            return cli_usage(cli, NULL, "there is no command '%s'%s%s%s", args->words[0],
                             near.best ? "; did you mean '" : "", near.best ? near.best : "",
                             near.best ? "'?" : "");
        }
    }
    if (cli_args_has(args, "man"))
        cli_print_manual(stdout, command);
    else
        cli_print_help(stdout, command);
    return CLI_OK;
}

static const cli_option options[] = {
    {"man", 0, NULL, NULL, "Print the manual page instead, in the format of man(1)."},
    {0},
};

const cli_command cli_command_help = {
    .name = "help",
    .arguments = "[COMMAND]",
    .title = "Show how the program or one of its commands is used.",
    .options = options,
    .max_words = 1,
    .run = run_help,
};
