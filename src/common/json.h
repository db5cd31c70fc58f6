/* json.h: JSON, written as it comes [RFC 8259].
 *
 * Texts are UTF-8; bytes that are not become U+FFFD. Keys are NULL in a list, and for the outermost
 * value. Numbers have a point in every locale; those that are not finite, and NULL texts, become
 * null.
 */
#ifndef HOL_COMMON_JSON_H
#define HOL_COMMON_JSON_H

#include <stddef.h>

/* Where the text goes: n bytes behind the others. */
typedef void hol__json_sink(void *to, const char *text, size_t n);

enum {
    HOL__JSON_COMPACT = 1, /* no blanks and line ends, instead of a member a line */
    HOL__JSON_IN_HTML = 2  /* can stand in an HTML script element: without < > and & */
};

typedef struct hol__json {
    hol__json_sink *put;
    void *to;
    unsigned flags;
    int depth;  /* objects and lists that are open */
    int filled; /* the innermost of them has members */
    int line;   /* the depth from which members stay on one line; 0: none */
} hol__json;

/* Open and close an object '{' '}' or a list '[' ']'. */
void hol__json_open(hol__json *json, const char *key, char bracket);
void hol__json_close(hol__json *json, char bracket);

/* Open one whose members all stand on its line. */
void hol__json_open_line(hol__json *json, const char *key, char bracket);

/* Members. A number with the given digits; 0 digits: the fewest that read back to the same bits. */
void hol__json_text(hol__json *json, const char *key, const char *text);
void hol__json_number(hol__json *json, const char *key, double value, int digits);
void hol__json_integer(hol__json *json, const char *key, long long value);
void hol__json_bool(hol__json *json, const char *key, int value);

/* A member that is JSON already. */
void hol__json_raw(hol__json *json, const char *key, const char *value);

/* A list of numbers on one line, and one of words up to the NULL behind them. */
void hol__json_numbers(hol__json *json, const char *key, int n, const double *values, int digits);
void hol__json_words(hol__json *json, const char *key, const char *const *words);

#endif
