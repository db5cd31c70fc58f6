/* state_canonical.c: y = (d, p) or (d, p, integral of Phi): canonical momenta instead of
 * velocities. [GJB 5.4]
 *
 *     p = M v + A^T sigma,  A v = b                  p' = Q + M' v + A'^T sigma,  lambda = sigma'
 *
 * The velocities come from one constrained solve with f = p; the kernel says how:
 *     kkt                    [M A^T; A 0][v; sigma] = [p; b]             algorithm 5-6
 *     augmented-lagrangian   with c = b - 2 mu Omega Phi - Omega^2 I, I' = Phi
 *                            algorithm 5-8, (5.125)
 *                            (nonholonomic rows: b - mu I, I' = psi)
 *                            the same with c = b and
 *                            p' = … - A^T alpha (Omega^2 Phi + 2 Omega mu Phi')
 *                            basic form (5.116), stiff
 *
 *     canonical-plain        p = M v, v = M^-1 p,  p' = Q + M' v - A^T lambda,  A v = b as well as
 *                            an integrator holds it (dae_form.c); (5.97), (5.98)
 *
 * Where rows of A depend on others, n^T A = 0, sigma + n s has the same A^T sigma and the same v
 * for every s, and p' another part A'^T n s = -A^T n' s, which lies in the range of A^T too and
 * changes neither v nor positions: p is fixed up to it. While rows are set aside sigma is that of
 * the kept ones, also where all have values; when others are kept the integrator starts anew
 * (gauged).
 */
#include "form/form.h"

#include "form/stabilize.h"

#include <math.h>
#include <string.h>

/* Whether the integral of Phi belongs to y. */
static int has_integral(const hol__form *form) {
    return form->state == &hol__state_canonical_integral;
}

/* The size of (d, p) or (d, p, I). */
static int size(const hol__form *form) {
    return 2 * form->model->nv + (has_integral(form) ? form->model->m : 0);
}

/* p += A^T sigma, of the rows that count. */
static void add_load(const hol__form *form, const hol__csr *A, double *restrict p) {
    const hol__spared *spared = form->data->spared;
    if (!spared) {
        hol__csr_mul_t_add(A, 1, form->sigma, p);
        return;
    }
    for (int i = 0; !spared->all && i < A->rows; i++)
        for (int k = A->ptr[i]; !spared->rows[i] && k < A->ptr[i + 1]; k++)
            p[A->idx[k]] += A->x[k] * form->sigma[i];
}

/* p = M v + A^T sigma. */
static void momenta(hol__form *form, double *p) {
    hol__data_mass_times(form->data, form->data->v, p);
    add_load(form, &form->data->A, p);
}

/* y = (0, M v, 0). */
static void pack(hol__form *form, double *y) {
    const hol_model *m = form->model;
    hol_data_update(form->data, HOL_STAGE_POS);
    memset(y, 0, sizeof(double) * (size_t)size(form));
    memset(form->sigma, 0, sizeof(double) * (size_t)m->m);
    momenta(form, y + m->nv);
    form->unpacked = 0;
}

/* The right-hand side of A v = c. */
static const double *velocity_rows(hol__form *form) {
    const int m = form->model->m, mh = form->model->mh;
    hol__form_make_gains(form, 1);
    const double *g0 = form->g0, *g1 = form->g1, *I = form->integral, *Phi = form->data->Phi;
    double *restrict rhs = form->rhs;
    memcpy(rhs, form->data->b, sizeof(double) * (size_t)m);
    if (!has_integral(form)) return rhs;
    for (int i = 0; i < mh; i++) rhs[i] -= g1[i] * Phi[i] + g0[i] * I[i];
    for (int i = mh; i < m; i++) rhs[i] -= g1[i] * I[i];
    return rhs;
}

/* v and sigma from the constrained solve with f = p. */
static hol_status unpack(hol__form *form, double t, const double *y) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    const size_t np = sizeof(double) * (size_t)m->nv,
                 ni = has_integral(form) ? sizeof(double) * (size_t)m->m : 0;
    hol__form_place(form, t, y);
    if (form->unpacked == data->stamp && memcmp(form->p, y + m->nv, np) == 0 &&
        memcmp(form->integral, y + 2 * m->nv, ni) == 0)
        return HOL_OK;
    memcpy(form->p, y + m->nv, np);
    memcpy(form->integral, y + 2 * m->nv, ni);
    /* b does not depend on v */
    hol_data_update(data, HOL_STAGE_VEL);
    hol_status status = hol__form_factor(form);
    if (!status)
        status = hol__kernel_solve_kept(form->kernel, form->p, velocity_rows(form), form->x,
                                        form->sigma);
    if (status) return status;
    hol__data_set_v(data, form->x);
    form->unpacked = data->stamp;
    return HOL_OK;
}

/* p' -= A^T alpha (Omega^2 Phi + 2 Omega mu Phi'). */
static void add_penalty(hol__form *form, double *pdot) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    const double *penalty = m->gains[HOL__GAIN_PENALTY];
    hol__data_psi(data);
    hol__form_make_gains(form, 1);
    for (int i = 0; i < m->m; i++) {
        const double factor = penalty && !isnan(penalty[i]) ? penalty[i] : form->options.penalty;
        const double alpha = factor * form->largest_mass;
        form->rhs[i] = i < m->mh ? alpha * (form->g0[i] * data->Phi[i] + form->g1[i] * data->psi[i])
                                 : alpha * form->g1[i] * data->psi[i];
    }
    hol__csr_mul_t_add(&data->A, -1, form->rhs, pdot);
}

/* d', p', I'. */
static hol_status rate(hol__form *form, const double *y, double *ydot) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    hol_status status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    form->evaluations++;
    double *pdot = ydot + m->nv;
    hol__csr Adot = data->A;
    Adot.x = data->Adot;
    hol__data_adot(data);
    m->coords->rate(m, y, data->v, ydot);
    memcpy(pdot, data->Q, sizeof(double) * (size_t)m->nv);
    hol__data_add_momentum_rate(data, pdot);
    add_load(form, &Adot, pdot);
    if (form->state == &hol__state_canonical_basic) add_penalty(form, pdot);
    if (has_integral(form)) {
        double *Idot = ydot + 2 * m->nv;
        if (m->m > m->mh) hol__data_psi(data);
        memcpy(Idot, data->Phi, sizeof(double) * (size_t)m->mh);
        memcpy(Idot + m->mh, data->psi + m->mh, sizeof(double) * (size_t)(m->m - m->mh));
    }
    return HOL_OK;
}

/* d and p of the corrected state, sigma kept. */
static void repack(hol__form *form, double *y) {
    const hol_model *m = form->model;
    m->coords->minus(m, form->data->q, form->base, y);
    hol__form_place(form, form->data->t, y);
    hol_data_update(form->data, HOL_STAGE_POS);
    momenta(form, y + m->nv);
    form->unpacked = 0;
}

/* As for velocities: d becomes 0. */
static void rebase(hol__form *form, double t, double *y) {
    hol__state_dependent.rebase(form, t, y);
}

/* M_ii, or the largest of them where it is zero. */
static double mass_of(const hol__form *form, int i) {
    const hol__csr *M = form->data->by_root ? hol__data_root(form->data) : &form->data->M;
    for (int k = M->ptr[i]; k < M->ptr[i + 1]; k++)
        if (M->idx[k] == i && M->x[k] > 0) return M->x[k];
    return form->largest_mass;
}

/* Momenta count against mass times velocity. */
static void scale(const hol__form *form, const double *position, const double *velocity,
                  double *out) {
    const hol_model *m = form->model;
    memcpy(out, position, sizeof(double) * (size_t)m->nv);
    for (int i = 0; i < m->nv; i++) out[m->nv + i] = mass_of(form, i) * velocity[i];
    for (int i = 0; has_integral(form) && i < m->m; i++) out[2 * m->nv + i] = m->length;
}

/* An error of p is one of v by M v + A^T sigma = p, A v = 0: a light body that carries heavy ones
 * shares their momentum, and along A^T it changes sigma alone. */
static hol_status weigh(hol__form *form, double *error) {
    const int nv = form->model->nv;
    hol_status status = hol__form_factor(form);
    if (!status) status = hol__kernel_solve(form->kernel, error + nv, NULL, form->x, NULL);
    for (int i = 0; i < nv && !status; i++) error[nv + i] = mass_of(form, i) * form->x[i];
    return status;
}

/* ---- p = M v ---- */

hol_status hol__form_init_mass(hol__form *form, const hol__kernel_options *options) {
    if (form->state != &hol__state_canonical_plain) return HOL_OK;
    hol__kernel_options own = {.storage = options->storage,
                               .rank_tolerance = options->rank_tolerance,
                               .release_tolerance = options->release_tolerance};
    form->no_rows = form->data->A;
    form->no_rows.rows = 0;
    return hol__kernel_new(form->data->ctx, &hol__kernel_kkt, hol__data_mass(form->data),
                           &form->no_rows, &own, &form->mass);
}

hol_status hol__form_solve_mass(hol__form *form, const double *f, double *x) {
    const hol__maps *maps = form->model->coords->maps;
    const int constant = !maps || !maps->momentum_rate;
    hol_status status = HOL_OK;
    if (!constant || !form->mass->tag)
        status = hol__form_factor_rows(form, form->mass, &form->no_rows);
    return status ? status : hol__kernel_solve(form->mass, f, NULL, x, NULL);
}

/* v = M^-1 p. */
static hol_status unpack_plain(hol__form *form, double t, const double *y) {
    const int nv = form->model->nv;
    const size_t np = sizeof(double) * (size_t)nv;
    hol__form_place(form, t, y);
    if (form->unpacked == form->data->stamp && memcmp(form->p, y + nv, np) == 0) return HOL_OK;
    memcpy(form->p, y + nv, np);
    const hol_status status = hol__form_solve_mass(form, form->p, form->x);
    if (status) return status;
    hol__data_set_v(form->data, form->x);
    form->unpacked = form->data->stamp;
    return HOL_OK;
}

/* d', and p' = M a + M' v with the accelerations of the constrained motion. */
static hol_status rate_plain(hol__form *form, const double *y, double *ydot) {
    const hol_model *m = form->model;
    hol_data *data = form->data;
    const hol_status status = hol__form_accelerate(form);
    if (status) return status;
    m->coords->rate(m, y, data->v, ydot);
    hol__data_mass_times(data, data->a, ydot + m->nv);
    hol__data_add_momentum_rate(data, ydot + m->nv);
    return HOL_OK;
}

/* An error of p is one of v by M v = p. */
static hol_status weigh_plain(hol__form *form, double *error) {
    const int nv = form->model->nv;
    const hol_status status = hol__form_solve_mass(form, error + nv, form->x);
    for (int i = 0; i < nv && !status; i++) error[nv + i] = mass_of(form, i) * form->x[i];
    return status;
}

const hol__state_type hol__state_canonical = {
    .name = "canonical",
    .title = "coordinates and momenta (q, p)",
    .keeps = 1,
    .by_kept = 1,
    .gauged = 1,
    .weigh = weigh,
    HOL__STATE_FUNCTIONS,
};
const hol__state_type hol__state_canonical_integral = {
    .name = "canonical-integral",
    .title = "coordinates, momenta and the integral of the constraints",
    .by_kept = 1,
    .gauged = 1,
    .weigh = weigh,
    HOL__STATE_FUNCTIONS,
};
const hol__state_type hol__state_canonical_basic = {
    .name = "canonical-basic",
    .title = "coordinates and momenta, basic penalty form",
    .keeps = 1,
    .weigh = weigh,
    HOL__STATE_FUNCTIONS,
};
const hol__state_type hol__state_canonical_plain = {
    .name = "canonical-plain",
    .title = "coordinates and momenta p = M v, for integrators of constrained equations",
    .by_kept = 1,
    .size = size,
    .pack = pack,
    .unpack = unpack_plain,
    .rate = rate_plain,
    .repack = repack,
    .rebase = rebase,
    .scale = scale,
    .weigh = weigh_plain,
};
