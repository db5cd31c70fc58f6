/* cvode_with_sundials.c: formulas with a history of steps, by CVODE of SUNDIALS: backward
 * differences for stiff systems, Adams formulas for the others. [HNW III, HW V; Hi]
 *
 * CVODE chooses order and step and tests the error itself, one step a call. From here it gets f,
 * what an error of 1 means (1/(tolerance scale), the norm is the one of all formulas), the
 * projection, and the solution of (I - gamma J) x = r.
 *
 *   projection    bdf: CVODE's own, after the iteration and before the error test, with the error
 *                 brought onto the constraints too. adams: CVODE has none. y' = f(P(y)) is
 *                 integrated, P the projection: f(P(y)) does not change what y is off the
 *                 constraints by, so that this does not grow but by errors of steps; the state is
 *                 P(y). It begins anew from P(y) where y is off by MOST_OFF tolerances.
 *   linear part   J anew unless CVODE says that the old one will do, then factors I - gamma J; both
 *                 by the system
 *
 * History, increments and interpolation: history.h.
 */
#include "integ/cvode.h"
#include "integ/sundials.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <float.h>
#include <math.h>
#include <string.h>

static const double MOST_OFF = 1000; /* tolerances */
/* The matrix serves so many steps at most, and each has its own J, where that is exact: it then
 * costs as much as some evaluations. Differences cost one for each unknown, and serve 20 steps. */
enum { MATRIX_FOR = 10, DIFFERENCES_FOR = 20 };

/* The state of one. */
typedef struct cvode {
    hol__sun sun;
    SUNNonlinearSolver iteration; /* adams: by f alone */
} cvode;

/* ---- what CVODE calls */

/* ydot = f(t, P(y)), P only for Adams. */
static int on_rhs(double t, N_Vector y, N_Vector ydot, void *self) {
    cvode *own = self;
    hol__history *history = &own->sun.history;
    hol__stepper *stepper = history->stepper;
    const hol__system *system = stepper->system;
    hol_status status = history->status < 0 ? history->status : HOL_OK;
    hol__history_seen(history, NV_DATA_S(y));
    if (!status && own->iteration && system->project)
        status = system->project(system->self, t, history->at);
    if (!status) status = hol__stepper_rhs(stepper, t, history->at, NV_DATA_S(ydot));
    if (!status && !hol__all_finite(stepper->n, NV_DATA_S(ydot))) status = HOL_NONFINITE;
    return hol__history_answer(history, status);
}

static int on_weights(N_Vector y, N_Vector weights, void *self) {
    cvode *own = self;
    hol__history_weights(&own->sun.history, NV_DATA_S(y), NV_DATA_S(weights));
    return 0;
}

/* correction = P(y) - y; what projecting does not remove of an error. */
static int on_project(double t, N_Vector y, N_Vector correction, double epsilon, N_Vector error,
                      void *self) {
    hol__history *history = &((cvode *)self)->sun.history;
    const hol__system *system = history->stepper->system;
    const int n = history->stepper->n;
    double *c = NV_DATA_S(correction);
    const double *at = hol__history_seen(history, NV_DATA_S(y));
    (void)epsilon;
    memcpy(c, at, sizeof *c * (size_t)n);
    const hol_status status = system->project(system->self, t, c);
    if (!status && error && system->tangent) system->tangent(system->self, NV_DATA_S(error));
    for (int i = 0; i < n; i++) c[i] -= at[i];
    return hol__history_answer(history, status);
}

/* I - gamma J, with J at (t, y) unless the old one will do. */
static int on_matrix(double t, N_Vector y, N_Vector f, SUNMatrix matrix, int good, int *fresh,
                     double gamma, void *self, N_Vector a, N_Vector b, N_Vector c) {
    hol__history *history = &((cvode *)self)->sun.history;
    const hol__system *system = history->stepper->system;
    hol_status status = HOL_OK;
    (void)matrix, (void)a, (void)b, (void)c;
    if (!good)
        status = system->linearize(system->self, t, hol__history_seen(history, NV_DATA_S(y)),
                                   NV_DATA_S(f), history->h, NULL);
    *fresh = !good;
    if (!status) status = system->shift(system->self, gamma);
    return hol__history_answer(history, status);
}

/* x = (I - gamma J)^-1 r. */
static int solve(hol__history *history, const double *r, double *x) {
    memcpy(history->f, r, sizeof *r * (size_t)history->stepper->n);
    return hol__history_answer(
        history, hol__system_solve_at(history->stepper->system, history->at, history->f, x));
}

/* What it answers. */
static const hol__sun_library library = {"CVODE", CVodeGetCurrentTime, CVodeGetLastStep,
                                         CVodeGetDky};

/* ---- making one */

/* The solver of the system instead of a matrix of CVODE's. */
static int use_system(cvode *own) {
    hol__sun *sun = &own->sun;
    return hol__sun_linear(sun, solve) &&
           !CVodeSetLinearSolver(sun->mem, sun->linear, sun->matrix) &&
           !CVodeSetLinSysFn(sun->mem, on_matrix);
}

/* How many steps a matrix serves, and its derivatives. */
static int set_frequencies(const cvode *own) {
    void *mem = own->sun.mem;
    const int exact = own->sun.history.stepper->system->exact;
    return own->iteration || (!CVodeSetLSetupFrequency(mem, exact ? MATRIX_FOR : DIFFERENCES_FOR) &&
                              !CVodeSetJacEvalFrequency(mem, exact ? 1 : DIFFERENCES_FOR));
}

/* The iteration by f alone. */
static int use_iteration(cvode *own) {
    own->iteration = SUNNonlinSol_FixedPoint(own->sun.y, 0, own->sun.context);
    return own->iteration && !CVodeSetNonlinearSolver(own->sun.mem, own->iteration);
}

/* CVODE with all that it calls; 0 without memory. */
static int set_up(cvode *own) {
    const hol__stepper *stepper = own->sun.history.stepper;
    const int bdf = stepper->type->implicit;
    if (!hol__sun_open(&own->sun, stepper->n)) return 0;
    void *mem = own->sun.mem = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, own->sun.context);
    if (!mem || CVodeSetErrHandlerFn(mem, hol__sun_message, own)) return 0;
    if (CVodeInit(mem, on_rhs, 0, own->sun.y) || CVodeSetUserData(mem, own) ||
        CVodeWFtolerances(mem, on_weights) || !(bdf ? use_system(own) : use_iteration(own)))
        return 0;
    if (bdf && stepper->system->project &&
        (CVodeSetProjFn(mem, on_project) || CVodeSetMaxNumProjFails(mem, HOL__HISTORY_FAILURES)))
        return 0;
    return !CVodeSetMaxErrTestFails(mem, HOL__HISTORY_FAILURES) &&
           !CVodeSetMaxConvFails(mem, HOL__HISTORY_FAILURES) && !CVodeSetMaxHnilWarns(mem, -1) &&
           !CVodeSetEtaFixedStepBounds(mem, 0, HOL__HISTORY_WORTH);
}

static hol_status create(hol__stepper *stepper) {
    cvode *own = hol__sun_state(stepper, sizeof *own, &library);
    return own && set_up(own) ? HOL_OK : HOL_ERR_MEMORY;
}

static void free_state(hol__stepper *stepper) {
    cvode *own = stepper->state;
    if (own->sun.mem) CVodeFree(&own->sun.mem);
    if (own->iteration) SUNNonlinSolFree(own->iteration);
    hol__sun_free(stepper);
}

/* ---- steps */

/* Begin at the start of the step, with order 1. */
static int begin(cvode *own, hol__step *step) {
    hol__sun *sun = &own->sun;
    const double first = hol__history_begin(&own->sun.history, step);
    memcpy(NV_DATA_S(sun->y), step->y_old,
           sizeof *step->y_old * (size_t)own->sun.history.stepper->n);
    sun->rejected = 0;
    own->sun.history.begun =
        !CVodeReInit(sun->mem, step->t, sun->y) && !CVodeSetInitStep(sun->mem, first) &&
        !CVodeSetNonlinConvCoef(sun->mem, hol__history_left_over(&own->sun.history)) &&
        !CVodeSetMaxStep(sun->mem, step->longest) && set_frequencies(own);
    return own->sun.history.begun;
}

/* The step has been made: its end, and what comes next. */
static hol_status take(cvode *own, hol__step *step) {
    hol__history *history = &own->sun.history;
    hol__stepper *stepper = history->stepper;
    const int projects = own->iteration && stepper->system->project;
    const double *y = NV_DATA_S(own->sun.y);
    long rejected = 0;
    memcpy(step->y, hol__history_seen(history, y), sizeof *step->y * (size_t)stepper->n);
    const hol_status status = projects ? hol__stepper_project(stepper, step) : HOL_OK;
    if (status) return status;
    hol__history_end(history, step);
    if (projects && hol__history_off(history, step, y) > MOST_OFF) history->t_end = NAN;
    CVodeGetNumErrTestFails(own->sun.mem, &rejected);
    hol__sun_rejected(&own->sun, rejected);
    CVodeGetCurrentStep(own->sun.mem, &step->next);
    return HOL_OK;
}

/* One step of CVODE. */
static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    cvode *own = stepper->state;
    hol__history *history = &own->sun.history;
    void *mem = own->sun.mem;
    history->tolerance = step->tolerance;
    history->h = step->h;
    history->status = HOL_OK;
    stepper->said[0] = 0;
    if (!hol__history_continues(history, step) && !begin(own, step)) return HOL_ERR_MEMORY;
    CVodeSetMinStep(mem, 16 * DBL_EPSILON * fmax(fabs(step->t), fabs(step->t_new)));
    CVodeSetStopTime(mem, step->t_new);
    const int flag = CVode(mem, step->t_new, own->sun.y, &step->t_new, CV_ONE_STEP);
    hol_status status = hol__history_outcome(history, flag, flag == CV_MEM_FAIL);
    step->h = step->t_new - step->t;
    if (!status) status = take(own, step);
    if (status) hol__history_reset(stepper);
    return status;
}

static const hol__stepper_ops ops = {
    .create = create, .free = free_state, .attempt = attempt, HOL__HISTORY_FUNCTIONS};

const hol__stepper_type hol__stepper_bdf = {HOL__BDF_ROW, .ops = &ops};
const hol__stepper_type hol__stepper_adams = {HOL__ADAMS_ROW, .ops = &ops};
