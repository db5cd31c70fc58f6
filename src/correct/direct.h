/* direct.h: direct correction of positions and velocities. */
#ifndef HOL_CORRECT_DIRECT_H
#define HOL_CORRECT_DIRECT_H

#include "correct/correct.h"

hol_status hol__correct_direct(hol__correction *correction);

#endif
