/* assemble_velocities.c: velocities at the start.
 *
 * Among all v with A v = b, those nearest to the given ones; what is left open is as small as
 * possible in the metric of the weights. The given ones count w = 1, the others 1e-6; the method of
 * multipliers makes them exact where they can be:
 *     (eps W + G) v + A^T mu = G (v_given - y),   A v = b,   y <- y + (v - v_given)
 * Fixed ones come first: where they contradict others that are given, those count without a
 * multiplier, as well as they can. A row that holds the value of a joint at the start is there for
 * the positions alone, and is released before.
 */
#include "correct/assemble.h"

#include <math.h>
#include <string.h>

enum { MAX_MULTIPLIER = 12 };

static const double open_w = 1e-6;    /* weight of a velocity that is not given over one that is */
static const double closed_v = 1e-11; /* |A v - b| that is left as it is */

/* Solve for the velocities once with the multipliers y of the given ones (in pull). */
static hol_status velocity_solve(hol__assembly *s, const double *wanted, double *y) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->nv; i++) {
        s->W.x[i] = s->weight[i] * (s->given[i] ? (s->fixed_v[i] ? 1e3 : 1) : open_w);
        s->pull[i] = s->given[i] ? s->W.x[i] * (wanted[i] - y[i]) : 0;
    }
    hol_status status = hol__kernel_factor(s->kernel, &s->W, &s->data->A);
    if (!status) status = hol__kernel_solve(s->kernel, s->pull, s->data->b, s->delta, NULL);
    if (status) return status;
    for (int i = 0; i < m->nv; i++)
        if (s->given[i] && !s->yields[i]) y[i] += s->delta[i] - wanted[i];
    hol__data_set_v(s->data, s->delta);
    return HOL_OK;
}

/* By how much a given velocity may differ from what it should be. */
static double close_to(const hol__assembly *s, const double *wanted) {
    double scale = 1e-3;
    for (int k = 0; k < s->data->model->nv; k++) scale = fmax(scale, fabs(wanted[k]));
    return 1e-8 * scale;
}

/* Whether a given velocity is not what it should be. */
static int is_missed(const hol__assembly *s, const double *wanted, double close, int i) {
    return s->given[i] && fabs(s->data->v[i] - wanted[i]) > close;
}

/* Where fixed velocities and others that are given contradict each other, the others yield; 0 when
 * no fixed one is missed. */
static int make_others_yield(hol__assembly *s, const double *wanted) {
    const double close = close_to(s, wanted);
    int missed = 0, yielding = 0;
    for (int i = 0; i < s->data->model->nv; i++) {
        const int miss = is_missed(s, wanted, close, i);
        missed |= miss && s->fixed_v[i];
        s->yields[i] = miss && !s->fixed_v[i];
        yielding |= s->yields[i];
    }
    return missed && yielding;
}

/* Say which given velocities could not be kept. */
static hol_status check_velocities(hol__assembly *s, const double *wanted) {
    const hol_model *m = s->data->model;
    static const char *const names[2][6] = {{"vx", "vy", "omega", "", "", ""},
                                            {"vx", "vy", "vz", "wx", "wy", "wz"}};
    const double close = close_to(s, wanted);
    hol_status status = HOL_OK;
    for (int i = 0; i < m->nv; i++) {
        const hol__body *b = &m->bodies[i / m->bw];
        if (!is_missed(s, wanted, close, i)) continue;
        const char *name = names[m->dim == 3][i % m->bw];
        if (s->fixed_v[i])
            status = hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &b->where, b->label,
                                 "the joints do not allow %s = %.9g (nearest: %.9g); leave out "
                                 "`fix_velocity` or change it",
                                 name, wanted[i], s->data->v[i]);
        else
            hol__warn(s->data->ctx, &b->where, b->label,
                      "%s = %.9g was changed to %.9g to satisfy the joints", name, wanted[i],
                      s->data->v[i]);
    }
    return status;
}

/* Rows that hold values of joints at the start do not hold the rates of these. */
static void release_start_rows(hol__assembly *s) {
    const hol_model *m = s->data->model;
    for (int i = 0; i < m->mh; i++)
        if (m->row_joint[i] >= 0 && m->joints[m->row_joint[i]].start)
            memset(s->data->A.x + m->A.ptr[i], 0,
                   sizeof(double) * (size_t)(m->A.ptr[i + 1] - m->A.ptr[i]));
}

/* Rates of joints at the start must be what they should be. */
static hol_status check_start_rates(hol__assembly *s) {
    const hol_model *m = s->data->model;
    hol_status status = HOL_OK;
    double scale = 1e-3;
    hol__data_psi(s->data);
    for (int i = 0; i < m->m; i++) scale = fmax(scale, fabs(s->data->b[i]));
    for (int i = m->mh; i < m->m; i++) {
        const hol__element *rows = m->row_joint[i] < 0 ? NULL : &m->joints[m->row_joint[i]];
        if (!rows || !rows->start || !(fabs(s->data->psi[i]) > 1e-8 * scale)) continue;
        status = hol__report(s->data->ctx, HOL_ERROR, HOL_ERR_ASSEMBLY, &rows->where, rows->label,
                             "the joints do not allow %s = %.9g (nearest: %.9g); change it or "
                             "leave it out",
                             m->rows[i].direction, s->data->b[i], s->data->b[i] + s->data->psi[i]);
    }
    return status;
}

/* Weights far apart leave A v = b open by some digits: take out what is left with the factors at
 * hand, A delta = -psi. */
static hol_status close_velocities(hol__assembly *s) {
    const hol_model *m = s->data->model;
    memset(s->pull, 0, sizeof(double) * (size_t)m->nv);
    for (int k = 0; k < 2; k++) {
        hol__data_psi(s->data);
        if (hol__norm(s->data->psi, m->m) <= closed_v) break;
        for (int i = 0; i < m->m; i++) s->rhs[i] = -s->data->psi[i];
        const hol_status status = hol__kernel_solve(s->kernel, s->pull, s->rhs, s->delta, NULL);
        if (status) return status;
        for (int i = 0; i < m->nv; i++) s->delta[i] += s->data->v[i];
        hol__data_set_v(s->data, s->delta);
    }
    return HOL_OK;
}

hol_status hol__assembly_velocities(hol__assembly *s) {
    const hol_model *m = s->data->model;
    double *wanted = HOL__NEW_N(&s->arena, double, m->nv),
           *y = HOL__NEW_N(&s->arena, double, m->nv);
    if (!wanted || !y) return HOL_ERR_MEMORY;
    memcpy(wanted, s->data->v, sizeof(double) * (size_t)m->nv);
    hol_data_update(s->data, HOL_STAGE_VEL);
    if (!isfinite(hol__norm(s->data->b, m->m))) return hol__assembly_report_infinite(s);
    release_start_rows(s);
    for (int pass = 0; pass == 0 || (pass == 1 && make_others_yield(s, wanted)); pass++) {
        memset(y, 0, sizeof(double) * (size_t)m->nv);
        for (int k = 0; k < MAX_MULTIPLIER; k++) {
            hol_data_update(s->data, HOL_STAGE_VEL);
            const hol_status status = velocity_solve(s, wanted, y);
            if (status) return status;
        }
    }
    hol_status status = close_velocities(s);
    if (!status) status = check_start_rates(s);
    return status ? status : check_velocities(s, wanted);
}
