/* student.c: quantiles of Student's distribution.
 *
 *     P(|T| <= t) = 1 - I_x(nu/2, 1/2)    x = nu / (nu + t^2)
 *
 * with the regularised incomplete beta function I by its continued fraction [M. Abramowitz and
 * I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.5.8], which converges fast for
 * x < (a + 1) / (a + b + 2), and by I_x(a, b) = 1 - I_{1-x}(b, a) beyond.
 */
#include "math/student.h"

#include <float.h>
#include <math.h>

/* The continued fraction of I_x(a, b), by Lentz's products. */
static double fraction(double a, double b, double x) {
    const double least = DBL_MIN / DBL_EPSILON;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < least ? least : d);
    double f = d;
    for (int k = 1; k < 10000; k++) {
        const double e[2] = {k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
                             -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))};
        double change = 1;
        for (int i = 0; i < 2; i++) {
            d = 1 + e[i] * d;
            d = 1 / (fabs(d) < least ? least : d);
            c = 1 + e[i] / c;
            if (fabs(c) < least) c = least;
            f *= c * d;
            change = c * d;
        }
        if (fabs(change - 1) < DBL_EPSILON) break;
    }
    return f;
}

/* I_x(a, b) with both x and y = 1 - x known to full digits. */
static double beta(double a, double b, double x, double y) {
    if (x <= 0) return 0;
    if (y <= 0) return 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(y));
    return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a
                                     : 1 - front * fraction(b, a, y) / b;
}

/* P(|T| > t). */
static double beyond(double freedom, double t) {
    const double sum = freedom + t * t;
    return beta(freedom / 2, 0.5, freedom / sum, t * t / sum);
}

double hol__student_quantile(double freedom, double share) {
    double low = 0, high = 1;
    while (beyond(freedom, high) > 1 - share && high < 1e150) high *= 2;
    for (int k = 0; k < 200 && high - low > 4 * DBL_EPSILON * high; k++) {
        const double t = (low + high) / 2;
        if (beyond(freedom, t) > 1 - share)
            low = t;
        else
            high = t;
    }
    return (low + high) / 2;
}
