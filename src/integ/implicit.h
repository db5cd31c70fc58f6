/* implicit.h: what implicit steppers share: their vectors, and the linearized system. */
#ifndef HOL_INTEG_IMPLICIT_H
#define HOL_INTEG_IMPLICIT_H

#include "integ/stepper.h"

/* The state of one. */
typedef struct hol__implicit {
    double *block;              /* all vectors below */
    int first, stages;          /* stages that are its own */
    double *k[HOL__MAX_STAGES]; /* by stage */
    double *r, *x;              /* right-hand sides and solutions of the linear system */
    double *p, *z;              /* a stage: what is known of it, and what is looked for */
    double *f_t;                /* df/dt */
    /* The step for which the system was linearized last; t is NAN where none was. */
    double t, h;
    int known; /* the system still holds that */
} hol__implicit;

/* For hol__stepper_ops: allocate stages from the first that is its own; free, reset, archive. */
hol_status hol__implicit_create(hol__stepper *stepper, int first, int stages);
void hol__implicit_free(hol__stepper *stepper);
void hol__implicit_reset(hol__stepper *stepper);
void hol__implicit_archive(hol__stepper *stepper, hol__archive *archive);

/* The functions of a kind, where its file calls them by these names. */
#define HOL__IMPLICIT_FUNCTIONS                                                                    \
    .create = create, .free = hol__implicit_free, .attempt = attempt, .error = error,              \
    .dense = dense, .abscissae = abscissae, .reset = hol__implicit_reset,                          \
    .archive = hol__implicit_archive

/* J at the start of the step, with or without f_t, unless they are known from another try; then I -
 * g J is factored. They do not depend on which try it is, so that a run that was saved in between
 * goes on with the same bits. */
hol_status hol__implicit_prepare(hol__stepper *stepper, hol__step *step, double g, int with_f_t);

/* J at another state instead, and I - g J. */
hol_status hol__implicit_refresh(hol__stepper *stepper, double t, const double *y, double g);

#endif
