/* optimize.h: an optimization as it was understood, between its files. */
#ifndef HOL_ANALYSIS_OPTIMIZE_H
#define HOL_ANALYSIS_OPTIMIZE_H

#include "analysis/goals.h"
#include "analysis/minimize.h"
#include "analysis/vary.h"

/* A goal of the objective or under a limit. */
typedef struct hol__aim {
    hol_goal goal;
    double weight; /* of the objective; 0: under a limit */
    int sign;      /* of the limit: 1 <=, -1 >=, 0 = */
    double limit;
    const char *limit_text; /* until the unit of the goal is known */
    const char *text;       /* as it was written */
    int has_factor;         /* the objective's weight was */
    double at_start, at_end;
} hol__aim;

enum { HOL__MOST_ALGORITHMS = 8 };

/* A constraint that is violated by less of its size holds. */
#define HOL__FEASIBLE 1e-6

/* What is asked, checked. */
typedef struct hol__optimization {
    hol_context *ctx;
    const hol_spec *spec;
    hol_optimize_options o;
    hol__arena arena;
    hol__vary vary;
    int n_aims, n_limits;
    hol__aim *aims; /* those of the objective first */
    const hol__algorithm *algorithms[HOL__MOST_ALGORITHMS];
    int n_algorithms, by;
    const char *unit; /* of the objective, "" where goals of several units are added … */
    int mixed;        /* … which this says */
    hol__goals *goals;
    double *values, *gradient; /* of the goals */
    long before;               /* evaluations of the algorithms before */
    long failed;
    int restored;       /* a search ended with a violated constraint and went on elsewhere */
    const char *reason; /* of the first failure, with its place */
    int seen;           /* the start was */
    hol__sheet *progress;
    double first; /* the objective at the start */
} hol__optimization;

/* Read what the caller wrote (optimize_read.c): vary, aims, algorithms; then, with the goals made,
 * limits and units. */
hol_status hol__optimization_read(hol__optimization *q);
hol_status hol__optimization_limits(hol__optimization *q);

/* Check what is asked and make ready for it; to be closed in any case. `call` is for messages. */
hol_status hol__optimization_open(hol__optimization *q, hol_context *ctx, const char *call,
                                  const hol_spec *spec, const hol_optimize_options *options);
void hol__optimization_close(hol__optimization *q);

/* The objective and the constraints, g = sign (goal - limit), with their gradients by rows unless
 * that is NULL: hol__objective.evaluate, self is the optimization. */
hol_status hol__optimization_values(void *self, const double *p, double *values, double *gradient);

/* Of the parameters at the end, as a share of their ranges. */
double hol__optimization_tolerance(const hol__optimization *q);

/* The algorithms from the first-th on, one after the other, each from where the one before ended.
 */
hol_status hol__optimization_search(hol__optimization *q, const double *start, int first,
                                    hol__minimum *best);

/* No search: whether p is an optimum, its gradients compared with those at another point. */
hol_status hol__optimization_judge(hol__optimization *q, const double *from, const double *p,
                                   hol__minimum *best);

/* The answer without what was found, and what was found. */
hol_answer *hol__optimization_new_answer(hol_context *ctx, const hol_spec *spec);
hol_status hol__optimization_finish(hol__optimization *q, const hol__minimum *best,
                                    hol_answer *answer);

/* best->p becomes the point near best at which constraints are violated least, and whether they
 * hold there (optimize_restore.c). */
hol_status hol__optimization_restore(hol__optimization *q, const hol__objective *problem,
                                     hol__minimum *best, int *holds);

/* The facts and tables of what was found (optimize_answer.c). */
void hol__optimization_progress(hol__optimization *q, hol_answer *answer);
hol_status hol__optimization_answer(hol__optimization *q, const hol__minimum *best,
                                    hol_answer *answer);

#endif
