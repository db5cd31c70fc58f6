/* sdirk.c: diagonally implicit Runge–Kutta formulas: each stage is a system of equations, solved by
 * Newton's iteration with one matrix for all of them [HW IV.6, IV.8].
 *
 *     k_1 = f(t, y),    k_i = f(t + c_i h, Y_i),    Y_i = p_i + z_i
 *     p_i = y + h sum_{j<i} a_ij k_j,    z_i = gamma h f(t + c_i h, p_i + z_i)
 *     (I - gamma h J) x = gamma h f(t + c_i h, p_i + z) - z,   z <- z + x,   J at the start
 *     y*   = Y_s,  y_1 = project(t + h, y*),  error: h sum e_i k_i
 *     y(s) = y_0 + s^2 (1 + 2 r) (y_1 - y_0) + h s r sum (d1_i (1 - 2 s) - d2_i s) k_i,  r = 1 - s
 *
 * Slopes are z_i / (gamma h), not f(Y_i): what the iteration has left over would come back times
 * the stiffness. The interpolant does without k_1, which has it.
 *
 * With theta = |x| / |x before|, the iteration has converged when theta / (1 - theta) |x| is below
 * LEFT_OVER of the tolerance. Where theta shows that J leads nowhere, because stiff directions turn
 * with the step, it is made anew at the stage; where that does not help a shorter step is asked
 * for.
 *
 * Formulas: ESDIRK3(2)4L[2]SA and ESDIRK4(3)6L[2]SA of [KC], L-stable, all stages of second order;
 * the interpolants are our own, of order 3. The tests check every number.
 */
#include "integ/sdirk.h"

#include "integ/implicit.h"

#include <math.h>
#include <string.h>

enum { MOST_ITERATIONS = 12, MOST_FRESH = 2 };
static const double LEFT_OVER = 0.01;
static const double ROUNDING = 1e-14; /* of the scale: no iteration gets below some 50 eps */
static const double SLOW = 0.3; /* a J that makes less of an iteration than this is made anew */

/* The first slope is f_old of the step. */
static hol_status create(hol__stepper *stepper) {
    const hol__sdirk_table *table = stepper->type->table;
    return hol__implicit_create(stepper, 1, table->stages);
}

/* y = p + z. */
static void put_stage(const hol__stepper *stepper, const hol__step *step) {
    const hol__implicit *own = stepper->state;
    for (int j = 0; j < stepper->n; j++) step->y[j] = own->p[j] + own->z[j];
}

/* One iteration at time t: z <- z + x, and the size of x in tolerances. */
static hol_status iterate(hol__stepper *stepper, const hol__step *step, double t, double g,
                          double *size) {
    const hol__system *system = stepper->system;
    const hol__implicit *own = stepper->state;
    const int n = stepper->n;
    put_stage(stepper, step);
    hol_status status = hol__stepper_rhs(stepper, t, step->y, own->r);
    for (int j = 0; j < n; j++) own->r[j] = g * own->r[j] - own->z[j];
    if (status == HOL_OK) status = system->solve(system->self, own->r, own->x);
    if (status != HOL_OK) return status;
    for (int j = 0; j < n; j++) own->z[j] += own->x[j];
    *size = sqrt(hol__stepper_added(stepper, n, own->x, step->scale)) / step->tolerance;
    return isfinite(*size) ? HOL_OK : HOL_NONFINITE;
}

/* z of the stage at time t, from the slope before it. */
static hol_status converge(hol__stepper *stepper, const hol__step *step, double t, double g) {
    const double enough = fmax(LEFT_OVER, ROUNDING / step->tolerance);
    double size = 0, before = 0;
    int fresh = 0;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        hol_status status = iterate(stepper, step, t, g, &size);
        if (status != HOL_OK) return status;
        if (size == 0) return HOL_OK;
        const double theta = before > 0 ? size / before : 1, left = theta / (1 - theta) * size;
        if (theta < 1 && left <= enough) return HOL_OK;
        if (before > 0 && theta > SLOW && fresh < MOST_FRESH) {
            put_stage(stepper, step);
            status = hol__implicit_refresh(stepper, t, step->y, g);
            if (status != HOL_OK) return status;
            fresh++;
            before = 0;
            continue;
        }
        if (before > 0 && theta >= 1) return HOL_NOT_CONVERGED;
        before = size;
    }
    return HOL_NOT_CONVERGED;
}

/* k_i; y is the stage. */
static hol_status stage(hol__stepper *stepper, hol__step *step, int i) {
    const hol__sdirk_table *table = stepper->type->table;
    const hol__implicit *own = stepper->state;
    const int n = stepper->n;
    const double g = table->gamma * step->h;
    const double t = table->c[i] == 1 ? step->t_new : step->t + table->c[i] * step->h;
    hol__combine(n, step->y_old, step->h, i, table->a + i * table->stages, own->k, own->p);
    for (int j = 0; j < n; j++) own->z[j] = g * own->k[i - 1][j];
    const hol_status status = converge(stepper, step, t, g);
    for (int j = 0; j < n; j++) own->k[i][j] = own->z[j] / g;
    put_stage(stepper, step);
    return status;
}

/* y_1. */
static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    const hol__sdirk_table *table = stepper->type->table;
    hol__implicit *own = stepper->state;
    own->k[0] = step->f_old;
    hol_status status = hol__implicit_prepare(stepper, step, table->gamma * step->h, 0);
    for (int i = 1; i < table->stages && status == HOL_OK; i++) status = stage(stepper, step, i);
    return status == HOL_OK ? hol__stepper_project(stepper, step) : status;
}

/* The norm of the estimate. */
static double error(hol__stepper *stepper, const hol__step *step, const double *scale,
                    double tolerance) {
    const hol__sdirk_table *table = stepper->type->table;
    const hol__implicit *own = stepper->state;
    hol__combine(stepper->n, NULL, step->h / tolerance, table->stages, table->e, own->k, own->x);
    return sqrt(hol__stepper_norm(stepper, own->x, scale));
}

/* y(s) by the formula at the top. */
static hol_status dense(hol__stepper *stepper, hol__step *step, double s, double *y) {
    const hol__sdirk_table *table = stepper->type->table;
    const hol__implicit *own = stepper->state;
    const double r = 1 - s, weight = s * s * (1 + 2 * r);
    double w[HOL__MAX_STAGES] = {0};
    for (int i = 1; i < table->stages; i++)
        w[i] = s * r * (table->d1[i] * (1 - 2 * s) - table->d2[i] * s);
    hol__combine(stepper->n, NULL, step->h, table->stages, w, own->k, y);
    for (int i = 0; i < stepper->n; i++)
        y[i] += step->y_old[i] + weight * (step->y[i] - step->y_old[i]);
    return HOL_OK;
}

/* c of the table. */
static int abscissae(const hol__stepper *stepper, double *c) {
    const hol__sdirk_table *table = stepper->type->table;
    memcpy(c, table->c, sizeof *c * (size_t)table->stages);
    return table->stages;
}

const hol__stepper_ops hol__sdirk = {HOL__IMPLICIT_FUNCTIONS};

/* clang-format off */

#define G3 (1767732205903.0 / 4055673282236.0)
static const double esdirk3_a[4 * 4] = {
    0, 0, 0, 0,
    G3, 0, 0, 0,
    2746238789719.0 / 10658868560708.0, -640167445237.0 / 6845629431997.0, 0, 0,
    1471266399579.0 / 7840856788654.0, -4482444167858.0 / 7529755066697.0,
        11266239266428.0 / 11593286722821.0, 0,
};
static const double esdirk3_c[4] = {0, 2 * G3, 3.0 / 5, 1};
/* b less the second-order weights */
static const double esdirk3_e[4] = {
    1471266399579.0 / 7840856788654.0 - 2756255671327.0 / 12835298489170.0,
    -4482444167858.0 / 7529755066697.0 + 10771552573575.0 / 22201958757719.0,
    11266239266428.0 / 11593286722821.0 - 9247589265047.0 / 10645013368117.0,
    G3 - 2193209047091.0 / 5459859503100.0,
};
/* b_i(s) meets sum b_i = s, sum b_i c_i = s^2/2, sum b_i c_i^2 = s^3/3; stages of second order do
 * the rest */
static const double esdirk3_d1[4] = {0, -17.214483885728477, 44193305147575.0 / 5510302212322.0,
    1767732205903.0 / 173402956810.0};
static const double esdirk3_d2[4] = {0, 17.214483885728477, -44193305147575.0 / 5510302212322.0,
    -1594329249093.0 / 173402956810.0};

static const double esdirk4_a[6 * 6] = {
    0, 0, 0, 0, 0, 0,
    1.0 / 4, 0, 0, 0, 0, 0,
    8611.0 / 62500, -1743.0 / 31250, 0, 0, 0, 0,
    5012029.0 / 34652500, -654441.0 / 2922500, 174375.0 / 388108, 0, 0, 0,
    15267082809.0 / 155376265600.0, -71443401.0 / 120774400, 730878875.0 / 902184768,
        2285395.0 / 8070912, 0, 0,
    82889.0 / 524892, 0, 15625.0 / 83664, 69875.0 / 102672, -2260.0 / 8211, 0,
};
static const double esdirk4_c[6] = {0, 1.0 / 2, 83.0 / 250, 31.0 / 50, 17.0 / 20, 1};
static const double esdirk4_e[6] = {31666707.0 / 9881966720.0, 0, -256875.0 / 105007616,
    -2768025.0 / 128864768, 169839.0 / 3864644, -5247.0 / 225920};
static const double esdirk4_d1[6] = {0, 0, 19375.0 / 6012, -2075.0 / 684, 0, 2573.0 / 3173};
static const double esdirk4_d2[6] = {0, 0, -19375.0 / 6012, 2075.0 / 684, 0, 600.0 / 3173};

/* clang-format on */

const hol__stepper_type hol__stepper_esdirk3 = {
    .name = "esdirk3",
    .title = "diagonally implicit 3(2), for stiff systems at rough tolerances",
    .order = 3,
    .error_order = 2,
    .dense_order = 3,
    .implicit = 1,
    .iterates = 1,
    .ops = &hol__sdirk,
    .table = &(const hol__sdirk_table){.stages = 4,
                                       .gamma = G3,
                                       .a = esdirk3_a,
                                       .c = esdirk3_c,
                                       .e = esdirk3_e,
                                       .d1 = esdirk3_d1,
                                       .d2 = esdirk3_d2},
};

const hol__stepper_type hol__stepper_esdirk4 = {
    .name = "esdirk4",
    .title = "diagonally implicit 4(3), for stiff systems that change fast",
    .order = 4,
    .error_order = 3,
    .dense_order = 3,
    .implicit = 1,
    .iterates = 1,
    .ops = &hol__sdirk,
    .table = &(const hol__sdirk_table){.stages = 6,
                                       .gamma = 0.25,
                                       .a = esdirk4_a,
                                       .c = esdirk4_c,
                                       .e = esdirk4_e,
                                       .d1 = esdirk4_d1,
                                       .d2 = esdirk4_d2},
};
