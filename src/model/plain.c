/* plain.c: which texts YAML takes without quotes. */
#include "model/plain.h"

#include "common/utf8.h"

#include <string.h>

/* Whether text is one of the words of a NULL-ended list. */
static int is_word(const char *text, const char *const *words) {
    for (; *words; words++)
        if (strcmp(text, *words) == 0) return 1;
    return 0;
}

/* Behind the digits at s. */
static const char *skip_digits(const char *s) {
    return s + strspn(s, "0123456789");
}

/* [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?, 0o…, 0x…, or ±.inf and
 * .nan */
static int is_number(const char *text) {
    static const char *const special[] = {".nan", ".NaN", ".NAN", NULL};
    static const char *const infinite[] = {".inf", ".Inf", ".INF", NULL};
    const char *s = text + (*text == '-' || *text == '+');
    if (is_word(text, special) || is_word(s, infinite)) return 1;
    if (strncmp(text, "0x", 2) == 0 && text[2])
        return !text[2 + strspn(text + 2, "0123456789abcdefABCDEF")];
    if (strncmp(text, "0o", 2) == 0 && text[2]) return !text[2 + strspn(text + 2, "01234567")];
    const char *whole = skip_digits(s), *part = whole;
    if (*whole == '.') part = skip_digits(whole + 1);
    if (whole == s && part <= whole + 1) return 0;
    if (*part == 'e' || *part == 'E') {
        const char *power = part + 1 + (part[1] == '-' || part[1] == '+');
        part = skip_digits(power);
        if (part == power) return 0;
    }
    return !*part;
}

hol__plain_kind hol__plain_kind_of(const char *text) {
    static const char *const nothing[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const truth[] = {"true", "True", "TRUE", "false", "False", "FALSE", NULL};
    if (is_word(text, nothing)) return HOL__PLAIN_NULL;
    if (is_word(text, truth)) return HOL__PLAIN_BOOL;
    return is_number(text) ? HOL__PLAIN_NUMBER : HOL__PLAIN_TEXT;
}

/* Whether every character may stand in a text without quotes on one line. */
static int plain_characters(const char *s) {
    const char *end = s + strlen(s);
    for (int n; s < end; s += n) {
        unsigned code;
        n = hol__utf8_decode(s, end, &code);
        if (n == 0 || code < 0x20 || !hol__utf8_printable(code) || code == 0x85 || code == 0x2028 ||
            code == 0x2029 || code == 0xFEFF)
            return 0;
    }
    return 1;
}

int hol__plain_text(const char *text, int flow) {
    const size_t n = strlen(text);
    if (hol__plain_kind_of(text) == HOL__PLAIN_NULL || !plain_characters(text)) return 0;
    if (text[0] == ' ' || text[n - 1] == ' ' || text[n - 1] == ':') return 0;
    /* '-', '?' and ':' may start a text when more follows, other indicators may not */
    if (strchr(",[]{}#&*!|>'\"%@`", text[0])) return 0;
    if (strchr("-?:", text[0]) && (n == 1 || text[1] == ' ')) return 0;
    if (strncmp(text, "---", 3) == 0 || strncmp(text, "...", 3) == 0) return 0;
    if (strstr(text, ": ") || strstr(text, " #")) return 0;
    return !flow || !text[strcspn(text, ",[]{}:")];
}

int hol__plain_key(const char *text) {
    return hol__plain_text(text, 1) && hol__plain_kind_of(text) == HOL__PLAIN_TEXT &&
           strcmp(text, "<<") != 0;
}
