/* variation_state.c: the equations of perturbations at a state.
 *
 *     D dq + Phi_p = 0      A dv + Pq dq + Pz dz + psi_p = 0
 *
 * bind a perturbation; J is that of the solved equations of motion (dyn/tangent.h) with G_q, by
 * which directions turn with the bodies (perturb.h):
 *
 *     dq' = dv + G_q dq     M da + A^T dlambda = K dq + B dv + Qz dz + F
 *     dz' = Rq dq + Rv dv + Rz dz + R     A da = Cq dq + Cv dv + Cz dz + C
 */
#include "analysis/variation_object.h"

#include <math.h>
#include <string.h>

/* ---- onto the constraints ---- */

/* What is left of the constraints on positions, or on velocities, with the opposite sign. */
static void residual(hol__variation_equations *e, const double *y, const hol__parameter_terms *t,
                     int rates) {
    const hol_model *m = e->model;
    const int nv = m->nv;
    double *r = e->rows;
    memset(r, 0, sizeof(double) * (size_t)m->m);
    hol__csr_mul_add(&e->data->A, -1, rates ? y + nv : y, r);
    if (rates) hol__csr_mul_add(&e->tangent->Pq, -1, y, r);
    for (int i = 0; i < m->m; i++) {
        if (!rates && i >= m->mh) r[i] = 0;
        for (int z = 0; rates && z < m->n_aux; z++)
            r[i] -= e->tangent->Pz[i * m->n_aux + z] * y[2 * nv + z];
        if (t && (rates || i < m->mh)) r[i] -= rates ? t->P[i] : t->Phi[i];
    }
}

hol_status hol__variation_settle(hol__variation_equations *e, const hol__parameter_terms *t,
                                 double *y) {
    const int nv = e->model->nv;
    hol_status status = HOL_OK;
    for (int rates = 0; rates < 2 && !status && e->model->m; rates++) {
        residual(e, y, t, rates);
        status = hol__kernel_solve(e->data->kernel, e->zero, e->rows, e->x, e->multipliers);
        for (int i = 0; i < nv; i++) y[(rates ? nv : 0) + i] += e->x[i];
    }
    return status;
}

hol_status hol__variation_settle_back(hol__variation_equations *e, int n_terms,
                                      const hol__parameter_terms *terms, double *w, double *rest) {
    const hol_model *m = e->model;
    const int nv = m->nv;
    double *mu = e->multipliers;
    hol_status status = HOL_OK;
    for (int rates = 1; rates >= 0 && !status && m->m; rates--) {
        memset(e->rows, 0, sizeof(double) * (size_t)m->m);
        double *to = rates ? w + nv : w;
        status = hol__kernel_solve(e->data->kernel, to, e->rows, e->x, mu);
        for (int i = m->mh; i < m->m && !rates; i++) mu[i] = 0;
        hol__csr_mul_t_add(&e->data->A, -1, mu, to);
        if (rates) hol__csr_mul_t_add(&e->tangent->Pq, -1, mu, w);
        for (int i = 0; i < m->m; i++)
            for (int z = 0; rates && z < m->n_aux; z++)
                w[2 * nv + z] -= e->tangent->Pz[i * m->n_aux + z] * mu[i];
        for (int j = 0; j < n_terms; j++)
            for (int i = 0; i < (rates ? m->m : m->mh); i++)
                rest[j] -= mu[i] * (rates ? terms[j].P[i] : terms[j].Phi[i]);
    }
    return status;
}

/* ---- along the motion ---- */

/* The right-hand sides of the solved equations along y. */
static void load(hol__variation_equations *e, const hol__parameter_terms *p, const double *y) {
    const hol_model *m = e->model;
    const hol__tangent *t = e->tangent;
    const double *dv = y + m->nv, *dz = dv + m->nv;
    for (int i = 0; i < m->nv; i++) e->load[i] = p ? p->F[i] : 0;
    for (int i = 0; i < m->m; i++) e->rows[i] = p ? p->C[i] : 0;
    hol__csr_mul_add(&t->K, 1, y, e->load);
    hol__csr_mul_add(&t->B, 1, dv, e->load);
    if (m->m) hol__csr_mul_add(&t->Cq, 1, y, e->rows);
    if (m->m) hol__csr_mul_add(&t->Cv, 1, dv, e->rows);
    for (int z = 0; z < m->n_aux; z++) {
        for (int i = 0; i < m->nv; i++) e->load[i] += t->Qz[i * m->n_aux + z] * dz[z];
        for (int i = 0; i < m->m; i++) e->rows[i] += t->Cz[i * m->n_aux + z] * dz[z];
    }
}

hol_status hol__variation_apply(hol__variation_equations *e, const hol__parameter_terms *p,
                                const double *y, double *out) {
    const hol_model *m = e->model;
    const hol__tangent *t = e->tangent;
    const int nv = m->nv, nz = m->n_aux;
    hol__perturb_turning(m, e->data->v, y, e->room, out);
    for (int i = 0; i < nv; i++) out[i] += y[nv + i];
    for (int z = 0; z < nz; z++) {
        double sum = p ? p->R[z] : 0;
        for (int i = 0; i < nv; i++)
            sum += t->Rq[z * nv + i] * y[i] + t->Rv[z * nv + i] * y[nv + i];
        for (int i = 0; i < nz; i++) sum += t->Rz[z * nz + i] * y[2 * nv + i];
        out[2 * nv + z] = sum;
    }
    load(e, p, y);
    return hol__kernel_solve(e->data->kernel, e->load, e->rows, out + nv, e->multipliers);
}

hol_status hol__variation_take(hol__variation_equations *e, const hol_data *data) {
    hol_status status = hol_data_copy(e->data, data);
    if (!status) status = hol_data_solve(e->data);
    if (!status) status = hol__tangent_update(e->tangent, e->data, HOL__PART_ALL);
    return status ? status : hol__data_factor(e->data);
}

/* ---- nodes ---- */

/* Which numbers of a perturbation are the independent ones, by the pivots of the constraints; and
 * the perturbations that have 1 at one of them, as guides. */
static hol_status choose(hol__variation_equations *e) {
    hol__perturb p;
    hol__arena room;
    hol__arena_init(&room, e->arena.ctx);
    const hol_status status = hol__perturb_make(e->tangent, e->data, &room, &p);
    e->n_chosen = status ? 0 : p.n;
    for (int c = 0; c < e->n_chosen; c++) {
        const int own = c - p.n_q - p.n_v;
        double *y = e->guides + hol__area(c, e->n);
        memset(y, 0, sizeof(double) * (size_t)e->n);
        memcpy(y, p.dq + hol__area(c, p.nv), sizeof(double) * (size_t)p.nv);
        memcpy(y + p.nv, p.dv + hol__area(c, p.nv), sizeof(double) * (size_t)p.nv);
        if (own >= 0) y[2 * p.nv + own] = 1;
        e->chosen[c] = own >= 0     ? 2 * p.nv + own
                       : c >= p.n_q ? p.nv + p.at_v[c - p.n_q]
                                    : p.at_q[c];
    }
    hol__arena_free(&room);
    return status;
}

/* The guides, settled, as the columns of the basis; Z; and N = what of these columns is at the
 * independent numbers, factored. */
static hol_status span(hol__variation_equations *e, hol__variation_place *at) {
    const int n = e->n, r = at->r = e->n_chosen;
    hol_status status = HOL_OK;
    memset(at->Z, 0, sizeof(double) * hol__area(n, r));
    memcpy(e->basis, e->guides, sizeof(double) * hol__area(n, r));
    e->lu->n = r;
    for (int c = 0; c < r && !status; c++) {
        double *z = at->Z + hol__area(c, n), *y = e->basis + hol__area(c, n);
        z[e->chosen[c]] = 1;
        status = hol__variation_settle(e, NULL, y);
        if (!status) status = hol__variation_settle_back(e, 0, NULL, z, NULL);
        for (int i = 0; i < r; i++) e->lu->a[hol__area(c, r) + (size_t)i] = y[e->chosen[i]];
    }
    return !status && hol__lu_factor(e->lu) ? HOL_SINGULAR : status;
}

/* Whether a pivot of N, 1 where the guides were chosen, has become smaller than a thousandth: of
 * sixteen digits so many are lost. */
static int fades(const hol__variation_equations *e) {
    int some = 0;
    for (int c = 0; c < e->n_chosen; c++)
        some |= !(fabs(e->lu->a[hol__area(c, e->n_chosen) + (size_t)c]) > 1e-3);
    return some;
}

/* G and Z: P = E N^-1 Z with the settled guides E. */
static hol_status reduce(hol__variation_equations *e, hol__variation_place *at) {
    const int n = e->n;
    hol_status status = HOL_OK;
    if (e->has_chosen) status = span(e, at);
    if (!e->has_chosen || status == HOL_SINGULAR || (!status && fades(e))) {
        e->has_chosen = 1;
        status = choose(e);
        if (!status) status = span(e, at);
    }
    for (int c = 0; c < at->r && !status; c++)
        status = hol__variation_apply(e, NULL, e->basis + hol__area(c, n), at->G + hol__area(c, n));
    if (status) return status;
    /* G N^-1 by rows: N^T x = row of G */
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < at->r; c++) e->x[c] = at->G[hol__area(c, n) + (size_t)i];
        hol__lu_solve(e->lu, 1, e->x);
        for (int c = 0; c < at->r; c++) at->G[hol__area(c, n) + (size_t)i] = e->x[c];
    }
    return HOL_OK;
}

const double *hol__variation_basis(hol__variation_equations *e, int r, double *out) {
    for (int i = 0; i < e->n; i++) { /* E N^-1 by rows, as G above */
        for (int c = 0; c < r; c++) e->x[c] = e->basis[hol__area(c, e->n) + (size_t)i];
        hol__lu_solve(e->lu, 1, e->x);
        for (int c = 0; c < r; c++) out[hol__area(c, e->n) + (size_t)i] = e->x[c];
    }
    return out;
}

hol_status hol__variation_node(hol__variation_equations *e, const hol_data *data, int k) {
    hol__variation_place *at = &e->place[k];
    hol_status status = hol__variation_take(e, data);
    if (status) return status;
    if (at->Z) return reduce(e, at);
    at->r = e->n;
    for (int j = 0; j < e->n && !status; j++) {
        memset(e->right, 0, sizeof(double) * (size_t)e->n);
        e->right[j] = 1;
        status = hol__variation_apply(e, NULL, e->right, at->G + hol__area(j, e->n));
    }
    return status;
}
