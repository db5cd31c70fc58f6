/* invariants.c: quantities that the motion keeps, as further nonideal constraints [BG 18-20].
 *
 * A measure g(t, q, v) with the key `invariant` is a row A_g v' = b_g - (g - g_0)/h,
 *
 *     A_g = dg/dv       b_g = -dg/dt - dg/dq q'
 *
 * held by a force along the constraints: z = U^-1 N_v U^-T A_g^T, that is M z + A^T mu = A_g^T, A z
 * = 0. Rows are taken one after the other, each in what the ones before leave free,
 *
 *     z_i <- z_i - z_j (A_j z_i)/(A_j z_j), j < i
 *     v' <- v' + z_i (b_i - (g_i - g_i0)/h - A_i v')/(A_i z_i)
 *
 * which is the smallest correction in M that holds them all, [C_e N_v]^+ of the rows together. One
 * that depends on those before, or that the constraints hold, adds nothing.
 */
#include "form/invariants.h"

#include <math.h>
#include <string.h>

/* A rate above this share of its terms, which cancel where a quantity is kept, is one. */
static const double kept = 1e-6;

/* What violations change is some times themselves. */
static const double off = 10;

static double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

hol_status hol__invariants_init(hol__invariants *v, hol__arena *arena, const hol_data *data) {
    const hol_model *m = data->model;
    int n = 0;
    for (int k = 0; k < m->n_measures; k++)
        if (m->measures[k].invariant) n += m->measures[k].count;
    v->column = HOL__NEW_N(arena, int, n);
    v->start = HOL__NEW_N(arena, double, n);
    v->held = HOL__NEW_N(arena, double, n);
    v->rate = HOL__NEW_N(arena, double, n);
    v->norm = HOL__NEW_N(arena, double, n);
    v->A = HOL__NEW_N(arena, double, (size_t)n *(size_t)m->nv);
    v->z = HOL__NEW_N(arena, double, (size_t)n *(size_t)m->nv);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int k = 0; k < m->n_measures; k++)
        for (int c = 0; m->measures[k].invariant && c < m->measures[k].count; c++)
            v->column[v->n++] = m->measures[k].first + c;
    return n ? hol__tangent_new(data, &v->tangent) : HOL_OK;
}

void hol__invariants_free(hol__invariants *v) {
    hol__tangent_free(v->tangent);
}

void hol__invariants_hold(hol__invariants *v, const hol_data *data, int first) {
    for (int i = 0; i < v->n; i++) {
        const double value = data->inputs[1 + v->column[i]];
        if (first) v->start[i] = value;
        v->held[i] = value - v->start[i];
    }
    v->unchecked = v->n > 0;
}

/* Refuse row i if the constrained motion changes it. Violations of the state and the accelerations
 * that take them back, psi/h, do so too, by some times themselves. */
static hol_status check(const hol__invariants *v, int i, hol_data *data, double per_step) {
    const hol_model *m = data->model;
    const double *A = v->A + (size_t)i * (size_t)m->nv;
    double terms = fabs(v->rate[i]), rate = v->rate[i];
    for (int k = 0; k < m->nv; k++) {
        rate += A[k] * data->a[k];
        terms += fabs(A[k] * data->a[k]);
    }
    const double apart = hol__norm(data->Phi, m->mh) / m->length,
                 back = hol__norm(data->psi, m->m) * per_step * sqrt(dot(A, A, m->nv));
    if (!(fabs(rate) > kept * terms + off * (apart * terms + back))) return HOL_OK;
    int k = 0;
    while (v->column[i] >= m->measures[k].first + m->measures[k].count) k++;
    return hol__report(
        data->ctx, HOL_ERROR, HOL_ERR_INPUT, &m->measures[k].where, m->measures[k].label,
        "is not an invariant: '%s' changes at a rate of %.3g a second at t = %.6g s; "
        "leave out `invariant`, or what changes it",
        m->columns[v->column[i]].name, rate, data->t);
}

/* z_i, in what the rows before leave free, and its norm; 0 where nothing is left. */
static hol_status direction(hol__invariants *v, int i, hol__form *form) {
    const int nv = form->model->nv;
    const double *A = v->A + i * nv;
    double *z = v->z + i * nv;
    const hol_status status = hol__kernel_solve(form->kernel, A, NULL, z, NULL);
    if (status) return status;
    for (int j = 0; j < i; j++) {
        const double *zj = v->z + j * nv;
        const double f = v->norm[j] > 0 ? dot(v->A + j * nv, z, nv) / v->norm[j] : 0;
        for (int k = 0; k < nv; k++) z[k] -= f * zj[k];
    }
    v->norm[i] = dot(A, z, nv);
    /* A M^-1 A^T is at least |A|^2 over the largest eigenvalue of M, which is at most nv |M_ij| */
    const double whole = dot(A, A, nv) / (nv * form->largest_mass);
    if (!(v->norm[i] > HOL__RANK_TOLERANCE * HOL__RANK_TOLERANCE * whole)) v->norm[i] = 0;
    return HOL_OK;
}

hol_status hol__invariants_add(hol__invariants *v, hol__form *form, double rate) {
    const int nv = form->model->nv;
    hol_data *data = form->data;
    hol_status status = HOL_OK;
    if (!v->n) return HOL_OK;
    hol__tangent_take_measures(v->tangent, data);
    for (int i = 0; i < v->n && !status; i++) {
        v->rate[i] = hol__tangent_of_column(v->tangent, data, v->column[i], v->A + i * nv);
        if (v->unchecked) status = check(v, i, data, rate);
    }
    v->unchecked = 0;
    for (int i = 0; i < v->n && !status; i++) {
        status = direction(v, i, form);
        if (status || !(v->norm[i] > 0)) continue;
        const double s =
            (-v->rate[i] - v->held[i] * rate - dot(v->A + i * nv, data->a, nv)) / v->norm[i];
        for (int k = 0; k < nv; k++) data->a[k] += s * v->z[i * nv + k];
    }
    return status;
}

void hol__invariants_spare(const hol__invariants *v, int nv, double *x) {
    for (int i = 0; i < v->n; i++) {
        const double f = v->norm[i] > 0 ? dot(v->A + i * nv, x, nv) / v->norm[i] : 0;
        for (int k = 0; k < nv; k++) x[k] -= f * v->z[i * nv + k];
    }
}

void hol__invariants_walk(hol__invariants *v, int nv, hol__archive *archive) {
    HOL__ARCHIVE_N(archive, v->start, v->n);
    HOL__ARCHIVE_N(archive, v->held, v->n);
    HOL__ARCHIVE_N(archive, v->A, v->n * nv);
    HOL__ARCHIVE_N(archive, v->z, v->n * nv);
    HOL__ARCHIVE_N(archive, v->rate, v->n);
    HOL__ARCHIVE_N(archive, v->norm, v->n);
    HOL__ARCHIVE(archive, v->unchecked);
}
