/* exact.h: numbers of formulas: fractions as long as they fit, else reals.
 *
 * A decimal that was written in a file (9.81) is the fraction 981/100 and is shown as it was
 * written: `decimal` says so and passes on to what is computed from it.
 */
#ifndef HOL_SYMBOLIC_EXACT_H
#define HOL_SYMBOLIC_EXACT_H

#include <stddef.h>

typedef struct hol__exact {
    long long n, d; /* n/d in lowest terms, d > 0; d = 0: the real x */
    double x;
    int decimal;
} hol__exact;

hol__exact hol__exact_integer(long long n);
hol__exact hol__exact_fraction(long long n, long long d); /* d > 0 */

/* A number of a file or of a compiled model: as a decimal of up to 15 digits where it is one, else
 * as a fraction with a small denominator, else as it is. */
hol__exact hol__exact_of(double x);

hol__exact hol__exact_add(hol__exact a, hol__exact b);
hol__exact hol__exact_mul(hol__exact a, hol__exact b);
hol__exact hol__exact_inverse(hol__exact a); /* a is not 0 */
hol__exact hol__exact_power(hol__exact a, long long k);

double hol__exact_value(hol__exact a);
int hol__exact_is(hol__exact a, long long n); /* it is that integer */
int hol__exact_is_integer(hol__exact a);
int hol__exact_same(hol__exact a, hol__exact b); /* the same number, shown in the same way */

/* Its square root where that is a fraction too: 1 and *root. */
int hol__exact_root(hol__exact a, hol__exact *root);

/* Without its sign, as text: "3", "0.25", "1.5e-05"; fractions that are not shown as decimals have
 * only their numerator here. Returns buf. */
const char *hol__exact_text(hol__exact a, char *buf, size_t size);

/* The denominator that is shown below it; 1: none. */
long long hol__exact_below(hol__exact a);

#endif
