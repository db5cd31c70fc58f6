/* partition_block.c: the block of the dependent coordinates as a sparse matrix. See the header. */
#include "kernel/partition_block.h"

#include <string.h>

/* An operation on a sparse pattern costs about as much as so many on a full matrix. */
static const double indirect = 4;

hol__partition_block *hol__partition_block_new(hol__arena *arena, const hol__csr *A) {
    const int n = A->cols, m = A->rows, entries = A->ptr[m];
    hol__partition_block *block = HOL__NEW(arena, hol__partition_block);
    if (!block) return NULL;
    *block = (hol__partition_block){.n = n, .m = m};
    block->lu = hol__lu_fixed_new(arena, m);
    block->K = (hol__csr){.rows = m,
                          .cols = m,
                          .ptr = HOL__NEW_N(arena, int, m + 1),
                          .idx = HOL__NEW_N(arena, int, entries),
                          .x = HOL__NEW_N(arena, double, entries)};
    block->place = HOL__NEW_N(arena, int, n);
    block->b = HOL__NEW_N(arena, double, 2 * (size_t)m);
    if (arena->failed) return NULL;
    block->x = block->b + m;
    return block;
}

/* K = A_d with unit rows. */
static void gather(hol__partition_block *block, const hol__csr *A, const double *scale,
                   const int *coordinates) {
    int count = 0;
    for (int i = 0; i < block->n; i++) block->place[coordinates[i]] = i < block->m ? i : -1;
    for (int r = 0; r < block->m; r++) {
        for (int p = A->ptr[r]; p < A->ptr[r + 1]; p++) {
            const int at = block->place[A->idx[p]];
            if (at < 0) continue;
            block->K.idx[count] = at;
            block->K.x[count++] = scale[r] * A->x[p];
        }
        block->K.ptr[r + 1] = count;
    }
}

/* Operations of an elimination on the pattern. */
static double operations(const hol__lu_fixed *lu) {
    double sum = 0;
    for (int e = 0; e < lu->lower_ptr[lu->n]; e++) {
        const int j = lu->lower_idx[e];
        sum += 1 + lu->upper_ptr[j + 1] - lu->upper_ptr[j];
    }
    return sum;
}

int hol__partition_block_choose(hol__partition_block *block, const hol__csr *A, const double *scale,
                                const int *coordinates) {
    const double m = block->m, dense = m * (block->n - m / 2) * m / 2;
    gather(block, A, scale, coordinates);
    if (!hol__lu_fixed_choose(block->lu, &block->K)) return 0;
    block->laid = 1;
    return indirect * operations(block->lu) < dense;
}

double hol__partition_block_factor(hol__partition_block *block, const hol__csr *A,
                                   const double *scale, const int *coordinates) {
    gather(block, A, scale, coordinates);
    if (!block->laid) hol__lu_fixed_lay(block->lu, &block->K);
    block->laid = 1;
    return hol__lu_fixed_factor(block->lu, &block->K);
}

/* out (n) = x (m) in the dependent coordinates, 0 in the others. */
static void spread(const hol__partition_block *block, const double *x, double *out) {
    for (int i = 0; i < block->n; i++) out[i] = block->place[i] < 0 ? 0 : x[block->place[i]];
}

void hol__partition_block_null(hol__partition_block *block, const hol__csr *A, const double *scale,
                               int coordinate, double *r) {
    for (int i = 0; i < block->m; i++) {
        block->b[i] = 0;
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
            if (A->idx[p] == coordinate) block->b[i] -= scale[i] * A->x[p];
    }
    hol__lu_fixed_solve(block->lu, block->b, block->x);
    spread(block, block->x, r);
    r[coordinate] = 1;
}

void hol__partition_block_solve(hol__partition_block *block, const double *c, double *x) {
    hol__lu_fixed_solve(block->lu, c, block->x);
    spread(block, block->x, x);
}

void hol__partition_block_solve_t(hol__partition_block *block, const double *g, double *y) {
    for (int i = 0; i < block->n; i++)
        if (block->place[i] >= 0) block->b[block->place[i]] = g[i];
    hol__lu_fixed_solve_t(block->lu, block->b, y);
}

void hol__partition_block_remember(hol__partition_block *block, hol__archive *archive) {
    HOL__ARCHIVE_N(archive, block->lu->row, block->m);
    HOL__ARCHIVE_N(archive, block->lu->place, block->m);
    HOL__ARCHIVE_N(archive, block->lu->chosen, block->m);
    if (hol__archive_reads(archive)) block->laid = 0;
}
