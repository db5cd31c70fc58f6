/* state_dependent.c: y = (d, v): all coordinates and all velocities.
 *
 *     d' = rate(d, v + shift)      v' = a
 */
#include "form/form.h"

#include <string.h>

/* The size of (d, v). */
static int size(const hol__form *form) {
    return 2 * form->model->nv;
}

/* y = (0, v). */
static void pack(hol__form *form, double *y) {
    const int nv = form->model->nv;
    memset(y, 0, sizeof(double) * (size_t)nv);
    memcpy(y + nv, form->data->v, sizeof(double) * (size_t)nv);
}

/* q = base (+) d and v. */
static hol_status unpack(hol__form *form, double t, const double *y) {
    const int nv = form->model->nv;
    const unsigned long stamp = form->data->stamp;
    hol__form_place(form, t, y);
    if (form->data->stamp != stamp ||
        memcmp(y + nv, form->data->v, sizeof(double) * (size_t)nv) != 0)
        hol__data_set_v(form->data, y + nv);
    return HOL_OK;
}

/* d' and v' = a. */
static hol_status rate(hol__form *form, const double *y, double *ydot) {
    const hol_model *m = form->model;
    const hol_data *data = form->data;
    const hol_status status = hol__form_accelerate(form);
    if (status) return status;
    const double *v = data->v;
    if (form->shift) {
        for (int i = 0; i < m->nv; i++) form->x[i] = v[i] + form->shift[i];
        v = form->x;
    }
    m->coords->rate(m, y, v, ydot);
    memcpy(ydot + m->nv, data->a, sizeof(double) * (size_t)m->nv);
    return HOL_OK;
}

/* d and v of the corrected state. */
static void repack(hol__form *form, double *y) {
    const hol_model *m = form->model;
    m->coords->minus(m, form->data->q, form->base, y);
    memcpy(y + m->nv, form->data->v, sizeof(double) * (size_t)m->nv);
    hol__form_place(form, form->data->t, y);
}

/* The base point moves by d, d becomes 0. */
static void rebase(hol__form *form, double t, double *y) {
    const hol_model *m = form->model;
    (void)t;
    m->coords->plus(m, form->base, y, form->q);
    memcpy(form->base, form->q, sizeof(double) * (size_t)m->nq);
    memset(y, 0, sizeof(double) * (size_t)m->nv);
}

/* As they are given. */
static void scale(const hol__form *form, const double *position, const double *velocity,
                  double *out) {
    const int nv = form->model->nv;
    memcpy(out, position, sizeof(double) * (size_t)nv);
    memcpy(out + nv, velocity, sizeof(double) * (size_t)nv);
}

const hol__state_type hol__state_dependent = {
    .name = "dependent",
    .title = "all coordinates and velocities",
    .dependent = 1,
    .by_kept = 1,
    HOL__STATE_FUNCTIONS,
};
