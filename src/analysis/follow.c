/* follow.c: Newton's method along a branch, with steps that cannot leave it.
 *
 * The steps d_1, d_2, … of Newton's iteration from a predicted position contract by about
 * |d_2|/|d_1| = |d_1|/D, where D is the distance at which the derivatives have changed by their
 * size: no other branch is nearer. A step with a small share stays on its branch; with a larger one
 * it is halved.
 *
 * Where the determinant of A changes its sign within a step, the branch went through a singular
 * position: taken where velocities go on as predicted. Where a step cannot land on such a position
 * it goes over it, and the state there is interpolated (quintic Hermite in the increments). Where
 * no step is possible any more the branch ends: a dead point.
 */
#include "analysis/follow.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_NEWTON = 12, LEAPS = 12 };

static const double most_contraction = 0.1, aimed = 0.02; /* shares |d_2|/|d_1| */
static const double most_travel = 0.25;                   /* of a step, radians and sizes */
static const double shortest = 1e-12;                     /* step, of the whole time */
static const double rounding = 1e-14;                     /* |d| at which iterations end */
static const double regular = 1e-8; /* least pivot of A over its largest, away from singular ones */
static const double kept_speed = 0.2; /* by how much velocities may miss what was predicted */

/* ---- life ---- */

static int new_posture(hol__arena *arena, const hol_model *m, int n_drives, hol__posture *p) {
    p->q = HOL__NEW_N(arena, double, m->nq);
    p->v = HOL__NEW_N(arena, double, m->nv);
    p->a = HOL__NEW_N(arena, double, m->nv);
    p->angles = HOL__NEW_N(arena, double, m->n_angles + 1);
    p->turns = HOL__NEW_N(arena, double, m->nb + 1);
    p->aux = HOL__NEW_N(arena, double, m->n_aux + 1);
    p->targets = HOL__NEW_N(arena, double, n_drives + 1);
    p->speeds = HOL__NEW_N(arena, double, n_drives + 1);
    return !arena->failed;
}

static int allocate(hol__follow *f) {
    const hol_model *m = f->data->model;
    hol__arena *arena = &f->arena;
    const int n = m->nv;
    f->W = (hol__csr){.rows = n,
                      .cols = n,
                      .ptr = HOL__NEW_N(arena, int, n + 1),
                      .idx = HOL__NEW_N(arena, int, n + 1),
                      .x = HOL__NEW_N(arena, double, n + 1)};
    f->rows = HOL__NEW_N(arena, int, n + 1);
    f->rhs = HOL__NEW_N(arena, double, m->m + 1);
    f->delta = HOL__NEW_N(arena, double, n + 1);
    f->q = HOL__NEW_N(arena, double, m->nq + 1);
    f->crossed_q = HOL__NEW_N(arena, double, m->nq + 1);
    if (!new_posture(arena, m, f->n_drives, &f->at) ||
        !new_posture(arena, m, f->n_drives, &f->trial) ||
        !new_posture(arena, m, f->n_drives, &f->base))
        return 0;
    for (int i = 0; i < n; i++) {
        const double size = hol__is_turn(m, i) ? 1 : m->length;
        f->W.ptr[i + 1] = i + 1, f->W.idx[i] = i, f->W.x[i] = 1 / (size * size);
    }
    return 1;
}

/* |x| of increments or velocities: radians and sizes of the mechanism. */
static double size_of(const hol__follow *f, const double *x) {
    double sum = 0;
    for (int i = 0; i < f->data->model->nv; i++) sum += f->W.x[i] * x[i] * x[i];
    return sqrt(sum);
}

/* The sign of the determinant of the independent rows of A at the positions in data; 0 where they
 * are singular up to digits that count. */
static int sign_here(hol__follow *f) {
    hol_data *data = f->data;
    const int n = data->model->nv;
    if (!f->lu) return 0;
    memset(f->lu->a, 0, sizeof(double) * (size_t)n * (size_t)n);
    for (int i = 0; i < n; i++)
        for (int k = data->A.ptr[f->rows[i]]; k < data->A.ptr[f->rows[i] + 1]; k++)
            f->lu->a[(size_t)i + (size_t)n * (size_t)data->A.idx[k]] = data->A.x[k];
    return hol__lu_factor(f->lu) ? 0 : hol__lu_sign(f->lu, regular);
}

/* The independent rows at the state in data, where there are as many as velocities. */
static hol_status choose_rows(hol__follow *f) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    int n = 0;
    const hol_status status = hol__data_analyse(data);
    if (status || data->rank != m->nv || !m->nv) return status;
    for (int i = 0; i < m->m; i++)
        if (!data->redundant_rows[i]) f->rows[n++] = i;
    f->lu = hol__lu_new(&f->arena, m->nv);
    return f->lu ? HOL_OK : HOL_ERR_MEMORY;
}

/* ---- states ---- */

static void copy_posture(const hol__follow *f, const hol__posture *from, hol__posture *to) {
    const hol_model *m = f->data->model;
    to->t = from->t;
    to->sign = from->sign;
    memcpy(to->q, from->q, sizeof(double) * (size_t)m->nq);
    memcpy(to->v, from->v, sizeof(double) * (size_t)m->nv);
    memcpy(to->a, from->a, sizeof(double) * (size_t)m->nv);
    memcpy(to->angles, from->angles, sizeof(double) * (size_t)m->n_angles);
    memcpy(to->turns, from->turns, sizeof(double) * (size_t)m->nb);
    memcpy(to->aux, from->aux, sizeof(double) * (size_t)m->n_aux);
    memcpy(to->targets, from->targets, sizeof(double) * (size_t)f->n_drives);
    memcpy(to->speeds, from->speeds, sizeof(double) * (size_t)f->n_drives);
}

/* The state of a posture into data; full turns count from it. */
static void place(hol__follow *f, const hol__posture *p) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    memcpy(data->angles_base, p->angles, sizeof(double) * (size_t)m->n_angles);
    for (int i = 0; data->bodies.b2 && i < m->nb; i++) data->bodies.b2[i].turn = p->turns[i];
    hol__data_set_aux(data, p->aux);
    hol_data_set(data, p->t, p->q, p->v);
    memcpy(data->a, p->a, sizeof(double) * (size_t)m->nv);
}

/* ---- the three solutions ---- */

static hol_status factor(hol__follow *f) {
    return hol__kernel_factor(f->kernel, &f->W, &f->data->A);
}

/* rhs = what the positions in data are off. */
static void residual(hol__follow *f) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    hol_data_update(data, HOL_STAGE_POS);
    for (int i = 0; i < m->mh; i++) f->rhs[i] = -data->Phi[i];
    for (int i = m->mh; i < m->m; i++) f->rhs[i] = 0;
    for (int i = 0; i < f->n_drives; i++)
        f->rhs[f->drives[i].row] = f->trial.targets[i] - hol__drive_value(&f->drives[i], data);
}

/* Newton from the positions in data to those of trial->t and its targets; > 0: not converged. */
static hol_status close_positions(hol__follow *f) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    double first = 0, last = INFINITY;
    f->contraction = 0;
    for (int k = 0; k < MAX_NEWTON; k++) {
        residual(f);
        if (!isfinite(hol__norm(f->rhs, m->m))) return HOL_NONFINITE;
        hol_status status = factor(f);
        if (!status) status = hol__kernel_solve(f->kernel, NULL, f->rhs, f->delta, NULL);
        if (status) return status;
        const double size = size_of(f, f->delta);
        if (!(size < 1)) return HOL_NOT_CONVERGED;
        m->coords->plus(m, data->q, f->delta, f->q);
        hol__data_set_q(data, data->t, f->q);
        if (k == 0) first = size;
        if (k == 1 && first > 1e-9) f->contraction = size / first;
        if (size <= rounding) return HOL_OK;
        if (k > 0 && size > 0.5 * last) return size < 1e-11 ? HOL_OK : HOL_NOT_CONVERGED;
        last = size;
    }
    return last < 1e-11 ? HOL_OK : HOL_NOT_CONVERGED;
}

/* x: A x = rhs, twice so that rounding is all that is left. */
static hol_status solve_rows(hol__follow *f, const double *rhs, double *x) {
    const hol_model *m = f->data->model;
    const hol__csr *A = &f->data->A;
    hol_status status = hol__kernel_solve(f->kernel, NULL, rhs, x, NULL);
    if (status) return status;
    for (int i = 0; i < m->m; i++) {
        double sum = rhs[i];
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) sum -= A->x[k] * x[A->idx[k]];
        f->rhs[i] = sum;
    }
    status = hol__kernel_solve(f->kernel, NULL, f->rhs, f->delta, NULL);
    for (int i = 0; i < m->nv && !status; i++) x[i] += f->delta[i];
    return status;
}

/* Velocities and accelerations at the positions in data, into it and into the trial. */
static hol_status solve_rates(hol__follow *f) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    hol__posture *p = &f->trial;
    hol_data_update(data, HOL_STAGE_VEL);
    hol_status status = factor(f);
    if (!status) status = solve_rows(f, data->b, p->v);
    if (status) return status;
    hol__data_set_v(data, p->v);
    hol_data_update(data, HOL_STAGE_VEL);
    status = solve_rows(f, data->c, p->a);
    if (status) return status;
    p->sign = sign_here(f);
    memcpy(p->q, data->q, sizeof(double) * (size_t)m->nq);
    memcpy(p->angles, data->angles, sizeof(double) * (size_t)m->n_angles);
    /* coordinates that do not count full turns themselves do it from one state to the next */
    if (m->items && m->coords->wrap) m->coords->wrap(m, p->q, &data->bodies);
    for (int i = 0; data->bodies.b2 && i < m->nb; i++) p->turns[i] = data->bodies.b2[i].turn;
    return isfinite(size_of(f, p->v) + size_of(f, p->a)) ? HOL_OK : HOL_NONFINITE;
}

/* Targets of the drives and states of elements at the time of the trial. */
static void aim(hol__follow *f, double t) {
    hol_data *data = f->data;
    f->trial.t = t;
    memcpy(f->trial.aux, f->at.aux, sizeof(double) * (size_t)data->model->n_aux);
    for (int i = 0; i < f->n_drives; i++) {
        const int state = f->drives[i].rate->state;
        f->trial.targets[i] = f->at.targets[i];
        f->trial.speeds[i] = f->at.speeds[i];
        hol__drive_advance(&f->drives[i], data, f->at.t, t, &f->trial.targets[i],
                           &f->trial.speeds[i]);
        if (state >= 0) f->trial.aux[state] = f->trial.speeds[i];
    }
}

/* ---- steps ---- */

/* Try the state at t from the last one; HOL_OK: it is in data and in the trial. */
static hol_status attempt(hol__follow *f, double t) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    const double h = t - f->at.t;
    place(f, &f->at);
    aim(f, t);
    for (int i = 0; i < m->nv; i++) f->delta[i] = h * f->at.v[i] + 0.5 * h * h * f->at.a[i];
    if (!(size_of(f, f->delta) < 2)) return HOL_NOT_CONVERGED;
    m->coords->plus(m, f->at.q, f->delta, f->q);
    hol__data_set_aux(data, f->trial.aux);
    hol__data_set_q(data, t, f->q);
    hol_status status = close_positions(f);
    if (!status && f->contraction > most_contraction) status = HOL_NOT_CONVERGED;
    return status ? status : solve_rates(f);
}

/* Whether the velocities of the trial are those that the last state predicted. */
static int goes_on(const hol__follow *f) {
    const hol_model *m = f->data->model;
    const double h = f->trial.t - f->at.t;
    double miss = 0, size = 0;
    for (int i = 0; i < m->nv; i++) {
        const double d = f->trial.v[i] - f->at.v[i] - h * f->at.a[i];
        miss += f->W.x[i] * d * d;
        size += f->W.x[i] * (f->trial.v[i] * f->trial.v[i] + f->at.v[i] * f->at.v[i]);
    }
    return miss <= kept_speed * kept_speed * size;
}

/* Whether the trial may be the next state: on the same side of singular positions, or beyond one
 * through which the motion goes on. */
static int is_next(hol__follow *f) {
    if (!f->trial.sign && f->lu) return 0;
    if (f->trial.sign == f->at.sign) return 1;
    if (!goes_on(f)) return 0;
    const hol_model *m = f->data->model;
    f->crossed = 1;
    f->crossed_at = 0.5 * (f->at.t + f->trial.t);
    m->coords->minus(m, f->trial.q, f->at.q, f->delta);
    for (int i = 0; i < m->nv; i++) f->delta[i] *= 0.5;
    m->coords->plus(m, f->at.q, f->delta, f->crossed_q);
    return 1;
}

static void accept(hol__follow *f) {
    copy_posture(f, &f->trial, &f->at);
    f->steps++;
    place(f, &f->at);
}

/* Increments from base at the share s of the step, with velocities and accelerations: the quintic
 * that has those of both ends. */
static void hermite(double s, double h, const double x1, const double v[2], const double a[2],
                    double out[3]) {
    const double v0 = h * v[0], v1 = h * v[1], a0 = h * h * a[0], a1 = h * h * a[1];
    const double d = x1 - v0 - 0.5 * a0, e = v1 - v0 - a0, g = a1 - a0;
    const double c3 = 10 * d - 4 * e + 0.5 * g, c4 = -15 * d + 7 * e - g,
                 c5 = 6 * d - 3 * e + 0.5 * g;
    out[0] = s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))));
    out[1] = (v0 + s * (a0 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
    out[2] = (a0 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h);
}

/* The state at t between base and the last one, into data. Full turns count from base. Velocities
 * of rotations in space are those of the increments, which differ little over a short step. */
static void interpolate(hol__follow *f, double t) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    const double h = f->at.t - f->base.t, s = (t - f->base.t) / h;
    copy_posture(f, &f->at, &f->trial);
    m->coords->minus(m, f->at.q, f->base.q, f->delta);
    for (int i = 0; i < m->nv; i++) {
        double x[3];
        const double v[2] = {f->base.v[i], f->at.v[i]}, a[2] = {f->base.a[i], f->at.a[i]};
        hermite(s, h, f->delta[i], v, a, x);
        f->delta[i] = x[0], f->trial.v[i] = x[1], f->trial.a[i] = x[2];
    }
    m->coords->plus(m, f->base.q, f->delta, f->trial.q);
    memcpy(f->trial.angles, f->base.angles, sizeof(double) * (size_t)m->n_angles);
    f->trial.t = t;
    place(f, &f->trial);
    f->singular = 1;
}

/* Over a position on which no step can land: the first length beyond h that leads to a state which
 * goes on. */
static int leap(hol__follow *f, double h) {
    const double most = most_travel / fmax(size_of(f, f->at.v), DBL_MIN);
    double length = 1.61803 * h;
    for (int i = 0; i < LEAPS && length < most; i++, length *= 1.9) {
        const hol_status status = attempt(f, f->at.t + length);
        if (status < 0) return 0;
        if (status || f->trial.sign == f->at.sign || !is_next(f)) continue;
        copy_posture(f, &f->at, &f->base);
        f->crossed_at = f->at.t + h;
        accept(f);
        return 1;
    }
    return 0;
}

/* The longest step that the last state suggests. */
static double longest(const hol__follow *f) {
    const double v = size_of(f, f->at.v), a = size_of(f, f->at.a);
    double h = f->length;
    if (v > 0) h = fmin(h, most_travel / v);
    if (a > 0) h = fmin(h, sqrt(2 * most_travel / a));
    return h;
}

/* One step towards t, to it at most unless it leads over a singular position. */
static hol_status step(hol__follow *f, double t) {
    const double left = t - f->at.t;
    const double least = fmax(shortest * f->length, 8 * DBL_EPSILON * fmax(fabs(t), f->length));
    double h = fmin(fmin(f->step, left), longest(f)), leapt = 0;
    if (h > 0.7 * left) h = left;
    for (;;) {
        const hol_status status = attempt(f, h == left ? t : f->at.t + h);
        if (status < 0) return status;
        if (!status && is_next(f)) {
            const double by = f->contraction > 0 ? sqrt(aimed / f->contraction) : 2;
            f->step = h * fmin(2, fmax(0.3, by));
            accept(f);
            return HOL_OK;
        }
        f->rejected++;
        if (!(leapt > 0) || h < 1e-3 * leapt) {
            leapt = h;
            if (leap(f, h)) return HOL_OK;
        }
        h *= 0.5;
        if (h < least) return HOL_ERR_SINGULAR;
    }
}

hol_status hol__follow_to(hol__follow *f, double t) {
    f->crossed = f->singular = 0;
    while (f->at.t < t) {
        const hol_status status = step(f, t);
        if (status) {
            place(f, &f->at);
            return status;
        }
    }
    if (f->at.t > t) interpolate(f, t);
    return HOL_OK;
}

/* Of A^T = U S V^T at the positions in data the right and the left vector of the least singular
 * value; x may be NULL. */
static hol_status null_vectors(hol__follow *f, double *y, double *x) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    hol__arena arena;
    hol__arena_init(&arena, data->ctx);
    hol_data_update(data, HOL_STAGE_POS);
    hol__svd *svd = hol__svd_new(&arena, m->nv, m->m);
    hol_status status = svd ? HOL_OK : HOL_ERR_MEMORY;
    if (!status) {
        memset(svd->a, 0, sizeof(double) * (size_t)m->nv * (size_t)m->m);
        for (int i = 0; i < m->m; i++)
            for (int k = data->A.ptr[i]; k < data->A.ptr[i + 1]; k++)
                svd->a[(size_t)data->A.idx[k] + (size_t)i * (size_t)m->nv] = data->A.x[k];
        if (hol__svd_factor(svd)) status = HOL_ERR_SINGULAR;
    }
    for (int i = 0; !status && i < m->m; i++)
        y[i] = svd->vt[(size_t)(m->nv - 1) + (size_t)i * (size_t)m->m];
    for (int i = 0; !status && x && i < m->nv; i++)
        x[i] = svd->u[(size_t)(m->nv - 1) * (size_t)m->nv + (size_t)i];
    hol__arena_free(&arena);
    return status;
}

hol_status hol__follow_blocked(hol__follow *f, double *y) {
    place(f, &f->at);
    return null_vectors(f, y, NULL);
}

hol_status hol__follow_lost(hol__follow *f, double *y, double *x) {
    hol__data_set_q(f->data, f->crossed_at, f->crossed_q);
    const hol_status status = null_vectors(f, y, x);
    place(f, f->singular ? &f->trial : &f->at);
    return status;
}

/* Targets, and the first solution. */
static hol_status begin(hol__follow *f) {
    hol_data *data = f->data;
    const hol_model *m = data->model;
    hol_data_update(data, HOL_STAGE_POS);
    f->trial.t = data->t;
    memcpy(f->trial.aux, data->aux, sizeof(double) * (size_t)m->n_aux);
    for (int i = 0; i < f->n_drives; i++) {
        const int state = f->drives[i].rate->state;
        f->trial.targets[i] = hol__drive_value(&f->drives[i], data);
        f->trial.speeds[i] = state >= 0 ? data->aux[state] : 0;
    }
    hol_status status = choose_rows(f);
    if (!status) status = close_positions(f);
    if (!status) status = solve_rates(f);
    if (status) return status;
    accept(f);
    f->steps = 0;
    f->step = f->length;
    return HOL_OK;
}

hol_status hol__follow_new(hol_data *data, double length, hol__follow **out) {
    const hol__kernel_options options = {0};
    hol__follow *f = hol__alloc(data->ctx, 1, sizeof *f);
    hol_status status = HOL_ERR_MEMORY;
    *out = NULL;
    if (!f) return status;
    f->data = data;
    f->length = length > 0 ? length : 1;
    hol__arena_init(&f->arena, data->ctx);
    f->n_drives = hol__drives_find(&f->arena, data, &f->drives);
    if (f->n_drives >= 0 && allocate(f))
        status =
            hol__kernel_new(data->ctx, &hol__kernel_kkt, &f->W, &data->A, &options, &f->kernel);
    if (f->n_drives == -1) status = HOL_ERR_INPUT;
    if (!status) status = begin(f);
    if (!status)
        *out = f;
    else
        hol__follow_free(f);
    return status;
}

void hol__follow_free(hol__follow *follow) {
    if (!follow) return;
    hol_context *ctx = follow->data->ctx;
    hol__kernel_free(follow->kernel);
    hol__arena_free(&follow->arena);
    hol__release(ctx, follow);
}
