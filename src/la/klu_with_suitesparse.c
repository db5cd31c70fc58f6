/* klu_with_suitesparse.c: KLU of SuiteSparse behind klu.h.
 *
 * Old pivots are kept while the reciprocal growth (smallest over columns of max|A| / max|U|) stays
 * above GROWTH_KEPT and the ratio of pivots has not fallen below RCOND_KEPT times that of the last
 * full factorisation.
 */
#include "la/klu.h"

#include <suitesparse/klu.h>

#include <math.h>
#include <string.h>

#define GROWTH_KEPT 1e-3
#define RCOND_KEPT 1e-3

struct hol__klu {
    hol_context *ctx;
    int n;
    int *ptr, *idx;
    double *chosen; /* the values for which pivots were last chosen */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double rcond, rcond_full; /* now, and when pivots were last chosen */
    long pivotings;
};

int hol__klu_available(void) {
    return 1;
}

hol_status hol__klu_new(hol_context *ctx, int n, const int *ptr, const int *idx, hol__klu **klu) {
    const size_t count = (size_t)ptr[n];
    hol__klu *k = hol__alloc(ctx, 1, sizeof *k);
    *klu = NULL;
    if (!k) return HOL_ERR_MEMORY;
    k->ctx = ctx;
    k->n = n;
    k->ptr = hol__alloc(ctx, (size_t)n + 1, sizeof *k->ptr);
    k->idx = hol__alloc(ctx, count, sizeof *k->idx);
    k->chosen = hol__alloc(ctx, count, sizeof *k->chosen);
    if (!k->ptr || !k->idx || !k->chosen) {
        hol__klu_free(k);
        return HOL_ERR_MEMORY;
    }
    memcpy(k->ptr, ptr, ((size_t)n + 1) * sizeof *ptr);
    if (count) memcpy(k->idx, idx, count * sizeof *idx);
    klu_defaults(&k->common);
    k->symbolic = n > 0 ? klu_analyze(n, k->ptr, k->idx, &k->common) : NULL;
    if (n > 0 && !k->symbolic) { /* the pattern is made by us and valid */
        hol__klu_free(k);
        return hol__report(ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                           "out of memory (the pattern of a sparse matrix of %d rows)", n);
    }
    *klu = k;
    return HOL_OK;
}

void hol__klu_free(hol__klu *klu) {
    if (!klu) return;
    if (klu->numeric) klu_free_numeric(&klu->numeric, &klu->common);
    if (klu->symbolic) klu_free_symbolic(&klu->symbolic, &klu->common);
    hol__release(klu->ctx, klu->ptr);
    hol__release(klu->ctx, klu->idx);
    hol__release(klu->ctx, klu->chosen);
    hol__release(klu->ctx, klu);
}

/* The ratio of the extreme pivots; 0 when it cannot be had. */
static double pivot_ratio(hol__klu *k) {
    return klu_rcond(k->symbolic, k->numeric, &k->common) && k->common.rcond == k->common.rcond
               ? k->common.rcond
               : 0;
}

/* Refactor with the old pivots; whether they still fit. */
static int refactor(hol__klu *k, double *x) {
    if (!klu_refactor(k->ptr, k->idx, x, k->symbolic, k->numeric, &k->common)) return 0;
    if (!klu_rgrowth(k->ptr, k->idx, x, k->symbolic, k->numeric, &k->common)) return 0;
    k->rcond = pivot_ratio(k);
    return k->common.rgrowth > GROWTH_KEPT && k->rcond > RCOND_KEPT * k->rcond_full;
}

/* Choose pivots for the values in k->chosen. */
static hol_status choose_pivots(hol__klu *k) {
    if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
    k->numeric = klu_factor(k->ptr, k->idx, k->chosen, k->symbolic, &k->common);
    k->pivotings++;
    k->rcond = k->rcond_full = 0;
    if (k->common.status == KLU_OUT_OF_MEMORY)
        return hol__report(k->ctx, HOL_ERROR, HOL_ERR_MEMORY, NULL, NULL,
                           "out of memory (the factors of a sparse matrix of %d rows)", k->n);
    if (!k->numeric || k->common.status == KLU_SINGULAR) {
        if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
        return HOL_SINGULAR;
    }
    k->rcond = k->rcond_full = pivot_ratio(k);
    return k->rcond > 0 ? HOL_OK : HOL_SINGULAR;
}

hol_status hol__klu_factor(hol__klu *k, const double *values) {
    if (k->n == 0) return HOL_OK;
    double *x =
        (double *)(void *)(size_t)values; /* KLU reads the values only, but does not say so */
    for (int p = 0; p < k->ptr[k->n]; p++)
        if (!isfinite(values[p])) return HOL_NONFINITE;
    if (k->numeric && refactor(k, x)) return HOL_OK;
    memcpy(k->chosen, values, sizeof *values * (size_t)k->ptr[k->n]);
    return choose_pivots(k);
}

void hol__klu_remember(hol__klu *k, hol__archive *archive) {
    int chosen = k->numeric != NULL;
    HOL__ARCHIVE(archive, chosen);
    HOL__ARCHIVE_N(archive, k->chosen, k->ptr[k->n]);
    if (!hol__archive_reads(archive)) return;
    if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
    if (chosen) choose_pivots(k);
}

hol_status hol__klu_solve(hol__klu *k, double *b) {
    if (k->n == 0) return HOL_OK;
    if (!k->numeric) return HOL_SINGULAR;
    return klu_solve(k->symbolic, k->numeric, k->n, 1, b, &k->common) ? HOL_OK : HOL_SINGULAR;
}

double hol__klu_rcond(const hol__klu *k) {
    return k->rcond;
}

long hol__klu_pivotings(const hol__klu *k) {
    return k->pivotings;
}
