/* trig.c: sines and cosines in sums.
 *
 * Single angles: every product becomes a sum of single sines and cosines,
 *
 *     2 sin x sin y = cos(x - y) - cos(x + y)      2 sin x cos y = sin(x + y) + sin(x - y)
 *     2 cos x cos y = cos(x - y) + cos(x + y)
 *
 * which is a normal form: what is equal becomes the same sum, sin^2 x + cos^2 x = 1 among it.
 * Pythagoras: sin^2 x = 1 - cos^2 x, or the other way round.
 */
#include "symbolic/sym.h"

enum { MOST = 8 }; /* factors of a term: it becomes 2^(MOST - 1) terms at most */

static int is_wave(hol__sym x) {
    return x->kind == HOL__SYM_CALL && (x->function == HOL__SYM_SIN || x->function == HOL__SYM_COS);
}

/* The whole power of a sine or cosine that a factor is; 0: it is none. */
static int wave_power(hol__sym x) {
    if (is_wave(x)) return 1;
    if (x->kind != HOL__SYM_POWER || !is_wave(x->arg[0]) || !hol__sym_is_integer(x->arg[1]))
        return 0;
    const long long k = x->arg[1]->number.n;
    return k > 0 && k <= MOST ? (int)k : 0;
}

/* x times one sine or cosine, x a sum of terms each with at most one of them. */
static hol__sym times_wave(hol__algebra *a, hol__sym x, hol__sym wave) {
    const hol__sym y = wave->arg[0];
    const int cosine = wave->function == HOL__SYM_COS;
    if (!x || a->status) return NULL;
    if (x->kind == HOL__SYM_SUM) {
        hol__sym out = a->zero;
        for (int i = 0; i < x->n; i++) out = hol__sym_add(a, out, times_wave(a, x->arg[i], wave));
        return out;
    }
    const int n = x->kind == HOL__SYM_PRODUCT ? x->n : 1;
    const hol__sym *factors = x->kind == HOL__SYM_PRODUCT ? (const hol__sym *)x->arg : &x;
    for (int i = 0; i < n; i++) {
        if (!is_wave(factors[i])) continue;
        const hol__sym u = factors[i]->arg[0];
        const int both = factors[i]->function == HOL__SYM_COS;
        const hol__sym rest = hol__sym_mul(a, hol__sym_div(a, x, factors[i]), a->half);
        const hol__sym plus = hol__sym_add(a, u, y), minus = hol__sym_sub(a, u, y);
        hol__sym pair;
        if (both == cosine)
            pair =
                hol__sym_add(a, hol__sym_cos(a, minus),
                             both ? hol__sym_cos(a, plus) : hol__sym_neg(a, hol__sym_cos(a, plus)));
        else /* sin u cos y, or cos u sin y */
            pair = hol__sym_add(a, hol__sym_sin(a, plus),
                                cosine ? hol__sym_sin(a, minus)
                                       : hol__sym_neg(a, hol__sym_sin(a, minus)));
        return hol__sym_expand(a, hol__sym_mul(a, rest, pair));
    }
    return hol__sym_mul(a, x, wave);
}

/* One term. */
static hol__sym single(hol__algebra *a, hol__sym x) {
    int power = 0;
    if (x->kind != HOL__SYM_PRODUCT && !wave_power(x)) return x;
    const int n = x->kind == HOL__SYM_PRODUCT ? x->n : 1;
    const hol__sym *factors = x->kind == HOL__SYM_PRODUCT ? (const hol__sym *)x->arg : &x;
    for (int i = 0; i < n; i++) power += wave_power(factors[i]);
    if (power < 2 || power > MOST) return x;
    hol__sym out = x->kind == HOL__SYM_PRODUCT ? hol__sym_exact(a, x->number) : a->one;
    for (int i = 0; i < n; i++)
        if (!wave_power(factors[i])) out = hol__sym_mul(a, out, factors[i]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < wave_power(factors[i]); k++)
            out = times_wave(a, out, hol__sym_base(factors[i]));
    return out;
}

/* Of every term. */
static hol__sym of_terms(hol__algebra *a, hol__sym x, hol__sym_function f,
                         hol__sym (*one)(hol__algebra *, hol__sym, hol__sym_function)) {
    if (!x || a->status) return NULL;
    if (x->kind != HOL__SYM_SUM) return one(a, x, f);
    hol__sym out = NULL, *all = hol__alloc(a->ctx, (size_t)x->n, sizeof *all);
    if (!all) a->status = HOL_ERR_MEMORY;
    for (int i = 0; all && i < x->n; i++) all[i] = one(a, x->arg[i], f);
    if (all) out = hol__sym_sum(a, x->n, all);
    hol__release(a->ctx, all);
    return out;
}

static hol__sym single_of(hol__algebra *a, hol__sym x, hol__sym_function f) {
    (void)f;
    return single(a, x);
}

hol__sym hol__sym_single_angles(hol__algebra *a, hol__sym x) {
    return of_terms(a, x, HOL__SYM_SIN, single_of);
}

/* One term: f^2 = 1 - g^2 until no square of f is left. */
static hol__sym unsquare(hol__algebra *a, hol__sym x, hol__sym_function f) {
    const int n = x->kind == HOL__SYM_PRODUCT ? x->n : 1;
    const hol__sym *factors = x->kind == HOL__SYM_PRODUCT ? (const hol__sym *)x->arg : &x;
    for (int i = 0; i < n; i++) {
        const hol__sym base = hol__sym_base(factors[i]);
        const int k = wave_power(factors[i]);
        if (k < 2 || base->function != f) continue;
        const hol__sym other =
            f == HOL__SYM_SIN ? hol__sym_cos(a, base->arg[0]) : hol__sym_sin(a, base->arg[0]);
        const hol__sym rest[3] = {
            hol__sym_div(a, x, factors[i]), hol__sym_power(a, base, hol__sym_integer(a, k % 2)),
            hol__sym_power(a, hol__sym_sub(a, a->one, hol__sym_square(a, other)),
                           hol__sym_integer(a, k / 2))};
        return of_terms(a, hol__sym_expand(a, hol__sym_product(a, 3, rest)), f, unsquare);
    }
    return x;
}

hol__sym hol__sym_pythagoras(hol__algebra *a, hol__sym x, hol__sym_function square_of) {
    return of_terms(a, x, square_of, unsquare);
}
