/* blocked.h: a driver that cannot go on: at a dead point, or beyond what its linkage reaches. */
#ifndef HOL_SIM_BLOCKED_H
#define HOL_SIM_BLOCKED_H

#include <holonom/sim.h>

/* Whether a driver that will not let go in time takes the mechanism into a singular position that
 * is nearer than the share `near` to the state in data; it is then named in an error, with what
 * stops it. */
int hol__blocked(hol_sim *sim, double near);

#endif
