/* laws.h: laws of time that a run cannot follow to its end. */
#ifndef HOL_SIM_LAWS_H
#define HOL_SIM_LAWS_H

#include "sim/sim.h"

/* Warn of laws of time alone that have no value at the start or the end of the run, because a table
 * has ended. */
void hol__laws_check(hol_sim *sim);

/* Name a driver whose law grows without bounds at the state in data; 0: none does. */
int hol__laws_run_away(hol_sim *sim);

#endif
