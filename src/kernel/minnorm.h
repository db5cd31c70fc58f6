/* minnorm.h: the dense path that takes any rank: W = L L^T, H = L^-1 A^T D, complete orthogonal
 * decomposition of H.
 *
 * D scales every column of H to unit length, so that the rank does not depend on the units of the
 * constraints. With N an orthonormal basis of the null space of A^T (D times that of H) and c
 * projected on the range of A,
 *     xi = (H^+)^T D c + (I - H H^+) L^-1 f, x = L^-T xi, mu = D H^+ (L^-1 f - xi), less its part
 *     in N
 * which makes x the least-squares compromise for c and mu of minimum norm. H is never squared.
 *
 * Where W is only semi-definite it is replaced by W + A^T G A and f by f + A^T G c, which has the
 * same solution and is definite as soon as W is so on the null space of A. The same where rows
 * depend in the metric of W, but not by their entries: beside a column that weighs next to nothing
 * all that rows have in heavier ones is lost in H, and W + A^T G A weighs it as the rows do.
 */
#ifndef HOL_KERNEL_MINNORM_H
#define HOL_KERNEL_MINNORM_H

#include "kernel/saddle.h"
#include "la/cod.h"
#include "la/envelope.h"

/* Sparse kernels keep this path ready up to this size n + m. */
enum { HOL__MINNORM_SIZE = 400 };

typedef struct hol__minnorm {
    hol__saddle *system;
    double tolerance, release;
    double *L; /* n x n; NULL: that of the root of W */
    /* W = L L^T within the envelope of W, in loops, and the decomposition too where that is faster:
     * NULL: by LAPACK; by_envelope: the last W was */
    hol__envelope *envelope;
    int by_envelope;
    double *H;     /* n x m, scaled */
    double *scale; /* m: D */
    double *gain;  /* m: G */
    int augmented; /* W + A^T G A stands for W */
    hol__cod *cod;
    int n_null;    /* dependent directions, remembered from one factorisation to the next */
    double share;  /* smallest accepted pivot */
    double *N;     /* m x n_null */
    double *u, *v; /* n */
    double *c, *s; /* m */
} hol__minnorm;

/* rooted: W will be known by its root. NULL without memory. */
hol__minnorm *hol__minnorm_new(hol__arena *arena, hol__saddle *system, double tolerance,
                               double release, int rooted);

/* For patterns like that of W: in loops from now on where that is faster. 0 without memory. */
int hol__minnorm_prefer_plain(hol__minnorm *mn, hol__arena *arena, const hol__csr *W);

/* L and H from the system's W and A. HOL_SINGULAR when W is not positive definite and may not
 * (or cannot) be augmented. */
hol_status hol__minnorm_prepare(hol__minnorm *mn, int may_augment);

/* The decomposition of H. */
hol_status hol__minnorm_factor(hol__minnorm *mn);

/* x <- L^-1 x and x <- L^-T x. */
void hol__minnorm_lower(const hol__minnorm *mn, double *x);
void hol__minnorm_upper(const hol__minnorm *mn, double *x);

/* hol__saddle_apply over a hol__minnorm. */
void hol__minnorm_apply(void *minnorm, const double *f, const double *c, double *x, double *mu);

/* Solve with refinement against c projected on the range of A. Returns omega. */
double hol__minnorm_solve(hol__minnorm *mn, const double *f, const double *c, double *x,
                          double *mu);

#endif
