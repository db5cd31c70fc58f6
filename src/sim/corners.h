/* corners.h: numbers that decide what the laws of the model do, watched along the steps. */
#ifndef HOL_SIM_CORNERS_H
#define HOL_SIM_CORNERS_H

#include "base/expr.h"

enum { HOL__CORNER_SAMPLES = 5 };

typedef struct hol__corners {
    int n, n_model;     /* those of the model come first, then those of the conditions */
    double *cell;       /* at the start of the step */
    double *now;        /* the numbers at the state that was read last */
    double *band;       /* closer to its boundary than this a number has not crossed it */
    double *low, *high; /* at the ends of the bracket */
    double *samples[HOL__CORNER_SAMPLES]; /* at the quarters of the step */
    long *last;                           /* by corner: `steps` when it was crossed last … */
    int *again;           /* … and how often in succession with no such step between */
    unsigned char *loose; /* it goes back and forth: steps do not end at it */
    unsigned char *said;  /* that, as 2, and that it is too short for a fixed step, as 1 */
    long steps;           /* steps that did not end at a corner */
    double since;         /* when the run last began anew */
    double end;           /* of the part of the step that is looked at */
    int leapt;            /* that step was too short for the history of formulas */
    int met;              /* the step at hand ends at one, or leads over it */
    long count;           /* how many were crossed */
} hol__corners;

#endif
