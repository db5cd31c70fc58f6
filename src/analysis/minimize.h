/* minimize.h: the least value of a function of a few parameters, between bounds and under
 * constraints.
 *
 *     min f(p)    low <= p <= high    g_i(p) <= 0 or = 0
 *
 * The algorithms are those of NLopt (an optional part), by rows of a table. They see shares: each
 * parameter over its range (over its start where a side is open), f over its size at the start,
 * each g over its own. A point at which the functions have no values (a mechanism that cannot be
 * assembled) is given a value above all that were seen, which rises away from the best point, so
 * that every algorithm steps back from it.
 *
 * Of two points that is the better one which has the lower f + 1000 times the largest violation of
 * a constraint, in shares: an exact penalty. At the best one the first-order conditions
 *
 *     grad f + sum_i mu_i grad g_i + sum_j (nu_j - eta_j) e_j = 0    mu (of <=), nu, eta >= 0
 *
 * are checked: mu of the constraints that are active, nu and eta of the bounds, are those that
 * leave the smallest residual.
 */
#ifndef HOL_ANALYSIS_MINIMIZE_H
#define HOL_ANALYSIS_MINIMIZE_H

#include "base/arena.h"

/* What an algorithm can do. */
enum {
    HOL__BY_GRADIENT = 1,  /* asks for derivatives */
    HOL__BELOW_LIMITS = 2, /* takes g <= 0 */
    HOL__ON_LIMITS = 4,    /* takes g = 0 */
    HOL__SEARCHES_ALL = 8, /* looks at the whole box, which must be closed */
    HOL__EVOLVES = 16 /* is no part of NLopt: a population, evaluated by the engine of studies */
};

typedef struct hol__algorithm {
    const char *name;
    const char *called; /* by NLopt */
    unsigned able;
    int evaluations; /* at most, a parameter and one more, unless the caller says how many */
    const char *title;
} hol__algorithm;

/* Row i of the table, NULL past the end; the row of that name, NULL: none. */
const hol__algorithm *hol__algorithm_get(int i);
const hol__algorithm *hol__algorithm_find(const char *name);

/* A point that was looked at. */
typedef struct hol__attempt {
    long number;      /* of evaluations so far */
    int better;       /* than all before */
    int failed;       /* there are no values */
    double value;     /* f */
    double violation; /* the largest, as a share; 0: none */
    double gradient;  /* the largest |df/dp_j| times the range of p_j, that of bounds at which p_j
                       * stays left out; NaN: not known */
    const double *p;
} hol__attempt;

/* The problem. */
typedef struct hol__objective {
    hol_context *ctx;
    int n, m; /* parameters, constraints */
    const double *start, *low, *high;
    const unsigned char *equal; /* m: g = 0, not g <= 0 */
    const double *size;         /* m: what a g of a share of 1 is at least; 0: nothing is known */
    double tolerance;           /* of the parameters, as a share */
    int evaluations;            /* at most; 0: that of the algorithm */
    unsigned long seed;
    /* values: f, g (1 + m); gradient: (1 + m) x n by rows, NULL: not wanted. > 0: there are none
     * here; < 0: the end. */
    hol_status (*evaluate)(void *self, const double *p, double *values, double *gradient);
    /* Called after each evaluation; anything but HOL_OK ends the search, with the best so far. May
     * be NULL. */
    hol_status (*tell)(void *self, const hol__attempt *trial);
    void *self;
} hol__objective;

/* How a search ended. */
typedef enum hol__ended {
    HOL__ENDED_VALUE,       /* the value changes no more */
    HOL__ENDED_PARAMETERS,  /* the parameters change no more */
    HOL__ENDED_EVALUATIONS, /* as many as were allowed */
    HOL__ENDED_ROUNDING,    /* rounding and errors of the runs stand in the way of progress */
    HOL__ENDED_FAILED,      /* the algorithm found no way on */
    HOL__ENDED_INTERRUPTED  /* by `tell` */
} hol__ended;

const char *hol__ended_text(hol__ended ended);

/* The best point, in the arena of the call. */
typedef struct hol__minimum {
    double *p, *values; /* n; 1 + m */
    double *gradient;   /* (1 + m) x n; NULL where there is none */
    double violation;   /* the largest, as a share */
    hol__ended ended;
    long evaluations, gradients, failed;
    /* the first-order conditions: the largest entry of what is left of the gradient times the
     * ranges, over the largest entry of any gradient that was seen; NaN without gradients */
    double residual;
    double *on_limit;         /* m: mu, df per unit of the limit; 0 where it is not active */
    double *on_low, *on_high; /* n: nu of the bounds, df per unit of p; 0 where p is not there */
    unsigned char *is_active; /* m */
} hol__minimum;

/* Search with an algorithm, from the start. HOL_ERR_FEATURE without NLopt; HOL_ERR_TOLERANCE where
 * not one point had values. */
hol_status hol__minimize(const hol__objective *problem, const hol__algorithm *algorithm,
                         hol__arena *arena, hol__minimum *minimum);

/* No search: the values, gradients and first-order conditions at p, beside those at the start. */
hol_status hol__minimize_judge(const hol__objective *problem, const double *p, hol__arena *arena,
                               hol__minimum *minimum);

/* ---- between minimize.c and minimize_with_nlopt.c ---- */

/* The search seen by an algorithm: u = shares of the parameters. */
typedef struct hol__shares {
    const hol__objective *problem;
    const hol__algorithm *algorithm;
    double *low, *high;      /* n: of u, infinite where open */
    double *u;               /* n: in: the start; out: where the algorithm ended */
    double *F, *G, *dF, *dG; /* 1, m; n, m x n by rows: of the last call of hol__shares_at */
    hol__ended ended;
    hol_status status; /* not HOL_OK: the search is over */
    int evaluations;
    struct hol__shares_work *work;
} hol__shares;

/* F, G, and dF, dG where `gradient`, at u; 0 where the search is over. */
int hol__shares_at(hol__shares *shares, const double *u, int gradient);

/* Let NLopt search. */
hol_status hol__shares_search(hol__shares *shares);

/* ---- the first-order conditions (first_order.c) ---- */

/* Multipliers and residual of a minimum with gradients; width (n): what a share of 1 is of each
 * parameter; active: the share below which a limit or a bound counts as met; largest: the largest
 * entry of a gradient, in shares. */
hol_status hol__first_order(const hol__objective *problem, const double *width, const double *size,
                            double active, double largest, hol__arena *arena,
                            hol__minimum *minimum);

#endif
