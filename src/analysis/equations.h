/* equations.h: the parts of the answer to `equations`. */
#ifndef HOL_ANALYSIS_EQUATIONS_H
#define HOL_ANALYSIS_EQUATIONS_H

#include "base/answer.h"
#include "sim/sim.h"

/* What the method of the simulation solves for its accelerations: in words, and, where it is one
 * linear system, that matrix and its right-hand side. At the state in the data, stage ACC. */
hol_status hol__tell_system(hol_answer *answer, hol_sim *sim);

/* The words of it alone. */
void hol__tell_solved(hol_answer *answer, const hol_sim *sim);

/* Says which joint coordinates count against those of their joints: a tree goes through these from
 * their second body to the first. Nothing where there are none. */
void hol__tell_reversed(hol_answer *answer, const hol_model *m);

/* "hinge: translation x" */
void hol__equations_row_name(const hol_model *m, int i, char *name, size_t size);

#endif
