/* sundials_with_sundials.c: what CVODE and IDA share. See sundials.h. */
#include "integ/sundials.h"

#include <math.h>

/* p(t), of the last step. */
static const double *inside(hol__history *history, double t) {
    const hol__sun *sun = (const hol__sun *)history;
    double now, last;
    sun->library->time(sun->mem, &now);
    sun->library->last_step(sun->mem, &last);
    sun->library->inside(sun->mem, fmin(now, fmax(t, now - last)), 0, sun->p);
    return NV_DATA_S(sun->p);
}

void *hol__sun_state(hol__stepper *stepper, size_t size, const hol__sun_library *library) {
    hol__sun *sun = stepper->state = hol__alloc(stepper->ctx, 1, size);
    if (!sun) return NULL;
    sun->library = library;
    sun->history.inside = inside;
    return hol__history_open(&sun->history, stepper) == HOL_OK ? sun : NULL;
}

int hol__sun_open(hol__sun *sun, int n) {
    if (SUNContext_Create(NULL, &sun->context)) return 0;
    sun->y = N_VNew_Serial(n, sun->context);
    sun->p = sun->y ? N_VClone(sun->y) : NULL;
    if (sun->p) N_VConst(0, sun->y);
    return sun->p != NULL;
}

void hol__sun_free(hol__stepper *stepper) {
    hol__sun *sun = stepper->state;
    if (sun->linear) SUNLinSolFree(sun->linear);
    if (sun->matrix) SUNMatDestroy(sun->matrix);
    if (sun->p) N_VDestroy(sun->p);
    if (sun->y) N_VDestroy(sun->y);
    if (sun->context) SUNContext_Free(&sun->context);
    hol__history_close(&sun->history);
    hol__release(stepper->ctx, sun);
}

void hol__sun_message(int code, const char *module, const char *function, char *text, void *self) {
    hol__sun *sun = self;
    (void)module, (void)function;
    if (code < 0) hol__history_say(&sun->history, sun->library->name, text);
}

void hol__sun_rejected(hol__sun *sun, long rejected) {
    sun->history.stepper->rejected += rejected - sun->rejected;
    sun->rejected = rejected;
}

/* ---- the linear solver */

static SUNLinearSolver_Type linear_type(SUNLinearSolver linear) {
    (void)linear;
    return SUNLINEARSOLVER_DIRECT;
}

static int linear_setup(SUNLinearSolver linear, SUNMatrix matrix) {
    (void)linear, (void)matrix;
    return 0;
}

static int linear_solve(SUNLinearSolver linear, SUNMatrix matrix, N_Vector x, N_Vector r,
                        double tolerance) {
    hol__sun *sun = linear->content;
    (void)matrix, (void)tolerance;
    return sun->solve(&sun->history, NV_DATA_S(r), NV_DATA_S(x));
}

/* The content belongs to the stepper. */
static int linear_free(SUNLinearSolver linear) {
    linear->content = NULL;
    SUNLinSolFreeEmpty(linear);
    return 0;
}

static SUNMatrix_ID matrix_id(SUNMatrix matrix) {
    (void)matrix;
    return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix matrix) {
    (void)matrix;
    return 0;
}

int hol__sun_linear(hol__sun *sun, hol__sun_solve *solve) {
    sun->solve = solve;
    sun->matrix = SUNMatNewEmpty(sun->context);
    sun->linear = SUNLinSolNewEmpty(sun->context);
    if (!sun->matrix || !sun->linear) return 0;
    sun->matrix->ops->getid = matrix_id;
    sun->matrix->ops->zero = matrix_zero;
    sun->matrix->ops->destroy = SUNMatFreeEmpty;
    sun->linear->content = sun;
    sun->linear->ops->gettype = linear_type;
    sun->linear->ops->setup = linear_setup;
    sun->linear->ops->solve = linear_solve;
    sun->linear->ops->free = linear_free;
    return 1;
}
