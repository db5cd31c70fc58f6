/* hybrid.h: Baumgarte's terms above a threshold, and pure partitioning while they do not hold it.
 * [GJB 5.2.2, Park and Haug] */
#ifndef HOL_SIM_HYBRID_H
#define HOL_SIM_HYBRID_H

#include "base/archive.h"
#include "base/context.h"

#include <holonom/sim.h>

typedef struct hol__hybrid {
    int on;               /* the stabiliser or the correction is hybrid */
    int partitions;       /* the correction is */
    int partitioned;      /* pure partitioning from the accepted state on */
    double t;             /* of that state */
    double *Phi0, *psi0;  /* m: its violations */
    double level;         /* of the violation at the end of the last step, before Newton */
    long switches;        /* between the terms and partitioning, both ways */
    long term_steps;      /* steps in which Baumgarte's terms acted */
    long partition_steps; /* steps by pure partitioning */
} hol__hybrid;

/* After the form and the correction are made. */
hol_status hol__hybrid_init(hol_sim *sim);

/* At a start or a state that was set, in data. */
void hol__hybrid_start(hol_sim *sim);

/* At the end of an attempt, in data and not corrected: whether Newton acts there. */
void hol__hybrid_judge(hol_sim *sim);

/* At an accepted state, in data: what acts from here on. Returns whether the right-hand side has
 * changed. */
int hol__hybrid_accept(hol_sim *sim, hol_status *status);

/* What it keeps, out or in. */
void hol__hybrid_walk(hol_sim *sim, hol__archive *archive);

#endif
