/* full_pivot.c: Gaussian elimination with the largest entry of the rest as pivot. */
#include "la/full_pivot.h"

#include <math.h>

static void swap_rows(int m, int n, double *a, int i, int j) {
    for (int k = 0; k < n && i != j; k++) {
        const double t = a[i + k * m];
        a[i + k * m] = a[j + k * m];
        a[j + k * m] = t;
    }
}

static void swap_columns(int m, double *a, int i, int j) {
    for (int k = 0; k < m && i != j; k++) {
        const double t = a[k + i * m];
        a[k + i * m] = a[k + j * m];
        a[k + j * m] = t;
    }
}

static void swap(int *p, int i, int j) {
    const int t = p[i];
    p[i] = p[j];
    p[j] = t;
}

int hol__full_pivot(int m, int n, double *a, double tolerance, int *row, int *column, double *smallest) {
    const int most = m < n ? m : n;
    double first = 0, last = 0;
    for (int i = 0; i < m; i++) row[i] = i;
    for (int j = 0; j < n; j++) column[j] = j;
    int rank = 0;
    for (; rank < most; rank++) {
        int pi = rank, pj = rank;
        for (int j = rank; j < n; j++)
            for (int i = rank; i < m; i++)
                if (fabs(a[i + j * m]) > fabs(a[pi + pj * m])) pi = i, pj = j;
        const double pivot = a[pi + pj * m];
        if (rank == 0) first = fabs(pivot);
        if (!(fabs(pivot) > tolerance * first)) break;
        last = fabs(pivot);
        swap_rows(m, n, a, rank, pi);
        swap_columns(m, a, rank, pj);
        swap(row, rank, pi);
        swap(column, rank, pj);
        for (int i = rank + 1; i < m; i++) a[i + rank * m] /= pivot;
        for (int j = rank + 1; j < n; j++)
            for (int i = rank + 1; i < m; i++) a[i + j * m] -= a[i + rank * m] * a[rank + j * m];
    }
    if (smallest) *smallest = first > 0 ? last / first : 1;
    return rank;
}
