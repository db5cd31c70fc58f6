/* linear.c: (I - g J) x = r for the state y = (d, v, z, W) of increments, velocities, states of
 * elements and work.
 *
 *     d' = rate(d, v)                      derivatives E by d and P by v, which it is linear in
 *     v' = a(t, q, v, z)                   M a + A^T lambda = Q,  A a = cbar
 *     z' = r(t, q, v, z)
 *     W' = P(t, q, v, z)                   the power, on which nothing else depends
 *
 * The derivatives of a come from the tangents of M, A, Q and cbar through the kernel of the method,
 * one solve a column (dyn/tangent.h), those of r from the tangents themselves. They are along the
 * directions of v; an increment x_d of d moves q along D x_d, D = P^-1. With S = (I - g E)^-1 the
 * increments are eliminated, x_d = S (r_d + g P x_v), and with T = D S
 *
 *     [ I - g a_v - g^2 a_q T P     -g a_z    ] [x_v]   [ r_v + g a_q T r_d ]
 *     [    -g r_v - g^2 r_q T P    I - g r_z  ] [x_z] = [ r_z + g r_q T r_d ]
 *
 * is dense. E, P, D and S differ from 0 and I only in the three directions of a rotation, for which
 * rate is dexp^-1_-d(omega) = omega + d x omega / 2 + …; at the start of a step d = 0 and P = I.
 *
 * W comes last, x_W = r_W + g P'(x), with the derivative of the power along x by a central
 * difference: one direction a stage instead of a gradient, and two evaluations. Where J only steers
 * an iteration this row is left out: W then follows one iteration behind.
 */
#include "form/linear.h"

#include "dyn/tangent.h"
#include "form/frames.h"
#include "form/stabilize.h"
#include "form/turns.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct hol__linear {
    hol__arena arena;
    hol__form *form;
    hol__tangent *tangent;
    int nv, nz, n; /* n = nv + nz */
    hol__acceleration_tangent by;
    hol__turns turns; /* F: S = (I - g E)^-1 */
    hol__frames frames;
    hol__lu *lu;
    double g;
    double t;            /* where J was taken … */
    double *y;           /* … the whole state */
    double *scale;       /* of (d, v), for directions */
    double *u, *w, *sum; /* nv, nv, n */
    double *near;        /* a state beside y */
    int has_power;       /* something besides gravity may do work */
    int steers;          /* J only steers an iteration: without the row of W */
};

int hol__linear_serves(const hol__form *form) {
    return form->state == &hol__state_dependent && form->kernel && !form->shift &&
           (form->kernel->type->flags & HOL__KERNEL_MULTIPLIERS);
}

/* ---- increments ---- */

/* S = (I - g E)^-1. */
static void shift_turns(hol__linear *linear, double g) {
    for (int b = 0; b < linear->turns.n; b++) {
        hol__turn *turn = &linear->turns.turn[b];
        double a[9];
        for (int i = 0; i < 9; i++) a[i] = (i % 4 == 0) - g * turn->m[HOL__TURN_E][i];
        hol__turn_invert(a, turn->m[HOL__TURN_F]);
    }
}

/* ---- construction ---- */

/* Whether a force other than gravity, a driver or a force of the caller may do work. */
static int does_work(const hol__form *form) {
    return form->model->n_force_batches || form->model->rheonomic ||
           hol__data_is_pushed(form->data);
}

/* Everything but the tangent out of the arena. */
static hol_status allocate(hol__linear *linear) {
    hol__arena *arena = &linear->arena;
    const size_t nv = (size_t)linear->nv, nz = (size_t)linear->nz;
    linear->by = (hol__acceleration_tangent){.a_q = HOL__NEW_N(arena, double, nv *nv),
                                             .a_v = HOL__NEW_N(arena, double, nv *nv),
                                             .a_t = HOL__NEW_N(arena, double, nv),
                                             .a_z = HOL__NEW_N(arena, double, nv *nz)};
    linear->lu = hol__lu_new(arena, linear->n);
    linear->y = HOL__NEW_N(arena, double, linear->form->n);
    linear->near = HOL__NEW_N(arena, double, linear->form->n);
    linear->scale = HOL__NEW_N(arena, double, 2 * nv);
    linear->u = HOL__NEW_N(arena, double, nv);
    linear->w = HOL__NEW_N(arena, double, nv);
    linear->sum = HOL__NEW_N(arena, double, linear->n);
    if (!hol__turns_init(&linear->turns, arena, linear->form->model) ||
        !hol__frames_init(&linear->frames, arena, linear->form->model))
        return HOL_ERR_MEMORY;
    return arena->failed || !linear->lu ? HOL_ERR_MEMORY : HOL_OK;
}

hol_status hol__linear_new(hol_context *ctx, hol__form *form, hol__linear **out) {
    hol__linear *linear = *out = hol__alloc(ctx, 1, sizeof *linear);
    if (!linear) return HOL_ERR_MEMORY;
    hol__arena_init(&linear->arena, ctx);
    linear->form = form;
    linear->nv = form->model->nv;
    linear->nz = form->model->n_aux;
    linear->n = linear->nv + linear->nz;
    linear->has_power = does_work(form);
    hol_status status = allocate(linear);
    if (!status) status = hol__tangent_new(form->data, &linear->tangent);
    if (!status) return HOL_OK;
    hol__linear_free(linear);
    *out = NULL;
    return status;
}

void hol__linear_free(hol__linear *linear) {
    if (!linear) return;
    hol_context *ctx = linear->arena.ctx;
    hol__tangent_free(linear->tangent);
    hol__arena_free(&linear->arena);
    hol__release(ctx, linear);
}

/* ---- J ---- */

/* The kernel, factored at the state of the tangent. */
static hol_status kernel_solve(void *self, const double *f, const double *c, double *x,
                               double *mu) {
    hol__linear *linear = self;
    return hol__kernel_solve_kept(linear->form->kernel, f, c, x, mu);
}

/* dP/dt at y, with points ahead of t only: of fourth order in a share of h, as differences.c. */
static hol_status power_by_time(hol__linear *linear, double h, double *out) {
    static const double weight[] = {-25.0 / 12, 4, -3, 4.0 / 3, -1.0 / 4}, share = 0.02;
    const double end = linear->t + share * h, step = end - linear->t;
    hol_status status = HOL_OK;
    *out = 0;
    for (int k = 0; k < 5 && !status; k++) {
        double power = 0;
        status = hol__form_power(linear->form, linear->t + k * step, linear->y, &power);
        *out += weight[k] * power / step;
    }
    return status;
}

/* Sizes of increments and velocities, so that no direction of a difference is longer than them. */
static void fill_scale(hol__linear *linear) {
    const hol_model *m = linear->form->model;
    const double *v = linear->y + linear->nv;
    double most = 0;
    for (int i = 0; i < linear->nv; i++)
        most = fmax(most, fabs(v[i]) * (hol__is_turn(m, i) ? 1 : 1 / m->length));
    for (int i = 0; i < linear->nv; i++) {
        linear->scale[i] = hol__is_turn(m, i) ? 1 : m->length;
        linear->scale[linear->nv + i] = linear->scale[i] * (1 + most);
    }
}

hol_status hol__linear_update(hol__linear *linear, double t, const double *y, double h,
                              double *ft) {
    hol__form *form = linear->form;
    const size_t nv = (size_t)linear->nv;
    hol__gains gains;
    linear->t = t;
    memcpy(linear->y, y, sizeof *y * (size_t)form->n);
    hol_status status = hol__form_unpack(form, t, y);
    if (!status) status = hol__form_solve(form);
    if (!status) status = hol__form_factor(form);
    if (!status) status = hol__tangent_update(linear->tangent, form->data, HOL__PART_ALL);
    if (status) return status;
    form->derivatives++;
    gains = hol__form_gains(form);
    status = hol__tangent_accelerations(linear->tangent, &gains, kernel_solve, linear, &linear->by);
    if (status) return status;
    hol__turns_fill(&linear->turns, y, y + nv);
    hol__frames_keep(&linear->frames, linear->tangent, linear->g, form->base, y);
    fill_scale(linear);
    linear->steers = !ft;
    if (!ft) return HOL_OK;
    memset(ft, 0, sizeof *ft * nv);
    memcpy(ft + nv, linear->by.a_t, sizeof *ft * nv);
    if (linear->nz) memcpy(ft + 2 * nv, linear->tangent->R_t, sizeof *ft * (size_t)linear->nz);
    ft[form->n - 1] = 0;
    return linear->has_power ? power_by_time(linear, h, &ft[form->n - 1]) : HOL_OK;
}

/* ---- I - g J ---- */

/* One column of the matrix of (x_v, x_z) for x_v: -g (a_v + g a_q T P), -g (r_v + g r_q T P). s:
 * the same column of T P, which has at most three entries. */
static void velocity_column(const hol__linear *linear, int j, const double *s, double *column) {
    const int nv = linear->nv, nz = linear->nz;
    const double g = linear->g, *a_v = linear->by.a_v + (size_t)j * (size_t)nv;
    const hol__tangent *t = linear->tangent;
    for (int i = 0; i < nv; i++) column[i] = a_v[i];
    for (int i = 0; i < nz; i++) column[nv + i] = t->Rv[i * nv + j];
    for (int k = 0; k < nv; k++) {
        if (s[k] == 0) continue;
        const double *a_q = linear->by.a_q + (size_t)k * (size_t)nv, f = g * s[k];
        for (int i = 0; i < nv; i++) column[i] += f * a_q[i];
        for (int i = 0; i < nz; i++) column[nv + i] += f * t->Rq[i * nv + k];
    }
    for (int i = 0; i < nv + nz; i++) column[i] *= -g;
    column[j] += 1;
}

/* The same for x_z. */
static void state_column(const hol__linear *linear, int j, double *column) {
    const int nv = linear->nv, nz = linear->nz;
    const double g = linear->g, *a_z = linear->by.a_z + (size_t)j * (size_t)nv;
    for (int i = 0; i < nv; i++) column[i] = -g * a_z[i];
    for (int i = 0; i < nz; i++) column[nv + i] = -g * linear->tangent->Rz[i * nz + j];
    column[nv + j] += 1;
}

hol_status hol__linear_shift(hol__linear *linear, double g) {
    static const int t_p[] = {HOL__TURN_P, HOL__TURN_F, HOL__TURN_D, -1};
    const size_t n = (size_t)linear->n;
    linear->g = g;
    shift_turns(linear, g);
    for (int j = 0; j < linear->nv; j++) {
        memset(linear->u, 0, sizeof *linear->u * (size_t)linear->nv);
        linear->u[j] = 1;
        for (const int *of = t_p; *of >= 0; of++) hol__turns_apply(&linear->turns, *of, linear->u);
        velocity_column(linear, j, linear->u, linear->lu->a + (size_t)j * n);
    }
    for (int j = 0; j < linear->nz; j++)
        state_column(linear, j, linear->lu->a + (size_t)(linear->nv + j) * n);
    return hol__lu_factor(linear->lu) == 0 ? HOL_OK : HOL_SINGULAR;
}

/* P(y + s x) for the parts of x that the power depends on. */
static hol_status power_along(hol__linear *linear, const double *x, double s, double *power) {
    const int last = linear->form->n - 1;
    for (int i = 0; i < last; i++) linear->near[i] = linear->y[i] + s * x[i];
    linear->near[last] = linear->y[last];
    return hol__form_power(linear->form, linear->t, linear->near, power);
}

/* dP/dy . x. */
static hol_status power_rate(hol__linear *linear, const double *x, double *out) {
    const int nv2 = 2 * linear->nv;
    double most = 0, above = 0, below = 0;
    for (int i = 0; i < nv2; i++) most = fmax(most, fabs(x[i]) / linear->scale[i]);
    for (int i = nv2; i < nv2 + linear->nz; i++)
        most = fmax(most, fabs(x[i]) / (1 + fabs(linear->y[i])));
    *out = 0;
    if (!(most > 0) || !linear->has_power || linear->steers) return HOL_OK;
    const double s = cbrt(DBL_EPSILON) / most;
    hol_status status = power_along(linear, x, s, &above);
    if (!status) status = power_along(linear, x, -s, &below);
    *out = (above - below) / (2 * s);
    return status;
}

hol_status hol__linear_solve(hol__linear *linear, const double *r, double *x) {
    const int nv = linear->nv, nz = linear->nz, last = linear->form->n - 1;
    const double g = linear->g;
    double *const b = linear->sum, rate = 0;
    memcpy(linear->u, r, sizeof *r * (size_t)nv);
    hol__turns_apply(&linear->turns, HOL__TURN_F, linear->u);
    hol__turns_apply(&linear->turns, HOL__TURN_D, linear->u);
    hol__dense_mul(nv, nv, g, linear->by.a_q, linear->u, 0, b);
    for (int i = 0; i < nz; i++) {
        b[nv + i] = 0;
        for (int j = 0; j < nv; j++)
            b[nv + i] += g * linear->tangent->Rq[i * nv + j] * linear->u[j];
    }
    for (int i = 0; i < nv + nz; i++) b[i] += r[nv + i];
    hol__lu_solve(linear->lu, 0, b);
    memcpy(x + nv, b, sizeof *x * (size_t)(nv + nz));
    memcpy(x, b, sizeof *x * (size_t)nv);
    hol__turns_apply(&linear->turns, HOL__TURN_P, x);
    for (int i = 0; i < nv; i++) x[i] = r[i] + g * x[i];
    hol__turns_apply(&linear->turns, HOL__TURN_F, x);
    const hol_status status = power_rate(linear, x, &rate);
    x[last] = r[last] + g * rate;
    return status;
}

void hol__linear_turn(hol__linear *linear, const double *y, int back, double *r) {
    hol__frames_turn(&linear->frames, linear->form->base, y, back, r);
}
