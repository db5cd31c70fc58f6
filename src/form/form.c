/* form.c: state `dependent` and the one right-hand side of all methods that use it. */
#include "form/form.h"

#include <math.h>
#include <string.h>

/* Whether anything does work that no potential accounts for. */
static int does_work(const hol_data *data) {
    const hol_model *m = data->model;
    return m->n_force_batches > 0 || m->rheonomic || data->on_force != NULL;
}

void hol__form_resize(hol__form *form) {
    form->has_work = does_work(form->data);
    form->n = 2 * form->model->nv + form->model->n_aux + form->has_work;
}

hol_status hol__form_init(hol__form *form, hol__arena *arena, hol_data *data, hol__kernel *kernel) {
    const hol_model *m = data->model;
    form->model = m;
    form->data = data;
    form->kernel = kernel;
    form->n_max = 2 * m->nv + m->n_aux + 1;
    hol__form_resize(form);
    form->base = HOL__NEW_N(arena, double, m->nq);
    form->q = HOL__NEW_N(arena, double, m->nq);
    form->cbar = HOL__NEW_N(arena, double, m->m);
    return arena->failed ? HOL_ERR_MEMORY : HOL_OK;
}

void hol__form_pack(hol__form *form, double *y) {
    const hol_model *m = form->model;
    memcpy(form->base, form->data->q, sizeof(double) * (size_t)m->nq);
    memset(y, 0, sizeof(double) * (size_t)m->nv);
    memcpy(y + m->nv, form->data->v, sizeof(double) * (size_t)m->nv);
    double *rest = y + 2 * m->nv;
    if (m->n_aux) memcpy(rest, form->data->aux, sizeof(double) * (size_t)m->n_aux);
    if (form->has_work) rest[m->n_aux] = form->data->work;
}

void hol__form_unpack(hol__form *form, double t, const double *y) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    const double *v = y + m->nv;
    m->coords->plus(m, form->base, y, form->q);
    if (t != data->t || memcmp(form->q, data->q, sizeof(double) * (size_t)m->nq) != 0) {
        hol__data_set_q(data, t, form->q);
        hol__data_set_v(data, v);
    } else if (memcmp(v, data->v, sizeof(double) * (size_t)m->nv) != 0)
        hol__data_set_v(data, v);
    hol__data_set_aux(data, y + 2 * m->nv);
    if (form->has_work) data->work = y[2 * m->nv + m->n_aux];
}

void hol__form_repack(hol__form *form, double *y) {
    const hol_model *m = form->model;
    m->coords->minus(m, form->data->q, form->base, y);
    memcpy(y + m->nv, form->data->v, sizeof(double) * (size_t)m->nv);
    m->coords->plus(m, form->base, y, form->q);
    if (memcmp(form->q, form->data->q, sizeof(double) * (size_t)m->nq) != 0)
        hol__data_set_q(form->data, form->data->t, form->q);
}

/* cbar = c - 2 alpha Phi' - beta^2 Phi; for nonholonomic rows c - alpha psi. */
static const double *stabilized(hol__form *form) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    if (form->stabilizer == HOL__STABILIZER_NONE) return data->c;
    const double from_step = form->step > 0 ? form->step_gain / form->step : 0;
    const double alpha = from_step > 0 ? from_step : form->alpha, beta = from_step > 0 ? from_step : form->beta;
    hol__data_psi(data);
    for (int i = 0; i < m->mh; i++)
        form->cbar[i] = data->c[i] - 2 * alpha * data->psi[i] - beta * beta * data->Phi[i];
    for (int i = m->mh; i < m->m; i++) form->cbar[i] = data->c[i] - alpha * data->psi[i];
    return form->cbar;
}

hol_status hol__form_factor(hol__form *form) {
    hol_data *data = form->data;
    if (form->kernel->tag == data->stamp) return HOL_OK;
    hol_data_update(data, HOL_STAGE_POS);
    const hol_status status = hol__kernel_factor(form->kernel, &form->model->M, &data->A);
    if (!status) form->kernel->tag = data->stamp;
    return status;
}

hol_status hol__form_solve(hol__form *form) {
    hol_data *data = form->data;
    if (data->solved) return HOL_OK;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    form->evaluations++;
    status = hol__form_factor(form);
    if (status) return status;
    status = hol__kernel_solve(form->kernel, data->Q, stabilized(form), data->a, data->lambda);
    if (status) return status;
    double sum = 0;
    for (int i = 0; i < form->model->nv; i++) sum += data->a[i];
    if (!isfinite(sum)) return HOL_NONFINITE;
    data->solved = 1;
    return HOL_OK;
}

hol_status hol__form_rhs(hol__form *form, double t, const double *y, double *ydot) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    hol__form_unpack(form, t, y);
    const hol_status status = hol__form_solve(form);
    if (status) return status;
    m->coords->rate(m, y, data->v, ydot);
    memcpy(ydot + m->nv, data->a, sizeof(double) * (size_t)m->nv);
    if (m->n_aux) memcpy(ydot + 2 * m->nv, data->aux_rate, sizeof(double) * (size_t)m->n_aux);
    if (!form->has_work) return HOL_OK;
    double power = data->power;
    for (int i = 0; m->rheonomic && i < m->m; i++) power -= data->lambda[i] * data->b[i];
    ydot[2 * m->nv + m->n_aux] = power;
    return HOL_OK;
}

void hol__form_rebase(hol__form *form, double *y) {
    const hol_model *m = form->model;
    m->coords->plus(m, form->base, y, form->q);
    memcpy(form->base, form->q, sizeof(double) * (size_t)m->nq);
    memset(y, 0, sizeof(double) * (size_t)m->nv);
}
