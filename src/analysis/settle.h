/* settle.h: whether a state is an equilibrium or a steady motion, and the way to the nearest one.
 * */
#ifndef HOL_ANALYSIS_SETTLE_H
#define HOL_ANALYSIS_SETTLE_H

#include "analysis/small.h"

/* The share of its accelerations by which a state may miss a steady one. */
#define HOL__STEADY 1e-6

/* E, F and A at the state and with the carrier in s. */
hol_status hol__small_matrix(hol__small *s);

/* How far the state in data, solved, is from the one that the carrier carries: velocities over the
 * fastest (at least those that it would fall with through its size), accelerations over the
 * largest that gravity or one of the forces would give a body. */
hol_status hol__settle_off(hol_data *data, const hol__carrier *carrier, double *off);

/* Whether the mechanism is the same where the carrier has brought it: its accelerations and its
 * linear equations there, carried back, are those here. */
hol_status hol__settle_is_carried(hol__small *s, int *carried);

/* Newton's iteration towards a state with V = V_carried, acc = acc_carried, z' = 0, with the
 * carrier that the velocities have (carrier.h: which), taken anew where it ended, and steps of
 * least size. freely: the screw motions and each spin may become faster or slower. The caller looks
 * at what it came to. HOL_RETRY: this choice repeats another. */
hol_status hol__settle(hol__small *s, int which, int freely);

#endif
