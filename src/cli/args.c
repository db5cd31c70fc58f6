/* args.c: the words of the command line, by the table of options of a subcommand.
 *
 * Forms: --name, --name value, --name=value, -n, -n value, -nvalue; "--" ends the options. Every
 * subcommand knows --help and -h.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const cli_option help_option = {"help", 'h', NULL, NULL, "Show the help of the command."};

/* The option of that name (length n) or that letter. */
static const cli_option *find_name(const cli_command *command, const char *name, size_t n) {
    for (const cli_option *o = command->options; o && o->name; o++)
        if (strlen(o->name) == n && strncmp(o->name, name, n) == 0) return o;
    return n == 4 && strncmp(name, "help", 4) == 0 ? &help_option : NULL;
}

static const cli_option *find_letter(const cli_command *command, char letter) {
    for (const cli_option *o = command->options; o && o->name; o++)
        if (o->letter == letter) return o;
    return letter == 'h' ? &help_option : NULL;
}

/* The option of the command that sets a path in the model; NULL: none does. */
static const cli_option *find_key(const cli_command *command, const char *key) {
    for (const cli_option *o = command->options; o && o->name; o++)
        if (o->key && strcmp(o->key, key) == 0) return o;
    return NULL;
}

/* "--tol 1e-6" or "--set max_step=0.1" for a setting of a simulation by its own name or another
 * word for it; 0: the name is none, or the command sets none. value: what was given with it, or
 * what would be. */
static int suggest_setting(const cli_command *command, const char *name, const char *value,
                           size_t size, char *out) {
    char word[64], key[96];
    const hol_option *o;
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof word; n++) word[n] = (char)(name[n] == '-' ? '_' : name[n]);
    word[n] = '\0';
    hol__near near = hol__near_start(word);
    for (int i = 0; (o = hol_option_get(i)); i++) hol__near_try(&near, o->name);
    const int is_path = strchr(word, '.') != NULL;
    if (!is_path && (!near.best || near.distance > 0)) return 0;
    snprintf(key, sizeof key, "simulation.%s", is_path ? "" : near.best);
    const cli_option *own = find_key(command, key);
    if (own)
        snprintf(out, size, "--%s %.80s", own->name, value ? value : own->argument);
    else if (find_name(command, "set", 3))
        snprintf(out, size, "--set %s=%.80s", is_path ? name : near.best, value ? value : "...");
    return own || find_name(command, "set", 3);
}

/* Report an option that the command does not have: next is the word behind it. */
static int unknown_option(cli_session *cli, const cli_command *command, const char *word,
                          const char *next) {
    const size_t n = strcspn(word, "=");
    const char *value = word[n] == '=' ? word + n + 1 : next && next[0] != '-' ? next : NULL;
    char name[64], setting[256];
    const size_t most = sizeof name - 1;
    snprintf(name, sizeof name, "%.*s", (int)(n < most ? n : most), word);
    const char *bare = name + strspn(name, "-");
    hol__near near = hol__near_start(bare);
    for (const cli_option *o = command->options; o && o->name; o++) hol__near_try(&near, o->name);
    if (!(near.best && near.distance == 0) &&
        suggest_setting(command, bare, value, sizeof setting, setting))
        cli_usage(cli, command, "there is no option '%s'; write %s", name, setting);
    else if (near.best)
        cli_usage(cli, command, "there is no option '%s'; did you mean '--%s'?", name, near.best);
    else if (bare > name + 1 && strlen(bare) == 1 && find_letter(command, *bare))
        cli_usage(cli, command, "there is no option '%s'; did you mean '-%s' (--%s)?", name, bare,
                  find_letter(command, *bare)->name);
    else if (find_name(command, "set", 3) && *bare)
        cli_usage(cli, command, "there is no option '%s'; a value of the model is --set %s=%.80s",
                  name, bare, value ? value : "...");
    else /* with what stands behind dashes that no name follows */
        cli_usage(cli, command, "there is no option '%.80s'", *bare ? name : word);
    return 0;
}

/* One option at argv[*i] with its value; 0 after a mistake. */
static int parse_option(cli_session *cli, cli_args *args, int argc, char **argv, int *i) {
    const char *word = argv[*i], *value = NULL;
    const int is_long = word[1] == '-';
    const size_t n = is_long ? strcspn(word + 2, "=") : 1;
    const cli_option *option =
        is_long ? find_name(args->command, word + 2, n) : find_letter(args->command, word[1]);
    if (!option)
        return unknown_option(cli, args->command, word, *i + 1 < argc ? argv[*i + 1] : NULL);
    if (is_long ? word[2 + n] == '=' : word[2] != '\0') value = is_long ? word + 3 + n : word + 2;
    if (!option->argument && value) {
        cli_usage(cli, args->command, "the option '--%s' takes no value", option->name);
        return 0;
    }
    if (option->argument && !value) {
        const char *next = *i + 1 < argc ? argv[*i + 1] : NULL;
        if (!next || strncmp(next, "--", 2) == 0) {
            cli_usage(cli, args->command, "the option '--%s' needs a value: --%s %s", option->name,
                      option->name, option->argument);
            return 0;
        }
        value = next;
        (*i)++;
    }
    args->given[args->n_given++] = (cli_given){option, value};
    return 1;
}

/* Whether options of different kinds name different files: what one of them writes would take the
 * place of what another one reads or writes. */
static int check_files(cli_session *cli, const cli_args *args) {
    for (int i = 0; i < args->n_given; i++)
        for (int k = 0; k < i; k++) {
            const cli_given *a = &args->given[k], *b = &args->given[i];
            if (a->option == b->option || !a->value || !b->value) continue;
            if (strcmp(a->option->argument, "FILE") || strcmp(b->option->argument, "FILE"))
                continue;
            if (!cli_is_same_file(a->value, b->value)) continue;
            cli_usage(cli, args->command,
                      "--%s and --%s name the same file, '%s'; name another one", a->option->name,
                      b->option->name, b->value);
            return 0;
        }
    return 1;
}

/* Whether as many arguments are there as the command takes. */
static int check_words(cli_session *cli, const cli_args *args) {
    const cli_command *command = args->command;
    if (cli_args_has(args, "help")) return 1;
    if (args->n_words < command->min_words)
        cli_usage(cli, command, "%s is missing: holonom %s %s", command->arguments, command->name,
                  command->arguments);
    else if (command->max_words >= 0 && args->n_words > command->max_words)
        cli_usage(cli, command, "'%s' is one argument too many", args->words[command->max_words]);
    else
        return 1;
    return 0;
}

int cli_args_parse(cli_session *cli, const cli_command *command, int argc, char **argv,
                   cli_args *args) {
    int ok = 1, only_words = 0;
    *args = (cli_args){.command = command};
    args->given = calloc((size_t)argc + 1, sizeof *args->given);
    args->words = calloc((size_t)argc + 1, sizeof *args->words);
    if (!args->given || !args->words) {
        cli_report(cli, HOL_ERROR, HOL_ERR_MEMORY, "out of memory");
        ok = 0;
    }
    for (int i = 0; ok && i < argc; i++) {
        if (!only_words && strcmp(argv[i], "--") == 0)
            only_words = 1;
        else if (!only_words && argv[i][0] == '-' && argv[i][1])
            ok = parse_option(cli, args, argc, argv, &i);
        else
            args->words[args->n_words++] = argv[i];
    }
    if (ok && check_words(cli, args) && check_files(cli, args)) return 1;
    cli_args_free(args);
    return 0;
}

void cli_args_free(cli_args *args) {
    free(args->given);
    free(args->words);
    args->given = NULL;
    args->words = NULL;
}

const char *cli_args_value(const cli_args *args, const char *name) {
    for (int i = args->n_given - 1; i >= 0; i--)
        if (strcmp(args->given[i].option->name, name) == 0) return args->given[i].value;
    return NULL;
}

int cli_args_has(const cli_args *args, const char *name) {
    for (int i = 0; i < args->n_given; i++)
        if (strcmp(args->given[i].option->name, name) == 0) return 1;
    return 0;
}

int cli_args_ask_json(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0) return 1;
    return 0;
}
