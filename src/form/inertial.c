/* inertial.c: the constrained equations for formulas that are explicit in the forces: velocities
 * and multipliers by masses and constraints alone.
 *
 *     sigma M x_v + A^T x_lambda = r_v       A x_v = r_psi
 *     sigma x_z = r_z                        sigma x_W = r_W - b . x_lambda
 *
 * With x_lambda / sigma as unknown the matrix is [M A^T; A 0], whatever sigma is. */
#include "form/constrained.h"

#include "coords/coords.h"

#include <string.h>

void hol__inertial_rate(hol__constrained *c, const double *y, double *rate) {
    const hol_model *m = c->form->model;
    m->coords->rate(m, y, y + c->nv, rate);
}

hol_status hol__inertial_places(hol__constrained *c, double t, const double *y, double *Phi) {
    const hol_model *m = c->form->model;
    hol_data *data = c->form->data;
    if (c->own_A) { /* the bodies are not asked */
        m->coords->plus(m, c->form->base, y, c->form->q);
        m->coords->maps->own_position(m, c->form->q, c->rows, c->own_A);
        for (int i = 0; i < c->mh; i++) Phi[i] = c->rows[c->place[i]];
        return HOL_OK;
    }
    hol__form_place(c->form, t, y);
    const hol_status status = hol_data_update(data, HOL_STAGE_POS);
    for (int i = 0; i < c->mh; i++) Phi[i] = data->Phi[c->place[i]];
    return status;
}

hol_status hol__inertial_keep(hol__constrained *c) {
    static const double one[2] = {1, 0};
    hol__data_mass(c->form->data);
    for (int i = 0; i < c->m; i++) c->driven[i] = c->form->data->b[c->row[i]];
    return hol__saddle_factor(&c->inertial, one, one);
}

hol_status hol__inertial_solve(hol__constrained *c, double sigma, double *r) {
    const int nv = c->nv;
    double *b = c->b;
    for (int i = 0; i < nv; i++) b[i] = r[nv + i] / sigma;
    memcpy(b + nv, r + c->n, sizeof *b * (size_t)c->m);
    const hol_status status = hol__splu_solve(&c->inertial.lu, b);
    memcpy(r + nv, b, sizeof *b * (size_t)nv);
    for (int i = 0; i < c->m; i++) r[c->n + i] = sigma * b[nv + i];
    for (int i = 2 * nv; i < c->n; i++) r[i] /= sigma;
    r[c->n - 1] -= hol__constrained_driven(c, r) / sigma;
    return status;
}

void hol__inertial_times(hol__constrained *c, double sigma, const double *x, double *r) {
    const int nv = c->nv, size = nv + c->m;
    double *b = c->b, *Kb = c->b + size;
    memcpy(b, x + nv, sizeof *b * (size_t)nv);
    for (int i = 0; i < c->m; i++) b[nv + i] = x[c->n + i] / sigma;
    hol__csr_mul(&c->inertial.lu.T, b, Kb); /* symmetric: by columns as by rows */
    for (int i = 0; i < nv; i++) r[nv + i] = sigma * Kb[i];
    for (int i = 2 * nv; i < c->n; i++) r[i] = sigma * x[i];
    r[c->n - 1] += hol__constrained_driven(c, x);
    memcpy(r + c->n, Kb + nv, sizeof *b * (size_t)c->m);
}

/* M is constant and nothing but gravity acts, which turns no body: those in space have gyroscopic
 * moments where their coordinates are not those of points. */
int hol__inertial_steady(const hol__constrained *c) {
    const hol_model *m = c->form->model;
    const hol_data *data = c->form->data;
    const hol__maps *maps = m->coords->maps;
    return (maps ? !maps->mass_at : m->bw == 3) && !m->n_force_batches && !data->on_force &&
           !m->n_slides && !m->n_aux;
}
