/* basis_local.c: local constraint frames [BL 7-18].
 *
 * The constraints are A = C J, C = diag(C_i) with complement D = diag(D_i), over k local
 * coordinates x with J = dx/dv (la/blocks.h). G picks n - k coordinates to complete J' = [J; G], in
 * which the complement is D' = [D 0; 0 1]. With J = [J1 J2] in the picked and the other coordinates
 *     J'^-1 = [0 1; J2^-1 -J2^-1 J1],   R = J'^-1 D' = [0 1; J2^-1 D  -J2^-1 J1]    [BL 17, 18]
 * so only the k x k block J2 is factored. Rows of J have unit length here, J^ = S J.
 *
 * Without blocks (n_i = m_i) the rows of A^ are their own local coordinates: C = 1, D is empty, R =
 * [1; -J2^-1 J1], and of dependent rows k are taken. With blocks all k must be independent.
 *
 * Rows and G come from an LU with full pivoting of J^ and are kept from one factorisation to the
 * next until
 *     the smallest pivot of J2 falls below KEEP of its value when chosen, or below POOR, or
 *     a row that was left out is no longer a combination of the others (|A^_i R| > release).
 * Cost while kept: k^3/3 + k^2 (n - m).
 *
 * Reactions in the local frames [BL 36, 37]: a force r of the constraints, in the space of v, is
 * J'^T rho', so
 *     rho' = J'^-T r,   [rho; rest]:   J2^T rho = r_2,   rest = r_1 - J1^T rho = 0
 * and rho is what each local coordinate carries, rho = C^T lambda: one transposed solve with the
 * factor at hand.
 */
#include "kernel/basis.h"

#include "la/dense.h"
#include "la/lufp.h"

#include <math.h>
#include <string.h>

#define KEEP 0.1
#define POOR 1e-3

typedef struct local {
    hol__lufp *choice;
    hol__lu *lu;   /* of J2 */
    double *J1;    /* k x (n - k): then J2^-1 J1 */
    double *D;     /* k x (k - m): then J2^-1 S D; NULL without blocks */
    double *Jt;    /* n x rows: unit rows of J as columns; At without blocks */
    double *scale; /* rows: S; NULL without blocks */
    double *t;     /* min(n, rows) */
    double *x, *c; /* rows, m; NULL without blocks */
    double chosen; /* smallest pivot when chosen; 0: nothing chosen yet */
    int rows, k;   /* of J; of them independent */
} local;

static hol_status create(hol__basis *b, hol__arena *arena) {
    const hol__blocks *blocks = b->blocks;
    const int rows = blocks ? blocks->k : b->m, most = b->n < rows ? b->n : rows;
    local *l = b->self = HOL__NEW(arena, local);
    if (!l) return HOL_ERR_MEMORY;
    l->rows = rows;
    l->choice = hol__lufp_new(arena, b->n, rows);
    l->lu = hol__lu_new(arena, most);
    l->J1 = HOL__NEW_N(arena, double, (size_t)most *(size_t)b->n);
    l->t = HOL__NEW_N(arena, double, most);
    l->Jt = b->At;
    if (blocks) {
        l->Jt = HOL__NEW_N(arena, double, (size_t)b->n *(size_t)rows);
        l->D = HOL__NEW_N(arena, double, (size_t)rows *(size_t)(rows - b->m));
        l->scale = HOL__NEW_N(arena, double, rows);
        l->x = HOL__NEW_N(arena, double, rows + b->m);
        if (l->x) l->c = l->x + rows;
    }
    return l->choice && l->lu && !arena->failed ? HOL_OK : HOL_ERR_MEMORY;
}

/* What the k-th pivot must exceed to count. */
static double limit(const hol__basis *b, int k) {
    return b->blocks ? b->tolerance : hol__basis_limit(b, k);
}

/* Rows and coordinates anew. */
static void choose(hol__basis *b) {
    local *l = b->self;
    const size_t count = (size_t)b->n * (size_t)l->rows;
    if (count) memcpy(l->choice->b, l->Jt, count * sizeof *l->Jt);
    hol__lufp_factor(l->choice);
    int rank = b->n < l->rows ? b->n : l->rows;
    while (rank > 0 && !(hol__lufp_pivot(l->choice, rank - 1) > limit(b, rank - 1))) rank--;
    l->k = rank;
}

/* Entry of the unit row at place i, coordinate at place j. */
static double entry(const hol__basis *b, const local *l, int i, int j) {
    return l->Jt[(size_t)l->choice->column[i] * (size_t)b->n + (size_t)l->choice->row[j]];
}

/* J2 = L U, J1 <- J2^-1 J1; returns the smallest pivot, 0 when it is singular. */
static double factor_block(const hol__basis *b) {
    local *l = b->self;
    const int k = l->k, f = b->n - k;
    double least = HUGE_VAL;
    if (k == 0) return 1;
    l->lu->n = k;
    for (int j = 0; j < k; j++)
        for (int i = 0; i < k; i++) l->lu->a[(size_t)(j * k + i)] = entry(b, l, i, j);
    if (hol__lu_factor(l->lu) != 0) return 0;
    for (int i = 0; i < k; i++) least = fmin(least, fabs(l->lu->a[(size_t)(i * k + i)]));
    for (int j = 0; j < f; j++)
        for (int i = 0; i < k; i++) l->J1[(size_t)(j * k + i)] = entry(b, l, i, k + j);
    if (f > 0) hol__lu_solve_n(l->lu, 0, f, l->J1);
    return least;
}

/* J2^-1 S D, its rows at the places of the rows of J. */
static void solve_complement(const hol__basis *b) {
    local *l = b->self;
    int column = 0;
    for (int i = 0; i < b->blocks->n_blocks; i++) {
        const hol__block *block = &b->blocks->block[i];
        const double *D = b->blocks->D + block->D;
        for (int j = 0; j < block->n - block->m; j++, column++, D += block->n) {
            double *out = l->D + (size_t)column * (size_t)l->k;
            for (int p = 0; p < l->k; p++) {
                const int row = l->choice->column[p] - block->x;
                out[p] = row >= 0 && row < block->n ? l->scale[block->x + row] * D[row] : 0;
            }
        }
    }
    if (column > 0) hol__lu_solve_n(l->lu, 0, column, l->D);
}

/* R in the order of the coordinates: the columns of D first, then those of G. */
static void form_basis(const hol__basis *b) {
    const local *l = b->self;
    const int n = b->n, k = l->k, own = b->blocks ? k - b->m : 0;
    if (b->blocks) solve_complement(b);
    for (int j = 0; j < own; j++) {
        double *r = b->R + (size_t)j * (size_t)n;
        for (int i = 0; i < n; i++) r[l->choice->row[i]] = i < k ? l->D[(size_t)(j * k + i)] : 0;
    }
    for (int j = 0; j < n - k; j++) {
        double *r = b->R + (size_t)(own + j) * (size_t)n;
        for (int i = 0; i < n; i++)
            r[l->choice->row[i]] = i < k ? -l->J1[(size_t)(j * k + i)] : i == k + j;
    }
}

/* Whether the rows left out still depend on the others: |A^_i R| within the release tolerance. */
static int still_dependent(const hol__basis *b) {
    const local *l = b->self;
    for (int i = l->k; i < l->rows; i++) {
        const double *a = l->Jt + (size_t)l->choice->column[i] * (size_t)b->n;
        for (int j = 0; j < b->n - l->k; j++) {
            const double *r = b->R + (size_t)j * (size_t)b->n;
            double sum = 0;
            for (int q = 0; q < b->n; q++) sum += a[q] * r[q];
            if (fabs(sum) > b->release) return 0;
        }
    }
    return 1;
}

/* Null vectors of A^^T: the row at place k + i less its combination J2^-T A^_i of the others. */
static void form_null_space(const hol__basis *b) {
    const local *l = b->self;
    const int k = l->k, m = b->m;
    for (int i = k; i < l->rows; i++) {
        double *v = b->N + (size_t)(i - k) * (size_t)m;
        for (int j = 0; j < k; j++) l->t[j] = entry(b, l, i, j);
        if (k > 0) hol__lu_solve(l->lu, 1, l->t);
        for (int j = 0; j < m; j++) v[l->choice->column[j]] = j < k ? -l->t[j] : j == i;
    }
}

static hol_status factor(hol__basis *b) {
    local *l = b->self;
    if (b->blocks) hol__basis_unit_rows(&b->blocks->J, l->Jt, l->scale);
    double least = l->chosen > 0 ? factor_block(b) : 0;
    int keep = least > fmax(KEEP * l->chosen, POOR);
    if (keep) {
        form_basis(b);
        keep = still_dependent(b);
    }
    if (!keep) {
        choose(b);
        l->chosen = least = factor_block(b);
        if (!(least > 0) || (b->blocks && l->k < l->rows)) return HOL_SINGULAR;
        form_basis(b);
    }
    b->rank = b->blocks ? b->m : l->k;
    b->n_dependent = l->k;
    b->share = fmin(1, least);
    form_null_space(b);
    for (int i = 0; i < b->n; i++) b->column[i] = l->choice->row[i];
    return HOL_OK;
}

/* J^ x = c (rows), the picked coordinates zero. */
static void solve_rows(const hol__basis *b, const double *c, double *x) {
    const local *l = b->self;
    for (int i = 0; i < l->k; i++) l->t[i] = c[l->choice->column[i]];
    if (l->k > 0) hol__lu_solve(l->lu, 0, l->t);
    for (int i = 0; i < b->n; i++) x[l->choice->row[i]] = i < l->k ? l->t[i] : 0;
}

/* J^^T y = g. */
static void solve_rows_t(const hol__basis *b, const double *g, double *y) {
    const local *l = b->self;
    for (int i = 0; i < l->k; i++) l->t[i] = g[l->choice->row[i]];
    if (l->k > 0) hol__lu_solve(l->lu, 1, l->t);
    for (int j = 0; j < l->rows; j++) y[l->choice->column[j]] = j < l->k ? l->t[j] : 0;
}

/* With blocks: C x = c, of least norm, then J v = x. */
static void solve(hol__basis *b, const double *c, double *v) {
    const local *l = b->self;
    if (!b->blocks) {
        solve_rows(b, c, v);
        return;
    }
    for (int i = 0; i < b->m; i++) l->c[i] = c[i] / b->scale[i];
    hol__blocks_lift(b->blocks, l->c, l->x);
    for (int i = 0; i < l->rows; i++) l->x[i] *= l->scale[i];
    solve_rows(b, l->x, v);
}

/* With blocks: J^T rho = g, then C^T y = rho. */
static void solve_t(hol__basis *b, const double *g, double *y) {
    const local *l = b->self;
    if (!b->blocks) {
        solve_rows_t(b, g, y);
        return;
    }
    solve_rows_t(b, g, l->x);
    for (int i = 0; i < l->rows; i++) l->x[i] *= l->scale[i];
    hol__blocks_lower(b->blocks, l->x, y);
    for (int i = 0; i < b->m; i++) y[i] /= b->scale[i];
}

void hol__basis_local_reactions(hol__basis *b, const double *g, double *mu) {
    solve_t(b, g, mu);
    for (int i = 0; i < b->m; i++) mu[i] *= b->scale[i];
}

static void remember(hol__basis *b, hol__archive *archive) {
    local *l = b->self;
    HOL__ARCHIVE(archive, l->chosen);
    HOL__ARCHIVE(archive, l->k);
    HOL__ARCHIVE_N(archive, l->choice->row, b->n);
    HOL__ARCHIVE_N(archive, l->choice->column, l->rows);
}

const hol__basis_type hol__basis_local = {
    .name = "local",
    .source = "BL 7-18",
    .flags = HOL__BASIS_COORDINATES | HOL__BASIS_KEPT,
    .title = "Local constraint frames, coordinates kept",
    .create = create,
    .factor = factor,
    .solve = solve,
    .solve_t = solve_t,
    .remember = remember,
};
