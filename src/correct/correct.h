/* correct.h: bringing a state onto the constraints: after a step, and at the start. */
#ifndef HOL_CORRECT_CORRECT_H
#define HOL_CORRECT_CORRECT_H

#include "base/option.h"
#include "dyn/completion.h"
#include "dyn/data.h"
#include "kernel/kernel.h"

typedef struct hol__correction hol__correction;

typedef struct hol__correction_type {
    const char *name, *title;
    int mass_weighted;
    int partitioned;    /* solves with [A; B]: the independent coordinates keep their values */
    const char *kernel; /* the kernel that it needs; NULL: that of the method */
    /* Correct positions and velocities of the data. > 0: not converged. NULL: no correction. */
    hol_status (*run)(hol__correction *correction);
    int energy; /* then scale the velocities so that the energy balance holds */
} hol__correction_type;

struct hol__correction {
    const hol__correction_type *type;
    hol__arena arena;
    hol_data *data;
    const hol__csr *W; /* weights: M, or the identity */
    hol__csr identity;
    hol__csr D;              /* holonomic rows of A */
    hol__kernel *positions;  /* of W and D */
    hol__kernel *velocities; /* of W and A: the same when there are no nonholonomic rows */
    hol__kernel *shared;     /* the caller's kernel of M and A when it serves here too, or NULL */
    hol__completion *completion; /* [A; B] of a partitioned one, or NULL */
    const hol__set_aside *aside; /* rows that one of its own may leave out, or NULL */
    int own;                     /* the completion is chosen here, not by the formulation */
    int held;                    /* and kept at its choice */
    int inside;                  /* a stage of a step is corrected, not its end */
    int keeps;                   /* one factorisation serves a whole direct correction … */
    unsigned long kept;          /* … of the state with this stamp; 0: none yet */
    int halves;                  /* velocities are left to hol__correct_velocities */
    int engaged;                 /* whether `hybrid` acts at the end of this step */
    double threshold;            /* drift that `drift` lets pass */
    double position_tolerance, velocity_tolerance;
    /* mass-orthogonal: |delta| at which iterations end, the penalty factor, and whether K is
     * factored in every iteration on positions */
    double epsilon, penalty;
    int full;
    double *step, *rhs, *q, *q0, *v0, *f, *lambda;
    double balance;      /* of the energy at the start */
    double energy_limit; /* largest share by which the speed may be changed */
    double moved;        /* largest step of the last correction: in bodies' sizes and radians */
    long count, iterations;
};

/* The parts, one file each. */
hol_status hol__correct_direct(hol__correction *correction);
hol_status hol__correct_velocities(hol__correction *correction);
hol_status hol__correct_partition(hol__correction *correction);
hol_status hol__correct_drift(hol__correction *correction);
hol_status hol__correct_hybrid(hol__correction *correction);
hol_status hol__correct_mass_orthogonal(hol__correction *correction);
hol_status hol__correct_energy(hol__correction *correction);

/* The i-th correction, NULL past the end; and by name. "none" is the first. */
const hol__correction_type *hol__correction_get(int i);
const hol__correction_type *hol__correction_find(const char *name);

/* NULL without memory or when the kernel cannot be made. solver is a kernel of M and A, which
 * mass-weighted corrections use too. Tolerances are norms. A partitioned one gets its independent
 * coordinates afterwards (hol__correction_complete). */
hol__correction *hol__correction_new(hol_data *data, const hol__correction_type *type,
                                     hol__kernel *solver, const hol__kernel_options *options,
                                     double position_tolerance, double velocity_tolerance);

/* The independent coordinates that a partitioned correction keeps: those of the formulation, or
 * NULL: a choice of its own by partition, at the state in data, with the watch. */
hol_status hol__correction_complete(hol__correction *correction, hol__completion *completion,
                                    double watch);
void hol__correction_free(hol__correction *correction);

hol_status hol__correction_run(hol__correction *correction);

/* Correct a stage inside a step: by a smooth function of it, so that no threshold counts and
 * independent coordinates are held. */
hol_status hol__correction_run_stage(hol__correction *correction);

/* x: D x = rhs (positions) or A x = rhs (not), the smallest in W, or the one that leaves the
 * independent coordinates where they are. rhs has m entries. */
hol_status hol__correction_solve(hol__correction *correction, int positions, double *rhs,
                                 double *x);

/* Whether a position residual of this norm that no longer falls is what rounding leaves, not a
 * failure to converge. */
int hol__correction_rests(const hol__correction *correction, double norm);

/* Factor W with the rows of that kernel (positions or velocities) at the state in data, unless it
 * holds them. */
hol_status hol__correction_factor(hol__correction *correction, hol__kernel *kernel);

/* How often kernels of its own, not the caller's, were factored. */
long hol__correction_factorizations(const hol__correction *correction);

/* What the correction and kernels of its own keep from one run to the next; after the data was
 * walked over. */
hol_status hol__correction_walk(hol__correction *correction, hol__archive *archive);

/* Remove from increments d of the coordinates and from velocities v what a correction at the state
 * in data would remove. */
void hol__correction_tangent(hol__correction *correction, double *d, double *v);

/* Put together the mechanism from the drawn position: positions, then velocities. *moved receives
 * how far the bodies were moved. Messages name the joints that cannot be closed. */
hol_status hol__assemble(hol_data *data, const hol__kernel_options *options, double tolerance,
                         double *moved);

/* Its velocities alone, nearest to those in data, at the positions there. */
hol_status hol__assemble_velocities(hol_data *data, const hol__kernel_options *options);

/* The values of the option `assemble`. */
enum { HOL__ASSEMBLE_ON, HOL__ASSEMBLE_OFF };

/* The options of corrections. */
extern const hol__option_rows hol__correction_options;

#endif
