/* deflate.h: constraints that depend, or nearly depend, on the others, beside a static
 * factorisation that left them out.
 *
 * The factorisation dropped the rows Z = {j} (k of them) and solves the rest. Each dropped row is
 * replaced by what is new in it: w_j = A^T z_j with z_j = e_j minus a combination of kept rows, so
 * that A_kept W^-1 w_j = 0. Then
 *     x = x_kept + Y beta,  mu = mu_kept - Z beta,  Y = W^-1 A^T Z,
 *     (Y^T W Y) beta = Z^T c - (W Y)^T x_kept
 * The k x k matrix is formed from Y, not by differences, so a constraint that is new by a share
 * sigma of its length keeps the relative accuracy eps/sigma instead of eps/sigma^2. Where sigma is
 * below the rank tolerance the direction is dependent: it spans the null space N of A^T; c is
 * projected on the range of A and mu has its part in N removed.
 *
 * Memory: once a direction is dependent its rows stay in Z, and it stays dependent until sigma
 * exceeds the release tolerance.
 */
#ifndef HOL_KERNEL_DEFLATE_H
#define HOL_KERNEL_DEFLATE_H

#include "base/archive.h"
#include "kernel/saddle.h"
#include "la/dense.h"
#include "la/ldl.h"
#include "la/tolerances.h"

typedef struct hol__deflate {
    hol__saddle *system;
    hol__saddle_apply *basic; /* solves with the rows Z left out, mu_Z = 0 */
    void *self;
    double tolerance, release;
    int most;              /* rows there is room for */
    int k, *row;           /* Z */
    int n_null;            /* dependent directions */
    double share;          /* smallest sigma that counts as independent; 1 when there is none */
    double *scale;         /* k: 1 / length of the row in the metric of W^-1 */
    double *Z, *Y, *T, *N; /* columns: z_j (m), y_j (n), W y_j (n), null space of A^T (m) */
    hol__eigh *eigh;       /* of the scaled Y^T W Y */
    double *gamma, *beta;  /* k */
    double *c, *step;      /* m: projected right-hand side; correction of z */
} hol__deflate;

/* NULL without memory. */
hol__deflate *hol__deflate_new(hol__arena *arena, hol__saddle *system, hol__saddle_apply *basic,
                               void *self, double tolerance, double release);

/* Set the thresholds of the factorisation for constraints, which are the indices from offset on. */
void hol__deflate_arm(const hol__deflate *d, hol__ldl *ldl, int offset);

/* Forget which rows were dependent. */
void hol__deflate_forget(hol__deflate *d, hol__ldl *ldl, int offset);

/* Thresholds at which only rows are dropped that rounding cannot tell from dependent ones: for when
 * more rows are weak than there is room for. Refinement has to do for the others. */
void hol__deflate_relax(hol__ldl *ldl, int offset);

/* Take the rows that ldl has dropped, all of them constraints (index - offset), and set its
 * thresholds for the next time.
 * HOL_SINGULAR when there is no room for so many. */
hol_status hol__deflate_take(hol__deflate *d, hol__ldl *ldl, int offset);

/* The memory: the rows in Z and how many directions are dependent; the thresholds follow. */
void hol__deflate_remember(hol__deflate *d, hol__ldl *ldl, int offset, hol__archive *archive);

/* hol__saddle_apply over a hol__deflate. */
void hol__deflate_apply(void *deflate, const double *f, const double *c, double *x, double *mu);

/* Solve with refinement; the residual is that for c projected on the range of A. Returns omega. */
double hol__deflate_solve(hol__deflate *d, const double *f, const double *c, double *x, double *mu);

#endif
