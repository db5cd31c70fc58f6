/* equilibrium.h: the equilibrium of a state: from a position, downhill or by Newton's method.
 *
 * Descent follows the forces as a body in honey would, so that it ends where a damped motion ends:
 *     x = sum_i e_i (e_i^T f) / (|kappa_i| + sigma)          H e_i = kappa_i e_i
 * with sigma > 0 where the step would be longer than the trust radius. A step counts where the
 * forces do work along it, (f_0 x + f_1 x_1)/2 > 0, which is the fall of the potential where they
 * have one, to third order; the direction is one in which they do, because f^T x > 0. Negative
 * stiffness is left downhill and not climbed.
 *
 * Newton's method solves for all equations at once, those of the states of elements too,
 *     H x - Qz dz = f      -Rq x - Rz dz = r
 * by singular values, so that directions without stiffness stay where they are, with a line search
 * on the norm of both; it finds unstable equilibria too.
 */
#ifndef HOL_ANALYSIS_EQUILIBRIUM_H
#define HOL_ANALYSIS_EQUILIBRIUM_H

#include "analysis/static_system.h"

typedef enum hol__statics_method {
    HOL__STATICS_AUTO,    /* descent, then Newton's method; that alone where descent fails */
    HOL__STATICS_DESCENT, /* descent, and Newton's method from where the forces are small */
    HOL__STATICS_NEWTON
} hol__statics_method;

typedef struct hol__equilibrium {
    hol__statics_method method;
    double tolerance; /* of f over the largest force; 0: 1e-9 */
    int iterations;   /* how many steps were tried */
    double residual;  /* |f| over the largest force */
    double rest;      /* largest rate of a state over its scale */
    int state;        /* that state; -1: none */
    double moved;     /* m: the way of the body that moved farthest, rotations times length */
} hol__equilibrium;

/* Move the state of s, which is evaluated afterwards with its stiffness, to an equilibrium. > 0:
 * none was found, and the state is where the search ended. Nothing is said. */
hol_status hol__equilibrium_find(hol__static *s, hol__equilibrium *e);

/* Say why there is none: the body with the largest force that is left, or the state that does not
 * come to rest. Returns HOL_ERR_TOLERANCE. */
hol_status hol__equilibrium_explain(hol__static *s, const hol__equilibrium *e);

/* Find it or say why not. */
hol_status hol__equilibrium_of(hol__static *s, hol__equilibrium *e);

/* a = 0 and the multipliers of smallest norm as the solution of the data, so that reactions and
 * measures answer with those of the equilibrium. */
hol_status hol__equilibrium_solve(hol__static *s);

#endif
