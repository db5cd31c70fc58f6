/* shorten.c: the shortest form that expanding, single angles, Pythagoras and common factors give.
 *
 * Arguments of functions and bases of powers are shortened first. Forms are compared by the
 * operations that they take as written. A form that the algebra has no room for is not taken: it
 * is left out where the expression is long already.
 */
#include "symbolic/sym.h"

enum { LONG = 4000, TERMS = 1500 }; /* operations and terms beyond which nothing is expanded */

static hol__sym shorter(hol__sym x, hol__sym y) {
    return y && (!x || y->operations < x->operations) ? y : x;
}

/* How many terms it has when it is expanded, before any are collected. */
static double terms_of(hol__sym x) {
    double n = x->kind == HOL__SYM_SUM ? 0 : 1;
    if (x->kind == HOL__SYM_POWER && hol__sym_is_integer(x->arg[1]) && x->arg[1]->number.n > 0) {
        for (long long k = 0; k < x->arg[1]->number.n && k < 16; k++) n *= terms_of(x->arg[0]);
        return n;
    }
    if (x->kind != HOL__SYM_SUM && x->kind != HOL__SYM_PRODUCT) return 1;
    for (int i = 0; i < x->n; i++)
        n = x->kind == HOL__SYM_SUM ? n + terms_of(x->arg[i]) : n * terms_of(x->arg[i]);
    return n;
}

/* With parts shortened that no form below looks into. */
static hol__sym shorten_parts(hol__algebra *a, hol__sym x) {
    hol__sym out = NULL;
    if (!x || a->status || x->kind == HOL__SYM_NUMBER || x->kind == HOL__SYM_SYMBOL) return x;
    if (x->kind == HOL__SYM_POWER)
        return hol__sym_is_integer(x->arg[1]) && x->arg[1]->number.n > 0
                   ? hol__sym_power(a, shorten_parts(a, x->arg[0]), x->arg[1])
                   : hol__sym_power(a, hol__sym_shorten(a, x->arg[0]),
                                    hol__sym_shorten(a, x->arg[1]));
    if (x->kind == HOL__SYM_CALL)
        return hol__sym_call(a, x->function, hol__sym_shorten(a, x->arg[0]),
                             x->n > 1 ? hol__sym_shorten(a, x->arg[1]) : NULL);
    hol__sym *all = hol__alloc(a->ctx, (size_t)x->n + 1, sizeof *all);
    if (!all) a->status = HOL_ERR_MEMORY;
    for (int i = 0; all && i < x->n; i++) all[i] = shorten_parts(a, x->arg[i]);
    if (all && x->kind == HOL__SYM_PRODUCT) all[x->n] = hol__sym_exact(a, x->number);
    if (all)
        out = x->kind == HOL__SYM_SUM ? hol__sym_sum(a, x->n, all)
                                      : hol__sym_product(a, x->n + 1, all);
    hol__release(a->ctx, all);
    return out;
}

hol__sym hol__sym_shorten(hol__algebra *a, hol__sym x) {
    const hol__sym parts = shorten_parts(a, x);
    if (!parts || parts->operations == 0 || parts->operations > LONG || terms_of(parts) > TERMS)
        return parts;
    const hol__sym wide = hol__sym_expand(a, parts);
    if (!wide || wide->operations > LONG) return shorter(parts, wide);
    const hol__sym forms[] = {wide, hol__sym_single_angles(a, wide),
                              hol__sym_pythagoras(a, wide, HOL__SYM_SIN),
                              hol__sym_pythagoras(a, wide, HOL__SYM_COS), hol__sym_unit(a, wide)};
    hol__sym best = shorter(NULL, parts);
    for (int i = 0; i < 5; i++) {
        best = shorter(best, forms[i]);
        best = shorter(best, hol__sym_factor(a, forms[i]));
    }
    return a->status ? NULL : best;
}
