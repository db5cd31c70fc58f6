/* elliptic.h: Jacobi's elliptic functions by the arithmetic-geometric mean, and the swing of a
 * pendulum, which they give in closed form. Numbers of 64 digits of base two, so that the phase of
 * long swings is right. */
#ifndef ELLIPTIC_H
#define ELLIPTIC_H

#include "independent.h"

/* sn(u), cn(u), dn(u) of modulus k (Abramowitz and Stegun, 16.4). */
static inline void jacobi(long double u, long double k, long double *sn, long double *cn,
                          long double *dn) {
    enum { DEPTH = 12 };
    long double a[DEPTH + 1] = {1}, c[DEPTH + 1] = {k}, b = sqrtl(1 - k * k);
    for (int i = 0; i < DEPTH; i++) {
        a[i + 1] = (a[i] + b) / 2;
        c[i + 1] = (a[i] - b) / 2;
        b = sqrtl(a[i] * b);
    }
    long double phi = ldexpl(a[DEPTH] * u, DEPTH);
    for (int i = DEPTH; i > 0; i--) phi = (phi + asinl(c[i] / a[i] * sinl(phi))) / 2;
    *sn = sinl(phi);
    *cn = cosl(phi);
    *dn = sqrtl(1 - k * k * *sn * *sn);
}

/* phi'' = -w^2 sin(phi) from rest at phi0: sin(phi/2) = k cd, phi' = -2 k w sqrt(1 - k^2) sd
 * with k = sin(phi0/2), cd = cn/dn, nd = 1/dn, sd = sn/dn. */
static inline void swing(double w, double phi0, double t, double *phi, double *rate) {
    const long double k = sinl(phi0 / 2.0L);
    long double sn, cn, dn;
    jacobi((long double)w * t, k, &sn, &cn, &dn);
    *phi = (double)(2 * asinl(k * cn / dn));
    *rate = (double)(-2 * k * w * sqrtl(1 - k * k) * sn / dn);
}

#endif
