/* sim_access.h: the two things that the writers need of a simulation beside its public interface. */
#ifndef HOL_IO_SIM_ACCESS_H
#define HOL_IO_SIM_ACCESS_H

#include <holonom/sim.h>

/* The model of a simulation. Defined in src/sim. */
const hol_model *hol__sim_model(const hol_sim *sim);

/* The context that its memory and messages belong to. Defined in src/sim. */
hol_context *hol__sim_context(const hol_sim *sim);

#endif
