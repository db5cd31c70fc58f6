/* radau.h: Radau IIA collocation, a kind of stepper for stiff and constrained systems, and its
 * tables. */
#ifndef HOL_INTEG_RADAU_H
#define HOL_INTEG_RADAU_H

#include "integ/stepper.h"

enum { HOL__RADAU_STAGES = 5 };

/* A formula as data; matrices are stages x stages, row-major. */
typedef struct hol__radau_table {
    int stages;
    int real;          /* whether w has a real eigenvalue, which comes first then */
    const double *c;   /* times of the stages; the last is 1 */
    const double *a;   /* int_0^c_i of the j-th polynomial; its last row are the weights */
    const double *w;   /* a^-1 */
    const double *t;   /* w = t B t^-1, B of the real eigenvalue and blocks [re -im; im re] */
    const double *ti;  /* t^-1 */
    double sigma0;     /* that of the estimate: the real eigenvalue, where there is one */
    double pair[2][2]; /* the complex eigenvalues: re, im */
    const double *e;   /* of the estimate: f_0 + 1/h sum e_j Z_j */
} hol__radau_table;

/* The functions of this kind, for rows of the table. */
extern const hol__stepper_ops hol__radau;

#endif
