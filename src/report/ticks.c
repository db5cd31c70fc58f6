/* ticks.c: marks at 1, 2 or 5 times a power of ten, or at powers of ten on a logarithmic scale. */
#include "report/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* 1, 2 or 5 times a power of ten, not below x. */
static double round_up(double x) {
    const double power = pow(10, floor(log10(x)));
    const double digit = x / power;
    return power * (digit <= 1.0000001 ? 1 : digit <= 2.0000001 ? 2 : digit <= 5.0000001 ? 5 : 10);
}

/* A number with as many decimals as the step needs; U+2212 as the minus sign, and a point in every
 * locale. */
static void write_label(char *to, double value, double step) {
    char buf[HOL__LABEL_SIZE - 4];
    const double size = fabs(value);
    if (size < 1e-9 * step) value = 0;
    const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    if (decimals > 6 || size >= 1e6)
        snprintf(buf, sizeof buf, "%.4g", value);
    else
        snprintf(buf, sizeof buf, "%.*f", decimals, value);
    for (char *p = buf; *p; p++)
        if (!strchr("0123456789+-e", *p)) *p = '.';
    const int negative = buf[0] == '-';
    snprintf(to, HOL__LABEL_SIZE, "%s%s", negative ? "\xE2\x88\x92" : "", buf + negative);
}

static void mark_powers(hol__scale *s, int wanted) {
    const int first = (int)ceil(s->low - 1e-9), last = (int)floor(s->high + 1e-9);
    int every = 1;
    while ((last - first) / every + 1 > wanted) every++;
    for (int k = first; k <= last && s->n < HOL__MAX_TICKS; k += every) {
        s->at[s->n] = pow(10, k);
        snprintf(s->label[s->n++], HOL__LABEL_SIZE, "1e%s%d", k < 0 ? "\xE2\x88\x92" : "",
                 k < 0 ? -k : k);
    }
}

void hol__scale_init(hol__scale *s, double low, double high, int log, int wanted, int widen) {
    *s = (hol__scale){.log = log};
    if (!isfinite(low) || !isfinite(high)) low = 0, high = 1;
    if (log) {
        s->low = floor(log10(low) + 1e-9), s->high = ceil(log10(high) - 1e-9);
        if (!(s->high > s->low)) s->low -= 1, s->high += 1;
        /* what lies deeper is rounding */
        if (s->low < s->high - 12) s->low = s->high - 12;
        mark_powers(s, wanted);
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
        write_label(s->label[s->n++], k * step, step);
    }
}

double hol__scale_place(const hol__scale *s, double value) {
    const double x = s->log ? log10(fabs(value)) : value;
    return (x - s->low) / (s->high - s->low);
}
