/* paths.c: a static factorisation and the paths for dependent constraints behind it. See
 * paths.h. */
#include "kernel/paths.h"

#include "la/rank.h"

#include <math.h>

/* A solution of the deflated system worse than this (saddle.h) is made again by the decomposition
 * where there is one. */
#define OMEGA_BAD 1e-9

/* ---- creation ---- */

hol_status hol__paths_init(hol__paths *p, hol__kernel *kernel, const hol__csr *W,
                           const hol__csr *A) {
    hol__arena *arena = &kernel->arena;
    p->rooted = W->root != NULL;
    return hol__saddle_init(&p->system, arena, W->rows, A->rows, &kernel->info.refinements) &&
                   hol__pattern_init(&p->pattern, arena, W, A)
               ? HOL_OK
               : HOL_ERR_MEMORY;
}

hol_status hol__paths_add_deflation(hol__paths *p, hol__arena *arena,
                                    const hol__kernel_options *options, hol__saddle_apply *basic,
                                    void *self) {
    p->deflate = hol__deflate_new(arena, &p->system, &p->pattern, basic, self,
                                  options->rank_tolerance, options->release_tolerance);
    if (!p->deflate) return HOL_ERR_MEMORY;
    hol__deflate_arm(p->deflate, p->ldl, p->offset);
    return HOL_OK;
}

hol_status hol__paths_add_minnorm(hol__paths *p, hol__arena *arena,
                                  const hol__kernel_options *options) {
    if (p->ldl && p->system.n + p->system.m > HOL__MINNORM_SIZE) return HOL_OK;
    p->minnorm = hol__minnorm_new(arena, &p->system, options->rank_tolerance,
                                  options->release_tolerance, p->rooted);
    return p->minnorm ? HOL_OK : HOL_ERR_MEMORY;
}

/* ---- factorisation ---- */

hol_status hol__paths_report(hol__kernel *kernel, hol__paths *p, hol__path path, const char *name,
                             int rank, double share, int refine) {
    p->taken = path;
    p->refine = refine;
    kernel->info.form = name;
    kernel->info.rank = rank;
    kernel->info.condition = share;
    if (path == HOL__BY_DEFLATION || path == HOL__BY_MINNORM) kernel->info.fallbacks++;
    return HOL_OK;
}

hol_status hol__paths_report_regular(hol__kernel *kernel, hol__paths *p, hol__path path,
                                     const char *name, double ratio) {
    return hol__paths_report(kernel, p, path, name, p->system.m, sqrt(ratio),
                             ratio < HOL__REFINE_PIVOT ? HOL__REFINEMENTS : 0);
}

int hol__paths_factor_static(hol__paths *p, void (*fill)(const void *self), const void *self) {
    p->fill = fill;
    p->filler = self;
    hol__ldl_clear(p->ldl);
    fill(self);
    int dropped = hol__ldl_factor(p->ldl);
    if (dropped <= 0 || hol__deflate_has_room(p->deflate, p->ldl, p->offset)) return dropped;
    hol__deflate_relax(p->deflate, p->ldl, p->offset);
    hol__ldl_clear(p->ldl);
    fill(self);
    dropped = hol__ldl_factor(p->ldl);
    hol__deflate_arm(p->deflate, p->ldl, p->offset);
    return dropped;
}

/* The dropped rows do not depend. In a large system rounding may have grown, from one loop of a
 * chain to the next, until it passed for the pivot of a row that does: then the rows that an
 * analysis by pivoting sets aside are left out. Whether these are there, and depend. */
static int takes_chosen(hol__kernel *kernel, hol__paths *p, hol_status *status) {
    hol__deflate *d = p->deflate;
    hol__rank_result found = {.aside = d->in};
    if (p->minnorm) return 0;
    *status = hol__rank_analyse(kernel->arena.ctx, p->system.A, d->tolerance, &found);
    if (*status || found.rank == p->system.m) return 0;
    hol__deflate_choose(d, p->ldl, p->offset);
    *status = hol__paths_factor_static(p, p->fill, p->filler) < 0
                  ? HOL_NONFINITE
                  : hol__deflate_take(d, p->ldl, p->offset);
    return !*status && hol__deflate_depends(d);
}

hol_status hol__paths_factor_dropped(hol__kernel *kernel, hol__paths *p, const char *name) {
    hol_status status = hol__deflate_take(p->deflate, p->ldl, p->offset);
    p->gave_up &= kernel->again;
    const int misled =
        status == HOL_OK && !hol__deflate_depends(p->deflate) && !takes_chosen(kernel, p, &status);
    if (status != HOL_OK && status != HOL_SINGULAR) return status;
    if (misled) {
        hol__deflate_forget(p->deflate, p->ldl, p->offset);
        return p->factor_light ? p->factor_light(kernel) : hol__paths_factor_minnorm(kernel, p);
    }
    if (status == HOL_SINGULAR || p->gave_up) return hol__paths_factor_minnorm(kernel, p);
    return hol__paths_report(kernel, p, HOL__BY_DEFLATION, name, p->system.m - p->deflate->n_null,
                             fmin(sqrt(p->ldl->smallest), p->deflate->share), HOL__REFINEMENTS);
}

hol_status hol__paths_factor_prepared(hol__kernel *kernel, hol__paths *p) {
    const hol_status status = hol__minnorm_factor(p->minnorm);
    if (status != HOL_OK) return status;
    return hol__paths_report(kernel, p, HOL__BY_MINNORM, "complete orthogonal",
                             p->system.m - p->minnorm->n_null, p->minnorm->share, 0);
}

hol_status hol__paths_factor_minnorm(hol__kernel *kernel, hol__paths *p) {
    if (!p->minnorm) return HOL_SINGULAR;
    const hol_status status = hol__minnorm_prepare(p->minnorm, p->may_augment);
    return status == HOL_OK ? hol__paths_factor_prepared(kernel, p) : status;
}

/* ---- solution ---- */

hol_status hol__paths_solve_deflated(hol__kernel *kernel, hol__paths *p, const double *f,
                                     const double *c, double *x, double *mu) {
    const double omega = hol__deflate_solve(p->deflate, f, c, x, mu);
    if (omega < OMEGA_BAD || !p->minnorm) return HOL_OK;
    p->gave_up = 1;
    const hol_status status = hol__paths_factor_minnorm(kernel, p);
    if (status == HOL_OK) hol__minnorm_solve(p->minnorm, f, c, x, mu);
    return status;
}

void hol__paths_remember(hol__paths *p, hol__archive *archive) {
    if (p->deflate) hol__deflate_remember(p->deflate, p->ldl, p->offset, archive);
    if (p->minnorm) HOL__ARCHIVE(archive, p->minnorm->n_null);
    HOL__ARCHIVE(archive, p->gave_up);
}
