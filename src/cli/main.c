/* main.c: from the command line to a subcommand, and from its end to the exit code. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "cli/print_json.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A closed standard stream must not become the descriptor of a result file: reading from nothing
 * stands in for it, on which every write fails. */
static void hold_standard_streams(void) {
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) < 0) return;
}

/* Whether the word looks like the name of a model file. */
static int is_model_file(const char *word) {
    const char *dot = strrchr(word, '.');
    return dot &&
           (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0 || strcmp(dot, ".json") == 0);
}

/* The subcommand of that name; NULL after a message with a suggestion. */
static const cli_command *find_command(cli_session *cli, const char *word) {
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return &cli_command_help;
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) return &cli_command_version;
    const cli_command *command = cli_command_find(word);
    if (command) return command;
    hol__near near = hol__near_start(word);
    for (int i = 0; cli_command_get(i); i++) hol__near_try(&near, cli_command_get(i)->name);
    if (is_model_file(word))
        cli_usage(cli, NULL, "'%s' is not a command; did you mean 'holonom run %s'?", word, word);
    else if (near.best)
        cli_usage(cli, NULL, "there is no command '%s'; did you mean '%s'?", word, near.best);
    else
        cli_usage(cli, NULL, "there is no command '%s'", word);
    return NULL;
}

/* One object for machines that asked for one and used the program wrongly. */
static void print_usage_json(const cli_session *cli) {
    hol__json json = cli_json_start(stdout);
    hol__json_text(&json, "status", hol_status_name(cli->status));
    cli_json_messages(&json, cli);
    cli_json_finish(&json);
}

/* Run the subcommand that the words name. */
static int run_words(cli_session *cli, int argc, char **argv) {
    cli_args args;
    if (argc < 2) {
        cli_print_help(stderr, NULL);
        return CLI_USAGE;
    }
    const cli_command *command = find_command(cli, argv[1]);
    if (!command || !cli_args_parse(cli, command, argc - 2, argv + 2, &args)) {
        if (cli_args_ask_json(argc - 1, argv + 1)) print_usage_json(cli);
        return cli_exit_code(cli->status);
    }
    int code = CLI_OK;
    if (cli_args_has(&args, "help"))
        cli_print_help(stdout, command);
    else
        code = command->run(cli, &args);
    cli_args_free(&args);
    return code;
}

/* Whether whoever read our output has closed it. */
static int reader_has_left(void) {
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* Whether everything reached stdout; says so when not, except to a reader that has left. */
static int flush_output(cli_session *cli) {
    errno = 0;
    const int failed = ferror(stdout);
    if (fflush(stdout) == 0 && !failed) return 1;
    const int reason = errno;
    if (reason != EPIPE && !reader_has_left())
        cli_report(cli, HOL_ERROR, HOL_ERR_IO, "cannot write to standard output%s%s",
                   reason ? ": " : "", reason ? strerror(reason) : "");
    return 0;
}

int main(int argc, char **argv) {
    cli_session cli;
    hold_standard_streams();
    /* a write that fails is reported, and does not end the program */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (!cli_init(&cli)) {
        fputs("error: out of memory\n", stderr);
        return CLI_MEMORY;
    }
    int code = run_words(&cli, argc, argv);
    if (!flush_output(&cli) && code == CLI_OK) code = CLI_IO;
    cli_free(&cli);
    return code;
}
