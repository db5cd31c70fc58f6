/* converge.h: runs that are repeated until their measures agree (tolerance_kind: end). */
#ifndef HOL_SIM_CONVERGE_H
#define HOL_SIM_CONVERGE_H

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

#endif
