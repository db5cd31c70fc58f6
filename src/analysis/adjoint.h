/* adjoint.h: derivatives of goals backwards, a functional for each goal.
 *
 * The run is a chain of linear maps of perturbations. At stations (the start, times that goals
 * name, changes, the end) a perturbation is written in terms of the independent ones (perturb.h),
 *
 *     Y = E s + y_p      s = Z Y + z_p        y_p: for each parameter one on the constraints
 *
 * Z being the choice of the independent entries behind hol__bundle_settle. From station to station
 * either steps of a formula lead, kept as the equations at their nodes (variation.h), or a
 * change, s+ = R s + r. What a goal reads at a station is w . s + c. Backwards, with mu what the
 * goal says of s at a station,
 *
 *     mu <- w + R^T mu     or     m = Z^T mu,  steps back,  mu <- w + E^T m
 *
 * and the gradient collects what z_p, r, f_p, y_p and c are worth. These are the transposed
 * operations of the direct pass, so both agree to rounding.
 */
#ifndef HOL_ANALYSIS_ADJOINT_H
#define HOL_ANALYSIS_ADJOINT_H

#include "analysis/change.h"
#include "analysis/goals_linear.h"

/* A step of the formula. */
typedef struct hol__link {
    struct hol__link *before;
    double h;
    const hol__collocation *formula;
    hol__variation_place place[HOL__STAGES]; /* n x r */
    double *F[HOL__STAGES];                  /* n x parameters */
    double *g;       /* 5 n x goals: what integrals read of the stages; NULL: nothing */
    double *E, *y_p; /* n x r, n x parameters: Y <- E Z Y + y_p behind the step; NULL: as it is */
} hol__link;

typedef struct hol__station {
    struct hol__station *before;
    int n, size;      /* rows of Y; independent perturbations */
    double *E, *y_p;  /* n x size, n x parameters */
    double *Z, *z_p;  /* size x n (by rows), size x parameters (by rows) */
    double *R;        /* size x that of the station before, by rows, behind a change; else NULL */
    double *w, *c;    /* goals x size, goals x parameters, by rows */
    hol__link *links; /* that lead on from here, the last first */
} hol__station;

typedef struct hol__adjoint {
    hol__linear *l;
    hol__arena arena;
    hol__bundle bundle; /* free columns: s of the last station */
    hol__change_work change;
    hol__station *last;
    double *times, *measures, *values;
    hol__collocation formulas[2]; /* as links have them: inside, and before a jump */
    int done;
} hol__adjoint;

/* All goals at once, from the last station to the first, into the gradient. */
hol_status hol__adjoint_sweep(hol__adjoint *adjoint);

#endif
