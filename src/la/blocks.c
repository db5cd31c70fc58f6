/* blocks.c: complements and solutions of blocks of up to three rows and columns. See blocks.h. */
#include "la/blocks.h"

#include <math.h>

static void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The axis that c has the least of. */
static int least_axis(const double *c) {
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(c[i]) < fabs(c[k])) k = i;
    return k;
}

void hol__block_complement(int m, int n, const double *C, double *D) {
    double e[3] = {0, 0, 0};
    if (m == n) return;
    if (n == 2) {
        D[0] = -C[1], D[1] = C[0];
    } else if (m == 2) {
        cross(C, C + 3, D);
    } else {
        e[least_axis(C)] = 1;
        cross(e, C, D);
        cross(C, D, D + 3);
    }
}

const char *hol__block_complement_text(int m, int n) {
    return m == n   ? ""
           : n == 2 ? "[-C_12; C_11]"
           : m == 2 ? "C_1 x C_2"
                    : "[t, C_1 x t], t = e_k x C_1";
}

/* A matrix with that many rows and entries, row after row to be filled. */
static int new_matrix(hol__arena *arena, int rows, int columns, int entries, hol__csr *A) {
    *A = (hol__csr){.rows = rows,
                    .cols = columns,
                    .ptr = HOL__NEW_N(arena, int, rows + 1),
                    .idx = HOL__NEW_N(arena, int, entries + 1),
                    .x = HOL__NEW_N(arena, double, entries + 1)};
    return !arena->failed;
}

/* The block that has row r of A, or row r of J. */
static const hol__block *block_of(const hol__blocks *blocks, int r, int of_J, int *k) {
    for (int i = 0; i < blocks->n_blocks; i++) {
        const hol__block *b = &blocks->block[i];
        const int n = of_J ? b->n : b->m;
        for (*k = 0; *k < n; ++*k)
            if ((of_J ? b->x + *k : b->row[*k]) == r) return b;
    }
    return NULL;
}

int hol__blocks_matrices(const hol__blocks *blocks, hol__arena *arena, hol__csr *C, hol__csr *D) {
    int n_C = 0, n_D = 0, k;
    for (int i = 0; i < blocks->n_blocks; i++) {
        const hol__block *b = &blocks->block[i];
        n_C += b->m * b->n;
        n_D += b->n * (b->n - b->m);
    }
    int *first = HOL__NEW_N(arena, int, blocks->n_blocks + 1);
    if (!new_matrix(arena, blocks->m, blocks->k, n_C, C) ||
        !new_matrix(arena, blocks->k, blocks->k - blocks->m, n_D, D))
        return 0;
    for (int i = 0; i < blocks->n_blocks; i++)
        first[i + 1] = first[i] + blocks->block[i].n - blocks->block[i].m;
    for (int r = 0, at = 0; r < blocks->m; r++, C->ptr[r] = at) {
        const hol__block *b = block_of(blocks, r, 0, &k);
        for (int j = 0; b && j < b->n; j++, at++)
            C->idx[at] = b->x + j, C->x[at] = blocks->C[b->C + k * b->n + j];
    }
    for (int r = 0, at = 0; r < blocks->k; r++, D->ptr[r] = at) {
        const hol__block *b = block_of(blocks, r, 1, &k);
        for (int j = 0; b && j < b->n - b->m; j++, at++)
            D->idx[at] = first[b - blocks->block] + j, D->x[at] = blocks->D[b->D + j * b->n + k];
    }
    return 1;
}

/* y <- (C C^T)^-1 y by elimination: C C^T is positive definite, of at most three rows. */
static void solve_gram(const hol__block *b, const double *C, double *y) {
    double a[HOL__BLOCK_MOST][HOL__BLOCK_MOST];
    for (int i = 0; i < b->m; i++)
        for (int j = 0; j < b->m; j++) {
            a[i][j] = 0;
            for (int k = 0; k < b->n; k++) a[i][j] += C[i * b->n + k] * C[j * b->n + k];
        }
    for (int i = 0; i < b->m; i++)
        for (int r = i + 1; r < b->m; r++) {
            const double f = a[r][i] / a[i][i];
            for (int j = i; j < b->m; j++) a[r][j] -= f * a[i][j];
            y[r] -= f * y[i];
        }
    for (int i = b->m - 1; i >= 0; i--) {
        for (int j = i + 1; j < b->m; j++) y[i] -= a[i][j] * y[j];
        y[i] /= a[i][i];
    }
}

void hol__blocks_lift(const hol__blocks *blocks, const double *c, double *x) {
    for (int i = 0; i < blocks->n_blocks; i++) {
        const hol__block *b = &blocks->block[i];
        const double *C = blocks->C + b->C;
        double y[HOL__BLOCK_MOST];
        for (int r = 0; r < b->m; r++) y[r] = c[b->row[r]];
        solve_gram(b, C, y);
        for (int k = 0; k < b->n; k++) {
            x[b->x + k] = 0;
            for (int r = 0; r < b->m; r++) x[b->x + k] += C[r * b->n + k] * y[r];
        }
    }
}

void hol__blocks_lower(const hol__blocks *blocks, const double *rho, double *mu) {
    for (int i = 0; i < blocks->n_blocks; i++) {
        const hol__block *b = &blocks->block[i];
        const double *C = blocks->C + b->C;
        double y[HOL__BLOCK_MOST] = {0, 0, 0};
        for (int r = 0; r < b->m; r++)
            for (int k = 0; k < b->n; k++) y[r] += C[r * b->n + k] * rho[b->x + k];
        solve_gram(b, C, y);
        for (int r = 0; r < b->m; r++) mu[b->row[r]] = y[r];
    }
}
