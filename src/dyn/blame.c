/* blame.c: why the equations of motion cannot be solved: which element is behind a value that is
 * not finite, which body has no inertia.
 *
 * Called only after an evaluation has failed, at the state where it did: first the rows of the
 * joints (functions of time, curves), then the forces one by one. A state that is itself not finite
 * says nothing about elements.
 */
#include "dyn/probe.h"
#include "model/fields.h"

#include <math.h>
#include <string.h>

/* Whether a row is finite: its residual, its right sides and its part of A. */
static int is_finite_row(const hol_data *data, int i) {
    const hol__csr *A = &data->A;
    return isfinite(data->b[i]) && isfinite(data->c[i]) &&
           (i >= data->model->mh || isfinite(data->Phi[i])) &&
           hol__finite_column(A->ptr[i + 1] - A->ptr[i], A->x + A->ptr[i], 1);
}

/* The first joint with a row that is not finite; rows that keep a body rigid belong to none. */
static const hol__element *bad_joint(const hol_data *data) {
    const hol_model *m = data->model;
    for (int i = 0; i < m->m; i++)
        if (m->row_joint[i] >= 0 && !is_finite_row(data, i)) return &m->joints[m->row_joint[i]];
    return NULL;
}

/* The first force whose wrench on one of its bodies is not finite. */
static const hol__element *bad_force(hol_data *data) {
    const hol_model *m = data->model;
    for (int i = 0; i < m->n_forces; i++) {
        hol__data_force_wrench(data, i);
        for (int k = 0; k < 2; k++)
            if (!hol__finite_column(m->bw, data->wrench + m->bw * m->forces[i].body[k], 1))
                return &m->forces[i];
    }
    return NULL;
}

const hol__element *hol__data_blame(hol_data *data) {
    const hol_model *m = data->model;
    if (!isfinite(data->t) || !hol__finite_column(m->nq, data->q, 1) ||
        !hol__finite_column(m->nv, data->v, 1))
        return NULL;
    hol_data_update(data, HOL_STAGE_DYN);
    const hol__element *joint = bad_joint(data);
    return joint ? joint : bad_force(data);
}

/* ---- its laws ---- */

/* The law of an element that has no value at time t. */
typedef struct look {
    const double *in; /* time first */
    double *scratch;
    const hol__key *key;
    const hol__law *law;
    int is_beyond;
    hol__beyond beyond;
} look;

/* Whether the law has no value; rows need two derivatives of laws of time. */
static int is_bad_law(void *user, const hol__key *key, const hol__law *law) {
    look *l = user;
    double size = hol__expr_value(law->e, l->in, l->scratch);
    if (key->kind == HOL__KEY_TIME_LAW || key->kind == HOL__KEY_DRIVES) {
        const hol__jet jet = hol__law_jet(law, l->in[0], l->scratch);
        size = fabs(jet.f) + fabs(jet.d1) + fabs(jet.d2);
    }
    if (isfinite(size)) return 0;
    l->key = key;
    l->law = law;
    l->is_beyond = hol__expr_beyond(law->e, l->in, l->scratch, &l->beyond);
    return 1;
}

int hol__data_law_beyond(const hol_data *data, const hol__element *e, double t, const char **text,
                         hol__beyond *beyond) {
    const size_t n = (size_t)data->model->n_inputs;
    double *in = hol__alloc(data->ctx, n + 1, sizeof *in);
    if (!in) return 0;
    memcpy(in, data->inputs, n * sizeof *in);
    in[0] = t;
    look l = {.in = in, .scratch = data->scratch};
    const int found = hol__params_laws(e->params, is_bad_law, &l);
    if (found) *text = hol__expr_text(l.law->e), *beyond = l.beyond;
    if (!l.is_beyond) beyond->table = NULL;
    hol__release(data->ctx, in);
    return found;
}

int hol__data_report_culprit(const hol_data *data, const hol__element *culprit, double t) {
    const char *text = NULL;
    hol__beyond beyond = {NULL, 0, 0, 0};
    if (!culprit) return 0;
    if (!hol__data_law_beyond(data, culprit, t, &text, &beyond))
        hol__report(data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, &culprit->where, culprit->label,
                    "is NaN or infinite at t = %.6g; look at its expressions there (a root or a "
                    "logarithm of a negative number, a division by 0, a table beyond its ends)",
                    t);
    else if (beyond.table)
        hol__report(data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, &culprit->where, culprit->label,
                    "has no value at t = %.9g: '%.200s' reads table '%s' beyond its ends, %.9g and "
                    "%.9g; end the run there, or give the table more points or `outside`",
                    t, text, beyond.table, beyond.low, beyond.high);
    else
        hol__report(data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, &culprit->where, culprit->label,
                    "is NaN or infinite at t = %.6g: '%.200s' or one of its derivatives is (a root "
                    "or a logarithm of a negative number, a division by 0)",
                    t, text);
    return 1;
}

int hol__data_has_singular_body(const hol_data *data) {
    for (int i = 0; i < data->model->nb; i++)
        if (data->model->bodies[i].singular) return 1;
    return 0;
}

/* Name the bodies without inertia; returns HOL_ERR_SINGULAR. */
static hol_status report_bodies(const hol_data *data) {
    for (int i = 0; i < data->model->nb; i++) {
        const hol__body *b = &data->model->bodies[i];
        if (!b->singular) continue;
        hol__report(data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, &b->where, b->label,
                    "has no inertia, and no joint determines its motion in that direction; "
                    "give it an inertia or hold it");
    }
    return HOL_ERR_SINGULAR;
}

/* Say that the sparse form of the solver fails where the equations have a solution; 0 where it is
 * not in use. */
static int report_storage(const hol_data *data) {
    const hol__body *b = data->model->bodies;
    if (data->solving.storage == HOL__STORAGE_DENSE) return 0;
    while (!b->singular) b++;
    hol__report(data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, &b->where, b->label,
                "has no inertia in some direction; constraints and other bodies determine its "
                "motion, but the sparse solver fails here, as it does for such bodies in models "
                "with redundant constraints: set `storage: dense`, take out redundant constraints, "
                "or give all such bodies an inertia");
    return 1;
}

/* Say that what the caller added is not finite; 0 where it is. */
static int report_called(const hol_data *data) {
    const int n = data->model->bw * (data->model->nb + 1);
    if (!data->on_force || hol__finite_column(n, data->called, 1)) return 0;
    hol__report(data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "hol_force_fn",
                "the force of the caller is NaN or infinite at t = %.6g", data->t);
    return 1;
}

hol_status hol__data_answer(hol_data *data, hol_status status) {
    return status > 0 ? hol__data_report_unsolvable(data, status) : status;
}

hol_status hol__data_report_unsolvable(hol_data *data, hol_status status) {
    if (status < 0 && status != HOL_ERR_SINGULAR && status != HOL_ERR_TOLERANCE)
        return status; /* said where it arose */
    if (report_called(data)) return HOL_ERR_SINGULAR;
    if (hol__data_has_singular_body(data)) {
        if (!hol__data_is_determined(data)) return report_bodies(data);
        if (status == HOL_SINGULAR && report_storage(data)) return HOL_ERR_SINGULAR;
    }
    if (!hol__data_report_culprit(data, hol__data_blame(data), data->t))
        hol__report(
            data->ctx, HOL_ERROR, HOL_ERR_SINGULAR, NULL, "equations of motion",
            "cannot be solved at t = %.6g (%s); check forces for values that are not finite",
            data->t, hol_status_text(status));
    return HOL_ERR_SINGULAR;
}
