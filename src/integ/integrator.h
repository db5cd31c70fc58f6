/* integrator.h: an integrator as a simulation uses it: steps that are planned, tested, accepted,
 * landed on wanted times, and made again. */
#ifndef HOL_INTEG_INTEGRATOR_H
#define HOL_INTEG_INTEGRATOR_H

#include "integ/stepper.h"

/* By what the controller multiplies a step (control.c). */
typedef struct hol__pace_gains {
    double safety;
    double beta, lean;  /* exponents, times k: beta of the step before, 1 - lean beta of this one */
    double least, most; /* bounds of the factor */
} hol__pace_gains;

/* Those that runs have. */
extern const hol__pace_gains hol__pace_own;

/* How steps are chosen. */
typedef struct hol__control {
    double step;                  /* > 0: fixed step; 0: error-controlled */
    double tolerance;             /* of the local error, relative to scale */
    double stated;                /* the same as the user gave it, for messages; 0: as it is */
    double first;                 /* first step, 0: chosen */
    double max_step;              /* 0: none */
    double min_step;              /* below this the run gives up; 0: 16 eps |t| */
    long max_steps;               /* 0: none */
    double radius;                /* of formulas with chosen damping, where it is given */
    int radius_given;             /* 0: HOL__RADIUS */
    int watched;                  /* hol__integrator_rates is asked for */
    const hol__pace_gains *gains; /* NULL: hol__pace_own */
} hol__control;

typedef struct hol__integ_stats {
    long steps, rejected, evaluations;
    long failures; /* steps repeated because f or project asked to */
    double last_step;
    long starts; /* how often a history of steps began */
} hol__integ_stats;

typedef struct hol__integrator hol__integrator;

/* Everything that the integrator needs, allocated here and nowhere else. NULL without memory, or
 * when control is not one that the formula can follow (see the messages). system must outlive
 * it. */
hol__integrator *hol__integrator_new(hol_context *ctx, const hol__stepper_type *type,
                                     const hol__system *system, const hol__control *control);
void hol__integrator_free(hol__integrator *integ);

/* Start at (t, y): y is copied. Forgets all history (first-same-as-last, controller memory); the
 * grid of fixed steps begins here. The statistics go on, so that max_steps counts over restarts. */
hol_status hol__integrator_start(hol__integrator *integ, double t, const double *y);

/* Go on from the committed time with another y (the meaning of its components has changed): history
 * is forgotten, but the step length and the grid of fixed steps are kept. */
hol_status hol__integrator_continue(hol__integrator *integ, const double *y);

/* The same with the same y a moment later, on the other side of a jump of f: t is next to the
 * committed time but for rounding. */
hol_status hol__integrator_hop(hol__integrator *integ, double t);

/* Go on where another left off, after hol__integrator_start at its time: its statistics and its
 * grid of fixed steps. The states of the two need not have the same size. */
void hol__integrator_succeed(hol__integrator *integ, const hol__integrator *before);

/* One accepted step that ends at t_stop at the latest (exactly there when the step would pass or
 * come close to it). t_stop must be later than the time: there is no going backwards. On return the
 * integrator holds the old base: the interpolant is valid and y is relative to it; the next step
 * (or hol__integrator_commit) retracts. On failure the integrator stays at the state it had,
 * committed. */
hol_status hol__integrator_step(hol__integrator *integ, double t_stop);

/* The steps to come evaluate f up to t alone, for formulas that look beyond the end of a step; f
 * may be another function later. Until it is called: up to their end. */
void hol__integrator_edge(hol__integrator *integ, double t);

/* One attempt from the committed state to t_new, with projection and a check that all is finite,
 * but without error test; what the controller wants stays as it is. A step that is open is
 * committed first. On return the step is open, as after hol__integrator_step. A status > 0 (also
 * HOL_NONFINITE) is returned without a message; the integrator is then where it was. */
hol_status hol__integrator_leap(hol__integrator *integ, double t_new);

/* Give up the open step: back at its start, with everything that was known there, also what the
 * controller wanted; the step is not counted. Nothing when no step is open. */
void hol__integrator_undo(hol__integrator *integ);

/* f at the committed state as the caller knows it, where evaluating it there would not do. */
void hol__integrator_prime(hol__integrator *integ, const double *f);

/* The length that the controller wants next, whatever t_stop cuts off; 0: not chosen yet. */
double hol__integrator_wanted(const hol__integrator *integ);

/* Rates times the step, as the last step but one showed them. */
hol__rates hol__integrator_rates(const hol__integrator *integ);

/* The norm of the error estimate of the last attempt (<= 1: it passes); NAN where none was made: in
 * fixed steps and retakes, and in a leap without an estimate or a tolerance. */
double hol__integrator_error(const hol__integrator *integ);

/* The times of the stages as shares of a step, in c (HOL__MAX_STAGES of them at most); their
 * number. */
int hol__integrator_stages(const hol__integrator *integ, double *c);

/* Redo the step just made so that it ends at t_new inside it, for events: old time < t_new <= the
 * end of the step as it was first made, so that retakes may be repeated. One step of the same
 * method with the projection, without error test. On failure the integrator is back at the old
 * time. */
hol_status hol__integrator_retake(hol__integrator *integ, double t_new);

/* The same; a status > 0 comes back without a message. */
hol_status hol__integrator_try_retake(hol__integrator *integ, double t_new);

/* Accept for good: retract now. Idempotent. Afterwards there is nothing to interpolate or retake
 * until the next step. */
void hol__integrator_commit(hol__integrator *integ);

/* Whether the next step has no history of steps behind it: it was lost with the base of the last
 * one, or there is none. */
int hol__integrator_starts(const hol__integrator *integ);

/* The end of the last step, its start, and the state there (increments relative to the base as it
 * is now). */
double hol__integrator_time(const hol__integrator *integ);
double hol__integrator_old_time(const hol__integrator *integ);
const double *hol__integrator_state(const hol__integrator *integ);

/* f at the end of the last step when it is known (after projection), else NULL. First-same-as-last
 * methods know it after every step, the others after hol__integrator_dense; the next step evaluates
 * it if it has to. */
const double *hol__integrator_derivative(const hol__integrator *integ);

/* The interpolant of the last step at t in [old time, time], relative to the base of the step's
 * start (call before commit). Allocates nothing; f at the end and, for 8(5,3), the extra stages are
 * evaluated at the first call after a step; a status > 0 of f there is passed on (a shorter retake
 * may help). */
hol_status hol__integrator_dense(hol__integrator *integ, double t, double *y);

/* The same where an error as large as the tolerance does no harm: without extra stages where the
 * formula can show that it is no larger. */
hol_status hol__integrator_dense_rough(hol__integrator *integ, double t, double *y);

/* The exact state, also inside an open step: an integrator of the same formula and size that loads
 * it goes on with the same bits, statistics included. What belongs to the system (its base point,
 * what begin_step told it) is the system's to save. A block that was not saved by the same formula
 * with the same n is refused with a message, and nothing changes. */
size_t hol__integrator_size(const hol__integrator *integ);
void hol__integrator_save(const hol__integrator *integ, void *block);
hol_status hol__integrator_load(hol__integrator *integ, const void *block, size_t size);

/* The counts so far; all 0 of no integrator. */
hol__integ_stats hol__integrator_stats(const hol__integrator *integ);

#endif
