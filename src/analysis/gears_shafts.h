/* gears_shafts.h: as many velocities of bodies as a mechanism has freedoms, from which all others
 * follow. */
#ifndef HOL_ANALYSIS_GEARS_SHAFTS_H
#define HOL_ANALYSIS_GEARS_SHAFTS_H

#include "base/arena.h"
#include "dyn/data.h"

/* Names ("sun.angle") in the arena and their number, at a state (stage DYN) in reference-point
 * coordinates. */
hol_status hol__gears_shafts(hol_data *data, hol__arena *arena, int *n, const char ***names);

#endif
