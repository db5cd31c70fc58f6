/* equations.h: the equations of motion at a state, with the names of their rows and columns.
 *
 *     M v' + A^T lambda = Q     A v' = c     A v = b     Phi = 0     A R = 0
 *
 * in the coordinates of the simulation, at the state in its data, and what its method makes of
 * them: the linear system that it solves.
 */
#ifndef HOLONOM_EQUATIONS_H
#define HOLONOM_EQUATIONS_H

#include "answer.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* *out: tables M, Q, A, Phi, b, c, R (orthonormal), RMR (R^T M R), velocities, accelerations
 * and lambda, and system, what the method solves, with its right-hand side; without
 * constraints those of them are left out. Messages go to ctx, which the answer keeps. */
hol_status hol_equations(hol_context *ctx, hol_sim *sim, hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
