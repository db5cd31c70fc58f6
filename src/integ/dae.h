/* dae.h: a constrained system as an integrator sees it.
 *
 *     d' = rate(d, v - w D^T mu)                  positions, as increments of a base point
 *     M v' + A^T lambda = Q(t, d, v, z)           velocities
 *     z' = r(t, d, v, z, lambda)                  everything else
 *     0  = A v - b          (lambda)
 *     0  = Phi(t, d)        (mu)
 *
 * This is the stabilised form of index 2 of Gear, Gupta and Leimkuhler [HW VII.1]: mu is zero where
 * it is solved exactly, and keeps positions and velocities on the constraints where it is solved by
 * a formula. With mu = 0 and without the rows of A v = b it has index 3, with mu = 0 and without
 * those of Phi index 2. Other forms have fewer rows: A v' - c in the place of A v - b, no Phi and
 * no mu (mh = 0), or momenta p = M v in the place of v (nd = 0); formulas that set `forms` take
 * them all. y = (d, v, z) is the state of the ordinary system (system.h), of the same size and in
 * the same order; x = (lambda, mu). nd = 0 is an ordinary system y' = f(t, y): all of y
 * is z, and there is no x.
 *
 * Every integrator brings its equations to F(t, y, y', x) = 0 at some points and solves them by
 * Newton's iteration. F is in the order of y, then A v - b, then Phi. The matrix of an iteration is
 *
 *     J = dF/dy + dF/dy' sigma,   dF/dx       sigma = sigma_d in the rows of d, sigma_v elsewhere
 *
 * for increments of y' that are sigma times those of y: 1/(h gamma) for diagonal formulas, the
 * eigenvalues of A^-1 / h, in complex pairs, for collocation, gamma/(beta h) and 1/(gamma h) for
 * those of Newmark. An integrator keeps several at once, in slots.
 *
 * Redundant constraints: the rows are those that are independent. What is set aside is not known
 * here.
 */
#ifndef HOL_INTEG_DAE_H
#define HOL_INTEG_DAE_H

#include "base/archive.h"
#include "base/context.h"
#include "integ/system.h"

/* Slots for factored matrices: the first is real, the others may be complex. */
enum { HOL__DAE_SLOTS = 3 };

/* sigma of the rows of positions and of all others: real and imaginary parts. */
typedef struct hol__sigma {
    double d[2], v[2];
} hol__sigma;

typedef struct hol__dae_energy {
    double kinetic, potential, power;
} hol__dae_energy;

/* For formulas that are explicit in the forces: parts of F, and J of M and A alone, the same
 * factors for every sigma. With holonomic constraints only. */
typedef struct hol__dae_inertial {
    /* rate(d, v) at y: nd. */
    void (*rate)(void *self, const double *y, double *rate);
    /* Phi(t, d) at y: mh. */
    hol_status (*places)(void *self, double t, const double *y, double *Phi);
    /* M and A at the state of the last residual, factored and kept. HOL_SINGULAR: they are. */
    hol_status (*keep)(void *self);
    /* r <- x:  sigma M x_v + A^T x_lambda = r_v,  sigma x_z = r_z,  A x_v = r_psi.  The rows of d
     * and Phi stay as they are. */
    hol_status (*solve)(void *self, double sigma, double *r);
    /* r from x: what solve undoes. */
    void (*times)(void *self, double sigma, const double *x, double *r);
    /* Whether F_v and F_z do not depend on v, whatever the state. */
    int (*steady)(void *self);
} hol__dae_inertial;

typedef struct hol__dae {
    int n;     /* of y */
    int nd;    /* y = (d, v, z) with nd positions and nd velocities */
    int apart; /* the last entries of y are integrals on which nothing else depends */
    int m, mh; /* of lambda and mu */
    void *self;
    /* F(t, y, y', x), n + m + mh. > 0: not defined there, a smaller step may help; < 0: stop. */
    hol_status (*residual)(void *self, double t, const double *y, const double *ydot,
                           const double *x, double *F);
    /* The derivatives of F there, kept until they are asked for again. They only steer iterations:
     * those of the integrals are left out. */
    hol_status (*linearize)(void *self, double t, const double *y, const double *ydot,
                            const double *x);
    /* Factor J for this sigma. HOL_SINGULAR: it is. */
    hol_status (*shift)(void *self, int slot, const hol__sigma *sigma);
    /* (re + i im) <- J^-1 (re + i im), n + m + mh each; im NULL where sigma is real. */
    hol_status (*solve)(void *self, int slot, double *re, double *im);
    /* For iterations at another state y than that of linearize: rows of F there as they would be at
     * that one (before solve), and back: unknowns as they are at y (after it). NULL: the same. */
    void (*turn)(void *self, const double *y, int back, double *r);
    /* What a factorisation takes over from those before it. NULL: nothing. */
    void (*archive)(void *self, hol__archive *archive);
    /* Kinetic and potential energy at (t, y), and the power of everything without a potential; NULL
     * where they are not known. */
    hol_status (*energy)(void *self, double t, const double *y, hol__dae_energy *out);
    const hol__dae_inertial *inertial; /* NULL: there is none */
} hol__dae;

/* n + m + mh */
static inline int hol__dae_size(const hol__dae *dae) {
    return dae->n + dae->m + dae->mh;
}

/* r <- J^-1 r for an iteration at y, sigma real. */
static inline hol_status hol__dae_solve_at(const hol__dae *dae, int slot, const double *y,
                                           double *r) {
    if (dae->turn) dae->turn(dae->self, y, 0, r);
    const hol_status status = dae->solve(dae->self, slot, r, NULL);
    if (dae->turn) dae->turn(dae->self, y, 1, r);
    return status;
}

/* The ordinary system y' = f(t, y) as one, with derivatives by differences of f and dense matrices:
 * for methods that have equations of their own. slots: how many there are. NULL without memory. */
typedef struct hol__dae_plain hol__dae_plain;
hol__dae_plain *hol__dae_plain_new(hol_context *ctx, const hol__system *system, int slots,
                                   hol__dae *dae);
void hol__dae_plain_free(hol__dae_plain *plain);

/* x at (t, y) for y' = f: lambda from the equations of motion, mu = 0; h: a time in which the
 * motion changes little. The derivatives, without those of A^T lambda, and the first slot are used
 * up. F: n + m + mh. */
hol_status hol__dae_multipliers(const hol__dae *dae, double t, const double *y, const double *f,
                                double h, double *x, double *F);

#endif
