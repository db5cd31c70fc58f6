/* sundials.h: what CVODE and IDA share: vectors, the linear solver that leaves its matrix to the
 * system. Included by files that are compiled with SUNDIALS alone. */
#ifndef HOL_INTEG_SUNDIALS_H
#define HOL_INTEG_SUNDIALS_H

#include "integ/history.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>

/* x = J^-1 r with the matrix that the system keeps, as the libraries answer. */
typedef int hol__sun_solve(hol__history *history, const double *r, double *x);

typedef struct hol__sun {
    SUNContext context;
    void *mem;  /* of CVODE or IDA */
    N_Vector y; /* the state */
    N_Vector p; /* inside the step */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    hol__history *history;
    hol__sun_solve *solve;
    long rejected; /* counted by the library since it began */
} hol__sun;

/* Context and vectors of n numbers; 0 without memory. */
int hol__sun_open(hol__sun *sun, hol__history *history, int n);

/* The linear solver; 0 without memory. */
int hol__sun_linear(hol__sun *sun, hol__sun_solve *solve);

/* All but mem. */
void hol__sun_close(hol__sun *sun);

/* The count of rejected tries as the library has it now: those that are new count. */
void hol__sun_rejected(hol__sun *sun, long rejected);

#endif
