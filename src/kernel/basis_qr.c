/* basis_qr.c: A^^T P = Q [T; 0] with column pivoting; R = the last columns of Q [PV 7.3].
 *
 * S c = Q1 (…)^-T is the least-norm solution and mu comes from the same complete orthogonal
 * decomposition (la/cod.h). Cost: 2 m^2 (n - m/3) for the decomposition, 2 n (n - r) r for R.
 */
#include "kernel/basis.h"

#include "la/cod.h"

#include <math.h>
#include <string.h>

static hol_status create(hol__basis *b, hol__arena *arena) {
    hol__cod *cod = b->self = hol__cod_new(arena, b->n, b->m);
    if (!cod) return HOL_ERR_MEMORY;
    hol__qrp_prefer_plain(cod->qr);
    return HOL_OK;
}

static hol_status factor(hol__basis *b) {
    hol__cod *cod = b->self;
    const int n = b->n, m = b->m;
    const size_t count = (size_t)n * (size_t)m;
    if (count) memcpy(cod->qr->a, b->At, count * sizeof *b->At);
    if (hol__cod_factor(cod) != 0) return HOL_SINGULAR;
    int rank = n < m ? n : m;
    while (rank > 0 && !(hol__cod_pivot(cod, rank - 1) > hol__basis_limit(b, rank - 1))) rank--;
    b->rank = rank;
    if (rank > 0) b->share = fmin(1, hol__cod_pivot(cod, rank - 1));
    hol__cod_truncate(cod, rank);
    hol__qrp_complement(cod->qr, rank, b->R);
    for (int k = 0; k < m - rank; k++) hol__cod_null_vector(cod, k, b->N + (size_t)k * (size_t)m);
    return HOL_OK;
}

static void solve(hol__basis *b, const double *c, double *x) {
    hol__cod_solve_t(b->self, c, x);
}

static void solve_t(hol__basis *b, const double *g, double *y) {
    hol__cod_solve(b->self, g, y);
}

const hol__basis_type hol__basis_qr = {
    .name = "qr",
    .source = "PV 7.3",
    .flags = HOL__BASIS_ORTHONORMAL | HOL__BASIS_MINIMUM,
    .title = "QR decomposition with column pivoting",
    .create = create,
    .factor = factor,
    .solve = solve,
    .solve_t = solve_t,
};
