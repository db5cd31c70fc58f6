/* sdirk.h: diagonally implicit Runge–Kutta formulas with an explicit first stage, a kind of stepper
 * for stiff systems, and their tables. */
#ifndef HOL_INTEG_SDIRK_H
#define HOL_INTEG_SDIRK_H

#include "integ/stepper.h"

/* A formula as data. Its last row is the solution: stiffly accurate. */
typedef struct hol__sdirk_table {
    int stages;
    double gamma;          /* the diagonal but for the first row, which is zero */
    const double *a;       /* stages x stages, row-major, below the diagonal */
    const double *c;       /* times of the stages */
    const double *e;       /* weights of the error estimate, h sum e_i k_i */
    const double *d1, *d2; /* of the interpolant */
} hol__sdirk_table;

/* The functions of this kind, for rows of the table. */
extern const hol__stepper_ops hol__sdirk;

#endif
