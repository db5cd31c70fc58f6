/* ode.h: a system of ordinary differential equations as an integrator sees it, and the integrators.
 *
 * The integrator knows nothing of mechanics. The state y lives in a vector space; where positions
 * live on a manifold (unit quaternions), y holds increments relative to a base point that the
 * system keeps: y starts a step with increments zero, and after the step was accepted `rebase`
 * moves the base point and sets them to zero again.
 *
 *     y' = f(t, y)
 *     y <- correct(t, y) brings y back onto the constraints, inside the step, before the error test
 */
#ifndef HOL_INTEG_ODE_H
#define HOL_INTEG_ODE_H

#include "base/context.h"

typedef struct hol__ode {
    int n;
    void *self;
    /* ydot = f(t, y). > 0: a smaller step may help; < 0: stop. */
    hol_status (*rhs)(void *self, double t, const double *y, double *ydot);
    /* y <- the corrected state. May be NULL. Same statuses. */
    hol_status (*correct)(void *self, double t, double *y);
    /* The part of an error estimate that `correct` does not remove, in place: directions across the
     * constraints are not errors of the corrected state. Called right after `correct` for the same
     * state. May be NULL: all of it. */
    void (*tangent)(void *self, double *error);
    /* Whether the trouble with the step under way is a place to get over, such as a singular
     * position, where ever shorter steps only lead into it. Then a step as long as the longest of
     * late is tried, with an eased tolerance. May be NULL: never. */
    int (*passes)(void *self);
    /* When such a place is expected, as far as known at the start of the step, and how near to it in
     * time no step should end: error-controlled steps are laid so that no stage comes near it
     * (pass.c). INFINITY: none ahead. May be NULL. */
    double (*obstacle)(void *self, double *width);
    /* The step to (t, y) is accepted: make it the base, setting the increments in y to zero. May be
     * NULL. */
    void (*rebase)(void *self, double t, double *y);
    /* ydot, known at the old base, as it is at the new one; called right after rebase with the y
     * that it left, and only when ydot is known. For rotations u' = dexp^-1_u(omega) becomes u' =
     * omega. May be NULL: ydot does not depend on the base. Leaving it out where it is needed costs
     * the first-same-as-last methods their order. */
    void (*rebase_rate)(void *self, double t, const double *y, double *ydot);
    /* scale[i]: the size of y[i] against which the tolerance is relative (> 0); y is at the start
     * of the step. May be NULL: 1 + |y[i]|. */
    void (*scale)(void *self, const double *y, double *scale);
} hol__ode;

/* An integration method: a Runge–Kutta table as data. */
typedef struct hol__rk_table {
    const char *name;  /* "rk4" */
    const char *title; /* "classical Runge–Kutta" */
    int stages;
    int order;       /* of the solution that is continued */
    int error_order; /* q: the estimate's norm goes as h^(q+1); 0: no estimate, fixed steps only */
    int fsal;        /* the last stage is f at the end of the step; then the last row of a is b */
    const double *a; /* stages x stages, row-major, strictly lower */
    const double *b, *c;
    const double *e;  /* weights of the error estimate, h sum e_i k_i; NULL when there is none */
    const double *e2; /* second estimate (8(5,3)), NULL elsewhere */
    int dense_order;  /* q: the interpolant of one step is off by O(h^(q+1)) */
    int extra_stages; /* more stages for the interpolant (8(5,3): 3) */
    /* The interpolant beyond cubic Hermite, over all slopes: the stages, f at the end (unless
     * fsal), the extra stages. */
    int dense_rows;        /* polynomials beyond the cubic */
    const double *dense_a; /* extra_stages x slopes */
    const double *dense_c; /* extra_stages */
    const double *dense_d; /* dense_rows x slopes */
} hol__rk_table;

/* The i-th table, NULL past the end; and by name, NULL when there is none. */
const hol__rk_table *hol__rk_get(int i);
const hol__rk_table *hol__rk_find(const char *name);

/* How steps are chosen. */
typedef struct hol__control {
    double step;      /* > 0: fixed step; 0: error-controlled */
    double tolerance; /* of the local error, relative to scale */
    double first;     /* first step, 0: chosen */
    double max_step;  /* 0: none */
    double min_step;  /* below this the run gives up; 0: 16 eps |t| */
    long max_steps;   /* 0: none */
} hol__control;

typedef struct hol__integ_stats {
    long steps, rejected, evaluations;
    long failures; /* steps repeated because f or correct asked to */
    double last_step;
    long eased; /* steps that passed such a place */
} hol__integ_stats;

typedef struct hol__integrator hol__integrator;

/* Everything that the integrator needs, allocated here and nowhere else. NULL without memory, or
 * when control is not one that the table can follow (see the messages). ode must outlive it. */
hol__integrator *hol__integrator_new(hol_context *ctx, const hol__rk_table *table,
                                     const hol__ode *ode, const hol__control *control);
void hol__integrator_free(hol__integrator *integ);

/* Start at (t, y): y is copied. Forgets all history (first-same-as-last, controller memory); the
 * grid of fixed steps begins here. The statistics go on, so that max_steps counts over restarts. */
hol_status hol__integrator_start(hol__integrator *integ, double t, const double *y);

/* Go on from the committed time with another y (the meaning of its components has changed): history is forgotten, but the step
 * length and the grid of fixed steps are kept. */
hol_status hol__integrator_continue(hol__integrator *integ, const double *y);

/* One accepted step that ends at t_stop at the latest (exactly there when the step would pass or
 * come close to it). t_stop must be later than the time: there is no going backwards. On return the
 * integrator holds the old base: the interpolant is valid and y is relative to it; the next step
 * (or hol__integrator_commit) rebases. On failure the integrator stays at the state it had,
 * committed. */
hol_status hol__integrator_step(hol__integrator *integ, double t_stop);

/* Whether the next step is one towards or over a place to pass (hol__ode.obstacle): then t_stop had
 * better not cut it. */
int hol__integrator_passing(const hol__integrator *integ);

/* Redo the step just made so that it ends at t_new inside it, for events: old time < t_new <= the
 * end of the step as it was first made, so that retakes may be repeated. One step of the same
 * method with the correction, without error test. On failure the integrator is back at the old
 * time. */
hol_status hol__integrator_retake(hol__integrator *integ, double t_new);

/* Accept for good: rebase now. Idempotent. Afterwards there is nothing to interpolate or retake
 * until the next step. */
void hol__integrator_commit(hol__integrator *integ);

/* The end of the last step, its start, and the state there (increments relative to the base as it
 * is now). */
double hol__integrator_time(const hol__integrator *integ);
double hol__integrator_old_time(const hol__integrator *integ);
const double *hol__integrator_state(const hol__integrator *integ);

/* f at the end of the last step when it is known (after correction), else NULL. First-same-as-last
 * methods know it after every step, the others after hol__integrator_dense; the next step evaluates
 * it if it has to. */
const double *hol__integrator_derivative(const hol__integrator *integ);

/* The interpolant of the last step at t in [old time, time], relative to the base of the step's
 * start (call before commit). Allocates nothing; f at the end and, for 8(5,3), the extra stages are
 * evaluated at the first call after a step; a status > 0 of f there is passed on (a shorter retake
 * may help). */
hol_status hol__integrator_dense(hol__integrator *integ, double t, double *y);

/* The length of the step whose stages are being evaluated, or of the last one; 0 before. A step that is tried again shorter keeps the length of its
 * first try, so that what is divided by it shrinks with the step. */
double hol__integrator_trial(const hol__integrator *integ);

hol__integ_stats hol__integrator_stats(const hol__integrator *integ);

#endif
