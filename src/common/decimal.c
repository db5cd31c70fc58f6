/* decimal.c: the first P digits of a number, rounded exactly, a tenth of the price of printf.
 *
 *     value = m 2^e, m < 2^53 a whole number;  X: its decimal exponent;  k = P - 1 - X
 *     value 10^k = m 5^k 2^(e + k),  whose nearest whole number (half to even) has the P digits
 *
 * For 0 <= k <= 27 the product N = m 5^k is below 2^116 and exact in two words, so that a shift has
 * the digits and what is cut off, and nothing is estimated: 1e-11 to 1e17 with 17 digits. Other
 * numbers are left to printf, which takes as many words as they need.
 */
#include "common/decimal.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MOST_DIGITS = 17, MOST_POWER = 27 };

/* 5^k. */
static const uint64_t fives[MOST_POWER + 1] = {1,
                                               5,
                                               25,
                                               125,
                                               625,
                                               3125,
                                               15625,
                                               78125,
                                               390625,
                                               1953125,
                                               9765625,
                                               48828125,
                                               244140625,
                                               1220703125,
                                               6103515625,
                                               30517578125,
                                               152587890625,
                                               762939453125,
                                               3814697265625,
                                               19073486328125,
                                               95367431640625,
                                               476837158203125,
                                               2384185791015625,
                                               11920928955078125,
                                               59604644775390625,
                                               298023223876953125,
                                               1490116119384765625,
                                               7450580596923828125};

typedef struct words {
    uint64_t high, low;
} words;

/* a b, whole. */
static words product(uint64_t a, uint64_t b) {
    const uint64_t mask = 0xffffffffu, a0 = a & mask, a1 = a >> 32, b0 = b & mask, b1 = b >> 32;
    const uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0;
    const uint64_t middle = (p00 >> 32) + (p01 & mask) + (p10 & mask);
    return (words){a1 * b1 + (p01 >> 32) + (p10 >> 32) + (middle >> 32),
                   middle << 32 | (p00 & mask)};
}

/* floor(N 2^-s), which one word holds; *beyond: the sign of what is cut off less one half. */
static uint64_t shifted(words N, int s, int *beyond) {
    *beyond = -1;
    if (s <= 0) return N.low << -s;
    const int upper = s > 64; /* the cut goes through the upper word */
    const int cut = upper ? s - 64 : s;
    const uint64_t word = upper ? N.high : N.low, half = (uint64_t)1 << (cut - 1);
    const uint64_t rest = cut < 64 ? word & (2 * half - 1) : word, below = upper ? N.low : 0;
    *beyond = rest > half || (rest == half && below) ? 1 : rest == half ? 0 : -1;
    if (upper) return N.high >> cut;
    return cut < 64 ? N.high << (64 - cut) | N.low >> cut : N.high;
}

/* The n digits of q without zeros at the end; returns how many are left, at least one. */
static int spell(uint64_t q, int n, char *digits) {
    for (int i = n - 1; i >= 0; i--, q /= 10) digits[i] = (char)('0' + q % 10);
    while (n > 1 && digits[n - 1] == '0') n--;
    return n;
}

/* The n digits d 10^(X - n + 1) as text. */
static int lay_out(const char *digits, int n, int X, char *out) {
    char *at = out;
    if (X < -4) {
        *at++ = digits[0];
        if (n > 1) *at++ = '.';
        memcpy(at, digits + 1, (size_t)(n - 1));
        at += n - 1;
        *at++ = 'e', *at++ = '-';
        *at++ = (char)('0' + -X / 10), *at++ = (char)('0' + -X % 10);
    } else if (X < 0) {
        memcpy(at, "0.000", (size_t)(1 - X));
        memcpy(at + 1 - X, digits, (size_t)n);
        at += 1 - X + n;
    } else {
        const int whole = n < X + 1 ? n : X + 1;
        memcpy(at, digits, (size_t)whole);
        memset(at + whole, '0', (size_t)(X + 1 - whole));
        at += X + 1;
        if (n > X + 1) *at++ = '.';
        memcpy(at, digits + whole, (size_t)(n - whole));
        at += n - whole;
    }
    *at = '\0';
    return (int)(at - out);
}

int hol__decimal_write(double value, int digits, char buf[HOL__NUMBER_SIZE]) {
    char text[MOST_DIGITS];
    int e, beyond;
    if (!isfinite(value) || digits < 1 || digits > MOST_DIGITS) return 0;
    const int sign = signbit(value) != 0;
    if (value == 0) return memcpy(buf, sign ? "-0" : "0", sign ? 3 : 2), 1 + sign;
    const double f = frexp(fabs(value), &e);
    /* X or one less: value >= 2^(e - 1) */
    int X = (int)floor((e - 1) * 0.30102999566398120), k = digits - 1 - X;
    if (k < 0 || k > MOST_POWER) return 0;
    const uint64_t m = (uint64_t)ldexp(f, 53), end = fives[digits] << digits;
    uint64_t q = shifted(product(m, fives[k]), 53 - e - k, &beyond);
    if (q >= end && k == 0) return 0;
    if (q >= end) X++, k--, q = shifted(product(m, fives[k]), 53 - e - k, &beyond);
    q += beyond > 0 || (beyond == 0 && q % 2);
    if (q == end) q /= 10, X++;
    if (X == digits) return 0; /* has an exponent */
    if (sign) *buf = '-';
    return sign + lay_out(text, spell(q, digits, text), X, buf + sign);
}
