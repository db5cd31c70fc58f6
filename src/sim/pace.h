/* pace.h: whether other independent coordinates are worth the history of steps that a change costs,
 * by the speed of the integration [GJB 5.2.1]. */
#ifndef HOL_SIM_PACE_H
#define HOL_SIM_PACE_H

#include "base/archive.h"

#include <holonom/sim.h>

/* Evaluations and the time that they led over. */
typedef struct hol__course {
    double evaluations, time;
} hol__course;

typedef struct hol__pace {
    int on;           /* the integrator has a history, and the coordinates may change */
    double t;         /* of the last look … */
    long evaluations; /* … and the counts there */
    long starts;
    int starting; /* the last fresh start still costs: its course, and at two marks on it */
    hol__course start, mark, before;
    double cost;        /* of a fresh start, in evaluations: the mean of those measured … */
    long measured;      /* … and their number */
    hol__course good;   /* the present stretch with coordinates as the watch wants them */
    double per_second;  /* evaluations a second in the last such stretch; 0: not known */
    double lost;        /* evaluations since the coordinates are worse */
    double slack, drop; /* 1/strain at the last look, and its rate to there; NAN: not known */
} hol__pace;

/* A run begins, or goes on from another state: what a fresh start costs is known then. */
void hol__pace_start(hol_sim *sim, int first);

/* An accepted step: its length, that of the one wanted next, what it took, and the strain of the
 * coordinates at its end. */
typedef struct hol__paced_step {
    double h, next, evaluations, strain;
    int fresh; /* the history began with it */
} hol__paced_step;

/* Whether to change the coordinates after this step. */
int hol__pace_step(hol__pace *pace, const hol__paced_step *step);

/* The same after an accepted step of a run, whose coordinates have been looked at. */
int hol__pace_is_over(hol_sim *sim);

/* What it keeps, out or in. */
void hol__pace_walk(hol_sim *sim, hol__archive *archive);

#endif
