/* least_squares.h: parameters that make residuals small, between bounds.
 *
 *     min |r(p)|^2    low <= p <= high    r (m), J = dr/dp (m x n)
 *
 * by the method of Levenberg and Marquardt as MINPACK has it (lmder [J. J. Moré 1978], an optional
 * part), over angles x that turn within the bounds:
 *
 *     both:  p = low + (high - low) (1 - cos x) / 2,  0 <= x <= pi at the start
 *     one:   p = low + w (sqrt(1 + (x - pi)^2) - 1),  and downwards from high alike
 *     none:  p = start + w (x - pi)
 *
 * w: the distance of the start from the bound, or its size, or 1. On a bound dp/dx is 0, and a
 * search that starts there would stay: such a start is moved by 1 % of the range, and that is told.
 * At a point without residuals (a mechanism that cannot be assembled) it gets ten times those of
 * the best, so that it steps back.
 */
#ifndef HOL_ANALYSIS_LEAST_SQUARES_H
#define HOL_ANALYSIS_LEAST_SQUARES_H

#include "analysis/minimize.h"

/* The problem. */
typedef struct hol__residuals {
    hol_context *ctx;
    int n, m;
    const char *const *names; /* of the parameters, for messages */
    const double *start, *low, *high;
    double tolerance; /* of the parameters, as a share */
    int evaluations;  /* at most; 0: 100 a parameter and one more */
    /* r (m); J (m x n, column-major), NULL: not wanted. > 0: there are none here; < 0: the end. */
    hol_status (*evaluate)(void *self, const double *p, double *r, double *J);
    /* Called after each evaluation, value: |r|^2; not HOL_OK ends the search. May be NULL. */
    hol_status (*tell)(void *self, const hol__attempt *trial);
    void *self;
} hol__residuals;

/* The best point, in the arena of the call. */
typedef struct hol__fit {
    double *p, *r, *J;        /* n, m, m x n */
    unsigned char *at_bound;  /* n: 1 at the lower, 2 at the upper */
    double squares, at_start; /* |r|^2 */
    hol__ended ended;
    long evaluations, gradients, failed;
} hol__fit;

/* HOL_ERR_FEATURE without cminpack; HOL_ERR_TOLERANCE where the start has no residuals. */
hol_status hol__least_squares(const hol__residuals *problem, hol__arena *arena, hol__fit *fit);

/* ---- between least_squares.c and least_squares_with_cminpack.c ---- */

typedef struct hol__turning {
    const hol__residuals *problem;
    hol__arena *arena;
    double *x; /* n: in: the start */
    hol__ended ended;
    hol_status status; /* not HOL_OK: the search is over */
    struct hol__turning_work *work;
} hol__turning;

/* r at x, or (J not NULL) J = dr/dx; 0 where the search is over. */
int hol__turning_at(hol__turning *turning, const double *x, double *r, double *J);

/* Let MINPACK search. */
hol_status hol__turning_search(hol__turning *turning);

#endif
