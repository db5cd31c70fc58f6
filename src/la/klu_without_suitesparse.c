/* klu_without_suitesparse.c: stands in where SuiteSparse is not built in; every request is
 * answered HOL_ERR_FEATURE. */
#include "la/klu.h"

int hol__klu_available(void) {
    return 0;
}

hol_status hol__klu_new(hol_context *ctx, int n, const int *ptr, const int *idx, hol__klu **klu) {
    (void)n;
    (void)ptr;
    (void)idx;
    *klu = NULL;
    return hol__report(
        ctx, HOL_ERROR, HOL_ERR_FEATURE, NULL, NULL,
        "not built with SuiteSparse: the sparse LU factorisation, which large systems with a "
        "singular mass matrix take, is missing; use dense storage");
}

void hol__klu_free(hol__klu *klu) {
    (void)klu;
}

hol_status hol__klu_factor(hol__klu *klu, const double *x) {
    (void)klu;
    (void)x;
    return HOL_ERR_FEATURE;
}

hol_status hol__klu_solve(hol__klu *klu, double *b) {
    (void)klu;
    (void)b;
    return HOL_ERR_FEATURE;
}

void hol__klu_remember(hol__klu *klu, hol__archive *archive) {
    (void)klu;
    (void)archive;
}

double hol__klu_rcond(const hol__klu *klu) {
    (void)klu;
    return 0;
}

long hol__klu_pivotings(const hol__klu *klu) {
    (void)klu;
    return 0;
}
