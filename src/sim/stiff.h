/* stiff.h: runs whose integrator is `auto` notice stiffness and go on with an implicit formula. */
#ifndef HOL_SIM_STIFF_H
#define HOL_SIM_STIFF_H

#include "base/archive.h"
#include "base/context.h"

#include <holonom/sim.h>

typedef struct hol__stiff {
    int watches; /* the integrator is auto and chooses its steps */
    int done;    /* it does not change any more */
    int on;      /* it is the implicit one */
    int count;   /* steps at the limit of stability in a row … */
    int calm;    /* … and below it since */
    double t;    /* where the count began, or the implicit formula */
    long steps, evaluations;
    double pace; /* of the explicit formula at the limit: time for an evaluation */
} hol__stiff;

/* After an accepted step, at its end: change the integrator where the run is stiff, and back where
 * that did not pay. */
hol_status hol__stiff_watch(hol_sim *sim);

/* What it keeps, out or in, before the parts: they are made anew where the integrator is the other
 * one. */
hol_status hol__stiff_walk(hol_sim *sim, hol__archive *archive);

#endif
