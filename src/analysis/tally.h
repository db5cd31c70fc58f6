/* tally.h: derivatives of goals, gathered along a run from those of measures.
 *
 *     end, at, extremes    dg where the value was taken (at an extreme inside a step g' = 0, so
 * that
 *                          its time does not matter to first order)
 *     integral             sum_k h b_k dg_k, and (g- - g+) tau at changes, g tau at the end
 *     mean                 (that - mean tau) / T          mean-square: the same of g^2
 *
 * for a number of columns of perturbations.
 */
#ifndef HOL_ANALYSIS_TALLY_H
#define HOL_ANALYSIS_TALLY_H

#include "analysis/gather.h"

/* The times, in rising order, at which goals take values inside the run, between two times; how
 * many. */
int hol__tally_times(const hol__gather *found, double after, double until, double *out);

/* Whether goal i takes its value at that place. start, end: of the run. */
int hol__tally_takes(const hol__gather *found, int i, hol__spot place, int is_end);

/* What weighs dg in the sum of goal i at a value g: 1, or 2 g. */
double hol__tally_weight(const hol__goal *goal, double g);

/* What the integral of goal i gains for each second by which its limits move: the upper one before
 * a change and the lower one behind it, where all measures have these values; lower NULL: the end
 * of the run, with what a mean loses by that. And what the sum of it all is divided by. */
double hol__tally_limits(const hol__gather *found, int i, const double *upper, const double *lower);
double hol__tally_divisor(const hol__gather *found, int i);

#endif
