/* basis_partition.c: coordinate partition by LU with full pivoting [GJB 5.2.2; PV 7.2].
 *
 *     A^ = [A_d A_i] for r independent rows:   R = [-A_d^-1 A_i; 1]
 *
 * A^^T is factored, P A^^T Q = [L1; L2] [U1 U2]; then A_d = (L1 U1)^T and R_d = -(L2 L1^-1)^T,
 * which full pivoting keeps small. The coordinates are chosen anew at each factorisation; S c is
 * zero in the independent ones. Cost: r (n - r/2) (m - r/2) and as many comparisons.
 */
#include "kernel/basis.h"

#include "la/lufp.h"

#include <math.h>
#include <string.h>

static hol_status create(hol__basis *b, hol__arena *arena) {
    b->self = hol__lufp_new(arena, b->n, b->m);
    return b->self ? HOL_OK : HOL_ERR_MEMORY;
}

static hol_status factor(hol__basis *b) {
    hol__lufp *lu = b->self;
    const int n = b->n, m = b->m;
    if (n > 0 && m > 0) memcpy(lu->b, b->At, (size_t)n * (size_t)m * sizeof *b->At);
    hol__lufp_factor(lu);
    int rank = n < m ? n : m;
    while (rank > 0 && !(hol__lufp_pivot(lu, rank - 1) > hol__basis_limit(b, rank - 1))) rank--;
    b->rank = rank;
    for (int k = 0; k < rank; k++) b->share = fmin(b->share, hol__lufp_pivot(lu, k));
    for (int k = 0; k < n - rank; k++) hol__lufp_null_t(lu, rank, k, b->R + (size_t)k * (size_t)n);
    for (int k = 0; k < m - rank; k++) hol__lufp_null(lu, rank, k, b->N + (size_t)k * (size_t)m);
    for (int i = 0; i < n; i++) b->column[i] = lu->row[i];
    return HOL_OK;
}

static void solve(hol__basis *b, const double *c, double *x) {
    hol__lufp_solve_t(b->self, b->rank, c, x);
}

static void solve_t(hol__basis *b, const double *g, double *y) {
    hol__lufp_solve(b->self, b->rank, g, y);
}

const hol__basis_type hol__basis_partition = {
    .name = "partition",
    .source = "GJB 5.2.2, PV 7.2",
    .flags = HOL__BASIS_COORDINATES,
    .title = "Coordinate partition (LU with full pivoting)",
    .create = create,
    .factor = factor,
    .solve = solve,
    .solve_t = solve_t,
};
