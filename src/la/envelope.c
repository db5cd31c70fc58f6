/* envelope.c: Cholesky within the envelope, row by row. See envelope.h.
 *
 *     l_ij = (w_ij - sum_k l_ik l_jk) / l_jj,   k from the later of the two firsts on
 */
#include "la/envelope.h"

#include <math.h>

hol__envelope *hol__envelope_new(hol__arena *arena, const hol__csr *W) {
    const size_t n = (size_t)W->rows;
    hol__envelope *e = HOL__NEW(arena, hol__envelope);
    if (!e) return NULL;
    e->n = W->rows;
    e->first = HOL__NEW_N(arena, int, n);
    e->L = HOL__NEW_N(arena, double, n *n);
    if (arena->failed) return NULL;
    for (int i = 0; i < e->n; i++) {
        e->first[i] = i;
        for (int p = W->ptr[i]; p < W->ptr[i + 1]; p++)
            if ((!W->live || W->live[p]) && W->idx[p] < e->first[i]) e->first[i] = W->idx[p];
    }
    return e;
}

/* The lower triangle of W within the envelope. */
static void fill(const hol__envelope *e, const hol__csr *W) {
    for (int i = 0; i < e->n; i++) {
        double *l = e->L + (size_t)i * (size_t)e->n;
        for (int j = e->first[i]; j <= i; j++) l[j] = 0;
        for (int p = W->ptr[i]; p < W->ptr[i + 1]; p++)
            if (W->idx[p] >= e->first[i] && W->idx[p] <= i) l[W->idx[p]] = W->x[p];
    }
}

int hol__envelope_factor(hol__envelope *e, const hol__csr *W, double tolerance) {
    fill(e, W);
    for (int i = 0; i < e->n; i++) {
        double *restrict li = e->L + (size_t)i * (size_t)e->n;
        const double diagonal = li[i];
        for (int j = e->first[i]; j <= i; j++) {
            const double *lj = e->L + (size_t)j * (size_t)e->n;
            const int from = e->first[i] > e->first[j] ? e->first[i] : e->first[j];
            double sum = li[j];
            for (int k = from; k < j; k++) sum -= li[k] * lj[k];
            if (j < i)
                li[j] = sum / lj[j];
            else if (sum > tolerance * diagonal)
                li[i] = sqrt(sum);
            else
                return 0;
        }
    }
    return 1;
}

void hol__envelope_solve(const hol__envelope *e, int from, double *b) {
    for (int i = from; i < e->n; i++) {
        const double *l = e->L + (size_t)i * (size_t)e->n;
        double sum = b[i];
        for (int k = e->first[i] > from ? e->first[i] : from; k < i; k++) sum -= l[k] * b[k];
        b[i] = sum / l[i];
    }
}

void hol__envelope_solve_t(const hol__envelope *e, double *b) {
    for (int i = e->n - 1; i >= 0; i--) {
        const double *l = e->L + (size_t)i * (size_t)e->n;
        b[i] /= l[i];
        for (int k = e->first[i]; k < i; k++) b[k] -= l[k] * b[i];
    }
}
