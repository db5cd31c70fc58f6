/* linear.c: (I - g J) x = r for the state y = (d, v, z, W) of increments, velocities, states of
 * elements and work.
 *
 *     d' = rate(d, v)                      at d = 0:  E d + v,  E d = d x omega / 2 for rotations
 *     v' = a(t, q, v, z)                   M a + A^T lambda = Q,  A a = cbar
 *     z' = r(t, q, v, z)
 *     W' = P(t, q, v, z)                   the power, on which nothing else depends
 *
 * The derivatives of a come from the tangents of M, A, Q and cbar through the kernel of the method,
 * one solve a column (dyn/tangent.h), those of r from the tangents themselves. With
 * S = (I - g E)^-1, in blocks of 3 x 3, the increments are eliminated, x_d = S (r_d + g x_v), and
 *
 *     [ I - g a_v - g^2 a_q S     -g a_z    ] [x_v]   [ r_v + g a_q S r_d ]
 *     [    -g r_v - g^2 r_q S    I - g r_z  ] [x_z] = [ r_z + g r_q S r_d ]
 *
 * is dense. W comes last, x_W = r_W + g P'(x), with the derivative of the power along x by a central
 * difference: one direction a stage instead of a gradient.
 *
 * rate is odd in its first argument but for the identity: dexp^-1_u(w) = w + u x w / 2 + an even
 * function of u. So E d = (rate(d, v) - rate(-d, v)) / 2 for any d, not only for small ones.
 */
#include "form/linear.h"

#include "dyn/tangent.h"
#include "form/stabilize.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Directions of d whose rates depend on each other: the three of a rotation. */
typedef struct block {
    int at[3];
    double E[9], S[9]; /* row-major */
} block;

struct hol__linear {
    hol__arena arena;
    hol__form *form;
    hol__tangent *tangent;
    int nv, nz, n; /* n = nv + nz */
    hol__acceleration_tangent by;
    int n_blocks;
    block *blocks;
    hol__lu *lu;
    double g;
    double t;            /* where J was taken … */
    double *y;           /* … the whole state */
    double *scale;       /* of (d, v), for directions */
    double *u, *w, *sum; /* nv, nv, n */
    double *near;        /* a state beside y */
    int has_power;       /* something besides gravity may do work */
};

int hol__linear_serves(const hol__form *form) {
    return form->state == &hol__state_dependent && form->kernel && !form->shift &&
           (form->kernel->type->flags & HOL__KERNEL_MULTIPLIERS);
}

/* ---- increments ---- */

/* u = E d with the velocities v. */
static void increment_rate(hol__linear *linear, const double *d, const double *v, double *u) {
    const hol_model *m = linear->form->model;
    for (int i = 0; i < linear->nv; i++) linear->w[i] = -d[i];
    m->coords->rate(m, linear->w, v, linear->sum);
    m->coords->rate(m, d, v, u);
    for (int i = 0; i < linear->nv; i++) u[i] = 0.5 * (u[i] - linear->sum[i]);
}

/* Which directions belong together: E has three columns a block, with zero diagonal. */
static void find_blocks(hol__linear *linear) {
    double *d = linear->near, *v = linear->near + linear->nv;
    for (int i = 0; i < linear->nv; i++) v[i] = 1 + 0.37 * (i % 3);
    for (int j = 0; j < linear->nv; j++) {
        block found = {.at = {j, -1, -1}};
        int n = 1;
        d[j] = 1;
        increment_rate(linear, d, v, linear->u);
        d[j] = 0;
        for (int i = 0; i < linear->nv && n < 3; i++)
            if (linear->u[i] != 0) found.at[n++] = i;
        if (n == 3 && found.at[1] > j) linear->blocks[linear->n_blocks++] = found;
    }
}

/* E of all blocks at the velocities v: the k-th columns of all of them at once. */
static void fill_blocks(hol__linear *linear, const double *v) {
    double *d = linear->near;
    for (int k = 0; k < 3 && linear->n_blocks; k++) {
        memset(d, 0, sizeof *d * (size_t)linear->nv);
        for (int b = 0; b < linear->n_blocks; b++) d[linear->blocks[b].at[k]] = 1;
        increment_rate(linear, d, v, linear->u);
        for (int b = 0; b < linear->n_blocks; b++)
            for (int i = 0; i < 3; i++)
                linear->blocks[b].E[3 * i + k] = linear->u[linear->blocks[b].at[i]];
    }
}

/* S = (I - g E)^-1 of a block. With E d = d x w, w = omega/2: I - g E = I + g w x, whose inverse is
 * (I - g w x + g^2 w w^T) / (1 + g^2 w^2). */
static void invert_block(block *b, double g) {
    const double w[3] = {g * b->E[5], g * b->E[6], g * b->E[1]};
    const double f = 1 / (1 + w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b->S[3 * i + j] = f * ((i == j) + g * b->E[3 * i + j] + w[i] * w[j]);
}

/* x <- S x. */
static void apply_blocks(const hol__linear *linear, double *x) {
    for (int k = 0; k < linear->n_blocks; k++) {
        const block *b = &linear->blocks[k];
        const double in[3] = {x[b->at[0]], x[b->at[1]], x[b->at[2]]};
        for (int i = 0; i < 3; i++)
            x[b->at[i]] = b->S[3 * i] * in[0] + b->S[3 * i + 1] * in[1] + b->S[3 * i + 2] * in[2];
    }
}

/* ---- construction ---- */

/* Whether a force other than gravity, a driver or a force of the caller may do work. */
static int does_work(const hol__form *form) {
    return form->model->n_force_batches || form->model->rheonomic || form->data->on_force;
}

/* Everything but the tangent out of the arena. */
static hol_status allocate(hol__linear *linear) {
    hol__arena *arena = &linear->arena;
    const size_t nv = (size_t)linear->nv, nz = (size_t)linear->nz;
    linear->by = (hol__acceleration_tangent){.a_q = HOL__NEW_N(arena, double, nv *nv),
                                             .a_v = HOL__NEW_N(arena, double, nv *nv),
                                             .a_t = HOL__NEW_N(arena, double, nv),
                                             .a_z = HOL__NEW_N(arena, double, nv *nz)};
    linear->blocks = HOL__NEW_N(arena, block, nv / 3 + 1);
    linear->lu = hol__lu_new(arena, linear->n);
    linear->y = HOL__NEW_N(arena, double, linear->form->n);
    linear->near = HOL__NEW_N(arena, double, linear->form->n);
    linear->scale = HOL__NEW_N(arena, double, 2 * nv);
    linear->u = HOL__NEW_N(arena, double, nv);
    linear->w = HOL__NEW_N(arena, double, nv);
    linear->sum = HOL__NEW_N(arena, double, linear->n);
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
    if (!status && form->model->nq != form->model->nv) find_blocks(linear);
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
    return hol__kernel_solve(linear->form->kernel, f, c, x, mu);
}

/* dP/dt at y, with points ahead of t only: of fourth order in a share of h (integ/differences.c). */
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
    gains = hol__form_gains(form);
    status = hol__tangent_accelerations(linear->tangent, &gains, kernel_solve, linear, &linear->by);
    if (status) return status;
    fill_blocks(linear, y + nv);
    fill_scale(linear);
    memset(ft, 0, sizeof *ft * nv);
    memcpy(ft + nv, linear->by.a_t, sizeof *ft * nv);
    if (linear->nz) memcpy(ft + 2 * nv, linear->tangent->R_t, sizeof *ft * (size_t)linear->nz);
    ft[form->n - 1] = 0;
    return linear->has_power ? power_by_time(linear, h, &ft[form->n - 1]) : HOL_OK;
}

/* ---- I - g J ---- */

/* One column of the matrix of (x_v, x_z) for x_v: that of -g (a_v + g a_q S), -g (r_v + g r_q S).
 * s: the same column of S, which couples at most three. */
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
    const size_t n = (size_t)linear->n;
    linear->g = g;
    for (int b = 0; b < linear->n_blocks; b++) invert_block(&linear->blocks[b], g);
    for (int j = 0; j < linear->nv; j++) {
        memset(linear->u, 0, sizeof *linear->u * (size_t)linear->nv);
        linear->u[j] = 1;
        apply_blocks(linear, linear->u);
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
    if (!(most > 0) || !linear->has_power) return HOL_OK;
    const double s = cbrt(DBL_EPSILON) / most;
    hol_status status = power_along(linear, x, s, &above);
    if (!status) status = power_along(linear, x, -s, &below);
    *out = (above - below) / (2 * s);
    return status;
}

hol_status hol__linear_solve(hol__linear *linear, const double *r, double *x) {
    const int nv = linear->nv, nz = linear->nz, last = linear->form->n - 1;
    const double g = linear->g;
    double *const b = linear->sum, rate;
    memcpy(linear->u, r, sizeof *r * (size_t)nv);
    apply_blocks(linear, linear->u);
    hol__dense_mul(nv, nv, g, linear->by.a_q, linear->u, 0, b);
    for (int i = 0; i < nz; i++) {
        b[nv + i] = 0;
        for (int j = 0; j < nv; j++)
            b[nv + i] += g * linear->tangent->Rq[i * nv + j] * linear->u[j];
    }
    for (int i = 0; i < nv + nz; i++) b[i] += r[nv + i];
    hol__lu_solve(linear->lu, 0, b);
    memcpy(x + nv, b, sizeof *x * (size_t)(nv + nz));
    for (int i = 0; i < nv; i++) x[i] = r[i] + g * b[i];
    apply_blocks(linear, x);
    const hol_status status = power_rate(linear, x, &rate);
    x[last] = r[last] + g * rate;
    return status;
}
