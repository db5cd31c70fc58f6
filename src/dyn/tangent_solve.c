/* tangent_solve.c: how accelerations and multipliers follow the state.
 *
 *     M da + A^T dlambda = K dq + B dv + F_t dt + Qz dz
 *     A da               = (Cq - g1 Pq - g0 A) dq + (Cv - g1 A) dv + (C_t - g1 P_t - g0 Phi_t) dt +
 * (Cz - g1 Pz) dz
 *
 * from M a + A^T lambda = Q and A a = cbar by the product rule, with all derivatives at fixed a and
 * lambda; g1 and g0 are diagonal, g0 only in holonomic rows. Redundant rows have right-hand sides
 * that agree as far as those of A a = c do.
 */
#include "dyn/tangent_work.h"

#include <string.h>

int hol__tangent_turn_rows(hol__tangent *tangent) {
    const hol__csr *A = &tangent->model->A;
    hol__tangent_work *w = tangent->work;
    const int entries = A->ptr[A->rows];
    w->A_by_column = HOL__NEW_N(&tangent->arena, int, A->cols + 2);
    w->A_row = HOL__NEW_N(&tangent->arena, int, entries);
    w->A_at = HOL__NEW_N(&tangent->arena, int, entries);
    if (tangent->arena.failed) return 0;
    for (int k = 0; k < entries; k++) w->A_by_column[A->idx[k] + 1]++;
    for (int j = 0; j < A->cols; j++) w->A_by_column[j + 1] += w->A_by_column[j];
    for (int i = 0; i < A->rows; i++)
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            const int to = w->A_by_column[A->idx[k]]++;
            w->A_row[to] = i;
            w->A_at[to] = k;
        }
    memmove(w->A_by_column + 1, w->A_by_column, sizeof(int) * (size_t)A->cols);
    w->A_by_column[0] = 0;
    return 1;
}

/* One solve after the other, with where the results go. */
typedef struct columns {
    hol__tangent *tangent;
    const hol__gains *gains;
    hol__solve_fn *solve;
    void *self;
    hol_status status;
} columns;

/* The gains of psi and of Phi in row i. */
static double rate_gain(const columns *s, int i) {
    return s->gains->g1 ? s->gains->g1[i] : 0;
}

static double place_gain(const columns *s, int i) {
    return s->gains->g0 && i < s->tangent->model->mh ? s->gains->g0[i] : 0;
}

/* Column j of K or B. */
static void load_column(const columns *s, const hol__csr *M, int j) {
    const hol__tangent_work *w = s->tangent->work;
    memset(w->column, 0, sizeof(double) * (size_t)M->rows);
    for (int k = w->K_by_column[j]; k < w->K_by_column[j + 1]; k++)
        w->column[w->K_row[k]] = M->x[w->K_at[k]];
}

/* Column j of the rows: by q with Pq and A, by v with A alone. */
static void load_rows(const columns *s, int by_v, int j) {
    const hol__tangent *t = s->tangent;
    const hol__tangent_work *w = t->work;
    const double *A = w->last->A.x;
    if (t->model->m) memset(w->right, 0, sizeof(double) * (size_t)t->model->m);
    for (int k = w->A_by_column[j]; k < w->A_by_column[j + 1]; k++) {
        const int i = w->A_row[k], at = w->A_at[k];
        w->right[i] = by_v ? t->Cv.x[at] - rate_gain(s, i) * A[at]
                           : t->Cq.x[at] - rate_gain(s, i) * t->Pq.x[at] - place_gain(s, i) * A[at];
    }
}

/* Solve with column and right; x and mu are where the results go (mu NULL: nowhere). */
static void solve_column(columns *s, double *x, double *mu) {
    const hol__tangent_work *w = s->tangent->work;
    if (!s->status) s->status = s->solve(s->self, w->column, w->right, x, mu ? mu : w->multipliers);
}

/* By all q or all v. */
static void by_state(columns *s, int by_v, double *a, double *lambda) {
    const hol_model *m = s->tangent->model;
    for (int j = 0; a && j < m->nv; j++) {
        load_column(s, by_v ? &s->tangent->B : &s->tangent->K, j);
        load_rows(s, by_v, j);
        solve_column(s, a + (size_t)j * (size_t)m->nv,
                     lambda ? lambda + (size_t)j * (size_t)m->m : NULL);
    }
}

static void by_time(columns *s, double *a, double *lambda) {
    const hol__tangent *t = s->tangent;
    const hol_model *m = t->model;
    if (!a) return;
    memcpy(t->work->column, t->F_t, sizeof(double) * (size_t)m->nv);
    for (int i = 0; i < m->m; i++)
        t->work->right[i] = t->C_t[i] - rate_gain(s, i) * t->P_t[i] -
                            (i < m->mh ? place_gain(s, i) * t->Phi_t[i] : 0);
    solve_column(s, a, lambda);
}

static void by_aux(columns *s, double *a, double *lambda) {
    const hol__tangent *t = s->tangent;
    const hol_model *m = t->model;
    for (int z = 0; a && z < m->n_aux; z++) {
        for (int i = 0; i < m->nv; i++) t->work->column[i] = t->Qz[i * m->n_aux + z];
        for (int i = 0; i < m->m; i++)
            t->work->right[i] = t->Cz[i * m->n_aux + z] - rate_gain(s, i) * t->Pz[i * m->n_aux + z];
        solve_column(s, a + (size_t)z * (size_t)m->nv,
                     lambda ? lambda + (size_t)z * (size_t)m->m : NULL);
    }
}

hol_status hol__tangent_accelerations(hol__tangent *tangent, const hol__gains *gains,
                                      hol__solve_fn *solve, void *self,
                                      const hol__acceleration_tangent *out) {
    static const hol__gains none = {NULL, NULL};
    columns s = {tangent, gains ? gains : &none, solve, self, HOL_OK};
    by_state(&s, 0, out->a_q, out->lambda_q);
    by_state(&s, 1, out->a_v, out->lambda_v);
    by_time(&s, out->a_t, out->lambda_t);
    by_aux(&s, out->a_z, out->lambda_z);
    return s.status;
}
