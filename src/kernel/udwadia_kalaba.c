/* udwadia_kalaba.c: the explicit equation of motion with a weighted pseudoinverse [PV 89; BG 13].
 *
 *     W = U^T U, C = A U^-1, a = W^-1 f,   x = a + U^-1 C^+ (c - A a)
 *
 * The form pseudoinverse, the method as it is printed: with U = L^T and C = H^T this is, term by
 * term, minnorm.h:
 *     xi = U x = (I - C^+ C) U^-T f + C^+ c
 * where C^+ is applied through a complete orthogonal decomposition of H = C^T with columns of unit
 * length, and mu = (C^T)^+ (U^-T f - U x) is the least-norm multiplier. Valid at any rank. Where W
 * is only semi-definite W + A^T G A stands for it, with the same solution. U keeps the envelope of
 * W. Cost: the blocks of W for U, a row of A each for C, 2 m^2 n for the decomposition, which is
 * dense: no sparse decomposition that shows the rank is at hand.
 *
 * The form range-space: C^+ = C^T (C C^T)^-1 [PV 88] through the static factorisation of
 * C C^T = A W^-1 A^T, which is the kernel schur, to the bit: as it stands while the rows of C are
 * well apart, refined and deflated, which keeps C^+ for dependent rows, where they are not. Small
 * systems, whose decomposition is cheap, take the other form there instead; so does a semi-definite
 * W, up to a size at which it is kept ready.
 */
#include "kernel/kernel.h"
#include "kernel/minnorm.h"

/* Up to this size n + m the decomposition is kept for W of any rank. */
enum { KEPT = 1200 };

typedef struct udwadia_kalaba {
    hol__saddle system;
    hol__minnorm *minnorm; /* NULL: not kept */
    hol__kernel *sparse;   /* range-space; NULL: pseudoinverse only */
    int by_sparse;         /* what the last factorisation took */
} udwadia_kalaba;

static hol_status create(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                         const hol__kernel_options *options) {
    hol__arena *arena = &kernel->arena;
    const int size = W->rows + A->rows;
    udwadia_kalaba *u = kernel->self = HOL__NEW(arena, udwadia_kalaba);
    if (!u || !hol__saddle_init(&u->system, arena, W->rows, A->rows, &kernel->info.refinements))
        return HOL_ERR_MEMORY;
    hol_status status = HOL_OK;
    if (options->uk_form == HOL__UK_RANGE_SPACE)
        status = hol__kernel_new(arena->ctx, &hol__kernel_schur, W, A, options, &u->sparse);
    if (status != HOL_OK || (u->sparse && size > KEPT)) return status;
    u->minnorm = hol__minnorm_new(arena, &u->system, options->rank_tolerance,
                                  options->release_tolerance, W->root != NULL);
    if (!u->minnorm) return HOL_ERR_MEMORY;
    return u->sparse || W->root || hol__minnorm_prefer_plain(u->minnorm, arena, W) ? HOL_OK
                                                                                   : HOL_ERR_MEMORY;
}

static void destroy(hol__kernel *kernel) {
    udwadia_kalaba *u = kernel->self;
    if (u) hol__kernel_free(u->sparse);
}

static hol_status factor_dense(hol__kernel *kernel) {
    udwadia_kalaba *u = kernel->self;
    hol_status status = hol__minnorm_prepare(u->minnorm, 1);
    if (status == HOL_OK) status = hol__minnorm_factor(u->minnorm);
    if (status != HOL_OK) return status;
    kernel->info.form = "pseudoinverse";
    kernel->info.rank = u->system.m - u->minnorm->n_null;
    kernel->info.condition = u->minnorm->share;
    if (u->minnorm->n_null > 0) kernel->info.fallbacks++;
    u->by_sparse = 0;
    return HOL_OK;
}

/* Whether the decomposition is the better choice for what the sparse form has found. */
static int wants_dense(const udwadia_kalaba *u) {
    const hol__kernel_info *found = &u->sparse->info;
    return u->minnorm && u->system.n + u->system.m <= HOL__MINNORM_SIZE &&
           (found->rank < u->system.m || found->condition < HOL__REFINE_SHARE);
}

static hol_status factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    udwadia_kalaba *u = kernel->self;
    u->system.W = W;
    u->system.A = A;
    /* what factor_dense found dependent it judges again itself, until nothing is (n_null = 0) */
    if (!u->sparse || (u->minnorm && u->minnorm->n_null > 0)) return factor_dense(kernel);
    const hol_status status = kernel->again ? hol__kernel_factor_again(u->sparse, W, A)
                                            : hol__kernel_factor(u->sparse, W, A);
    if (status == HOL_SINGULAR && u->minnorm) return factor_dense(kernel);
    if (status != HOL_OK) return status;
    if (wants_dense(u)) return factor_dense(kernel);
    kernel->info.form = u->sparse->info.form;
    kernel->info.rank = u->sparse->info.rank;
    kernel->info.condition = u->sparse->info.condition;
    kernel->info.fallbacks = u->sparse->info.fallbacks;
    u->by_sparse = 1;
    return HOL_OK;
}

static hol_status solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                        double *mu) {
    udwadia_kalaba *u = kernel->self;
    if (u->by_sparse) {
        const hol_status status = hol__kernel_solve(u->sparse, f, c, x, mu);
        kernel->info.refinements = u->sparse->info.refinements;
        return status;
    }
    if (u->minnorm->share < HOL__REFINE_SHARE || u->minnorm->augmented)
        hol__minnorm_solve(u->minnorm, f, c, x, mu);
    else
        hol__minnorm_apply(u->minnorm, f, c, x, mu || u->minnorm->by_envelope ? mu : u->system.mu);
    return HOL_OK;
}

static void remember(hol__kernel *kernel, hol__archive *archive) {
    udwadia_kalaba *u = kernel->self;
    if (u->minnorm) HOL__ARCHIVE(archive, u->minnorm->n_null);
    if (u->sparse) hol__kernel_remember(u->sparse, archive);
}

const hol__kernel_type hol__kernel_udwadia_kalaba = {
    .name = "udwadia-kalaba",
    .flags = HOL__KERNEL_GENERAL | HOL__KERNEL_APART,
    .title = "Udwadia-Kalaba: pseudoinverse of A W^-1/2 (uk_form: range-space is the kernel schur)",
    HOL__KERNEL_FUNCTIONS,
};
