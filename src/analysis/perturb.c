/* perturb.c: independent perturbations by pivoted QR of the constraints. See perturb.h. */
#include "analysis/perturb.h"

#include "analysis/carrier.h"
#include "compile/compile.h"
#include "element/rigid.h"
#include "la/cod.h"
#include "la/tolerances.h"

#include <holonom/matrix.h>

#include <math.h>
#include <string.h>

enum { CLOSINGS = 30 };

static double *numbers(hol__arena *arena, size_t n) {
    return HOL__NEW_N(arena, double, n + 1);
}

/* The rows of a sparse matrix, from `first` on, over scaled coordinates and of length 1, dense;
 * weight: what each row was multiplied with. */
static void scaled_rows(const hol_model *m, const hol__csr *A, int first, int count, double *dense,
                        double *weight) {
    memset(dense, 0, sizeof(double) * hol__area(count, m->nv));
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int k = A->ptr[first + i]; k < A->ptr[first + i + 1]; k++) {
            const double x = A->x[k] * hol__coordinate_size(m, A->idx[k]);
            dense[hol__area(A->idx[k], count) + (size_t)i] = x;
            sum += x * x;
        }
        weight[i] = sum > 0 ? 1 / sqrt(sum) : 0;
        for (int j = 0; j < m->nv; j++) dense[hol__area(j, count) + (size_t)i] *= weight[i];
    }
}

/* The rank of rows that have length 1. */
static int rank_of(const hol__cod *cod) {
    const int most = cod->qr->m < cod->qr->n ? cod->qr->m : cod->qr->n;
    int rank = 0;
    while (rank < most && hol__cod_pivot(cod, rank) > HOL__RANK_TOLERANCE) rank++;
    return rank;
}

/* From a factored cod (rows x n, R not yet truncated): the columns that are left over, and the null
 * space over all of them with 1 at each: basis n x (n - rank). */
static int null_columns(const hol__cod *cod, int n, int *left, double *basis, double *column) {
    const int rows = cod->qr->m, rank = rank_of(cod);
    memset(basis, 0, sizeof(double) * hol__area(n, n - rank));
    for (int k = rank; k < n; k++) {
        double *out = basis + hol__area(k - rank, n);
        for (int i = 0; i < rank; i++) column[i] = -cod->qr->a[hol__area(k, rows) + (size_t)i];
        if (rank) hol__upper_solve(rank, cod->qr->a, rows, column);
        for (int i = 0; i < rank; i++) out[cod->qr->column[i]] = column[i];
        out[cod->qr->column[k]] = 1;
        left[k - rank] = cod->qr->column[k];
    }
    return rank;
}

/* N = null(D) with 1 at the independent coordinates. */
static hol_status free_positions(const hol_model *m, const hol_data *data, hol__arena *arena,
                                 hol__perturb *p, double **N) {
    const int n = m->nv;
    hol__cod *cod = hol__cod_new(arena, m->mh > 0 ? m->mh : 1, n);
    double *weight = numbers(arena, (size_t)m->mh), *column = numbers(arena, (size_t)n);
    *N = numbers(arena, hol__area(n, n));
    p->at_q = HOL__NEW_N(arena, int, n + 1);
    if (!cod || arena->failed) return HOL_ERR_MEMORY;
    if (m->mh) scaled_rows(m, &data->A, 0, m->mh, cod->qr->a, weight);
    if (hol__cod_factor(cod)) return HOL_ERR_SINGULAR;
    p->n_q = n - null_columns(cod, n, p->at_q, *N, column);
    for (int k = 0; k < p->n_q; k++)
        for (int j = 0; j < n; j++)
            (*N)[hol__area(k, n) + (size_t)j] *=
                hol__coordinate_size(m, j) / hol__coordinate_size(m, p->at_q[k]);
    return HOL_OK;
}

/* R = N E with E the null space of the nonholonomic rows over N. */
static hol_status free_velocities(const hol_model *m, const hol_data *data, hol__arena *arena,
                                  hol__perturb *p, const double *N, double **R) {
    const int rows = m->m - m->mh, n = m->nv, k = p->n_q;
    hol__cod *cod = hol__cod_new(arena, rows > 0 ? rows : 1, k);
    double *dense = numbers(arena, hol__area(rows, n)), *weight = numbers(arena, (size_t)rows),
           *E = numbers(arena, hol__area(k, k)), *column = numbers(arena, (size_t)k),
           *scaled = numbers(arena, hol__area(n, k));
    int *left = HOL__NEW_N(arena, int, k + 1);
    p->at_v = HOL__NEW_N(arena, int, k + 1);
    *R = numbers(arena, hol__area(n, k));
    if (!cod || arena->failed) return HOL_ERR_MEMORY;
    for (int c = 0; c < k; c++)
        for (int j = 0; j < n; j++)
            scaled[hol__area(c, n) + (size_t)j] = N[hol__area(c, n) + (size_t)j] *
                                                  hol__coordinate_size(m, p->at_q[c]) /
                                                  hol__coordinate_size(m, j);
    if (rows && k) {
        scaled_rows(m, &data->A, m->mh, rows, dense, weight);
        hol__dense_product(0, 0, rows, k, n, dense, scaled, cod->qr->a);
    }
    if (k && hol__cod_factor(cod)) return HOL_ERR_SINGULAR;
    p->n_v = k ? k - null_columns(cod, k, left, E, column) : 0;
    for (int c = 0; c < p->n_v; c++) {
        p->at_v[c] = p->at_q[left[c]];
        for (int i = 0; i < k; i++)
            E[hol__area(c, k) + (size_t)i] *=
                hol__coordinate_size(m, p->at_q[i]) / hol__coordinate_size(m, p->at_v[c]);
    }
    if (p->n_v) hol__dense_product(0, 0, n, p->n_v, k, N, E, *R);
    return HOL_OK;
}

/* x of least scaled norm with A x = c; x over all coordinates, c destroyed. */
typedef struct least {
    const hol_model *m;
    hol__cod *cod;
    double *weight, *c;
    int rows;
} least;

static hol_status least_new(const hol_model *m, const hol__csr *A, int rows, hol__arena *arena,
                            least *out) {
    *out = (least){m, hol__cod_new(arena, rows > 0 ? rows : 1, m->nv), numbers(arena, (size_t)rows),
                   numbers(arena, (size_t)rows), rows};
    if (!out->cod || arena->failed) return HOL_ERR_MEMORY;
    if (rows) scaled_rows(m, A, 0, rows, out->cod->qr->a, out->weight);
    if (hol__cod_factor(out->cod)) return HOL_ERR_SINGULAR;
    hol__cod_truncate(out->cod, rank_of(out->cod));
    return HOL_OK;
}

static void least_solve(least *s, double *x) {
    for (int i = 0; i < s->rows; i++) s->c[i] *= s->weight[i];
    hol__cod_solve(s->cod, s->c, x);
    for (int j = 0; j < s->m->nv; j++) x[j] *= hol__coordinate_size(s->m, j);
}

/* dv that perturbation k of q or z needs, with nothing at the independent velocities. */
static void bound_velocities(const hol__tangent *t, const hol__perturb *p, least *s,
                             const double *R, int k, double *dv) {
    const int n = p->nv, z = k - p->n_q - p->n_v;
    memset(s->c, 0, sizeof(double) * (size_t)s->rows);
    if (z < 0)
        hol__csr_mul_add(&t->Pq, -1, p->dq + hol__area(k, n), s->c);
    else
        for (int i = 0; i < s->rows; i++) s->c[i] = -t->Pz[i * p->n_aux + z];
    least_solve(s, dv);
    for (int c = 0; c < p->n_v; c++) {
        const double here = dv[p->at_v[c]];
        for (int j = 0; j < n; j++) dv[j] -= here * R[hol__area(c, n) + (size_t)j];
    }
}

hol_status hol__perturb_make(const hol__tangent *t, hol_data *data, hol__arena *arena,
                             hol__perturb *p) {
    const hol_model *m = data->model;
    double *N = NULL, *R = NULL;
    least s;
    *p = (hol__perturb){.nv = m->nv, .n_aux = m->n_aux};
    hol_status status = free_positions(m, data, arena, p, &N);
    if (!status) status = free_velocities(m, data, arena, p, N, &R);
    if (!status) status = least_new(m, &data->A, m->m, arena, &s);
    if (status) return status;
    p->n = p->n_q + p->n_v + p->n_aux;
    p->dq = numbers(arena, hol__area(p->nv, p->n));
    p->dv = numbers(arena, hol__area(p->nv, p->n));
    if (arena->failed) return HOL_ERR_MEMORY;
    memcpy(p->dq, N, sizeof(double) * hol__area(p->nv, p->n_q));
    memcpy(p->dv + hol__area(p->nv, p->n_q), R, sizeof(double) * hol__area(p->nv, p->n_v));
    for (int k = 0; k < p->n && m->m; k++)
        if (k < p->n_q || k >= p->n_q + p->n_v)
            bound_velocities(t, p, &s, R, k, p->dv + hol__area(k, p->nv));
    return HOL_OK;
}

hol_status hol__perturb_follow(const hol__perturb *p, hol_data *data, int holonomic,
                               const double *right, hol__arena *arena, double *x) {
    const hol_model *m = data->model;
    const int rows = holonomic ? m->mh : m->m, count = holonomic ? p->n_q : p->n_v, n = p->nv;
    const int *at = holonomic ? p->at_q : p->at_v;
    const double *basis = holonomic ? p->dq : p->dv + hol__area(p->n_q, n);
    least s;
    memset(x, 0, sizeof(double) * (size_t)n);
    const hol_status status = least_new(m, &data->A, rows, arena, &s);
    if (status || !rows) return status;
    memcpy(s.c, right, sizeof(double) * (size_t)rows);
    least_solve(&s, x);
    for (int c = 0; c < count; c++) {
        const double here = x[at[c]];
        for (int j = 0; j < n; j++) x[j] -= here * basis[hol__area(c, n) + (size_t)j];
    }
    return HOL_OK;
}

void hol__perturb_turning(const hol_model *m, const double *v, const double *dq, double *room,
                          double *out) {
    double *d = room, *plus = room + m->nv, *minus = plus + m->nv, most = 0;
    for (int j = 0; j < m->nv; j++) most = fmax(most, fabs(dq[j]) / hol__coordinate_size(m, j));
    const double h = most > 0 ? 0.01 / most : 1;
    for (int j = 0; j < m->nv; j++) d[j] = h * dq[j];
    m->coords->rate(m, d, v, plus);
    for (int j = 0; j < m->nv; j++) d[j] = -h * dq[j];
    m->coords->rate(m, d, v, minus);
    for (int j = 0; j < m->nv; j++) out[j] = (plus[j] - minus[j]) / h;
}

/* ---- onto the constraints ---- */

/* One correction of q; *size receives its largest scaled entry. */
static hol_status close_positions(hol_data *data, hol__arena *arena, double *d, double *q,
                                  double *size) {
    const hol_model *m = data->model;
    least s;
    hol_status status = hol_data_update(data, HOL_STAGE_POS);
    if (!status) status = least_new(m, &data->A, m->mh, arena, &s);
    if (status) return status;
    for (int i = 0; i < m->mh; i++) s.c[i] = -data->Phi[i];
    least_solve(&s, d);
    *size = 0;
    for (int j = 0; j < m->nv; j++) *size = fmax(*size, fabs(d[j]) / hol__coordinate_size(m, j));
    m->coords->plus(m, data->q, d, q);
    hol__data_set_q(data, data->t, q);
    return isfinite(*size) ? HOL_OK : HOL_NONFINITE;
}

/* psi = 0 by the velocities. */
static hol_status close_velocities(hol_data *data, hol__arena *arena, double *d) {
    const hol_model *m = data->model;
    least s;
    hol_status status = hol_data_update(data, HOL_STAGE_VEL);
    if (!status) status = least_new(m, &data->A, m->m, arena, &s);
    for (int pass = 0; pass < 2 && !status; pass++) {
        hol__data_psi(data);
        for (int i = 0; i < m->m; i++) s.c[i] = -data->psi[i];
        least_solve(&s, d);
        for (int j = 0; j < m->nv; j++) d[j] += data->v[j];
        hol__data_set_v(data, d);
        status = hol_data_update(data, HOL_STAGE_VEL);
    }
    return status;
}

hol_status hol__perturb_copy(const hol_data *data, hol_data **copy) {
    const int loosens = hol__rigid_holds_places(data->model);
    hol_model *own = loosens ? hol__model_loosened(data->ctx, data->model) : NULL;
    const hol_model *model = loosens ? own : data->model;
    *copy = model ? hol_data_new(data->ctx, model) : NULL;
    hol_model_free(own); /* the copy keeps it */
    if (!*copy) return HOL_ERR_MEMORY;
    if (!loosens) return hol_data_copy(*copy, data);
    hol__data_take_numbers(*copy, data);
    return HOL_OK;
}

hol_status hol__perturb_close(hol_data *data, hol__arena *arena) {
    const hol_model *m = data->model;
    double *d = numbers(arena, (size_t)m->nv), *q = numbers(arena, (size_t)m->nq);
    if (arena->failed) return HOL_ERR_MEMORY;
    double size = 1, last = INFINITY;
    hol_status status = HOL_OK;
    for (int i = 0; m->mh && i < CLOSINGS && size > 1e-15 && !status; i++) {
        if (size < 1e-10 && size >= 0.5 * last) break;
        last = size;
        status = close_positions(data, arena, d, q, &size);
    }
    if (!status && size > 1e-10 && m->mh) return HOL_NOT_CONVERGED;
    return status || !m->m ? status : close_velocities(data, arena, d);
}

const char *hol__perturb_name(const hol_model *model, const hol__perturb *p, int i,
                              hol__arena *arena) {
    char name[256];
    if (i >= p->n_q + p->n_v) return hol__arena_format(arena, "state %d", i - p->n_q - p->n_v + 1);
    const int rate = i >= p->n_q;
    hol_model_velocity_name(model, rate ? p->at_v[i - p->n_q] : p->at_q[i], name, sizeof name);
    return hol__arena_format(arena, rate ? "%s'" : "%s", name);
}
