/* rosenbrock.h: Rosenbrock formulas, a kind of stepper for stiff systems, and their tables. */
#ifndef HOL_INTEG_ROSENBROCK_H
#define HOL_INTEG_ROSENBROCK_H

#include "integ/stepper.h"

/* A formula as data, in the variables u of rosenbrock.c. */
typedef struct hol__rosenbrock_table {
    int stages;
    double gamma;
    const double *a, *c;   /* stages x stages, row-major, strictly lower */
    const double *alpha;   /* times of the stages */
    const double *gamma_i; /* weights of df/dt */
    const double *m;       /* weights of the solution */
    const double *e;       /* and of the error estimate */
    const double *d1, *d2; /* of the interpolant */
} hol__rosenbrock_table;

/* The functions of this kind, for rows of the table. */
extern const hol__stepper_ops hol__rosenbrock;

#endif
