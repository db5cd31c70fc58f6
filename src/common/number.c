/* number.c: numbers as text and back.
 *
 * printf and strtod use the decimal mark of the current locale, which belongs to the host program
 * and may be a comma. The texts here always have a point: the mark is replaced after printing and
 * before reading.
 */
#include "common/number.h"
#include "common/ascii.h"
#include "common/decimal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replace whatever is no part of a number (the decimal mark, of one or more bytes) by a point. */
static int put_point(char *buf) {
    char *mark = buf + strspn(buf, "0123456789+-e");
    if (*mark) {
        const size_t size = strcspn(mark, "0123456789");
        memmove(mark + 1, mark + size, strlen(mark + size) + 1);
        *mark = '.';
    }
    return (int)strlen(buf);
}

/* The value with so many digits; returns the length. */
static int print(double value, int digits, char *buf) {
    const int n = hol__decimal_write(value, digits, buf);
    if (n) return n;
    snprintf(buf, HOL__NUMBER_SIZE, "%.*g", digits, value);
    return put_point(buf);
}

int hol__number_write(double value, int digits, char buf[HOL__NUMBER_SIZE]) {
    if (!isfinite(value))
        return snprintf(buf, HOL__NUMBER_SIZE, "%s",
                        isnan(value) ? "nan"
                        : value > 0  ? "inf"
                                     : "-inf");
    if (digits > 0) return print(value, digits, buf);
    /* a normal number that has a form of up to 15 digits shows it with 15; others need 16 or 17 */
    int n = fabs(value) < DBL_MIN && value != 0 ? 1 : 15, length = print(value, n, buf);
    const char *end;
    while (n < 17 && hol__number_read(buf, &end) != value) length = print(value, ++n, buf);
    return length;
}

/* The decimal mark of the locale into mark, with its terminator. */
static void find_mark(char mark[16]) {
    char half[16];
    snprintf(half, sizeof half, "%.1f", 0.5);
    const size_t m = strcspn(half + 1, "5");
    memcpy(mark, half + 1, m);
    mark[m] = '\0';
}

/* "nan", "inf" and "-inf" in any case; the length of the word, 0 for none. */
static size_t read_word(const char *text, double *value) {
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}, {"-nan", NAN}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = 0;
        while (words[i].word[n] && hol__lower(text[n]) == words[i].word[n]) n++;
        *value = words[i].value;
        if (!words[i].word[n]) return n;
    }
    return 0;
}

double hol__number_read(const char *text, const char **end) {
    char mark[16], buf[128];
    double value;
    const size_t word = read_word(text, &value);
    *end = text + word;
    if (word) return value;
    /* a copy with the mark of the locale in place of the point */
    const size_t length = strspn(text, "0123456789+-.eE");
    const char *point = memchr(text, '.', length);
    find_mark(mark);
    const size_t m = strlen(mark);
    if (length == 0 || length + m >= sizeof buf) return NAN;
    const size_t head = point ? (size_t)(point - text) : length;
    memcpy(buf, text, head);
    size_t n = head;
    if (head < length) {
        memcpy(buf + n, mark, m);
        memcpy(buf + n + m, text + head + 1, length - head - 1);
        n += m + length - head - 1;
    }
    buf[n] = '\0';
    char *stop;
    value = strtod(buf, &stop);
    const size_t read = (size_t)(stop - buf);
    *end = text + (read > head ? read + 1 - m : read);
    return value;
}

const char *hol__size_text(double bytes, char buf[HOL__NUMBER_SIZE]) {
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    int i = 0;
    for (; bytes >= 1000 && i < 4; i++) bytes /= 1000;
    const int n = hol__number_write(bytes, 3, buf);
    snprintf(buf + n, (size_t)(HOL__NUMBER_SIZE - n), " %s", units[i]);
    return buf;
}
