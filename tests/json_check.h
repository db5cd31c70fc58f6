/* json_check.h: whether a text is one well-formed JSON value [RFC 8259]. */
#ifndef HOL_TESTS_JSON_CHECK_H
#define HOL_TESTS_JSON_CHECK_H

#include <ctype.h>
#include <string.h>

static const char *json_value(const char *at);

static inline const char *json_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
    return at;
}

/* Each function returns the place behind what it read, or NULL. */
static inline const char *json_string(const char *at) {
    if (*at++ != '"') return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) return NULL;
        if (*at != '\\') continue;
        at++;
        if (*at == 'u') {
            for (int i = 0; i < 4; i++)
                if (!isxdigit((unsigned char)*++at)) return NULL;
        } else if (!*at || !strchr("\"\\/bfnrt", *at))
            return NULL;
    }
    return at + 1;
}

static inline const char *json_digits(const char *at) {
    if (!isdigit((unsigned char)*at)) return NULL;
    while (isdigit((unsigned char)*at)) at++;
    return at;
}

static inline const char *json_number(const char *at) {
    if (*at == '-') at++;
    at = *at == '0' ? at + 1 : json_digits(at);
    if (at && *at == '.') at = json_digits(at + 1);
    if (at && (*at == 'e' || *at == 'E')) {
        at++;
        at = json_digits(at + (*at == '+' || *at == '-'));
    }
    return at;
}

/* A list, or an object whose elements are "key": value. */
static inline const char *json_sequence(const char *at, char close) {
    at = json_blanks(at + 1);
    if (*at == close) return at + 1;
    for (;;) {
        if (close == '}') {
            at = json_string(json_blanks(at));
            if (!at) return NULL;
            at = json_blanks(at);
            if (*at++ != ':') return NULL;
        }
        at = json_value(at);
        if (!at) return NULL;
        at = json_blanks(at);
        if (*at == close) return at + 1;
        if (*at++ != ',') return NULL;
    }
}

static inline const char *json_value(const char *at) {
    static const char *const words[] = {"true", "false", "null"};
    at = json_blanks(at);
    for (int i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0) return at + strlen(words[i]);
    return *at == '{'   ? json_sequence(at, '}')
           : *at == '[' ? json_sequence(at, ']')
           : *at == '"' ? json_string(at)
                        : json_number(at);
}

/* 1 when the whole text is one JSON value. */
static inline int json_is_well_formed(const char *text) {
    const char *end = json_value(text);
    return end && *json_blanks(end) == '\0';
}

#endif
