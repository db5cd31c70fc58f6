/* system.h: a system of ordinary differential equations as an integrator sees it.
 *
 *     y' = f(t, y)
 *     y <- project(t, y) brings y back onto the constraints, inside the step, before the error test
 *
 * The state y lives in a vector space. Where positions live on a manifold (unit quaternions) y
 * holds increments relative to a base point that the system keeps: y starts a step with increments
 * zero, and after the step was accepted `retract` moves the base point and sets them to zero again.
 *
 * Calls go one way. A system never asks an integrator anything: what a right-hand side has to know
 * of the step that is being made is handed to it by `begin_step`. What a system does not have is
 * NULL.
 */
#ifndef HOL_INTEG_SYSTEM_H
#define HOL_INTEG_SYSTEM_H

#include "base/context.h"

typedef struct hol__system {
    int n;
    void *self;
    /* A step of length h from t is about to be tried. A step that is tried again shorter keeps the
     * length of its longest try, so that what is divided by it shrinks with the step. Returns
     * whether f has become another function: then what is known of f at t does not hold. */
    int (*begin_step)(void *self, double t, double longest);
    /* ydot = f(t, y). > 0: a smaller step may help; < 0: stop. */
    hol_status (*rhs)(void *self, double t, const double *y, double *ydot);
    /* y <- the state on the constraints. Same statuses. */
    hol_status (*project)(void *self, double t, double *y);
    /* The part of an error estimate that `project` does not remove, in place: directions across the
     * constraints are not errors of the projected state. Called right after `project` for the same
     * state. NULL: all of it. */
    void (*tangent)(void *self, double *error);
    /* For formulas that weigh entries one by one: an error as it counts against `scale`, in place,
     * at the state of the last evaluation (momenta by the velocities that they mean). NULL: as it
     * is. */
    hol_status (*weigh)(void *self, double *error);
    /* The step to (t, y) is accepted: make it the base, setting the increments in y to zero. */
    void (*retract)(void *self, double t, double *y);
    /* For formulas that keep a history of steps, which is relative to one base. shifts: retract
     * subtracts from y what it moves the base by, and nothing else changes. Otherwise far: whether
     * y has gone so far from the base that it has to move; such formulas are retracted only then,
     * and begin anew. NULL: never. */
    int shifts;
    int (*far)(void *self, double t, const double *y);
    /* ydot, known at the old base, as it is at the new one; called right after retract with the y
     * that it left, and only when ydot is known. For rotations u' = dexp^-1_u(omega) becomes u' =
     * omega. NULL: ydot does not depend on the base. Leaving it out where it is needed costs the
     * first-same-as-last methods their order. */
    void (*retract_rate)(void *self, double t, const double *y, double *ydot);
    /* scale[i]: the size of y[i] against which the tolerance is relative (> 0); y is at the start
     * of the step. NULL: 1 + |y[i]|. */
    void (*scale)(void *self, const double *y, double *scale);
    /* size[i]: how large y[i] is (> 0), for differences of f, which are as blurred as f. NULL: 1 +
     * |y[i]|. */
    void (*size)(void *self, const double *y, double *size);
    /* No step from (t, y) succeeds: the status of an error with which the system has said why, or
     * HOL_OK where it does not know and the integrator reports its own. */
    hol_status (*explain)(void *self, double t, const double *y);
    /* For implicit formulas, all three or none. linearize: J = df/dy at (t, y) is kept by the
     * system, ft = df/dt; f is f(t, y) and h the length of the step, in which f changes smoothly.
     * ft NULL: J only steers an iteration, and may lack what costs much and helps little; f is not
     * needed then. shift: factor I - g J. solve: x = (I - g J)^-1 r; x is not r. */
    hol_status (*linearize)(void *self, double t, const double *y, const double *f, double h,
                            double *ft);
    hol_status (*shift)(void *self, double g);
    hol_status (*solve)(void *self, const double *r, double *x);
    int exact; /* derivatives are no differences of f: they cost no evaluation for each unknown */
    /* For iterations at another state y than that of linearize: r there as it would be at that one
     * (before solve), and back: x as it is at y (after it). NULL: the same. */
    void (*turn)(void *self, const double *y, int back, double *r);
    /* The constrained equations behind y' = f, for formulas that take them as they are (dae.h);
     * NULL: there are none, or the system has made others of them. */
    const struct hol__dae *dae;
} hol__system;

/* x = (I - g J)^-1 r for an iteration at y; r is used up. */
static inline hol_status hol__system_solve_at(const hol__system *system, const double *y, double *r,
                                              double *x) {
    if (system->turn) system->turn(system->self, y, 0, r);
    const hol_status status = system->solve(system->self, r, x);
    if (system->turn) system->turn(system->self, y, 1, x);
    return status;
}

#endif
