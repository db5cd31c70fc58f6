/* completion.c: holonom completion: what a shell needs to complete commands, options and their
 * values on the Tab key, from the same tables as the help. */
#include "cli/cli.h"

#include <string.h>

/* Where the words of a command or the value of an option come from. */
typedef enum source { NOTHING, FILES, FOLDERS, MODELS, COMMANDS, ELEMENTS, SHELLS, CHOICES } source;

static const char *const shells[] = {"bash", "zsh", "fish"};
enum { N_SHELLS = sizeof shells / sizeof *shells };

/* The setting of a simulation behind an option with a list of values, or NULL. */
static const hol_option *setting(const cli_option *option) {
    static const char section[] = "simulation.";
    const hol_option *o;
    if (!option->key || strncmp(option->key, section, sizeof section - 1) != 0) return NULL;
    for (int i = 0; (o = hol_option_get(i)); i++)
        if (strcmp(o->name, option->key + sizeof section - 1) == 0)
            return o->choice && o->choice(0) ? o : NULL;
    return NULL;
}

/* Where the value of an option comes from. */
static source of_option(const cli_option *option) {
    if (!option->argument) return NOTHING;
    if (setting(option)) return CHOICES;
    if (strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "RESULT") == 0)
        return FILES;
    return strcmp(option->argument, "DIR") == 0 || strcmp(option->argument, "FOLDER") == 0
               ? FOLDERS
               : NOTHING;
}

/* Where the words of a command come from. */
static source of_command(const cli_command *command) {
    const char *a = command->arguments;
    return strstr(a, "COMMAND")               ? COMMANDS
           : strstr(a, "SHELL")               ? SHELLS
           : command == &cli_command_elements ? ELEMENTS
           : strstr(a, "MODEL")               ? MODELS
           : *a                               ? FILES
                                              : NOTHING;
}

/* The names of a source that are known; an element may stand in several sections. */
static void put_names(source from, const cli_option *option) {
    hol_element_doc e = {.size = sizeof e}, other = {.size = sizeof other};
    if (from == COMMANDS)
        for (int i = 0; cli_command_get(i); i++)
            cli_printf(stdout, " %s", cli_command_get(i)->name);
    if (from == SHELLS)
        for (int i = 0; i < N_SHELLS; i++) cli_printf(stdout, " %s", shells[i]);
    if (from == CHOICES)
        for (int i = 0; setting(option)->choice(i); i++)
            cli_printf(stdout, " %s", setting(option)->choice(i));
    if (from == ELEMENTS)
        for (int i = 0; hol_element_get(i, &e) == HOL_OK; i++) {
            int seen = 0;
            for (int k = 0; k < i && !seen; k++)
                seen = hol_element_get(k, &other) == HOL_OK && strcmp(other.name, e.name) == 0;
            if (!seen) cli_printf(stdout, " %s", e.name);
        }
}

/* ---- bash ---- */

/* The lines that complete from a source. */
static void bash_from(source from, const cli_option *option) {
    if (from == FILES) fputs("_holonom_files\n", stdout);
    if (from == FOLDERS) fputs("_holonom_folders\n", stdout);
    if (from == MODELS) fputs("_holonom_files yaml yml h5\n", stdout);
    if (from == NOTHING) fputs(":\n", stdout);
    if (from < COMMANDS) return;
    fputs("_holonom_words", stdout);
    put_names(from, option);
    fputc('\n', stdout);
}

/* The values of the options of a command that have some. */
static void bash_values(const cli_command *command) {
    for (const cli_option *o = command->options; o && o->name; o++) {
        if (!o->argument) continue;
        if (o->letter)
            cli_printf(stdout, "    %s:-%c | %s:--%s) ", command->name, o->letter, command->name,
                       o->name);
        else
            cli_printf(stdout, "    %s:--%s) ", command->name, o->name);
        bash_from(of_option(o), o);
        fputs("        return ;;\n", stdout);
    }
}

/* The options and words of a command. */
static void bash_command(const cli_command *command) {
    cli_printf(stdout, "    %s)\n        if [[ $cur == -* ]]; then _holonom_words --help",
               command->name);
    for (const cli_option *o = command->options; o && o->name; o++)
        cli_printf(stdout, " --%s", o->name);
    fputs("\n        else ", stdout);
    bash_from(of_command(command), NULL);
    fputs("        fi ;;\n", stdout);
}

static void print_bash(void) {
    fputs("# bash completion for holonom: holonom completion bash\n"
          "# shellcheck shell=bash disable=SC2207\n"
          "_holonom_words() { COMPREPLY=($(compgen -W \"$*\" -- \"$cur\")); }\n"
          "_holonom_folders() { compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\")); }\n"
          "# Files with one of the endings, and folders; without endings, all files.\n"
          "_holonom_files() {\n"
          "    local IFS=$'\\n' file ending\n"
          "    compopt -o filenames\n"
          "    COMPREPLY=()\n"
          "    for file in $(compgen -f -- \"$cur\"); do\n"
          "        [[ $# -eq 0 || -d $file ]] && COMPREPLY+=(\"$file\")\n"
          "        for ending in \"$@\"; do\n"
          "            [[ ! -d $file && $file == *.$ending ]] && COMPREPLY+=(\"$file\")\n"
          "        done\n"
          "    done\n"
          "}\n"
          "_holonom() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} "
          "command=${COMP_WORDS[1]-}\n"
          "    COMPREPLY=()\n"
          "    if [[ $COMP_CWORD -eq 1 ]]; then\n        _holonom_words",
          stdout);
    put_names(COMMANDS, NULL);
    fputs(" --help --version\n        return\n    fi\n    case $command:$prev in\n", stdout);
    for (int i = 0; cli_command_get(i); i++) bash_values(cli_command_get(i));
    fputs("    esac\n    case $command in\n", stdout);
    for (int i = 0; cli_command_get(i); i++) bash_command(cli_command_get(i));
    fputs("    esac\n}\ncomplete -F _holonom holonom\n", stdout);
}

/* ---- zsh ---- */

/* Text within single quotes and brackets, up to its first sentence. */
static void put_doc(const char *doc, const char *escaped) {
    for (const char *c = doc; *c && !(*c == '.' && (c[1] == ' ' || !c[1])); c++) {
        if (*c == '\'')
            fputs("'\\''", stdout);
        else if (strchr(escaped, *c))
            cli_printf(stdout, "\\%c", *c);
        else
            fputc(*c, stdout);
    }
}

static void zsh_from(source from, const cli_option *option) {
    if (from == FILES) fputs("_files", stdout);
    if (from == FOLDERS) fputs("_files -/", stdout);
    if (from == MODELS) fputs("_files -g \"*.(yaml|yml|h5)\"", stdout);
    if (from < COMMANDS) return;
    fputc('(', stdout);
    put_names(from, option);
    fputc(')', stdout);
}

static void zsh_option(const cli_option *o) {
    if (o->letter)
        cli_printf(stdout, " \\\n            '*'{-%c,--%s}'[", o->letter, o->name);
    else
        cli_printf(stdout, " \\\n            '*--%s[", o->name);
    put_doc(o->doc, "[]:\\");
    fputc(']', stdout);
    if (o->argument) {
        fputc(':', stdout);
        put_doc(o->argument, ":\\");
        fputc(':', stdout);
        zsh_from(of_option(o), o);
    }
    fputc('\'', stdout);
}

static void print_zsh(void) {
    fputs("#compdef holonom\n# zsh completion for holonom: holonom completion zsh\n"
          "_holonom() {\n    local -a commands\n    commands=(\n",
          stdout);
    for (int i = 0; cli_command_get(i); i++) {
        cli_printf(stdout, "        '%s:", cli_command_get(i)->name);
        put_doc(cli_command_get(i)->title, "\\");
        fputs("'\n", stdout);
    }
    fputs("    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        "
          "return\n    fi\n    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
          "    case $command in\n",
          stdout);
    for (int i = 0; cli_command_get(i); i++) {
        const cli_command *command = cli_command_get(i);
        cli_printf(stdout, "    %s)\n        _arguments '(- *)'{-h,--help}'[Show the help]'",
                   command->name);
        for (const cli_option *o = command->options; o && o->name; o++) zsh_option(o);
        if (of_command(command) != NOTHING) {
            fputs(" \\\n            '*:", stdout);
            put_doc(command->arguments, ":\\");
            fputc(':', stdout);
            zsh_from(of_command(command), NULL);
            fputc('\'', stdout);
        }
        fputs(" ;;\n", stdout);
    }
    fputs("    esac\n}\n_holonom \"$@\"\n", stdout);
}

/* ---- fish ---- */

/* What follows on a line of `complete`: where its values come from. */
static void fish_from(source from, const cli_option *option) {
    if (from == FILES) fputs(" -F", stdout);
    if (from == FOLDERS) fputs(" -xa '(__fish_complete_directories)'", stdout);
    if (from == MODELS)
        fputs(" -xa '(__fish_complete_suffix .yaml; __fish_complete_suffix .h5)'", stdout);
    if (from < COMMANDS) return;
    fputs(" -xa '", stdout);
    put_names(from, option);
    fputc('\'', stdout);
}

static void print_fish(void) {
    static const char seen[] = "complete -c holonom -n '__fish_seen_subcommand_from";
    fputs("# fish completion for holonom: holonom completion fish\ncomplete -c holonom -f\n",
          stdout);
    for (int i = 0; cli_command_get(i); i++) {
        const cli_command *command = cli_command_get(i);
        cli_printf(stdout, "complete -c holonom -n __fish_use_subcommand -a %s -d '",
                   command->name);
        put_doc(command->title, "\\");
        fputs("'\n", stdout);
        if (of_command(command) != NOTHING) {
            cli_printf(stdout, "%s %s'", seen, command->name);
            fish_from(of_command(command), NULL);
            fputc('\n', stdout);
        }
        for (const cli_option *o = command->options; o && o->name; o++) {
            cli_printf(stdout, "%s %s' -l %s", seen, command->name, o->name);
            if (o->letter) cli_printf(stdout, " -s %c", o->letter);
            if (o->argument) fputs(" -r", stdout);
            fish_from(of_option(o), o);
            fputs(" -d '", stdout);
            put_doc(o->doc, "\\");
            fputs("'\n", stdout);
        }
    }
}

/* ---- the command ---- */

static int run_completion(cli_session *cli, const cli_args *args) {
    static void (*const print[N_SHELLS])(void) = {print_bash, print_zsh, print_fish};
    for (int i = 0; i < N_SHELLS; i++)
        if (strcmp(args->words[0], shells[i]) == 0) {
            print[i]();
            return CLI_OK;
        }
    return cli_usage(cli, &cli_command_completion, "there is no shell '%s'; one of bash, zsh, fish",
                     args->words[0]);
}

const cli_command cli_command_completion = {
    .name = "completion",
    .arguments = "SHELL",
    .title = "Print the completion script for bash, zsh or fish.",
    .text =
        "The installed program already has completion. To use it from the build folder, in this "
        "terminal:\n\n  source <(holonom completion bash)\n\n  holonom completion fish | source",
    .min_words = 1,
    .max_words = 1,
    .run = run_completion,
};
