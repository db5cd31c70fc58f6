/* creep.h: runs that take ever so many steps, and limits of the time they may take. */
#ifndef HOL_SIM_CREEP_H
#define HOL_SIM_CREEP_H

#include <stddef.h>

typedef struct hol__creep {
    double spent;  /* seconds in steps, on the clock */
    double looked; /* … when the pace was last looked at, with time, mean step and steps then */
    double t, step;
    long steps, rejected;
    double crept; /* seconds without relevant progress in a row */
    int told;
} hol__creep;

/* After a step that took so many seconds: says what holds back a run that creeps; an error where a
 * limit of time is passed. The numbers of the run do not depend on it. */
hol_status hol__creep_watch(hol_sim *sim, double seconds);

/* The name of the velocity that changes the fastest against its size, at the accelerations in data;
 * empty: there is none. */
void hol__creep_fastest(const hol_sim *sim, char *name, size_t size);

/* After a step that failed: where max_steps ended a run with chosen steps, says what held it
 * back. */
void hol__creep_stopped(hol_sim *sim);

#endif
