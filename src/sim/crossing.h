/* crossing.h: singular positions: seen ahead, crossed, counted (crossing.c). */
#ifndef HOL_SIM_CROSSING_H
#define HOL_SIM_CROSSING_H

#include "base/option.h"
#include "correct/correct.h"
#include "form/form.h"
#include "la/gauge.h"

/* The values of the option `crossing`, and its row. */
enum { HOL__CROSSING_AUTO, HOL__CROSSING_OFF, HOL__CROSSING_ON };
extern const hol__option_rows hol__crossing_options;

/* So many instants are kept; later crossings are counted only. */
enum { HOL__CROSSINGS_KEPT = 1024 };

typedef struct hol__crossing {
    int lays;              /* steps are laid around singular positions */
    hol__correction *lent; /* what a method without a correction is lent there; NULL: nothing */
    hol__kernel *lender;   /* the kernel of the lent correction where it is not the method's */
    hol__gauge *gauge;     /* NULL: no constraints */
    double *lengths;       /* of the rows, for the gauge */
    long readings;         /* of the gauge */
    double gap;            /* middle of the widest gap between the stages of the formula */

    double share, t_share; /* of the most dependent row, as last read, and when that was */
    int n_shares;
    double *shares;    /* all of them */
    double moved;      /* since then, in radians and lengths of the mechanism */
    double t_singular; /* the singular position ahead; INFINITY: none in reach */
    int active;        /* the step under way leads to one or over it */
    int cuts;          /* how often the step over it was shortened */
    int at_start;      /* the run starts in one */

    /* the state from which one is in reach, solved */
    int kept;
    double t, balance;
    double *q, *v, *a;
    double *x, *y, *q_there, *before, *behind; /* scratch */
    double *stage;                             /* the stage under way, on the constraints */
    int leaps;                                 /* the step over the position is under way */

    /* a method that is not helped: the last state away from singular positions */
    int near; /* since then one was near */
    double t_away, balance_away;
    double *v_away, *a_away;

    long count;
    double times[HOL__CROSSINGS_KEPT];
} hol__crossing;

#endif
