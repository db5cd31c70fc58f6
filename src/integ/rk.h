/* rk.h: explicit Runge–Kutta formulas, a kind of stepper, and their tables. */
#ifndef HOL_INTEG_RK_H
#define HOL_INTEG_RK_H

#include "integ/stepper.h"

/* A formula as data. */
typedef struct hol__rk_table {
    int stages;
    int fsal;        /* the last stage is f at the end of the step; then the last row of a is b */
    const double *a; /* stages x stages, row-major, strictly lower */
    const double *b, *c;
    const double *e;  /* weights of the error estimate, h sum e_i k_i; NULL when there is none */
    const double *e2; /* second estimate (8(5,3)), NULL elsewhere */
    int extra_stages; /* more stages for the interpolant (8(5,3): 3) */
    /* The interpolant beyond cubic Hermite, over all slopes: the stages, f at the end (unless
     * fsal), the extra stages. */
    int dense_rows;        /* polynomials beyond the cubic */
    const double *dense_a; /* extra_stages x slopes */
    const double *dense_c; /* extra_stages */
    const double *dense_d; /* dense_rows x slopes */
    /* One of lower order that needs no extra stages, over the slopes up to f at the end, and the
     * weights of the estimate of its error, h sum e_i k_i; NULL: there is none. */
    const double *free_d; /* dense_rows x (last + 1) */
    const double *free_e; /* last + 1 */
} hol__rk_table;

/* Which interpolant is there. */
enum { HOL__DENSE_NOT, HOL__DENSE_WHOLE, HOL__DENSE_FREE };

enum { HOL__MAX_SLOPES = HOL__MAX_STAGES, HOL__MAX_DENSE_ROWS = 4 };

/* The state of one. */
typedef struct hol__rk_state {
    int slopes;                     /* stages, f at the end, extra stages */
    int last;                       /* the slope that is f at the end */
    double *block;                  /* all vectors below */
    double *k[HOL__MAX_SLOPES];     /* the first and the last are those of the step */
    double *d[HOL__MAX_DENSE_ROWS]; /* interpolant beyond the cubic */
    double *err, *err2;
    int dense_ready; /* HOL__DENSE_NOT, or which interpolant d is */
    /* For the rates: y_1, what it is off the last stage, the slope there, what y has moved by, the
     * slope at the start, and where the step ended; and the rates of the step before. */
    double *kept, *away, *slope, *moved, *start;
    double h, t_new;
    hol__rates rates;
} hol__rk_state;

/* The functions of this kind, for rows of the table. */
extern const hol__stepper_ops hol__rk;

/* The first and the last slope are those of the step. */
void hol__rk_bind(hol__rk_state *rk, const hol__step *step);

/* rk_dense.c: the interpolant. */
hol_status hol__rk_dense(hol__stepper *stepper, hol__step *step, double s, double *y);

#endif
