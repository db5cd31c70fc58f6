/* walk.c: derivatives, replacement and values: one pass over the nodes below an expression.
 *
 *     (sum x_i)' = sum x_i'     (prod x_i)' = sum x_i' prod_(j != i) x_j
 *     (x^e)' = e x^(e-1) x' + x^e log(x) e'       f(x)' = f_x x'
 *
 * Results are kept by node, so that what stands in many places is walked once.
 */
#include "symbolic/sym.h"

#include <math.h>
#include <string.h>

typedef struct walk {
    hol__algebra *a;
    const hol__sym *by; /* by symbol */
    hol__sym (*visit)(struct walk *, hol__sym);
} walk;

static hol__sym visit(walk *w, hol__sym x) {
    hol__algebra *a = w->a;
    if (!x || a->status) return NULL;
    if (x->id < a->memo_size && a->memo[x->id].walk == a->walks) return a->memo[x->id].result;
    const hol__sym out = w->visit(w, x);
    if (x->id < a->memo_size) a->memo[x->id] = (hol__sym_memo){a->walks, out};
    return out;
}

/* Walks do not nest, so that one memory serves them all. */
static hol__sym start(hol__algebra *a, hol__sym x, const hol__sym *by,
                      hol__sym (*one)(walk *, hol__sym)) {
    walk w = {.a = a, .by = by, .visit = one};
    if (!x || a->status) return NULL;
    hol__sym_memo *memo =
        hol__arena_grow(&a->arena, a->memo, sizeof *memo, a->memo_size, &a->memo_size, a->n_nodes);
    if (!memo) {
        a->status = HOL_ERR_MEMORY;
        return NULL;
    }
    a->memo = memo;
    a->walks++;
    return visit(&w, x);
}

/* ---- derivatives ---- */

/* f_x (which 0) or f_y (which 1). */
static hol__sym slope(hol__algebra *a, hol__sym call, int which) {
    const hol__sym x = call->arg[0], y = call->n > 1 ? call->arg[1] : NULL;
    const hol__sym square = hol__sym_square(a, x);
    switch (call->function) {
    case HOL__SYM_SIN: return hol__sym_cos(a, x);
    case HOL__SYM_COS: return hol__sym_neg(a, hol__sym_sin(a, x));
    case HOL__SYM_TAN: return hol__sym_add(a, a->one, hol__sym_square(a, call));
    case HOL__SYM_ASIN:
        return hol__sym_power(a, hol__sym_sub(a, a->one, square), hol__sym_fraction(a, -1, 2));
    case HOL__SYM_ACOS:
        return hol__sym_neg(
            a, hol__sym_power(a, hol__sym_sub(a, a->one, square), hol__sym_fraction(a, -1, 2)));
    case HOL__SYM_ATAN: return hol__sym_div(a, a->one, hol__sym_add(a, a->one, square));
    case HOL__SYM_ATAN2: /* atan2(x, y): x the sine, y the cosine */
        return hol__sym_div(a, which ? hol__sym_neg(a, x) : y,
                            hol__sym_add(a, square, hol__sym_square(a, y)));
    case HOL__SYM_SINH: return hol__sym_call(a, HOL__SYM_COSH, x, NULL);
    case HOL__SYM_COSH: return hol__sym_call(a, HOL__SYM_SINH, x, NULL);
    case HOL__SYM_TANH: return hol__sym_sub(a, a->one, hol__sym_square(a, call));
    case HOL__SYM_EXP: return call;
    case HOL__SYM_LOG: return hol__sym_div(a, a->one, x);
    case HOL__SYM_ABS: return hol__sym_call(a, HOL__SYM_SIGN, x, NULL);
    case HOL__SYM_SIGN: return a->zero;
    }
    return NULL;
}

/* The product with factor i replaced. */
static hol__sym with_factor(hol__algebra *a, hol__sym x, int i, hol__sym factor) {
    hol__sym *all = hol__alloc(a->ctx, (size_t)x->n + 1, sizeof *all);
    if (!all) {
        a->status = HOL_ERR_MEMORY;
        return NULL;
    }
    memcpy(all, x->arg, sizeof *all * (size_t)x->n);
    all[i] = factor;
    all[x->n] = hol__sym_exact(a, x->number);
    const hol__sym out = hol__sym_product(a, x->n + 1, all);
    hol__release(a->ctx, all);
    return out;
}

static hol__sym derive_power(walk *w, hol__sym x) {
    hol__algebra *a = w->a;
    const hol__sym base = x->arg[0], e = x->arg[1], de = visit(w, e);
    const hol__sym lower[3] = {e, hol__sym_power(a, base, hol__sym_sub(a, e, a->one)),
                               visit(w, base)};
    hol__sym out = hol__sym_product(a, 3, lower);
    if (!hol__sym_is(de, 0)) {
        const hol__sym other[3] = {x, hol__sym_call(a, HOL__SYM_LOG, base, NULL), de};
        out = hol__sym_add(a, out, hol__sym_product(a, 3, other));
    }
    return out;
}

static hol__sym derive(walk *w, hol__sym x) {
    hol__algebra *a = w->a;
    hol__sym out = a->zero;
    if (x->kind == HOL__SYM_NUMBER) return a->zero;
    if (x->kind == HOL__SYM_SYMBOL) return w->by[x->symbol] ? w->by[x->symbol] : a->zero;
    if (x->kind == HOL__SYM_POWER) return derive_power(w, x);
    const int from = a->n_stack;
    for (int i = 0; i < x->n; i++) {
        const hol__sym d = visit(w, x->arg[i]);
        if (!d) return NULL;
        if (hol__sym_is(d, 0)) continue;
        const hol__sym term = x->kind == HOL__SYM_SUM       ? d
                              : x->kind == HOL__SYM_PRODUCT ? with_factor(a, x, i, d)
                                                            : hol__sym_mul(a, slope(a, x, i), d);
        if (!term || !hol__sym_push(a, (hol__sym_pair){.key = term})) return NULL;
    }
    const int n = a->n_stack - from;
    hol__sym *terms = n ? hol__alloc(a->ctx, (size_t)n, sizeof *terms) : NULL;
    for (int i = 0; terms && i < n; i++) terms[i] = a->stack[from + i].key;
    a->n_stack = from;
    if (n && !terms) a->status = HOL_ERR_MEMORY;
    if (n) out = terms ? hol__sym_sum(a, n, terms) : NULL;
    hol__release(a->ctx, terms);
    return out;
}

hol__sym hol__sym_along(hol__algebra *a, hol__sym x, const hol__sym *rates) {
    const int from = a->n_stack;
    const hol__sym out = start(a, x, rates, derive);
    a->n_stack = from;
    return out;
}

hol__sym hol__sym_derivative(hol__algebra *a, hol__sym x, hol__sym symbol) {
    if (!x || !symbol || a->status) return NULL;
    if (a->n_symbols > a->unit_size) {
        a->unit = hol__arena_grow(&a->arena, a->unit, sizeof *a->unit, a->unit_size, &a->unit_size,
                                  a->n_symbols);
        if (!a->unit) {
            a->unit_size = 0;
            a->status = HOL_ERR_MEMORY;
            return NULL;
        }
    }
    a->unit[symbol->symbol] = a->one;
    const hol__sym out = hol__sym_along(a, x, a->unit);
    a->unit[symbol->symbol] = NULL;
    return out;
}

/* ---- replacement ---- */

static hol__sym put_in(walk *w, hol__sym x) {
    hol__algebra *a = w->a;
    hol__sym out = NULL;
    if (x->kind == HOL__SYM_NUMBER) return x;
    if (x->kind == HOL__SYM_SYMBOL) return w->by[x->symbol] ? w->by[x->symbol] : x;
    hol__sym *args = hol__alloc(a->ctx, (size_t)x->n + 1, sizeof *args);
    int changed = 0, whole = args != NULL;
    if (!args) a->status = HOL_ERR_MEMORY;
    for (int i = 0; whole && i < x->n; i++) {
        args[i] = visit(w, x->arg[i]);
        changed |= args[i] != x->arg[i];
        whole = args[i] != NULL;
    }
    if (whole && !changed) {
        out = x;
    } else if (whole && x->kind == HOL__SYM_SUM) {
        out = hol__sym_sum(a, x->n, args);
    } else if (whole && x->kind == HOL__SYM_PRODUCT) {
        args[x->n] = hol__sym_exact(a, x->number);
        out = hol__sym_product(a, x->n + 1, args);
    } else if (whole && x->kind == HOL__SYM_POWER) {
        out = hol__sym_power(a, args[0], args[1]);
    } else if (whole) {
        out = hol__sym_call(a, x->function, args[0], x->n > 1 ? args[1] : NULL);
    }
    hol__release(a->ctx, args);
    return out;
}

hol__sym hol__sym_replace(hol__algebra *a, hol__sym x, const hol__sym *by) {
    return start(a, x, by, put_in);
}

int hol__sym_has(hol__algebra *a, hol__sym x, int symbol) {
    if (!x) return 0;
    if (x->kind == HOL__SYM_SYMBOL) return x->symbol == symbol;
    for (int i = 0; i < x->n; i++)
        if (hol__sym_has(a, x->arg[i], symbol)) return 1;
    return 0;
}

/* ---- values ---- */

/* work[id] is this where a node has no value yet. */
static const double none = -1.7976931348623157e308;

static double value(hol__sym x, const double *symbols, double *work) {
    double out = 0;
    if (work[x->id] != none) return work[x->id];
    switch (x->kind) {
    case HOL__SYM_NUMBER: out = hol__exact_value(x->number); break;
    case HOL__SYM_SYMBOL: out = symbols[x->symbol]; break;
    case HOL__SYM_SUM:
        for (int i = 0; i < x->n; i++) out += value(x->arg[i], symbols, work);
        break;
    case HOL__SYM_PRODUCT:
        out = hol__exact_value(x->number);
        for (int i = 0; i < x->n; i++) out *= value(x->arg[i], symbols, work);
        break;
    case HOL__SYM_POWER: {
        const double base = value(x->arg[0], symbols, work), e = value(x->arg[1], symbols, work);
        out = e == 2      ? base * base
              : e == 0.5  ? sqrt(base)
              : e == -0.5 ? 1 / sqrt(base)
              : e == -1   ? 1 / base
                          : pow(base, e);
        break;
    }
    case HOL__SYM_CALL:
        out = hol__sym_apply(x->function, value(x->arg[0], symbols, work),
                             x->n > 1 ? value(x->arg[1], symbols, work) : 0);
        break;
    }
    return work[x->id] = out;
}

void hol__sym_values(const hol__algebra *a, int n, const hol__sym *x, const double *symbols,
                     double *work, double *out) {
    for (int i = 0; i < a->n_nodes; i++) work[i] = none;
    for (int i = 0; i < n; i++) out[i] = x[i] ? value(x[i], symbols, work) : NAN;
}

double hol__sym_value(const hol__algebra *a, hol__sym x, const double *symbols, double *work) {
    double out;
    hol__sym_values(a, 1, &x, symbols, work, &out);
    return out;
}
