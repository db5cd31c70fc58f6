/* static_rest.h: whether an equilibrium is stable, from the reduced stiffness H at it.
 *
 * The eigenvalues of H, in N/m of the motion of all bodies together (static_system.h). Where forces
 * have a potential H is its second derivative: the equilibrium is stable where all are positive,
 * unstable where one is negative. Where H is not symmetric (forces that follow a body, laws that
 * read other bodies) a negative real eigenvalue still is a motion away. Where there is none, the
 * frequencies decide: those of H x = omega^2 Z^T M Z x, which grow or fade in pairs where they are
 * complex; damping has the last word there, and the verdict is left open.
 *
 * An eigenvalue is zero where it is rounding of its terms: the direction is neutral.
 */
#ifndef HOL_ANALYSIS_STATIC_REST_H
#define HOL_ANALYSIS_STATIC_REST_H

#include "analysis/static_search.h"

typedef enum hol__rest_verdict {
    HOL__REST_STABLE,
    HOL__REST_NEUTRAL,
    HOL__REST_UNSTABLE,
    HOL__REST_OPEN /* flutter, unless damping holds it */
} hol__rest_verdict;

typedef struct hol__rest {
    hol__arena arena;
    int n;
    int symmetric;          /* H is, up to rounding */
    int integrators;        /* states whose rate does not depend on them: held */
    int n_negative, n_zero; /* real eigenvalues */
    int flutters; /* H is not symmetric: frequencies are complex, or cannot be found … */
    int departs;  /* … or the square of one is negative: a motion away */
    hol__rest_verdict verdict;
    double *value, *imaginary; /* n, rising real parts */
    double *motion;            /* n x n: the direction of each */
} hol__rest;

/* At the state of s, with its stiffness. */
hol_status hol__rest_new(hol__static *s, hol__rest **out);
void hol__rest_free(hol__rest *stability);

/* "stable", "neutral", "unstable", "undecided". */
const char *hol__rest_word(hol__rest_verdict verdict);

#endif
