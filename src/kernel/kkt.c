/* kkt.c: the constrained solve through K = [W A^T; A 0] itself [GJB 5.10].
 *
 * Sparse, W positive definite: static K = L D L^T, n positive and m negative pivots, in an order in
 * which all exist (pattern.h). Constraints whose pivot shows dependence are left out and treated by
 * deflate.h.
 * Sparse, W singular: LU of K with pivoting (la/klu.h).
 * Dense: Bunch-Kaufman of the equilibrated E K E, E = diag(W_ii^-1/2, 1 / length of the row of A so
 * scaled).
 * Where these break down: minnorm.h.
 *
 * Watch: a smallest pivot below REFINE_BELOW of its terms brings iterative refinement; below
 * HOL__DEFLATE_PIVOT the paths for dependent constraints. The pivot of a constraint is about the
 * square of its share (kernel.h, rank_tolerance).
 */
#include "kernel/deflate.h"
#include "kernel/kernel.h"
#include "kernel/minnorm.h"
#include "kernel/pattern.h"
#include "la/klu.h"

#include <math.h>

/* W is taken for singular when a pivot of it falls below this share of its terms. */
#define MASS_TOLERANCE 1e-13
#define REFINE_BELOW 1e-5
/* A solution of the deflated system worse than this (saddle.h) is made again by the dense path
 * where there is one. */
#define OMEGA_BAD 1e-9

enum { REFINEMENTS = 3, RETRY_AFTER = 100 };

/* Automatic choice: dense when the static factorisation takes more updates than MANY_UPDATES and
 * more than the share WORK_SHARE of what a full matrix takes, for which BLAS is that much faster. */
#define MANY_UPDATES 30000
#define WORK_SHARE 0.25

typedef enum form { BY_LDL, BY_DEFLATION, BY_LU, BY_DENSE, BY_MINNORM } form;

typedef struct kkt {
    hol__saddle system;
    hol__pattern pattern;
    form form;
    int refine; /* refinement steps in solve */
    hol__ldl *ldl;
    int *to;   /* where the entries of the pattern go in ldl->value */
    double *w; /* n + m, by places */
    hol__deflate *deflate;
    int mass_singular; /* W was singular: factorisations left before the static one is tried again */
    hol__klu *klu;
    int *lower, *upper; /* where the entries of the pattern go in lu_x; upper -1 on the diagonal */
    double *lu_x;
    hol__bk *bk;
    double *E;
    hol__minnorm *minnorm;
} kkt;

/* ---- creation ---- */

/* K by columns for the LU, with the places of the entries of the pattern. */
static hol_status create_lu(kkt *k, hol__arena *arena) {
    const hol__pattern *pt = &k->pattern;
    const int size = pt->n + pt->m, nz = pt->nw + pt->na;
    int *ptr = HOL__NEW_N(arena, int, size + 2), *idx = HOL__NEW_N(arena, int, 2 * (size_t)nz);
    k->lower = HOL__NEW_N(arena, int, nz);
    k->upper = HOL__NEW_N(arena, int, nz);
    k->lu_x = HOL__NEW_N(arena, double, 2 * (size_t)nz);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < nz; e++) {
            const int i = pt->row[e], j = pt->col[e];
            if (pass == 0) {
                ptr[j + 2]++;
                if (i != j) ptr[i + 2]++;
                continue;
            }
            idx[k->lower[e] = ptr[j + 1]++] = i;
            k->upper[e] = -1;
            if (i != j) idx[k->upper[e] = ptr[i + 1]++] = j;
        }
        if (pass == 0)
            for (int j = 0; j < size; j++) ptr[j + 2] += ptr[j + 1];
    }
    return hol__klu_new(arena->ctx, size, ptr, idx, &k->klu);
}

/* The static factorisation with its thresholds. */
static hol_status create_ldl(kkt *k, hol__arena *arena) {
    const hol__pattern *pt = &k->pattern;
    const int size = pt->n + pt->m, nz = pt->nw + pt->na;
    int *perm = HOL__NEW_N(arena, int, size);
    signed char *sign = HOL__NEW_N(arena, signed char, size);
    k->to = HOL__NEW_N(arena, int, nz);
    k->w = HOL__NEW_N(arena, double, size);
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < size; i++) sign[i] = i < pt->n ? 1 : -1;
    const hol_status status = hol__pattern_order(pt, arena->ctx, perm);
    if (status != HOL_OK) return status;
    k->ldl = hol__ldl_new(arena, size, nz, pt->row, pt->col, perm, sign, k->to);
    return k->ldl ? HOL_OK : HOL_ERR_MEMORY;
}

/* Dense storage of K. */
static hol_status create_dense(kkt *k, hol__arena *arena) {
    const int size = k->system.n + k->system.m;
    k->bk = hol__bk_new(arena, size);
    k->E = HOL__NEW_N(arena, double, 2 * (size_t)size);
    return k->bk && k->E ? HOL_OK : HOL_ERR_MEMORY;
}

/* Whether the static factorisation would be better done densely; a full matrix takes size^3 / 6. */
static int is_dense(const kkt *k) {
    const double size = k->ldl->n, updates = (double)k->ldl->updates;
    return updates > MANY_UPDATES && updates > WORK_SHARE * size * size * size / 6;
}

static void apply_ldl(void *self, const double *f, const double *c, double *x, double *mu);

static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    const int n = W->rows, m = A->rows;
    kkt *k = kernel->self = HOL__NEW(arena, kkt);
    hol_status status = HOL_OK;
    if (!k || !hol__saddle_init(&k->system, arena, n, m, &kernel->info.refinements) ||
        !hol__pattern_init(&k->pattern, arena, W, A))
        return HOL_ERR_MEMORY;
    if (options->storage != HOL__STORAGE_DENSE) status = create_ldl(k, arena);
    if (status == HOL_OK && k->ldl && options->storage == HOL__STORAGE_AUTO && is_dense(k))
        k->ldl = NULL;
    if (status == HOL_OK && k->ldl) {
        k->deflate = hol__deflate_new(arena, &k->system, apply_ldl, k, options->rank_tolerance,
                                      options->release_tolerance);
        if (!k->deflate) return HOL_ERR_MEMORY;
        for (int i = 0; i < n; i++) k->ldl->threshold[k->ldl->place[i]] = MASS_TOLERANCE;
        hol__deflate_arm(k->deflate, k->ldl, n);
        if (hol__klu_available()) status = create_lu(k, arena);
    }
    const int small = n + m <= HOL__MINNORM_SIZE;
    if (status == HOL_OK && (!k->ldl || (!k->klu && small))) status = create_dense(k, arena);
    if (status == HOL_OK && (!k->ldl || small)) {
        k->minnorm = hol__minnorm_new(arena, &k->system, options->rank_tolerance,
                                      options->release_tolerance);
        if (!k->minnorm) status = HOL_ERR_MEMORY;
    }
    return status;
}

static void destroy(hol__kernel *kernel) {
    kkt *k = kernel->self;
    if (k) hol__klu_free(k->klu);
}

/* ---- factorisation ---- */

/* Note what the factorisation found. */
static hol_status report(hol__kernel *kernel, form f, const char *name, int rank, double share,
                         int refine) {
    kkt *k = kernel->self;
    k->form = f;
    k->refine = refine;
    kernel->info.form = name;
    kernel->info.rank = rank;
    kernel->info.condition = share;
    if (f == BY_DEFLATION || f == BY_MINNORM) kernel->info.fallbacks++;
    return HOL_OK;
}

/* The dense path for any rank. */
static hol_status factor_minnorm(hol__kernel *kernel) {
    kkt *k = kernel->self;
    if (!k->minnorm) return HOL_SINGULAR;
    hol_status status = hol__minnorm_prepare(k->minnorm, 1);
    if (status == HOL_OK) status = hol__minnorm_factor(k->minnorm);
    if (status != HOL_OK) return status;
    const int rank = k->system.m - k->minnorm->n_null;
    return report(kernel, BY_MINNORM, "complete orthogonal", rank, k->minnorm->share, 0);
}

/* E: W to unit diagonal, then the rows of A to unit length. */
static void equilibrate(kkt *k) {
    const hol__csr *W = k->system.W, *A = k->system.A;
    const int n = k->system.n;
    double most = 0;
    for (int i = 0; i < n; i++) k->E[i] = 0;
    for (int i = 0; i < n; i++)
        for (int p = W->ptr[i]; p < W->ptr[i + 1]; p++)
            if (W->idx[p] == i) k->E[i] = W->x[p];
    for (int i = 0; i < n; i++) most = fmax(most, k->E[i]);
    if (!(most > 0)) most = 1;
    /* Massless columns are scaled as the heaviest. */
    for (int i = 0; i < n; i++) k->E[i] = 1 / sqrt(k->E[i] > 1e-12 * most ? k->E[i] : most);
    for (int r = 0; r < A->rows; r++) {
        double sum = 0;
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++)
            sum += A->x[p] * A->x[p] * k->E[A->idx[p]] * k->E[A->idx[p]];
        k->E[n + r] = sum > 0 ? 1 / sqrt(sum) : 1;
    }
}

/* Lower triangle of E K E into the dense factorisation. */
static void fill_dense(kkt *k) {
    const hol__pattern *pt = &k->pattern;
    const size_t size = (size_t)k->bk->n;
    for (size_t i = 0; i < size * size; i++) k->bk->a[i] = 0;
    for (int e = 0; e < pt->nw + pt->na; e++) {
        const double x = e < pt->nw ? k->system.W->x[pt->from[e]] : k->system.A->x[pt->from[e]];
        k->bk->a[(size_t)pt->col[e] * size + (size_t)pt->row[e]] =
            x * k->E[pt->row[e]] * k->E[pt->col[e]];
    }
}

static hol_status factor_dense(hol__kernel *kernel) {
    kkt *k = kernel->self;
    if (k->minnorm && k->minnorm->n_null > 0) return factor_minnorm(kernel);
    double low, high;
    equilibrate(k);
    fill_dense(k);
    const int info = hol__bk_factor(k->bk);
    hol__bk_pivots(k->bk, &low, &high);
    if (!isfinite(high)) return HOL_NONFINITE;
    const double ratio = k->bk->n == 0 ? 1 : info != 0 || !(high > 0) ? 0 : low / high;
    if (!(ratio > HOL__DEFLATE_PIVOT)) return factor_minnorm(kernel);
    return report(kernel, BY_DENSE, "dense LDL^T", k->system.m, sqrt(ratio),
                  ratio < REFINE_BELOW ? REFINEMENTS : 0);
}

/* W is singular: LU with pivoting, or the dense form. */
static hol_status factor_singular_mass(hol__kernel *kernel) {
    kkt *k = kernel->self;
    const hol__pattern *pt = &k->pattern;
    if (!k->klu && !k->bk)
        return hol__report(kernel->arena.ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
                           "the mass matrix is singular and the system is too large for the dense "
                           "path: not built with SuiteSparse");
    if (!k->klu) return factor_dense(kernel);
    if (k->minnorm && k->minnorm->n_null > 0) return factor_minnorm(kernel);
    for (int e = 0; e < pt->nw + pt->na; e++) {
        const double x = e < pt->nw ? k->system.W->x[pt->from[e]] : k->system.A->x[pt->from[e]];
        k->lu_x[k->lower[e]] = x;
        if (k->upper[e] >= 0) k->lu_x[k->upper[e]] = x;
    }
    const hol_status status = hol__klu_factor(k->klu, k->lu_x);
    const double ratio = hol__klu_rcond(k->klu);
    if (status != HOL_OK && status != HOL_SINGULAR) return status;
    if (k->minnorm && !(ratio > HOL__DEFLATE_PIVOT)) return factor_minnorm(kernel);
    if (status != HOL_OK) return status;
    return report(kernel, BY_LU, "sparse LU", k->system.m, sqrt(ratio), REFINEMENTS);
}

/* Some pivots were dropped: of W, then it is singular; of constraints, then deflation takes
 * them. */
static hol_status factor_dropped(hol__kernel *kernel) {
    kkt *k = kernel->self;
    for (int i = 0; i < k->ldl->n_dropped; i++)
        if (k->ldl->perm[k->ldl->dropped[i]] < k->system.n) {
            k->mass_singular = RETRY_AFTER;
            return factor_singular_mass(kernel);
        }
    const hol_status status = hol__deflate_take(k->deflate, k->ldl, k->system.n);
    if (status == HOL_SINGULAR) return factor_minnorm(kernel);
    if (status != HOL_OK) return status;
    return report(kernel, BY_DEFLATION, "sparse LDL^T, deflated", k->system.m - k->deflate->n_null,
                  fmin(sqrt(k->ldl->smallest), k->deflate->share), REFINEMENTS);
}

/* The values of W and A to their places in the factor. */
static void gather(const kkt *k) {
    const hol__pattern *pt = &k->pattern;
    const int *restrict from = pt->from, *restrict to = k->to;
    const double *restrict wx = k->system.W->x, *restrict ax = k->system.A->x;
    double *restrict value = k->ldl->value;
    hol__ldl_clear(k->ldl);
    for (int e = 0; e < pt->nw; e++) value[to[e]] = wx[from[e]];
    from += pt->nw;
    to += pt->nw;
    for (int e = 0; e < pt->na; e++) value[to[e]] = ax[from[e]];
}

/* The static factorisation; with more weak rows than deflation has room for, only the dependent
 * ones are dropped. Returns the number of dropped pivots, -1 when a value is not finite. */
static int factor_static(const kkt *k) {
    gather(k);
    int dropped = hol__ldl_factor(k->ldl);
    if (dropped <= k->deflate->most) return dropped;
    hol__deflate_relax(k->ldl, k->system.n);
    gather(k);
    dropped = hol__ldl_factor(k->ldl);
    hol__deflate_arm(k->deflate, k->ldl, k->system.n);
    return dropped;
}

static hol_status factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    kkt *k = kernel->self;
    k->system.W = W;
    k->system.A = A;
    if (!k->ldl) return factor_dense(kernel);
    if (k->mass_singular > 0 && k->mass_singular-- > 0) return factor_singular_mass(kernel);
    const int dropped = factor_static(k);
    if (dropped < 0) return HOL_NONFINITE;
    if (dropped > 0) return factor_dropped(kernel);
    const double ratio = k->ldl->smallest;
    return report(kernel, BY_LDL, "sparse LDL^T", k->system.m, sqrt(ratio),
                  ratio < REFINE_BELOW ? REFINEMENTS : 0);
}

/* ---- solution ---- */

/* By the static factorisation; dropped constraints have mu = 0. */
static void apply_ldl(void *self, const double *f, const double *c, double *x, double *mu) {
    const kkt *k = self;
    const int n = k->system.n, m = k->system.m, *restrict place = k->ldl->place;
    double *restrict w = k->w;
    for (int i = 0; i < n; i++) w[place[i]] = f ? f[i] : 0;
    for (int i = 0; i < m; i++) w[place[n + i]] = c ? c[i] : 0;
    hol__ldl_solve_places(k->ldl, w);
    for (int i = 0; i < n; i++) x[i] = w[place[i]];
    if (mu)
        for (int i = 0; i < m; i++) mu[i] = w[place[n + i]];
}

/* By the dense factorisation, z = E (E K E)^-1 E b. */
static void apply_dense(void *self, const double *f, const double *c, double *x, double *mu) {
    const kkt *k = self;
    const int n = k->system.n, m = k->system.m;
    double *z = k->E + n + m;
    for (int i = 0; i < n; i++) z[i] = f ? k->E[i] * f[i] : 0;
    for (int i = 0; i < m; i++) z[n + i] = c ? k->E[n + i] * c[i] : 0;
    if (n + m > 0) hol__bk_solve(k->bk, z);
    for (int i = 0; i < n; i++) x[i] = k->E[i] * z[i];
    for (int i = 0; i < m; i++) mu[i] = k->E[n + i] * z[n + i];
}

/* By the sparse LU. */
static void apply_lu(void *self, const double *f, const double *c, double *x, double *mu) {
    kkt *k = self;
    const int n = k->system.n, m = k->system.m;
    for (int i = 0; i < n; i++) k->w[i] = f ? f[i] : 0;
    for (int i = 0; i < m; i++) k->w[n + i] = c ? c[i] : 0;
    hol__klu_solve(k->klu, k->w);
    for (int i = 0; i < n; i++) x[i] = k->w[i];
    for (int i = 0; i < m; i++) mu[i] = k->w[n + i];
}

/* Deflated; made again by the dense path where refinement does not converge. */
static hol_status solve_deflated(hol__kernel *kernel, const double *f, const double *c, double *x,
                                 double *mu) {
    kkt *k = kernel->self;
    const double omega = hol__deflate_solve(k->deflate, f, c, x, mu);
    if (omega < OMEGA_BAD || !k->minnorm) return HOL_OK;
    const hol_status status = factor_minnorm(kernel);
    if (status == HOL_OK) hol__minnorm_solve(k->minnorm, f, c, x, mu);
    return status;
}

static hol_status solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu) {
    kkt *k = kernel->self;
    switch (k->form) {
    case BY_LDL:
        if (k->refine == 0)
            apply_ldl(k, f, c, x, mu);
        else
            hol__saddle_solve(&k->system, apply_ldl, k, f, c, x, mu, k->refine);
        break;
    case BY_DEFLATION: return solve_deflated(kernel, f, c, x, mu);
    case BY_LU: hol__saddle_solve(&k->system, apply_lu, k, f, c, x, mu, k->refine); break;
    case BY_DENSE: hol__saddle_solve(&k->system, apply_dense, k, f, c, x, mu, k->refine); break;
    case BY_MINNORM: hol__minnorm_solve(k->minnorm, f, c, x, mu); break;
    }
    return HOL_OK;
}

const hol__kernel_type hol__kernel_kkt = {
    .name = "kkt",
    .title = "Lagrange multipliers: the whole system [W A^T; A 0]",
    .flags = HOL__KERNEL_REDUNDANT | HOL__KERNEL_SINGULAR_MASS | HOL__KERNEL_SPARSE |
             HOL__KERNEL_MULTIPLIERS,
    .create = create,
    .factor = factor,
    .solve = solve,
    .destroy = destroy,
};
