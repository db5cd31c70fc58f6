/* json.c: writing JSON [RFC 8259]. Texts are UTF-8; bytes that are not become the replacement character U+FFFD. */
#include "cli/json.h"

#include <math.h>
#include <string.h>

/* The length of the UTF-8 sequence at s: 1 to 4, or 0 when it is none. */
static int sequence(const unsigned char *s) {
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const int n = s[0] < 0x80                   ? 1
                  : s[0] >= 0xF0 && s[0] < 0xF8 ? 4
                  : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                  : s[0] >= 0xC0 && s[0] < 0xE0 ? 2
                                                : 0;
    unsigned code = n > 1 ? s[0] & (0x7Fu >> n) : s[0];
    for (int i = 1; i < n; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (s[i] & 0x3F);
    }
    return n < 2 || (code >= least[n] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF)) ? n
                                                                                               : 0;
}

/* A text in quotes. */
static void put_text(FILE *out, const char *text) {
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    fputc('"', out);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        const int n = sequence(s);
        const char *name = NULL;
        for (const char *p = named; *p && !name; p += 2)
            if ((unsigned char)*p == *s) name = p;
        if (name)
            fprintf(out, "\\%c", name[1]);
        else if (*s < 0x20 || *s == 0x7F)
            fprintf(out, "\\u%04x", *s);
        else if (n)
            fwrite(s, 1, (size_t)n, out);
        else
            fputs("\\ufffd", out);
        s += n ? n : 1;
    }
    fputc('"', out);
}

/* The comma, line end and key before a member. */
static void put_key(cli_json *json, const char *key) {
    fprintf(json->out, "%s\n%*s", json->filled ? "," : "", 2 * json->depth, "");
    json->filled = 1;
    if (!key) return;
    put_text(json->out, key);
    fputs(": ", json->out);
}

cli_json cli_json_start(FILE *out) {
    fputc('{', out);
    return (cli_json){out, 1, 0};
}

void cli_json_finish(cli_json *json) {
    cli_json_close(json, '}');
    fputc('\n', json->out);
}

void cli_json_open(cli_json *json, const char *key, char bracket) {
    put_key(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->filled = 0;
}

void cli_json_close(cli_json *json, char bracket) {
    json->depth--;
    if (json->filled) fprintf(json->out, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->out);
    json->filled = 1;
}

void cli_json_text(cli_json *json, const char *key, const char *text) {
    put_key(json, key);
    if (text)
        put_text(json->out, text);
    else
        fputs("null", json->out);
}

void cli_json_number(cli_json *json, const char *key, double value) {
    char buf[CLI_NUMBER_SIZE];
    put_key(json, key);
    fputs(isfinite(value) ? cli_number(value, buf) : "null", json->out);
}

void cli_json_integer(cli_json *json, const char *key, long value) {
    put_key(json, key);
    fprintf(json->out, "%ld", value);
}

void cli_json_bool(cli_json *json, const char *key, int value) {
    put_key(json, key);
    fputs(value ? "true" : "false", json->out);
}

void cli_json_messages(cli_json *json, const cli_session *cli) {
    static const struct {
        const char *key;
        hol_severity severity;
    } lists[] = {{"warnings", HOL_WARNING}, {"errors", HOL_ERROR}, {"notes", HOL_NOTE}};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        cli_json_open(json, lists[k].key, '[');
        for (int i = 0; i < cli->n_messages; i++)
            if (cli->messages[i].severity == lists[k].severity)
                cli_json_text(json, NULL, cli->messages[i].text);
        cli_json_close(json, ']');
    }
}
