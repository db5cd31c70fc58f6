/* contradiction.h: redundant constraints that cannot hold together. */
#ifndef HOL_SIM_CONTRADICTION_H
#define HOL_SIM_CONTRADICTION_H

#include "kernel/kernel.h"

typedef struct hol__contradiction {
    hol__kernel *kernel; /* of W and A; NULL: no constraint is redundant */
    hol__csr W;          /* the metric of lengths */
    double *x;           /* nv */
    double *r, *size;    /* m: what is left over of each row, and what counts as much in it */
    double looked;       /* |psi| over its limit when it was last looked into */
    int told;            /* a contradiction has been reported */
} hol__contradiction;

/* For the model and the rank of the run; nothing where no constraint is redundant. */
hol_status hol__contradiction_init(hol_sim *sim);
void hol__contradiction_free(hol_sim *sim);

/* At the state in data, velocities and accelerations: HOL_OK, or the status with messages that name
 * the elements. */
hol_status hol__contradiction_check(hol_sim *sim, hol_status status);

/* At an accepted state in data whose psi is known: looked into where psi is more than the tolerance
 * allows. */
hol_status hol__contradiction_watch(hol_sim *sim);

/* The run has failed from the state in data: whether the constraints contradict each other right
 * after it, said with the names of the elements. */
void hol__contradiction_explain(hol_sim *sim, hol_status status);

#endif
