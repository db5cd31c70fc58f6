/* kernel.c: the table of kernels, and their common life: new, factor, solve, free. */
#include "kernel/aside.h"
#include "kernel/basis.h"
#include "kernel/kernel.h"

#include <string.h>

static const hol__kernel_type *const types[] = {
    &hol__kernel_kkt,
    &hol__kernel_schur,
    &hol__kernel_penalty,
    &hol__kernel_augmented_lagrangian,
    &hol__kernel_udwadia_kalaba,
    &hol__kernel_nullspace,
    &hol__kernel_open_chain,
};

enum { TYPES = sizeof types / sizeof *types };

const hol__kernel_type *hol__kernel_get(int i) {
    return i >= 0 && i < TYPES ? types[i] : NULL;
}

const hol__kernel_type *hol__kernel_find(const char *name) {
    for (int i = 0; i < TYPES; i++)
        if (strcmp(types[i]->name, name) == 0) return types[i];
    return NULL;
}

/* The options with defaults where nothing is said. */
static hol__kernel_options complete(const hol__kernel_options *options) {
    hol__kernel_options o =
        options ? *options : (hol__kernel_options){.storage = HOL__STORAGE_AUTO};
    if (!(o.rank_tolerance > 0)) o.rank_tolerance = HOL__RANK_TOLERANCE;
    if (!(o.release_tolerance > 0)) o.release_tolerance = HOL__RELEASE_TOLERANCE;
    if (o.release_tolerance < o.rank_tolerance) o.release_tolerance = o.rank_tolerance;
    if (!(o.penalty > 0)) o.penalty = HOL__KERNEL_PENALTY;
    if (o.max_iterations == 0 && !(o.iteration_tolerance < 0))
        o.max_iterations = HOL__KERNEL_MAX_ITERATIONS;
    if (!o.basis) o.basis = &hol__basis_qr;
    return o;
}

const hol__kernel_type *hol__kernel_over_root(const hol__kernel_type *type) {
    const int apart = type == &hol__kernel_kkt || type == &hol__kernel_open_chain;
    return apart || type == &hol__kernel_schur   ? &hol__kernel_schur
           : type == &hol__kernel_udwadia_kalaba ? type
                                                 : NULL;
}

hol_status hol__kernel_new(hol_context *ctx, const hol__kernel_type *type, const hol__csr *W,
                           const hol__csr *A, const hol__kernel_options *options,
                           hol__kernel **kernel) {
    *kernel = NULL;
    if (W->rows != W->cols || A->cols != W->cols)
        return hol__report(ctx, HOL_ERROR, HOL_ERR_ARGUMENT, NULL, NULL,
                           "kernel '%s': W is %d x %d and A is %d x %d; W must be square with as "
                           "many columns as A",
                           type->name, W->rows, W->cols, A->rows, A->cols);
    if (W->root && !hol__kernel_over_root(type)) return HOL_ERR_ARGUMENT;
    hol__kernel *made = hol__alloc(ctx, 1, sizeof *made);
    if (!made) return HOL_ERR_MEMORY;
    made->rooted = W->root != NULL;
    if (W->root) type = hol__kernel_over_root(type);
    made->type = type;
    hol__arena_init(&made->arena, ctx);
    made->info = (hol__kernel_info){.form = "none", .rank = A->rows, .condition = 1};
    hol__kernel_options full = complete(options);
    const hol__set_aside *aside = full.aside;
    full.aside = NULL; /* not for kernels inside */
    hol_status status = type->create(made, W, A, &full);
    if (status == HOL_OK && aside) status = hol__aside_new(made, W, A, &full, aside);
    if (status != HOL_OK) {
        hol__kernel_free(made);
        return status;
    }
    *kernel = made;
    return HOL_OK;
}

void hol__kernel_free(hol__kernel *kernel) {
    if (!kernel) return;
    if (kernel->type->destroy) kernel->type->destroy(kernel);
    hol__aside_free(kernel->aside);
    hol_context *ctx = kernel->arena.ctx;
    hol__arena_free(&kernel->arena);
    hol__release(ctx, kernel);
}

hol_status hol__kernel_factor(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    kernel->info.factorizations++;
    kernel->tag = 0;
    return kernel->aside ? hol__aside_factor(kernel, W, A) : kernel->type->factor(kernel, W, A);
}

hol_status hol__kernel_factor_again(hol__kernel *kernel, const hol__csr *W, const hol__csr *A) {
    kernel->again = 1;
    const hol_status status = hol__kernel_factor(kernel, W, A);
    kernel->again = 0;
    return status;
}

hol_status hol__kernel_solve(hol__kernel *kernel, const double *f, const double *c, double *x,
                             double *mu) {
    return kernel->aside ? hol__aside_solve(kernel, f, c, x, mu)
                         : kernel->type->solve(kernel, f, c, x, mu);
}

hol_status hol__kernel_solve_kept(hol__kernel *kernel, const double *f, const double *c, double *x,
                                  double *mu) {
    return kernel->aside ? hol__aside_solve_kept(kernel, f, c, x, mu)
                         : kernel->type->solve(kernel, f, c, x, mu);
}

void hol__kernel_remember(hol__kernel *kernel, hol__archive *archive) {
    if (kernel->type->remember) kernel->type->remember(kernel, archive);
    if (kernel->aside) hol__aside_remember(kernel->aside, archive);
    if (hol__archive_reads(archive)) kernel->tag = 0;
}

hol_status hol__kernel_remember_as(hol__kernel *dst, hol__kernel *src) {
    hol__archive in = {.mode = HOL__ARCHIVE_READ};
    if (src) {
        hol__archive count = {.mode = HOL__ARCHIVE_COUNT};
        hol__kernel_remember(src, &count);
        if (!dst->bytes) dst->bytes = HOL__NEW_N(&dst->arena, unsigned char, count.size);
        if (!dst->bytes) return HOL_ERR_MEMORY;
        hol__archive out = {.mode = HOL__ARCHIVE_WRITE, .bytes = dst->bytes};
        hol__kernel_remember(src, &out);
        in.bytes = dst->bytes;
    }
    hol__kernel_remember(dst, &in);
    return HOL_OK;
}

hol_status hol__kernel_walk(hol__kernel *kernel, const hol__csr *W, const hol__csr *A,
                            unsigned long stamp, hol__archive *archive) {
    hol__kernel_info *info = &kernel->info;
    int holds = kernel->tag == stamp;
    hol_status status = HOL_OK;
    HOL__ARCHIVE(archive, holds);
    hol__kernel_remember(kernel, archive);
    if (hol__archive_reads(archive) && holds && !archive->mismatch) {
        status = hol__kernel_factor_again(kernel, W, A);
        kernel->tag = status ? 0 : stamp;
    }
    HOL__ARCHIVE(archive, info->rank);
    HOL__ARCHIVE(archive, info->condition);
    HOL__ARCHIVE(archive, info->factorizations);
    HOL__ARCHIVE(archive, info->refinements);
    HOL__ARCHIVE(archive, info->fallbacks);
    HOL__ARCHIVE(archive, info->iterations);
    HOL__ARCHIVE(archive, info->switches);
    return status;
}
