/* cycle.h: small perturbations of a motion that repeats itself after a period T (Floquet).
 *
 * Along the motion, perturbations of all coordinates follow
 *
 *     dq' = dv + G dq     dv' = a_q dq + a_v dv + a_z dz     dz' = Rq dq + Rv dv + Rz dz
 *
 * where G dq comes from the directions in which q moves turning with the bodies (twice the linear
 * part of rate(d, v) of the coordinates, coords.h). Started with the independent perturbations of
 * the state (perturb.h) and integrated over T by Gauss's formula of order ten, they end where
 * M s starts: M is the monodromy matrix, its eigenvalues are the multipliers mu, and the motion is
 * stable where all |mu| < 1 (one of them is 1 where the motion may be shifted in time). The number
 * of steps is doubled until M does not change by more than the tolerance.
 *
 * The motion repeats itself where bodies come back to the same poses, full turns not counted, and
 * velocities: `missed` says by how much they do not. Newton's iteration (settle) makes it do so:
 * (M - 1) s = - what is missed.
 */
#ifndef HOL_ANALYSIS_CYCLE_H
#define HOL_ANALYSIS_CYCLE_H

#include "analysis/small.h"

typedef struct hol__cycle {
    hol_context *ctx;
    hol__small *small; /* at the start of the period */
    double *M;         /* n x n, column-major, in the arena of small */
    double period;
    double missed;    /* the largest, in lengths of the mechanism, radians, and these at the
                        * fastest rate of the motion */
    double uncertain; /* by how much M changed in the last doubling, over its size */
    int steps;        /* of the formula */
} hol__cycle;

/* About the motion that begins with the state of sim now, which is run on (and is somewhere else
 * afterwards). tolerance: of M. Reports why not: a motion that does not repeat itself within 1e-6,
 * joints or forces that take hold or let go within it. */
hol_status hol__cycle_new(hol_sim *sim, double period, int settle, double tolerance,
                          hol__cycle **cycle);
void hol__cycle_free(hol__cycle *cycle);

#endif
