/* correct.h: bringing a state onto the constraints: after a step, and at the start. */
#ifndef HOL_CORRECT_CORRECT_H
#define HOL_CORRECT_CORRECT_H

#include "dyn/data.h"
#include "kernel/kernel.h"

typedef struct hol__correction hol__correction;

typedef struct hol__correction_type {
    const char *name, *title;
    int mass_weighted;
    /* Correct positions and velocities of the data. > 0: not converged. NULL: no correction. */
    hol_status (*run)(hol__correction *correction);
} hol__correction_type;

struct hol__correction {
    const hol__correction_type *type;
    hol__arena arena;
    hol_data *data;
    const hol__csr *W; /* weights: M, or the identity */
    hol__csr identity;
    hol__csr D;             /* holonomic rows of A */
    hol__kernel *positions; /* of W and D */
    hol__kernel *velocities; /* of W and A: the same when there are no nonholonomic rows */
    double position_tolerance, velocity_tolerance;
    double *step, *rhs, *q;
    unsigned long factored; /* stamp that `velocities` holds */
    int is_factored;
    long count, iterations;
};

/* The i-th correction, NULL past the end; and by name. "none" is the first. */
const hol__correction_type *hol__correction_get(int i);
const hol__correction_type *hol__correction_find(const char *name);

/* NULL without memory or when the kernel cannot be made. Tolerances are norms. */
hol__correction *hol__correction_new(hol_data *data, const hol__correction_type *type, const hol__kernel_type *kernel,
                                     const hol__kernel_options *options, double position_tolerance,
                                     double velocity_tolerance);
void hol__correction_free(hol__correction *correction);

hol_status hol__correction_run(hol__correction *correction);

/* Put together the mechanism from the drawn position: positions, then velocities. *moved receives how far the bodies were moved.
 * Messages name the joints that cannot be closed. */
hol_status hol__assemble(hol_data *data, const hol__kernel_options *options, double tolerance, double *moved);

#endif
