/* nullspace.c: the constrained solve within the null space of A, by a basis R of it (basis.h).
 *
 * Reduced [GJB 5.67], the default:
 *     (R^T W R) z = R^T (f - W S c),   x = S c + R z        Cholesky of R^T W R, (n - r)^3/6
 * Stacked [GJB 5.17], r the rank of A:
 *     [A; R^T W] x = [c; R^T f]
 *   The upper part is factored already, by the basis: S and R solve A x = c. In
 *     [A; R^T W] [S R] = [1 0; R^T W S  R^T W R]
 *   only the last block is left to factor, LU with full pivoting, (n - r)^3/3. The elimination of
 *   the upper part from the rows R^T W takes their product with S c from R^T f. That is GJB's "very
 *   little additional effort", and why the two forms cost about the same.
 * c is projected on the range of A first (least squares where it is inconsistent); mu is the
 * least-norm solution of A^T mu = f - W x from the factorisation of the basis, or the one that the
 * local frames of the basis local give.
 * W need only be definite on the null space of A. Dense; products W R cost (n - r) nnz(W).
 */
#include "kernel/basis.h"
#include "kernel/kernel.h"
#include "kernel/saddle.h"
#include "la/dense.h"
#include "la/lufp.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 3 };

typedef struct nullspace {
    hol__saddle system;
    hol__basis *basis;
    hol__nullspace_form form;
    hol__reactions reactions;
    int refine;
    double *WR, *G;  /* n x (n - r), (n - r) x (n - r) */
    hol__lufp *last; /* stacked: the block R^T W R */
    double *unit;    /* n: reduced: diagonal of R^T W R; stacked: 1 / its root */
    double *t, *g;   /* n */
} nullspace;

/* The basis that the options ask for. */
static hol__basis *new_basis(hol__arena *arena, const hol__csr *A,
                             const hol__kernel_options *options) {
    const double tolerance = options->rank_tolerance, release = options->release_tolerance;
    if (options->blocks)
        return hol__basis_new_local(arena, options->blocks, A->cols, tolerance, release);
    if (options->storage == HOL__STORAGE_DENSE)
        return hol__basis_new(arena, options->basis, A->cols, A->rows, tolerance, release);
    return hol__basis_new_sparse(arena, options->basis, A, tolerance, release);
}

static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    const int n = W->rows, m = A->rows;
    nullspace *s = kernel->self = HOL__NEW(arena, nullspace);
    if (!s || !hol__saddle_init(&s->system, arena, n, m, &kernel->info.refinements))
        return HOL_ERR_MEMORY;
    s->form = options->form;
    s->reactions = options->reactions;
    s->basis = new_basis(arena, A, options);
    s->WR = HOL__NEW_N(arena, double, 2 * (size_t)n * (size_t)n);
    s->unit = HOL__NEW_N(arena, double, 3 * (size_t)n);
    if (!s->basis || !s->WR || !s->unit) return HOL_ERR_MEMORY;
    s->G = s->WR + (size_t)n * (size_t)n;
    s->g = s->unit + n;
    s->t = s->g + n;
    if (s->form == HOL__NULLSPACE_STACKED) s->last = hol__lufp_new(arena, n, n);
    return s->form == HOL__NULLSPACE_STACKED && !s->last ? HOL_ERR_MEMORY : HOL_OK;
}

/* ---- factorisation ---- */

/* WR = W R. */
static void form_product(const nullspace *s, const hol__csr *W) {
    const size_t n = (size_t)s->system.n;
    const int f = s->system.n - s->basis->rank;
    for (int k = 0; k < f; k++) hol__csr_mul(W, s->basis->R + (size_t)k * n, s->WR + (size_t)k * n);
}

/* R^T W R = L L^T. */
static hol_status factor_reduced(const nullspace *s) {
    const int n = s->system.n, f = n - s->basis->rank;
    const size_t size = (size_t)f;
    if (f == 0) return HOL_OK;
    hol__dense_product(1, 0, f, f, n, s->basis->R, s->WR, s->G);
    for (size_t i = 0; i < size; i++) s->unit[i] = s->G[i * size + i];
    if (hol__chol_factor(f, s->G) != 0) return HOL_SINGULAR;
    for (size_t i = 0; i < size; i++) {
        const double d = s->G[i * size + i];
        if (!(d * d > HOL__MASS_TOLERANCE * s->unit[i])) return HOL_SINGULAR;
    }
    return HOL_OK;
}

/* out (count) = M^T v, M (n x count): few columns, in loops. */
static void times_t(int n, int count, const double *M, const double *v, double *out) {
    for (int k = 0; k < count; k++) {
        const double *column = M + (size_t)k * (size_t)n;
        double sum = 0;
        for (int i = 0; i < n; i++) sum += column[i] * v[i];
        out[k] = sum;
    }
}

/* R^T W R = L U, scaled to a unit diagonal. */
static hol_status factor_stacked(nullspace *s) {
    const hol__basis *b = s->basis;
    const int n = b->n, f = n - b->rank;
    hol__lufp *last = s->last;
    last->n = last->m = f;
    for (int k = 0; k < f; k++)
        times_t(n, f, s->WR, b->R + (size_t)k * (size_t)n, last->b + (size_t)k * (size_t)f);
    for (int k = 0; k < f; k++) {
        const double d = last->b[(size_t)k * (size_t)f + (size_t)k];
        if (!(d > 0)) return HOL_SINGULAR;
        s->unit[k] = 1 / sqrt(d);
    }
    for (int k = 0; k < f; k++)
        for (int i = 0; i < f; i++)
            last->b[(size_t)k * (size_t)f + (size_t)i] *= s->unit[i] * s->unit[k];
    hol__lufp_factor(last);
    return f == 0 || hol__lufp_pivot(last, f - 1) > HOL__MASS_TOLERANCE ? HOL_OK : HOL_SINGULAR;
}

/* Whether the lightest motion is lost in rounding of the heaviest: R mixes both by eps, so that
 * R^T W R is off by eps times the largest mass. */
static int is_lost(const nullspace *s, const hol__csr *W) {
    const size_t f = (size_t)(s->system.n - s->basis->rank);
    double heavy = 0, light = HUGE_VAL;
    for (int p = 0; p < W->ptr[W->rows]; p++) heavy = fmax(heavy, fabs(W->x[p]));
    for (size_t k = 0; k < f; k++) {
        const double d = s->form == HOL__NULLSPACE_REDUCED ? s->G[k * f + k] : 1 / s->unit[k];
        light = fmin(light, d * d);
    }
    return light < HOL__REFINE_PIVOT * heavy;
}

static hol_status factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    nullspace *s = kernel->self;
    const hol__basis *b = s->basis;
    s->system.W = W;
    s->system.A = A;
    if (!hol__csr_is_finite(W)) return HOL_NONFINITE;
    hol_status status = hol__basis_factor(s->basis, A);
    if (kernel->again) s->basis->factorizations--;
    if (status != HOL_OK) return status;
    form_product(s, W);
    status = s->form == HOL__NULLSPACE_REDUCED ? factor_reduced(s) : factor_stacked(s);
    s->refine =
        b->share < HOL__REFINE_SHARE || (b->type->flags & HOL__BASIS_SQUARED) || is_lost(s, W)
            ? REFINEMENTS
            : 0;
    kernel->info.form = b->type->title;
    kernel->info.rank = b->rank;
    kernel->info.condition = b->share;
    kernel->info.switches = b->switches;
    if (status == HOL_OK && b->n_null > 0) kernel->info.fallbacks++;
    return status;
}

/* ---- solution ---- */

/* x = S c + R (R^T W R)^-1 R^T (f - W S c), c in the range of A. */
static void solve_reduced(nullspace *s, const double *f, const double *c, double *x) {
    const int n = s->system.n, free = n - s->basis->rank;
    for (int i = 0; i < n; i++) s->g[i] = f ? f[i] : 0;
    for (int i = 0; i < n; i++) x[i] = 0;
    if (c) {
        hol__basis_particular(s->basis, c, x);
        hol__csr_mul_add(s->system.W, -1, x, s->g);
    }
    if (free == 0) return;
    hol__dense_mul_t(n, free, 1, s->basis->R, s->g, 0, s->t);
    hol__chol_solve(free, 1, s->G, s->t);
    hol__dense_mul(n, free, 1, s->basis->R, s->t, 1, x);
}

/* x from [A; R^T W] x = [c; R^T f], c in the range of A: S c from the upper part, then the last
 * block. */
static void solve_stacked(nullspace *s, const double *f, const double *c, double *x) {
    const hol__basis *b = s->basis;
    const int n = b->n, free = n - b->rank;
    for (int k = 0; k < free; k++) s->t[k] = 0;
    if (f) times_t(n, free, b->R, f, s->t);
    for (int i = 0; i < n; i++) x[i] = 0;
    if (c) {
        hol__basis_particular(s->basis, c, x);
        times_t(n, free, s->WR, x, s->g);
        for (int k = 0; k < free; k++) s->t[k] -= s->g[k];
    }
    for (int k = 0; k < free; k++) s->t[k] *= s->unit[k];
    hol__lufp_solve(s->last, free, s->t, s->g);
    for (int k = 0; k < free; k++) {
        const double z = s->unit[k] * s->g[k], *r = b->R + (size_t)k * (size_t)n;
        for (int i = 0; i < n; i++) x[i] += z * r[i];
    }
}

/* hol__saddle_apply; mu may be NULL. */
static void apply(void *self, const double *f, const double *c, double *x, double *mu) {
    nullspace *s = self;
    const hol__saddle *system = &s->system;
    if (c) {
        /* dmu is free until mu is written, also where mu is dmu. */
        hol__basis_project(s->basis, c, system->dmu);
        c = system->dmu;
    }
    if (s->form == HOL__NULLSPACE_REDUCED)
        solve_reduced(s, f, c, x);
    else
        solve_stacked(s, f, c, x);
    if (!mu) return;
    for (int i = 0; i < system->n; i++) s->g[i] = f ? f[i] : 0;
    hol__csr_mul_add(system->W, -1, x, s->g);
    if (s->reactions == HOL__REACTIONS_LOCAL)
        hol__basis_local_reactions(s->basis, s->g, mu);
    else
        hol__basis_multipliers(s->basis, s->g, mu);
}

static hol_status solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu) {
    nullspace *s = kernel->self;
    if (s->refine == 0) {
        apply(s, f, c, x, mu);
        return HOL_OK;
    }
    if (!mu) mu = s->system.mu;
    if (c) hol__basis_project(s->basis, c, s->system.c);
    hol__saddle_solve(&s->system, apply, s, f, c ? s->system.c : NULL, x, mu, s->refine);
    if (s->reactions == HOL__REACTIONS_KERNEL)
        hol__project_out(s->system.m, s->basis->n_null, s->basis->N, mu);
    return HOL_OK;
}

static void remember(hol__kernel *kernel, hol__archive *archive) {
    nullspace *s = kernel->self;
    hol__basis_remember(s->basis, archive);
}

const hol__kernel_type hol__kernel_nullspace = {
    .name = "nullspace",
    .flags = HOL__KERNEL_REDUNDANT | HOL__KERNEL_SINGULAR_MASS | HOL__KERNEL_MULTIPLIERS |
             HOL__KERNEL_BASIS | HOL__KERNEL_APART,
    .title = "Null space: W within a basis of the directions that A allows",
    .create = create,
    .factor = factor,
    .solve = solve,
    .remember = remember,
};
