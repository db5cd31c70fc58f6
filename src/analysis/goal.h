/* goal.h: one number of a run, by its kind and the measured column that it is made of. */
#ifndef HOL_ANALYSIS_GOAL_H
#define HOL_ANALYSIS_GOAL_H

#include "model/model.h"

#include <holonom/sensitivity.h>

/* What a kind makes of a measure g(t). */
typedef enum hol__goal_rule {
    HOL__GOAL_END,      /* g where the run ends */
    HOL__GOAL_AT,       /* g at a time */
    HOL__GOAL_INTEGRAL, /* of g over the run */
    HOL__GOAL_MEAN,     /* the same over its length */
    HOL__GOAL_SQUARE,   /* the mean of g^2 */
    HOL__GOAL_HIGHEST,
    HOL__GOAL_LOWEST,
    /* times of a run, which have no derivatives here */
    HOL__GOAL_WHEN_HIGHEST,
    HOL__GOAL_WHEN_LOWEST,
    HOL__GOAL_WHEN_ABOVE, /* first above a level, or below it; NaN: never */
    HOL__GOAL_WHEN_BELOW
} hol__goal_rule;

typedef struct hol__goal {
    hol__goal_rule rule;
    int column;       /* of the measures */
    double time;      /* of HOL__GOAL_AT */
    double level;     /* of those that cross one */
    const char *text; /* "max tip.x" */
    const char *unit;
} hol__goal;

/* Whether it is gathered over the run. */
static inline int hol__goal_gathers(const hol__goal *goal) {
    return goal->rule >= HOL__GOAL_INTEGRAL && goal->rule <= HOL__GOAL_SQUARE;
}

/* Whether it is an extreme, or the time of one: 1 for the highest, -1 for the lowest, else 0. */
static inline int hol__goal_extreme(const hol__goal *goal) {
    return goal->rule == HOL__GOAL_HIGHEST || goal->rule == HOL__GOAL_WHEN_HIGHEST ? 1
           : goal->rule == HOL__GOAL_LOWEST || goal->rule == HOL__GOAL_WHEN_LOWEST ? -1
                                                                                   : 0;
}

/* Whether it is the time at which a level is crossed: 1 upwards, -1 downwards, else 0. */
static inline int hol__goal_crosses(const hol__goal *goal) {
    return goal->rule == HOL__GOAL_WHEN_ABOVE ? 1 : goal->rule == HOL__GOAL_WHEN_BELOW ? -1 : 0;
}

/* Whether it is a time. */
static inline int hol__goal_is_time(const hol__goal *goal) {
    return goal->rule >= HOL__GOAL_WHEN_HIGHEST;
}

/* Goals from a text, with commas between them, in the arena. Reports what it cannot read. */
hol_status hol__goals_read(hol_context *ctx, const char *text, hol__arena *arena, int *n,
                           hol_goal **goals);

/* A goal of the caller against the measures of a model. Reports kinds and measures that there are
 * not. */
hol_status hol__goal_resolve(hol_context *ctx, const hol_model *model, const hol_goal *goal,
                             hol__arena *arena, hol__goal *out);

#endif
