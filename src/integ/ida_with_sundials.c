/* ida_with_sundials.c: backward differences on the constrained equations F(t, y, y', x) = 0, by IDA
 * of SUNDIALS. [HW VII.3; Hi; GJB 5.1.3.1]
 *
 * The unknowns of IDA are Y = (y, x): the state, and the multipliers x = (lambda, mu) of the
 * stabilised form of index 2 (dae.h). IDA chooses order and step, one step a call, and solves
 *
 *     (dF/dY + c_j dF/dY') z = r                 linearize, shift(c_j), solve of the equations
 *
 * Errors are tested in y alone, the iteration in y without the integrals on which nothing depends
 * and which the matrix does not know: multipliers follow in every iteration, and rounding in them
 * grows with 1/h. So the weights of multipliers are zero and those of integrals negative, which the
 * norm of the iteration leaves out and the one of errors squares. A method whose equations are
 * others than these (with Baumgarte's terms, in momenta, in independent coordinates) gives F = y' -
 * f(t, y), the form of index 1 with its multipliers solved for inside f, and c_j (I - J / c_j) z =
 * r.
 *
 * A formula of order k is that of equal steps, and stable as that is, after k + 1 of them. IDA asks
 * for nothing but that a step should grow by 2; here it grows by WORTH where k + 1 have been equal,
 * as CVODE's do, and else not at all. A matrix with another c_j contracts what is stiff by
 * |c - c_j| / (c + c_j) only, and exact derivatives are no evaluations: where they are exact each
 * c_j has its own.
 *
 * The state is P(Y) where the method has a correction, Y itself otherwise. History, increments and
 * interpolation: history.h.
 */
#include "integ/ida.h"

#include "integ/dae.h"
#include "integ/sundials.h"

#include <ida/ida.h>
#include <ida/ida_ls.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* By so much c_j may change before there is another matrix where derivatives are differences: IDA's
 * own. */
static const double OWN_CHANGE = 0.25;

/* The state of one. */
typedef struct ida {
    hol__sun sun;
    const hol__dae *dae; /* NULL: y' = f */
    int n, N;            /* of y and of Y */
    double c_j;          /* of the matrix */
    double length;       /* of the last step; 0: there is none */
    int equal;           /* so many steps have been as long as the one before */
    N_Vector rate, id;   /* Y'; 1 for y and 0 for x */
    double *F;           /* scratch, N */
} ida;

/* ---- what IDA calls */

/* F(t, Y, Y'). */
static int on_residual(double t, N_Vector y, N_Vector ydot, N_Vector out, void *self) {
    ida *own = self;
    hol__history *history = &own->sun.history;
    hol__stepper *stepper = history->stepper;
    const double *x = NV_DATA_S(y) + own->n, *rate = NV_DATA_S(ydot),
                 *at = hol__history_seen(history, NV_DATA_S(y));
    double *F = NV_DATA_S(out);
    hol_status status = history->status < 0 ? history->status : HOL_OK;
    if (!status && own->dae) {
        stepper->evaluations++;
        status = own->dae->residual(own->dae->self, t, at, rate, x, F);
    } else if (!status) {
        status = hol__stepper_rhs(stepper, t, at, F);
        for (int i = 0; i < own->n; i++) F[i] = rate[i] - F[i];
    }
    if (!status && !hol__all_finite(own->N, F)) status = HOL_NONFINITE;
    return hol__history_answer(history, status);
}

/* Those of y, so that the norm over Y is the one over y; of x none. */
static int on_weights(N_Vector y, N_Vector weights, void *self) {
    ida *own = self;
    const double share = sqrt((double)own->N / own->n);
    const int apart = own->dae ? own->dae->apart : 0;
    double *w = NV_DATA_S(weights);
    hol__history_weights(&own->sun.history, NV_DATA_S(y), w);
    for (int i = 0; i < own->n; i++) w[i] *= i < own->n - apart ? share : -share;
    for (int i = own->n; i < own->N; i++) w[i] = 0;
    return 0;
}

/* The norm of the iteration: over those with positive weights. */
static double iteration_norm(N_Vector x, N_Vector weights) {
    const double *a = NV_DATA_S(x), *w = NV_DATA_S(weights);
    const int n = (int)NV_LENGTH_S(x);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += w[i] > 0 ? a[i] * w[i] * a[i] * w[i] : 0;
    return sqrt(sum / n);
}

/* The matrix at (t, Y, Y') for c_j. */
static int on_matrix(double t, double c_j, N_Vector y, N_Vector ydot, N_Vector F, SUNMatrix matrix,
                     void *self, N_Vector a, N_Vector b, N_Vector c) {
    ida *own = self;
    hol__history *history = &own->sun.history;
    const hol__system *system = history->stepper->system;
    const hol__dae *dae = own->dae;
    const hol__sigma sigma = {{c_j, 0}, {c_j, 0}};
    const double *at = hol__history_seen(history, NV_DATA_S(y));
    hol_status status;
    (void)F, (void)matrix, (void)a, (void)b, (void)c;
    own->c_j = c_j;
    if (dae) {
        status = dae->linearize(dae->self, t, at, NV_DATA_S(ydot), NV_DATA_S(y) + own->n);
        if (!status) status = dae->shift(dae->self, 0, &sigma);
    } else {
        status = system->linearize(system->self, t, at, NV_DATA_S(ydot), history->h, NULL);
        if (!status) status = system->shift(system->self, 1 / c_j);
    }
    return hol__history_answer(history, status);
}

/* Solutions with it. */
static int solve(hol__history *history, const double *r, double *x) {
    ida *own = (ida *)history;
    if (own->dae) {
        memcpy(x, r, sizeof *x * (size_t)own->N);
        return hol__history_answer(history, hol__dae_solve_at(own->dae, 0, history->at, x));
    }
    for (int i = 0; i < own->n; i++) own->F[i] = r[i] / own->c_j;
    return hol__history_answer(
        history, hol__system_solve_at(history->stepper->system, history->at, own->F, x));
}

/* What it answers. */
static const hol__sun_library library = {"IDA", IDAGetCurrentTime, IDAGetLastStep, IDAGetDky};

/* ---- making one */

/* The further vectors; 0 without memory. */
static int make_vectors(ida *own) {
    own->rate = N_VClone(own->sun.y);
    own->id = N_VClone(own->sun.y);
    if (!own->rate || !own->id) return 0;
    N_VConst(0, own->rate);
    for (int i = 0; i < own->N; i++) NV_DATA_S(own->id)[i] = i < own->n;
    return 1;
}

/* IDA with all that it calls; 0 without memory. */
static int set_up(ida *own) {
    hol__sun *sun = &own->sun;
    if (!hol__sun_open(sun, own->N)) return 0;
    sun->y->ops->nvwrmsnorm = iteration_norm;
    if (!make_vectors(own)) return 0;
    void *mem = sun->mem = IDACreate(sun->context);
    if (!mem || IDASetErrHandlerFn(mem, hol__sun_message, own)) return 0;
    if (IDAInit(mem, on_residual, 0, sun->y, own->rate) || IDASetUserData(mem, own) ||
        IDAWFtolerances(mem, on_weights) || IDASetId(mem, own->id) ||
        IDASetSuppressAlg(mem, own->dae != NULL))
        return 0;
    if (!hol__sun_linear(sun, solve) || IDASetLinearSolver(mem, sun->linear, sun->matrix) ||
        IDASetJacFn(mem, on_matrix))
        return 0;
    return !IDASetMaxErrTestFails(mem, HOL__HISTORY_FAILURES) &&
           !IDASetMaxConvFails(mem, HOL__HISTORY_FAILURES);
}

static hol_status create(hol__stepper *stepper) {
    ida *own = hol__sun_state(stepper, sizeof *own, &library);
    if (!own) return HOL_ERR_MEMORY;
    own->dae = stepper->system->dae;
    own->n = stepper->n;
    own->N = own->dae ? hol__dae_size(own->dae) : own->n;
    own->F = hol__alloc(stepper->ctx, (size_t)own->N, sizeof *own->F);
    return own->F && set_up(own) ? HOL_OK : HOL_ERR_MEMORY;
}

static void free_state(hol__stepper *stepper) {
    ida *own = stepper->state;
    if (own->sun.mem) IDAFree(&own->sun.mem);
    if (own->rate) N_VDestroy(own->rate);
    if (own->id) N_VDestroy(own->id);
    hol__release(stepper->ctx, own->F);
    hol__sun_free(stepper);
}

/* ---- steps */

/* Begin at the start of the step, with order 1: y' = f, and the multipliers there. */
static hol_status begin(ida *own, hol__step *step) {
    hol__sun *sun = &own->sun;
    hol__stepper *stepper = own->sun.history.stepper;
    double *y = NV_DATA_S(sun->y), *rate = NV_DATA_S(own->rate);
    const double first = hol__history_begin(&own->sun.history, step);
    hol_status status = hol__stepper_first(stepper, step);
    if (status) return status;
    memcpy(y, step->y_old, sizeof *y * (size_t)own->n);
    memcpy(rate, step->f_old, sizeof *rate * (size_t)own->n);
    memset(rate + own->n, 0, sizeof *rate * (size_t)(own->N - own->n));
    if (own->dae)
        status = hol__dae_multipliers(own->dae, step->t, y, rate, step->h, y + own->n, own->F);
    if (status) return status;
    sun->rejected = 0;
    own->length = own->equal = 0;
    own->sun.history.begun =
        !IDAReInit(sun->mem, step->t, sun->y, own->rate) && !IDASetInitStep(sun->mem, first) &&
        !IDASetNonlinConvCoef(sun->mem, hol__history_left_over(&own->sun.history)) &&
        !IDASetMaxStep(sun->mem, step->longest) &&
        !IDASetDeltaCjLSetup(sun->mem, stepper->system->exact ? 0 : OWN_CHANGE) &&
        !IDASetEtaFixedStepBounds(sun->mem, 1, INFINITY);
    return own->sun.history.begun ? HOL_OK : HOL_ERR_MEMORY;
}

/* A step has been made: by how much the next one must be able to grow to do so. */
static void allow_growth(ida *own) {
    void *mem = own->sun.mem;
    double length = 0;
    int order = 0;
    IDAGetLastStep(mem, &length);
    IDAGetLastOrder(mem, &order);
    own->equal = length == own->length ? own->equal + 1 : 0;
    own->length = length;
    IDASetEtaFixedStepBounds(mem, 1, own->equal >= order ? HOL__HISTORY_WORTH : INFINITY);
}

/* The step has been made: its end, and what comes next. */
static hol_status take(ida *own, hol__step *step) {
    hol__history *history = &own->sun.history;
    long rejected = 0;
    memcpy(step->y, hol__history_seen(history, NV_DATA_S(own->sun.y)),
           sizeof *step->y * (size_t)own->n);
    const hol_status status = hol__stepper_project(history->stepper, step);
    if (status) return status;
    hol__history_end(history, step);
    allow_growth(own);
    IDAGetNumErrTestFails(own->sun.mem, &rejected);
    hol__sun_rejected(&own->sun, rejected);
    IDAGetCurrentStep(own->sun.mem, &step->next);
    return HOL_OK;
}

/* One step of IDA. */
static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    ida *own = stepper->state;
    hol__history *history = &own->sun.history;
    void *mem = own->sun.mem;
    hol_status status = HOL_OK;
    history->tolerance = step->tolerance;
    history->h = step->h;
    history->status = HOL_OK;
    stepper->said[0] = 0;
    if (!hol__history_continues(history, step)) status = begin(own, step);
    if (status) return status;
    IDASetMinStep(mem, 16 * DBL_EPSILON * fmax(fabs(step->t), fabs(step->t_new)));
    IDASetStopTime(mem, step->t_new);
    const int flag = IDASolve(mem, step->t_new, &step->t_new, own->sun.y, own->rate, IDA_ONE_STEP);
    status = hol__history_outcome(history, flag, flag == IDA_MEM_FAIL);
    step->h = step->t_new - step->t;
    if (!status) status = take(own, step);
    if (status) hol__history_reset(stepper);
    return status;
}

static const hol__stepper_ops ops = {
    .create = create, .free = free_state, .attempt = attempt, HOL__HISTORY_FUNCTIONS};

const hol__stepper_type hol__stepper_ida = {HOL__IDA_ROW, .ops = &ops};
