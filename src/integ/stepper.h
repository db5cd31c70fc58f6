/* stepper.h: what an integrator is: a formula that makes one step.
 *
 * A stepper is told where a step starts and ends and gives the state at its end. How long steps
 * are, whether they pass, and when they are made again is the business of an integrator
 * (evolve.c), which knows nothing of a stepper but this interface. Formulas of one kind (all
 * explicit Runge–Kutta tables) share their functions (`ops`) and differ in their numbers (`table`);
 * steppers.c lists them all.
 */
#ifndef HOL_INTEG_STEPPER_H
#define HOL_INTEG_STEPPER_H

#include "base/archive.h"
#include "base/option.h"
#include "integ/system.h"

#include <stddef.h>

enum { HOL__MAX_STAGES = 16, HOL__GIVEN = 2 };

/* The spectral radius of formulas with chosen damping where nobody gives one. */
#define HOL__RADIUS 0.8

/* The step being made. The vectors belong to the integrator, which exchanges them between steps. */
typedef struct hol__step {
    double t, t_new;          /* its start and its end */
    double h;                 /* its length, t_new - t but for rounding */
    double *y_old, *y;        /* the state at its start; at its end, which the stepper writes */
    double *f_old, *f;        /* f there, where known */
    int f_old_known, f_known; /* HOL__GIVEN: by the caller, whatever f is */
    /* For formulas that iterate: the scale at the start of the step, and the tolerance relative to
     * it. */
    const double *scale;
    double tolerance;
    /* its error will be tested: less work will do where it passes, and it may be shortened */
    int tested;
    double edge; /* f may be another function beyond it, or none */
    int content; /* an interpolant whose error is estimated to be below the tolerance will do */
    /* For formulas that choose their own steps: the first one and the longest one, 0: as they
     * please; and, set by the formula, the length that it wants next. */
    double first, longest, next;
} hol__step;

typedef struct hol__stepper hol__stepper;

/* How fast things are, times the length of a step, in the norm of the errors; NAN: not known.
 * field: |f(y_1) - f(Y)| / |y_1 - Y| for a point Y beside the end, the fastest rate of f; motion:
 * |f(y_1) - f(y_0)| / |y_1 - y_0|, that of the motion itself. */
typedef struct hol__rates {
    double field, motion;
} hol__rates;

/* The functions of a kind of stepper. What a kind does not have is NULL. */
typedef struct hol__stepper_ops {
    /* The state of a stepper for stepper->system, allocated here and nowhere else. */
    hol_status (*create)(hol__stepper *stepper);
    void (*free)(hol__stepper *stepper);
    /* step->y = the projected end of the step, from y_old. f is set where the formula evaluates it,
     * at the projected end. Statuses > 0: a shorter step may help. */
    hol_status (*attempt)(hol__stepper *stepper, hol__step *step);
    /* For formulas that choose their own steps: the step just made ends at t_new inside it. */
    hol_status (*shorten)(hol__stepper *stepper, hol__step *step, double t_new);
    /* For the same: the end of the step, y before, is y now, relative to another base. */
    void (*shift)(hol__stepper *stepper, const double *before, const double *now);
    /* The norm of the error estimate of the attempt just made; the step passes when it is <= 1. */
    double (*error)(hol__stepper *stepper, const hol__step *step, const double *scale,
                    double tolerance);
    /* By what the next step is longer than the one just made, shorter after a norm above 1, for
     * formulas whose order changes. NULL: by the order of the estimate. */
    double (*growth)(const hol__stepper *stepper, double norm);
    /* y at t + s h inside the step just made, 0 < s < 1. A status > 0 of f is passed on. */
    hol_status (*dense)(hol__stepper *stepper, hol__step *step, double s, double *y);
    /* The times of the stages as shares of the step, in c; their number. */
    int (*abscissae)(const hol__stepper *stepper, double *c);
    /* What is known from before does not hold any more: the state was changed from outside. NULL:
     * the stepper keeps nothing. */
    void (*reset)(hol__stepper *stepper);
    /* Everything that the next step or the interpolant of the last one depends on, out or in; the
     * vectors of the step are not part of it. NULL: nothing. */
    void (*archive)(hol__stepper *stepper, hol__archive *archive);
    /* The multipliers (dae.h) at the end of the step just made, as the formula has them. NULL: it
     * has none. */
    const double *(*multipliers)(const hol__stepper *stepper);
    /* As the last step but one showed them. Only where stepper->watched is set. */
    hol__rates (*rates)(const hol__stepper *stepper);
} hol__stepper_ops;

/* An integrator: a row of the table in steppers.c. */
typedef struct hol__stepper_type hol__stepper_type;

struct hol__stepper_type {
    const char *name;  /* "rk4" */
    const char *title; /* "classical Runge–Kutta" */
    int order;         /* of the solution that is continued */
    int error_order;   /* q: the estimate goes as h^(q+1); 0: no estimate, fixed steps only */
    int dense_order;   /* q: the interpolant of one step is off by O(h^(q+1)) */
    int dense_held;    /* the interpolant of a step that passes is off by less than the estimate */
    double stable;     /* h |lambda| beyond which steps are bound by stability; 0: not known */
    int implicit;      /* asks the system for its derivatives: linearize, shift, solve */
    int iterates;      /* solves equations up to a share of the tolerance */
    int slots;         /* > 0: takes constrained equations (dae.h), with that many matrices … */
    int inertial;      /* … and that of M and A alone … */
    int lambda_order;  /* … and their multipliers have this order */
    int forms;         /* takes any F = 0 of index 1 or 2, not the stabilised form alone */
    int holonomic;     /* takes constraints of positions only */
    /* Chooses and tests its steps itself, from a history of steps, which holds as long as a step
     * starts where the last one ended: `attempt` ends at t_new at the latest and sets t_new, h and
     * next. Single steps of a given length are made by `leaper`. */
    int paces;
    const hol__stepper_type *leaper;
    int recalls; /* goes on with how f changed in the step before: not where f jumped in it */
    int varies;  /* what it makes of a step depends on more than its length: it has no one R(z) */
    const char *missing; /* the library that this build lacks for it; NULL: it is there */
    const hol__stepper_ops *ops;
    const void *table; /* the numbers of the formula, for ops */
};

/* A stepper with its state. */
struct hol__stepper {
    const hol__stepper_type *type;
    const hol__system *system;
    hol_context *ctx;
    int n;
    int watched;      /* h |lambda| is wanted */
    double radius;    /* by which formulas with chosen damping damp the fastest oscillations */
    void *state;      /* of the kind */
    long evaluations; /* of f */
    long rejected;    /* tries that a formula that paces itself has made again */
    long starts;      /* how often its history began anew */
    char said[200];   /* what a library says of its last failure */
};

/* The i-th integrator, NULL past the end; and by name, NULL when there is none. */
const hol__stepper_type *hol__stepper_get(int i);
const hol__stepper_type *hol__stepper_find(const char *name);

/* The names of the integrators with an error estimate, as "a, b or c". */
const char *hol__stepper_controlled(char *buf, size_t size);

/* Make a stepper; what a failure leaves behind is freed by hol__stepper_close. */
hol_status hol__stepper_open(hol__stepper *stepper, hol_context *ctx, const hol__stepper_type *type,
                             const hol__system *system);
void hol__stepper_close(hol__stepper *stepper);

/* Whatever the stepper knew from before does not hold any more. */
void hol__stepper_reset(hol__stepper *stepper);

/* ydot = f(t, y), counted. */
static inline hol_status hol__stepper_rhs(hol__stepper *stepper, double t, const double *y,
                                          double *ydot) {
    stepper->evaluations++;
    return stepper->system->rhs(stepper->system->self, t, y, ydot);
}

/* Make f_old = f(t, y_old), and f = f(t_new, y), known. */
static inline hol_status hol__stepper_first(hol__stepper *stepper, hol__step *step) {
    if (step->f_old_known) return HOL_OK;
    const hol_status status = hol__stepper_rhs(stepper, step->t, step->y_old, step->f_old);
    step->f_old_known = status == HOL_OK;
    return status;
}

static inline hol_status hol__stepper_last(hol__stepper *stepper, hol__step *step) {
    if (step->f_known) return HOL_OK;
    const hol_status status = hol__stepper_rhs(stepper, step->t_new, step->y, step->f);
    step->f_known = status == HOL_OK;
    return status;
}

/* y at the end of the step, onto the constraints. */
static inline hol_status hol__stepper_project(const hol__stepper *stepper, hol__step *step) {
    const hol__system *system = stepper->system;
    return system->project ? system->project(system->self, step->t_new, step->y) : HOL_OK;
}

/* out = y + h sum_j a_j k_j over j < m, zeros skipped; y NULL: without it. */
void hol__combine(int n, const double *y, double h, int m, const double *a, double *const *k,
                  double *out);

/* y at t + s h by the cubic of both ends of the step, f0 and f1 the rates there. */
void hol__cubic(int n, const hol__step *step, double s, const double *f0, const double *f1,
                double *y);

/* 1/n sum (x_i / s_i)^2; 0 for n = 0. */
double hol__mean_square(int n, const double *x, const double *s);

/* The same of what an iteration adds, as errors count (system.h, `weigh`; in place): momenta along
 * the constraints, of which stiff terms make much, mean no velocity. */
double hol__stepper_added(const hol__stepper *stepper, int n, double *x, const double *scale);

/* The same of an error, which becomes the part of it that the projection does not remove. */
double hol__stepper_norm(const hol__stepper *stepper, double *error, const double *scale);

/* 1 when all of x is finite. */
int hol__all_finite(int n, const double *x);

/* The options of integrators and of their control. */
extern const hol__option_rows hol__integrator_options;

#endif
