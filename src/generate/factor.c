/* factor.c: L D L^T written out. See factor.h. */
#include "generate/factor.h"

/* Digits that a pivot may lose: four are left of sixteen. */
static const double LEAST = 1e-12;

static int place(const hol__gfactor *f, int i) {
    return f->backwards ? f->n - 1 - i : i;
}

/* D_j from the row of L D before it, in u. */
static void pivot(hol__dag *d, hol__gfactor *f, const hol__ref *A, int j, const hol__ref *u) {
    const hol__ref on = A[place(f, j) * f->n + place(f, j)];
    hol__ref D = on;
    for (int k = 0; k < j; k++) D = hol__dag_sub(d, D, hol__dag_mul(d, f->L[j * f->n + k], u[k]));
    f->over[j] = hol__dag_over(d, d->one, D);
    const hol__ref least = D == on ? d->zero : hol__dag_mul(d, hol__dag_number(d, LEAST), on),
                   good = hol__dag_2(d, HOL__OP_LT, least, D);
    if (good != d->one)
        f->regular = f->regular == d->one ? good : hol__dag_2(d, HOL__OP_AND, f->regular, good);
}

hol__gfactor hol__gfactor_of(hol__dag *d, int n, const hol__ref *A, int backwards) {
    hol__gfactor f = {.n = n, .backwards = backwards, .regular = d->one};
    hol__ref *u = HOL__NEW_N(&d->arena, hol__ref, n + 1);
    f.L = HOL__NEW_N(&d->arena, hol__ref, n * n + 1);
    f.over = HOL__NEW_N(&d->arena, hol__ref, n + 1);
    if (!u || !f.L || !f.over) {
        d->status = HOL_ERR_MEMORY;
        return f;
    }
    for (int j = 0; j < n && !d->status; j++) {
        /* u = row j of L D, then row j of L */
        for (int k = 0; k < j; k++) {
            u[k] = A[place(&f, j) * n + place(&f, k)];
            for (int i = 0; i < k; i++)
                u[k] = hol__dag_sub(d, u[k], hol__dag_mul(d, f.L[k * n + i], u[i]));
        }
        for (int k = 0; k < j; k++) f.L[j * n + k] = hol__dag_mul(d, u[k], f.over[k]);
        pivot(d, &f, A, j, u);
    }
    return f;
}

void hol__gfactor_lower(hol__dag *d, const hol__gfactor *f, int n, hol__ref *x) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < j; k++)
            x[j] = hol__dag_sub(d, x[j], hol__dag_mul(d, f->L[j * f->n + k], x[k]));
}

void hol__gfactor_scale(hol__dag *d, const hol__gfactor *f, int n, hol__ref *x) {
    for (int j = 0; j < n; j++) x[j] = hol__dag_mul(d, x[j], f->over[j]);
}

void hol__gfactor_upper(hol__dag *d, const hol__gfactor *f, int n, hol__ref *x) {
    for (int j = n - 1; j >= 0; j--)
        for (int k = j + 1; k < n; k++)
            x[j] = hol__dag_sub(d, x[j], hol__dag_mul(d, f->L[k * f->n + j], x[k]));
}
