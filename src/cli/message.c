/* message.c: messages of the library and of the program, on stderr, as they arise.
 *
 * A message is one line, "file:line:column: error: joint 'B': text". Where it has a place in a file
 * that can be read, the line of the file follows with a caret under the column, which counts
 * characters. Everything said is kept for the summary of --json. Colours are used on a terminal
 * only, and not when NO_COLOR is set (no-color.org).
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "common/in_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines are shown in part when they are longer, and no more than so many of them. */
enum { MAX_SHOWN = 92, MAX_SOURCES = 50, TEXT_SIZE = 2048 };

static const char bold[] = "\033[1m", dim[] = "\033[2m", plain[] = "\033[0m";

static const struct severity_row {
    const char *word, *color;
} severities[] = {{"note: ", "\033[1;36m"}, {"warning: ", "\033[1;35m"}, {"error: ", "\033[1;31m"}};

int cli_is_terminal(FILE *stream) {
    const char *term = getenv("TERM");
    const int fd = fileno(stream);
    return fd >= 0 && isatty(fd) && !(term && strcmp(term, "dumb") == 0);
}

void cli_progress_clear(cli_session *cli) {
    if (cli->progress) fputs("\r\033[K", stderr);
    cli->progress = 0;
}

/* ---- the line of the file ---- */

/* There is none of an HDF5 file: the lines of a model that a result keeps are not those of it. */
char *cli_read_line(const char *path, int line) {
    hol__in_file in;
    char *text = NULL;
    size_t size = 0;
    ssize_t n = -1;
    FILE *file = hol__in_open(path, 0, &in) ? NULL : fdopen(in.fd, "r");
    if (!file) {
        hol__in_close(&in);
        return NULL;
    }
    for (int i = 0; i < line; i++) {
        n = getline(&text, &size, file);
        if (n > 0 && i == 0 && strncmp(text, "\x89HDF\r\n", 6) == 0) n = -1;
        if (n < 0) break;
    }
    fclose(file);
    if (n < 0) {
        free(text);
        return NULL;
    }
    text[strcspn(text, "\r\n")] = '\0';
    return text;
}

/* The line below, with a caret under the byte at `column` of the n that are shown. */
static void print_caret(const cli_session *cli, const char *text, size_t n, size_t column,
                        int is_part) {
    fprintf(stderr, "%s       |%s %s", cli->color ? dim : "", cli->color ? plain : "",
            is_part ? " " : "");
    for (size_t i = 0; i < column && i < n; i++)
        if (hol__utf8_begins(text[i])) fputc(text[i] == '\t' ? '\t' : ' ', stderr);
    fprintf(stderr, "%s^%s\n", cli->color ? severities[HOL_ERROR].color : "",
            cli->color ? plain : "");
}

/* Show the line (its part around the column where it is long), with a caret where that is known. */
static void print_source(const cli_session *cli, const hol_location *where) {
    char *text = cli_read_line(where->file, where->line);
    if (!text) return;
    const int column = where->column > 0 ? where->column - 1 : 0, length = hol__utf8_length(text);
    const int from = length <= MAX_SHOWN || column < MAX_SHOWN / 2 ? 0 : column - MAX_SHOWN / 2;
    const int to = length - from > MAX_SHOWN ? from + MAX_SHOWN : length;
    const size_t start = hol__utf8_byte_of(text, from), stop = hol__utf8_byte_of(text, to);
    fprintf(stderr, "%s%6d |%s %s", cli->color ? dim : "", where->line, cli->color ? plain : "",
            from ? "…" : "");
    cli_put(stderr, text + start, stop - start);
    fprintf(stderr, "%s\n", to < length ? "…" : "");
    if (where->column > 0)
        print_caret(cli, text + start, stop - start, hol__utf8_byte_of(text, column) - start,
                    from > 0);
    free(text);
}

/* ---- one message ---- */

/* The text of a message in colours: the place bold, the word of its severity in its colour. */
static void print_colored(const hol_message *message, const char *text) {
    const struct severity_row *row = &severities[message->severity];
    const size_t skip = message->where.file ? strlen(message->where.file) : 0;
    const char *word = skip < strlen(text) ? strstr(text + skip, row->word) : NULL;
    if (!word) word = text;
    const size_t n = word == strstr(word, row->word) ? strlen(row->word) : 0;
    if (word > text) fputs(bold, stderr);
    cli_put(stderr, text, (size_t)(word - text));
    if (word > text) fputs(plain, stderr);
    fputs(row->color, stderr);
    cli_put(stderr, word, n);
    fputs(plain, stderr);
    cli_put(stderr, word + n, strlen(word + n));
}

/* A copy of a text; NULL for NULL. */
static char *copy_of(const char *text) {
    return text ? strdup(text) : NULL;
}

/* Keep a message as it was said; without memory it is not kept. */
static void keep(cli_session *cli, const hol_message *message, const char *said) {
    if (cli->n_messages == cli->capacity) {
        const int capacity = 2 * cli->capacity + 16;
        cli_message *grown = realloc(cli->messages, (size_t)capacity * sizeof *grown);
        if (!grown) return;
        cli->messages = grown;
        cli->capacity = capacity;
    }
    const hol_message own = {
        message->severity,
        message->status,
        copy_of(message->element),
        copy_of(message->text),
        {copy_of(message->where.file), message->where.line, message->where.column}};
    char *text = strdup(said);
    if (text) cli->messages[cli->n_messages++] = (cli_message){message->severity, text, own};
}

/* Print a message and keep it. */
static void say(cli_session *cli, const hol_message *message) {
    char buf[TEXT_SIZE];
    const int n = hol_message_format(message, buf, sizeof buf);
    char *text = n >= TEXT_SIZE ? malloc((size_t)n + 1) : NULL;
    if (text) hol_message_format(message, text, (size_t)n + 1);
    const char *shown = text ? text : buf;
    keep(cli, message, shown);
    if (message->severity == HOL_ERROR && !cli->status)
        cli->status = message->status ? message->status : HOL_ERR_INPUT;
    if (!(cli->quiet && message->severity == HOL_NOTE)) {
        cli_progress_clear(cli);
        if (cli->color)
            print_colored(message, shown);
        else
            cli_put(stderr, shown, strlen(shown));
        fputc('\n', stderr);
        if (message->where.file && message->where.line > 0 && cli->n_sources++ < MAX_SOURCES)
            print_source(cli, &message->where);
    }
    free(text);
}

static void on_message(void *user, const hol_message *message) {
    say(user, message);
}

/* ---- the session ---- */

int cli_init(cli_session *cli) {
    const char *no_color = getenv("NO_COLOR");
    memset(cli, 0, sizeof *cli);
    cli->color = cli_is_terminal(stderr) && !(no_color && *no_color);
    cli->ctx = hol_context_new();
    if (cli->ctx) hol_context_on_message(cli->ctx, on_message, cli);
    return cli->ctx != NULL;
}

void cli_free(cli_session *cli) {
    for (int i = 0; i < cli->n_messages; i++) {
        const cli_message *message = &cli->messages[i];
        free(message->text);
        free((char *)message->as_given.element);
        free((char *)message->as_given.text);
        free((char *)message->as_given.where.file);
    }
    free(cli->messages);
    hol_context_free(cli->ctx);
}

void cli_report(cli_session *cli, hol_severity severity, hol_status status, const char *format,
                ...) {
    char text[TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say(cli, &(hol_message){severity, status, NULL, text, {NULL, 0, 0}});
}

int cli_usage(cli_session *cli, const cli_command *command, const char *format, ...) {
    char text[TEXT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    cli_report(cli, HOL_ERROR, HOL_ERR_ARGUMENT, "%s", text);
    cli_report(cli, HOL_NOTE, HOL_OK, "run 'holonom help%s%s' for %s", command ? " " : "",
               command ? command->name : "", command ? "its options" : "a list");
    return CLI_USAGE;
}
