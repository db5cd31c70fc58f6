/* variation.c: perturbations along a motion, step by step. See variation.h. */
#include "analysis/variation_object.h"

#include "la/dense.h"

#include <string.h>

hol_status hol__variation_new(const hol_data *data, int columns, hol__variation_equations **out) {
    const hol_model *m = data->model;
    hol__variation_equations *e = *out = hol__alloc(data->ctx, 1, sizeof *e);
    if (!e) return HOL_ERR_MEMORY;
    hol__arena *arena = &e->arena;
    hol__arena_init(arena, data->ctx);
    hol__collocation_radau(&e->formulas[0]);
    hol__collocation_gauss(&e->formulas[1]);
    e->formula = &e->formulas[0];
    e->model = m;
    const int n = e->n = 2 * m->nv + m->n_aux;
    e->data = hol_data_new(data->ctx, m);
    for (int k = 0; k < HOL__STAGES; k++) {
        e->place[k].G = HOL__NEW_N(arena, double, hol__area(n, n) + 1);
        if (m->m) e->place[k].Z = HOL__NEW_N(arena, double, hol__area(n, n) + 1);
    }
    e->most = columns ? columns : n;
    e->Y = HOL__NEW_N(arena, double, hol__area(n, e->most) + 1);
    e->rate = HOL__NEW_N(arena, double, HOL__STAGES *hol__area(n, e->most) + 1);
    e->right = HOL__NEW_N(arena, double, HOL__STAGES *hol__area(n, e->most) + 1);
    e->chosen = HOL__NEW_N(arena, int, n + 1);
    e->guides = HOL__NEW_N(arena, double, hol__area(n, n) + 1);
    e->basis = HOL__NEW_N(arena, double, hol__area(n, n) + 1);
    e->load = HOL__NEW_N(arena, double, m->nv + 1);
    e->rows = HOL__NEW_N(arena, double, m->m + 1);
    e->multipliers = HOL__NEW_N(arena, double, m->m + 1);
    e->zero = HOL__NEW_N(arena, double, m->nv + 1);
    e->x = HOL__NEW_N(arena, double, n + 1);
    e->room = HOL__NEW_N(arena, double, 3 * m->nv + 1);
    e->lu = hol__lu_new(arena, HOL__STAGES * n);
    hol_status status =
        e->data && e->lu && !arena->failed ? hol_data_copy(e->data, data) : HOL_ERR_MEMORY;
    if (!status) status = hol__tangent_new(e->data, &e->tangent);
    if (!status) return HOL_OK;
    hol__variation_free(e);
    *out = NULL;
    return status;
}

void hol__variation_free(hol__variation_equations *e) {
    if (!e) return;
    hol_context *ctx = e->arena.ctx;
    hol__tangent_free(e->tangent);
    hol_data_free(e->data);
    hol__arena_free(&e->arena);
    hol__release(ctx, e);
}

const hol__collocation *hol__variation_choose(hol__variation_equations *e, int jumps) {
    return e->formula = &e->formulas[jumps != 0];
}

void hol__variation_begin(hol__variation_equations *e, const hol__perturb *p) {
    e->columns = p->n;
    memset(e->Y, 0, sizeof(double) * hol__area(e->n, p->n));
    for (int k = 0; k < p->n; k++) {
        double *y = e->Y + hol__area(k, e->n);
        memcpy(y, p->dq + hol__area(k, p->nv), sizeof(double) * (size_t)p->nv);
        memcpy(y + p->nv, p->dv + hol__area(k, p->nv), sizeof(double) * (size_t)p->nv);
        if (k >= p->n_q + p->n_v) y[2 * p->nv + k - p->n_q - p->n_v] = 1;
    }
}

/* ---- a step ---- */

/* Column c of the transpose of Z, times x. */
static double read(const hol__variation_place *p, int n, int c, const double *x) {
    if (!p->Z) return x[c];
    const double *z = p->Z + hol__area(c, n);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += z[i] * x[i];
    return sum;
}

/* B of a step. */
static int factor(const hol__collocation *f, const hol__variation_place *p, int n, double h,
                  hol__lu *lu) {
    int at = 0, all = 0;
    for (int k = 0; k < HOL__STAGES; k++) all += p[k].r;
    lu->n = all;
    for (int l = 0; l < HOL__STAGES; l++)
        for (int j = 0; j < p[l].r; j++, at++)
            for (int k = 0, row = 0; k < HOL__STAGES; k++)
                for (int i = 0; i < p[k].r; i++, row++)
                    lu->a[hol__area(at, all) + (size_t)row] =
                        (row == at) - h * f->a[k][l] * read(&p[k], n, i, p[l].G + hol__area(j, n));
    return hol__lu_factor(lu);
}

/* Y + h sum_l a_kl F~_l of column c. */
static void start_stage(const hol__variation_equations *e, double h, int c, int k, double *stage) {
    const double *y = e->Y + hol__area(c, e->n);
    for (int i = 0; i < e->n; i++) {
        stage[i] = y[i];
        for (int l = 0; l < HOL__STAGES; l++)
            if (e->F[l])
                stage[i] += h * e->formula->a[k][l] * e->F[l][hol__area(c, e->n) + (size_t)i];
    }
}

/* The rate at node k of column c, with u. */
static void finish_rate(hol__variation_equations *e, int c, int k, const double *u) {
    const hol__variation_place *p = &e->place[k];
    double *rate = e->rate + hol__area(c, HOL__STAGES * e->n) + k * e->n;
    for (int i = 0; i < e->n; i++) rate[i] = e->F[k] ? e->F[k][hol__area(c, e->n) + (size_t)i] : 0;
    hol__dense_mul(e->n, p->r, 1, p->G, u, 1, rate);
}

hol_status hol__variation_step(hol__variation_equations *e, double h) {
    const int n = e->n;
    if (factor(e->formula, e->place, n, h, e->lu)) return HOL_SINGULAR;
    const int all = e->lu->n;
    for (int c = 0; c < e->columns; c++)
        for (int k = 0, row = 0; k < HOL__STAGES; k++) {
            start_stage(e, h, c, k, e->x);
            for (int i = 0; i < e->place[k].r; i++, row++)
                e->right[hol__area(c, all) + (size_t)row] = read(&e->place[k], n, i, e->x);
        }
    hol__lu_solve_n(e->lu, 0, e->columns, e->right);
    for (int c = 0; c < e->columns; c++) {
        const double *u = e->right + hol__area(c, all);
        double *rate = e->rate + hol__area(c, HOL__STAGES * n);
        for (int k = 0; k < HOL__STAGES; u += e->place[k++].r) finish_rate(e, c, k, u);
        for (int k = 0; k < HOL__STAGES; k++)
            for (int i = 0; i < n; i++)
                e->Y[hol__area(c, n) + (size_t)i] += h * e->formula->b[k] * rate[k * n + i];
    }
    return HOL_OK;
}

int hol__variation_size(const hol__variation_equations *e) {
    return e->n;
}

double *hol__variation_columns(hol__variation_equations *e, int columns) {
    e->columns = columns;
    return e->Y;
}

double *hol__variation_forcing(hol__variation_equations *e, int k) {
    if (!e->F[k]) e->F[k] = HOL__NEW_N(&e->arena, double, hol__area(e->n, e->most) + 1);
    return e->F[k];
}

hol__variation_place *hol__variation_at(hol__variation_equations *e, int k) {
    return &e->place[k];
}

void hol__variation_stage(const hol__variation_equations *e, double h, int k, double *out) {
    const int n = e->n, all = HOL__STAGES * n;
    for (int c = 0; c < e->columns; c++)
        for (int i = 0; i < n; i++) {
            const size_t at = hol__area(c, n) + (size_t)i;
            out[at] = e->Y[at];
            for (int l = 0; l < HOL__STAGES; l++)
                out[at] += h * (e->formula->a[k][l] - e->formula->b[l]) *
                           e->rate[hol__area(c, all) + (size_t)(l * n + i)];
        }
}

hol_data *hol__variation_data(hol__variation_equations *e) {
    return e->data;
}

const hol__tangent *hol__variation_tangent(const hol__variation_equations *e) {
    return e->tangent;
}

/* ---- backwards ---- */

/* w_l of one functional m, and m with what it reads of the stages. */
static void weigh(const hol__collocation *f, int n, double h, const double *g, double *m,
                  double *w) {
    for (int i = 0; i < n; i++) {
        for (int l = 0; l < HOL__STAGES; l++) {
            double sum = f->b[l] * m[i];
            for (int k = 0; k < HOL__STAGES; k++) sum += h * f->b[k] * f->a[k][l] * g[k * n + i];
            w[l * n + i] = h * sum;
        }
        for (int k = 0; k < HOL__STAGES; k++) m[i] += h * f->b[k] * g[k * n + i];
    }
}

/* Z_k^T V_k added to m, and h a_kl of it to w_l. */
static void bring_back(const hol__collocation *f, const hol__variation_place *p, int n, double h,
                       int k, const double *V, double *m, double *w) {
    for (int c = 0; c < p->r; c++)
        for (int i = p->Z ? 0 : c; i < (p->Z ? n : c + 1); i++) {
            const double x = (p->Z ? p->Z[hol__area(c, n) + (size_t)i] : 1) * V[c];
            m[i] += x;
            for (int l = 0; l < HOL__STAGES; l++) w[l * n + i] += h * f->a[k][l] * x;
        }
}

hol_status hol__variation_back(const hol__collocation *f, int n, double h,
                               const hol__variation_place *p, int columns, const double *g,
                               hol__lu *lu, double *M, double *W, double *V) {
    if (factor(f, p, n, h, lu)) return HOL_SINGULAR;
    for (int c = 0; c < columns; c++) {
        double *m = M + hol__area(c, n), *w = W + hol__area(c, HOL__STAGES * n), *v = V;
        weigh(f, n, h, g + hol__area(c, HOL__STAGES * n), m, w);
        for (int k = 0; k < HOL__STAGES; v += p[k++].r)
            hol__dense_mul_t(n, p[k].r, 1, p[k].G, w + k * n, 0, v);
        hol__lu_solve(lu, 1, V);
        v = V;
        for (int k = 0; k < HOL__STAGES; v += p[k++].r) bring_back(f, &p[k], n, h, k, v, m, w);
    }
    return HOL_OK;
}

void hol__variation_end(const hol__variation_equations *e, const hol__perturb *p, double *M) {
    for (int c = 0; c < p->n; c++) {
        const double *y = e->Y + hol__area(c, e->n);
        for (int i = 0; i < p->n; i++)
            M[hol__area(c, p->n) + (size_t)i] = i < p->n_q ? y[p->at_q[i]]
                                                : i < p->n_q + p->n_v
                                                    ? y[p->nv + p->at_v[i - p->n_q]]
                                                    : y[2 * p->nv + i - p->n_q - p->n_v];
    }
}
