/* converge.h: runs that are repeated until their measures agree (tolerance_kind: end). */
#ifndef HOL_SIM_CONVERGE_H
#define HOL_SIM_CONVERGE_H

#include "base/archive.h"

#include <holonom/sim.h>

/* The values of the option `tolerance_kind`. */
enum { HOL__TOLERANCE_LOCAL, HOL__TOLERANCE_END };

typedef struct hol__converge {
    int done;
    int repeats;  /* runs that were made to find out */
    double error; /* what the last two of them disagree by, over the sizes of the measures */
} hol__converge;

/* Before the first step: find the tolerance, or the fixed step, with which the measures of the
 * whole run are right to the tolerance that was asked for, and make the parts of the simulation for
 * it. Nothing for tolerance_kind: local. */
hol_status hol__sim_converge(hol_sim *sim);

/* What was found, out or in; a simulation that reads it need not find it again. */
hol_status hol__converge_walk(hol_sim *sim, hol__archive *archive);

#endif
