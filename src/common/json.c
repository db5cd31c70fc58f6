/* json.c: JSON, written as it comes. */
#include "common/json.h"

#include "common/number.h"
#include "common/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A text that ends with a zero byte. */
static void put(hol__json *json, const char *text) {
    json->put(json->to, text, strlen(text));
}

/* One character of a text: by its name, by its number, or as it is. */
static void put_character(hol__json *json, unsigned code, const char *bytes, size_t n) {
    static const char named[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    char escape[16];
    for (const char *p = named; *p; p += 2)
        if ((unsigned char)*p == code) {
            snprintf(escape, sizeof escape, "\\%c", p[1]);
            put(json, escape);
            return;
        }
    const int in_html =
        json->flags & HOL__JSON_IN_HTML && (code == '<' || code == '>' || code == '&');
    if (code < 0x20 || code == 0x7F || code == 0xFFFD || in_html) {
        snprintf(escape, sizeof escape, "\\u%04x", code);
        put(json, escape);
    } else
        json->put(json->to, bytes, n);
}

/* A text in quotes. */
static void put_quoted(hol__json *json, const char *text) {
    put(json, "\"");
    while (*text) {
        const char *from = text;
        const unsigned code = hol__utf8_next(&text);
        put_character(json, code, from, (size_t)(text - from));
    }
    put(json, "\"");
}

/* A new line at the depth that is reached. */
static void put_line(hol__json *json) {
    static const char blanks[] = "                                ";
    const size_t n = 2 * (size_t)json->depth;
    put(json, "\n");
    json->put(json->to, blanks, n < sizeof blanks ? n : sizeof blanks - 1);
}

/* What stands before a member: comma, line, key. */
static void put_key(hol__json *json, const char *key) {
    const int compact = json->flags & HOL__JSON_COMPACT;
    if (json->filled) put(json, json->line && !compact ? ", " : ",");
    if (json->depth && !compact && !json->line) put_line(json);
    json->filled = 1;
    if (!key) return;
    put_quoted(json, key);
    put(json, compact ? ":" : ": ");
}

void hol__json_open(hol__json *json, const char *key, char bracket) {
    put_key(json, key);
    json->put(json->to, &bracket, 1);
    json->depth++;
    json->filled = 0;
}

void hol__json_open_line(hol__json *json, const char *key, char bracket) {
    hol__json_open(json, key, bracket);
    if (!json->line) json->line = json->depth;
}

void hol__json_close(hol__json *json, char bracket) {
    json->depth--;
    if (json->filled && !(json->flags & HOL__JSON_COMPACT) && !json->line) put_line(json);
    if (json->line > json->depth) json->line = 0;
    json->put(json->to, &bracket, 1);
    json->filled = 1;
}

void hol__json_raw(hol__json *json, const char *key, const char *value) {
    put_key(json, key);
    put(json, value);
}

void hol__json_text(hol__json *json, const char *key, const char *text) {
    put_key(json, key);
    if (text)
        put_quoted(json, text);
    else
        put(json, "null");
}

void hol__json_number(hol__json *json, const char *key, double value, int digits) {
    char buf[HOL__NUMBER_SIZE] = "null";
    if (isfinite(value)) hol__number_write(value, digits, buf);
    hol__json_raw(json, key, buf);
}

void hol__json_integer(hol__json *json, const char *key, long long value) {
    char buf[32];
    snprintf(buf, sizeof buf, "%lld", value);
    hol__json_raw(json, key, buf);
}

void hol__json_bool(hol__json *json, const char *key, int value) {
    hol__json_raw(json, key, value ? "true" : "false");
}

void hol__json_numbers(hol__json *json, const char *key, int n, const double *values, int digits) {
    hol__json_open_line(json, key, '[');
    for (int i = 0; i < n; i++) hol__json_number(json, NULL, values[i], digits);
    hol__json_close(json, ']');
}

void hol__json_words(hol__json *json, const char *key, const char *const *words) {
    hol__json_open_line(json, key, '[');
    for (int i = 0; words[i]; i++) hol__json_text(json, NULL, words[i]);
    hol__json_close(json, ']');
}
