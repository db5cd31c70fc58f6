/* energy_momentum.c: the implicit midpoint formula with the energy balance as one more equation,
 * for long conservative runs.
 *
 * With y_m = (y_0 + y_1) / 2, y' = (y_1 - y_0) / h and lambda, mu over the step (dae.h),
 *
 *     F_d, F_z = 0,  F_v = kappa u at (t_m, y_m);   A v - b = 0, Phi = 0 at the end
 *     e = T_1 + V_1 - W_1 - E = 0
 *
 * u is M v at the middle of the step as it is foreseen, E the energy at the start of the run, W the
 * work of everything without a potential, which is part of y. kappa is one more unknown, of order
 * h^2 as the error of the formula, and zero where the midpoint formula keeps the energy itself
 * (quadratic constraints, constant or linear forces). It plays the part of a discrete gradient [Go]
 * in all coordinates, also where constraints, masses and rotations are curved; it pushes along the
 * momentum, which is otherwise that of the midpoint formula.
 *
 * Iterations go on until rounding: with a = J^-1 F, b = J^-1 u, the increments are -a + s b, s such
 * that e = 0 along b, by a difference. Where the mechanism all but rests, or drivers leave it no
 * freedom, e says nothing of the motion: s would move it by more than a share of the step. Then
 * kappa = 0, and later steps, whose E is still that of the start, take back what was lost.
 *
 * The multipliers are those of the middle; at the end of the step they are extrapolated.
 */
#include "integ/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The part of a step that the energy balance may move the mechanism by, in the end and while the
 * iteration is on its way there. */
static const double MOST_SHARE = 0.1, MOST_ON_THE_WAY = 1;

/* Width of the difference of e along b, in the scale. */
static const double WIDTH = 1e-6;

typedef struct midpoint {
    hol__newton newton;
    double *y1, *x;        /* the end, and the multipliers of the middle */
    double *y, *ydot;      /* the middle */
    double *F, *end;       /* residuals at the middle and at the end */
    double *push, *answer; /* u, and b */
    double *near;          /* a state beside the end */
    double *x_end, *x_old; /* multipliers at the end, and of the middle of the step before */
    double energy;         /* E */
    double kappa, b_size;  /* b_size: of b in the scale */
    double magnitude;      /* of the terms of e */
    int has_energy;        /* E is known */
    int balanced;          /* e = 0 is asked for */
    int has_old;
} midpoint;

static hol_status create(hol__stepper *stepper) {
    midpoint *own = hol__newton_state(stepper, sizeof *own);
    if (!own) return HOL_ERR_MEMORY;
    double **const vectors[] = {&own->y1,    &own->x,      &own->y,    &own->ydot,
                                &own->F,     &own->end,    &own->push, &own->x_end,
                                &own->x_old, &own->answer, &own->near};
    return hol__newton_vectors(&own->newton, sizeof vectors / sizeof *vectors, vectors);
}

static void reset(hol__stepper *stepper) {
    midpoint *own = stepper->state;
    hol__newton_reset(&own->newton);
    own->has_old = own->has_energy = 0;
}

static void archive(hol__stepper *stepper, hol__archive *archive) {
    midpoint *own = stepper->state;
    hol__newton_archive(&own->newton, archive);
    hol__archive_numbers(archive, own->x, own->newton.N);
    hol__archive_numbers(archive, own->x_end, own->newton.N);
    hol__archive_numbers(archive, own->x_old, own->newton.N);
    HOL__ARCHIVE(archive, own->has_old);
    HOL__ARCHIVE(archive, own->has_energy);
    HOL__ARCHIVE(archive, own->energy);
}

/* ---- the equations ---- */

static void put_middle(const hol__stepper *stepper, const hol__step *step) {
    midpoint *own = stepper->state;
    for (int i = 0; i < stepper->n; i++) {
        own->y[i] = 0.5 * (step->y_old[i] + own->y1[i]);
        own->ydot[i] = (own->y1[i] - step->y_old[i]) / step->h;
    }
}

/* F at the middle of the step. */
static hol_status at_middle(hol__stepper *stepper, const hol__step *step, double *F) {
    midpoint *own = stepper->state;
    return hol__newton_residual(&own->newton, stepper, step->t + 0.5 * step->h, own->y, own->ydot,
                                own->x, F);
}

/* T + V - W at (t, y), with W the last entry of y. */
static hol_status energy(const hol__stepper *stepper, double t, const double *y, double *out) {
    midpoint *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    hol__dae_energy found = {0};
    const hol_status status = dae->energy(dae->self, t, y, &found);
    *out = found.kinetic + found.potential - y[stepper->n - 1];
    own->magnitude = fabs(found.kinetic) + fabs(found.potential) + fabs(y[stepper->n - 1]);
    return status;
}

/* u = M v at the middle: what F_v changes by where v' does by v. */
static hol_status put_push(hol__stepper *stepper, const hol__step *step) {
    midpoint *own = stepper->state;
    const int nd = own->newton.dae->nd;
    put_middle(stepper, step);
    hol_status status = at_middle(stepper, step, own->F);
    for (int i = nd; i < 2 * nd; i++) own->ydot[i] += own->y[i];
    if (status == HOL_OK) status = at_middle(stepper, step, own->push);
    for (int i = nd; i < 2 * nd; i++) own->push[i] -= own->F[i];
    return status;
}

/* All residuals in F: the constraints are those of the end, for increments of the middle. */
static hol_status residuals(hol__stepper *stepper, const hol__step *step) {
    midpoint *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int nd = dae->nd;
    put_middle(stepper, step);
    hol_status status = at_middle(stepper, step, own->F);
    if (status != HOL_OK || !nd) return status;
    status = hol__newton_residual(&own->newton, stepper, step->t_new, own->y1, own->ydot, own->x,
                                  own->end);
    for (int i = nd; i < 2 * nd; i++) own->F[i] -= own->kappa * own->push[i];
    for (int i = stepper->n; i < own->newton.N; i++) own->F[i] = 0.5 * own->end[i];
    return status;
}

/* ---- the iteration ---- */

/* Derivatives at the middle, and b. */
static hol_status linearize(const hol__stepper *stepper, const hol__step *step) {
    midpoint *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int nd = dae->nd;
    put_middle(stepper, step);
    hol_status status =
        dae->linearize(dae->self, step->t + 0.5 * step->h, own->y, own->ydot, own->x);
    if (status == HOL_OK) status = hol__newton_shift(&own->newton, 0, 2 / step->h, 0);
    if (status != HOL_OK || !own->balanced) return status;
    memset(own->answer, 0, sizeof(double) * (size_t)own->newton.N);
    memcpy(own->answer + nd, own->push + nd, sizeof(double) * (size_t)nd);
    status = dae->solve(dae->self, 0, own->answer, NULL);
    own->b_size = sqrt(hol__mean_square(stepper->n, own->answer, step->scale));
    return status;
}

/* e at the end moved by 2 s b. */
static hol_status energy_along(const hol__stepper *stepper, const hol__step *step, double s,
                               double *e) {
    midpoint *own = stepper->state;
    for (int i = 0; i < stepper->n; i++) own->near[i] = own->y1[i] + 2 * s * own->answer[i];
    const hol_status status = energy(stepper, step->t_new, own->near, e);
    *e -= own->energy;
    return status;
}

/* How far the step has moved the mechanism, in the scale. */
static double length(const hol__stepper *stepper, const hol__step *step) {
    const midpoint *own = stepper->state;
    for (int i = 0; i < stepper->n; i++) own->near[i] = own->y1[i] - step->y_old[i];
    return sqrt(hol__mean_square(stepper->n, own->near, step->scale));
}

/* Whether kappa moves the mechanism by less than a share of the step. */
static int moves_less(const hol__stepper *stepper, const hol__step *step, double kappa,
                      double share) {
    const midpoint *own = stepper->state;
    return 2 * fabs(kappa) * own->b_size <= share * length(stepper, step);
}

/* s, for which e = 0; 0, and no more of it in this step, where that would move it too far. */
static hol_status find_share(const hol__stepper *stepper, const hol__step *step, double *s) {
    midpoint *own = stepper->state;
    const double width = own->b_size > 0 ? WIDTH / own->b_size : 0;
    double e[2];
    *s = 0;
    hol_status status = energy_along(stepper, step, 0, &e[0]);
    if (status == HOL_OK && fabs(e[0]) <= 8 * DBL_EPSILON * own->magnitude) return HOL_OK;
    if (status == HOL_OK) status = energy_along(stepper, step, width, &e[1]);
    if (status != HOL_OK) return status;
    *s = -e[0] * width / (e[1] - e[0]);
    if (isfinite(*s) && moves_less(stepper, step, *s + own->kappa, MOST_ON_THE_WAY)) return HOL_OK;
    *s = -own->kappa;
    own->balanced = 0;
    return HOL_OK;
}

/* One iteration, and the size of what it adds, in the scale. */
static hol_status iterate(hol__stepper *stepper, const hol__step *step, double *size) {
    midpoint *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int n = stepper->n;
    double s = 0;
    hol_status status = residuals(stepper, step);
    if (status == HOL_OK) status = dae->solve(dae->self, 0, own->F, NULL);
    if (status != HOL_OK) return status;
    for (int i = 0; i < n; i++) own->y1[i] -= 2 * own->F[i];
    for (int i = n; i < own->newton.N; i++) own->x[i - n] -= own->F[i];
    if (own->balanced) status = find_share(stepper, step, &s);
    own->kappa += s;
    for (int i = 0; i < own->newton.N && s != 0; i++) {
        own->F[i] -= s * own->answer[i];
        if (i < n)
            own->y1[i] += 2 * s * own->answer[i];
        else
            own->x[i - n] += s * own->answer[i];
    }
    *size = sqrt(hol__stepper_added(stepper, n - dae->apart, own->F, step->scale));
    return status;
}

/* Until nothing is added but rounding. */
static hol_status settle(hol__stepper *stepper, const hol__step *step) {
    hol__settling going = hol__settling_begin(0);
    hol_status status = linearize(stepper, step);
    while (status == HOL_OK && !going.done) {
        double size;
        status = iterate(stepper, step, &size);
        if (status == HOL_OK) status = hol__settling_note(&going, size);
    }
    return status;
}

/* The same; without e = 0 where that keeps it from converging (near a turning point the work of
 * forces moves e more than the motion does), or has moved the mechanism too far. */
static hol_status converge(hol__stepper *stepper, const hol__step *step) {
    midpoint *own = stepper->state;
    const hol_status status = settle(stepper, step);
    if (!own->balanced || (status != HOL_OK && status != HOL_NOT_CONVERGED)) return status;
    if (status == HOL_OK && moves_less(stepper, step, own->kappa, MOST_SHARE)) return HOL_OK;
    own->kappa = 0;
    own->balanced = 0;
    return settle(stepper, step);
}

/* ---- steps ---- */

/* The multipliers at the end: those of the middle carried on by half a step. */
static void extrapolate(const hol__stepper *stepper, const double *start) {
    midpoint *own = stepper->state;
    for (int i = 0; i < own->newton.N - stepper->n; i++)
        own->x_end[i] =
            own->has_old ? 1.5 * own->x[i] - 0.5 * own->x_old[i] : 2 * own->x[i] - start[i];
}

static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    midpoint *own = stepper->state;
    const hol__newton_start start = hol__newton_begin(&own->newton, step);
    const size_t size = sizeof(double) * (size_t)(own->newton.N - stepper->n);
    if (start == HOL__NEWTON_FOLLOWS) memcpy(own->x_old, own->x, size);
    if (start != HOL__NEWTON_AGAIN) own->has_old = start == HOL__NEWTON_FOLLOWS;
    hol_status status = hol__newton_prepare(&own->newton, stepper, step,
                                            start == HOL__NEWTON_FOLLOWS ? own->x_end : NULL);
    if (status == HOL_OK) status = hol__stepper_first(stepper, step);
    if (status != HOL_OK) return status;
    memcpy(own->x, own->newton.x, size);
    for (int i = 0; i < stepper->n; i++) own->y1[i] = step->y_old[i] + step->h * step->f_old[i];
    own->kappa = 0;
    own->balanced = own->newton.dae->energy != NULL;
    if (own->balanced && !own->has_energy) {
        status = energy(stepper, step->t, step->y_old, &own->energy);
        own->has_energy = status == HOL_OK;
    }
    if (status == HOL_OK && own->balanced) status = put_push(stepper, step);
    if (status == HOL_OK) status = converge(stepper, step);
    if (status != HOL_OK) return status;
    extrapolate(stepper, own->newton.x);
    memcpy(step->y, own->y1, sizeof(double) * (size_t)stepper->n);
    return hol__stepper_project(stepper, step);
}

/* Start, middle, end. */
static int abscissae(const hol__stepper *stepper, double *c) {
    (void)stepper;
    c[0] = 0;
    c[1] = 0.5;
    c[2] = 1;
    return 3;
}

static const double *multipliers(const hol__stepper *stepper) {
    return ((const midpoint *)stepper->state)->x_end;
}

static const hol__stepper_ops ops = {.dense = hol__newton_dense, HOL__NEWTON_FUNCTIONS};

const hol__stepper_type hol__stepper_energy_momentum = {
    .name = "energy-momentum",
    .title = "implicit midpoint that keeps the energy balance to rounding, fixed steps",
    .order = 2,
    .dense_order = 2,
    .implicit = 1,
    .iterates = 1,
    .slots = 1,
    .lambda_order = 2,
    .ops = &ops,
};
