/* gain_rule.h: how alpha and beta of Baumgarte's terms are chosen.
 *
 * A violation x = (Phi, Phi') obeys x' = G x, G = [0 1; -beta^2 -2 alpha]. A formula with steps h
 * makes of it x_(k+1) = R(h G) x_k, R its stability function, where the terms are evaluated at
 * every stage; where they are evaluated at the start of a step and held through it (a zero-order
 * hold), Phi'' = u is constant in the step, and every formula of order 2 or more gives
 *
 *     x_(k+1) = [1 - beta^2 h^2/2, h - alpha h^2; -beta^2 h, 1 - 2 alpha h] x_k
 *
 * Either map depends on alpha h and beta h alone. Nonholonomic rows have psi' = -alpha psi, the map
 * R(-alpha h) or 1 - alpha h. docs/theory/gains.md has the derivations.
 */
#ifndef HOL_FORM_GAIN_RULE_H
#define HOL_FORM_GAIN_RULE_H

#include "base/option.h"

typedef enum hol__gain_rule {
    HOL__GAINS_FIXED,
    HOL__GAINS_STEP,
    HOL__GAINS_TAYLOR,
    HOL__GAINS_POLES,
    HOL__GAINS_ADAPTIVE,
    HOL__GAINS_OPTIMAL
} hol__gain_rule;

typedef struct hol__gain_rule_type {
    hol__gain_rule id;
    const char *name, *title;
    int held; /* the terms are held through a step; else they may be */
} hol__gain_rule_type;

/* The i-th rule, NULL past the end. */
const hol__gain_rule_type *hol__gain_rule_get(int i);

/* Gains times the step: alpha h and beta h of holonomic rows, alpha h of the others. */
typedef struct hol__step_gains {
    double alpha, beta, rate;
} hol__step_gains;

/* R(z) of the formula, real and imaginary parts. */
typedef hol_status hol__response_fn(void *self, const double z[2], double R[2]);

/* Both poles of R(h G) at `pole` by the smallest gains that do so; 0 where none do. A nonholonomic
 * row has the pole that comes nearest. */
int hol__place_poles(hol__response_fn *R, void *self, double pole, hol__step_gains *out);

/* The same for terms that are held. */
hol__step_gains hol__place_held_poles(double pole);

/* Terms that are held, with the smallest sum of Phi^2 + (h Phi')^2 over all steps to come. */
hol__step_gains hol__optimal_gains(void);

#endif
