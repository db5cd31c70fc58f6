/* integ.h: the inside of an integrator, shared by the files of this folder.
 *
 * Invariants:   1. y_old, t_old are the start of the step, y, t its end. Between steps y is the
 * state; y_old is spare.   2. k[0] is f(t_old, y_old) when first_known; k[last] is f(t, y) when
 * last_known. Pointers are swapped, not copied.   3. open: a step was made and not committed; only
 * then the interpolant and a retake exist.   4. Stage points are built in y, which the end of the
 * step then overwrites; those of the interpolant in err.
 */
#ifndef HOL_INTEG_INTEG_H
#define HOL_INTEG_INTEG_H

#include "integ/ode.h"

enum { HOL__MAX_SLOPES = 16, HOL__MAX_DENSE_ROWS = 4 };

struct hol__integrator {
    hol_context *ctx;
    const hol__rk_table *table;
    const hol__ode *ode;
    hol__control control;
    int n;
    int slopes; /* stages, f at the end, extra stages */
    int last;   /* the slope that is f at the end */

    double *block; /* all vectors below */
    double *y, *y_old;
    double *k[HOL__MAX_SLOPES];
    double *d[HOL__MAX_DENSE_ROWS]; /* interpolant beyond the cubic */
    double *err, *err2, *scale;

    double t, t_old;
    double t_reach; /* the end of the step before any retake */
    int open, first_known, last_known, dense_ready;

    double gap
        [HOL__MAX_SLOPES]; /* middles of the gaps between stages that are fit to pass a place in, rising */
    int gaps;
    int narrow; /* the width of a place to pass no longer counts in this step */

    double h_try;   /* the longest step tried from here so far, or from the last state */
    double h_next;  /* what the controller wants, whatever t_stop cuts off; 0: not chosen yet */
    double h_long;  /* the longest step of late */
    double ease;    /* what the tolerance is multiplied with in this attempt */
    double err_old; /* norm of the estimate of the last full step */
    double t_grid;  /* fixed steps: t_grid + k step, k = grid at or before t */
    long long grid, grid_old;

    hol__integ_stats stats;
};

/* rk.c: out = y + h sum_j a_j k_j over j < m, zeros skipped; y NULL: without it. */
void hol__rk_combine(int n, const double *y, double h, int m, const double *a, double *const *k,
                     double *out);

/* rk.c: ydot = f(t, y), counted. */
hol_status hol__rk_rhs(hol__integrator *integ, double t, const double *y, double *ydot);

/* rk.c: make k[0] = f(t_old, y_old), and k[last] = f(t, y), known. */
hol_status hol__rk_first(hol__integrator *integ);
hol_status hol__rk_last(hol__integrator *integ);

/* rk.c: y = the corrected end of a step from (t_old, y_old) to t_new = t_old + h. */
hol_status hol__rk_attempt(hol__integrator *integ, double t_new, double h);

/* rk.c: 1 when all of x is finite. */
int hol__rk_finite(int n, const double *x);

/* pass.c: fill gap. */
void hol__pass_gaps(hol__integrator *integ);

/* pass.c: whether a step from t with the length that the controller wants has to mind a place to pass. */
int hol__pass_near(const hol__integrator *integ, double t);

/* pass.c: the length of the next step: h_next, or what passes the place; forced: it is longer than h_next allows. tries: rejected
 * so far. */
double hol__pass_length(const hol__integrator *integ, int tries, int *forced);

/* control.c: scale at y_old. */
void hol__control_scale(hol__integrator *integ);

/* control.c: the norm of the error estimate of the step of length h; accept when <= 1. */
double hol__control_error(hol__integrator *integ, double h);

/* control.c: what to multiply the step with after an accepted and after a rejected one. */
double hol__control_growth(const hol__integrator *integ, double err);
double hol__control_cut(const hol__integrator *integ, double err);

/* control.c: the first step into h_next. Statuses < 0 only. */
hol_status hol__control_first(hol__integrator *integ);

#endif
