/* rank.h: the rank of a sparse matrix A (m x n), which rows are redundant, and which multipliers
 * are not unique.
 *
 * Meant for the start of a run and on demand, not for every evaluation: it allocates while it
 * works.
 */
#ifndef HOL_LA_RANK_H
#define HOL_LA_RANK_H

#include "la/csr.h"
#include "la/tolerances.h"

typedef struct hol__rank_result {
    int rank;
    double smallest;        /* smallest accepted pivot, rows of unit length: how near to a loss */
    double largest_dropped; /* largest pivot that was taken for zero; 0 when none */
    /* m each, the caller's, may be NULL. 1 for the m - rank rows that may be left out, later ones
     * preferred; 1 where the multiplier is not unique. */
    unsigned char *redundant, *undetermined;
    /* The same number of rows, may be NULL: those to set aside. Those with the largest number in
     * order (m, given; NULL: later ones) are preferred as far as the rows that stay are not much
     * nearer to dependence for it than with the best choice. */
    unsigned char *aside;
    const int *order;
    int components;    /* parts that share no column */
    int largest_dense; /* rows of the largest dense factorisation that was needed */
} hol__rank_result;

/* tolerance 0: HOL__RANK_TOLERANCE. */
hol_status hol__rank_analyse(hol_context *ctx, const hol__csr *A, double tolerance,
                             hol__rank_result *result);

#endif
