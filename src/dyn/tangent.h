/* tangent.h: derivatives of the equations of motion at a solved state, in all sets of coordinates.
 *
 *     M a + A^T lambda = Q      A a = c      psi = A v - b      z' = r        z: states that
 * elements added
 *
 *     K  = d(Q - M a - A^T lambda)/dq     B  = dQ/dv        F_t = d(Q - A^T lambda)/dt      Qz =
 * dQ/dz
 *     Cq = d(c - A a)/dq                  Cv = dc/dv        C_t = d(c - A a)/dt             Cz =
 * dc/dz
 *     Pq = dpsi/dq  (dpsi/dv = A, dPhi/dq = the holonomic rows of A)       Pz = dpsi/dz,  P_t =
 * dpsi/dt,  Phi_t = dPhi/dt
 *     Rq = dr/dq    Rv = dr/dv            Rz = dr/dz        R_t = dr/dt
 *
 * at fixed a and lambda. Derivatives by q are along the directions of v: q (+) delta (coords.h).
 * Time is explicit time and what laws make of it through measures; forces remember the same, and
 * turns are counted from the same base. Forces of the caller are differentiated by differences over
 * all coordinates. docs/theory/tangents.md has the derivations.
 *
 * Made once for a model; afterwards nothing allocates.
 */
#ifndef HOL_DYN_TANGENT_H
#define HOL_DYN_TANGENT_H

#include "dyn/data.h"

/* The parts of K and Cq: Q and c; -A^T lambda; -M a and -A a. dQ/dq alone is K of the first part,
 * and so on. */
enum { HOL__PART_FORCES = 1, HOL__PART_REACTIONS = 2, HOL__PART_INERTIA = 4, HOL__PART_ALL = 7 };

typedef struct hol__tangent {
    const hol_model *model;
    hol__arena arena;
    hol__csr K, B;        /* nv x nv, the same pattern */
    hol__csr Cq, Cv, Pq;  /* m x nv, the pattern of A */
    double *F_t;          /* nv */
    double *C_t, *P_t;    /* m */
    double *Phi_t;        /* mh */
    double *Qz;           /* nv x n_aux, row-major as all that follow */
    double *Cz, *Pz;      /* m x n_aux */
    double *Rq, *Rv, *Rz; /* n_aux x nv, n_aux x nv, n_aux x n_aux */
    double *R_t;          /* n_aux */
    struct hol__tangent_work *work;
} hol__tangent;

/* A tangent for states like this one: with patterns for forces of the caller when data has some. */
hol_status hol__tangent_new(const hol_data *data, hol__tangent **tangent);
void hol__tangent_free(hol__tangent *tangent);

/* All derivatives at the state in data with its a and lambda; parts: which of them K, F_t, Cq and
 * C_t have. data is brought to stage DYN and stays what it is. > 0: something is not finite. */
hol_status hol__tangent_update(hol__tangent *tangent, hol_data *data, int parts);

/* dQ/du at the state of the last update for one column of the measures, as laws read it; out: nv.
 * */
void hol__tangent_by_column(hol__tangent *tangent, int column, double *out);

/* The derivatives of all measures that laws or the equations of motion read, at the state in data
 * (stage DYN), without the rest of an update; and then of one column: out (nv) receives dg/dv, and
 * dg/dt + dg/dq q' is returned, the rate that it has while velocities do not change. */
void hol__tangent_take_measures(hol__tangent *tangent, hol_data *data);
double hol__tangent_of_column(hol__tangent *tangent, hol_data *data, int column, double *out);

/* How the bodies follow increments dq, dv, da of the coordinates, their velocities and
 * accelerations at the state of the last update (all parts): dx = J dq, dV = J dv + V_q dq, dacc =
 * J da + acc_q dq + acc_v dv; bw numbers a body in the directions of its velocities. dacc NULL: not
 * made. */
void hol__tangent_bodies(const hol__tangent *tangent, const double *dq, const double *dv,
                         const double *da, double *dx, double *dV, double *dacc);

/* out (nv) = J^T w for wrenches w on the bodies (bw numbers each, ground last), at the same
 * state. */
void hol__tangent_pull(hol__tangent *tangent, const double *w, double *out);

/* ---- accelerations ---- */

/* Stabilised right-hand sides, by row: cbar = c - g1 psi - g0 Phi in holonomic rows, c - g1 psi in
 * the others; NULL: cbar = c. */
typedef struct hol__gains {
    const double *g1, *g0;
} hol__gains;

/* M x + A^T mu = f, A x = c at the state of the update: hol__kernel_solve of a factored kernel, for
 * instance. */
typedef hol_status hol__solve_fn(void *self, const double *f, const double *c, double *x,
                                 double *mu);

/* Derivatives of a and lambda, dense, column after column: that by q_j begins at nv j (a) and m j
 * (lambda). What is NULL is not made. */
typedef struct hol__acceleration_tangent {
    double *a_q, *a_v, *a_t, *a_z;                     /* nv each by nv, nv, 1, n_aux */
    double *lambda_q, *lambda_v, *lambda_t, *lambda_z; /* m each */
} hol__acceleration_tangent;

/* How a and lambda follow q, v, t and z where M a + A^T lambda = Q, A a = cbar stays solved: one
 * solve a column, with the matrices of the last update (all parts), at a state of data where a and
 * lambda solve them. */
hol_status hol__tangent_accelerations(hol__tangent *tangent, const hol__gains *gains,
                                      hol__solve_fn *solve, void *self,
                                      const hol__acceleration_tangent *out);

#endif
