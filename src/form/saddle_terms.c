/* saddle_terms.c: the matrix of an iteration on the constrained equations, sparse.
 *
 * Unknowns are increments delta of positions along the directions of v, x_v, x_z, lambda and mu;
 * rows are those of the residual (integ/dae.h) but for the work, which stands apart. With
 * kd = |sigma_d|, kv = |sigma_v|, s = sigma / |sigma|, and delta, lambda scaled by them,
 *
 *              kd delta             x_v              x_z             lambda/kv   mu
 *     d      [ s_d - E/kd           -1                                           w D^T ]
 *     v / kv [ -K/(kd kv)           s_v M - B/kv     -Qz/kv          A^T               ]
 *     z / kv [ -Rq/(kd kv)          -Rv/kv           s_v - Rz/kv                       ]
 *     psi    [ Pq/kd                A                Pz                                ]
 *     Phi kd [ D                                                                       ]
 *
 * with, where the rows of psi are A v' - c,
 *
 *     A v'/kv [ -Cq/(kd kv)         s_v A - Cv/kv    -Cz/kv                            ]
 *
 * does not depend on the step where it is small, so that pivots last. Derivatives K, B, … are those
 * of dyn/tangent.h, E that of turns.h. Where momenta are differentiated x_v stands for M^-1 x_p,
 * and what the change of M adds is left out: M' x_v, h times the part s_v M of the same row. A
 * complex matrix R + i S is the real one [R -S; S R]; S has entries where s stands alone.
 *
 * The inertial matrix has the unknowns x_v and lambda alone, [M A^T; A 0].
 */
#include "form/constrained.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Factors: s (real and imaginary parts) of the rows of d and v, 1, -1, 1/kd, -1/kd, -1/kv,
 * -1/(kd kv). */
enum {
    S_D,
    S_V,
    PLUS,
    MINUS,
    BY_D,
    MINUS_BY_D,
    MINUS_BY_V,
    MINUS_BY_DV,
    N_KINDS,
    IM_S_D = N_KINDS,
    IM_S_V,
    MINUS_IM_S_D,
    MINUS_IM_S_V,
    N_FACTORS
};

/* Where terms are put while they are collected: the first pass counts. */
typedef struct list {
    hol__saddle_term *terms;
    int *row, *column;
    int n, size; /* of the unknowns */
    hol__saddle_kind kind;
} list;

static void add_one(list *l, int row, int column, int kind, double weight, const double *from) {
    if (l->terms) {
        l->terms[l->n] = (hol__saddle_term){.from = from, .weight = weight, .kind = kind};
        l->row[l->n] = row;
        l->column[l->n] = column;
    }
    l->n++;
}

/* An entry of R, and of S where it has one. */
static void add(list *l, int row, int column, int kind, double weight, const double *from) {
    add_one(l, row, column, kind, weight, from);
    if (l->kind != HOL__SADDLE_COMPLEX) return;
    add_one(l, row + l->size, column + l->size, kind, weight, from);
    if (kind != S_D && kind != S_V) return;
    const int im = kind == S_D ? IM_S_D : IM_S_V;
    add_one(l, row + l->size, column, im, weight, from);
    add_one(l, row, column + l->size, im + 2, weight, from);
}

/* A sparse block. */
static void add_matrix(list *l, int row, int column, int kind, const hol__csr *A) {
    for (int i = 0; i < A->rows; i++)
        for (int k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            add(l, row + i, column + A->idx[k], kind, 1, A->x + k);
}

/* A dense block, row-major. */
static void add_dense(list *l, int row, int column, int kind, int rows, int cols, const double *A) {
    for (int i = 0; i < rows * cols; i++) add(l, row + i / cols, column + i % cols, kind, 1, A + i);
}

/* Rows of d. */
static void add_rates(list *l, const hol__constrained *c) {
    for (int i = 0; i < c->nv; i++) {
        add(l, i, i, S_D, 1, NULL);
        add(l, i, c->nv + i, MINUS, 1, NULL);
    }
    for (int b = 0; b < c->turns.n; b++) {
        const hol__turn *turn = &c->turns.turn[b];
        for (int k = 0; k < 9; k++)
            add(l, turn->at[k / 3], turn->at[k % 3], MINUS_BY_D, 1, turn->m[HOL__TURN_F] + k);
    }
}

/* Rows of v and z. */
static void add_motion(list *l, const hol__constrained *c) {
    const hol__tangent *t = c->tangent;
    const int nv = c->nv, nz = c->nz, v = nv, z = 2 * nv;
    add_matrix(l, v, v, S_V, hol__data_mass(c->form->data));
    add_matrix(l, v, v, MINUS_BY_V, &t->B);
    add_matrix(l, v, 0, MINUS_BY_DV, &t->K);
    add_dense(l, v, z, MINUS_BY_V, nv, nz, t->Qz);
    for (int i = 0; i < nz; i++) add(l, z + i, z + i, S_V, 1, NULL);
    add_dense(l, z, z, MINUS_BY_V, nz, nz, t->Rz);
    add_dense(l, z, v, MINUS_BY_V, nz, nv, t->Rv);
    add_dense(l, z, 0, MINUS_BY_DV, nz, nv, t->Rq);
}

/* Constraints: A in the rows of psi or A v' - c, A^T in those of v; D and w D^T. */
static void add_constraints(list *l, const hol__constrained *c) {
    const hol__tangent *t = c->tangent;
    const hol__csr *A = &c->form->data->A;
    const int nv = c->nv, nz = c->nz, psi = 2 * nv + nz, Phi = psi + c->m;
    const int accelerations = c->kind->accelerations;
    const double *by_q = accelerations ? t->Cq.x : t->Pq.x, *by_z = accelerations ? t->Cz : t->Pz;
    for (int i = 0; i < c->m; i++) {
        const int r = c->row[i];
        for (int k = A->ptr[r]; k < A->ptr[r + 1]; k++) {
            add(l, psi + i, nv + A->idx[k], accelerations ? S_V : PLUS, 1, A->x + k);
            add(l, nv + A->idx[k], psi + i, PLUS, 1, A->x + k);
            add(l, psi + i, A->idx[k], accelerations ? MINUS_BY_DV : BY_D, 1, by_q + k);
            if (accelerations) add(l, psi + i, nv + A->idx[k], MINUS_BY_V, 1, t->Cv.x + k);
        }
        add_dense(l, psi + i, 2 * nv, accelerations ? MINUS_BY_V : PLUS, 1, nz,
                  by_z + (size_t)r * (size_t)nz);
    }
    for (int i = 0; i < c->mh; i++) {
        const int r = c->place[i];
        for (int k = A->ptr[r]; k < A->ptr[r + 1]; k++) {
            add(l, Phi + i, A->idx[k], PLUS, 1, A->x + k);
            add(l, A->idx[k], Phi + i, PLUS, c->weight[A->idx[k]], A->x + k);
        }
    }
}

/* M, A and A^T. */
static void add_inertial(list *l, const hol__constrained *c) {
    const hol__csr *A = &c->form->data->A;
    add_matrix(l, 0, 0, PLUS, hol__data_mass(c->form->data));
    for (int i = 0; i < c->m; i++)
        for (int k = A->ptr[c->row[i]]; k < A->ptr[c->row[i] + 1]; k++) {
            add(l, c->nv + i, A->idx[k], PLUS, 1, A->x + k);
            add(l, A->idx[k], c->nv + i, PLUS, 1, A->x + k);
        }
}

static void collect(list *l, const hol__constrained *c) {
    l->n = 0;
    if (l->kind == HOL__SADDLE_INERTIAL) {
        add_inertial(l, c);
        return;
    }
    add_rates(l, c);
    add_motion(l, c);
    add_constraints(l, c);
}

/* The pattern by columns of the entries that were collected, each once, and the places of the
 * terms. mark: size entries. */
static void lay(const list *l, int size, hol__csr *T, int *start, int *order, int *mark) {
    memset(start, 0, sizeof *start * (size_t)(size + 1));
    for (int k = 0; k < l->n; k++) start[l->column[k] + 1]++;
    for (int j = 0; j < size; j++) start[j + 1] += start[j];
    for (int k = 0; k < l->n; k++) order[start[l->column[k]]++] = k;
    memmove(start + 1, start, sizeof *start * (size_t)size);
    start[0] = 0;
    for (int i = 0; i < size; i++) mark[i] = -1;
    int n = 0;
    for (int j = 0; j < size; j++) {
        T->ptr[j] = n;
        for (int e = start[j]; e < start[j + 1]; e++) {
            const int k = order[e], i = l->row[k];
            if (mark[i] < T->ptr[j]) {
                mark[i] = n;
                T->idx[n++] = i;
            }
            l->terms[k].to = mark[i];
        }
    }
    T->ptr[size] = n;
}

hol_status hol__saddle_open(hol__constrained *c, hol__saddle_slot *slot, hol__saddle_kind kind) {
    hol__arena *arena = &c->arena;
    const int complex = kind == HOL__SADDLE_COMPLEX;
    const int half = kind == HOL__SADDLE_INERTIAL ? c->nv + c->m : 2 * c->nv + c->nz + c->m + c->mh;
    const int size = complex ? 2 * half : half;
    list l = {.size = half, .kind = kind};
    hol__csr T = {.rows = size, .cols = size};
    collect(&l, c);
    const int n = l.n;
    l.terms = HOL__NEW_N(arena, hol__saddle_term, n);
    l.row = HOL__NEW_N(arena, int, n);
    l.column = HOL__NEW_N(arena, int, n);
    int *start = HOL__NEW_N(arena, int, size + 1), *order = HOL__NEW_N(arena, int, n);
    int *mark = HOL__NEW_N(arena, int, size);
    T.ptr = HOL__NEW_N(arena, int, size + 1);
    T.idx = HOL__NEW_N(arena, int, n);
    T.x = HOL__NEW_N(arena, double, n);
    if (arena->failed) return HOL_ERR_MEMORY;
    collect(&l, c);
    lay(&l, size, &T, start, order, mark);
    slot->complex = complex;
    slot->terms = l.terms;
    slot->n_terms = n;
    return hol__splu_open(&slot->lu, arena, &T);
}

hol_status hol__saddle_factor(hol__saddle_slot *slot, const double sigma_d[2],
                              const double sigma_v[2]) {
    const double kd = hypot(sigma_d[0], sigma_d[1]), kv = hypot(sigma_v[0], sigma_v[1]);
    const double factor[N_FACTORS] = {[S_D] = sigma_d[0] / kd,
                                      [S_V] = sigma_v[0] / kv,
                                      [PLUS] = 1,
                                      [MINUS] = -1,
                                      [BY_D] = 1 / kd,
                                      [MINUS_BY_D] = -1 / kd,
                                      [MINUS_BY_V] = -1 / kv,
                                      [MINUS_BY_DV] = -1 / (kd * kv),
                                      [IM_S_D] = sigma_d[1] / kd,
                                      [IM_S_V] = sigma_v[1] / kv,
                                      [MINUS_IM_S_D] = -sigma_d[1] / kd,
                                      [MINUS_IM_S_V] = -sigma_v[1] / kv};
    double *x = slot->lu.T.x;
    slot->kd = kd;
    slot->kv = kv;
    slot->sigma[0] = sigma_v[0];
    slot->sigma[1] = sigma_v[1];
    memset(x, 0, sizeof *x * (size_t)slot->lu.T.ptr[slot->lu.n]);
    for (int k = 0; k < slot->n_terms; k++) {
        const hol__saddle_term *t = &slot->terms[k];
        x[t->to] += factor[t->kind] * t->weight * (t->from ? *t->from : 1);
    }
    return hol__splu_factor(&slot->lu);
}
