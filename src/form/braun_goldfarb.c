/* braun_goldfarb.c: the equation of motion with embedded correction [BG 16, 17, 20].
 *
 *     q' = N (v + x),   x  = the smallest in M with D x = b_q - D v - Phi_0/h            (16)
 *     v' = v'_c + v_t s/(v_t . M v_t),   M v'_c + A^T lambda = Q,  A v'_c = c - psi_0/h  (17)
 *     s  = (b_e - Phi_e0/h) - v . M v'_c,   |s| <= kappa (v_t . M v_t)/h                 (20)
 *
 * Phi_0, psi_0 and Phi_e0 are those at the start of the step of length h and stay what they are in
 * its stages: d Phi/dt = -Phi_0/h then, so that the step ends where the violation it began with is
 * gone, and the right-hand side is smooth in the step, as the order of a formula demands. D: the
 * holonomic rows. (20) is written with pseudoinverses in [BG]; the energy is one row, A_e = v^T M,
 * and U^-1 N_v C_e^T = v_t is the part of v along the constraints: M v_t + A^T mu = M v, A v_t = 0.
 * Phi_e = T + V - W - E_0, and d Phi_e/dt = 0 solved for A_e v' has b_e = Q . v - lambda . b. Other
 * invariants come before it (invariants.c), and v_t is what they leave free.
 */
#include "form/braun_goldfarb.h"

#include "form/invariants.h"

#include <math.h>
#include <string.h>

struct hol__braun_goldfarb {
    double *Phi, *psi, energy; /* the violations at the start of the step */
    hol__csr D;
    hol__kernel *positions; /* of M and D; that of the form where all rows are holonomic */
    hol__invariants invariants;
};

hol_status hol__braun_goldfarb_init(hol__form *form, hol__arena *arena,
                                    const hol__kernel_options *options) {
    const hol_model *m = form->model;
    if (form->stabilizer != HOL__STABILIZER_BRAUN_GOLDFARB) return HOL_OK;
    struct hol__braun_goldfarb *bg = HOL__NEW(arena, struct hol__braun_goldfarb);
    form->shift = HOL__NEW_N(arena, double, m->nv);
    if (!bg || !(bg->Phi = HOL__NEW_N(arena, double, m->mh)) ||
        !(bg->psi = HOL__NEW_N(arena, double, m->m)) || !form->shift)
        return HOL_ERR_MEMORY;
    form->embedded = bg;
    bg->D = form->data->A;
    bg->D.rows = m->mh;
    bg->positions = form->kernel;
    const hol_status status = hol__invariants_init(&bg->invariants, arena, form->data);
    if (status || m->m == m->mh) return status;
    bg->positions = NULL;
    return hol__kernel_new(form->data->ctx, form->kernel->type, &form->data->M, &bg->D, options,
                           &bg->positions);
}

void hol__braun_goldfarb_free(hol__form *form) {
    struct hol__braun_goldfarb *bg = form->embedded;
    if (!bg) return;
    hol__invariants_free(&bg->invariants);
    if (bg->positions != form->kernel) hol__kernel_free(bg->positions);
}

void hol__braun_goldfarb_hold(hol__form *form, int first) {
    struct hol__braun_goldfarb *bg = form->embedded;
    const hol_model *m = form->model;
    hol_data *data = form->data;
    hol_energy e;
    hol__data_energy(data, &e);
    hol__data_psi(data);
    memcpy(bg->Phi, data->Phi, sizeof(double) * (size_t)m->mh);
    memcpy(bg->psi, data->psi, sizeof(double) * (size_t)m->m);
    bg->energy = e.balance - form->balance;
    hol__invariants_hold(&bg->invariants, data, first);
}

/* 1/h; 0 while nobody knows h. */
static double rate(const hol__form *form) {
    return form->step > 0 ? 1 / form->step : 0;
}

const double *hol__braun_goldfarb_rhs(hol__form *form) {
    const double *psi = form->embedded->psi, *c = form->data->c, k = rate(form);
    double *restrict cbar = form->cbar;
    for (int i = 0; i < form->model->m; i++) cbar[i] = c[i] - k * psi[i];
    return cbar;
}

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* The energy term: a += v_t s / (v_t . M v_t), v_t . M v_t = v . M v_t. */
static hol_status correct_energy(hol__form *form) {
    const int nv = form->model->nv;
    hol_data *data = form->data;
    hol__data_mass_times(data, data->v, form->f);
    const hol_status status = hol__kernel_solve(form->kernel, form->f, NULL, form->x, NULL);
    if (status) return status;
    hol__invariants_spare(&form->embedded->invariants, nv, form->x);
    const double t2 = dot(form->f, form->x, nv);
    if (!(t2 > 0)) return HOL_OK; /* at rest the row is zero, and so is its pseudoinverse */
    const int m = data->spared && data->spared->all ? 0 : form->model->m; /* b is zero there */
    const double b_e = dot(data->Q, data->v, nv) - dot(data->lambda, data->b, m);
    const double limit = form->options.energy_limit * t2 * rate(form),
                 s = b_e - form->embedded->energy * rate(form) - dot(form->f, data->a, nv);
    for (int i = 0; i < nv; i++) data->a[i] += form->x[i] * fmax(-limit, fmin(limit, s)) / t2;
    return HOL_OK;
}

hol_status hol__braun_goldfarb(hol__form *form) {
    struct hol__braun_goldfarb *bg = form->embedded;
    hol_data *data = form->data;
    hol__data_psi(data);
    const double *psi = data->psi, *Phi = bg->Phi, k = rate(form);
    double *restrict rhs = form->rhs;
    for (int i = 0; i < form->model->mh; i++) rhs[i] = -psi[i] - k * Phi[i];
    hol_status status = hol__form_factor_rows(form, bg->positions, &bg->D);
    if (!status) status = hol__kernel_solve(bg->positions, NULL, form->rhs, form->shift, NULL);
    if (!status) status = hol__invariants_add(&bg->invariants, form, rate(form));
    return status || !(form->options.energy_limit > 0) ? status : correct_energy(form);
}

long hol__braun_goldfarb_factorizations(const hol__form *form) {
    const struct hol__braun_goldfarb *bg = form->embedded;
    return bg && bg->positions != form->kernel ? bg->positions->info.factorizations : 0;
}

hol_status hol__braun_goldfarb_walk(hol__form *form, hol__archive *archive) {
    struct hol__braun_goldfarb *bg = form->embedded;
    hol_data *data = form->data;
    HOL__ARCHIVE_N(archive, bg->Phi, form->model->mh);
    HOL__ARCHIVE_N(archive, bg->psi, form->model->m);
    HOL__ARCHIVE(archive, bg->energy);
    hol__invariants_walk(&bg->invariants, form->model->nv, archive);
    if (bg->positions == form->kernel) return HOL_OK;
    return hol__kernel_walk(bg->positions, hol__data_mass_for(data, bg->positions), &bg->D,
                            data->stamp, archive);
}
