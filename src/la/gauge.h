/* gauge.h: how independent the rows of a sparse matrix A are, in a given metric.
 *
 * The rows B_i = A_i W^-1/2 / l_i, with lengths l_i of the caller's, have the Gram matrix S = B
 * B^T. A pivot of its factorisation is the square of the distance of a row from the span of those
 * before it: the share of the row that is new. The smallest share goes to zero, like the distance,
 * where A loses rank.
 *
 * Where A has fewer independent rows than rows (rank < m) a row that is new in one position may be
 * old in another, so that the order of elimination counts: there the share is the square root of
 * the smallest of the `rank` largest eigenvalues of S, which no order enters.
 */
#ifndef HOL_LA_GAUGE_H
#define HOL_LA_GAUGE_H

#include "la/csr.h"

typedef struct hol__gauge hol__gauge;

/* For matrices with the pattern of A and at most `rank` independent rows; weight: the diagonal of W
 * (A->cols). Everything lives in the arena; reading allocates nothing. NULL without memory. */
hol__gauge *hol__gauge_new(hol__arena *arena, const hol__csr *A, const double *weight, int rank);

/* The smallest share at these values of A; length: l_i > 0 (A->rows). HOL_NONFINITE where A is not
 * finite. */
hol_status hol__gauge_read(hol__gauge *gauge, const hol__csr *A, const double *length,
                           double *share);

/* All shares of the last reading, n of them: each changes smoothly with A (eigenvalues in their
 * order but where two meet). */
const double *hol__gauge_shares(const hol__gauge *gauge, int *n);

/* At the last reading, that of the same A: for each row the share that is new beside the rows
 * before it; with eigenvalues, the smallest share that the row has a part in. */
void hol__gauge_rows(hol__gauge *gauge, const hol__csr *A, const double *length, double *out);

/* At the last reading, that of the same A: the largest component of S^-1 (r_i / l_i), r: rows, of
 * eigenvalues that of the `rank` largest. With one small share s it is y . (r / l) / s^2 for the
 * combination y of rows that nearly vanishes, with 1 as its largest weight: what r means where that
 * combination alone holds. INFINITY where a share is zero. scratch: 2 rows. */
double hol__gauge_pull(hol__gauge *gauge, const hol__csr *A, const double *length, const double *r,
                       double *scratch);

/* Whether the gauge can tell free directions: it factors S. */
int hol__gauge_is_factored(const hol__gauge *gauge);

/* At the last reading, that of the same A, by a gauge that factors S: a unit vector z of the scaled
 * columns W^1/2 x that the rows leave free, B z = 0: what they leave of one without pattern.
 * Returns 0 where they leave nothing. scratch: rows. */
int hol__gauge_free(hol__gauge *gauge, const hol__csr *A, const double *length, double *scratch,
                    double *z);

/* |B_i z| of a row of any matrix over the same columns, with that length: the share of it that is
 * new beside the rows of the gauge, times the cosine of its angle with z. */
double hol__gauge_along(const hol__gauge *gauge, const hol__csr *A, int row, double length,
                        const double *z);

#endif
