/* tally.c: derivatives of goals from those of measures. See tally.h. */
#include "analysis/tally.h"

#include <math.h>
#include <stdlib.h>

/* The time inside the run at which a goal takes its value; NaN: none. */
static double time_of(const hol__gather *found, int i) {
    const hol__goal *goal = &found->goals[i];
    if (found->place[i].change >= 0) return NAN;
    if (goal->rule == HOL__GOAL_AT) return goal->time;
    return hol__goal_extreme(goal) ? found->place[i].t : NAN;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int hol__tally_times(const hol__gather *found, double after, double until, double *out) {
    int n = 0, kept = 0;
    for (int i = 0; i < found->n; i++) {
        const double t = time_of(found, i);
        if (t > after && t <= until) out[n++] = t;
    }
    qsort(out, (size_t)n, sizeof *out, compare);
    for (int i = 0; i < n; i++)
        if (!kept || out[i] > out[kept - 1]) out[kept++] = out[i];
    return kept;
}

int hol__tally_takes(const hol__gather *found, int i, hol__spot place, int is_end) {
    const hol__goal *goal = &found->goals[i];
    if (goal->rule == HOL__GOAL_END) return is_end;
    if (place.change < 0) return time_of(found, i) == place.t;
    return (hol__goal_extreme(goal) || goal->rule == HOL__GOAL_AT) &&
           found->place[i].change == place.change && found->place[i].behind == place.behind;
}

double hol__tally_weight(const hol__goal *goal, double g) {
    return goal->rule == HOL__GOAL_SQUARE ? 2 * g : 1;
}

double hol__tally_limits(const hol__gather *found, int i, const double *upper,
                         const double *lower) {
    const hol__goal *goal = &found->goals[i];
    const int square = goal->rule == HOL__GOAL_SQUARE;
    const double g = upper[goal->column], other = lower ? lower[goal->column] : 0;
    const double mean = !lower && goal->rule != HOL__GOAL_INTEGRAL ? found->value[i] : 0;
    return (square ? g * g : g) - (square ? other * other : other) - mean;
}

double hol__tally_divisor(const hol__gather *found, int i) {
    const int mean =
        hol__goal_gathers(&found->goals[i]) && found->goals[i].rule != HOL__GOAL_INTEGRAL;
    return mean ? found->end - found->start : 1;
}
