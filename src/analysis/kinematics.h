/* kinematics.h: what the parts of kinematics share: what is wanted, the motion, what was seen. */
#ifndef HOL_ANALYSIS_KINEMATICS_H
#define HOL_ANALYSIS_KINEMATICS_H

#include "analysis/follow.h"
#include "base/answer.h"
#include "sim/sim.h"

#include <holonom/kinematics.h>

enum { HOL__SINGULAR_KEPT = 64 };

typedef struct hol__kinematics {
    hol_sim *sim;
    hol_kinematics_options how;
    hol__arena arena;
    hol__follow *follow;
    int rows, columns, taken;             /* samples that there will be, measures, samples so far */
    double *times, *samples;              /* taken; taken x columns */
    const char *lost[HOL__SINGULAR_KEPT]; /* what is told of each singular position */
    int massless;                         /* the first body without mass, -1: none */
    int n_singular;
    double singular[HOL__SINGULAR_KEPT];
    double energy0;
    double *loads; /* by sample and joint: what it takes to drive it */
} hol__kinematics;

/* kinematics_check.c: the model has as many drivers as freedoms, and nothing that switches; what is
 * missing or too much is named. And why the driven motion cannot go on from the state in data. */
hol_status hol__kinematics_check(hol__kinematics *k);
hol_status hol__kinematics_stuck(hol__kinematics *k);

/* Whether it cannot go on because a law has no value at t; reported. */
int hol__kinematics_ended(hol__kinematics *k, double t);

/* Whether the laws of all drivers of rates can be integrated to t; reports one that cannot. */
hol_status hol__kinematics_ahead(hol__kinematics *k, double t);

/* kinematics_cycle.c: the end of the span becomes that of the turns of the driver. */
hol_status hol__kinematics_cycle(hol__kinematics *k);

/* kinematics_answer.c: the facts and tables. */
hol_status hol__kinematics_tell(hol__kinematics *k, hol_answer *answer);

/* kinematics_lost.c: the joints that depend on each other at the singular position that the last
 * step went over, and the coordinate that they do not determine there, in words of the arena. */
hol_status hol__kinematics_lost(hol__kinematics *k, const char **text);

#endif
