/* gears.c: mechanisms seen from some of their shafts (holonom/gears.h).
 *
 * V solves [A; B^T] V = [0; 1], B the directions of the shafts (actuated.h): by QR with pivots of
 * the transposed rows, each over its length, so that rows which depend on others do no harm.
 */
#include "analysis/actuated.h"
#include "analysis/gears_shafts.h"

#include "base/answer.h"
#include "base/argument.h"
#include "la/dense.h"
#include "la/tolerances.h"
#include "sim/sim.h"

#include <holonom/gears.h>
#include <holonom/matrix.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The share of power up to which a motion counts as steady, so that it has an efficiency. */
static const double STEADY = 1e-6;

typedef struct train {
    hol_context *ctx;
    hol__arena arena;
    hol__actuated at;
    hol_answer *answer;
    int nv, n;         /* velocities, shafts */
    double *B, *rates; /* directions and speeds of the shafts */
    double *V;         /* nv x n, by columns */
    double *M, *K;     /* n x n */
} train;

/* ---- V ---- */

/* Rows over their lengths as columns: those of A, then the shafts; size: their lengths. */
static void set_rows(const train *x, hol__qrp *qr, double *size) {
    const hol_data *d = x->at.data;
    const int nv = x->nv, m = d->model->m;
    memset(qr->a, 0, sizeof *qr->a * (size_t)nv * (size_t)(m + x->n));
    for (int i = 0; i < m; i++)
        for (int k = d->A.ptr[i]; k < d->A.ptr[i + 1]; k++)
            qr->a[(size_t)i * (size_t)nv + (size_t)d->A.idx[k]] = d->A.x[k];
    memcpy(qr->a + (size_t)m * (size_t)nv, x->B, sizeof *x->B * (size_t)nv * (size_t)x->n);
    for (int i = 0; i < m + x->n; i++) {
        double *row = qr->a + (size_t)i * (size_t)nv;
        size[i] = 0;
        for (int j = 0; j < nv; j++) size[i] = hypot(size[i], row[j]);
        for (int j = 0; j < nv && size[i] > 0; j++) row[j] /= size[i];
    }
}

static hol_status wrong_number(const train *x, int freedoms) {
    return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "shafts",
                       "the mechanism has %d freedom%s, %d shaft%s named; name as many as there "
                       "are freedoms",
                       freedoms, freedoms == 1 ? "" : "s", x->n, x->n == 1 ? " is" : "s are");
}

static int rank_of(const hol__qrp *qr, int nv, int columns) {
    const int most = columns < nv ? columns : nv;
    int rank = 0;
    while (rank < most && fabs(qr->a[(size_t)rank * (size_t)(nv + 1)]) > HOL__RANK_TOLERANCE)
        rank++;
    return rank;
}

/* The freedoms that the joints leave. */
static int freedoms_of(const train *x) {
    hol_size size = {.size = sizeof size};
    return hol_data_term_size(x->at.data, HOL_TERM_R, &size) ? -1 : size.columns;
}

/* Zeros where there is nothing but the rounding of products with nv reflections. */
static void clear_rounding(int nv, double *v) {
    double size = 0;
    for (int i = 0; i < nv; i++) size = fmax(size, fabs(v[i]));
    for (int i = 0; i < nv; i++)
        if (fabs(v[i]) <= nv * DBL_EPSILON * size) v[i] = 0;
}

/* One column of V: R^T y = the right-hand side in the order of the pivots, v = Q y. */
static void solve(const train *x, const hol__qrp *qr, int rank, const double *size, int shaft,
                  double *v) {
    const int nv = x->nv, m = x->at.data->model->m;
    for (int k = 0; k < rank; k++) {
        const int row = qr->column[k];
        double sum = row == m + shaft ? 1 / size[row] : 0;
        for (int j = 0; j < k; j++) sum -= qr->a[(size_t)k * (size_t)nv + (size_t)j] * v[j];
        v[k] = sum / qr->a[(size_t)k * (size_t)(nv + 1)];
    }
    for (int k = rank; k < nv; k++) v[k] = 0;
    hol__qrp_apply(qr, rank, 0, v);
    clear_rounding(nv, v);
}

/* Whether the joints hold with the j-th column of V, and the shafts turn as they should. */
static int is_good(const train *x, int j) {
    const hol_data *d = x->at.data;
    const double *v = x->V + (size_t)j * (size_t)x->nv;
    for (int i = 0; i < d->model->m; i++) {
        double sum = 0, size = 0;
        for (int k = d->A.ptr[i]; k < d->A.ptr[i + 1]; k++) {
            sum += d->A.x[k] * v[d->A.idx[k]];
            size += fabs(d->A.x[k]) * fmax(fabs(v[d->A.idx[k]]), 1);
        }
        if (!(fabs(sum) <= HOL__RANK_TOLERANCE * size)) return 0;
    }
    for (int i = 0; i < x->n; i++) {
        double sum = i == j ? -1 : 0;
        for (int k = 0; k < x->nv; k++) sum += x->B[i * x->nv + k] * v[k];
        if (!(fabs(sum) <= HOL__RANK_TOLERANCE)) return 0;
    }
    return 1;
}

static hol_status check_shafts(const train *x) {
    for (int j = 0; j < x->n; j++)
        if (!is_good(x, j))
            return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "shafts",
                               "'%s' does not turn by itself: its speed follows from the joints or "
                               "from the other shafts",
                               x->at.actuators[j].name);
    return HOL_OK;
}

static hol_status find_V(train *x) {
    const int nv = x->nv, rows = x->at.data->model->m + x->n, freedoms = freedoms_of(x);
    hol__qrp *qr = hol__qrp_new(&x->arena, nv, rows);
    double *size = HOL__NEW_N(&x->arena, double, rows + 1);
    if (!qr || !size) return HOL_ERR_MEMORY;
    if (freedoms >= 0 && freedoms != x->n) return wrong_number(x, freedoms);
    set_rows(x, qr, size);
    if (hol__qrp_factor(qr)) return HOL_NONFINITE;
    const int rank = rank_of(qr, nv, rows);
    for (int j = 0; j < x->n; j++) solve(x, qr, rank, size, j, x->V + (size_t)j * (size_t)nv);
    return check_shafts(x);
}

/* ---- M and K ---- */

/* out = sign V^T S V for a term S of the data. */
static hol_status reduce(const train *x, hol_term term, double sign, double *out) {
    const int nv = x->nv, n = x->n;
    hol__arena room;
    hol__arena_init(&room, x->ctx);
    double *S = HOL__NEW_N(&room, double, nv *nv + 1), *SV = HOL__NEW_N(&room, double, nv + 1);
    hol_status status = S && SV ? hol_data_term(x->at.data, term, S, nv * nv) : HOL_ERR_MEMORY;
    for (int j = 0; j < n && !status; j++) {
        for (int i = 0; i < nv; i++) {
            SV[i] = 0;
            for (int k = 0; k < nv; k++) SV[i] += S[i * nv + k] * x->V[j * nv + k];
        }
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < nv; k++) sum += x->V[i * nv + k] * SV[k];
            out[i * n + j] = sign * sum;
        }
    }
    hol__arena_free(&room);
    return status;
}

/* ---- tables ---- */

static const char *shaft_rate(const train *x, int i) {
    return strcmp(x->at.actuators[i].unit, "N") == 0 ? "m/s" : "rad/s";
}

/* A matrix over the shafts: M takes rates of speeds to loads, K speeds. */
static void tell_matrix(const train *x, const char *name, const char *title, int rates,
                        const double *values) {
    hol__sheet *sheet = hol__answer_sheet(x->answer, name, title, x->n);
    for (int j = 0; j < x->n; j++) {
        const int slides = strcmp(x->at.actuators[j].unit, "N") == 0;
        hol__sheet_column(sheet, j, x->at.actuators[j].name,
                          !rates   ? shaft_rate(x, j)
                          : slides ? "m/s^2"
                                   : "rad/s^2");
    }
    for (int i = 0; i < x->n; i++) {
        double *row = hol__sheet_add(sheet, x->at.actuators[i].name);
        if (row) memcpy(row, values + i * x->n, sizeof *row * (size_t)x->n);
        hol__sheet_row_unit(sheet, i, x->at.actuators[i].unit);
    }
    hol__sheet_matrix(sheet);
}

static void tell_V(const train *x) {
    const hol_model *m = x->at.model;
    char name[256];
    hol__sheet *sheet =
        hol__answer_sheet(x->answer, "V", "V, how velocities follow those of the shafts", x->n);
    hol__sheet *speeds = hol__answer_sheet(x->answer, "speeds", "velocities at this state", 1);
    for (int j = 0; j < x->n; j++)
        hol__sheet_column(sheet, j, x->at.actuators[j].name, shaft_rate(x, j));
    hol__sheet_column(speeds, 0, "velocity", "");
    for (int i = 0; i < x->nv; i++) {
        hol_model_velocity_name(m, i, name, sizeof name);
        double *row = hol__sheet_add(sheet, name), *speed = hol__sheet_add(speeds, name);
        hol__sheet_row_unit(sheet, i, hol_model_velocity_unit(m, i));
        hol__sheet_row_unit(speeds, i, hol_model_velocity_unit(m, i));
        for (int j = 0; row && j < x->n; j++) row[j] = x->V[j * x->nv + i];
        if (speed) *speed = x->at.data->v[i];
    }
    hol__sheet_matrix(sheet);
}

/* The sign of the largest real part; what is rounding beside the largest eigenvalue counts as 0. */
static void tell_stability(train *x, const hol__schur *schur) {
    double worst = -INFINITY, size = 0;
    for (int k = 0; k < x->n; k++) {
        worst = fmax(worst, schur->re[k]);
        size = fmax(size, hypot(schur->re[k], schur->im[k]));
    }
    hol__answer_text(x->answer, "stability", "stability", "%s",
                     fabs(worst) <= HOL__RANK_TOLERANCE * size
                         ? "neutral: the largest real part of the eigenvalues is zero"
                     : worst < 0 ? "stable: all eigenvalues have negative real parts"
                                 : "unstable: an eigenvalue has a positive real part");
}

/* Eigenvalues of -M^-1 K, and the coefficients of det(lambda M + K) = det M prod(lambda -
 * lambda_i). */
static hol_status tell_roots(train *x) {
    const int n = x->n;
    hol__schur *schur = hol__schur_new(&x->arena, n);
    hol__lu *lu = hol__lu_new(&x->arena, n);
    double *re = HOL__NEW_N(&x->arena, double, n + 1), *im = HOL__NEW_N(&x->arena, double, n + 1);
    if (!schur || !lu || !re || !im) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            lu->a[j * n + i] = x->M[i * n + j];
            schur->a[j * n + i] = -x->K[i * n + j];
        }
    if (hol__lu_factor(lu))
        return hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "shafts",
                           "the mass matrix over the shafts is singular: something without inertia "
                           "turns with one of them");
    double det = 1;
    for (int i = 0; i < n; i++) det *= lu->a[i * (n + 1)] * (lu->pivot[i] == i + 1 ? 1 : -1);
    hol__lu_solve_n(lu, 0, n, schur->a);
    if (hol__schur_factor(schur, n)) return HOL_NONFINITE;
    hol__sheet *roots = hol__answer_sheet(x->answer, "eigenvalues", "eigenvalues", 2),
               *sheet = hol__answer_sheet(x->answer, "characteristic",
                                          "det(lambda M + K), coefficients of lambda^k", 1);
    hol__sheet_column(roots, 0, "real", "1/s");
    hol__sheet_column(roots, 1, "imaginary", "1/s");
    hol__sheet_column(sheet, 0, "coefficient", "");
    re[0] = det;
    for (int k = 0; k < n; k++) { /* times (lambda - lambda_k), complex; what remains is real */
        const double a = schur->re[k], b = schur->im[k];
        for (int i = k + 1; i >= 0; i--) {
            const double up = i ? re[i - 1] : 0, iup = i ? im[i - 1] : 0, r = re[i], s = im[i];
            re[i] = up - a * r + b * s;
            im[i] = iup - a * s - b * r;
        }
        double *row = hol__sheet_add(roots, NULL);
        if (row) row[0] = a, row[1] = b;
    }
    for (int k = 0; k <= n; k++) {
        char name[32];
        snprintf(name, sizeof name, "lambda^%d", k);
        double *row = hol__sheet_add(sheet, name);
        if (row) *row = re[k];
    }
    tell_stability(x, schur);
    return HOL_OK;
}

/* ---- power ---- */

/* What each body receives from the rows of a joint. */
static void joint_power(const train *x, int joint, double *power) {
    const hol_data *d = x->at.data;
    const hol_model *m = d->model;
    memset(power, 0, sizeof *power * (size_t)m->nb);
    for (int i = 0; i < m->m; i++) {
        if (m->row_joint[i] != joint) continue;
        for (int k = d->A.ptr[i]; k < d->A.ptr[i + 1]; k++)
            power[d->A.idx[k] / m->bw] -= d->lambda[i] * d->A.x[k] * d->v[d->A.idx[k]];
    }
}

static void tell_joints(const train *x) {
    const hol_model *m = x->at.model;
    double *power = HOL__NEW_N(&x->answer->arena, double, m->nb + 1);
    hol__sheet *sheet =
        hol__answer_sheet(x->answer, "power", "power that bodies receive from joints", m->nb);
    for (int i = 0; i < m->nb; i++) hol__sheet_column(sheet, i, m->bodies[i].name, "W");
    for (int k = 0; power && k < m->n_joints; k++) {
        joint_power(x, k, power);
        double *row = hol__sheet_add(sheet, m->joints[k].name);
        if (row) memcpy(row, power, sizeof *row * (size_t)m->nb);
    }
}

/* A force, or behind the forces a joint that drives, with its power. */
typedef struct source {
    const char *name;
    double power;
    int is_loss; /* takes power by its own law: a damper, friction, drag, … */
} source;

/* Force i of the model, or joint i less their number; without a name where that drives nothing. */
static hol_status find_source(const train *x, int i, double *room, source *out) {
    const hol_model *m = x->at.model;
    const int joint = i - m->n_forces;
    *out = (source){.name = ""};
    if (joint < 0) {
        out->name = m->forces[i].name;
        out->is_loss = !m->forces[i].type->outside;
        return hol_data_measure(x->at.data, x->at.power[i], &out->power);
    }
    if (!hol__is_driver(m, joint)) return HOL_OK;
    out->name = m->joints[joint].name;
    joint_power(x, joint, room);
    for (int k = 0; k < m->nb; k++) out->power += room[k];
    return HOL_OK;
}

/* Whether it takes power out: one of those that are named, or what is driven and no loss. */
static int is_load(const train *x, const hol_gears_options *how, const source *s) {
    int load = !how->n_loads && s->power < 0 && !s->is_loss;
    for (int i = 0; i < how->n_loads && !load; i++) load = strcmp(how->loads[i], s->name) == 0;
    if (load && s->power > 0)
        hol__report(x->ctx, HOL_WARNING, HOL_OK, NULL, "loads",
                    "'%s' takes no power out at t = %.9g: it drives with %.6g W", s->name,
                    x->at.data->t, s->power);
    return load;
}

static hol_status tell_forces(const train *x, const hol_gears_options *how) {
    const hol_model *m = x->at.model;
    double in = 0, outside = 0, lost = 0, sum = 0;
    double *room = HOL__NEW_N(&x->answer->arena, double, m->nb + 1);
    hol__sheet *sheet = hol__answer_sheet(x->answer, "forces", "power of forces and drivers", 1);
    hol__sheet_column(sheet, 0, "power", "W");
    if (!room) return HOL_ERR_MEMORY;
    for (int i = 0; i < m->n_forces + m->n_joints; i++) {
        source s;
        const hol_status status = find_source(x, i, room, &s);
        if (status) return status;
        if (!*s.name) continue;
        double *row = hol__sheet_add(sheet, s.name);
        if (row) *row = s.power;
        sum += s.power;
        if (is_load(x, how, &s))
            outside -= s.power;
        else if (s.power > 0)
            in += s.power;
        else
            lost -= s.power;
    }
    hol__answer_number(x->answer, "power_in", "power of what drives", in, "W");
    hol__answer_number(x->answer, "power_out", "power of what is driven", outside, "W");
    hol__answer_number(x->answer, "power_lost", "power that is lost, or stored in springs", lost,
                       "W");
    hol__answer_number(x->answer, "power_kept", "power that stays in the mechanism", sum, "W");
    if (in > 0 && outside > 0 && fabs(sum) < STEADY * in)
        hol__answer_number(x->answer, "efficiency", "efficiency", outside / in, "");
    return HOL_OK;
}

/* ---- the call ---- */

static hol_status check_loads(hol_context *ctx, const hol_model *m, const hol_gears_options *how) {
    for (int i = 0; i < how->n_loads; i++) {
        if (hol__model_named(m, HOL__FORCES, how->loads[i]) >= 0 ||
            hol__is_driver(m, hol_model_joint(m, how->loads[i])))
            continue;
        hol__near near = hol__near_start(how->loads[i]);
        for (int k = 0; k < m->n_forces; k++) hol__near_try(&near, m->forces[k].name);
        return hol__report(ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "loads",
                           "there is no force or driver '%s'%s%s%s", how->loads[i],
                           near.best ? "; did you mean '" : "", near.best ? near.best : "",
                           near.best ? "'?" : "");
    }
    return HOL_OK;
}

static hol_status make_room(train *x) {
    const size_t nv = (size_t)x->nv, n = (size_t)x->n;
    x->B = HOL__NEW_N(&x->arena, double, nv *n + 1);
    x->V = HOL__NEW_N(&x->arena, double, nv *n + 1);
    x->rates = HOL__NEW_N(&x->arena, double, n + 1);
    x->M = HOL__NEW_N(&x->arena, double, n *n + 1);
    x->K = HOL__NEW_N(&x->arena, double, n *n + 1);
    return x->arena.failed ? HOL_ERR_MEMORY : HOL_OK;
}

/* Everything at the state of the simulation. */
static hol_status look(train *x, hol_sim *sim, const hol_gears_options *how) {
    hol_status status = make_room(x);
    if (!status) status = hol__actuated_take(&x->at, sim->data);
    if (!status) status = hol__actuated_no_slides(&x->at);
    if (!status) status = hol__actuated_directions(&x->at, x->B, x->rates);
    if (!status) status = hol_data_update(x->at.data, HOL_STAGE_ACC);
    if (!status) status = find_V(x);
    if (!status) status = reduce(x, HOL_TERM_M, 1, x->M);
    if (!status) status = reduce(x, HOL_TERM_Q_V, -1, x->K);
    if (status) return status;
    hol__answer_number(x->answer, "time", "time", sim->data->t, "s");
    tell_matrix(x, "M", "M, the masses over the shafts: V^T M V", 1, x->M);
    tell_matrix(x, "K", "K, how loads fall with speeds: -V^T dQ/dv V", 0, x->K);
    status = tell_roots(x);
    tell_V(x);
    tell_joints(x);
    return status ? status : tell_forces(x, how);
}

/* The shafts of the caller, or those that are chosen. */
static hol_status find_shafts(train *x, hol_sim *sim, const hol_gears_options *how) {
    const char **names = (const char **)how->shafts;
    x->n = how->n_shafts;
    hol_status status = HOL_OK;
    if (!x->n) {
        hol__actuated plain;
        status = hol__actuated_new(x->ctx, sim->data->model, "shafts", 0, NULL, 0, &plain);
        if (!status) status = hol__actuated_take(&plain, sim->data);
        if (!status) status = hol__gears_shafts(plain.data, &x->arena, &x->n, &names);
        hol__actuated_free(&plain);
        if (!status && !x->n)
            status =
                hol__report(x->ctx, HOL_ERROR, HOL_ERR_INPUT, NULL, "shafts",
                            "the mechanism has no freedom: drivers and motors move all of it; put "
                            "torques in their place, which leave the speeds open");
    }
    hol_actuator *about = status ? NULL : HOL__NEW_N(&x->arena, hol_actuator, x->n + 1);
    if (!about) return status ? status : HOL_ERR_MEMORY;
    for (int i = 0; i < x->n; i++) about[i] = (hol_actuator){.name = names[i]};
    return hol__actuated_new(x->ctx, sim->data->model, "shafts", x->n, about,
                             HOL__WITH_POWERS | (how->n_shafts ? 0 : HOL__ONLY_VELOCITIES), &x->at);
}

hol_status hol_gears(hol_context *ctx, hol_sim *sim, const hol_gears_options *how,
                     hol_answer **out) {
    static const char call[] = "hol_gears";
    train x = {.ctx = ctx};
    if (!ctx || hol__need(ctx, call, "the simulation", sim) ||
        hol__need(ctx, call, "the options", how) || hol__need(ctx, call, "the answer", out) ||
        (how->n_shafts && hol__need_texts(ctx, call, "shafts", how->n_shafts, how->shafts)) ||
        hol__need_array(ctx, call, "loads", how->n_loads, 0, how->loads))
        return HOL_ERR_ARGUMENT;
    *out = NULL;
    const hol_model *m = sim->data->model;
    hol__arena_init(&x.arena, ctx);
    hol_status status = check_loads(ctx, m, how);
    if (!status) status = find_shafts(&x, sim, how);
    x.answer = hol__answer_of(ctx, "gears", "shafts", m->name);
    if (!status && !x.answer) status = HOL_ERR_MEMORY;
    if (!status) {
        x.nv = x.at.model->nv;
        status = look(&x, sim, how);
    }
    status = hol__answer_finish(x.answer, status, out);
    hol__actuated_free(&x.at);
    hol__arena_free(&x.arena);
    return status;
}
