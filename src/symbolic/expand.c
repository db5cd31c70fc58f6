/* expand.c: products of sums, and whole powers of sums, multiplied out. */
#include "symbolic/sym.h"

enum { HIGHEST = 8 };

/* The terms of a sum, or the one term. */
static int terms_of(const hol__sym *x, const hol__sym **terms) {
    *terms = (*x)->kind == HOL__SYM_SUM ? (const hol__sym *)(*x)->arg : x;
    return (*x)->kind == HOL__SYM_SUM ? (*x)->n : 1;
}

/* Every term of x times every term of y. */
static hol__sym multiply(hol__algebra *a, hol__sym x, hol__sym y) {
    const hol__sym *p, *q;
    if (!x || !y || a->status) return NULL;
    const int n = terms_of(&x, &p), m = terms_of(&y, &q);
    if (n == 1 && m == 1) return hol__sym_mul(a, x, y);
    hol__sym out = NULL, *all = hol__alloc(a->ctx, (size_t)n * (size_t)m, sizeof *all);
    if (!all) a->status = HOL_ERR_MEMORY;
    for (int i = 0; all && i < n; i++)
        for (int j = 0; j < m; j++) all[i * m + j] = hol__sym_mul(a, p[i], q[j]);
    if (all) out = hol__sym_sum(a, n * m, all);
    hol__release(a->ctx, all);
    return out;
}

static hol__sym expand_power(hol__algebra *a, hol__sym x) {
    const hol__sym base = hol__sym_expand(a, x->arg[0]), e = x->arg[1];
    if (!base) return NULL;
    const int whole = hol__sym_is_integer(e) && e->number.n > 0 && e->number.n <= HIGHEST;
    if (!whole || base->kind != HOL__SYM_SUM) return hol__sym_power(a, base, e);
    hol__sym out = base;
    for (long long k = 1; k < e->number.n; k++) out = multiply(a, out, base);
    return out;
}

hol__sym hol__sym_expand(hol__algebra *a, hol__sym x) {
    hol__sym out;
    if (!x || a->status) return NULL;
    switch (x->kind) {
    case HOL__SYM_POWER: return expand_power(a, x);
    case HOL__SYM_PRODUCT:
        out = hol__sym_exact(a, x->number);
        for (int i = 0; i < x->n; i++) out = multiply(a, out, hol__sym_expand(a, x->arg[i]));
        return out;
    case HOL__SYM_SUM: {
        hol__sym *all = hol__alloc(a->ctx, (size_t)x->n, sizeof *all);
        if (!all) a->status = HOL_ERR_MEMORY;
        for (int i = 0; all && i < x->n; i++) all[i] = hol__sym_expand(a, x->arg[i]);
        out = all ? hol__sym_sum(a, x->n, all) : NULL;
        hol__release(a->ctx, all);
        return out;
    }
    case HOL__SYM_CALL:
        return hol__sym_call(a, x->function, hol__sym_expand(a, x->arg[0]),
                             x->n > 1 ? hol__sym_expand(a, x->arg[1]) : NULL);
    default: return x;
    }
}
