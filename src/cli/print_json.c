/* print_json.c: one JSON object on a stream, with the messages of the session. */
#include "cli/print_json.h"

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
}
