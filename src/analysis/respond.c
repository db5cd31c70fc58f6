/* respond.c: frequency response by the Schur form. See respond.h. */
#include "analysis/respond.h"

#include "la/dense.h"

#include <complex.h>
#include <string.h>

hol_status hol__respond_new(const double *A, int n, hol__arena *arena, hol__respond *out) {
    hol__schur *schur = hol__schur_new(arena, n);
    *out = (hol__respond){.n = n};
    out->x = HOL__NEW_N(arena, double, n + 1);
    out->y = HOL__NEW_N(arena, double, n + 1);
    out->b = HOL__NEW_N(arena, double, 2 * n + 1);
    if (!schur || arena->failed) return HOL_ERR_MEMORY;
    if (!n) return HOL_OK;
    memcpy(schur->a, A, sizeof(double) * hol__area(n, n));
    if (hol__schur_factor(schur, n)) return HOL_NOT_CONVERGED;
    out->T = schur->a;
    out->V = schur->v;
    return HOL_OK;
}

/* Row i of (s - T) z = b, which ends a block of one or, with row i - 1, of two. Returns how many
 * rows it was. */
static int solve_block(const hol__respond *r, int i, double complex s, double complex *z) {
    const int n = r->n, two = i > 0 && r->T[hol__area(i - 1, n) + (size_t)i] != 0;
    for (int k = i - two; k <= i; k++)
        for (int j = i + 1; j < n; j++) z[k] += r->T[hol__area(j, n) + (size_t)k] * z[j];
    if (!two) {
        z[i] /= s - r->T[hol__area(i, n) + (size_t)i];
        return 1;
    }
    const double complex a = s - r->T[hol__area(i - 1, n) + (size_t)i - 1],
                         d = s - r->T[hol__area(i, n) + (size_t)i];
    const double b = -r->T[hol__area(i, n) + (size_t)i - 1],
                 c = -r->T[hol__area(i - 1, n) + (size_t)i];
    const double complex determinant = a * d - b * c, first = z[i - 1], second = z[i];
    z[i - 1] = (d * first - b * second) / determinant;
    z[i] = (a * second - c * first) / determinant;
    return 2;
}

void hol__respond_states(hol__respond *r, double w, const double *B0, const double *B1,
                         const double *B2) {
    const int n = r->n;
    double complex *z = (double complex *)(void *)r->b;
    if (n <= 0) return;
    for (int i = 0; i < n; i++) {
        r->x[i] = B0[i] - (B2 ? w * w * B2[i] : 0);
        r->y[i] = B1 ? w * B1[i] : 0;
    }
    double *real = r->x, *imaginary = r->y;
    for (int i = 0; i < n; i++) {
        double a = 0, b = 0;
        for (int k = 0; k < n; k++) {
            a += r->V[hol__area(i, n) + (size_t)k] * real[k];
            b += r->V[hol__area(i, n) + (size_t)k] * imaginary[k];
        }
        z[i] = a + b * I;
    }
    for (int i = n - 1; i >= 0;) i -= solve_block(r, i, w * I, z);
    memset(real, 0, sizeof(double) * (size_t)n);
    memset(imaginary, 0, sizeof(double) * (size_t)n);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            real[i] += r->V[hol__area(k, n) + (size_t)i] * creal(z[k]);
            imaginary[i] += r->V[hol__area(k, n) + (size_t)i] * cimag(z[k]);
        }
}
