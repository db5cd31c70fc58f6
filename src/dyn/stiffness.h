/* stiffness.h: which force has the fastest time scale at a state. */
#ifndef HOL_DYN_STIFFNESS_H
#define HOL_DYN_STIFFNESS_H

#include "dyn/data.h"

typedef struct hol__fastest {
    const hol__element *force; /* NULL: none depends on positions or velocities */
    double rate;               /* 1/s: sqrt(k/m) of its stiffness, or d/m of its damping */
    double coefficient;        /* k or d, in SI units of the direction in which it is fastest */
    int damps;                 /* it is the damping */
    int turns;                 /* the direction is a rotation */
} hol__fastest;

/* The fastest force at the state in data; it allocates while it works. */
hol_status hol__data_fastest(hol_data *data, hol__fastest *fastest);

/* The unit of its coefficient. */
const char *hol__fastest_unit(const hol__fastest *fastest);

#endif
