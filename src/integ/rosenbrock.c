/* rosenbrock.c: linearly implicit formulas: one linear system with one matrix for each stage.
 *
 * With J = df/dy and f_t = df/dt at the start of the step, and k_i the slopes of [HW IV.7],
 *
 *     k_i = f(t + alpha_i h, y + h sum_j alpha_ij k_j) + h J sum_{j<=i} gamma_ij k_j
 *           + h gamma_i f_t
 *
 * In the variables u = h Gamma k, Gamma = (gamma_ij), no product with J is left:
 *
 *     (I - gamma h J) u_i = gamma h ( f(t + alpha_i h, y + sum_{j<i} a_ij u_j)
 *                                     + 1/h sum_{j<i} c_ij u_j + h gamma_i f_t )
 *     y*   = y + sum m_i u_i,  y_1 = project(t + h, y*),  error: sum e_i u_i
 *     y(s) = (1 - s) y_0 + s y_1 + s (1 - s) sum (d1_i + s d2_i) u_i            inside the step
 *     a = alpha Gamma^-1,  c = 1/gamma - Gamma^-1,  m = b Gamma^-1
 *
 * The matrix belongs to the system (system.h): J is asked for once in a step, however often the
 * step is tried; a shorter try only factors again. The formulas are stiffly accurate: the last row
 * of alpha + Gamma is b, and y_1 does not feel components that decay at once.
 */
#include "integ/rosenbrock.h"

#include "integ/implicit.h"

#include <math.h>

static hol_status create(hol__stepper *stepper) {
    const hol__rosenbrock_table *table = stepper->type->table;
    return hol__implicit_create(stepper, 0, table->stages);
}

/* f at stage i, in r or, where the stage is the start of the step, f_old. */
static hol_status slope(hol__stepper *stepper, hol__step *step, int i, const double **f) {
    const hol__rosenbrock_table *table = stepper->type->table;
    const hol__implicit *own = stepper->state;
    const double *a = table->a + i * table->stages;
    int moved = table->alpha[i] != 0;
    for (int j = 0; j < i; j++) moved |= a[j] != 0;
    *f = step->f_old;
    if (!moved) return HOL_OK;
    const double t = table->alpha[i] == 1 ? step->t_new : step->t + table->alpha[i] * step->h;
    hol__combine(stepper->n, step->y_old, 1, i, a, own->k, step->y);
    *f = own->r;
    return hol__stepper_rhs(stepper, t, step->y, own->r);
}

/* u_i, which stands in k. */
static hol_status stage(hol__stepper *stepper, hol__step *step, int i) {
    const hol__rosenbrock_table *table = stepper->type->table;
    const hol__system *system = stepper->system;
    const hol__implicit *own = stepper->state;
    const double h = step->h, g = table->gamma * h, w = h * table->gamma_i[i];
    const double *f;
    const hol_status status = slope(stepper, step, i, &f);
    if (status != HOL_OK) return status;
    hol__combine(stepper->n, NULL, 1 / h, i, table->c + i * table->stages, own->k, own->x);
    for (int j = 0; j < stepper->n; j++) own->r[j] = g * (f[j] + own->x[j] + w * own->f_t[j]);
    return system->solve(system->self, own->r, own->k[i]);
}

/* y_1. */
static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    const hol__rosenbrock_table *table = stepper->type->table;
    const hol__implicit *own = stepper->state;
    hol_status status = hol__implicit_prepare(stepper, step, table->gamma * step->h, 1);
    for (int i = 0; i < table->stages && status == HOL_OK; i++) status = stage(stepper, step, i);
    if (status != HOL_OK) return status;
    hol__combine(stepper->n, step->y_old, 1, table->stages, table->m, own->k, step->y);
    return hol__stepper_project(stepper, step);
}

/* The norm of the estimate. */
static double error(hol__stepper *stepper, const hol__step *step, const double *scale,
                    double tolerance) {
    const hol__rosenbrock_table *table = stepper->type->table;
    const hol__implicit *own = stepper->state;
    (void)step;
    hol__combine(stepper->n, NULL, 1 / tolerance, table->stages, table->e, own->k, own->x);
    return sqrt(hol__stepper_norm(stepper, own->x, scale));
}

/* y(s) by the formula at the top. */
static hol_status dense(hol__stepper *stepper, hol__step *step, double s, double *y) {
    const hol__rosenbrock_table *table = stepper->type->table;
    const hol__implicit *own = stepper->state;
    const double r = 1 - s;
    double w[HOL__MAX_STAGES];
    for (int i = 0; i < table->stages; i++) w[i] = s * r * (table->d1[i] + s * table->d2[i]);
    hol__combine(stepper->n, NULL, 1, table->stages, w, own->k, y);
    for (int i = 0; i < stepper->n; i++) y[i] += step->y_old[i] + s * (step->y[i] - step->y_old[i]);
    return HOL_OK;
}

/* alpha of the table. */
static int abscissae(const hol__stepper *stepper, double *c) {
    const hol__rosenbrock_table *table = stepper->type->table;
    for (int i = 0; i < table->stages; i++) c[i] = table->alpha[i];
    return table->stages;
}

const hol__stepper_ops hol__rosenbrock = {HOL__IMPLICIT_FUNCTIONS};
