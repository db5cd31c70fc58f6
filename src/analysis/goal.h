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
    HOL__GOAL_LOWEST
} hol__goal_rule;

typedef struct hol__goal {
    hol__goal_rule rule;
    int column;       /* of the measures */
    double time;      /* of HOL__GOAL_AT */
    const char *text; /* "max tip.x" */
    const char *unit;
} hol__goal;

/* Whether it is gathered over the run; whether it is an extreme. */
static inline int hol__goal_gathers(const hol__goal *goal) {
    return goal->rule >= HOL__GOAL_INTEGRAL && goal->rule <= HOL__GOAL_SQUARE;
}

static inline int hol__goal_is_extreme(const hol__goal *goal) {
    return goal->rule == HOL__GOAL_HIGHEST || goal->rule == HOL__GOAL_LOWEST;
}

/* Goals from a text, with commas between them, in the arena. Reports what it cannot read. */
hol_status hol__goals_read(hol_context *ctx, const char *text, hol__arena *arena, int *n,
                           hol_goal **goals);

/* A goal of the caller against the measures of a model. Reports kinds and measures that there are
 * not. */
hol_status hol__goal_resolve(hol_context *ctx, const hol_model *model, const hol_goal *goal,
                             hol__arena *arena, hol__goal *out);

#endif
