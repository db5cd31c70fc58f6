/* crossing.h: singular positions: what is kept of them, and all numbers of how they are crossed. */
#ifndef HOL_SIM_CROSSING_H
#define HOL_SIM_CROSSING_H

#include "base/option.h"
#include "correct/correct.h"
#include "form/form.h"
#include "la/gauge.h"

/* The values of the option `crossing`, and its row. */
enum { HOL__CROSSING_AUTO, HOL__CROSSING_OFF, HOL__CROSSING_ON };
extern const hol__option_rows hol__crossing_options;

/* ---- the numbers, derived in docs/theory/crossing.md ---- */

/* A share falls by at most this for each radian or length that the mechanism moves. */
#define HOL__STEEPEST 4.0

/* A position is looked for so many steps ahead: the one that lands before it, the one over it. */
#define HOL__REACH 2.0

/* Readings at both ends of a step rule one out where no share vanishes within reach, also if it
 * falls so many times faster from here on. */
#define HOL__FASTER 2.0

/* Rates of the share are differences over so many radians or lengths. */
#define HOL__DIFFERENCE 1e-3

/* Beside a singular position is so many radians or lengths from it. */
#define HOL__BESIDE 1e-2

/* A step that would end within this of the landing place makes the step over it at once. */
#define HOL__LANDING 0.1

/* What a smooth motion leaves of Hermite's formula over a step h, against its velocities: at most
 * (h w)^2/12, where h w <= 1. A motion that changes its branch leaves about 1. */
#define HOL__SMOOTH 0.1

/* A share from which a step that fails may have led into a position. */
#define HOL__NEARLY 0.3

/* A change of branch by an angle of HOL__SMOOTH costs this share of the kinetic energy. */
#define HOL__ENERGY_CHANGE 1e-2

/* No step that leads over a position begins so near to it: whoever is here was led into it, by a
 * driver that does not let go (blocked.c) or by drift. */
#define HOL__DEAD 1e-4

/* A hundred steps in a row that are shorter than a hundredth of the distance to a position may
 * creep into it: those of a smooth motion are about a tenth of it long. */
#define HOL__CREEP 1e-2
enum { HOL__CREEPING_STEPS = 100 };

enum {
    HOL__MOST_CUTS = 6, /* the step over a position is cut in half so often */
    HOL__MOST_DIRECTIONS =
        6, /* ways out of the start that are tried where its constraints depend */
    HOL__CROSSINGS_KEPT = 1024 /* instants; later crossings are counted only */
};

typedef struct hol__crossing {
    int lays;              /* steps are laid around singular positions */
    hol__correction *lent; /* what a method without a correction is lent there; NULL: nothing */
    hol__kernel *lender;   /* the kernel of the lent correction where it is not the method's */
    hol__gauge *gauge;     /* NULL: no constraints */
    double *lengths;       /* of the rows, for the gauge */
    double *units;         /* radians and lengths of the mechanism in a unit of each velocity */
    long readings;         /* of the gauge */
    double gap;            /* middle of the widest gap between the stages of the formula */

    double share, t_share; /* of the most dependent row, as last read, and when that was */
    int n_shares;
    double *shares;    /* all of them */
    int short_steps;   /* in a row, against the distance */
    double longest;    /* step since the motion came near a position */
    double moved;      /* since then, in radians and lengths of the mechanism */
    double t_singular; /* the singular position ahead; INFINITY: none in reach */
    int active;        /* the step under way leads to one or over it */
    int cuts;          /* how often the step over it was shortened */
    double wanted;     /* the longest step that was wanted since it was seen; 0: none is kept */
    int at_start;      /* the run starts in one */

    /* the state from which one is in reach, solved */
    int kept;
    double t, balance;
    double *q, *v, *a;
    double *x, *y, *q_there, *before, *behind; /* scratch */
    double *pull;                              /* of the rows, three times */
    double *stage;                             /* the stage under way, on the constraints */
    int leaps;                                 /* the step over the position is under way */

    int near; /* the share was below HOL__SMOOTH when it was read: what is lent acts */

    /* a method that is watched: the last state away from singular positions */
    double t_away, balance_away;
    double *v_away, *a_away;
    int doubtful; /* since then, it was led over a position, or so near to one that what the
                   * constraints are off by may have parted the branches */
    int lost;     /* it did not continue the motion, and the run went on: crossing: off */

    long count;
    double times[HOL__CROSSINGS_KEPT];
} hol__crossing;

/* Whether the method has of its own what crossing: auto lays steps with: a correction, or
 * independent coordinates. */
int hol__crossing_is_helped(const hol_sim *sim);

/* crossing_ahead.c: the share of the most dependent row at the positions in data. */
hol_status hol__crossing_read(hol_sim *sim, double *share);

/* crossing.c: a gauge of these rows over the metric of lengths: 1 for translations, length^2 for
 * turns; NULL without memory. */
hol__gauge *hol__crossing_gauge(hol_sim *sim, const hol__csr *A, int rank);

/* crossing_ahead.c: fill lengths, at the positions in data. */
void hol__crossing_lengths(hol_sim *sim);

/* crossing_ahead.c: take the last reading into shares; whether it and the one there, h before, keep
 * all shares from becoming zero within reach, also if they fall twice as fast from here on. */
int hol__crossing_stays(const hol__gauge *gauge, double h, double reach, double *shares, int *n);

/* crossing_ahead.c: fill units, once. */
hol_status hol__crossing_units(hol_sim *sim);

/* crossing_ahead.c: the largest component of x, in radians and lengths of the mechanism. */
double hol__crossing_size(const hol_sim *sim, const double *x);

/* crossing_ahead.c: keep the state in data, solved; put it back; and move the positions in data to
 * those a time tau from it, by its Taylor series. */
hol_status hol__crossing_keep(hol_sim *sim);
hol_status hol__crossing_put_back(hol_sim *sim);
void hol__crossing_move(hol_sim *sim, double tau);

/* crossing_ahead.c: the length of the next step, and whether a singular position lies within two of
 * them from the accepted state in data. */
double hol__crossing_next_step(const hol_sim *sim);
hol_status hol__crossing_look(hol_sim *sim);

/* crossing_watch.c: whether error-controlled steps creep into a singular position,
 * after one that moves at this speed. */
int hol__crossing_creeps(hol_sim *sim, double speed);

/* crossing_watch.c: a method that is not helped or can be lent nothing, at a reading; what follows
 * where it does not continue the motion at the singular position in data (an end, or a warning with
 * crossing: off); and the end of a run there. */
hol_status hol__crossing_watch(hol_sim *sim);
hol_status hol__crossing_lost(hol_sim *sim);
hol_status hol__crossing_stop(hol_sim *sim);

/* crossing_start.c: prepare the first step from a singular position. */
hol_status hol__crossing_leave(hol_sim *sim);

#endif
