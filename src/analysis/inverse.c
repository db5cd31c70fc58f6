/* inverse.c: the forces that a motion takes, state by state (holonom/inverse.h).
 *
 * Along the directions R that the joints without the drivers leave free, R^T A^T = 0:
 *
 *     R^T B u = R^T (M v' - Q)
 *
 * in reference-point coordinates, in which every body of a motion is at hand whatever coordinates
 * the motion was found in. A rigid contact that slides has the friction N U with the push
 * N = -lambda of its gap, which follows from the loads: its column of A^T becomes that of both,
 * A_k^T + U, and Q is without it. A spring that is an actuator is in Q with the load u0 that it has
 * by itself: its whole load u is asked for, so that Q goes on as Q - B u0.
 */
#include "analysis/inverse.h"

#include "base/answer.h"
#include "base/argument.h"
#include "base/give.h"
#include "element/rigid.h"
#include "la/tolerances.h"

#include <holonom/matrix.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct hol_inverse {
    hol_context *ctx;
    hol__arena arena;
    hol__actuated target;
    hol_answer *answer;
    hol__sheet *sheet;
    int sets;          /* those of the target that the arrays are for */
    int n_rows, *rows; /* constraints that hold, without the drivers */
    hol__qrp *qr;
    double *R, *B, *G, *g, *r, *u, *rates, *most, *sizes;
};

/* ---- set-up ---- */

/* The table with its columns. */
static void start_table(hol_inverse *x) {
    const int n = x->target.n;
    char name[300];
    x->answer = hol__answer_of(x->ctx, "inverse", "inverse dynamics", x->target.model->name);
    if (!x->answer) return;
    x->sheet =
        hol__answer_sheet(x->answer, "loads", "loads of the actuators and their power", 2 * n + 2);
    hol__sheet_column(x->sheet, 0, "time", "s");
    for (int i = 0; i < n; i++) {
        const hol__actuator *a = &x->target.actuators[i];
        hol__sheet_column(x->sheet, 1 + i, a->name, a->unit);
        snprintf(name, sizeof name, "%s.power", a->name);
        hol__sheet_column(x->sheet, 1 + n + i, name, "W");
    }
    hol__sheet_column(x->sheet, 2 * n + 1, "power", "W");
    hol__sheet_plot(x->sheet, 0, 0, 0);
}

/* The arrays. */
static hol_status make_room(hol_inverse *x) {
    const hol_model *m = x->target.model;
    const int nv = m->nv, n = x->target.n;
    hol__arena *arena = &x->arena;
    x->rows = HOL__NEW_N(arena, int, m->m + 1);
    x->n_rows = 0;
    x->sets = x->target.sets;
    for (int i = 0; x->rows && i < m->m; i++)
        if (!hol__is_driver(m, m->row_joint[i])) x->rows[x->n_rows++] = i;
    x->qr = hol__qrp_new(arena, nv, x->n_rows);
    x->R = HOL__NEW_N(arena, double, nv *nv + 1);
    x->B = HOL__NEW_N(arena, double, nv *n + 1);
    x->G = HOL__NEW_N(arena, double, nv *n + 1);
    x->g = HOL__NEW_N(arena, double, nv + 1);
    x->r = HOL__NEW_N(arena, double, nv + 1);
    x->u = HOL__NEW_N(arena, double, n + 1);
    x->rates = HOL__NEW_N(arena, double, n + 1);
    if (!x->most) x->most = HOL__NEW_N(arena, double, n + 1);
    x->sizes = HOL__NEW_N(arena, double, n + 1);
    return arena->failed || !x->qr ? HOL_ERR_MEMORY : HOL_OK;
}

/* All joints that drive, as actuators. */
static int drivers(const hol_model *m, hol_actuator *out) {
    int n = 0;
    for (int i = 0; i < m->n_joints; i++) {
        if (!hol__is_driver(m, i)) continue;
        if (out) out[n] = (hol_actuator){.name = m->joints[i].name};
        n++;
    }
    return n;
}

/* A name to give where nothing drives: a joint with an axis, else a velocity of the first body. */
static const char *example(const hol_model *m, char *buf, size_t size) {
    for (int i = 0; i < m->n_joints; i++)
        if (strcmp(m->joints[i].type->name, "revolute") == 0 ||
            strcmp(m->joints[i].type->name, "prismatic") == 0)
            return m->joints[i].name;
    snprintf(buf, size, "%s.x", m->nb ? m->bodies[0].name : "body");
    return buf;
}

/* The model with the actuators, or with the drivers as such where none are named. */
static hol_status make_target(hol_inverse *x, const hol_model *model,
                              const hol_inverse_options *how) {
    if (how->n_actuators)
        return hol__actuated_new(x->ctx, model, "actuators", how->n_actuators, how->actuators, 0,
                                 &x->target);
    const int n = drivers(model, NULL);
    char name[256];
    hol_actuator *about = HOL__NEW_N(&x->arena, hol_actuator, n + 1);
    if (!about) return HOL_ERR_MEMORY;
    drivers(model, about);
    if (n) return hol__actuated_new(x->ctx, model, "actuators", n, about, 0, &x->target);
    return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "actuators",
                       "the model has no driver whose load could be found; name what is to push "
                       "instead, joints, springs, dampers or velocities of bodies with commas "
                       "between them, such as --actuators %s",
                       example(model, name, sizeof name));
}

/* Limits that hold nothing. */
static hol_status check(hol_context *ctx, const hol_inverse_options *how) {
    for (int i = 0; i < how->n_actuators; i++) {
        const hol_actuator *a = &how->actuators[i];
        if (!a->name || !(a->low <= a->high) || !(a->weight >= 0) || !isfinite(a->weight))
            return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "actuators",
                               "'%s' needs a weight above 0 and limits, the lower one first",
                               a->name ? a->name : "");
        for (int k = 0; k < i; k++)
            if (strcmp(how->actuators[k].name, a->name) == 0)
                return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, "actuators",
                                   "'%s' is named twice", a->name);
    }
    return HOL_OK;
}

hol_status hol_inverse_new(hol_context *ctx, const hol_model *model, const hol_inverse_options *how,
                           hol_inverse **inverse) {
    static const char call[] = "hol_inverse_new";
    const hol_inverse_options none = {.size = sizeof none};
    if (!ctx || hol__need(ctx, call, "the model", model) ||
        hol__need(ctx, call, "the inverse", inverse))
        return HOL_ERR_ARGUMENT;
    *inverse = NULL;
    if (!how) how = &none;
    if (hol__need_array(ctx, call, "actuators", how->n_actuators, 0, how->actuators))
        return HOL_ERR_ARGUMENT;
    hol_status status = check(ctx, how);
    if (status) return status;
    hol_inverse *x = hol__alloc(ctx, 1, sizeof *x);
    if (!x) return HOL_ERR_MEMORY;
    x->ctx = ctx;
    hol__arena_init(&x->arena, ctx);
    status = make_target(x, model, how);
    if (!status) status = make_room(x);
    if (!status) start_table(x);
    if (!status && !x->sheet) status = HOL_ERR_MEMORY;
    if (status)
        hol_inverse_free(x);
    else
        *inverse = x;
    return status;
}

void hol_inverse_free(hol_inverse *x) {
    if (!x) return;
    hol_context *ctx = x->ctx;
    hol__actuated_free(&x->target);
    hol_answer_free(x->answer);
    hol__arena_free(&x->arena);
    hol__release(ctx, x);
}

/* ---- the motion ---- */

/* How far row i is off at the levels of positions, velocities and accelerations. */
static void row_errors(const hol_inverse *x, int i, double off[3]) {
    const hol_data *d = x->target.data;
    off[0] = i < d->model->mh ? fabs(d->Phi[i]) : 0;
    off[1] = fabs(d->psi[i]);
    off[2] = -d->c[i];
    for (int k = d->A.ptr[i]; k < d->A.ptr[i + 1]; k++)
        off[2] += d->A.x[k] * x->target.a[d->A.idx[k]];
    off[2] = fabs(off[2]);
}

static double largest(int n, const double *x, double least) {
    for (int i = 0; i < n; i++) least = fmax(least, fabs(x[i]));
    return least;
}

/* Whether the joints allow the motion: by sqrt(eps) of the sizes they may be off, as much as a
 * motion of half the digits is. */
static hol_status check_joints(hol_inverse *x) {
    static const char *const levels[] = {"", "the rate of ", "the acceleration of "};
    const hol_data *d = x->target.data;
    const hol_model *m = d->model;
    double size[3] = {fmax(m->length, 1)};
    size[1] = largest(m->nv, d->v, size[0]);
    size[2] = largest(m->nv, x->target.a, size[1]);
    for (int k = 0; k < x->n_rows; k++) {
        const int i = x->rows[k];
        double off[3];
        row_errors(x, i, off);
        for (int level = 0; level < 3; level++)
            if (off[level] > sqrt(DBL_EPSILON) * size[level])
                return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, &m->rows[i].where,
                                   m->rows[i].element,
                                   "it does not allow the motion: at t = %.9g %s%s is off "
                                   "by %.3g; a run follows its joints with a method that keeps "
                                   "them (--method direct-correction) or a smaller --tol",
                                   d->t, levels[level], m->rows[i].direction, off[level]);
    }
    return HOL_OK;
}

/* ---- the loads ---- */

/* What a unit multiplier of a row does to the bodies, of length 1; with the friction of a contact
 * that slides. */
static void set_column(const hol_data *d, int row, double *column) {
    const hol_model *m = d->model;
    double size = 0;
    memset(column, 0, sizeof *column * (size_t)m->nv);
    for (int j = d->A.ptr[row]; j < d->A.ptr[row + 1]; j++) column[d->A.idx[j]] = d->A.x[j];
    for (int k = 0; k < m->n_slides; k++) {
        const double *unit, part = hol__data_slide_part(d, k, row);
        if (part == 0) continue;
        hol__data_slide_push(d, k, &unit);
        for (int i = 0; i < m->nv; i++) column[i] += part * unit[i];
    }
    for (int i = 0; i < m->nv; i++) size = hypot(size, column[i]);
    for (int i = 0; i < m->nv && size > 0; i++) column[i] /= size;
}

/* R (nv x k): directions along which the joints without the drivers do nothing; returns k, -1: not
 * finite. */
static int free_directions(hol_inverse *x) {
    const hol_data *d = x->target.data;
    const int nv = d->model->nv;
    hol__qrp *qr = x->qr;
    int rank = 0;
    for (int k = 0; k < x->n_rows; k++) set_column(d, x->rows[k], qr->a + (size_t)k * (size_t)nv);
    if (x->n_rows && hol__qrp_factor(qr)) return -1;
    const int most = x->n_rows < nv ? x->n_rows : nv;
    while (rank < most && fabs(qr->a[(size_t)rank * (size_t)(nv + 1)]) > HOL__RANK_TOLERANCE)
        rank++;
    if (x->n_rows) {
        hol__qrp_complement(qr, rank, x->R);
    } else {
        memset(x->R, 0, sizeof *x->R * (size_t)nv * (size_t)nv);
        for (int i = 0; i < nv; i++) x->R[(size_t)i * (size_t)(nv + 1)] = 1;
    }
    return nv - rank;
}

/* r = M v' - Q, without the friction of what slides; returns the size of what it is summed from. */
static double find_rest(hol_inverse *x) {
    hol_data *d = x->target.data;
    const double *rubbing = hol__data_rubbing(d);
    double size = 0, part = 0;
    memset(x->r, 0, sizeof *x->r * (size_t)d->model->nv);
    hol__csr_mul_add(hol__data_mass(d), 1, x->target.a, x->r);
    for (int i = 0; i < d->model->nv; i++) {
        size = hypot(size, x->r[i]);
        part = hypot(part, d->Q[i]);
        x->r[i] -= d->Q[i] - (rubbing ? rubbing[i] : 0);
    }
    return fmax(size, part);
}

/* Say which body cannot be moved as wanted: the largest entry of what is left. */
static hol_status too_few(hol_inverse *x, int k, const double *left, double size) {
    const hol_model *m = x->target.model;
    int worst = 0;
    double most = 0;
    for (int i = 0; i < m->nv; i++) {
        double sum = 0;
        for (int j = 0; j < k; j++) sum += x->R[(size_t)j * (size_t)m->nv + (size_t)i] * left[j];
        if (fabs(sum) > most) most = fabs(sum), worst = i;
    }
    char name[256];
    hol_model_velocity_name(m, worst, name, sizeof name);
    return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "inverse",
                       "the actuators cannot cause the motion: at t = %.9g a generalised force of "
                       "%.3g (of %.3g) along %s is left; name another actuator that moves it",
                       x->target.data->t, most, size, name);
}

/* Say which limit is in the way most: what the least loads without limits would be there. */
static hol_status beyond_limits(hol_inverse *x, const hol__loads *loads) {
    const hol__actuator *worst = &x->target.actuators[0];
    double most = -1, wanted = 0;
    for (int i = 0; i < x->target.n; i++) {
        const hol__actuator *a = &x->target.actuators[i];
        const double u = loads->x[i] / loads->root[i], off = fmax(a->low - u, u - a->high);
        if ((a->low == 0 && a->high == 0) || off <= most) continue;
        worst = a, most = off, wanted = u;
    }
    return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "inverse",
                       "the actuators cannot cause the motion within their limits at t = %.9g; "
                       "without limits the load of '%s' would be %.6g %s: widen its limits, or "
                       "name another actuator",
                       x->target.data->t, worst->name, wanted, worst->unit);
}

/* A row of the table. */
static hol_status add_row(hol_inverse *x) {
    const int n = x->target.n;
    double *row = hol__sheet_add(x->sheet, NULL);
    if (!row) return HOL_ERR_MEMORY;
    row[0] = x->target.data->t;
    for (int i = 0; i < n; i++) {
        row[1 + i] = x->u[i];
        row[1 + n + i] = x->u[i] * x->rates[i];
        row[2 * n + 1] += row[1 + n + i];
        x->most[i] = fmax(x->most[i], fabs(row[1 + i]));
    }
    return HOL_OK;
}

/* Whole loads as unknowns: B and the rates in the sense in which a load is counted (a tension
 * shortens), and r + B u0 without what springs do by themselves. */
static hol_status take_over(hol_inverse *x) {
    const size_t nv = (size_t)x->target.model->nv;
    for (int i = 0; i < x->target.n; i++) {
        const hol__actuator *a = &x->target.actuators[i];
        double present = 0, *b = x->B + (size_t)i * nv;
        if (a->present >= 0) {
            const hol_status status = hol_data_measure(x->target.data, a->present, &present);
            if (status) return status;
        }
        x->rates[i] *= a->sign;
        for (size_t j = 0; j < nv; j++) {
            b[j] *= a->sign;
            x->r[j] += b[j] * present;
        }
    }
    return HOL_OK;
}

/* u at the state in the data. */
static hol_status find_loads(hol_inverse *x) {
    const int nv = x->target.model->nv, n = x->target.n, k = free_directions(x);
    hol__loads loads;
    hol__arena room;
    double left = 0;
    if (k < 0) return HOL_NONFINITE;
    const double size = find_rest(x);
    hol_status status = take_over(x);
    if (status) return status;
    hol__dense_product(1, 0, k, n, nv, x->R, x->B, x->G);
    for (int j = 0; j < k; j++) {
        x->g[j] = 0;
        for (int i = 0; i < nv; i++) x->g[j] += x->R[(size_t)j * (size_t)nv + (size_t)i] * x->r[i];
    }
    for (int i = 0; i < n; i++) {
        x->sizes[i] = 0;
        for (int j = 0; j < nv; j++)
            x->sizes[i] = hypot(x->sizes[i], x->B[(size_t)i * (size_t)nv + (size_t)j]);
    }
    memset(x->u, 0, sizeof *x->u * (size_t)n);
    if (!k) return HOL_OK;
    hol__arena_init(&room, x->ctx);
    status = hol__loads_new(&room, k, n, x->target.actuators, &loads);
    if (!status)
        status = hol__loads_find(&loads, x->target.actuators, x->sizes, x->G, x->g, x->u, &left);
    if (status == HOL_SINGULAR) status = beyond_limits(x, &loads);
    if (!status && left > sqrt(DBL_EPSILON) * size) status = too_few(x, k, loads.part, size);
    hol__arena_free(&room);
    return status;
}

hol_status hol_inverse_take(hol_inverse *x, hol_data *state) {
    if (!x) return HOL_ERR_ARGUMENT;
    if (hol__need(x->ctx, "hol_inverse_take", "the state", state)) return HOL_ERR_ARGUMENT;
    hol_status status = hol__actuated_take(&x->target, state);
    if (!status && x->sets != x->target.sets) status = make_room(x);
    if (!status) status = check_joints(x);
    if (!status) status = hol__actuated_directions(&x->target, x->B, x->rates);
    if (!status) status = hol_data_update(x->target.data, HOL_STAGE_DYN);
    if (!status) status = find_loads(x);
    return status ? status : add_row(x);
}

hol_status hol_inverse_finish(hol_inverse *x, hol_answer **out) {
    char key[300], title[300];
    if (!x) return HOL_ERR_ARGUMENT;
    if (hol__need(x->ctx, "hol_inverse_finish", "the answer", out)) {
        hol_inverse_free(x);
        return HOL_ERR_ARGUMENT;
    }
    for (int i = 0; i < x->target.n; i++) {
        const hol__actuator *a = &x->target.actuators[i];
        snprintf(key, sizeof key, "largest_%s", a->name);
        snprintf(title, sizeof title, "largest load of %s", a->name);
        hol__answer_number(x->answer, key, title, x->most[i], a->unit);
    }
    const hol_status status = hol__answer_finish(x->answer, HOL_OK, out);
    x->answer = NULL;
    hol_inverse_free(x);
    return status;
}
