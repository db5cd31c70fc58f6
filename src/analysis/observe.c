/* observe.c: derivatives of measures. See observe.h. */
#include "analysis/observe.h"

#include "dyn/probe.h"

#include <math.h>
#include <string.h>

/* The step of a difference, as a share of what changes a mechanism. */
#define STEP 1e-3

/* A state beside that of small, and what it measures. */
typedef struct observer {
    hol__small *s;
    hol_data *at;
    double *q, *v, *z, *dq, *dv, *value; /* room */
} observer;

static hol_status observer_new(hol__small *s, observer *o) {
    const hol_model *m = s->model;
    hol__arena *arena = &s->matrices;
    *o = (observer){.s = s, .at = hol_data_new(s->arena.ctx, m)};
    o->q = HOL__NEW_N(arena, double, m->nq + 1);
    o->v = HOL__NEW_N(arena, double, m->nv + 1);
    o->dq = HOL__NEW_N(arena, double, m->nv + 1);
    o->z = HOL__NEW_N(arena, double, m->n_aux + 1);
    o->value = HOL__NEW_N(arena, double, m->n_columns + 1);
    return o->at && !arena->failed ? HOL_OK : HOL_ERR_MEMORY;
}

/* Put the state of small, moved by h (dq, dv, dz), into a data; NULL: not moved so. */
static void put(observer *o, hol_data *to, double h, const double *dq, const double *dv,
                const double *dz) {
    const hol_data *from = o->s->data;
    const hol_model *m = from->model;
    for (int j = 0; j < m->nv; j++) {
        o->dq[j] = dq ? h * dq[j] : 0;
        o->v[j] = from->v[j] + (dv ? h * dv[j] : 0);
    }
    for (int j = 0; j < m->n_aux; j++) o->z[j] = from->aux[j] + (dz ? h * dz[j] : 0);
    m->coords->plus(m, from->q, o->dq, o->q);
    hol_data_set(to, from->t, o->q, o->v);
    if (m->n_aux) hol__data_set_aux(to, o->z);
}

/* out += weight times all measures of a data; what cannot be solved stays NaN. */
static hol_status add(observer *o, hol_data *at, double weight, double *out) {
    const hol_status status = hol__measure_all(at, o->value);
    if (status < 0 && status != HOL_ERR_SINGULAR) return status;
    for (int i = 0; i < at->model->n_columns; i++) out[i] += weight * o->value[i];
    return HOL_OK;
}

/* out = the derivatives along (dq, dv, dz), with the step h. */
static hol_status along(observer *o, double h, const double *dq, const double *dv, const double *dz,
                        double *out) {
    const int n = o->s->model->n_columns;
    hol_status status = HOL_OK;
    memset(out, 0, sizeof(double) * (size_t)n);
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        put(o, o->at, hol__stencil[i].at * h, dq, dv, dz);
        status = add(o, o->at, hol__stencil[i].weight / h, out);
    }
    return status;
}

/* A step along (dq, dv) that changes places by a thousandth of the mechanism, and velocities by as
 * much of its fastest rate. */
static double step_of(const hol__small *s, const double *dq, const double *dv) {
    const hol_model *m = s->model;
    double most = 0;
    for (int j = 0; j < m->nv; j++) {
        const double unit = hol__coordinate_size(m, j);
        most = fmax(most, fmax(fabs(dq ? dq[j] : 0), fabs(dv ? dv[j] : 0) / s->rate) / unit);
    }
    return most > 0 ? STEP / most : STEP;
}

hol_status hol__observe_states(hol__small *s, double *C) {
    const hol__perturb *p = &s->p;
    observer o;
    double *dz = HOL__NEW_N(&s->matrices, double, p->n_aux + 1);
    hol_status status = observer_new(s, &o);
    if (!status && !dz) status = HOL_ERR_MEMORY;
    if (!status) status = hol_data_copy(o.at, s->data);
    for (int k = 0; k < p->n && !status; k++) {
        const int z = k - p->n_q - p->n_v;
        const double *dq = p->dq + hol__area(k, p->nv), *dv = p->dv + hol__area(k, p->nv);
        const double h = z < 0 ? step_of(s, dq, dv) : hol__probe_number_step(s->data->aux[z]);
        for (int i = 0; i < p->n_aux; i++) dz[i] = i == z;
        status = along(&o, h, dq, dv, dz, C + hol__area(k, s->model->n_columns));
    }
    hol_data_free(o.at);
    return status;
}

/* ---- inputs ---- */

/* D0 over the models with other values. */
static hol_status by_parameter(observer *o, const hol__excite *input, double *D0) {
    const double step = hol__parameter_step(input->parameter);
    hol_status status = HOL_OK;
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        double shift;
        hol_data *at = hol__parameter_point(input->parameter, i, &shift);
        put(o, at, shift, input->n0, input->S[0], NULL);
        status = add(o, at, hol__stencil[i].weight / step, D0);
    }
    return status;
}

/* A load beside the forces that a caller has already. */
typedef struct loader {
    const hol__excite *input;
    double size, *w;
    hol_force_fn *before;
    void *user;
} loader;

static hol_status push(void *user, hol_data *data) {
    loader *l = user;
    const hol_model *m = data->model;
    const hol_status status = l->before ? l->before(l->user, data) : HOL_OK;
    if (status) return status;
    const int k = l->input->component, turns = m->dim == 2 ? k == 2 : k >= 3;
    double x[3] = {0, 0, 0};
    x[turns ? (m->dim == 2 ? 2 : k - 3) : k] = l->size;
    return turns ? hol_data_add_torque(data, l->input->body, x)
                 : hol_data_add_force(data, l->input->body, m->bodies[l->input->body].com, x);
}

/* D0 of a load, in which accelerations are linear. */
static hol_status by_load(observer *o, const hol__excite *input, double *D0) {
    const hol__small *s = o->s;
    const hol__body *body = &s->model->bodies[input->body];
    const double size = body->mass > 0 ? body->mass * s->rate * s->rate * s->model->length : 1;
    loader l = {input, 0, NULL, s->data->on_force, s->data->user};
    hol_status status = hol_data_copy(o->at, s->data);
    o->at->on_force = push;
    o->at->user = &l;
    for (int sign = -1; sign <= 1 && !status; sign += 2) {
        l.size = sign * (size > 0 ? size : 1);
        put(o, o->at, 0, NULL, NULL, NULL);
        status = add(o, o->at, 0.5 / l.size, D0);
    }
    return status;
}

hol_status hol__observe_input(hol__small *s, const hol__excite *input, double *D0, double *D1) {
    const hol_model *m = s->model;
    observer o;
    memset(D0, 0, sizeof(double) * (size_t)m->n_columns);
    memset(D1, 0, sizeof(double) * (size_t)m->n_columns);
    hol_status status = observer_new(s, &o);
    if (!status) status = input->parameter ? by_parameter(&o, input, D0) : by_load(&o, input, D0);
    if (!status && input->moves) {
        status = hol_data_copy(o.at, s->data);
        if (!status) status = along(&o, step_of(s, NULL, input->S[1]), NULL, input->S[1], NULL, D1);
        for (int i = 0; i < m->n_measures; i++)
            for (int k = 0; m->measures[i].level == HOL__LEVEL_ACC && k < m->measures[i].count; k++)
                D0[m->measures[i].first + k] = D1[m->measures[i].first + k] = NAN;
    }
    hol_data_free(o.at);
    return status;
}
