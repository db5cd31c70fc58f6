/* radau.c: Radau IIA collocation on the constrained equations [HW IV.8, VII.4].
 *
 * With stages Y_i = y_0 + Z_i at t + c_i h, multipliers X_i, and w = a^-1,
 *
 *     F(t + c_i h, Y_i, K_i, X_i) = 0,   K_i = 1/h sum_j w_ij Z_j,   y_1 = Y_s
 *
 * where F are the stabilised equations of index 2 (dae.h): positions and velocities meet their
 * constraints at every stage. Their order is 2s - 1 as without constraints, that of the multipliers
 * s. Newton's iteration has the derivatives at the middle stage as it is foreseen, so that stiff
 * directions that turn are half as far off as with those of the start; with w = T B T^-1 it falls
 * apart into systems of the size of F,
 *
 *     J(sigma_k / h) x_k = -(T^-1 F)_k,   (Z, X) <- (Z, X) + T x
 *
 * one real and the others complex in pairs. It starts from the polynomial of the step before, but
 * for positions, whose increments of a base point have no meaning beyond it: they follow from the
 * velocities, Z_i = h sum a_ij v_j.
 *
 * Estimate: J(sigma_0 / h) e = -F(t, y_0, -1/h sum e_j Z_j, x_0) without its constraints, of order
 * s; in first steps and repeated ones the filter is applied twice. It is tangent to the
 * constraints by itself. Inside the step y is the polynomial through y_0, Y_1, … and the projected
 * y_1.
 *
 * With theta = |x| / |x before|, the iteration has converged when theta / (1 - theta) |x| is below
 * LEFT_OVER of the tolerance. Where it will not in the iterations that are left, derivatives are
 * taken anew where the middle stage is by now, and where that does not help a shorter step is asked
 * for.
 */
#include "integ/radau.h"

#include "integ/collocate.h"
#include "integ/newton.h"

#include <math.h>
#include <string.h>

typedef struct radau {
    hol__newton newton;
    double *z[HOL__RADAU_STAGES];   /* (Z_i, X_i) */
    double *F[HOL__RADAU_STAGES];   /* residuals, and what they become */
    double *old[HOL__RADAU_STAGES]; /* of the step before: (Z_i - Z_s, X_i), the start last */
    double *y, *ydot;               /* a stage */
    double *estimate;
    double h_old; /* of the step before; 0: none is known */
    double h;     /* of the step that z belongs to */
} radau;

static hol_status create(hol__stepper *stepper) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = hol__newton_state(stepper, sizeof *own);
    if (!own) return HOL_ERR_MEMORY;
    double **vectors[3 * HOL__RADAU_STAGES + 3] = {&own->y, &own->ydot, &own->estimate};
    size_t count = 3;
    for (int i = 0; i < table->stages; i++) {
        vectors[count++] = &own->z[i];
        vectors[count++] = &own->F[i];
        vectors[count++] = &own->old[i];
    }
    return hol__newton_vectors(&own->newton, count, vectors);
}

static void reset(hol__stepper *stepper) {
    radau *own = stepper->state;
    hol__newton_reset(&own->newton);
    own->h_old = own->h = 0;
}

static void archive(hol__stepper *stepper, hol__archive *archive) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    hol__newton_archive(&own->newton, archive);
    for (int i = 0; i < table->stages; i++) {
        hol__archive_numbers(archive, own->z[i], own->newton.N);
        hol__archive_numbers(archive, own->old[i], own->newton.N);
    }
    HOL__ARCHIVE(archive, own->h_old);
    HOL__ARCHIVE(archive, own->h);
}

/* ---- start values ---- */

/* The stages of the step that was accepted become those of the step before. */
static void keep_stages(const hol__stepper *stepper) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const int s = table->stages, n = stepper->n, N = own->newton.N;
    const double *end = own->z[s - 1];
    for (int i = 0; i < s; i++) {
        double *to = own->old[i];
        const double *from = own->z[i];
        for (int k = 0; k < n; k++) to[k] = i < s - 1 ? from[k] - end[k] : -end[k];
        memcpy(to + n, from + n, sizeof *to * (size_t)(N - n));
    }
    own->h_old = own->h;
}

/* Increments since the start of the new step at its stage i, by the polynomials of the step
 * before. */
static void extrapolate(const hol__stepper *stepper, int i, double h) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const int s = table->stages, n = stepper->n, N = own->newton.N;
    const double x = 1 + table->c[i] * h / own->h_old;
    double L[HOL__RADAU_STAGES + 1], l[HOL__RADAU_STAGES];
    hol__lagrange_from_zero(s, table->c, x, L);
    hol__lagrange(s, table->c, x, l);
    for (int k = 0; k < n; k++) { /* the start in the place of the end, where increments are zero */
        double sum = L[0] * own->old[s - 1][k];
        for (int j = 0; j < s - 1; j++) sum += L[j + 1] * own->old[j][k];
        own->z[i][k] = sum;
    }
    for (int k = n; k < N; k++) {
        own->z[i][k] = 0;
        for (int j = 0; j < s; j++) own->z[i][k] += l[j] * own->old[j][k];
    }
}

/* Increments of constant slope, and the multipliers of the start. */
static void follow_slope(const hol__stepper *stepper, const hol__step *step, int i) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const int n = stepper->n;
    for (int k = 0; k < n; k++) own->z[i][k] = table->c[i] * step->h * step->f_old[k];
    memcpy(own->z[i] + n, own->newton.x, sizeof(double) * (size_t)(own->newton.N - n));
}

/* Where the iteration starts. */
static void predict(const hol__stepper *stepper, const hol__step *step) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const int s = table->stages, nd = own->newton.dae->nd;
    for (int i = 0; i < s; i++)
        if (own->h_old > 0)
            extrapolate(stepper, i, step->h);
        else
            follow_slope(stepper, step, i);
    for (int i = 0; i < s; i++)
        for (int k = 0; k < nd; k++) {
            own->z[i][k] = 0;
            for (int j = 0; j < s; j++)
                own->z[i][k] +=
                    step->h * table->a[i * s + j] * (step->y_old[nd + k] + own->z[j][nd + k]);
        }
}

/* ---- the iteration ---- */

/* F at all stages. */
static hol_status residuals(hol__stepper *stepper, const hol__step *step) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const int s = table->stages, n = stepper->n;
    hol_status status = HOL_OK;
    for (int i = 0; i < s && status == HOL_OK; i++) {
        const double t = table->c[i] == 1 ? step->t_new : step->t + table->c[i] * step->h;
        for (int k = 0; k < n; k++) own->y[k] = step->y_old[k] + own->z[i][k];
        hol__combine(n, NULL, 1 / step->h, s, table->w + i * s, own->z, own->ydot);
        status = hol__newton_residual(&own->newton, stepper, t, own->y, own->ydot, own->z[i] + n,
                                      own->F[i]);
    }
    return status;
}

/* F <- m F, stage by stage; the same with the other sign. */
static void transform(const hol__stepper *stepper, const double *m, double sign) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const int s = table->stages;
    for (int k = 0; k < own->newton.N; k++) {
        double in[HOL__RADAU_STAGES];
        for (int i = 0; i < s; i++) in[i] = own->F[i][k];
        for (int i = 0; i < s; i++) {
            double sum = 0;
            for (int j = 0; j < s; j++) sum += m[i * s + j] * in[j];
            own->F[i][k] = sign * sum;
        }
    }
}

/* F of all stages as it would be where the derivatives were taken, and increments back. */
static void turn(const hol__stepper *stepper, const hol__step *step, int back) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    if (!dae->turn) return;
    for (int i = 0; i < table->stages; i++) {
        for (int k = 0; k < stepper->n; k++) own->y[k] = step->y_old[k] + own->z[i][k];
        dae->turn(dae->self, own->y, back, own->F[i]);
    }
}

/* One iteration: F becomes what is added; its size in tolerances. */
static hol_status iterate(hol__stepper *stepper, const hol__step *step, double *size) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int s = table->stages, n = stepper->n - dae->apart;
    hol_status status = residuals(stepper, step);
    if (status != HOL_OK) return status;
    turn(stepper, step, 0);
    transform(stepper, table->ti, -1);
    if (table->real) status = dae->solve(dae->self, 0, own->F[0], NULL);
    for (int i = table->real, slot = 1; i < s && status == HOL_OK; i += 2, slot++)
        status = dae->solve(dae->self, slot, own->F[i], own->F[i + 1]);
    if (status != HOL_OK) return status;
    transform(stepper, table->t, 1);
    turn(stepper, step, 1);
    double sum = 0;
    for (int i = 0; i < s; i++) {
        for (int k = 0; k < own->newton.N; k++) own->z[i][k] += own->F[i][k];
        sum += hol__stepper_added(stepper, n, own->F[i], step->scale) / s;
    }
    *size = sqrt(sum) / step->tolerance;
    return isfinite(*size) ? HOL_OK : HOL_NONFINITE;
}

/* The matrices of the step. */
static hol_status shift(const hol__stepper *stepper, double h) {
    const hol__radau_table *table = stepper->type->table;
    const radau *own = stepper->state;
    hol_status status = hol__newton_shift(&own->newton, 0, table->sigma0 / h, 0);
    for (int i = table->real, p = 0; i < table->stages && status == HOL_OK; i += 2, p++)
        status =
            hol__newton_shift(&own->newton, p + 1, table->pair[p][0] / h, table->pair[p][1] / h);
    return status;
}

/* The same with derivatives at the middle stage; at the start where nothing is known of that. */
static hol_status linearize(const hol__stepper *stepper, const hol__step *step, int at_start) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int s = table->stages, n = stepper->n, i = (s - 1) / 2;
    hol_status status;
    if (at_start)
        status = dae->linearize(dae->self, step->t, step->y_old, step->f_old, own->newton.x);
    else {
        for (int k = 0; k < n; k++) own->y[k] = step->y_old[k] + own->z[i][k];
        hol__combine(n, NULL, 1 / step->h, s, table->w + i * s, own->z, own->ydot);
        status = dae->linearize(dae->self, step->t + table->c[i] * step->h, own->y, own->ydot,
                                own->z[i] + n);
    }
    return status == HOL_OK ? shift(stepper, step->h) : status;
}

/* All stages. */
static hol_status converge(hol__stepper *stepper, const hol__step *step) {
    radau *own = stepper->state;
    hol__convergence c = hol__convergence_begin(&own->newton, step);
    hol_status status = HOL_OK;
    while (status == HOL_OK && !c.done) {
        double size;
        status = iterate(stepper, step, &size);
        if (status == HOL_OK) status = hol__convergence_note(&c, size);
        if (status == HOL_NOT_CONVERGED && hol__convergence_again(&c))
            status = linearize(stepper, step, 0);
    }
    return status;
}

/* ---- steps ---- */

/* The estimate, from (t, y) beside the start of the step. */
static hol_status filter(hol__stepper *stepper, const hol__step *step, const double *y) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const hol__dae *dae = own->newton.dae;
    const int n = stepper->n;
    hol__combine(n, NULL, -1 / step->h, table->stages, table->e, own->z, own->ydot);
    const hol_status status = hol__newton_residual(&own->newton, stepper, step->t, y, own->ydot,
                                                   own->newton.x, own->estimate);
    for (int k = 0; k < n; k++) own->estimate[k] = -own->estimate[k];
    for (int k = n; k < own->newton.N; k++) own->estimate[k] = 0;
    return status == HOL_OK ? hol__dae_solve_at(dae, 0, y, own->estimate) : status;
}

/* Twice where the step is the first or has been tried before: stiff components that are off at the
 * start say nothing against the step. */
static hol_status make_estimate(hol__stepper *stepper, const hol__step *step, int fresh) {
    radau *own = stepper->state;
    hol_status status = filter(stepper, step, step->y_old);
    const double size = sqrt(hol__mean_square(stepper->n, own->estimate, step->scale));
    if (status != HOL_OK || fresh || size <= step->tolerance) return status;
    for (int k = 0; k < stepper->n; k++) own->y[k] = step->y_old[k] + own->estimate[k];
    return filter(stepper, step, own->y);
}

/* y_1. */
static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    const hol__radau_table *table = stepper->type->table;
    radau *own = stepper->state;
    const hol__newton_start start = hol__newton_begin(&own->newton, step);
    if (start == HOL__NEWTON_FOLLOWS) keep_stages(stepper);
    if (start == HOL__NEWTON_ALONE) own->h_old = 0;
    const double *end = start == HOL__NEWTON_FOLLOWS ? own->z[table->stages - 1] : NULL;
    hol_status status =
        hol__newton_prepare(&own->newton, stepper, step, end ? end + stepper->n : NULL);
    if (status == HOL_OK && own->h_old == 0) status = hol__stepper_first(stepper, step);
    if (status == HOL_OK) {
        predict(stepper, step);
        status = linearize(stepper, step, own->h_old == 0);
    }
    own->h = step->h;
    if (status == HOL_OK) status = converge(stepper, step);
    if (status == HOL_OK) status = make_estimate(stepper, step, start == HOL__NEWTON_FOLLOWS);
    if (status != HOL_OK) return status;
    const double *z = own->z[table->stages - 1];
    for (int k = 0; k < stepper->n; k++) step->y[k] = step->y_old[k] + z[k];
    return hol__stepper_project(stepper, step);
}

/* The norm of the estimate. */
static double error(hol__stepper *stepper, const hol__step *step, const double *scale,
                    double tolerance) {
    const radau *own = stepper->state;
    (void)step;
    memcpy(own->ydot, own->estimate, sizeof(double) * (size_t)stepper->n);
    return sqrt(hol__stepper_norm(stepper, own->ydot, scale)) / tolerance;
}

/* The polynomial through the start, the stages before the last, and the end. */
static hol_status dense(hol__stepper *stepper, hol__step *step, double x, double *y) {
    const hol__radau_table *table = stepper->type->table;
    const radau *own = stepper->state;
    const int s = table->stages;
    double L[HOL__RADAU_STAGES + 1];
    hol__lagrange_from_zero(s, table->c, x, L);
    hol__combine(stepper->n, NULL, 1, s - 1, L + 1, own->z, y);
    for (int k = 0; k < stepper->n; k++)
        y[k] += step->y_old[k] + L[s] * (step->y[k] - step->y_old[k]);
    return HOL_OK;
}

/* c of the table, and the start, where derivatives are taken. */
static int abscissae(const hol__stepper *stepper, double *c) {
    const hol__radau_table *table = stepper->type->table;
    c[0] = 0;
    memcpy(c + 1, table->c, sizeof *c * (size_t)table->stages);
    return table->stages + 1;
}

/* Those of the last stage. */
static const double *multipliers(const hol__stepper *stepper) {
    const hol__radau_table *table = stepper->type->table;
    const radau *own = stepper->state;
    return own->z[table->stages - 1] + stepper->n;
}

const hol__stepper_ops hol__radau = {.error = error, .dense = dense, HOL__NEWTON_FUNCTIONS};
