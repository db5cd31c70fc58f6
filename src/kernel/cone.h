/* cone.h: contacts with Coulomb friction as a complementarity problem over dense matrices.
 *
 * Contact i has a normal row N and 0, 1 or 2 tangential rows T behind it. Given G (m x m,
 * symmetric, positive semidefinite, of any rank) and b, find z with w = G z + b and for every
 * contact
 *
 *     w_N >= 0,  z_N >= 0,  w_N z_N = 0
 *     |z_T| <= mu z_N,  and z_T = -mu z_N w_T/|w_T| where w_T is not 0
 *
 * A contact that slides already has its direction d given: z_T = -mu z_N d whatever w_T is. z are
 * impulses and w velocities, or z forces and w accelerations. Theory:
 * docs/theory/complementarity.md.
 */
#ifndef HOL_KERNEL_CONE_H
#define HOL_KERNEL_CONE_H

#include "base/arena.h"

#include <holonom/status.h>

typedef struct hol__cone_contact {
    int first;       /* its normal row */
    int across;      /* tangential rows behind it */
    double mu;       /* friction, >= 0 */
    int slides;      /* whether its direction of sliding is given: */
    double slide[2]; /* a unit vector, of `across` components */
    double noise;    /* a w of up to this size counts as 0, besides rounding in G z + b */
} hol__cone_contact;

typedef enum hol__cone_state {
    HOL__CONE_OPEN,   /* w_N > 0 */
    HOL__CONE_STICKS, /* w = 0 */
    HOL__CONE_SLIDES, /* w_N = 0, w_T not 0, or the direction is given */
} hol__cone_state;

typedef struct hol__cone hol__cone;

/* Room for up to this many contacts and rows; NULL without memory. */
hol__cone *hol__cone_new(hol__arena *arena, int contacts, int rows);

/* z, w and the states (n) of G z + b, G (m x m) by rows. Where redundant contacts leave z free, it
 * has the least norm if that is within the cones, and one near the least within them otherwise.
 * HOL_NOT_CONVERGED: no solution was found, perhaps since there is none (Painleve); z
 * and w come nearest to one. HOL_NONFINITE: a number is not finite. Allocates nothing. */
hol_status hol__cone_solve(hol__cone *cone, int n, const hol__cone_contact *contacts, int m,
                           const double *G, const double *b, double *z, double *w,
                           hol__cone_state *state);

/* The residual of m rows that is accepted as 0, over their terms. */
double hol__cone_accepts(int m);

/* By how much z and w = G z + b miss the conditions: the worst over all contacts, as a share of the
 * terms that w is summed from. */
double hol__cone_residual(int n, const hol__cone_contact *contacts, int m, const double *G,
                          const double *b, const double *z, const double *w);

#endif
