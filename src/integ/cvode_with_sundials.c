/* cvode_with_sundials.c: formulas with a history of steps, by CVODE of SUNDIALS: backward
 * differences for stiff systems, Adams formulas for the others. [HNW III, HW V; Hi]
 *
 * CVODE chooses order and step and tests the error itself, one step a call. From here it gets f,
 * what an error of 1 means (1/(tolerance scale), the norm is the one of all formulas), the
 * projection, and the solution of (I - gamma J) x = r.
 *
 *   increments    CVODE's y is the one of the system plus `base`: where a base of increments moves
 *                 by a shift the history goes on. Where it does not (rotations) the base stays
 *                 until they are far.
 *   history       holds while a step starts where the last one ended, (t_end, y_end). Whatever else
 *                 happens to the state, an event, a jump, other independent coordinates, a step
 *                 undone, another base of the increments, CVODE begins anew at order 1.
 *   projection    bdf: CVODE's own, after the iteration and before the error test, with the error
 *                 brought onto the constraints too. adams: CVODE has none. y' = f(P(y)) is
 *                 integrated, P the projection: f(P(y)) does not change what y is off the
 *                 constraints by, so that this does not grow but by errors of steps; the state is
 *                 P(y). It begins anew from P(y) where y is off by MOST_OFF tolerances.
 *   inside        the polynomial of the history, p(t), with what it is off at the ends spread
 *                 linearly: y(s) = p + (1 - s) (y_old - p(t_old)) + s (y - p(t_new))
 *   linear part   linsys: J anew unless CVODE says that the old one will do, then factors I - gamma
 *                 J; both by the system
 */
#include "integ/cvode.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FAILURES = 30 };         /* of one step, each at least halving it */
static const double MOST_OFF = 1000; /* tolerances */
/* Of the tolerance, by the iteration. CVODE's own 0.1 spoils the estimates by which it chooses
 * order and step where f is stiff: it then makes twice as many steps. */
static const double LEFT_OVER = 0.01;
/* A step that could grow by this factor grows. CVODE's own 1.5 leaves the order where it is for
 * good: one more rarely lets a step of that error grow so much. */
static const double WORTH = 1.1;

/* The state of one. */
typedef struct cvode {
    hol__stepper *stepper;
    SUNContext sun;
    void *mem;
    N_Vector y, p;
    SUNMatrix matrix; /* stands for I - gamma J, which the system keeps */
    SUNLinearSolver linear;
    SUNNonlinearSolver iteration; /* adams: by f alone */
    double *block;                /* the vectors below */
    double *y_end, *at;           /* the end of the last step; a state as the system sees it */
    double *base;                 /* y of CVODE less y of the system, for a base that has moved */
    double t_end;
    int begun;         /* the history leads to (t_end, y_end) */
    hol_status status; /* of the system, in the step under way */
    double tolerance;
    double h;      /* of the step that is being made */
    long rejected; /* of CVODE, since it began */
} cvode;

/* ---- what CVODE calls */

/* A status of the system, kept, as CVODE wants it: > 0 a shorter step may help, < 0 stop. */
static int answer(cvode *own, hol_status status) {
    if (status) own->status = status;
    return status < 0 ? -1 : status > 0;
}

/* y as the system sees it, in own->at. */
static const double *seen(cvode *own, N_Vector y) {
    const double *from = NV_DATA_S(y);
    for (int i = 0; i < own->stepper->n; i++) own->at[i] = from[i] - own->base[i];
    return own->at;
}

/* ydot = f(t, P(y)), P only for Adams. */
static int on_rhs(double t, N_Vector y, N_Vector ydot, void *self) {
    cvode *own = self;
    hol__stepper *stepper = own->stepper;
    const hol__system *system = stepper->system;
    const double *at = seen(own, y);
    hol_status status = own->status < 0 ? own->status : HOL_OK;
    if (!status && own->iteration && system->project)
        status = system->project(system->self, t, own->at);
    if (!status) status = hol__stepper_rhs(stepper, t, at, NV_DATA_S(ydot));
    if (!status && !hol__all_finite(stepper->n, NV_DATA_S(ydot))) status = HOL_NONFINITE;
    return answer(own, status);
}

/* 1 / (tolerance scale) at y. */
static int on_weights(N_Vector y, N_Vector weights, void *self) {
    cvode *own = self;
    const hol__system *system = own->stepper->system;
    double *w = NV_DATA_S(weights);
    const double *at = seen(own, y);
    if (system->scale) system->scale(system->self, at, w);
    for (int i = 0; i < own->stepper->n; i++)
        w[i] = 1 / (own->tolerance * (system->scale ? w[i] : 1 + fabs(at[i])));
    return 0;
}

/* correction = P(y) - y; what projecting does not remove of an error. */
static int on_project(double t, N_Vector y, N_Vector correction, double epsilon, N_Vector error,
                      void *self) {
    cvode *own = self;
    const hol__system *system = own->stepper->system;
    const int n = own->stepper->n;
    double *c = NV_DATA_S(correction);
    const double *at = seen(own, y);
    (void)epsilon;
    memcpy(c, at, sizeof *c * (size_t)n);
    const hol_status status = system->project(system->self, t, c);
    if (!status && error && system->tangent) system->tangent(system->self, NV_DATA_S(error));
    for (int i = 0; i < n; i++) c[i] -= at[i];
    return answer(own, status);
}

/* I - gamma J, with J at (t, y) unless the old one will do. */
static int on_matrix(double t, N_Vector y, N_Vector f, SUNMatrix matrix, int good, int *fresh,
                     double gamma, void *self, N_Vector a, N_Vector b, N_Vector c) {
    cvode *own = self;
    const hol__system *system = own->stepper->system;
    hol_status status = HOL_OK;
    (void)matrix, (void)a, (void)b, (void)c;
    if (!good)
        status = system->linearize(system->self, t, seen(own, y), NV_DATA_S(f), own->h, NULL);
    if (!good && !status && system->complete) status = system->complete(system->self);
    *fresh = !good;
    if (!status) status = system->shift(system->self, gamma);
    return answer(own, status);
}

/* What CVODE has to say of a failure. */
static void on_message(int code, const char *module, const char *function, char *text, void *self) {
    hol__stepper *stepper = ((cvode *)self)->stepper;
    (void)module, (void)function;
    if (code < 0) snprintf(stepper->said, sizeof stepper->said, "CVODE: %s", text);
}

/* ---- the linear solver */

static SUNLinearSolver_Type linear_type(SUNLinearSolver linear) {
    (void)linear;
    return SUNLINEARSOLVER_DIRECT;
}

/* x = (I - gamma J)^-1 r. */
static int linear_solve(SUNLinearSolver linear, SUNMatrix matrix, N_Vector x, N_Vector r,
                        double tolerance) {
    cvode *own = linear->content;
    const hol__system *system = own->stepper->system;
    (void)matrix, (void)tolerance;
    return answer(own, system->solve(system->self, NV_DATA_S(r), NV_DATA_S(x)));
}

static int linear_setup(SUNLinearSolver linear, SUNMatrix matrix) {
    (void)linear, (void)matrix;
    return 0;
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

static void matrix_free(SUNMatrix matrix) {
    SUNMatFreeEmpty(matrix);
}

/* The solver of the system instead of a matrix of CVODE's. */
static int use_system(cvode *own) {
    own->matrix = SUNMatNewEmpty(own->sun);
    own->linear = SUNLinSolNewEmpty(own->sun);
    if (!own->matrix || !own->linear) return 0;
    own->matrix->ops->getid = matrix_id;
    own->matrix->ops->destroy = matrix_free;
    own->linear->content = own;
    own->linear->ops->gettype = linear_type;
    own->linear->ops->setup = linear_setup;
    own->linear->ops->solve = linear_solve;
    own->linear->ops->free = linear_free;
    return !CVodeSetLinearSolver(own->mem, own->linear, own->matrix) &&
           !CVodeSetLinSysFn(own->mem, on_matrix);
}

/* The iteration by f alone. */
static int use_iteration(cvode *own) {
    own->iteration = SUNNonlinSol_FixedPoint(own->y, 0, own->sun);
    return own->iteration && !CVodeSetNonlinearSolver(own->mem, own->iteration);
}

/* ---- making one */

/* CVODE with all that it calls; 0 without memory. */
static int set_up(cvode *own) {
    const hol__stepper *stepper = own->stepper;
    const int bdf = stepper->type->implicit;
    void *mem;
    if (SUNContext_Create(NULL, &own->sun)) return 0;
    own->y = N_VNew_Serial(stepper->n, own->sun);
    own->p = own->y ? N_VClone(own->y) : NULL;
    mem = own->mem = own->p ? CVodeCreate(bdf ? CV_BDF : CV_ADAMS, own->sun) : NULL;
    if (!mem || CVodeSetErrHandlerFn(mem, on_message, own)) return 0;
    N_VConst(0, own->y);
    if (CVodeInit(mem, on_rhs, 0, own->y) || CVodeSetUserData(mem, own) ||
        CVodeWFtolerances(mem, on_weights) || !(bdf ? use_system(own) : use_iteration(own)))
        return 0;
    if (bdf && stepper->system->project &&
        (CVodeSetProjFn(mem, on_project) || CVodeSetMaxNumProjFails(mem, MOST_FAILURES)))
        return 0;
    return !CVodeSetMaxErrTestFails(mem, MOST_FAILURES) &&
           !CVodeSetMaxConvFails(mem, MOST_FAILURES) && !CVodeSetMaxHnilWarns(mem, -1) &&
           !CVodeSetEtaFixedStepBounds(mem, 0, WORTH) && !CVodeSetNonlinConvCoef(mem, LEFT_OVER);
}

static hol_status create(hol__stepper *stepper) {
    const size_t n = (size_t)stepper->n;
    cvode *own = hol__alloc(stepper->ctx, 1, sizeof *own);
    stepper->state = own;
    if (!own) return HOL_ERR_MEMORY;
    own->stepper = stepper;
    own->block = hol__alloc(stepper->ctx, 3 * n, sizeof *own->block);
    if (!own->block) return HOL_ERR_MEMORY;
    own->y_end = own->block;
    own->at = own->block + n;
    own->base = own->block + 2 * n;
    return set_up(own) ? HOL_OK : HOL_ERR_MEMORY;
}

static void free_state(hol__stepper *stepper) {
    cvode *own = stepper->state;
    if (own->mem) CVodeFree(&own->mem);
    if (own->iteration) SUNNonlinSolFree(own->iteration);
    if (own->linear) SUNLinSolFree(own->linear);
    if (own->matrix) SUNMatDestroy(own->matrix);
    if (own->p) N_VDestroy(own->p);
    if (own->y) N_VDestroy(own->y);
    if (own->sun) SUNContext_Free(&own->sun);
    hol__release(stepper->ctx, own->block);
    hol__release(stepper->ctx, own);
}

static void reset(hol__stepper *stepper) {
    ((cvode *)stepper->state)->begun = 0;
}

/* Nothing of the history is kept. */
static void archive(hol__stepper *stepper, hol__archive *at) {
    if (hol__archive_reads(at)) reset(stepper);
}

/* ---- steps */

/* The first step, of order 1: half of h^2 |y''| is a quarter of the tolerance, with y'' from an
 * explicit step in which y changes by a hundredth of its scale; 0 where f does not exist there.
 * (CVODE would measure changes by y itself, and increments are zero.) Works on y and p. */
static double first_step(cvode *own, hol__step *step) {
    const int n = own->stepper->n;
    double *const w = NV_DATA_S(own->p), *const f = NV_DATA_S(own->y);
    double d1 = 0, d2 = 0;
    if (hol__stepper_first(own->stepper, step)) return 0;
    on_weights(own->y, own->p, own);
    for (int i = 0; i < n; i++) d1 += pow(step->f_old[i] * w[i] * own->tolerance, 2);
    const double probe = fmin(step->t_new - step->t, 0.01 / sqrt(d1 / n + 1e-20));
    for (int i = 0; i < n; i++) own->at[i] = step->y_old[i] + probe * step->f_old[i];
    if (hol__stepper_rhs(own->stepper, step->t + probe, own->at, f)) return 0;
    for (int i = 0; i < n; i++) d2 += pow((f[i] - step->f_old[i]) * w[i], 2);
    const double h = sqrt(0.5 * probe / (sqrt(d2 / n) + 1e-300));
    return isfinite(h) ? fmin(fmin(h, 10 * probe), step->t_new - step->t) : 0;
}

/* Begin at the start of the step, with order 1. */
static int begin(cvode *own, hol__step *step) {
    const size_t size = sizeof *step->y_old * (size_t)own->stepper->n;
    memset(own->base, 0, size);
    memcpy(NV_DATA_S(own->y), step->y_old, size);
    double first = step->first > 0 ? step->first : first_step(own, step);
    if (step->longest > 0) first = fmin(first, step->longest);
    memcpy(NV_DATA_S(own->y), step->y_old, size);
    own->rejected = 0;
    own->begun = !CVodeReInit(own->mem, step->t, own->y) && !CVodeSetInitStep(own->mem, first) &&
                 !CVodeSetMaxStep(own->mem, step->longest);
    return own->begun;
}

/* Whether the step starts where the last one ended. */
static int continues(const cvode *own, const hol__step *step) {
    return own->begun && own->t_end == step->t &&
           memcmp(own->y_end, step->y_old, sizeof *own->y_end * (size_t)own->stepper->n) == 0;
}

/* How far P(y) is from y, in tolerances. */
static double off(cvode *own, const hol__step *step) {
    const int n = own->stepper->n;
    const double *w = NV_DATA_S(own->p);
    double sum = 0;
    on_weights(own->y, own->p, own);
    const double *y = seen(own, own->y);
    for (int i = 0; i < n; i++) sum += pow((step->y[i] - y[i]) * w[i], 2);
    return sqrt(sum / n);
}

/* The step has been made: its end, and what comes next. */
static hol_status take(cvode *own, hol__step *step) {
    hol__stepper *stepper = own->stepper;
    const size_t size = sizeof *step->y * (size_t)stepper->n;
    long rejected = 0;
    memcpy(step->y, seen(own, own->y), size);
    if (own->iteration && stepper->system->project) {
        const hol_status status = hol__stepper_project(stepper, step);
        if (status) return status;
    }
    memcpy(own->y_end, step->y, size);
    own->t_end = own->iteration && off(own, step) > MOST_OFF ? NAN : step->t_new;
    CVodeGetNumErrTestFails(own->mem, &rejected);
    stepper->rejected += rejected - own->rejected;
    own->rejected = rejected;
    CVodeGetCurrentStep(own->mem, &step->next);
    return HOL_OK;
}

/* The status of a step that CVODE has ended with a flag. What stops a run is not left to it: its
 * iteration by f alone goes on with a shorter step. */
static hol_status outcome(const cvode *own, int flag) {
    if (own->status < 0) return own->status;
    if (flag >= 0) return HOL_OK;
    if (flag == CV_MEM_FAIL) return HOL_ERR_MEMORY;
    return own->status ? own->status : HOL_NOT_CONVERGED;
}

/* One step of CVODE. */
static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    cvode *own = stepper->state;
    own->tolerance = step->tolerance;
    own->h = step->h;
    own->status = HOL_OK;
    stepper->said[0] = 0;
    if (!continues(own, step) && !begin(own, step)) return HOL_ERR_MEMORY;
    CVodeSetMinStep(own->mem, 16 * DBL_EPSILON * fmax(fabs(step->t), fabs(step->t_new)));
    CVodeSetStopTime(own->mem, step->t_new);
    const int flag = CVode(own->mem, step->t_new, own->y, &step->t_new, CV_ONE_STEP);
    hol_status status = outcome(own, flag);
    step->h = step->t_new - step->t;
    if (!status) status = take(own, step);
    if (status) own->begun = 0;
    return status;
}

/* p(t), in own->at. */
static const double *inside(cvode *own, double t) {
    double now, last;
    CVodeGetCurrentTime(own->mem, &now);
    CVodeGetLastStep(own->mem, &last);
    CVodeGetDky(own->mem, fmin(now, fmax(t, now - last)), 0, own->p);
    return seen(own, own->p);
}

/* y(s) where there is no history to the step, which was loaded: the cubic of both ends. */
static hol_status cubic(hol__stepper *stepper, hol__step *step, double s, double *y) {
    const double r = 1 - s, h = step->h;
    hol_status status = hol__stepper_first(stepper, step);
    if (!status) status = hol__stepper_last(stepper, step);
    for (int i = 0; i < stepper->n && !status; i++) {
        const double a = step->y_old[i], d = step->y[i] - a;
        y[i] = a + s * d + s * r * (r * (h * step->f_old[i] - d) - s * (h * step->f[i] - d));
    }
    return status;
}

/* y(s) of the formula at the top. */
static hol_status dense(hol__stepper *stepper, hol__step *step, double s, double *y) {
    cvode *own = stepper->state;
    const int n = stepper->n;
    if (!own->begun) return cubic(stepper, step, s, y);
    const double *p = inside(own, step->t);
    for (int i = 0; i < n; i++) y[i] = (1 - s) * (step->y_old[i] - p[i]);
    p = inside(own, step->t_new);
    for (int i = 0; i < n; i++) y[i] += s * (step->y[i] - p[i]);
    p = inside(own, step->t + s * (step->t_new - step->t));
    for (int i = 0; i < n; i++) y[i] += p[i];
    return HOL_OK;
}

/* The end is the projected state inside; the next step does not start where CVODE stands. */
static hol_status shorten(hol__stepper *stepper, hol__step *step, double t_new) {
    cvode *own = stepper->state;
    const hol_status status =
        dense(stepper, step, (t_new - step->t) / (step->t_new - step->t), own->y_end);
    if (status) return status;
    memcpy(step->y, own->y_end, sizeof *own->y_end * (size_t)stepper->n);
    own->t_end = NAN;
    step->t_new = t_new;
    step->h = t_new - step->t;
    return hol__stepper_project(stepper, step);
}

/* The history goes on relative to another base, unless its numbers have become so large that
 * rounding is felt. */
static void shift(hol__stepper *stepper, const double *before, const double *now) {
    cvode *own = stepper->state;
    const double *w = NV_DATA_S(own->p);
    double most = 0;
    if (own->t_end != own->t_end) return;
    on_weights(own->y, own->p, own);
    for (int i = 0; i < stepper->n; i++) {
        own->base[i] += before[i] - now[i];
        most = fmax(most, fabs(own->base[i]) * w[i]);
    }
    memcpy(own->y_end, now, sizeof *now * (size_t)stepper->n);
    if (most * DBL_EPSILON > LEFT_OVER) own->t_end = NAN;
}

const hol__stepper_ops hol__cvode = {.create = create,
                                     .free = free_state,
                                     .attempt = attempt,
                                     .shorten = shorten,
                                     .shift = shift,
                                     .dense = dense,
                                     .reset = reset,
                                     .archive = archive};

const hol__stepper_type hol__stepper_bdf = {HOL__BDF_ROW, .ops = &hol__cvode};
const hol__stepper_type hol__stepper_adams = {HOL__ADAMS_ROW, .ops = &hol__cvode};
