/* paths.h: what the kernels kkt and schur share: a static factorisation in which constraints may be
 * left out, and the paths behind it.
 *
 * In turn: the static L D L^T; where it dropped constraints, deflation beside it (deflate.h), in large
 * systems with the rows that an analysis by pivoting chooses where those do not depend; where
 * deflation has no room or its solution is bad, the complete orthogonal decomposition (minnorm.h),
 * for which small systems and dense storage have room. Rows that are weak in the metric of W, but
 * not by the entries of A, are weak for the sake of columns that weigh next to nothing: then W is
 * not a metric to judge by, and a kernel has its own way for that, or the decomposition.
 *
 * Invariants:
 *   1. ldl is NULL with dense storage, deflate is NULL if and only if ldl is.
 *   2. minnorm is there whenever ldl is NULL or n + m <= HOL__MINNORM_SIZE.
 */
#ifndef HOL_KERNEL_PATHS_H
#define HOL_KERNEL_PATHS_H

#include "kernel/deflate.h"
#include "kernel/kernel.h"
#include "kernel/minnorm.h"
#include "kernel/pattern.h"

/* Steps of refinement where a factorisation is not trusted. */
enum { HOL__REFINEMENTS = 3 };

typedef enum hol__path {
    HOL__BY_LDL,
    HOL__BY_DEFLATION,
    HOL__BY_SHIFT,
    HOL__BY_LU,
    HOL__BY_DENSE,
    HOL__BY_MINNORM
} hol__path;

typedef struct hol__paths {
    hol__saddle system;
    hol__pattern pattern;
    hol__path taken; /* by the last factorisation */
    int refine;      /* refinement steps in solve */
    int gave_up;     /* a solution by deflation was bad and the decomposition took over */
    hol__ldl *ldl;   /* its indices from offset on are the constraints */
    int offset;
    int may_augment; /* the decomposition takes a singular W */
    int rooted;      /* W is known by its root */
    hol__deflate *deflate;
    hol__minnorm *minnorm;
    void (*fill)(const void *self); /* what ldl factors */
    const void *filler;
    /* where rows are weak for the sake of very light columns; NULL: the decomposition */
    hol_status (*factor_light)(hol__kernel *kernel);
} hol__paths;

/* The system and its pattern, before ldl is made. */
hol_status hol__paths_init(hol__paths *p, hol__kernel *kernel, const hol__csr *W,
                           const hol__csr *A);

/* Deflation beside ldl (not NULL), which `basic` over self solves with. */
hol_status hol__paths_add_deflation(hol__paths *p, hol__arena *arena,
                                    const hol__kernel_options *options, hol__saddle_apply *basic,
                                    void *self);

/* The decomposition, where invariant 2 wants it. */
hol_status hol__paths_add_minnorm(hol__paths *p, hol__arena *arena,
                                  const hol__kernel_options *options);

/* Note what the factorisation found: path, its name, rank of A, smallest share. */
hol_status hol__paths_report(hol__kernel *kernel, hol__paths *p, hol__path path, const char *name,
                             int rank, double share, int refine);

/* The same for a regular system whose smallest pivot is `ratio` of its terms: refined where that is
 * small. */
hol_status hol__paths_report_regular(hol__kernel *kernel, hol__paths *p, hol__path path,
                                     const char *name, double ratio);

/* The static factorisation of what fill over self puts into ldl; with more weak rows than deflation
 * has room for, only the dependent ones are dropped. Returns the number of dropped pivots, -1 when
 * a value is not finite. */
int hol__paths_factor_static(hol__paths *p, void (*fill)(const void *self), const void *self);

/* Take the constraints that ldl dropped into deflation, or else the decomposition; HOL_SINGULAR
 * where there is none. */
hol_status hol__paths_factor_dropped(hol__kernel *kernel, hol__paths *p, const char *name);

/* The decomposition, HOL_SINGULAR where there is none; and that of H already prepared. */
hol_status hol__paths_factor_minnorm(hol__kernel *kernel, hol__paths *p);
hol_status hol__paths_factor_prepared(hol__kernel *kernel, hol__paths *p);

/* Solve by deflation; made again by the decomposition where refinement does not converge. */
hol_status hol__paths_solve_deflated(hol__kernel *kernel, hol__paths *p, const double *f,
                                     const double *c, double *x, double *mu);

/* The memory of deflation and decomposition. */
void hol__paths_remember(hol__paths *p, hol__archive *archive);

#endif
