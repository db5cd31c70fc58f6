/* variation.c: perturbations along a motion. See variation.h. */
#include "analysis/variation.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

struct hol__variation_equations {
    const hol_model *model;
    hol__arena arena;
    hol_data *data; /* a copy to solve in */
    hol__tangent *tangent;
    int n, columns, most;      /* of Y, which is n x columns */
    double *Y, *J[HOL__GAUSS]; /* J: n x n each */
    double *F[HOL__GAUSS];     /* like Y; NULL: zero */
    double *a_q, *a_v, *a_z;   /* nv x nv, nv, n_aux */
    double *shift, *room;      /* nv, 3 nv */
    hol__lu *lu;               /* 3 n */
    double *right;             /* 3 n x columns, then JY: n x columns */
};

/* c and a of Gauss's formula. */
double hol__gauss_place(int k) {
    return 0.5 + 0.5 * (k - 1) * sqrt(0.6);
}

double hol__gauss_weight(int k) {
    return k == 1 ? 4.0 / 9 : 5.0 / 18;
}

static double coefficient(int k, int l) {
    const double r = sqrt(15.0);
    const double a[3][3] = {{5.0 / 36, 2.0 / 9 - r / 15, 5.0 / 36 - r / 30},
                            {5.0 / 36 + r / 24, 2.0 / 9, 5.0 / 36 - r / 24},
                            {5.0 / 36 + r / 30, 2.0 / 9 + r / 15, 5.0 / 36}};
    return a[k][l];
}

hol_status hol__variation_new(const hol_data *data, int columns, hol__variation_equations **out) {
    const hol_model *m = data->model;
    hol__variation_equations *e = *out = hol__alloc(data->ctx, 1, sizeof *e);
    if (!e) return HOL_ERR_MEMORY;
    hol__arena *arena = &e->arena;
    hol__arena_init(arena, data->ctx);
    e->model = m;
    const int n = e->n = 2 * m->nv + m->n_aux;
    e->data = hol_data_new(data->ctx, m);
    for (int k = 0; k < HOL__GAUSS; k++) e->J[k] = HOL__NEW_N(arena, double, hol__area(n, n) + 1);
    e->most = columns ? columns : n;
    e->Y = HOL__NEW_N(arena, double, hol__area(n, e->most) + 1);
    e->a_q = HOL__NEW_N(arena, double, hol__area(m->nv, m->nv) + 1);
    e->a_v = HOL__NEW_N(arena, double, hol__area(m->nv, m->nv) + 1);
    e->a_z = HOL__NEW_N(arena, double, hol__area(m->nv, m->n_aux) + 1);
    e->room = HOL__NEW_N(arena, double, 3 * m->nv + 1);
    e->shift = HOL__NEW_N(arena, double, m->nv + 1);
    e->lu = hol__lu_new(arena, HOL__GAUSS * n);
    e->right = HOL__NEW_N(arena, double, 4 * hol__area(n, e->most) + 1);
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

/* Column j of G. */
static void turning(hol__variation_equations *e, int j, double *J) {
    e->shift[j] = 1;
    hol__perturb_turning(e->model, e->data->v, e->shift, e->room, J + hol__area(j, e->n));
    e->shift[j] = 0;
}

/* J from its parts. */
static void fill(hol__variation_equations *e, double *J) {
    const hol_model *m = e->model;
    const hol__tangent *t = e->tangent;
    const int nv = m->nv, nz = m->n_aux, n = e->n;
    memset(J, 0, sizeof(double) * hol__area(n, n));
    for (int j = 0; j < nv; j++) {
        turning(e, j, J);
        J[hol__area(nv + j, n) + (size_t)j] = 1;
        memcpy(J + hol__area(j, n) + nv, e->a_q + hol__area(j, nv), sizeof(double) * (size_t)nv);
        memcpy(J + hol__area(nv + j, n) + nv, e->a_v + hol__area(j, nv),
               sizeof(double) * (size_t)nv);
        for (int z = 0; z < nz; z++) {
            J[hol__area(j, n) + (size_t)(2 * nv + z)] = t->Rq[z * nv + j];
            J[hol__area(nv + j, n) + (size_t)(2 * nv + z)] = t->Rv[z * nv + j];
        }
    }
    for (int z = 0; z < nz; z++) {
        memcpy(J + hol__area(2 * nv + z, n) + nv, e->a_z + hol__area(z, nv),
               sizeof(double) * (size_t)nv);
        for (int i = 0; i < nz; i++)
            J[hol__area(2 * nv + z, n) + (size_t)(2 * nv + i)] = t->Rz[i * nz + z];
    }
}

hol_status hol__variation_take(hol__variation_equations *e, const hol_data *data) {
    hol_status status = hol_data_copy(e->data, data);
    if (!status) status = hol_data_solve(e->data);
    if (!status) status = hol__tangent_update(e->tangent, e->data, HOL__PART_ALL);
    return status ? status : hol__data_factor(e->data);
}

hol_status hol__variation_node(hol__variation_equations *e, const hol_data *data, int k) {
    const hol__acceleration_tangent out = {.a_q = e->a_q, .a_v = e->a_v, .a_z = e->a_z};
    hol_status status = hol__variation_take(e, data);
    if (!status)
        status = hol__tangent_accelerations(e->tangent, NULL, hol__solve_by_kernel, e->data->kernel,
                                            &out);
    if (!status) fill(e, e->J[k]);
    return status;
}

/* B of a step. */
static int factor(hol__lu *lu, int n, double *const *J, double h) {
    const int all = HOL__GAUSS * n;
    for (int k = 0; k < HOL__GAUSS; k++)
        for (int l = 0; l < HOL__GAUSS; l++)
            for (int j = 0; j < n; j++)
                for (int i = 0; i < n; i++)
                    lu->a[hol__area(l * n + j, all) + (size_t)(k * n + i)] =
                        (k == l && i == j) -
                        h * coefficient(k, l) * J[k][hol__area(j, n) + (size_t)i];
    return hol__lu_factor(lu);
}

hol_status hol__variation_step(hol__variation_equations *e, double h) {
    const int n = e->n, all = HOL__GAUSS * n;
    double *JY = e->right + hol__area(all, e->most);
    for (int k = 0; k < HOL__GAUSS; k++) {
        hol__dense_product(0, 0, n, e->columns, n, e->J[k], e->Y, JY);
        for (int c = 0; c < e->columns; c++)
            for (int i = 0; i < n; i++)
                e->right[hol__area(c, all) + (size_t)(k * n + i)] =
                    JY[hol__area(c, n) + (size_t)i] +
                    (e->F[k] ? e->F[k][hol__area(c, n) + (size_t)i] : 0);
    }
    if (factor(e->lu, n, e->J, h)) return HOL_SINGULAR;
    hol__lu_solve_n(e->lu, 0, e->columns, e->right);
    for (int c = 0; c < e->columns; c++)
        for (int k = 0; k < HOL__GAUSS; k++)
            for (int i = 0; i < n; i++)
                e->Y[hol__area(c, n) + (size_t)i] +=
                    h * hol__gauss_weight(k) * e->right[hol__area(c, all) + (size_t)(k * n + i)];
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

double *hol__variation_matrix(hol__variation_equations *e, int k) {
    return e->J[k];
}

void hol__variation_stage(const hol__variation_equations *e, double h, int k, double *out) {
    const int n = e->n, all = HOL__GAUSS * n;
    for (int c = 0; c < e->columns; c++)
        for (int i = 0; i < n; i++) {
            const size_t at = hol__area(c, n) + (size_t)i;
            out[at] = e->Y[at];
            for (int l = 0; l < HOL__GAUSS; l++)
                out[at] += h * (coefficient(k, l) - hol__gauss_weight(l)) *
                           e->right[hol__area(c, all) + (size_t)(l * n + i)];
        }
}

hol_data *hol__variation_data(hol__variation_equations *e) {
    return e->data;
}

const hol__tangent *hol__variation_tangent(const hol__variation_equations *e) {
    return e->tangent;
}

hol_status hol__variation_back(int n, double h, double *const *J, int columns, const double *g,
                               hol__lu *lu, double *M, double *W) {
    const int all = HOL__GAUSS * n;
    for (int c = 0; c < columns; c++)
        for (int i = 0; i < n; i++) {
            double *m = &M[hol__area(c, n) + (size_t)i], at_stage[HOL__GAUSS];
            for (int k = 0; k < HOL__GAUSS; k++)
                at_stage[k] = hol__gauss_weight(k) * g[hol__area(c, all) + (size_t)(k * n + i)];
            for (int k = 0; k < HOL__GAUSS; k++) {
                double sum = hol__gauss_weight(k) * *m;
                for (int l = 0; l < HOL__GAUSS; l++) sum += h * coefficient(l, k) * at_stage[l];
                W[hol__area(c, all) + (size_t)(k * n + i)] = h * sum;
            }
            for (int k = 0; k < HOL__GAUSS; k++) *m += h * at_stage[k];
        }
    if (factor(lu, n, J, h)) return HOL_SINGULAR;
    hol__lu_solve_n(lu, 1, columns, W);
    for (int c = 0; c < columns; c++)
        for (int k = 0; k < HOL__GAUSS; k++)
            hol__dense_mul_t(n, n, 1, J[k], W + hol__area(c, all) + k * n, 1, M + hol__area(c, n));
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
