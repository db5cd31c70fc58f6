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
 * All of this is done by parts (split.h) that neither W nor A joins: N loops on the ground take N
 * times the work of one. The directions of one part after the other are found with one solution for
 * all parts. Weak rows of a part may take WEAK_ROOM numbers; a part with more of them leaves out those
 * alone that rounding cannot tell from dependent ones. Memory is asked for when rows are dropped
 * for the first time, and when they are more than ever before.
 *
 * Memory: once a direction is dependent its rows stay in Z, and it stays dependent until sigma
 * exceeds the release tolerance.
 */
#ifndef HOL_KERNEL_DEFLATE_H
#define HOL_KERNEL_DEFLATE_H

#include "base/archive.h"
#include "kernel/saddle.h"
#include "kernel/split.h"
#include "la/dense.h"
#include "la/ldl.h"
#include "la/tolerances.h"

/* The dropped rows of a part: k of them, from `first` on in the lists. */
typedef struct hol__deflated {
    int part, first, k;
    int m, n;              /* rows and columns of the part */
    const int *row, *col;  /* which they are */
    int n_null;            /* dependent directions */
    double *Z, *Y, *T, *N; /* columns: z_j (m), y_j (n), W y_j (n), null space of A^T (m) */
    double *V, *values;    /* scaled Y^T W Y = V diag(values) V^T */
} hol__deflated;

typedef struct hol__deflate {
    hol__saddle *system;
    hol__saddle_apply *basic; /* solves with the rows Z left out, mu_Z = 0 */
    void *self;
    double tolerance, release;
    hol__split split;
    /* which rows are in Z, and how many directions of each part are dependent */
    unsigned char *in;
    int *nulls;
    int n_null;   /* of all parts */
    double share; /* smallest sigma that counts as independent; 1 when there is none */

    int n_active;
    hol__deflated *active; /* the parts with dropped rows */
    int *slot;             /* by part: which of them; scratch */
    int *row;              /* Z by parts */
    double *scale;         /* 1 / length of the row in the metric of W^-1 */
    double *gamma, *beta;
    hol__arena *arena;
    double *room; /* of the active parts */
    size_t most;  /* numbers there */
    hol__eigh *eigh;
    double *c, *z, *step, *rows; /* m */
    double *y, *t, *cols;        /* n */
} hol__deflate;

/* NULL without memory. */
hol__deflate *hol__deflate_new(hol__arena *arena, hol__saddle *system, const hol__pattern *pattern,
                               hol__saddle_apply *basic, void *self, double tolerance,
                               double release);

/* Set the thresholds of the factorisation for constraints, which are the indices from offset on. */
void hol__deflate_arm(const hol__deflate *d, hol__ldl *ldl, int offset);

/* The rows in d->in count as dependent from now on. */
void hol__deflate_choose(hol__deflate *d, hol__ldl *ldl, int offset);

/* Forget which rows were dependent. */
void hol__deflate_forget(hol__deflate *d, hol__ldl *ldl, int offset);

/* Whether each part has room for the rows that ldl has dropped. */
int hol__deflate_has_room(hol__deflate *d, const hol__ldl *ldl, int offset);

/* Thresholds at which only rows are dropped that rounding cannot tell from dependent ones, and
 * those that were dependent: for when more rows are weak than there is room for. Refinement has to
 * do for the others. */
void hol__deflate_relax(const hol__deflate *d, hol__ldl *ldl, int offset);

/* Take the rows that ldl has dropped, all of them constraints (index - offset), and set its
 * thresholds for the next time. */
hol_status hol__deflate_take(hol__deflate *d, hol__ldl *ldl, int offset);

/* Whether all directions that were taken depend by the entries of A alone, as hol__saddle_terms has
 * it. */
int hol__deflate_depends(hol__deflate *d);

/* The memory: the rows in Z and how many directions are dependent; the thresholds follow. */
void hol__deflate_remember(hol__deflate *d, hol__ldl *ldl, int offset, hol__archive *archive);

/* hol__saddle_apply over a hol__deflate. */
void hol__deflate_apply(void *deflate, const double *f, const double *c, double *x, double *mu);

/* Solve with refinement; the residual is that for c projected on the range of A. Returns omega. */
double hol__deflate_solve(hol__deflate *d, const double *f, const double *c, double *x, double *mu);

#endif
