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
#include "spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* *out: tables M, Q, A, Phi, b, c, R (orthonormal), RMR (R^T M R), velocities, accelerations
 * and lambda, and system, what the method solves, with its right-hand side; without
 * constraints those of them are left out. Messages go to ctx, which the answer keeps. */
hol_status hol_equations(hol_context *ctx, hol_sim *sim, hol_answer **out);

typedef struct hol_symbolic_options {
    size_t size;  /* sizeof(hol_symbolic_options), set by the caller */
    int name_all; /* numbers of the file get symbols too, with a table of their values */
} hol_symbolic_options;

/* The same equations of a small model as formulas of its coordinates and parameters, in the
 * coordinates and for the method that the description asks for: tables of formulas (hol_table) M,
 * Q, A, Phi, b, c, motion (the equations written out), constraints, definitions, and what the
 * method solves; symbols has the values of the parameters. how may be NULL: the default.
 *
 * They are derived from the positions of the bodies by differentiation, and compared with the
 * numbers of the library at states and with parameters near those of the model: HOL_ERR_TOLERANCE
 * where they do not agree. Forces without formulas (contacts, tyres) stand as symbols; a joint
 * without one, and formulas that are too long to be read, are HOL_ERR_INPUT. */
hol_status hol_equations_symbolic(hol_context *ctx, const hol_spec *spec,
                                  const hol_symbolic_options *how, hol_answer **out);

#ifdef __cplusplus
}
#endif

#endif
