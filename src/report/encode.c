/* encode.c: numbers, texts and bytes as they stand inside a page. */
#include "report/payload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void hol__json_number(hol__text *out, double value, int digits) {
    char buf[40];
    if (!isfinite(value)) {
        hol__text_add_n(out, "null", 4);
        return;
    }
    const int n = snprintf(buf, sizeof buf, "%.*g", digits, value);
    /* the locale of the host program may have another sign than the point */
    for (int i = 0; i < n; i++)
        if (!strchr("+-0123456789e", buf[i])) buf[i] = '.';
    hol__text_add_n(out, buf, (size_t)n);
}

void hol__json_text(hol__text *out, const char *text) {
    hol__text_add_n(out, "\"", 1);
    for (; *text; text++) {
        const unsigned char ch = (unsigned char)*text;
        if (ch == '"' || ch == '\\' || ch == '<' || ch == '>' || ch == '&' || ch < 0x20 ||
            ch == 0x7F)
            hol__text_add(out, "\\u%04x", ch);
        else
            hol__text_add_n(out, text, 1);
    }
    hol__text_add_n(out, "\"", 1);
}

void hol__base64(hol__text *out, const void *data, size_t n) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *p = data;
    char chunk[4096];
    size_t used = 0;
    for (size_t i = 0; i < n; i += 3) {
        const size_t left = n - i;
        const unsigned long bits = (unsigned long)p[i] << 16 |
                                   (left > 1 ? (unsigned long)p[i + 1] << 8 : 0) |
                                   (left > 2 ? (unsigned long)p[i + 2] : 0);
        for (int k = 0; k < 4; k++) chunk[used++] = digits[bits >> (18 - 6 * k) & 63];
        if (left < 3) chunk[used - 1] = '=';
        if (left < 2) chunk[used - 2] = '=';
        if (used == sizeof chunk || i + 3 >= n) {
            hol__text_add_n(out, chunk, used);
            used = 0;
        }
    }
}
