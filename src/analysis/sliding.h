/* sliding.h: whether the motion can leave a boundary of a law.
 *
 * A law jumps where a number g(x, t) crosses a boundary. With f- and f+ on either side of it
 *
 *     g-' = g_x f- + g_t      g+' = g_x f+ + g_t
 *
 * the motion arrives with g-'. Where g+' has the same sign it goes on; where it has the opposite
 * one, what the law does beyond drives it back, and the equations have no motion that goes on on
 * either side: dry friction that sticks, written as if(v > 0, -F, F). What a run does then follows
 * its steps and not the equations, and says nothing about derivatives.
 */
#ifndef HOL_ANALYSIS_SLIDING_H
#define HOL_ANALYSIS_SLIDING_H

#include "analysis/gather.h"

/* A run that gathers, and ends with an error, said to ctx, where the motion cannot leave a
 * boundary that it comes to. */
typedef struct hol__sliding {
    hol__gather *gather;
    hol_context *ctx;
} hol__sliding;

/* Its self is a hol__sliding. Steps chosen by error end at each boundary. Fixed ones may not: their
 * stages see the other side first, so the straight way on from the start of each step is looked at,
 * as far as the step goes. */
extern const hol__passage_watcher hol__sliding_watcher;

#endif
