/* perturb.h: the independent perturbations of a state.
 *
 * At a state on the constraints, Phi(q, t) = 0 and psi = A v - b = 0, a neighbouring one has
 *
 *     D dq = 0                     D: the holonomic rows of A
 *     A dv + Pq dq + Pz dz = 0     Pq = dpsi/dq, Pz = dpsi/dz
 *
 * Nonholonomic rows bind velocities alone, so that there are more free directions of positions
 * (n_q) than of velocities (n_v). Among the coordinates those are chosen as independent that a
 * pivoted QR of the rows, with lengths counted against the size of the mechanism, leaves over:
 *
 *     dq = N x     dv = R y + S x + T z     dz = z     x = dq[at_q], y = dv[at_v] themselves
 *
 * so a perturbation is a column s = (x, y, z) of n = n_q + n_v + n_aux numbers with names. The
 * velocities are chosen among the coordinates of x.
 */
#ifndef HOL_ANALYSIS_PERTURB_H
#define HOL_ANALYSIS_PERTURB_H

#include "dyn/tangent.h"
#include "la/dense.h"

typedef struct hol__perturb {
    int nv, n_aux;
    int n_q, n_v, n;
    int *at_q, *at_v; /* which coordinate each is */
    /* dq and dv of the n perturbations of size 1, nv x n, column-major */
    double *dq, *dv;
} hol__perturb;

/* At the state of the last update of the tangent, whose data this is (stage VEL); in the arena.
 * HOL_ERR_MEMORY, or HOL_ERR_SINGULAR where no factorisation is found. */
hol_status hol__perturb_make(const hol__tangent *tangent, hol_data *data, hol__arena *arena,
                             hol__perturb *perturb);

/* What the other coordinates do where the constraints move: x (nv) with A x = right, of the
 * holonomic rows alone (for dq) or of all (for dv), and with nothing at the independent ones. */
hol_status hol__perturb_follow(const hol__perturb *perturb, hol_data *data, int holonomic,
                               const double *right, hol__arena *arena, double *x);

/* How the directions of an increment turn with a state that moves, q = q0(t) (+) dq with velocities
 * v: out = G dq in dq' = dv + G dq, twice the part of rate(dq, v) that is odd in dq; exact. room: 3
 * nv. */
void hol__perturb_turning(const hol_model *model, const double *v, const double *dq, double *room,
                          double *out);

/* A data of the same state, in whose model what sticks is held by its velocities alone, so that
 * perturbations of positions stick elsewhere; *copy: to be freed also after a failure. */
hol_status hol__perturb_copy(const hol_data *data, hol_data **copy);

/* The nearest state on the constraints, in the same measure: Newton's iteration for q, then v. > 0
 * where it does not converge. */
hol_status hol__perturb_close(hol_data *data, hol__arena *arena);

/* The name of perturbation i as a text of the arena: "crank.angle", "crank.angle'", "state 1". */
const char *hol__perturb_name(const hol_model *model, const hol__perturb *perturb, int i,
                              hol__arena *arena);

#endif
