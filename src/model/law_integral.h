/* law_integral.h: integrals of laws of time. */
#ifndef HOL_MODEL_LAW_INTEGRAL_H
#define HOL_MODEL_LAW_INTEGRAL_H

#include "model/element.h"

/* The integrals of f, or of its rate, and of (t1 - s) times it over [t0, t1], NaN where they are
 * not to be had; scale: a size of the coordinate. */
void hol__law_integrate(const hol__law *f, int rate, double *scratch, double t0, double t1,
                        double scale, double sum[2]);

/* Whether a law, or its rate, cannot be integrated from t0 to t1: it has no value, or grows without
 * bound, at or right before *when. */
int hol__law_breaks(const hol__law *f, int rate, double *scratch, double t0, double t1,
                    double *when);

#endif
