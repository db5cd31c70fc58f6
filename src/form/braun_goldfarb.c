/* braun_goldfarb.c: violations divided by the step, at each level by its own equation [BG].
 *
 *     cbar = c - psi/h
 *     q' = N (v + x),  x = the smallest (in M) with D x = b_q - D v - Phi/h
 *     v' += v_t s / (v_t . M v_t),  s = (b_e - Phi_e/h) - v . M v',
 *     |s| <= kappa (v_t . M v_t)/h
 *
 * with v_t the part of v along the constraints, Phi_e = T + V - W - E_0, b_e = Q . v - lambda . b
 */
#include "form/braun_goldfarb.h"

#include <float.h>
#include <math.h>

/* An error of the energy balance below this many roundings of the energies is none. */
static const double energy_rounding = 100;

const double *hol__braun_goldfarb_rhs(hol__form *form) {
    const double rate = form->step > 0 ? 1 / form->step : 0;
    for (int i = 0; i < form->model->m; i++)
        form->cbar[i] = form->data->c[i] - rate * form->data->psi[i];
    return form->cbar;
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Below about this share of the largest kinetic energy the energy term fades. */
static const double rest_share = 1e-4;

/* The energy term: a += v_t s / (v_t . M v_t). */
static hol_status correct_energy(hol__form *form) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    const double rate = 1 / form->step, *v = data->v;
    /* v_t = v - x with M x + A^T mu = 0, A x = A v */
    hol__csr_mul(&data->A, v, form->rhs);
    const hol_status status = hol__kernel_solve(form->kernel, NULL, form->rhs, form->x, NULL);
    if (status) return status;
    for (int i = 0; i < m->nv; i++) form->x[i] = v[i] - form->x[i];
    hol__csr_mul(hol__data_mass(data), form->x, form->f);
    const double t2 = dot(form->x, form->f, m->nv);
    if (!(t2 > 0)) return HOL_OK;
    hol__csr_mul(hol__data_mass(data), data->a, form->f);
    hol_energy e;
    hol__data_energy(data, &e);
    /* an error that rounding may have made says nothing: near rest the speed that it stands for is
     * not small */
    const double rounding =
        energy_rounding * DBL_EPSILON * (e.kinetic + fabs(e.potential) + fabs(e.work));
    const double error = e.balance - form->balance;
    const double wanted = dot(data->Q, v, m->nv) - dot(data->lambda, data->b, m->m) -
                          (fabs(error) > rounding ? error * rate : 0);
    /* where the motion comes to rest no speed mends the energy: the term fades there and makes up
     * for it later */
    form->most_kinetic = fmax(form->most_kinetic, e.kinetic);
    const double fade = e.kinetic / (e.kinetic + rest_share * form->most_kinetic);
    const double limit = fade * fade * form->options.energy_limit * t2 * rate;
    const double s = fmax(-limit, fmin(limit, fade * fade * (wanted - dot(v, form->f, m->nv))));
    for (int i = 0; i < m->nv; i++) data->a[i] += form->x[i] * s / t2;
    return HOL_OK;
}

hol_status hol__braun_goldfarb(hol__form *form) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    for (int i = 0; i < m->nv; i++) form->shift[i] = 0;
    if (!(form->step > 0)) return HOL_OK;
    for (int i = 0; i < m->mh; i++) form->rhs[i] = -data->psi[i] - data->Phi[i] / form->step;
    for (int i = m->mh; i < m->m; i++) form->rhs[i] = 0;
    const hol_status status = hol__kernel_solve(form->kernel, NULL, form->rhs, form->shift, NULL);
    return status || !(form->options.energy_limit > 0) ? status : correct_energy(form);
}
