/* csr.h: a sparse matrix by rows with a fixed pattern.
 *
 * The pattern is made once; the values change at every evaluation. live marks the entries that can
 * ever be non-zero: elements write whole blocks, and solvers leave out the entries that are zero
 * for good.
 */
#ifndef HOL_LA_CSR_H
#define HOL_LA_CSR_H

#include "base/arena.h"
#include "la/root.h"

typedef struct hol__csr {
    int rows, cols;
    int *ptr;              /* rows + 1 */
    int *idx;              /* columns; distinct in a row, in any order */
    double *x;             /* values */
    unsigned char *live;   /* 0: this entry is always zero. NULL: all live */
    const hol__root *root; /* not NULL: known by it, and only the diagonal is here */
} hol__csr;

/* y = A x, y = A^T x (y overwritten). */
void hol__csr_mul(const hol__csr *A, const double *x, double *y);
void hol__csr_mul_t(const hol__csr *A, const double *x, double *y);

/* y += s A x, y += s A^T x. */
void hol__csr_mul_add(const hol__csr *A, double s, const double *x, double *y);
void hol__csr_mul_t_add(const hol__csr *A, double s, const double *x, double *y);

/* The matrix as dense row-major rows x cols. */
void hol__csr_to_dense(const hol__csr *A, double *dense);

/* The place of the entry (i, j), -1 where the pattern has none. */
int hol__csr_find(const hol__csr *A, int i, int j);

/* The identity, in the arena. */
hol_status hol__csr_identity(hol__arena *arena, int n, hol__csr *I);

/* The pattern of the rows of A that are not left out, in the arena, and which rows they are
 * (A->rows of room); and their values from A. */
hol_status hol__csr_keep_rows(hol__arena *arena, const hol__csr *A, const unsigned char *left_out,
                              hol__csr *kept, int *row);
void hol__csr_copy_rows(const hol__csr *A, const int *row, hol__csr *kept);

/* Whether all values are finite. */
int hol__csr_is_finite(const hol__csr *A);

/* A new matrix with the pattern of A and values of its own, in the arena. */
hol__csr *hol__csr_like(hol__arena *arena, const hol__csr *A);

#endif
