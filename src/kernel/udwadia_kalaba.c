/* udwadia_kalaba.c: the explicit equation of motion with a weighted pseudoinverse [PV 89; BG 13].
 *
 *     W = U^T U, C = A U^-1, a = W^-1 f,   x = a + U^-1 C^+ (c - A a)
 *
 * With U = L^T and C = H^T this is, term by term, minnorm.h:
 *     xi = U x = (I - C^+ C) U^-T f + C^+ c
 * where C^+ is applied through a complete orthogonal decomposition of H = C^T with columns of unit
 * length, and mu = (C^T)^+ (U^-T f - U x) is the least-norm multiplier. Valid at any rank. Where W
 * is only semi-definite W + A^T G A stands for it, with the same solution.
 * Cost: n^3/3 for U, n^2 m for C, 2 m^2 n for the decomposition; dense.
 */
#include "kernel/kernel.h"
#include "kernel/minnorm.h"

/* Below this share of a constraint solutions are refined. */
#define REFINE_BELOW 3e-3

typedef struct udwadia_kalaba {
    hol__saddle system;
    hol__minnorm *minnorm;
} udwadia_kalaba;

static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    udwadia_kalaba *u = kernel->self = HOL__NEW(arena, udwadia_kalaba);
    if (!u || !hol__saddle_init(&u->system, arena, W->rows, A->rows, &kernel->info.refinements))
        return HOL_ERR_MEMORY;
    u->minnorm =
        hol__minnorm_new(arena, &u->system, options->rank_tolerance, options->release_tolerance);
    return u->minnorm ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    udwadia_kalaba *u = kernel->self;
    u->system.W = W;
    u->system.A = A;
    hol_status status = hol__minnorm_prepare(u->minnorm, 1);
    if (status == HOL_OK) status = hol__minnorm_factor(u->minnorm);
    if (status != HOL_OK) return status;
    kernel->info.form = "complete orthogonal";
    kernel->info.rank = A->rows - u->minnorm->n_null;
    kernel->info.condition = u->minnorm->share;
    if (u->minnorm->n_null > 0) kernel->info.fallbacks++;
    return HOL_OK;
}

static hol_status solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu) {
    udwadia_kalaba *u = kernel->self;
    if (u->minnorm->share < REFINE_BELOW || u->minnorm->augmented)
        hol__minnorm_solve(u->minnorm, f, c, x, mu);
    else
        hol__minnorm_apply(u->minnorm, f, c, x, mu ? mu : u->system.mu);
    return HOL_OK;
}

const hol__kernel_type hol__kernel_udwadia_kalaba = {
    .name = "udwadia-kalaba",
    .title = "Udwadia-Kalaba: weighted pseudoinverse of the constraints",
    .flags = HOL__KERNEL_REDUNDANT | HOL__KERNEL_SINGULAR_MASS | HOL__KERNEL_MULTIPLIERS,
    .create = create,
    .factor = factor,
    .solve = solve,
};
