/* factor.c: values of factors from numbers between 0 and 1. See factor.h.
 *
 * A value with the distribution function F is F^-1(u), u uniform:
 *
 *     levels        the floor(n u)-th
 *     uniform       a + (b - a) u
 *     logarithmic   a (b/a)^u
 *     normal        m + s N^-1(u);          between a and b  m + s N^-1(A + (B - A) u),
 *                                           A = N((a - m)/s), B = N((b - m)/s)
 *     lognormal     exp of that
 *     triangular    a + sqrt(u (b - a)(c - a)) up to the mode c, b - sqrt((1-u)(b-a)(b-c)) beyond
 */
#include "study/factor.h"

#include <math.h>

double hol__normal_share(double x) {
    return 0.5 * erfc(-x / sqrt(2));
}

/* The start for hol__normal_value: a rational approximation, good to 5e-4 [Abramowitz, Stegun
 * 26.2.23], of the lower half. */
static double normal_start(double u) {
    const double t = sqrt(-2 * log(u));
    return -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
}

/* Newton's method of third order (Halley) on log N(x) = log u: from 5e-4 two steps reach rounding,
 * and the third is for the tails, where the start is relative to t. */
double hol__normal_value(double u) {
    enum { STEPS = 3 };
    if (u > 0.5) return -hol__normal_value(1 - u);
    if (!(u > 0)) return -INFINITY;
    double x = normal_start(u);
    for (int i = 0; i < STEPS; i++) {
        const double below = hol__normal_share(x),
                     density = exp(-0.5 * x * x) / sqrt(2 * 3.14159265358979323846);
        const double step = (below - u) / density;
        x -= step / (1 + 0.5 * x * step);
    }
    return x;
}

/* N^-1(u) within the ends of the factor, which lie symmetrically turned for precision: where both
 * are above the mean, shares are counted from above. */
static double normal_within(const hol__factor *f, double low, double high, double u) {
    const double a = (low - f->centre) / f->width, b = (high - f->centre) / f->width;
    if (a > 0) {
        const double A = hol__normal_share(-a), B = hol__normal_share(-b);
        return f->centre - f->width * hol__normal_value(A + (B - A) * u);
    }
    const double A = hol__normal_share(a), B = hol__normal_share(b);
    return f->centre + f->width * hol__normal_value(A + (B - A) * u);
}

static double triangular(const hol__factor *f, double u) {
    const double a = f->low, b = f->high, c = f->centre;
    return u * (b - a) < c - a ? a + sqrt(u * (b - a) * (c - a))
                               : b - sqrt((1 - u) * (b - a) * (b - c));
}

/* x within the ends: rounding of the formulas may lead beyond. */
static double within(const hol__factor *f, double x) {
    return fmin(fmax(x, f->low), f->high);
}

double hol__factor_value(const hol__factor *f, double u) {
    switch (f->spread) {
    case HOL__SPREAD_LEVELS: {
        const int i = (int)(u * f->n_levels);
        return f->levels[i < f->n_levels ? i : f->n_levels - 1];
    }
    case HOL__SPREAD_UNIFORM: return within(f, f->low + (f->high - f->low) * u);
    case HOL__SPREAD_LOGARITHMIC: return within(f, f->low * pow(f->high / f->low, u));
    case HOL__SPREAD_NORMAL: return within(f, normal_within(f, f->low, f->high, u));
    case HOL__SPREAD_LOGNORMAL:
        return within(f, exp(normal_within(f, log(f->low), log(f->high), u)));
    case HOL__SPREAD_TRIANGULAR: return within(f, triangular(f, u));
    case HOL__SPREAD_TABLE: break; /* the design knows the values */
    }
    return NAN;
}
