/* unit.c: unit quaternions in sums: p0^2 = 1 - p1^2 - p2^2 - p3^2, which the rates of their
 * components keep. */
#include "symbolic/sym.h"

void hol__sym_unit_quaternion(hol__algebra *a, hol__sym p0) {
    if (!p0 || a->status) return;
    int *list = hol__arena_grow(&a->arena, a->quaternion, sizeof *list, a->n_quaternions,
                                &a->quaternion_capacity, a->n_quaternions + 1);
    if (!list) {
        a->status = HOL_ERR_MEMORY;
        return;
    }
    a->quaternion = list;
    list[a->n_quaternions++] = p0->symbol;
}

/* Whether the symbol is the first of a unit quaternion. */
static int is_first(const hol__algebra *a, hol__sym x) {
    for (int i = 0; x->kind == HOL__SYM_SYMBOL && i < a->n_quaternions; i++)
        if (a->quaternion[i] == x->symbol) return 1;
    return 0;
}

/* 1 - p1^2 - p2^2 - p3^2 */
static hol__sym square_of(hol__algebra *a, hol__sym p0) {
    hol__sym out = a->one;
    for (int k = 1; k < 4; k++)
        out = hol__sym_sub(a, out, hol__sym_square(a, a->symbols[p0->symbol + k].node));
    return out;
}

/* One term, until no square is left. */
static hol__sym reduce(hol__algebra *a, hol__sym x) {
    const int n = x->kind == HOL__SYM_PRODUCT ? x->n : 1;
    const hol__sym *factors = x->kind == HOL__SYM_PRODUCT ? (const hol__sym *)x->arg : &x;
    for (int i = 0; i < n; i++) {
        const hol__sym f = factors[i];
        if (f->kind != HOL__SYM_POWER || !is_first(a, f->arg[0]) ||
            !hol__sym_is_integer(f->arg[1]) || f->arg[1]->number.n < 2)
            continue;
        const long long k = f->arg[1]->number.n;
        const hol__sym parts[3] = {
            hol__sym_div(a, x, f), hol__sym_power(a, f->arg[0], hol__sym_integer(a, k % 2)),
            hol__sym_power(a, square_of(a, f->arg[0]), hol__sym_integer(a, k / 2))};
        return hol__sym_unit(a, hol__sym_expand(a, hol__sym_product(a, 3, parts)));
    }
    return x;
}

hol__sym hol__sym_unit(hol__algebra *a, hol__sym x) {
    if (!x || a->status || !a->n_quaternions) return x;
    if (x->kind != HOL__SYM_SUM) return reduce(a, x);
    hol__sym out = NULL, *all = hol__alloc(a->ctx, (size_t)x->n, sizeof *all);
    if (!all) a->status = HOL_ERR_MEMORY;
    for (int i = 0; all && i < x->n; i++) all[i] = reduce(a, x->arg[i]);
    if (all) out = hol__sym_sum(a, x->n, all);
    hol__release(a->ctx, all);
    return out;
}
