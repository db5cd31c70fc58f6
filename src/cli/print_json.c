/* print_json.c: one JSON object on a stream, with the messages of the session. */
#include "cli/print_json.h"
#include "cli/range.h"

#include <stdlib.h>

/* Write to a stream; its errors show when it is closed. */
static void put(void *out, const char *text, size_t n) {
    fwrite(text, 1, n, out);
}

hol__json cli_json_start(FILE *out) {
    hol__json json = {.put = put, .to = out};
    hol__json_open(&json, NULL, '{');
    return json;
}

void cli_json_finish(hol__json *json) {
    hol__json_close(json, '}');
    put(json->to, "\n", 1);
}

/* The place of a message, and where what it is about ends; one character where the file cannot be
 * read. */
static void put_range(hol__json *json, const hol_location *where) {
    char *line = where->column > 0 ? cli_read_line(where->file, where->line) : NULL;
    const int column = where->column > 0 ? where->column : 1;
    hol__json_text(json, "file", where->file);
    hol__json_integer(json, "line", where->line);
    hol__json_integer(json, "column", column);
    hol__json_integer(json, "end_line", where->line);
    hol__json_integer(json, "end_column", line ? cli_range_end(line, column) : column + 1);
    free(line);
}

/* One message in parts. */
static void put_diagnostic(hol__json *json, const hol_message *message) {
    static const char *const severities[] = {"note", "warning", "error"};
    hol__json_open(json, NULL, '{');
    hol__json_text(json, "severity", severities[message->severity]);
    hol__json_text(json, "status", hol_status_name(message->status));
    if (message->element) hol__json_text(json, "element", message->element);
    hol__json_text(json, "message", message->text ? message->text : "");
    if (message->where.file && message->where.line > 0) put_range(json, &message->where);
    hol__json_close(json, '}');
}

void cli_json_messages(hol__json *json, const cli_session *cli) {
    static const struct {
        const char *key;
        hol_severity severity;
    } lists[] = {{"warnings", HOL_WARNING}, {"errors", HOL_ERROR}, {"notes", HOL_NOTE}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        hol__json_open(json, lists[k].key, '[');
        for (int i = 0; i < cli->n_messages; i++)
            if (cli->messages[i].severity == lists[k].severity)
                hol__json_text(json, NULL, cli->messages[i].text);
        hol__json_close(json, ']');
    }
    hol__json_open(json, "diagnostics", '[');
    for (int i = 0; i < cli->n_messages; i++) put_diagnostic(json, &cli->messages[i].as_given);
    hol__json_close(json, ']');
}
