/* rk.c: one explicit Runge–Kutta step over a table.
 *
 *     k_i = f(t + c_i h, y + h sum_{j<i} a_ij k_j)
 *     y*  = y + h sum b_i k_i,   y_1 = project(t + h, y*)
 *
 * First-same-as-last tables have b as the last row of a; their last stage is taken at y_1, not at
 * y*: k_s = f(t + h, y_1). It enters the error estimate and is the first stage of the next step.
 * The other methods leave f(t + h, y_1) until somebody needs it (hol__stepper_last).
 *
 *     h |lambda| = h |f(y_1) - k_i| / |y_1 - Y_i| for the last stage i before that, at t + h
 *     and that of the motion, h |f(y_1) - f(y_0)| / |y_1 - y_0|
 *
 *     |e| = sqrt( 1/n sum (e_i / (tol s_i))^2 ),  s = scale at the start of the step
 *     |e| = |e5|^2 / sqrt( |e5|^2 + 0.01 |e3|^2 ) for 8(5,3), which goes as h^8         [HNW II.10]
 */
#include "integ/rk.h"

#include <math.h>

/* Differences of y below this share of the tolerance say nothing of h |lambda|. */
static const double ROUNDING_SHARE = 1e-3;

/* Nothing is known of them. */
static void forget_rates(hol__rk_state *rk) {
    rk->t_new = rk->rates.field = rk->rates.motion = NAN;
}

/* The vectors that are its own out of one block: all slopes but the first and the last. */
static hol_status create(hol__stepper *stepper) {
    const hol__rk_table *table = stepper->type->table;
    const size_t n = (size_t)stepper->n;
    hol__rk_state *rk = hol__alloc(stepper->ctx, 1, sizeof *rk);
    if (!rk) return HOL_ERR_MEMORY;
    stepper->state = rk;
    rk->last = table->fsal ? table->stages - 1 : table->stages;
    rk->slopes = rk->last + 1 + table->extra_stages;
    const int vectors = rk->slopes + table->dense_rows + 5;
    double *at = rk->block = hol__alloc(stepper->ctx, (size_t)vectors * n, sizeof *at);
    if (!at) return HOL_ERR_MEMORY;
    double **const single[] = {&rk->err,   &rk->err2,  &rk->kept, &rk->away,
                               &rk->slope, &rk->moved, &rk->start};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++, at += n) *single[i] = at;
    for (int i = 1; i < rk->slopes; i++)
        if (i != rk->last) rk->k[i] = at, at += n;
    for (int i = 0; i < table->dense_rows; i++, at += n) rk->d[i] = at;
    forget_rates(rk);
    return HOL_OK;
}

static void destroy(hol__stepper *stepper) {
    hol__rk_state *rk = stepper->state;
    hol__release(stepper->ctx, rk->block);
    hol__release(stepper->ctx, rk);
}

void hol__rk_bind(hol__rk_state *rk, const hol__step *step) {
    rk->k[0] = step->f_old;
    rk->k[rk->last] = step->f;
}

/* k_1 … k_m by the rows of a; stage points are built in y. A stage at c = 1 sees t_new itself. */
static hol_status stages(hol__stepper *stepper, hol__step *step, int m) {
    const hol__rk_table *table = stepper->type->table;
    const hol__rk_state *rk = stepper->state;
    hol_status status = hol__stepper_first(stepper, step);
    for (int i = 1; i < m && status == HOL_OK; i++) {
        const double t = table->c[i] == 1 ? step->t_new : step->t + table->c[i] * step->h;
        hol__combine(stepper->n, step->y_old, step->h, i, table->a + i * table->stages, rk->k,
                     step->y);
        status = hol__stepper_rhs(stepper, t, step->y, rk->k[i]);
    }
    return status;
}

/* ---- h |lambda| ---- */

/* At the end of an attempt: y_1 and the last stage at that time. */
static void keep_last_stage(const hol__stepper *stepper, const hol__step *step, int i) {
    const hol__rk_table *table = stepper->type->table;
    hol__rk_state *rk = stepper->state;
    hol__combine(stepper->n, step->y_old, step->h, i, table->a + i * table->stages, rk->k,
                 rk->away);
    for (int j = 0; j < stepper->n; j++) {
        rk->away[j] = step->y[j] - rk->away[j];
        rk->slope[j] = rk->k[i][j];
        rk->kept[j] = step->y[j];
        rk->moved[j] = step->y[j] - step->y_old[j];
        rk->start[j] = step->f_old[j];
    }
    rk->h = step->h;
    rk->t_new = step->t_new;
}

/* At the start of the next step, where f is known. Entries that the base point has taken over since
 * have slopes of another meaning; differences far below the tolerance are rounding. */
static void compare_slopes(const hol__stepper *stepper, const hol__step *step) {
    hol__rk_state *rk = stepper->state;
    double away = 0, bend = 0, moved = 0, change = 0;
    if (step->t != rk->t_new) return;
    for (int j = 0; j < stepper->n; j++) {
        if (rk->kept[j] != step->y_old[j]) continue;
        const double y = rk->away[j] / step->scale[j],
                     f = (step->f_old[j] - rk->slope[j]) / step->scale[j];
        away += y * y;
        bend += f * f;
        moved += pow(rk->moved[j] / step->scale[j], 2);
        change += pow((step->f_old[j] - rk->start[j]) / step->scale[j], 2);
    }
    const double least = ROUNDING_SHARE * step->tolerance, rounding = least * least * stepper->n;
    rk->rates.field = away > rounding ? rk->h * sqrt(bend / away) : 0;
    rk->rates.motion = moved > rounding ? rk->h * sqrt(change / moved) : NAN;
    rk->t_new = NAN;
}

static hol__rates rates(const hol__stepper *stepper) {
    return ((const hol__rk_state *)stepper->state)->rates;
}

static void reset(hol__stepper *stepper) {
    forget_rates(stepper->state);
}

/* y_1, and f there for the formulas whose last stage it is. */
static hol_status attempt(hol__stepper *stepper, hol__step *step) {
    const hol__rk_table *table = stepper->type->table;
    hol__rk_state *rk = stepper->state;
    const int m = table->fsal ? table->stages - 1 : table->stages;
    hol__rk_bind(rk, step);
    rk->dense_ready = HOL__DENSE_NOT;
    hol_status status = stages(stepper, step, m);
    if (status != HOL_OK) return status;
    if (stepper->watched) compare_slopes(stepper, step);
    hol__combine(stepper->n, step->y_old, step->h, m, table->b, rk->k, step->y);
    status = hol__stepper_project(stepper, step);
    if (stepper->watched && status == HOL_OK) keep_last_stage(stepper, step, m - 1);
    return status != HOL_OK || !table->fsal ? status : hol__stepper_last(stepper, step);
}

/* The norm of the estimate. */
static double error(hol__stepper *stepper, const hol__step *step, const double *scale,
                    double tolerance) {
    const hol__rk_table *table = stepper->type->table;
    const hol__rk_state *rk = stepper->state;
    const double h = step->h / tolerance;
    hol__combine(stepper->n, NULL, h, table->stages, table->e, rk->k, rk->err);
    const double e5 = hol__stepper_norm(stepper, rk->err, scale);
    if (!table->e2) return sqrt(e5);
    hol__combine(stepper->n, NULL, h, table->stages, table->e2, rk->k, rk->err2);
    const double e3 = hol__stepper_norm(stepper, rk->err2, scale);
    return e5 == 0 ? 0 : e5 / sqrt(e5 + 0.01 * e3);
}

/* c of the table. */
static int abscissae(const hol__stepper *stepper, double *c) {
    const hol__rk_table *table = stepper->type->table;
    for (int i = 0; i < table->stages; i++) c[i] = table->c[i];
    return table->stages;
}

/* The stages, and the interpolant where it is known. */
static void archive_state(hol__stepper *stepper, hol__archive *archive) {
    const hol__rk_table *table = stepper->type->table;
    hol__rk_state *rk = stepper->state;
    HOL__ARCHIVE(archive, rk->dense_ready);
    for (int i = 1; i < rk->slopes; i++)
        if (i != rk->last) hol__archive_numbers(archive, rk->k[i], stepper->n);
    for (int i = 0; i < table->dense_rows; i++) hol__archive_numbers(archive, rk->d[i], stepper->n);
    if (!stepper->watched) return;
    hol__archive_numbers(archive, rk->kept, stepper->n);
    hol__archive_numbers(archive, rk->away, stepper->n);
    hol__archive_numbers(archive, rk->slope, stepper->n);
    hol__archive_numbers(archive, rk->moved, stepper->n);
    hol__archive_numbers(archive, rk->start, stepper->n);
    HOL__ARCHIVE(archive, rk->h);
    HOL__ARCHIVE(archive, rk->t_new);
    HOL__ARCHIVE(archive, rk->rates);
}

const hol__stepper_ops hol__rk = {
    .create = create,
    .free = destroy,
    .attempt = attempt,
    .error = error,
    .dense = hol__rk_dense,
    .abscissae = abscissae,
    .archive = archive_state,
    .reset = reset,
    .rates = rates,
};
