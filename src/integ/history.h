/* history.h: what formulas with a history of steps share, whichever library makes the steps.
 *
 * The history holds while a step starts where the last one ended, (t_end, y_end). Whatever else
 * happens to the state, an event, a jump, other independent coordinates, a step undone, another
 * base of the increments, it begins anew at order 1.
 *
 * The y of the library is the one of the system plus `base`: where a base of increments moves by a
 * shift the history goes on.
 *
 * Inside a step: the polynomial p of the history, with what it is off at the ends spread linearly,
 *
 *     y(s) = p + (1 - s) (y_old - p(t_old)) + s (y - p(t_new))
 */
#ifndef HOL_INTEG_HISTORY_H
#define HOL_INTEG_HISTORY_H

#include "integ/stepper.h"

typedef struct hol__history hol__history;

/* The first member of the state of a stepper. */
struct hol__history {
    hol__stepper *stepper;
    double *block;      /* the vectors below */
    double *y_end, *at; /* the end of the last step; a state as the system sees it */
    double *base;       /* y of the library less y of the system */
    double *w, *f;      /* weights; scratch */
    double *share, *e;  /* what an error of its scale counts for, by entry; scratch */
    int weighed;        /* for how many further weights `share` holds */
    double t_end;       /* NAN: the next step begins anew */
    int begun;          /* there is a history, to the step made last */
    hol_status status;  /* of the system, in the step under way */
    double tolerance;
    double h; /* of the step that is being made */
    /* p(t) as the library has it. */
    const double *(*inside)(hol__history *history, double t);
};

/* Of the tolerance, by iterations. The 0.1 and 0.33 of the libraries spoil the estimates by which
 * they choose order and step where f is stiff: they then make twice as many steps. */
#define HOL__HISTORY_LEFT_OVER 0.01

/* What an iteration leaves over: that share, but no less than rounding makes of it. */
double hol__history_left_over(const hol__history *history);

/* A step that could grow by this factor grows, once it has been made often enough at one length.
 * The 1.5 and 2 of the libraries leave the order where it is for good: one more rarely lets a step
 * of that error grow so much. */
#define HOL__HISTORY_WORTH 1.1

/* Failures of one step, each at least halving it. */
enum { HOL__HISTORY_FAILURES = 30 };

/* For `create` and `free`. */
hol_status hol__history_open(hol__history *history, hol__stepper *stepper);
void hol__history_close(hol__history *history);

/* For hol__stepper_ops. */
void hol__history_reset(hol__stepper *stepper);
void hol__history_archive(hol__stepper *stepper, hol__archive *archive);
void hol__history_shift(hol__stepper *stepper, const double *before, const double *now);
hol_status hol__history_dense(hol__stepper *stepper, hol__step *step, double s, double *y);
hol_status hol__history_shorten(hol__stepper *stepper, hol__step *step, double t_new);

#define HOL__HISTORY_FUNCTIONS                                                                     \
    .shorten = hol__history_shorten, .shift = hol__history_shift, .dense = hol__history_dense,     \
    .reset = hol__history_reset, .archive = hol__history_archive

/* A status of the system, kept, as the libraries want it: > 0 a shorter step may help, < 0 stop. */
int hol__history_answer(hol__history *history, hol_status status);

/* y of the library as the system sees it, in at. */
const double *hol__history_seen(hol__history *history, const double *y);

/* w = 1 / (tolerance scale) at y of the library. */
void hol__history_weights(hol__history *history, const double *y, double *w);

/* Whether the step starts where the last one ended. */
int hol__history_continues(const hol__history *history, const hol__step *step);

/* It begins at the start of the step. The first step, of order 1: half of h^2 |y''| is a quarter of
 * the tolerance, with y'' from an explicit step in which y changes by a hundredth of its scale; 0
 * where f does not exist there. (The libraries would measure changes by y itself, and increments
 * are zero.) */
double hol__history_begin(hol__history *history, hol__step *step);

/* The step was made by the library and ends at step->y: y_end, t_end. */
void hol__history_end(hol__history *history, const hol__step *step);

/* |P(y) - y| in tolerances, of the end of the step and y of the library. */
double hol__history_off(hol__history *history, const hol__step *step, const double *y);

/* The status of a step that the library has ended with a flag (>= 0: it was made). What stops a run
 * is not left to it: an iteration by f alone would go on with a shorter step. */
hol_status hol__history_outcome(const hol__history *history, int flag, int no_memory);

/* What a library says of a failure. */
void hol__history_say(hol__history *history, const char *library, const char *text);

#endif
