/* csr.c: products with a sparse matrix by rows, y = A x and y = A^T x.
 *
 * Entries that are not live hold zero, so they may take part; nothing here depends on live.
 */
#include "la/csr.h"

#include <math.h>
#include <string.h>

/* y = A x. */
void hol__csr_mul(const hol__csr *A, const double *restrict x, double *restrict y) {
    if (A->root) {
        A->root->times(A->root->self, x, y);
        return;
    }
    const int *restrict ptr = A->ptr, *restrict idx = A->idx, rows = A->rows;
    const double *restrict value = A->x;
    for (int i = 0, p = 0; i < rows; i++) {
        double sum = 0;
        for (const int end = ptr[i + 1]; p < end; p++) sum += value[p] * x[idx[p]];
        y[i] = sum;
    }
}

/* y = A^T x. */
void hol__csr_mul_t(const hol__csr *A, const double *x, double *y) {
    for (int j = 0; j < A->cols; j++) y[j] = 0;
    hol__csr_mul_t_add(A, 1.0, x, y);
}

/* y += s A x. */
void hol__csr_mul_add(const hol__csr *A, double s, const double *restrict x, double *restrict y) {
    const int *restrict ptr = A->ptr, *restrict idx = A->idx, rows = A->rows;
    const double *restrict value = A->x;
    for (int i = 0, p = 0; i < rows; i++) {
        double sum = 0;
        for (const int end = ptr[i + 1]; p < end; p++) sum += value[p] * x[idx[p]];
        y[i] += s * sum;
    }
}

/* y += s A^T x. */
void hol__csr_mul_t_add(const hol__csr *A, double s, const double *restrict x, double *restrict y) {
    const int *restrict ptr = A->ptr, *restrict idx = A->idx, rows = A->rows;
    const double *restrict value = A->x;
    for (int i = 0, p = 0; i < rows; i++) {
        const double xi = s * x[i];
        for (const int end = ptr[i + 1]; p < end; p++) y[idx[p]] += value[p] * xi;
    }
}

/* The matrix as dense row-major rows x cols. */
void hol__csr_to_dense(const hol__csr *A, double *dense) {
    const size_t rows = (size_t)A->rows, cols = (size_t)A->cols;
    for (size_t k = 0; k < rows * cols; k++) dense[k] = 0;
    for (int i = 0; i < A->rows; i++)
        for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
            dense[(size_t)i * cols + (size_t)A->idx[p]] = A->x[p];
}

/* The place of the entry (i, j). */
int hol__csr_find(const hol__csr *A, int i, int j) {
    for (int p = A->ptr[i]; p < A->ptr[i + 1]; p++)
        if (A->idx[p] == j) return p;
    return -1;
}

/* Whether all values are finite. */
hol_status hol__csr_identity(hol__arena *arena, int n, hol__csr *I) {
    *I = (hol__csr){.rows = n,
                    .cols = n,
                    .ptr = HOL__NEW_N(arena, int, n + 1),
                    .idx = HOL__NEW_N(arena, int, n),
                    .x = HOL__NEW_N(arena, double, n)};
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < n; i++) I->ptr[i + 1] = i + 1, I->idx[i] = i, I->x[i] = 1;
    return HOL_OK;
}

int hol__csr_is_finite(const hol__csr *A) {
    for (int p = 0; p < A->ptr[A->rows]; p++)
        if (!isfinite(A->x[p])) return 0;
    return 1;
}

/* A copy of the pattern with values of its own, all zero; NULL without memory. */
hol__csr *hol__csr_like(hol__arena *arena, const hol__csr *A) {
    const size_t rows = (size_t)A->rows, count = (size_t)A->ptr[A->rows];
    hol__csr *B = HOL__NEW(arena, hol__csr);
    int *ptr = HOL__NEW_N(arena, int, rows + 1), *idx = HOL__NEW_N(arena, int, count);
    double *x = HOL__NEW_N(arena, double, count);
    unsigned char *live = A->live ? HOL__NEW_N(arena, unsigned char, count) : NULL;
    if (!B || !ptr || !idx || !x || (A->live && !live)) return NULL;
    memcpy(ptr, A->ptr, (rows + 1) * sizeof *ptr);
    if (count) memcpy(idx, A->idx, count * sizeof *idx);
    if (live && count) memcpy(live, A->live, count);
    *B = (hol__csr){.rows = A->rows, .cols = A->cols, .ptr = ptr, .idx = idx, .x = x, .live = live};
    return B;
}

hol_status hol__csr_keep_rows(hol__arena *arena, const hol__csr *A, const unsigned char *left_out,
                              hol__csr *kept, int *row) {
    const int nz = A->ptr[A->rows];
    *kept = (hol__csr){.cols = A->cols,
                       .ptr = HOL__NEW_N(arena, int, A->rows + 1),
                       .idx = HOL__NEW_N(arena, int, nz + 1),
                       .x = HOL__NEW_N(arena, double, nz + 1),
                       .live = A->live ? HOL__NEW_N(arena, unsigned char, nz + 1) : NULL};
    if (arena->failed) return HOL_ERR_MEMORY;
    for (int i = 0; i < A->rows; i++) {
        const int from = A->ptr[i], count = A->ptr[i + 1] - from, to = kept->ptr[kept->rows];
        if (left_out[i]) continue;
        memcpy(kept->idx + to, A->idx + from, sizeof *A->idx * (size_t)count);
        if (A->live) memcpy(kept->live + to, A->live + from, (size_t)count);
        row[kept->rows++] = i;
        kept->ptr[kept->rows] = to + count;
    }
    return HOL_OK;
}

void hol__csr_copy_rows(const hol__csr *A, const int *row, hol__csr *kept) {
    for (int i = 0; i < kept->rows; i++)
        memcpy(kept->x + kept->ptr[i], A->x + A->ptr[row[i]],
               sizeof *A->x * (size_t)(kept->ptr[i + 1] - kept->ptr[i]));
}
