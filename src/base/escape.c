/* escape.c: texts of others within files. See escape.h. */
#include "base/escape.h"

#include "common/utf8.h"

#include <string.h>

/* What a character is written as, NULL where it stands as it is; `own` has room for an escape. A
 * byte that is not UTF-8 has the length 0. */
typedef const char *shown(unsigned code, int length, char own[16]);

static const char *numbered(unsigned code, char own[16]) {
    hol__print(own, 16, code < 0x100 ? "\\x%02x" : "\\u%04x", code);
    return own;
}

static const char *in_xml(unsigned code, int length, char own[16]) {
    switch (code) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\t': return "&#9;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    default: return length && hol__utf8_printable(code) ? NULL : numbered(code, own);
    }
}

static const char *in_text(unsigned code, int length, char own[16]) {
    return length && !hol__utf8_misleads(code) ? NULL : numbered(code, own);
}

static const char *in_line(unsigned code, int length, char own[16]) {
    return code == '\n' || code == '\t' ? " " : in_text(code, length, own);
}

static void add(hol__text *out, const char *text, size_t n, shown *show) {
    const char *end = text + n, *from = text;
    char own[16];
    while (text < end) {
        unsigned code = (unsigned char)*text;
        const int length = hol__utf8_decode(text, end, &code);
        if (!length) code = (unsigned char)*text;
        const char *as = show(code, length, own);
        if (as) {
            hol__text_add_n(out, from, (size_t)(text - from));
            hol__text_add_n(out, as, strlen(as));
        }
        text += length ? length : 1;
        if (as) from = text;
    }
    hol__text_add_n(out, from, (size_t)(text - from));
}

void hol__text_add_xml_n(hol__text *out, const char *text, size_t n) {
    add(out, text, n, in_xml);
}

void hol__text_add_xml(hol__text *out, const char *text) {
    add(out, text, strlen(text), in_xml);
}

void hol__text_add_plain(hol__text *out, const char *text, size_t n) {
    add(out, text, n, in_text);
}

void hol__text_add_line(hol__text *out, const char *text) {
    add(out, text, strlen(text), in_line);
}
