/* step.h: one step of a simulation with something to do before it is accepted. */
#ifndef HOL_SIM_STEP_H
#define HOL_SIM_STEP_H

#include "sim/sim.h"

/* A step that ends at t_soft at the latest, or at t_hard where it crosses a singular position.
 * inside (may be NULL) is called while the interpolant of the step is valid, where there was
 * nothing to land on: t_soft is t_hard, or the step may have passed it. */
hol_status hol__sim_step(hol_sim *sim, double t_soft, double t_hard,
                         hol_status (*inside)(hol_sim *sim, void *user), void *user);

/* On behind the instants that the state has reached, which is what a step begins with; what changes
 * there may switch elements. */
hol_status hol__sim_pass_instants(hol_sim *sim, double t_hard);

#endif
