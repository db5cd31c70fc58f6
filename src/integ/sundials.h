/* sundials.h: what CVODE and IDA share: vectors, the linear solver that leaves its matrix to the
 * system. Included by files that are compiled with SUNDIALS alone. */
#ifndef HOL_INTEG_SUNDIALS_H
#define HOL_INTEG_SUNDIALS_H

#include "integ/history.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>

/* x = J^-1 r with the matrix that the system keeps, as the libraries answer. */
typedef int hol__sun_solve(hol__history *history, const double *r, double *x);

/* What both libraries answer in the same way. */
typedef struct hol__sun_library {
    const char *name; /* in messages */
    int (*time)(void *mem, double *t);
    int (*last_step)(void *mem, double *h);
    int (*inside)(void *mem, double t, int derivative, N_Vector y);
} hol__sun_library;

/* The first member of the state of a stepper. */
typedef struct hol__sun {
    hol__history history;
    const hol__sun_library *library;
    SUNContext context;
    void *mem;  /* of the library */
    N_Vector y; /* the state */
    N_Vector p; /* inside the step */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    hol__sun_solve *solve;
    long rejected; /* counted by the library since it began */
} hol__sun;

/* The state of a kind, of that many bytes, with its history, for `create`; NULL without memory.
 * What a failure leaves behind is freed with the stepper. */
void *hol__sun_state(hol__stepper *stepper, size_t size, const hol__sun_library *library);

/* Context and vectors of n numbers; 0 without memory. */
int hol__sun_open(hol__sun *sun, int n);

/* The linear solver; 0 without memory. */
int hol__sun_linear(hol__sun *sun, hol__sun_solve *solve);

/* All but mem, and the state. */
void hol__sun_free(hol__stepper *stepper);

/* What a library says of a failure, for a state that begins with a hol__sun. */
void hol__sun_message(int code, const char *module, const char *function, char *text, void *self);

/* The count of rejected tries as the library has it now: those that are new count. */
void hol__sun_rejected(hol__sun *sun, long rejected);

#endif
