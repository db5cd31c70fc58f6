/* expr_jump.c: the first instant at which a law of time, or its rate, jumps.
 *
 * It can jump only where a switch of time alone changes its cell, and those instants are found
 * (expr_instant.c), however short the time between two of them. There low and high are
 * neighbouring numbers: the law jumps where it differs between them by more than it does over a few
 * numbers on either side, which is its slope and its rounding, and by more than its last digits.
 */
#include "base/expr_internal.h"

#include <float.h>
#include <math.h>

/* Numbers to either side; how much more than there; last digits; instants that are looked at, and
 * spans in one search. */
enum { NEIGHBOURS = 4, MORE = 4, DIGITS = 8, INSTANTS = 1000, LOOKS = 4096 };

static double value_at(const hol__expr *e, int order, double t, double *scratch) {
    const double in[1] = {t}, one[1] = {1}, zero[1] = {0};
    const hol__jet jet = hol__expr_jet(e, in, one, zero, scratch);
    return order ? jet.d1 : jet.f;
}

/* What it changes by over the numbers from t on, up or down. */
static double wobble(const hol__expr *e, int order, double t, double towards, double *scratch) {
    const double from = value_at(e, order, t, scratch);
    double most = 0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        t = nextafter(t, towards);
        most = fmax(most, fabs(value_at(e, order, t, scratch) - from));
    }
    return most;
}

/* Whether it jumps from low to high, seen from one number further out: on the boundary itself a
 * rate may be that of either side. Where there is no value something else is told. */
static int jumps(const hol__expr *e, int order, double low, double high, double *scratch) {
    low = nextafter(low, -INFINITY);
    high = nextafter(high, INFINITY);
    const double a = value_at(e, order, low, scratch), b = value_at(e, order, high, scratch),
                 digits = DIGITS * DBL_EPSILON * fmax(fabs(a), fabs(b));
    if (!(fabs(b - a) > digits)) return 0;
    return fabs(b - a) > digits + MORE * (wobble(e, order, low, -INFINITY, scratch) +
                                          wobble(e, order, high, INFINITY, scratch));
}

/* The first jump at the instants of switch k before `end`; INFINITY: none. */
static double first_of(const hol__expr *e, int k, int order, double start, double end,
                       double *scratch) {
    hol__instant search = {.clear = start};
    double in[1];
    for (int i = 0; i < INSTANTS && search.clear < end; i++) {
        hol__expr_next_instant(e, k, end, LOOKS, &search, in, scratch);
        if (!search.found) continue;
        if (jumps(e, order, search.low, search.high, scratch)) return search.high;
        search = (hol__instant){.clear = search.high};
    }
    return INFINITY;
}

int hol__expr_find_jump(const hol__expr *e, int order, const double span[2], double *scratch,
                        double *at) {
    *at = span[1];
    int found = 0;
    for (int k = 0; k < hol__expr_timed(e); k++) {
        const double t = first_of(e, k, order, span[0], *at, scratch);
        if (t < *at) *at = t, found = 1;
    }
    return found;
}
