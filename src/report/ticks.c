/* ticks.c: marks at 1, 2 or 5 times a power of ten, or at powers of ten on a logarithmic scale. */
#include "report/ticks.h"
#include "common/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The most decimals that a label has beside the axis. */
enum { LONGEST = 4 };

/* 1, 2 or 5 times a power of ten, not below x. */
static double round_up(double x) {
    const double power = pow(10, floor(log10(x)));
    const double digit = x / power;
    return power * (digit <= 1.0000001 ? 1 : digit <= 2.0000001 ? 2 : digit <= 5.0000001 ? 5 : 10);
}

/* A number as C writes it, with U+2212 as the minus sign, also in exponents, without a plus and
 * zeros in these, and with a point in every locale. */
static void tidy(const char *from, char *to) {
    size_t n = 0;
    for (const char *p = from; *p && n + 4 < HOL__LABEL_SIZE; p++) {
        const int exponent = p > from && strchr(from, 'e') && p > strchr(from, 'e');
        if (exponent && (*p == '+' || (*p == '0' && (p[-1] == '+' || p[-1] == '-') && p[1])))
            continue;
        if (*p == '-') {
            memcpy(to + n, "\xE2\x88\x92", 3);
            n += 3;
        } else
            to[n++] = strchr("0123456789e", *p) ? *p : '.';
    }
    to[n] = '\0';
}

/* A number with a power of ten and up to so many decimals, zeros at their end left out. */
static void write_power(char buf[HOL__LABEL_SIZE], double value, int decimals) {
    hol__print(buf, HOL__LABEL_SIZE, "%.*e", decimals, value);
    char *e = strchr(buf, 'e'), *end = e;
    if (decimals > 0)
        while (end[-1] == '0') end--;
    if (end > buf && !strchr("0123456789", end[-1])) end--;
    memmove(end, e, strlen(e) + 1);
}

/* A number with as many digits as tell it from its neighbours: decimals down to the step, or a
 * power of ten where that would be long for the largest number of the axis. */
static void write_label(char *to, double value, double step, double largest) {
    char buf[HOL__LABEL_SIZE];
    const double size = fabs(value);
    if (size < 1e-9 * step) value = 0;
    const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    if (value != 0 && (decimals > LONGEST || largest >= 1e6)) {
        const int digits = (int)(floor(log10(size) + 1e-9) - floor(log10(step) + 1e-9));
        write_power(buf, value, digits < 0 ? 0 : digits > 15 ? 15 : digits);
    } else
        hol__print(buf, sizeof buf, "%.*f", decimals > LONGEST ? 0 : decimals, value);
    tidy(buf, to);
}

void hol__value_label(double value, char label[HOL__LABEL_SIZE]) {
    char buf[HOL__LABEL_SIZE];
    const double size = fabs(value);
    if (value == 0 || (size >= 0.1 && size < 100))
        hol__print(buf, sizeof buf, "%.2f", fabs(value) > 0 ? value : 0);
    else if (size >= 1e-3 && size < 9999.5) /* rounded to four digits this is below 10000 */
        hol__print(buf, sizeof buf, "%.4g", value);
    else if (size >= 9999.5 && size < 999999.5)
        hol__print(buf, sizeof buf, "%.0f", value);
    else
        write_power(buf, value, 3);
    tidy(buf, label);
}

/* A mark at digit times 10^k. */
static void mark(hol__scale *s, int digit, int k) {
    char buf[HOL__LABEL_SIZE];
    if (s->n == HOL__MAX_TICKS) return;
    s->at[s->n] = digit * pow(10, k);
    hol__print(buf, sizeof buf, "%de%d", digit, k);
    tidy(buf, s->label[s->n++]);
}

/* Powers of ten, every one or every so many; also their twofold and fivefold where there are less
 * than three. */
static void mark_powers(hol__scale *s, int wanted) {
    const int first = (int)ceil(s->low - 1e-9), last = (int)floor(s->high + 1e-9);
    static const int digits[] = {1, 2, 5};
    int every = 1;
    if (last - first >= 2) {
        while ((last - first) / every + 1 > wanted) every++;
        for (int k = first; k <= last; k += every) mark(s, 1, k);
        return;
    }
    for (int k = first - 1; k <= last; k++)
        for (int i = 0; i < 3; i++) {
            const double x = k + log10(digits[i]);
            if (x >= s->low - 1e-9 && x <= s->high + 1e-9) mark(s, digits[i], k);
        }
}

/* A logarithmic scale; what is given exactly is not changed. */
static void init_powers(hol__scale *s, double low, double high, int wanted, int widen) {
    s->low = log10(low), s->high = log10(high);
    if (widen) {
        s->low = floor(s->low + 1e-9), s->high = ceil(s->high - 1e-9);
        /* what lies deeper is rounding of the largest value */
        if (s->low < s->high - 16) s->low = s->high - 16;
    }
    if (!(s->high > s->low)) s->low -= 1, s->high += 1;
    mark_powers(s, wanted);
}

void hol__scale_init(hol__scale *s, double low, double high, int log, int wanted, int widen) {
    *s = (hol__scale){.log = log};
    if (!isfinite(low) || !isfinite(high)) low = log ? 0.1 : 0, high = 1;
    if (log) {
        init_powers(s, low, high, wanted, widen);
        return;
    }
    const double size = fmax(fabs(low), fabs(high));
    if (!(high - low > 1e-9 * size)) {
        const double room = size > 0 ? 0.1 * size : 1;
        low -= room, high += room;
    }
    const double step = round_up((high - low) / wanted);
    s->low = widen ? step * floor(low / step + 1e-6) : low;
    s->high = widen ? step * ceil(high / step - 1e-6) : high;
    for (double k = ceil(s->low / step - 1e-6);
         k * step <= s->high + 1e-6 * step && s->n < HOL__MAX_TICKS; k++) {
        s->at[s->n] = k * step;
        write_label(s->label[s->n++], k * step, step, fmax(fabs(s->low), fabs(s->high)));
    }
}

double hol__scale_place(const hol__scale *s, double value) {
    const double x = s->log ? log10(fabs(value)) : value;
    return (x - s->low) / (s->high - s->low);
}
