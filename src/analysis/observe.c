/* observe.c: derivatives of measures. See observe.h. */
#include "analysis/observe.h"

#include "analysis/nudge.h"
#include "dyn/probe.h"
#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* A state beside that of small, and what it measures. */
typedef struct observer {
    hol__small *s;
    hol_data *at;
    hol__nudge nudge;
} observer;

static hol_status observer_new(hol__small *s, observer *o) {
    *o = (observer){.s = s, .at = hol_data_new(s->arena.ctx, s->model)};
    return o->at && hol__nudge_init(&o->nudge, s->model, &s->matrices) ? HOL_OK : HOL_ERR_MEMORY;
}

/* out = the derivatives along a direction, with the step h. */
static hol_status along(observer *o, double h, hol__direction d, double *out) {
    return hol__nudge_measures(&o->nudge, o->s->data, h, 0, &d, o->at, out);
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
        const hol__direction moved = {dq, dv, NULL, 0};
        const double h = z < 0 ? hol__nudge_step(s->data, s->rate, &moved)
                               : hol__probe_number_step(s->data->aux[z]);
        for (int i = 0; i < p->n_aux; i++) dz[i] = i == z;
        status =
            along(&o, h, (hol__direction){dq, dv, dz, 0}, C + hol__area(k, s->model->n_columns));
    }
    hol_data_free(o.at);
    return status;
}

/* ---- inputs ---- */

/* D0 over the models with other values. */
static hol_status by_parameter(observer *o, const hol__excite *input, double *D0) {
    const double step = hol__parameter_step(input->parameter);
    const hol__direction moved = {input->n0, input->S[0], NULL, 0};
    hol_status status = HOL_OK;
    for (int i = 0; i < HOL__STENCIL && !status; i++) {
        double shift;
        hol_data *at = hol__parameter_point(input->parameter, i, &shift);
        hol__nudge_put(&o->nudge, o->s->data, shift, &moved, at);
        status = hol__nudge_add(&o->nudge, at, hol__stencil[i].weight / step, D0);
    }
    return status;
}

/* A load beside the forces that a caller has already. */
typedef struct loader {
    const hol__excite *input;
    double size;
    hol_force_fn *before;
    void *user;
} loader;

static hol_status push(void *user, hol_data *data) {
    loader *l = user;
    const hol_model *m = data->model;
    hol_status status = l->before ? l->before(l->user, data) : HOL_OK;
    for (int i = 0; i < m->nb && !status; i++) {
        const double *w = l->input->w + m->bw * i;
        double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
        for (int k = 0; k < m->dim; k++) force[k] = l->size * w[k];
        if (m->dim == 2)
            torque[2] = l->size * w[2];
        else
            hol__mul3(data->bodies.b3[i].R, w + 3, torque);
        for (int k = 0; m->dim == 3 && k < 3; k++) torque[k] *= l->size;
        status = hol_data_add_force(data, i, m->bodies[i].com, force);
        if (!status) status = hol_data_add_torque(data, i, torque);
    }
    return status;
}

/* A load that accelerates the bodies as fast as the mechanism is. */
static double usual_load(const hol__small *s) {
    double mass = 0;
    for (int i = 0; i < s->model->nb; i++) mass = fmax(mass, s->model->bodies[i].mass);
    const double size = mass * s->rate * s->rate * s->model->length;
    return size > 0 ? size : 1;
}

/* D0 of a load, in which accelerations are linear. */
static hol_status by_load(observer *o, const hol__excite *input, double *D0) {
    const hol__small *s = o->s;
    const double size = usual_load(s);
    loader l = {input, 0, s->data->on_force, s->data->user};
    hol_status status = hol_data_copy(o->at, s->data);
    o->at->on_force = push;
    o->at->user = &l;
    for (int sign = -1; sign <= 1 && !status; sign += 2) {
        l.size = sign * size;
        hol__nudge_put(&o->nudge, s->data, 0, &(hol__direction){0}, o->at);
        status = hol__nudge_add(&o->nudge, o->at, 0.5 / l.size, D0);
    }
    return status;
}

/* D0 of what is added to the law of a driver. */
static hol_status by_motion(observer *o, const hol__excite *input, double *D0) {
    const hol__direction moved = {input->n0, input->S[0], NULL, 0};
    const hol_status status = hol_data_copy(o->at, o->s->data);
    return status ? status : along(o, hol__nudge_step(o->s->data, o->s->rate, &moved), moved, D0);
}

hol_status hol__observe_input(hol__small *s, const hol__excite *input, double *D0, double *D1) {
    const hol_model *m = s->model;
    observer o;
    memset(D0, 0, sizeof(double) * (size_t)m->n_columns);
    memset(D1, 0, sizeof(double) * (size_t)m->n_columns);
    hol_status status = observer_new(s, &o);
    if (!status)
        status = (input->parameter ? by_parameter : input->by ? by_motion : by_load)(&o, input, D0);
    if (!status && input->moves) {
        status = hol_data_copy(o.at, s->data);
        const hol__direction moved = {NULL, input->S[1], NULL, 0};
        if (!status) status = along(&o, hol__nudge_step(s->data, s->rate, &moved), moved, D1);
        for (int i = 0; i < m->n_measures; i++)
            for (int k = 0; m->measures[i].level == HOL__LEVEL_ACC && k < m->measures[i].count; k++)
                D0[m->measures[i].first + k] = D1[m->measures[i].first + k] = NAN;
    }
    hol_data_free(o.at);
    return status;
}
