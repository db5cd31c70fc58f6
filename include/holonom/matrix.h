/* matrix.h: the terms of the equations of motion at the state of a data, as copies.
 *
 *     M v' + A^T lambda = Q     A v' = c     A v = b     Phi = 0     A R = 0
 *
 * and their derivatives, in the coordinates of the model. Ask for the size, then for a dense copy
 * (row-major) or for the compressed rows; each call computes what the term needs and leaves the
 * state as it is. Derivatives by q are along the directions of v (q (+) delta, see
 * docs/theory/tangents.md), at the accelerations and multipliers of the solution.
 *
 *     hol_size size = {.size = sizeof size};
 *     hol_data_term_size(data, HOL_TERM_A, &size);
 *     double *A = malloc(sizeof *A * size.rows * size.columns);
 *     hol_data_term(data, HOL_TERM_A, A, size.rows * size.columns);
 */
#ifndef HOLONOM_MATRIX_H
#define HOLONOM_MATRIX_H

#include "data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hol_term {
    HOL_TERM_M,     /* mass matrix, n_v x n_v, symmetric, all of it */
    HOL_TERM_A,     /* Jacobian of the constraints, n_constraints x n_v, holonomic rows first */
    HOL_TERM_R,     /* orthonormal basis of the null space of A, n_v x degrees of freedom */
    HOL_TERM_PHI,   /* position residuals, n_holonomic x 1 */
    HOL_TERM_B,     /* A v = b, n_constraints x 1 */
    HOL_TERM_C,     /* A v' = c, n_constraints x 1 */
    HOL_TERM_Q,     /* forces with the inertia terms that depend on velocity, n_v x 1 */
    HOL_TERM_K,     /* d(Q - M v' - A^T lambda)/dq, n_v x n_v */
    HOL_TERM_Q_V,   /* dQ/dv, n_v x n_v */
    HOL_TERM_C_Q,   /* d(c - A v')/dq, n_constraints x n_v */
    HOL_TERM_C_V,   /* dc/dv, n_constraints x n_v */
    HOL_TERM_PSI_Q, /* d(A v - b)/dq, n_constraints x n_v */
    HOL_TERM_F_T,   /* d(Q - A^T lambda)/dt, n_v x 1 */
    HOL_TERM_C_T,   /* d(c - A v')/dt, n_constraints x 1 */
    HOL_TERM_PSI_T, /* d(A v - b)/dt, n_constraints x 1 */
    HOL_TERM_PHI_T, /* dPhi/dt, n_holonomic x 1 */
    /* A = C J in local coordinates of the joints (hol_model_local_point), k of them */
    HOL_TERM_LOCAL_J, /* their rates by v, k x n_v */
    HOL_TERM_LOCAL_C, /* block diagonal, n_constraints x k */
    HOL_TERM_LOCAL_D, /* its complement, C D = 0: k x (k - n_constraints) */
    /* generalised forces of single constraints, -A_j^T lambda_j in row j: n_constraints x n_v */
    HOL_TERM_REACTIONS
} hol_term;

/* How large a term is. entries: of its compressed rows. */
typedef struct hol_size {
    size_t size; /* sizeof(hol_size), set by the caller */
    int rows, columns, entries;
} hol_size;

hol_status hol_data_term_size(hol_data *data, hol_term term, hol_size *size);

/* The term, row after row; n: how many numbers out takes, at least rows x columns. */
hol_status hol_data_term(hol_data *data, hol_term term, double *out, int n);

/* The term by compressed rows: the entries of row i are start[i] … start[i + 1] - 1 (start: rows +
 * 1 numbers), with their columns rising within a row. n: how many entries column and value take, at
 * least those of the size. The pattern is the same at every state, zeros included, but for R, whose
 * columns are as many as the mechanism has freedoms at this position. */
hol_status hol_data_term_rows(hol_data *data, hol_term term, int *start, int *column, double *value,
                              int n);

/* What velocity i of n_v is, for the rows of M, R and Q and the columns of M and A: "rod.x",
 * "rod.angle", "rod.omega_y" in reference-point coordinates, "hinge" or "hinge[1]" in relative,
 * "rod.point2.x" in natural ones. Rows of constraints are hol_model_row. HOL_ERR_ARGUMENT when
 * there is no such velocity. */
hol_status hol_model_velocity_name(const hol_model *model, int i, char *buf, size_t size);

/* Its SI unit: "m/s", "rad/s", or "1/s" of a unit vector of natural coordinates; NULL when there is
 * no such velocity. */
const char *hol_model_velocity_unit(const hol_model *model, int i);

#ifdef __cplusplus
}
#endif
#endif
