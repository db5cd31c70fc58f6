/* basis_eigen.c: R = the eigenvectors of A^^T A^ for zero eigenvalues [PV 7.4].
 *
 * About 9 n^3 for the eigenvectors. See basis_gram.h.
 */
#include "kernel/basis_gram.h"

#include "la/dense.h"

#include <string.h>

/* dsyev gives the values in rising order. */
static int decompose(void *decomposition, int size, const double *a, double *vectors,
                     double *values) {
    hol__eigh *eigh = decomposition;
    const size_t n = (size_t)size;
    memcpy(eigh->a, a, n * n * sizeof *a);
    const int info = hol__eigh_factor(eigh, size);
    memcpy(vectors, eigh->a, n * n * sizeof *a);
    memcpy(values, eigh->values, n * sizeof *a);
    return info;
}

static hol_status create(hol__basis *b, hol__arena *arena) {
    return hol__gram_create(b, arena, decompose, hol__eigh_new(arena, b->n > b->m ? b->n : b->m));
}

const hol__basis_type hol__basis_eigen = {
    .name = "eigen",
    .source = "PV 7.4",
    .flags = HOL__BASIS_ORTHONORMAL | HOL__BASIS_MINIMUM | HOL__BASIS_SQUARED,
    .title = "Zero eigenvalues of A^T A",
    .create = create,
    .factor = hol__gram_factor,
    .solve = hol__gram_solve,
    .solve_t = hol__gram_solve_t,
};
