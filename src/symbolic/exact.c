/* exact.c: fractions that become reals where they no longer fit. See exact.h. */
#include "symbolic/exact.h"

#include "common/format.h"
#include "common/number.h"

#include <math.h>

static long long gcd(long long a, long long b) {
    while (b) {
        const long long r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

/* A real; a whole number where it is one to rounding. */
static hol__exact real(double x, int decimal) {
    if (fabs(x) < 1e9 && fabs(x - round(x)) <= 4e-16 * fabs(x) && round(x) != 0)
        return (hol__exact){.n = (long long)round(x), .d = 1};
    return (hol__exact){.x = x, .decimal = decimal};
}

/* n/d in lowest terms. */
static hol__exact reduced(long long n, long long d, int decimal) {
    const long long g = gcd(n, d);
    hol__exact out = {.n = g ? n / g : 0, .d = g ? d / g : 1};
    out.decimal = decimal && out.d != 1;
    return out;
}

hol__exact hol__exact_integer(long long n) {
    return (hol__exact){.n = n, .d = 1};
}

hol__exact hol__exact_fraction(long long n, long long d) {
    return reduced(n, d, 0);
}

hol__exact hol__exact_of(double x) {
    static const double most = 1e15;
    if (x == floor(x) && fabs(x) < most) return hol__exact_integer((long long)x);
    double power = 1;
    for (int k = 1; k <= 12; k++) {
        power *= 10;
        const double n = round(x * power);
        if (fabs(n) < most && n / power == x) return reduced((long long)n, (long long)power, 1);
    }
    for (int d = 3; d <= 1000; d++) {
        const double n = round(x * d);
        if (n != 0 && fabs(n) < 1e6 && n / d == x) return reduced((long long)n, d, 0);
    }
    return real(x, 1);
}

double hol__exact_value(hol__exact a) {
    return a.d ? (double)a.n / (double)a.d : a.x;
}

hol__exact hol__exact_add(hol__exact a, hol__exact b) {
    const int decimal = a.decimal || b.decimal;
    long long left, right, n, d;
    if (a.d && b.d && !__builtin_mul_overflow(a.n, b.d, &left) &&
        !__builtin_mul_overflow(b.n, a.d, &right) && !__builtin_add_overflow(left, right, &n) &&
        !__builtin_mul_overflow(a.d, b.d, &d))
        return reduced(n, d, decimal);
    const double x = hol__exact_value(a) + hol__exact_value(b);
    return x == 0 ? hol__exact_integer(0) : real(x, decimal);
}

hol__exact hol__exact_mul(hol__exact a, hol__exact b) {
    const int decimal = a.decimal || b.decimal;
    long long n, d;
    if (hol__exact_is(a, 0) || hol__exact_is(b, 0)) return hol__exact_integer(0);
    if (a.d && b.d) {
        const hol__exact p = reduced(a.n, b.d, 0), q = reduced(b.n, a.d, 0);
        if (!__builtin_mul_overflow(p.n, q.n, &n) && !__builtin_mul_overflow(p.d, q.d, &d))
            return reduced(n, d, decimal);
    }
    return real(hol__exact_value(a) * hol__exact_value(b), decimal);
}

hol__exact hol__exact_inverse(hol__exact a) {
    if (!a.d) return real(1 / a.x, a.decimal);
    return reduced(a.n < 0 ? -a.d : a.d, a.n < 0 ? -a.n : a.n, a.decimal);
}

hol__exact hol__exact_power(hol__exact a, long long k) {
    hol__exact out = hol__exact_integer(1);
    if (k < 0) {
        a = hol__exact_inverse(a);
        k = -k;
    }
    for (; k; k >>= 1) {
        if (k & 1) out = hol__exact_mul(out, a);
        if (k > 1) a = hol__exact_mul(a, a);
    }
    return out;
}

int hol__exact_is(hol__exact a, long long n) {
    return a.d ? a.d == 1 && a.n == n : a.x == (double)n;
}

int hol__exact_is_integer(hol__exact a) {
    return a.d == 1;
}

int hol__exact_same(hol__exact a, hol__exact b) {
    return a.n == b.n && a.d == b.d && a.decimal == b.decimal && (a.d || a.x == b.x);
}

int hol__exact_root(hol__exact a, hol__exact *root) {
    if (!a.d || a.n < 0) return 0;
    const long long n = llround(sqrt((double)a.n)), d = llround(sqrt((double)a.d));
    if (n > 2000000000 || d > 2000000000 || n * n != a.n || d * d != a.d) return 0;
    *root = reduced(n, d, a.decimal);
    return 1;
}

/* Whether n/d has finitely many decimals, 15 digits at most. */
static int is_finite_decimal(hol__exact a) {
    long long d = a.d;
    while (d % 2 == 0) d /= 2;
    while (d % 5 == 0) d /= 5;
    return d == 1 && a.d <= 1000000000000000;
}

long long hol__exact_below(hol__exact a) {
    return a.d && !a.decimal ? a.d : 1;
}

const char *hol__exact_text(hol__exact a, char *buf, size_t size) {
    char number[HOL__NUMBER_SIZE];
    if (hol__exact_below(a) != 1 || a.d == 1) {
        hol__print(buf, size, "%lld", a.n < 0 ? -a.n : a.n);
        return buf;
    }
    const double x = fabs(hol__exact_value(a));
    hol__number_write(x, 0, number);
    if (!(a.d && is_finite_decimal(a))) {
        /* what rounding left in the last digits is not shown where 15 digits say the same */
        char fewer[HOL__NUMBER_SIZE];
        const char *end;
        hol__number_write(x, 15, fewer);
        if (fabs(hol__number_read(fewer, &end) - x) <= 4 * 2.3e-16 * x)
            hol__print(number, sizeof number, "%s", fewer);
    }
    hol__print(buf, size, "%s", number);
    return buf;
}
