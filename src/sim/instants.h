/* instants.h: instants that are known from the time alone: where laws, drivers and conditions jump
 * or have corners at given times. */
#ifndef HOL_SIM_INSTANTS_H
#define HOL_SIM_INSTANTS_H

#include "base/expr.h"

typedef struct hol__instants {
    int n;
    struct hol__timed {
        const hol__expr *e;
        int k, drives; /* drives: in a law of a joint */
        hol__instant search;
    } * list;
    double *in, *scratch; /* for expressions */
    double limit;         /* where the next step has to end at the latest */
    long count;           /* how many were met */
} hol__instants;

/* leap.c: Phi, b, v and T before a jump, what rates jump by, impulses, no forces, velocities. */
typedef struct hol__leap {
    double *Phi, *b, *v, *by, *mu, *f, *x;
    double kinetic;
} hol__leap;

#endif
