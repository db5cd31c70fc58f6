/* searches.h: an optimization that is done in many places: searches from many starts, or the points
 * of a population, as the cases of a study; see searches.c. */
#ifndef HOL_STUDY_SEARCHES_H
#define HOL_STUDY_SEARCHES_H

#include "analysis/optimize.h"
#include "study/cases.h"

typedef struct hol__searches {
    hol__optimization q;        /* the caller's; threads have their own */
    hol_optimize_options asked; /* of these */
    hol_wide_options wide;
    hol_study study; /* whose cases they are */
    hol__cases cases;
    hol__arena arena;
    const double *points; /* where the cases are, n each, from `first` on */
    long long first;
    int generation;
    int follows;  /* another process of an MPI job answers */
    double begin; /* by the clock */
    /* the best so far: f, its largest violation, its parameters */
    int found;
    double best_value, violation, *best_p;
    double *from; /* a point whose gradients its own are compared with: where the search began */
    double *size; /* m: what a violation of 1 is */
} hol__searches;

/* Numbers of a case of a search: f, violation, residual, how it ended, evaluations with gradients,
 * parameters; of a point f, g. */
enum { HOL__SEARCH_NUMBERS = 5 };

/* Run the cases that there are, up to study.cases, by a runner. HOL_ERR_INTERRUPTED where the caller
 * ended it. */
hol_status hol__searches_run(hol__searches *s);

/* The largest violation of a constraint, as a share of its size; 0: all hold. */
double hol__searches_violation(const hol__searches *s, const double *values);

/* A point, with f and the largest violation: the best where it is better than all before; whether it
 * is. `number`: of evaluations up to it. */
int hol__searches_offer(hol__searches *s, const double *p, double value, double violation,
                        double number);

/* Point k of a spread between the bounds: 0 is that of the model. */
void hol__searches_spread(const hol__searches *s, long long k, double *p);

/* starts.c, evolution.c: find the best, with what concerns only them in the answer. */
hol_status hol__search_starts(hol__searches *s, hol_answer *answer, hol__minimum *best);
hol_status hol__search_evolution(hol__searches *s, hol_answer *answer, hol__minimum *best);

/* optima.c: the different ends of n searches: which optimum (from 0, by their values) each belongs
 * to, -1: none. ends: parameters, row after row; kept: whether it counts. Returns their number, -1
 * without memory. */
int hol__optima_sort(hol__arena *room, int searches, int n, const double *ends,
                     const double *values, const unsigned char *kept, const double *width,
                     double near, int *optimum);

#endif
