/* natural_mass.c: the constant mass matrix of natural coordinates. [FORMULATIONS 8b]
 *
 * Every point of a body is r = r_i + sum a_k d_k over its legs d, so over (r_i, d_1, …) with S =
 * integral of r r^T dm about r_i:
 *
 *     space   [m, mbar^T; mbar, Z] (x) I3
 *             mbar = X^-1 m s,  Z = X^-1 S X^-T,  X: legs in the body frame, s: mass centre
 *     plane   m I,  m C(s) = m (x I + y J) / L,  (I_i / L^2) I
 *             x, y: mass centre along and across the leg,  J = [0 -1; 1 0]
 *
 * With d_k = r_k - r_i for point legs the items' own matrix follows by a change of basis. Blocks
 * are alpha I + beta J, beta = 0 in space.
 */
#include "coords/natural.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

typedef struct block {
    int i, j; /* free items */
    double alpha, beta;
} block;

/* X^-1 of the legs as columns, by rows. */
static void invert_legs(const hol__carried *b, double X[9]) {
    double c[3][3];
    hol__cross3(b->leg[2], b->leg[3], c[0]);
    hol__cross3(b->leg[3], b->leg[1], c[1]);
    hol__cross3(b->leg[1], b->leg[2], c[2]);
    const double det = hol__dot3(b->leg[1], c[0]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) X[3 * k + i] = c[k][i] / det;
}

/* Over (base, legs): alpha and beta of a body in space. */
static void leg_mass_space(const hol__body *x, const hol__carried *b, double alpha[4][4]) {
    double X[9], S[9], XS[9], trace = 0, mbar[3];
    invert_legs(b, X);
    for (int i = 0; i < 3; i++) trace += x->J[4 * i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[3 * i + j] =
                (i == j ? 0.5 * trace : 0) - x->J[3 * i + j] + x->mass * b->s[i] * b->s[j];
    hol__mul3(X, b->s, mbar);
    hol__mat3_mul(X, S, XS);
    alpha[0][0] = x->mass;
    for (int k = 0; k < 3; k++) {
        alpha[0][k + 1] = alpha[k + 1][0] = x->mass * mbar[k];
        for (int l = 0; l < 3; l++) alpha[k + 1][l + 1] = hol__dot3(XS + 3 * k, X + 3 * l);
    }
}

/* The same in the plane; beta[1][0] is the transpose of beta[0][1]: J^T = -J. */
static void leg_mass_plane(const hol__body *x, const hol__carried *b, double alpha[4][4],
                           double beta[4][4]) {
    const double *l = b->leg[1], L2 = l[0] * l[0] + l[1] * l[1];
    const double along = (b->s[0] * l[0] + b->s[1] * l[1]) / L2,
                 across = (l[0] * b->s[1] - l[1] * b->s[0]) / L2;
    alpha[0][0] = x->mass;
    alpha[0][1] = alpha[1][0] = x->mass * along;
    beta[0][1] = x->mass * across;
    beta[1][0] = -beta[0][1];
    alpha[1][1] = (x->inertia + x->mass * (b->s[0] * b->s[0] + b->s[1] * b->s[1])) / L2;
}

/* From legs to items: row and column 0 take off what the point legs hold. */
static void change_basis(const hol__carried *b, double a[4][4]) {
    for (int k = 1; k < b->n; k++)
        for (int j = 0; b->by_point[k] && j < b->n; j++) a[0][j] -= a[k][j];
    for (int k = 1; k < b->n; k++)
        for (int j = 0; b->by_point[k] && j < b->n; j++) a[j][0] -= a[j][k];
}

/* The blocks of a body over its free items, into out; how many. */
static int body_blocks(const hol_model *model, int body, block *out) {
    const hol__items *nat = model->items;
    const hol__carried *b = &nat->carried[body];
    double alpha[4][4] = {{0}}, beta[4][4] = {{0}};
    int n = 0;
    if (b->n == 1)
        alpha[0][0] = model->bodies[body].mass;
    else if (model->dim == 2)
        leg_mass_plane(&model->bodies[body], b, alpha, beta);
    else
        leg_mass_space(&model->bodies[body], b, alpha);
    change_basis(b, alpha);
    change_basis(b, beta);
    for (int k = 0; k < b->n; k++)
        for (int l = 0; l < b->n; l++)
            if (b->item[k] < nat->n_free && b->item[l] < nat->n_free)
                out[n++] = (block){b->item[k], b->item[l], alpha[k][l], beta[k][l]};
    return n;
}

static int by_place(const void *a, const void *b) {
    const block *x = a, *y = b;
    return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

/* Sum blocks in the same place; how many are left. */
static int merge(block *all, int n) {
    int kept = 0;
    qsort(all, (size_t)n, sizeof *all, by_place);
    for (int k = 0; k < n; k++) {
        if (kept && all[kept - 1].i == all[k].i && all[kept - 1].j == all[k].j) {
            all[kept - 1].alpha += all[k].alpha;
            all[kept - 1].beta += all[k].beta;
        } else
            all[kept++] = all[k];
    }
    return kept;
}

/* Row r of the block row that begins at block `from`: entries of all its blocks. */
static int put_row(const hol_model *model, const block *blocks, int n, int from, int r, int at) {
    const hol__csr *M = &model->M;
    for (int k = from; k < n && blocks[k].i == blocks[from].i; k++)
        for (int c = 0; c < model->dim; c++) {
            if (model->dim == 3 && c != r) continue;
            const double sign = c > r ? -1 : 1;
            M->idx[at] = model->dim * blocks[k].j + c;
            M->x[at] = c == r ? blocks[k].alpha : sign * blocks[k].beta;
            M->live[at++] = c == r || blocks[k].beta != 0;
        }
    return at;
}

hol_status hol__items_mass(hol_model *model) {
    hol__arena *arena = &model->arena;
    block *blocks = HOL__NEW_N(arena, block, HOL__MAX_ITEMS * HOL__MAX_ITEMS * model->nb + 1);
    if (!blocks) return HOL_ERR_MEMORY;
    int n = 0;
    for (int i = 0; i < model->nb; i++) n += body_blocks(model, i, blocks + n);
    n = merge(blocks, n);
    const int nnz = (model->dim == 2 ? 4 : 3) * n;
    model->M = (hol__csr){.rows = model->nv,
                          .cols = model->nv,
                          .ptr = HOL__NEW_N(arena, int, model->nv + 1),
                          .idx = HOL__NEW_N(arena, int, nnz + 1),
                          .x = HOL__NEW_N(arena, double, nnz + 1),
                          .live = HOL__NEW_N(arena, unsigned char, nnz + 1)};
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int k = 0, at = 0, item = 0; item < model->items->n_free; item++) {
        for (int r = 0; r < model->dim; r++)
            model->M.ptr[model->dim * item + r + 1] = at = put_row(model, blocks, n, k, r, at);
        while (k < n && blocks[k].i == item) k++;
    }
    return HOL_OK;
}
