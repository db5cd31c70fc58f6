/* make.h: the parts of a simulation, for its life and its steps (sim.c). */
#ifndef HOL_SIM_MAKE_H
#define HOL_SIM_MAKE_H

#include "sim/sim.h"

/* Read the options, choose, assemble, analyse, and make the parts. */
hol_status hol__sim_set_up(hol_sim *sim, const hol_options *options);

/* Free everything that was made but the integrator. */
void hol__sim_free_parts(hol_sim *sim);

/* What the data has of its own for reactions, so that a run need not make it; also after another
 * data was copied onto it. */
hol_status hol__sim_own_solver(hol_sim *sim);

/* Solve the equations once at the state in data, watched; first: at the start of a run. */
hol_status hol__sim_solve_here(hol_sim *sim, int first);

#endif
