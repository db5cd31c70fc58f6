/* coupler.h: constraints over scalar coordinates: on positions (coupler) and on velocities
 * (rate). */
#ifndef HOL_ELEMENT_COUPLER_H
#define HOL_ELEMENT_COUPLER_H

#include "element/coordinate.h"

enum { HOL__TERMS = 8 };

/* sum_i factor_i x_i = f(t), or F(t, x_1, …) = 0 where F is not NULL. */
typedef struct hol__coupler {
    hol__con con;
    int n;
    hol__coordinate x[HOL__COUPLED];
    double factor[HOL__COUPLED];
    hol__law f;
    const hol__expr *F;
    const char *label;
    const char *names[HOL__COUPLED + 1]; /* of the coordinates in F, NULL behind the last */
} hol__coupler;

/* sum_i factor_i(t, x) u_i = f(t, x), u_i the rate of term i; with state >= 0 the right-hand side
 * is that state, whose rate is f(t). */
typedef struct hol__rate {
    hol__con con;
    int n;
    hol__coordinate term[HOL__TERMS];
    hol__law factor[HOL__TERMS];
    int n_x;
    hol__coordinate x[HOL__COUPLED];
    hol__law f;
    int state;
    const char *label;
    const char *names[HOL__COUPLED + 1]; /* of x in the laws, NULL behind the last */
} hol__rate;

extern const hol__con_type hol__con_coupler, hol__con_rate;

/* Their rows as formulas (formula_coordinate.c). */
int hol__coupler_formula(const void *record, struct hol__symbolic *to);
int hol__rate_formula(const void *record, struct hol__symbolic *to);

/* Add the record for an element; coordinates are given their slots. 0 without memory or after an
 * error. */
int hol__add_coupler(hol__build *build, hol__element *element, const hol__coupler *coupler);
int hol__add_rate(hol__build *build, hol__element *element, const hol__rate *rate);

/* Add a coupler with constant factors: factor1 x1 + factor2 x2 = value. */
int hol__add_pair(hol__build *build, hol__element *element, const hol__coordinate *x1,
                  double factor1, const hol__coordinate *x2, double factor2, double value,
                  const char *label);

#endif
