/* extremes.h: the least and the largest value of every measure over all accepted steps, and over
 * the outputs alone; and who keeps those of other columns (io/record_extremes.c). */
#ifndef HOL_SIM_EXTREMES_H
#define HOL_SIM_EXTREMES_H

#include <holonom/sim.h>

/* Who looks at every accepted step beside the measures: a file with other columns. */
typedef struct hol__onlooker {
    void (*look)(void *self, hol_sim *sim);
    void *self;
    struct hol__onlooker *next;
} hol__onlooker;

typedef struct hol__extremes {
    hol__onlooker *onlookers;
    int n;      /* columns of measures; 0: nobody wants them */
    int solves; /* some need accelerations or reactions */
    long samples;
    double *block;
    double *low, *t_low, *high, *t_high; /* over accepted steps and outputs, and when */
    double *sample_low, *sample_high;    /* over outputs */
    char loads[512];                     /* the largest loads, as a file that saw them tells */
} hol__extremes;

/* Call it after every accepted step, with the state in the data of the simulation, until it is
 * taken away; not with the option `extremes: off`. It lives as long as it is there. */
void hol__extremes_add(hol_sim *sim, hol__onlooker *onlooker);
void hol__extremes_drop(hol_sim *sim, hol__onlooker *onlooker);

/* What a file that is closed says of the largest loads; NULL: nothing. */
void hol__extremes_tell(hol_sim *sim, const char *loads);

/* What is known of the state in the data of a simulation without further work. */
typedef struct hol__sight {
    unsigned long stamp; /* of positions and time */
    int forces, solved;  /* evaluated there; and the equations of motion solved */
} hol__sight;

hol__sight hol__extremes_sight(const hol_sim *sim);

/* What samples may miss of the range of a column before a warning says so. */
#define HOL__EXTREMES_MISSED 0.1

#endif
