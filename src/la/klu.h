/* klu.h: unsymmetric sparse LU with a fixed pattern (KLU of SuiteSparse): analyse once, factor,
 * then refactor.
 *
 * hol__klu_factor keeps the pivots of the last full factorisation and chooses them anew only when
 * the growth of the entries or the condition shows that they no longer fit. KLU takes its memory
 * from SuiteSparse's own allocator and may allocate when it chooses pivots. Built without
 * SuiteSparse, hol__klu_new returns HOL_ERR_FEATURE.
 */
#ifndef HOL_LA_KLU_H
#define HOL_LA_KLU_H

#include "base/context.h"
#include "base/archive.h"

typedef struct hol__klu hol__klu;

/* Whether SuiteSparse is built in. */
int hol__klu_available(void);

/* Analyse the pattern by columns (ptr, idx), n x n, which is copied. */
hol_status hol__klu_new(hol_context *ctx, int n, const int *ptr, const int *idx, hol__klu **klu);
void hol__klu_free(hol__klu *klu);

/* Factor with the values x in the order of idx. HOL_SINGULAR where it breaks down. */
hol_status hol__klu_factor(hol__klu *klu, const double *x);

/* b <- A^-1 b. */
hol_status hol__klu_solve(hol__klu *klu, double *b);

/* The memory: the values for which pivots were last chosen, from which they are chosen again. */
void hol__klu_remember(hol__klu *klu, hol__archive *archive);

/* Its bytes, for so many entries. */
static inline size_t hol__klu_remembers(size_t entries) {
    return sizeof(int) + entries * sizeof(double);
}

/* Smallest over largest pivot of the last factorisation, 0 if it failed; how often pivots were
 * chosen. */
double hol__klu_rcond(const hol__klu *klu);
long hol__klu_pivotings(const hol__klu *klu);

#endif
