/* integ.h: the inside of an integrator, shared by the files of this folder.
 *
 * Invariants:   1. step.t, y_old are the start of the step, t, y its end. Between steps y is the
 * state; y_old is spare.   2. f_old is f(step.t, y_old) when f_old_known; f is f(t, y) when
 * f_known. Pointers are swapped, not copied.   3. open: a step was made and not committed; only
 * then the interpolant and a retake exist, and step.t_new is t.   4. Stage points are built in y,
 * which the end of the step then overwrites.
 */
#ifndef HOL_INTEG_INTEG_H
#define HOL_INTEG_INTEG_H

#include "integ/integrator.h"

/* What the controller remembers. */
typedef struct hol__control_memory {
    double h_next;  /* what it wants, whatever t_stop cuts off; 0: not chosen yet */
    double err_old; /* norm of the estimate of the last full step */
} hol__control_memory;

/* How a step comes about: one accepted step from y_old that ends at t_stop at the latest. Statuses
 * that are not HOL_OK stop the run. */
typedef hol_status hol__way(hol__integrator *integ, double t_stop);

struct hol__integrator {
    hol_context *ctx;
    const hol__stepper_type *type;
    const hol__system *system;
    hol__control control;
    hol__way *way;
    int n;
    hol__stepper stepper;
    hol__stepper leaper; /* of a formula that paces itself; else unused */
    int leapt;           /* the last step was made by it */

    double *block; /* all vectors: those of the step, and scale */
    hol__step step;
    double *scale;

    double t;
    double t_reach; /* the end of the step before any retake */
    int open;
    int anew; /* the history of a formula that paces itself was lost when the step was committed */

    double h_try; /* the longest step tried from here so far */
    double error; /* the norm of the last estimate, NAN: none was made */
    hol__control_memory memory, memory_old;
    double t_grid; /* fixed steps: t_grid + k step, k = grid at or before t */
    long long grid, grid_old;

    hol__integ_stats stats;
};

hol__way hol__step_fixed, hol__step_controlled, hol__step_paced;

/* A t_stop within this share of a fixed step of a point of the grid counts as that point. */
#define HOL__GRID_SLACK 1e-9

/* What ways are made of (evolve.c). One attempt from the start of the step to t_new = t + h; the
 * system is told before. */
hol_status hol__evolve_attempt(hol__integrator *integ, double t_new, double h);

/* The same; HOL_NONFINITE where the end is not finite. */
hol_status hol__evolve_attempt_finite(hol__integrator *integ, double t_new, double h);

/* The step ends where the last attempt did. */
void hol__evolve_end(hol__integrator *integ);

/* The grid point k of fixed steps. */
double hol__evolve_grid(const hol__integrator *integ, long long k);

/* What the system knows of why no step from here succeeds; HOL_OK: nothing. */
hol_status hol__evolve_explained(const hol__integrator *integ);

/* The tolerance as its user knows it. */
double hol__evolve_tolerance(const hol__integrator *integ);

/* control.c: scale at y_old. */
void hol__control_scale(hol__integrator *integ);

/* control.c: the norm of the error estimate of the attempt just made; accept when <= 1. */
double hol__control_error(hol__integrator *integ);

/* control.c: what to multiply the step with after an accepted and after a rejected one. */
double hol__control_growth(const hol__integrator *integ, double err);
double hol__control_cut(const hol__integrator *integ, double err);

/* control.c: the first step into h_next. Statuses < 0 only. */
hol_status hol__control_first(hol__integrator *integ);

#endif
