/* format.c: printf into a buffer, with a point in numbers whatever the locale says.
 *
 * The format is taken apart: text and each conversion by itself go to snprintf, and what a
 * conversion of a floating number gives has its decimal mark replaced. Conversions: d i u x X o c s
 * p with hh, h, l, ll, z, t and j; a A e E f F g G; %%. Flags, widths and precisions as usual, also
 * with *.
 */
#include "common/format.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What is written so far, and how long all of it is. */
typedef struct output {
    char *buf;
    size_t size, length;
} output;

/* One conversion: its text, as snprintf takes it, with the stars replaced by numbers. */
typedef struct conversion {
    char text[64];
    int width;
    char kind;
    char modifier[3];
} conversion;

/* n bytes to the end; what does not fit is counted. */
static void put(output *out, const char *text, size_t n) {
    if (out->length + 1 < out->size) {
        const size_t room = out->size - out->length - 1;
        memcpy(out->buf + out->length, text, n < room ? n : room);
    }
    out->length += n;
}

/* Append the digits of a width or a precision, or of the argument that * stands for. */
static const char *take_number(const char *at, va_list *args, conversion *c, int *value) {
    size_t n = strlen(c->text);
    *value = 0;
    if (*at == '*') {
        *value = va_arg(*args, int);
        snprintf(c->text + n, sizeof c->text - n, "%d", *value);
        return at + 1;
    }
    for (; *at >= '0' && *at <= '9'; at++) {
        if (*value < 100000) *value = 10 * *value + (*at - '0');
        if (n + 8 < sizeof c->text) c->text[n++] = *at;
    }
    c->text[n] = '\0';
    return at;
}

/* Append the characters of the set at the front of the format. */
static const char *take_of(const char *at, const char *set, conversion *c) {
    const size_t n = strspn(at, set), used = strlen(c->text);
    memcpy(c->text + used, at, n < 8 ? n : 8);
    return at + n;
}

/* The conversion behind the % at `at`; returns what follows it. */
static const char *take(const char *at, va_list *args, conversion *c) {
    int precision;
    *c = (conversion){.text = "%"};
    at = take_of(at + 1, "-+ #0", c);
    at = take_number(at, args, c, &c->width);
    if (*at == '.') {
        strcat(c->text, ".");
        at = take_number(at + 1, args, c, &precision);
    }
    const size_t n = strspn(at, "hlzjt");
    memcpy(c->modifier, at, n < sizeof c->modifier ? n : sizeof c->modifier - 1);
    at = take_of(at, "hlzjt", c);
    if (!*at) return at;
    c->kind = *at;
    const char kind[2] = {*at, '\0'};
    strcat(c->text, kind);
    return at + 1;
}

/* A signed or unsigned argument of the modifier, as the widest type. */
static intmax_t take_integer(va_list *args, const conversion *c) {
    const int is_unsigned = strchr("uxXo", c->kind) != NULL;
    if (strcmp(c->modifier, "ll") == 0) return va_arg(*args, long long);
    switch (c->modifier[0]) {
    case 'l': return is_unsigned ? (intmax_t)va_arg(*args, unsigned long) : va_arg(*args, long);
    case 'z': return (intmax_t)va_arg(*args, size_t);
    case 't': return va_arg(*args, ptrdiff_t);
    case 'j': return va_arg(*args, intmax_t);
    default: return is_unsigned ? (intmax_t)va_arg(*args, unsigned) : va_arg(*args, int);
    }
}

/* An integer: its conversion with the modifier of the widest type. */
static void put_integer(output *out, conversion *c, va_list *args) {
    char buf[512];
    const intmax_t value = take_integer(args, c);
    const size_t n = strlen(c->text) - 1 - strlen(c->modifier);
    snprintf(c->text + n, sizeof c->text - n, "j%c", c->kind);
    const int length = snprintf(buf, sizeof buf, c->text, value);
    put(out, buf, length < (int)sizeof buf ? (size_t)length : sizeof buf - 1);
}

/* Replace the decimal mark, of one or more bytes, by a point; the length afterwards. */
static size_t put_point(char *buf) {
    char *mark = buf + strspn(buf, " +-0123456789abcdefxABCDEFX");
    if (*mark) {
        const size_t n = strcspn(mark, "0123456789abcdefpABCDEFP ");
        memmove(mark + 1, mark + n, strlen(mark + n) + 1);
        *mark = '.';
    }
    return strlen(buf);
}

/* A floating number. A mark of several bytes took some of the width: blanks make up for it. */
static void put_real(output *out, const conversion *c, double value) {
    char buf[512];
    if (snprintf(buf, sizeof buf, c->text, value) >= (int)sizeof buf) return;
    const size_t before = strlen(buf);
    const size_t n = value - value == 0 ? put_point(buf) : before;
    const size_t width = c->width < 0 ? (size_t)-c->width : (size_t)c->width;
    const int left = c->width < 0 || strchr(c->text, '-') == c->text + 1;
    const size_t lost = n < before && n < width ? width - n : 0;
    if (!left) put(out, "        ", lost < 8 ? lost : 8);
    put(out, buf, n);
    if (left) put(out, "        ", lost < 8 ? lost : 8);
}

/* A text, straight to where it belongs: it may be long. */
static void put_text(output *out, const conversion *c, const char *text) {
    if (strcmp(c->text, "%s") == 0) {
        put(out, text, strlen(text));
        return;
    }
    const size_t at = out->length < out->size ? out->length : out->size;
    const int n = snprintf(out->buf ? out->buf + at : NULL, out->size - at, c->text, text);
    if (n > 0) out->length += (size_t)n;
}

static void put_conversion(output *out, conversion *c, va_list *args) {
    char buf[64];
    if (c->kind && strchr("diuxXo", c->kind))
        put_integer(out, c, args);
    else if (c->kind && strchr("aAeEfFgG", c->kind))
        put_real(out, c, va_arg(*args, double));
    else if (c->kind == 's')
        put_text(out, c, va_arg(*args, const char *));
    else if (c->kind == 'c')
        put(out, buf, (size_t)snprintf(buf, sizeof buf, "%c", va_arg(*args, int)));
    else if (c->kind == 'p')
        put(out, buf, (size_t)snprintf(buf, sizeof buf, "%p", va_arg(*args, void *)));
    else if (c->kind == '%')
        put(out, "%", 1);
}

int hol__vprint(char *buf, size_t size, const char *format, va_list given) {
    output out = {size ? buf : NULL, size, 0};
    va_list args;
    va_copy(args, given);
    while (*format) {
        const size_t plain = strcspn(format, "%");
        put(&out, format, plain);
        format += plain;
        if (!*format) break;
        conversion c;
        format = take(format, &args, &c);
        put_conversion(&out, &c, &args);
    }
    va_end(args);
    if (size) buf[out.length < size ? out.length : size - 1] = '\0';
    return (int)out.length;
}

int hol__print(char *buf, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const int n = hol__vprint(buf, size, format, args);
    va_end(args);
    return n;
}
