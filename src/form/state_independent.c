/* state_independent.c: y = (d, w) or (z, w): velocities by independent coordinates, positions all
 * or independent too.
 *
 * With the completion [A; B] (completion.h), kept constant between changes:
 *     w = B v,      v from [A; B] v = [b; w]
 *     extended      y = (d, w): all increments are integrated; positions drift
 *                   [GJB 5.58, Paul; algorithm 5-4]
 *     independent   y = (z, w), z = B d: the rest from Newton on [Phi; B d - z] = 0 (positions.c)
 *                   [GJB 5.56; algorithm 5-5]
 * Accelerations by the kernel of the method, or ("frame" in the table of methods) from
 *     R^T M R z'' = R^T (Q - M S c),  v' = S c + R z''
 * with the R and S of the completion. At the base point d = 0, so a change of the completion at an
 * accepted step only needs w again.
 *
 * canonical-independent: y = (z, p_z), p_z = R^T M v: R^T M R w = p_z - R^T M S b,
 *     p_z' = R^T (Q + M' v) + R'^T M v,  [A; B] R' = [-A' R; 0]
 *     [GJB algorithm 5-7]
 */
#include "form/positions.h"

#include "dyn/completion.h"

#include <math.h>
#include <string.h>

/* How many positions y has. */
static int positions(const hol__form *form) {
    return form->state == &hol__state_extended ? form->model->nv : form->completion->f;
}

/* Whether y has momenta in the place of velocities. */
static int is_canonical(const hol__form *form) {
    return form->state == &hol__state_canonical_independent;
}

/* The size of (d, w), (z, w) or (z, p_z). */
static int size(const hol__form *form) {
    return positions(form) + form->completion->f;
}

/* R (n x f), M R, and the Cholesky factor of R^T M R at the state in data. */
static hol_status reduce_mass(hol__form *form) {
    const hol__completion *completion = form->completion;
    const int n = completion->n, f = completion->f;
    if (form->reduced == form->data->stamp) return HOL_OK;
    hol__completion_form_basis(form->completion);
    for (int k = 0; k < f; k++)
        hol__data_mass_times(form->data, completion->R + k * n, form->MR + k * n);
    for (int i = 0; i < f; i++)
        for (int j = 0; j < f; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += completion->R[i * n + k] * form->MR[j * n + k];
            form->RMR[i + j * f] = sum;
        }
    if (f && hol__chol_factor(f, form->RMR)) return HOL_SINGULAR;
    form->reduced = form->data->stamp;
    return HOL_OK;
}

/* out = R^T x */
static void times_rt(const hol__form *form, const double *x, double *out) {
    const int n = form->completion->n;
    for (int k = 0; k < form->completion->f; k++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += form->completion->R[k * n + j] * x[j];
        out[k] = sum;
    }
}

/* The second part of y from the velocities in data: w = B v, or p_z = R^T M v. */
static void velocity_part(hol__form *form, double *out) {
    hol__data_mass_times(form->data, form->data->v, form->f);
    if (is_canonical(form) && !reduce_mass(form))
        times_rt(form, form->f, out);
    else
        hol__completion_project(form->completion, form->data->v, out);
}

/* y = (0, w) with independent coordinates chosen as the watch wants. */
static void pack(hol__form *form, double *y) {
    int changed = 0;
    form->completion->waits = 0; /* whoever packs starts anew */
    form->status = hol__completion_renew(form->completion, &changed);
    if (form->status > 0) form->status = hol__completion_select(form->completion);
    form->reduced = 0;
    memset(y, 0, sizeof(double) * (size_t)positions(form));
    velocity_part(form, y + positions(form));
    memset(form->d, 0, sizeof(double) * (size_t)form->model->nv);
    form->unpacked = 0;
}

/* v from the second part of y. */
static hol_status solve_velocities(hol__form *form, const double *part) {
    hol_data *data = form->data;
    hol_data_update(data, HOL_STAGE_VEL);
    hol_status status = hol__completion_factor(form->completion);
    if (status) return status;
    const double *w = part;
    if (is_canonical(form)) {
        status = reduce_mass(form);
        if (status) return status;
        hol__completion_solve(form->completion, data->b, NULL, form->x);
        hol__data_mass_times(form->data, form->x, form->f);
        times_rt(form, form->f, form->w);
        for (int k = 0; k < form->completion->f; k++) form->w[k] = part[k] - form->w[k];
        if (form->completion->f) hol__chol_solve(form->completion->f, 1, form->RMR, form->w);
        w = form->w;
    }
    hol__completion_solve(form->completion, data->b, w, form->x);
    hol__data_set_v(data, form->x);
    return HOL_OK;
}

/* Positions, then velocities of y; nothing where y is the one of the last time. */
static hol_status unpack(hol__form *form, double t, const double *y) {
    const int np = positions(form), f = form->completion->f;
    hol_data *data = form->data;
    if (form->status) return form->status;
    if (form->unpacked == data->stamp && form->unpacked_t == t &&
        memcmp(form->y, y, sizeof(double) * (size_t)(np + f)) == 0)
        return HOL_OK;
    hol_status status = HOL_OK;
    if (form->state == &hol__state_extended)
        hol__form_place(form, t, y);
    else
        status = hol__form_reach(form, t, y);
    if (status)
        memset(form->d, 0,
               sizeof(double) *
                   (size_t)form->model->nv); /* a shorter step starts from the accepted positions */
    if (!status) status = solve_velocities(form, y + np);
    if (status) return status;
    memcpy(form->y, y, sizeof(double) * (size_t)(np + f));
    form->unpacked = data->stamp;
    form->unpacked_t = t;
    return HOL_OK;
}

/* The multipliers of v' from the completion. Where rows are set aside they are those of the kept
 * ones, which serve inside a step; others are left to who asks for them. */
static void reduced_multipliers(hol__form *form) {
    hol_data *data = form->data;
    const hol__completion *completion = form->completion;
    data->moving = hol__completion_leaves_rows(completion) && !completion->aside->unvalued;
    if (data->moving) return;
    hol__data_mass_times(data, data->a, form->f);
    for (int i = 0; i < completion->n; i++) form->f[i] = data->Q[i] - form->f[i];
    hol__completion_multipliers(completion, form->f, data->lambda);
    hol__data_set_solved(data, HOL__SOLVED_METHOD);
    form->reduced_lambda = 1;
}

/* v' = S c + R z'',  R^T M R z'' = R^T (Q - M S c); multipliers from the completion. */
static hol_status reduced_accelerations(hol__form *form) {
    hol_data *data = form->data;
    const int n = form->completion->n, f = form->completion->f;
    if (data->moving || data->solved == HOL__SOLVED_METHOD) return HOL_OK;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (!status) status = hol__completion_factor(form->completion);
    if (!status) status = reduce_mass(form);
    if (status) return status;
    form->evaluations++;
    hol__completion_solve(form->completion, data->c, NULL, data->a);
    hol__data_mass_times(form->data, data->a, form->f);
    for (int i = 0; i < n; i++) form->f[i] = data->Q[i] - form->f[i];
    times_rt(form, form->f, form->w);
    if (f) hol__chol_solve(f, 1, form->RMR, form->w);
    for (int k = 0; k < f; k++)
        for (int i = 0; i < n; i++) data->a[i] += form->completion->R[k * n + i] * form->w[k];
    double sum = 0;
    for (int i = 0; i < n; i++) sum += data->a[i];
    if (!isfinite(sum)) return HOL_NONFINITE;
    reduced_multipliers(form);
    return HOL_OK;
}

/* p_z' = R^T (Q + M' v) + R'^T M v with [A; B] R' = [-A' R; 0]. */
static hol_status canonical_rate(hol__form *form, double *out) {
    hol_data *data = form->data;
    const int n = form->completion->n;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (!status) status = hol__completion_factor(form->completion);
    if (!status) status = reduce_mass(form);
    if (status) return status;
    form->evaluations++;
    hol__csr Adot = data->A;
    Adot.x = data->Adot;
    hol__data_adot(data);
    memcpy(form->f, data->Q, sizeof(double) * (size_t)n);
    hol__data_add_momentum_rate(data, form->f);
    times_rt(form, form->f, out);
    hol__data_mass_times(form->data, data->v, form->f);
    for (int k = 0; k < form->completion->f; k++) {
        hol__csr_mul(&Adot, form->completion->R + k * n, form->rhs);
        hol__completion_solve(form->completion, form->rhs, NULL, form->x);
        for (int i = 0; i < n; i++) out[k] -= form->x[i] * form->f[i];
    }
    return HOL_OK;
}

/* d' or z', and w' or p_z'. */
static hol_status rate(hol__form *form, const double *y, double *ydot) {
    const hol_model *m = form->model;
    const int np = positions(form);
    hol_status status;
    if (is_canonical(form))
        status = canonical_rate(form, ydot + np);
    else
        status = form->by_completion ? reduced_accelerations(form) : hol__form_accelerate(form);
    if (status) return status;
    if (!is_canonical(form)) hol__completion_project(form->completion, form->data->a, ydot + np);
    if (form->state == &hol__state_extended)
        m->coords->rate(m, y, form->data->v, ydot);
    else {
        m->coords->rate(m, form->d, form->data->v, form->x);
        hol__completion_project(form->completion, form->x, ydot);
    }
    return HOL_OK;
}

/* y of the corrected state. */
static void repack(hol__form *form, double *y) {
    const hol_model *m = form->model;
    m->coords->minus(m, form->data->q, form->base, form->d);
    hol__form_place(form, form->data->t, form->d);
    if (form->state == &hol__state_extended)
        memcpy(y, form->d, sizeof(double) * (size_t)m->nv);
    else
        hol__completion_project(form->completion, form->d, y);
    form->status = hol__completion_factor(form->completion);
    velocity_part(form, y + positions(form));
    form->unpacked = 0;
}

/* The base point moves by the increments of y, which become 0. */
static void rebase(hol__form *form, double t, double *y) {
    const hol_model *m = form->model;
    /* the increments of this very y, not of the last stage */
    form->status = unpack(form, t, y);
    if (form->status) return;
    const double *d = form->state == &hol__state_extended ? y : form->d;
    m->coords->plus(m, form->base, d, form->q);
    memcpy(form->base, form->q, sizeof(double) * (size_t)m->nq);
    memset(y, 0, sizeof(double) * (size_t)positions(form));
    memset(form->d, 0, sizeof(double) * (size_t)m->nv);
    form->unpacked = 0;
}

/* Independent coordinates count against the largest of what they are made of, and less where a
 * lever makes more of their errors. (p_z does not: w = (R^T M R)^-1 p_z falls as R^ grows.) */
static void scale(const hol__form *form, const double *position, const double *velocity,
                  double *out) {
    const hol__completion *completion = form->completion;
    const int np = positions(form);
    if (form->state == &hol__state_extended) memcpy(out, position, sizeof(double) * (size_t)np);
    for (int k = 0; k < completion->f; k++) {
        double p = 0, v = 0;
        for (int j = 0; j < completion->n; j++) {
            p = fmax(p, fabs(completion->B[k * completion->n + j]) * position[j]);
            v = fmax(v, fabs(completion->B[k * completion->n + j]) * velocity[j]);
        }
        if (form->state != &hol__state_extended) out[k] = p / completion->lever[k];
        out[np + k] = is_canonical(form) ? form->largest_mass * v : v / completion->lever[k];
    }
}

/* An error of p_z is one of w by R^T M R w = p_z, at the state that was unpacked last. */
static hol_status weigh(hol__form *form, double *error) {
    const int f = form->completion->f;
    double *e = error + positions(form);
    hol_status status = hol__completion_factor(form->completion);
    if (!status) status = reduce_mass(form);
    if (status || !f) return status;
    hol__chol_solve(f, 1, form->RMR, e);
    for (int k = 0; k < f; k++) e[k] *= form->largest_mass;
    return HOL_OK;
}

const hol__state_type hol__state_extended = {
    .name = "extended",
    .title = "all coordinates, independent velocities",
    .completed = 1,
    .by_kept = 1,
    HOL__STATE_FUNCTIONS,
};
const hol__state_type hol__state_independent = {
    .name = "independent",
    .title = "independent coordinates and velocities",
    .completed = 1,
    .by_kept = 1,
    .reduced = 1,
    HOL__STATE_FUNCTIONS,
};
const hol__state_type hol__state_canonical_independent = {
    .name = "canonical-independent",
    .title = "independent coordinates and momenta",
    .weigh = weigh,
    .completed = 1,
    .by_kept = 1,
    .reduced = 1,
    HOL__STATE_FUNCTIONS,
};
