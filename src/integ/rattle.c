/* rattle.c: RATTLE and its compositions, for long conservative runs [HLW VII.1].
 *
 *     F_v(t_0, d_0, v_h, 2 (v_h - v_0) / h, lambda_0) = 0
 *     d_1 - d_0 = h/2 (rate(d_0, v_h) + rate(d_1, v_h)),     Phi(t_1, d_1) = 0
 *     F_v(t_1, d_1, v_h, 2 (v_1 - v_h) / h, lambda_1) = 0,   A v_1 - b = 0 at (t_1, d_1)
 *
 * F as in dae.h; states of elements and work follow v. The formula is symmetric and of order 2; in
 * coordinates with a constant mass matrix, in the plane or of points, and without forces that
 * depend on velocities it is symplectic, and the energy does not drift. Rows of higher order
 * compose it from steps gamma_i h that are the same from both ends.
 *
 * The second half is linear, in M and A at its end. The first is iterated until rounding: with M
 * and A alone (rattle_inertial.c), and where that does not converge with J (dae.h) of sigma_v =
 * 2/h, sigma_d = 1/h, in which A x_v = D delta / h stands for the constraints of velocities.
 * What that leaves out is little: forces are those of the old position, h^2 dQ/dq / M beside 2.
 * Velocity constraints beside those of positions have no place in it.
 */
#include "integ/rattle.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The substeps of a row, as shares of the step. */
typedef struct rattle_table {
    int n;
    const double *gamma; /* the first half and the middle; the others are the same backwards */
} rattle_table;

static hol_status create(hol__stepper *stepper) {
    hol__rattle *own = hol__newton_state(stepper, sizeof *own);
    if (!own) return HOL_ERR_MEMORY;
    double **const vectors[] = {&own->y0, &own->y1, &own->half, &own->end, &own->rate, &own->x0,
                                &own->x1, &own->F,  &own->G,    &own->gap, &own->kick, &own->lead};
    return hol__newton_vectors(&own->newton, sizeof vectors / sizeof *vectors, vectors);
}

static void reset(hol__stepper *stepper) {
    hol__rattle *own = stepper->state;
    hol__newton_reset(&own->newton);
}

static void archive(hol__stepper *stepper, hol__archive *archive) {
    hol__rattle *own = stepper->state;
    hol__newton_archive(&own->newton, archive);
    hol__archive_numbers(archive, own->x1, own->newton.N);
}

/* ---- the first half with all derivatives ---- */

void hol__rattle_rates(const hol__stepper *stepper, double h, const double *from,
                       const double *to) {
    hol__rattle *own = stepper->state;
    const int nd = own->newton.dae->nd;
    for (int i = 0; i < nd; i++) own->rate[i] = 0;
    for (int i = nd; i < stepper->n; i++) own->rate[i] = 2 * (to[i] - from[i]) / h;
}

/* The residuals of v_h, z_h, d_1 and Phi, for increments of d_1 and v_h. */
static hol_status residuals(hol__stepper *stepper, double t, double h) {
    hol__rattle *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int nd = dae->nd, n = stepper->n;
    hol__rattle_rates(stepper, h, own->y0, own->half);
    hol_status status =
        hol__newton_residual(&own->newton, stepper, t, own->half, own->rate, own->x0, own->F);
    for (int i = nd; i < n; i++) own->end[i] = own->half[i];
    if (status == HOL_OK && nd)
        status = hol__newton_residual(&own->newton, stepper, t + h, own->end, own->rate, own->x0,
                                      own->G);
    for (int i = 0; i < nd; i++)
        own->gap[i] = own->F[i] = (own->end[i] - own->y0[i]) / h + 0.5 * (own->F[i] + own->G[i]);
    for (int i = 0; i < dae->mh; i++) {
        own->F[n + dae->m + i] = own->G[n + dae->m + i];
        own->F[n + i] = own->G[n + dae->m + i] / h;
    }
    return status;
}

/* What an iteration adds. Positions follow velocities: mu has no place here. */
static void add(const hol__stepper *stepper, double h) {
    hol__rattle *own = stepper->state;
    const int nd = own->newton.dae->nd, n = stepper->n;
    for (int i = 0; i < nd; i++) own->end[i] -= h * (own->gap[i] + own->F[nd + i]);
    for (int i = nd; i < n; i++) own->half[i] -= own->F[i];
    for (int i = 0; i < own->newton.dae->m; i++) own->x0[i] -= own->F[n + i];
}

double hol__rattle_rounding(const hol__stepper *stepper, const hol__step *step, double h) {
    const int nd = ((const hol__rattle *)stepper->state)->newton.dae->nd;
    double most = 0;
    for (int i = 0; i < nd; i++) most = fmax(most, step->scale[i] / step->scale[nd + i]);
    return DBL_EPSILON * most / fabs(h);
}

void hol__rattle_begin(const hol__stepper *stepper, double h) {
    hol__rattle *own = stepper->state;
    const int nd = own->newton.dae->nd, n = stepper->n;
    memcpy(own->half, own->y0, sizeof(double) * (size_t)n);
    for (int i = nd; i < n; i++) own->half[i] += 0.5 * h * own->kick[i];
    for (int i = 0; i < nd; i++) own->end[i] = own->y0[i] + h * own->half[nd + i];
}

static hol_status first_by_all(hol__stepper *stepper, const hol__step *step, double t, double h) {
    hol__rattle *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const hol__sigma sigma = {{1 / h, 0}, {2 / h, 0}};
    hol__settling going = hol__settling_begin(64 * hol__rattle_rounding(stepper, step, h));
    hol__rattle_begin(stepper, h);
    hol__rattle_rates(stepper, h, own->y0, own->half);
    hol_status status = dae->linearize(dae->self, t, own->y0, own->rate, own->x0);
    if (status == HOL_OK) status = dae->shift(dae->self, 0, &sigma);
    while (status == HOL_OK && !going.done) {
        status = residuals(stepper, t, h);
        if (status == HOL_OK) status = dae->solve(dae->self, 0, own->F, NULL);
        if (status != HOL_OK) return status;
        add(stepper, h);
        status = hol__settling_note(
            &going,
            sqrt(hol__stepper_added(stepper, stepper->n - dae->apart, own->F, step->scale)));
    }
    return status;
}

/* ---- steps ---- */

/* A substep from y0 at t; y0 and x0 are those of its end. */
static hol_status substep(hol__stepper *stepper, const hol__step *step, double t, double h) {
    hol__rattle *own = stepper->state;
    const size_t m = sizeof(double) * (size_t)own->newton.dae->m;
    hol_status status = HOL_OK;
    if (!own->whole) {
        memcpy(own->x1, own->x0, m);
        status = hol__rattle_first(stepper, step, t, h);
        own->whole = status > 0;
        if (own->whole) memcpy(own->x0, own->x1, m);
    }
    if (own->whole) status = first_by_all(stepper, step, t, h);
    if (status == HOL_OK) status = hol__rattle_second(stepper, t + h, h);
    memcpy(own->y0, own->y1, sizeof(double) * (size_t)stepper->n);
    memcpy(own->x0, own->x1, m);
    return status;
}

static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    const rattle_table *table = stepper->type->table;
    hol__rattle *own = stepper->state;
    const hol__newton_start start = hol__newton_begin(&own->newton, step);
    hol_status status = hol__newton_prepare(&own->newton, stepper, step,
                                            start == HOL__NEWTON_FOLLOWS ? own->x1 : NULL);
    if (status == HOL_OK) status = hol__stepper_first(stepper, step);
    double t = step->t;
    memset(own->x0, 0, sizeof(double) * (size_t)own->newton.N);
    memcpy(own->x0, own->newton.x, sizeof(double) * (size_t)(own->newton.N - stepper->n));
    memcpy(own->y0, step->y_old, sizeof(double) * (size_t)stepper->n);
    memcpy(own->kick, step->f_old, sizeof(double) * (size_t)stepper->n);
    own->whole = !own->newton.dae->inertial;
    own->kept = own->swayed = 0;
    own->steady =
        own->newton.dae->inertial && own->newton.dae->inertial->steady(own->newton.dae->self);
    own->h[0] = own->h[1] = own->turns = 0;
    for (int i = 0; i < table->n && status == HOL_OK; i++) {
        const double h = step->h * table->gamma[i <= table->n / 2 ? i : table->n - 1 - i];
        status = substep(stepper, step, t, i == table->n - 1 ? step->t_new - t : h);
        t += h;
    }
    if (status != HOL_OK) return status;
    memcpy(step->y, own->y1, sizeof(double) * (size_t)stepper->n);
    return hol__stepper_project(stepper, step);
}

/* Both ends; those of substeps lie beyond them. */
static int abscissae(const hol__stepper *stepper, double *c) {
    (void)stepper;
    c[0] = 0;
    c[1] = 1;
    return 2;
}

static const double *multipliers(const hol__stepper *stepper) {
    return ((const hol__rattle *)stepper->state)->x1;
}

static const hol__stepper_ops ops = {.dense = hol__newton_dense, HOL__NEWTON_FUNCTIONS};

/* [HLW V.3] */
static const double one[] = {1};
static const double nine[] = {0.39216144400731413928, 0.33259913678935943860,
                              -0.70624617255763935981, 0.08221359629355080023,
                              0.79854399093482996340};
static const double seventeen[] = {
    0.13020248308889008088, 0.56116298177510838456,  -0.38947496264484728641,
    0.15884190655515560090, -0.39590389413323757734, 0.18453964097831570709,
    0.25837438768632204729, 0.29501172360931029887,  -0.60550853383003451170};

#define RATTLE_ROW(row_name, row_title, row_order, count, numbers)                                 \
    {                                                                                              \
        .name = row_name, .title = row_title, .order = row_order,                                  \
        .dense_order = row_order > 3 ? 3 : row_order, .implicit = 1, .iterates = 1, .slots = 1,    \
        .inertial = 1, .lambda_order = 1, .holonomic = 1, .ops = &ops,                             \
        .table = &(const rattle_table) {                                                           \
            count, numbers                                                                         \
        }                                                                                          \
    }

const hol__stepper_type hol__stepper_rattle =
    RATTLE_ROW("rattle", "RATTLE, symplectic with constraints, fixed steps", 2, 1, one);

const hol__stepper_type hol__stepper_rattle6 =
    RATTLE_ROW("rattle6", "nine steps of RATTLE composed to order 6, fixed steps", 6, 9, nine);

const hol__stepper_type hol__stepper_rattle8 =
    RATTLE_ROW("rattle8", "17 steps of RATTLE composed to order 8, fixed steps", 8, 17, seventeen);
