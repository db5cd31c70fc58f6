/* pass.h: places in time that no stage of an error-controlled step should meet, such as singular
 * positions: what a system knows of them, and what the integrator keeps. */
#ifndef HOL_INTEG_PASS_H
#define HOL_INTEG_PASS_H

#include "integ/stepper.h"

/* What a system knows of such places; each may be NULL. */
struct hol__passage {
    /* Whether the trouble with the step under way is a place to get over, where ever shorter steps
     * only lead into it. Then a step as long as the longest of late is tried, with an eased
     * tolerance. */
    int (*passes)(void *self);
    /* When such a place is expected, as far as known at the start of the step, and how near to it in
     * time no step should end. INFINITY: none ahead. */
    double (*obstacle)(void *self, double *width);
};

/* What the integrator keeps. */
typedef struct hol__pass {
    double gap[HOL__MAX_STAGES]; /* middles of the gaps between stages that are fit to pass a place
                                    in, rising */
    int gaps;
    int narrow;    /* the width of a place to pass no longer counts in this step */
    double h_long; /* the longest step of late */
    double ease;   /* what the tolerance is multiplied with in this attempt */
    double wanted; /* at the start of the step under way */
    int since, lengthened, rounds;
} hol__pass;

#endif
