/* constrained.c: the constrained equations of motion for integrators that solve them as they are.
 *
 *     F_d   = d' - rate(d, v - w D^T mu)          D: the rows of Phi
 *     F_v   = M v' - Q + A^T lambda
 *     F_z   = z' - r
 *     F_W   = W' - (power of forces - lambda . b)   (of its derivatives: that by lambda)
 *     psi   = A v - b,   Phi
 *
 * That is the form of the kind `ggl`. Others (dae_form.c) have A v' - c in the place of psi, no Phi
 * and no mu, or momenta:
 *
 *     F_p   = p' - M' v - Q + A^T lambda          y = (d, p, z, W),  v = M^-1 p
 *
 * w is the square of a length of the mechanism for translations and 1 for angles, so that mu is the
 * same motion in all units. Of redundant rows those are left out that the analysis of the data sets
 * aside; where velocity constraints stand beside those of positions, the rows of Phi are chosen
 * among themselves. The matrix is in saddle_terms.c.
 */
#include "form/constrained.h"

#include "coords/natural.h"
#include "la/rank.h"

#include <math.h>
#include <string.h>

/* ---- construction ---- */

/* The rows that are not flagged, up to `rows`; their number. */
static int keep(const unsigned char *aside, int rows, int *kept) {
    int n = 0;
    for (int i = 0; i < rows; i++)
        if (!aside[i]) kept[n++] = i;
    return n;
}

/* Which rows of all, and which of the positions, are independent. */
static hol_status choose_rows(hol__constrained *c) {
    hol_data *data = c->form->data;
    const hol_model *m = c->form->model;
    hol__csr D = data->A;
    unsigned char *aside = HOL__NEW_N(&c->arena, unsigned char, m->m);
    c->row = HOL__NEW_N(&c->arena, int, m->m);
    c->place = HOL__NEW_N(&c->arena, int, m->m);
    if (c->arena.failed) return HOL_ERR_MEMORY;
    hol_status status = data->analysed ? HOL_OK : hol__data_analyse(data);
    if (status) return status;
    if (data->redundant) memcpy(aside, data->aside, (size_t)m->m);
    c->m = keep(aside, m->m, c->row);
    c->mh = c->kind->positions ? keep(aside, m->mh, c->place) : 0;
    if (!c->mh || !data->redundant || m->mh == m->m) return HOL_OK;
    D.rows = m->mh;
    memset(aside, 0, (size_t)m->m);
    status = hol__rank_analyse(c->arena.ctx, &D, 0, &(hol__rank_result){.aside = aside});
    c->mh = keep(aside, m->mh, c->place);
    return status;
}

/* Vectors and matrices. */
static hol_status make(hol__constrained *c) {
    const hol_model *m = c->form->model;
    hol_status status = hol_data_update(c->form->data, HOL_STAGE_DYN);
    if (!status) status = choose_rows(c);
    if (!status) status = hol__tangent_new(c->form->data, &c->tangent);
    if (status) return status;
    c->weight = HOL__NEW_N(&c->arena, double, c->nv);
    c->lambda = HOL__NEW_N(&c->arena, double, m->m);
    c->u = HOL__NEW_N(&c->arena, double, c->nv);
    c->rows = HOL__NEW_N(&c->arena, double, m->m);
    c->b = HOL__NEW_N(&c->arena, double, 2 * (c->n + c->m + c->mh));
    c->driven = HOL__NEW_N(&c->arena, double, c->m);
    if (c->has_inertial && m->items && m->items->n_rigid == m->m)
        c->own_A = HOL__NEW_N(&c->arena, double, m->A.ptr[m->m]);
    if (!hol__turns_init(&c->turns, &c->arena, m)) return HOL_ERR_MEMORY;
    if (!hol__frames_init(&c->frames, &c->arena, m)) return HOL_ERR_MEMORY;
    hol__frames_add_rows(&c->frames, c->row, c->m, c->n);
    hol__frames_add_rows(&c->frames, c->place, c->mh, c->n + c->m);
    for (int i = 0; i < c->nv; i++) c->weight[i] = hol__is_turn(m, i) ? 1 : m->length * m->length;
    for (int i = 0; i < c->slots && !status; i++)
        status = hol__saddle_open(c, &c->slot[i], i > 0 ? HOL__SADDLE_COMPLEX : HOL__SADDLE_REAL);
    if (!status && c->has_inertial)
        status = hol__saddle_open(c, &c->inertial, HOL__SADDLE_INERTIAL);
    return status;
}

hol_status hol__constrained_new(hol_context *ctx, hol__form *form, const hol__dae_form *kind,
                                int slots, int inertial, hol__constrained **out) {
    hol__constrained *c = *out = hol__alloc(ctx, 1, sizeof *c);
    if (!c) return HOL_ERR_MEMORY;
    hol__arena_init(&c->arena, ctx);
    c->form = form;
    c->kind = kind;
    c->nv = form->model->nv;
    c->nz = form->model->n_aux;
    c->n = form->n;
    c->slots = slots;
    c->has_inertial = inertial;
    const hol_status status = make(c);
    if (!status) return HOL_OK;
    hol__constrained_free(c);
    *out = NULL;
    return status;
}

void hol__constrained_free(hol__constrained *c) {
    if (!c) return;
    hol_context *ctx = c->arena.ctx;
    for (int i = 0; i < HOL__SADDLE_SLOTS; i++) hol__splu_close(&c->slot[i].lu);
    hol__splu_close(&c->inertial.lu);
    hol__tangent_free(c->tangent);
    hol__arena_free(&c->arena);
    hol__release(ctx, c);
}

/* ---- the residual ---- */

/* (t, y) in the data, evaluated, and lambda by all rows. */
static hol_status unpack(hol__constrained *c, double t, const double *y, const double *x) {
    hol_data *data = c->form->data;
    hol_status status = hol__form_unpack(c->form, t, y);
    if (!status) status = hol_data_update(data, HOL_STAGE_DYN);
    if (c->form->model->m) memset(c->lambda, 0, sizeof *c->lambda * (size_t)c->form->model->m);
    for (int i = 0; i < c->m; i++) c->lambda[c->row[i]] = x[i];
    return status;
}

/* u = v - w D^T mu. */
static void correct_velocity(hol__constrained *c, const double *v, const double *mu) {
    const hol__csr *A = &c->form->data->A;
    memcpy(c->u, v, sizeof *v * (size_t)c->nv);
    for (int i = 0; i < c->mh; i++)
        for (int k = A->ptr[c->place[i]]; k < A->ptr[c->place[i] + 1]; k++)
            c->u[A->idx[k]] -= c->weight[A->idx[k]] * A->x[k] * mu[i];
}

/* The power of forces without a potential, and of drivers. */
static double power(const hol__constrained *c) {
    const hol_data *data = c->form->data;
    double sum = data->power;
    for (int i = 0; c->form->model->rheonomic && i < c->form->model->m; i++)
        sum -= c->lambda[i] * data->b[i];
    return sum;
}

/* Whether momenta are differentiated. */
static int has_momenta(const hol__constrained *c) {
    return c->kind->state == &hol__state_canonical_plain;
}

/* M v' from the rate of the second part of y: v', or p' = M v' + M' v. */
static void inertia(hol__constrained *c, const double *rate, double *out) {
    hol_data *data = c->form->data;
    const size_t size = sizeof *out * (size_t)c->nv;
    if (!has_momenta(c)) {
        hol__data_mass_times(data, rate, out);
        return;
    }
    memset(c->u, 0, size);
    hol__data_add_momentum_rate(data, c->u);
    for (int i = 0; i < c->nv; i++) out[i] = rate[i] - c->u[i];
}

/* psi, or A v' - c, by all rows. */
static const double *constraint_rows(hol__constrained *c, const double *rate) {
    hol_data *data = c->form->data;
    if (!c->kind->accelerations) {
        hol__data_psi(data);
        return data->psi;
    }
    hol__csr_mul(&data->A, rate, c->rows);
    for (int i = 0; i < c->form->model->m; i++) c->rows[i] -= data->c[i];
    return c->rows;
}

/* F, and whether it is finite. */
static hol_status residual(hol__constrained *c, double t, const double *y, const double *ydot,
                           const double *x, double *F) {
    const hol_model *m = c->form->model;
    const int nv = c->nv, nz = c->nz, n = c->n;
    hol_data *data = c->form->data;
    const hol_status status = unpack(c, t, y, x);
    if (status) return status;
    c->form->evaluations++;
    correct_velocity(c, data->v, x + c->m);
    m->coords->rate(m, y, c->u, F);
    inertia(c, ydot + nv, F + nv);
    hol__csr_mul_t_add(&data->A, 1, c->lambda, F + nv);
    const double *Q = hol__data_forces(data);
    if (!Q) return HOL_NONFINITE;
    for (int i = 0; i < nv; i++) {
        F[i] = ydot[i] - F[i];
        F[nv + i] -= Q[i];
    }
    for (int i = 0; i < nz; i++) F[2 * nv + i] = ydot[2 * nv + i] - data->aux_rate[i];
    F[n - 1] = ydot[n - 1] - power(c);
    const double *rows = constraint_rows(c, ydot + nv);
    for (int i = 0; i < c->m; i++) F[n + i] = rows[c->row[i]];
    for (int i = 0; i < c->mh; i++) F[n + c->m + i] = data->Phi[c->place[i]];
    double sum = 0;
    for (int i = 0; i < n + c->m + c->mh; i++) sum += 0 * F[i];
    return sum == 0 ? HOL_OK : HOL_NONFINITE;
}

hol_status hol__constrained_residual(hol__constrained *c, double t, const double *y,
                                     const double *ydot, const double *x, double *F) {
    return hol__form_judge(c->form, residual(c, t, y, ydot, x, F));
}

hol_status hol__constrained_energy(hol__constrained *c, double t, const double *y, double *kinetic,
                                   double *potential, double *other) {
    hol_data *data = c->form->data;
    hol_status status = hol__form_unpack(c->form, t, y);
    if (!status) status = hol_data_update(data, HOL_STAGE_DYN);
    if (status) return status;
    *kinetic = hol__data_kinetic(data, data->v);
    *potential = data->potential;
    *other = data->power;
    return HOL_OK;
}

/* ---- the matrix ---- */

/* F = D E P: how the rate of an increment along the directions of v depends on it. */
static void turn_rates(hol__constrained *c) {
    for (int b = 0; b < c->turns.n; b++) {
        double(*m)[9] = c->turns.turn[b].m, ep[9];
        for (int i = 0; i < 9; i++) {
            ep[i] = 0;
            for (int k = 0; k < 3; k++)
                ep[i] += m[HOL__TURN_E][3 * (i / 3) + k] * m[HOL__TURN_P][3 * k + i % 3];
        }
        for (int i = 0; i < 9; i++) {
            m[HOL__TURN_F][i] = 0;
            for (int k = 0; k < 3; k++)
                m[HOL__TURN_F][i] += m[HOL__TURN_D][3 * (i / 3) + k] * ep[3 * k + i % 3];
        }
    }
}

/* v' from the rate of the second part of y. */
static hol_status accelerations(hol__constrained *c, const double *rate, double *out) {
    if (!has_momenta(c)) {
        memcpy(out, rate, sizeof *out * (size_t)c->nv);
        return HOL_OK;
    }
    inertia(c, rate, c->b);
    return hol__form_solve_mass(c->form, c->b, out);
}

/* The derivatives of F. */
static hol_status linearize(hol__constrained *c, double t, const double *y, const double *ydot,
                            const double *x) {
    hol_data *data = c->form->data;
    hol_status status = unpack(c, t, y, x);
    if (status) return status;
    status = accelerations(c, ydot + c->nv, data->a);
    if (status) return status;
    c->form->derivatives++;
    for (int i = 0; i < c->m; i++) c->driven[i] = data->b[c->row[i]];
    if (c->form->model->m) memcpy(data->lambda, c->lambda, sizeof *x * (size_t)c->form->model->m);
    status = hol__tangent_update(c->tangent, data, HOL__PART_ALL);
    hol__data_mass(data);
    hol__data_stale(data); /* a and lambda are not a solution */
    hol__turns_fill(&c->turns, y, data->v);
    hol__frames_keep(&c->frames, c->tangent, c->slot[0].kd > 0 ? 1 / c->slot[0].kd : 0,
                     c->form->base, y);
    turn_rates(c);
    return status;
}

hol_status hol__constrained_linearize(hol__constrained *c, double t, const double *y,
                                      const double *ydot, const double *x) {
    return hol__form_judge(c->form, linearize(c, t, y, ydot, x));
}

hol_status hol__constrained_shift(hol__constrained *c, int slot, const double sigma_d[2],
                                  const double sigma_v[2]) {
    return hol__saddle_factor(&c->slot[slot], sigma_d, sigma_v);
}

/* b, of the rows of the matrix, from a right-hand side; and the unknowns back from it. */
static void load(const hol__constrained *c, const hol__saddle_slot *s, const double *r, double *b) {
    const int nv = c->nv, z = 2 * nv, psi = z + c->nz;
    memcpy(b, r, sizeof *b * (size_t)nv);
    hol__turns_apply(&c->turns, HOL__TURN_D, b);
    for (int i = nv; i < psi; i++) b[i] = r[i] / s->kv;
    for (int i = 0; i < c->m; i++) b[psi + i] = r[c->n + i] / (c->kind->accelerations ? s->kv : 1);
    for (int i = 0; i < c->mh; i++) b[psi + c->m + i] = s->kd * r[c->n + c->m + i];
}

static void unload(hol__constrained *c, const hol__saddle_slot *s, const double *b, double *x) {
    const int nv = c->nv, psi = 2 * nv + c->nz;
    for (int i = 0; i < nv; i++) x[i] = b[i] / s->kd;
    hol__turns_apply(&c->turns, HOL__TURN_P, x);
    memcpy(x + nv, b + nv, sizeof *b * (size_t)(psi - nv));
    if (has_momenta(c)) hol__data_mass_times(c->form->data, b + nv, x + nv);
    for (int i = 0; i < c->m; i++) x[c->n + i] = s->kv * b[psi + i];
    for (int i = 0; i < c->mh; i++) x[c->n + c->m + i] = b[psi + c->m + i];
}

double hol__constrained_driven(const hol__constrained *c, const double *x) {
    double sum = 0;
    for (int i = 0; c->form->model->rheonomic && i < c->m; i++) sum += c->driven[i] * x[c->n + i];
    return sum;
}

hol_status hol__constrained_solve(hol__constrained *c, int slot, double *re, double *im) {
    hol__saddle_slot *s = &c->slot[slot];
    const int half = 2 * c->nv + c->nz + c->m + c->mh, work = c->n - 1;
    const double *g = s->sigma, size = g[0] * g[0] + g[1] * g[1];
    load(c, s, re, c->b);
    if (s->complex) memset(c->b + half, 0, sizeof *c->b * (size_t)half);
    if (im) load(c, s, im, c->b + half);
    const hol_status status = hol__splu_solve(&s->lu, c->b);
    double W[2] = {re[work], im ? im[work] : 0};
    unload(c, s, c->b, re);
    if (im) unload(c, s, c->b + half, im);
    W[0] -= hol__constrained_driven(c, re);
    if (im) W[1] -= hol__constrained_driven(c, im);
    re[work] = (g[0] * W[0] + g[1] * W[1]) / size;
    if (!im) return status;
    im[work] = (g[0] * W[1] - g[1] * W[0]) / size;
    return status;
}

void hol__constrained_turn(hol__constrained *c, const double *y, int back, double *r) {
    hol__frames_turn(&c->frames, c->form->base, y, back, r);
}

void hol__constrained_walk(hol__constrained *c, hol__archive *archive) {
    for (int i = 0; i < c->slots; i++) hol__splu_walk(&c->slot[i].lu, archive);
    if (c->has_inertial) hol__splu_walk(&c->inertial.lu, archive);
    hol__frames_walk(&c->frames, archive);
    HOL__ARCHIVE(archive, c->slot[0].kd);
}
