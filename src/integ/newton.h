/* newton.h: what formulas on constrained equations share: the equations, the multipliers at the
 * start of a step, and when an iteration has converged. */
#ifndef HOL_INTEG_NEWTON_H
#define HOL_INTEG_NEWTON_H

#include "integ/dae.h"
#include "integ/stepper.h"

/* The first member of the state of a stepper. */
typedef struct hol__newton {
    const hol__dae *dae; /* of the system, or that of its ordinary form */
    hol__dae plain_dae;
    hol__dae_plain *plain;
    hol_context *ctx;
    double *block;   /* the vectors of the kind */
    int N;           /* n + m + mh */
    double *x;       /* multipliers at the start of the step: m + mh */
    double *F;       /* scratch: N */
    double t, t_new; /* the step that was tried last; NAN: none */
    int known;       /* x is that of t */
    double factor;   /* theta / (1 - theta) of the last iteration that showed it; inf: not known */
    double h;        /* of its step */
} hol__newton;

/* The state of a kind, of that many bytes, for `create`; NULL without memory. What a failure leaves
 * behind is freed with the stepper. */
void *hol__newton_state(hol__stepper *stepper, size_t size);

/* Vectors of N numbers for the kind, out of one block. */
hol_status hol__newton_vectors(hol__newton *newton, size_t count, double **const *vectors);

/* For hol__stepper_ops. */
void hol__newton_free(hol__stepper *stepper);
void hol__newton_reset(hol__newton *newton);
void hol__newton_archive(hol__newton *newton, hol__archive *archive);

/* The functions of a kind, where its file calls them by these names; and y inside a step by the
 * cubic of both ends. */
#define HOL__NEWTON_FUNCTIONS                                                                      \
    .create = create, .free = hol__newton_free, .attempt = attempt, .abscissae = abscissae,        \
    .reset = reset, .archive = archive, .multipliers = multipliers

hol_status hol__newton_dense(hol__stepper *stepper, hol__step *step, double s, double *y);

/* Where a step starts: where the last one that was tried did; where that one ended, which was
 * accepted; or elsewhere. */
typedef enum hol__newton_start {
    HOL__NEWTON_AGAIN,
    HOL__NEWTON_FOLLOWS,
    HOL__NEWTON_ALONE
} hol__newton_start;

hol__newton_start hol__newton_begin(hol__newton *newton, const hol__step *step);

/* Multipliers at the start of the step, unless they are known from another try. end: those at the
 * end of the step before; NULL: they are solved for, with f_old. */
hol_status hol__newton_prepare(hol__newton *newton, hol__stepper *stepper, hol__step *step,
                               const double *end);

/* F, counted. */
hol_status hol__newton_residual(hol__newton *newton, hol__stepper *stepper, double t,
                                const double *y, const double *ydot, const double *x, double *F);

/* Factor J for one sigma. */
hol_status hol__newton_shift(const hol__newton *newton, int slot, double re, double im);

/* How an iteration goes: sizes of its increments, in tolerances. What is left after an increment is
 * theta / (1 - theta) of it, theta being the ratio of the last two; after the first one what the
 * steps before have shown counts, less sure from step to step [HW IV.8]. */
typedef struct hol__convergence {
    hol__newton *newton;
    double enough, before;
    int iterations, done, fresh, most_fresh;
} hol__convergence;

hol__convergence hol__convergence_begin(hol__newton *newton, const hol__step *step);

/* Another increment; HOL_NOT_CONVERGED where it leads nowhere. */
hol_status hol__convergence_note(hol__convergence *c, double size);

/* Derivatives were taken anew: whether that is worth trying once more. */
int hol__convergence_again(hol__convergence *c);

/* The same for formulas that keep something to rounding: until nothing else is added, sizes in the
 * scale. Integrals on which nothing depends do not count: they have converged with all others.
 * rounding: what of the unknowns is known to be no more than that, besides the usual. */
typedef struct hol__settling {
    double before, rounding;
    int iterations, done;
} hol__settling;

hol__settling hol__settling_begin(double rounding);
hol_status hol__settling_note(hol__settling *s, double size);

#endif
