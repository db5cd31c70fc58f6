/* basis_partition.c: coordinate partition by LU with full pivoting [GJB 5.2.2; PV 7.2].
 *
 *     A^ = [A_d A_i] for r independent rows:   R = [-A_d^-1 A_i; 1]
 *
 * A^^T is factored, P A^^T Q = [L1; L2] [U1 U2]; then A_d = (L1 U1)^T and R_d = -(L2 L1^-1)^T,
 * which full pivoting keeps small; S c is zero in the independent coordinates. The choice is kept
 * [GJB algorithm 5-2, step 2]: later factorisations eliminate in the same places, and choose anew
 *     where the smallest pivot falls below KEEP of its value when chosen: R may then have grown
 *     by as much, a digit;
 *     where it falls below POOR, near a singular position, where every digit counts;
 *     where a row that was left out is no longer a combination of the others.
 * Cost: r (n - r/2) (m - r/2), and as many comparisons for a choice.
 *
 * Where all rows are independent and it costs less, A_d is then factored as a sparse matrix with
 * pivots of its own (partition_block.h) instead of the dense elimination being repeated. How far
 * these have fallen since the choice stands for how far the smallest dense one has.
 */
#include "kernel/basis.h"

#include "kernel/partition_block.h"
#include "la/lufp.h"
#include "la/tolerances.h"

#include <math.h>
#include <string.h>

#define KEEP 0.1
#define POOR HOL__REFINE_SHARE

typedef struct partition {
    hol__lufp *lu;
    int rank;
    double chosen;               /* smallest pivot when chosen; 0: nothing chosen yet */
    hol__partition_block *block; /* NULL: dense always */
    int sparse;                  /* the block is what is factored */
    double share;                /* smallest pivot now */
} partition;

static hol_status create(hol__basis *b, hol__arena *arena) {
    partition *p = b->self = HOL__NEW(arena, partition);
    if (!p) return HOL_ERR_MEMORY;
    p->lu = hol__lufp_new(arena, b->n, b->m);
    const int wide = b->pattern && b->m > 0 && b->m <= b->n;
    if (wide) p->block = hol__partition_block_new(arena, b->pattern);
    return p->lu && (p->block || !wide) ? HOL_OK : HOL_ERR_MEMORY;
}

/* The smallest of the first pivots, at most 1. */
static double smallest(const hol__lufp *lu, int rank) {
    double least = 1;
    for (int k = 0; k < rank; k++) least = fmin(least, hol__lufp_pivot(lu, k));
    return least;
}

/* Rows and coordinates anew; then the block, away from singular positions. */
static void choose(const hol__basis *b) {
    partition *p = b->self;
    const int n = b->n, m = b->m;
    hol__basis_unit_rows(b->A, b->At, b->scale);
    if (n > 0 && m > 0) memcpy(p->lu->b, b->At, (size_t)n * (size_t)m * sizeof *b->At);
    hol__lufp_factor(p->lu);
    int rank = n < m ? n : m;
    while (rank > 0 && !(hol__lufp_pivot(p->lu, rank - 1) > hol__basis_limit(b, rank - 1))) rank--;
    p->rank = rank;
    p->share = p->chosen = smallest(p->lu, rank);
    p->sparse = p->block && rank == m && p->chosen > POOR / KEEP &&
                hol__partition_block_choose(p->block, b->A, b->scale, p->lu->row);
}

/* Whether the elimination in the places of the last choice serves. */
static int keeps(const hol__basis *b) {
    partition *p = b->self;
    double left = 0;
    if (!(p->chosen > 0)) return 0;
    if (p->sparse) {
        const double kept = hol__partition_block_factor(p->block, b->A, b->scale, p->lu->row);
        p->share = p->chosen * fmin(1, kept);
    } else {
        hol__basis_unit_rows(b->A, b->At, b->scale);
        p->share = hol__lufp_repeat(p->lu, b->At, p->rank, &left);
    }
    return p->share > fmax(KEEP * p->chosen, POOR) && left <= b->release;
}

static hol_status factor(hol__basis *b) {
    const partition *p = b->self;
    const int n = b->n, m = b->m;
    if (!keeps(b)) choose(b);
    const int rank = b->rank = p->rank;
    b->share = p->sparse ? p->share : smallest(p->lu, rank);
    for (int k = 0; k < n - rank; k++) {
        double *r = b->R + (size_t)k * (size_t)n;
        if (p->sparse)
            hol__partition_block_null(p->block, b->A, b->scale, p->lu->row[rank + k], r);
        else
            hol__lufp_null_t(p->lu, rank, k, r);
    }
    for (int k = 0; k < m - rank; k++) hol__lufp_null(p->lu, rank, k, b->N + (size_t)k * (size_t)m);
    for (int i = 0; i < n; i++) b->column[i] = p->lu->row[i];
    return HOL_OK;
}

static void solve(hol__basis *b, const double *c, double *x) {
    const partition *p = b->self;
    if (p->sparse)
        hol__partition_block_solve(p->block, c, x);
    else
        hol__lufp_solve_t(p->lu, b->rank, c, x);
}

static void solve_t(hol__basis *b, const double *g, double *y) {
    const partition *p = b->self;
    if (p->sparse)
        hol__partition_block_solve_t(p->block, g, y);
    else
        hol__lufp_solve(p->lu, b->rank, g, y);
}

static void remember(hol__basis *b, hol__archive *archive) {
    partition *p = b->self;
    HOL__ARCHIVE(archive, p->chosen);
    HOL__ARCHIVE(archive, p->rank);
    HOL__ARCHIVE_N(archive, p->lu->row, b->n);
    HOL__ARCHIVE_N(archive, p->lu->column, b->m);
    HOL__ARCHIVE(archive, p->sparse);
    if (p->block) hol__partition_block_remember(p->block, archive);
}

const hol__basis_type hol__basis_partition = {
    .name = "partition",
    .source = "GJB 5.2.2, PV 7.2",
    .flags = HOL__BASIS_COORDINATES | HOL__BASIS_KEPT | HOL__BASIS_OWN_ROWS,
    .title = "Coordinate partition (LU with full pivoting, coordinates kept)",
    .create = create,
    .factor = factor,
    .solve = solve,
    .solve_t = solve_t,
    .remember = remember,
};
