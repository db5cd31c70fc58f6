/* factor.c: common factors of the terms of a sum taken out, the most frequent one first. */
#include "symbolic/sym.h"

/* How often a base is a factor of the terms, and the least exponent with which (whole, positive
 * exponents count; others do not). */
typedef struct shared {
    hol__sym base;
    int count;
    long long least;
} shared;

static int n_factors(hol__sym x) {
    return x->kind == HOL__SYM_PRODUCT ? x->n : x->kind == HOL__SYM_NUMBER ? 0 : 1;
}

static hol__sym factor_at(hol__sym x, int i) {
    return x->kind == HOL__SYM_PRODUCT ? x->arg[i] : x;
}

/* The whole exponent of a factor; 0: it has another. */
static long long whole_exponent(hol__sym factor) {
    if (factor->kind != HOL__SYM_POWER) return 1;
    return hol__sym_is_integer(factor->arg[1]) ? factor->arg[1]->number.n : 0;
}

/* The exponent of a base in a term; 0: it is no factor of it. */
static long long exponent_in(hol__sym term, hol__sym base) {
    for (int i = 0; i < n_factors(term); i++)
        if (hol__sym_base(factor_at(term, i)) == base) return whole_exponent(factor_at(term, i));
    return 0;
}

/* The base that most terms share, of those the one that is longest to write. */
static shared most_shared(hol__sym sum) {
    shared best = {NULL, 1, 0};
    for (int i = 0; i < sum->n; i++)
        for (int k = 0; k < n_factors(sum->arg[i]); k++) {
            const hol__sym base = hol__sym_base(factor_at(sum->arg[i], k));
            const long long own = whole_exponent(factor_at(sum->arg[i], k));
            shared s = {base, 0, own};
            if (own == 0) continue;
            for (int j = 0; j < sum->n; j++) {
                const long long e = exponent_in(sum->arg[j], base);
                if (e == 0 || (e > 0) != (own > 0)) continue;
                s.count++;
                if (own > 0 ? e < s.least : e > s.least) s.least = e;
            }
            if (s.count > best.count ||
                (s.count == best.count && best.base && base->operations > best.base->operations))
                best = s;
        }
    return best;
}

/* base^least (sum of those that have it) + the others, both factored in turn. */
static hol__sym take_out(hol__algebra *a, hol__sym sum, shared s) {
    hol__sym with = a->zero, without = a->zero;
    const hol__sym power = hol__sym_power(a, s.base, hol__sym_integer(a, s.least));
    for (int i = 0; i < sum->n; i++) {
        const long long e = exponent_in(sum->arg[i], s.base);
        if (e != 0 && (e > 0) == (s.least > 0))
            with = hol__sym_add(a, with, hol__sym_div(a, sum->arg[i], power));
        else
            without = hol__sym_add(a, without, sum->arg[i]);
    }
    with = hol__sym_factor(a, with);
    if (!with || a->status) return NULL;
    const int minus = hol__sym_is_negative_sum(with);
    const hol__sym parts[3] = {minus ? a->minus_one : a->one, power,
                               minus ? hol__sym_neg(a, with) : with};
    return hol__sym_add(a, hol__sym_product(a, 3, parts), hol__sym_factor(a, without));
}

hol__sym hol__sym_factor(hol__algebra *a, hol__sym x) {
    if (!x || a->status || x->kind != HOL__SYM_SUM) return x;
    const shared s = most_shared(x);
    if (!s.base || s.count < 2) return x;
    const hol__sym out = take_out(a, x, s);
    return out && out->operations < x->operations ? out : x;
}
