/* nullspace.c: the constrained solve within the null space of A, by a basis R of it (basis.h).
 *
 * Reduced [GJB 5.67], the default:
 *     (R^T W R) z = R^T (f - W S c),   x = S c + R z        Cholesky of R^T W R, (n - r)^3/6
 * Stacked [GJB 5.17], r the rank of A, rows of unit length:
 *     [A; R^T W] x = [c; R^T f]        LU when r = m, n^3/3; otherwise the system has m - r rows
 *                                      too many, all consistent, and QR with pivoting solves it
 * c is projected on the range of A first (least squares where it is inconsistent); mu is the
 * least-norm solution of A^T mu = f - W x from the factorisation of the basis, or the one that the
 * local frames of the basis local give.
 * W need only be definite on the null space of A. Dense; products W R cost (n - r) nnz(W).
 */
#include "kernel/basis.h"
#include "kernel/kernel.h"
#include "kernel/saddle.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 3 };

typedef struct nullspace {
    hol__saddle system;
    hol__basis *basis;
    hol__nullspace_form form;
    hol__reactions reactions;
    int refine, square;
    double *WR, *G; /* n x (n - r), (n - r) x (n - r) */
    hol__lu *lu;    /* stacked, square */
    hol__qrp *qr;   /* stacked, too many rows */
    double *unit;   /* n: 1 / length of the rows of R^T W */
    double *t, *g;  /* n + m, n */
} nullspace;

static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    const int n = W->rows, m = A->rows;
    nullspace *s = kernel->self = HOL__NEW(arena, nullspace);
    if (!s || !hol__saddle_init(&s->system, arena, n, m, &kernel->info.refinements))
        return HOL_ERR_MEMORY;
    s->form = options->form;
    s->reactions = options->reactions;
    s->basis = options->blocks
                   ? hol__basis_new_local(arena, options->blocks, n, options->rank_tolerance,
                                          options->release_tolerance)
                   : hol__basis_new(arena, options->basis, n, m, options->rank_tolerance,
                                    options->release_tolerance);
    s->WR = HOL__NEW_N(arena, double, 2 * (size_t)n * (size_t)n);
    s->unit = HOL__NEW_N(arena, double, 3 * (size_t)n + (size_t)m);
    if (!s->basis || !s->WR || !s->unit) return HOL_ERR_MEMORY;
    s->G = s->WR + (size_t)n * (size_t)n;
    s->g = s->unit + n;
    s->t = s->g + n;
    if (s->form == HOL__NULLSPACE_STACKED) {
        s->lu = hol__lu_new(arena, n);
        s->qr = hol__qrp_new(arena, n + m, n);
        if (!s->lu || !s->qr) return HOL_ERR_MEMORY;
    }
    return HOL_OK;
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

/* The stacked matrix into a with leading dimension rows; the rows of R^T W with unit length. */
static void stack(const nullspace *s, int rows, double *a) {
    const hol__basis *b = s->basis;
    const size_t n = (size_t)b->n, m = (size_t)b->m, ld = (size_t)rows;
    for (size_t k = 0; k < n - (size_t)b->rank; k++) {
        const double *w = s->WR + k * n;
        double sum = 0;
        for (size_t j = 0; j < n; j++) sum += w[j] * w[j];
        s->unit[k] = sum > 0 ? 1 / sqrt(sum) : 1;
        for (size_t j = 0; j < n; j++) a[j * ld + m + k] = s->unit[k] * w[j];
    }
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) a[j * ld + i] = b->At[i * n + j];
}

/* The smallest diagonal entry of a triangle with leading dimension ld and unit rows before. */
static double smallest_pivot(int n, const double *a, int ld) {
    double least = HUGE_VAL;
    for (int i = 0; i < n; i++) least = fmin(least, fabs(a[(size_t)i * (size_t)ld + (size_t)i]));
    return least;
}

static hol_status factor_stacked(nullspace *s) {
    const hol__basis *b = s->basis;
    const int n = b->n, rows = n - b->rank + b->m;
    s->square = b->rank == b->m;
    if (n == 0) return HOL_OK;
    if (s->square) {
        stack(s, n, s->lu->a);
        if (hol__lu_factor(s->lu) != 0) return HOL_SINGULAR;
        return smallest_pivot(n, s->lu->a, n) > HOL__MASS_TOLERANCE ? HOL_OK : HOL_SINGULAR;
    }
    s->qr->m = rows;
    stack(s, rows, s->qr->a);
    if (hol__qrp_factor(s->qr) != 0) return HOL_SINGULAR;
    return smallest_pivot(n, s->qr->a, rows) > HOL__MASS_TOLERANCE ? HOL_OK : HOL_SINGULAR;
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
        b->share < HOL__REFINE_SHARE || (b->type->flags & HOL__BASIS_SQUARED) ? REFINEMENTS : 0;
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

/* [A; R^T W] x = [c; R^T f] with the rows scaled. */
static void solve_stacked(nullspace *s, const double *f, const double *c, double *x) {
    const hol__basis *b = s->basis;
    const int n = b->n, m = b->m, free = n - b->rank;
    double *t = s->t;
    if (n == 0) return;
    for (int i = 0; i < m; i++) t[i] = c ? b->scale[i] * c[i] : 0;
    for (int i = 0; i < free; i++) t[m + i] = 0;
    if (f && free > 0) hol__dense_mul_t(n, free, 1, b->R, f, 0, t + m);
    for (int i = 0; i < free; i++) t[m + i] *= s->unit[i];
    if (s->square) {
        hol__lu_solve(s->lu, 0, t);
        for (int i = 0; i < n; i++) x[i] = t[i];
        return;
    }
    hol__qrp_apply(s->qr, n, 1, t);
    hol__upper_solve(n, s->qr->a, s->qr->m, t);
    for (int i = 0; i < n; i++) x[s->qr->column[i]] = t[i];
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
             HOL__KERNEL_BASIS,
    .title = "Null space: W within a basis of the directions that A allows",
    .create = create,
    .factor = factor,
    .solve = solve,
    .remember = remember,
};
