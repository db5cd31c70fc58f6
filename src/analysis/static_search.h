/* static_search.h: what the two searches for an equilibrium share. */
#ifndef HOL_ANALYSIS_STATIC_SEARCH_H
#define HOL_ANALYSIS_STATIC_SEARCH_H

#include "analysis/equilibrium.h"

/* A direction has no stiffness where less than this share of its terms is left, and a force none
 * below this share of the largest force: rounding of positions, multipliers and tangents. */
#define HOL__STATIC_NEUTRAL 1e-11

/* Large mechanisms: towards an equilibrium with sparse matrices; others stay where they are
 * (static_approach.c). */
hol_status hol__static_approach(hol__static *s, hol__equilibrium *e);

/* Downhill from the state of s, evaluated at the end; > 0 where it did not come to rest. */
hol_status hol__static_descend(hol__static *s, hol__equilibrium *e);

/* Newton's method from there; the residuals are those at its end. */
hol_status hol__static_newton(hol__static *s, hol__equilibrium *e);

/* |f| over the largest force, and of the states that elements added the one that is farthest from
 * rest: over what its rate is made of. */
double hol__static_unbalance(const hol__static *s);
double hol__static_unrest(const hol__static *s, int *state);

/* The states that follow a step, dz = -Rz^+ (r + Rq x): without r where rates is 0; x may be
 * NULL. */
typedef struct hol__static_states {
    int n;
    hol__svd *svd; /* of Rz */
    double *dz, *right;
} hol__static_states;

int hol__static_states_new(hol__static *s, hol__arena *arena, hol__static_states *out);
void hol__static_states_take(hol__static *s, hol__static_states *states);
void hol__static_states_follow(const hol__static *s, hol__static_states *states, int rates,
                               const double *x);

/* out (n x n) = H + Qz Rz^+ Rq: the stiffness with states that follow. unit: n numbers of room. */
void hol__static_condense(hol__static *s, hol__static_states *states, double *unit, double *out);

#endif
