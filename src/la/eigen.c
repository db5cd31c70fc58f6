/* eigen.c: eigenvalues of a general matrix by LAPACK. See eigen.h. */
#include "la/eigen.h"

#include "la/openblas_calls.h"

#include <math.h>

/* dgeevx with the vectors from the right; the room that it wants into work[0] with lwork -1. */
static int call(int n, hol__eig *eig, int lwork) {
    const int lda = n > 1 ? n : 1, single = 1;
    double norm, none = 0;
    int info = HOL__NOT_CALLED, first, last, unused = 0;
    double *scale = eig->work, *work = eig->work + eig->n;
    HOL__BLAS(dgeevx_("B", "N", "V", "N", &n, eig->a, &lda, eig->re, eig->im, &none, &single,
                      eig->v, &lda, &first, &last, scale, &norm, &none, &none, work, &lwork,
                      &unused, &info, 1, 1, 1, 1));
    return info;
}

hol__eig *hol__eig_new(hol__arena *arena, int n) {
    hol__eig *eig = HOL__NEW(arena, hol__eig);
    if (!eig) return NULL;
    double ask[2] = {1, 1};
    *eig = (hol__eig){.n = 0, .work = ask + 1, .a = ask, .re = ask, .im = ask, .v = ask};
    call(n, eig, -1);
    *eig = (hol__eig){.n = n, .lwork = (int)fmax(ask[1], 4.0 * n + 1)};
    eig->a = HOL__NEW_N(arena, double, n *n + 1);
    eig->v = HOL__NEW_N(arena, double, n *n + 1);
    eig->re = HOL__NEW_N(arena, double, n + 1);
    eig->im = HOL__NEW_N(arena, double, n + 1);
    eig->work = HOL__NEW_N(arena, double, eig->lwork + n);
    return eig->a && eig->v && eig->re && eig->im && eig->work ? eig : NULL;
}

int hol__eig_factor(hol__eig *eig, int size) {
    return size ? call(size, eig, eig->lwork) : 0;
}
