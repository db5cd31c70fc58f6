/* parting.h: how far a run is from one that is less exact, which says what its derivatives are
 * worth. */
#ifndef HOL_ANALYSIS_PARTING_H
#define HOL_ANALYSIS_PARTING_H

#include "analysis/goals_object.h"

/* The largest distance of a body, in lengths of the mechanism and radians, between the run at p
 * and one with ten times its tolerance, or twice its fixed step, over the time of the run; NaN
 * where one of them does not run. HOL_ERR_MEMORY, HOL_ERR_INTERRUPTED. */
hol_status hol__parting(hol__goals *goals, const double *p, double *apart);

#endif
