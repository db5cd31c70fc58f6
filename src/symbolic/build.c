/* build.c: sums, products and powers in normal form (sym.h, invariant 1). */
#include "symbolic/sym.h"

#include <float.h>
#include <math.h>
#include <string.h>

int hol__sym_push(hol__algebra *a, hol__sym_pair pair) {
    hol__sym_pair *stack = hol__arena_grow(&a->arena, a->stack, sizeof *stack, a->n_stack,
                                           &a->stack_capacity, a->n_stack + 1);
    if (!stack) {
        a->status = HOL_ERR_MEMORY;
        return 0;
    }
    a->stack = stack;
    stack[a->n_stack++] = pair;
    return 1;
}

/* ---- sorting the pairs above `from`: by key for collecting, in the order of writing after ---- */

static int by_key(const hol__algebra *a, const hol__sym_pair *x, const hol__sym_pair *y) {
    (void)a;
    const int i = x->key ? x->key->id : -1, j = y->key ? y->key->id : -1;
    return (i > j) - (i < j);
}

static int by_order(const hol__algebra *a, const hol__sym_pair *x, const hol__sym_pair *y) {
    if (!x->key || !y->key) return (x->key == NULL) - (y->key == NULL);
    return hol__sym_compare(a, x->key, y->key);
}

/* Merge sort, in place of stack[from …] with room above it. */
static int sort_pairs(hol__algebra *a, int from, int n,
                      int (*compare)(const hol__algebra *, const hol__sym_pair *,
                                     const hol__sym_pair *)) {
    const int top = a->n_stack;
    for (int i = 0; i < n; i++)
        if (!hol__sym_push(a, (hol__sym_pair){.key = NULL})) return 0;
    hol__sym_pair *x = a->stack + from, *y = a->stack + top;
    for (int width = 1; width < n; width *= 2) {
        for (int low = 0; low < n; low += 2 * width) {
            const int middle = low + width < n ? low + width : n,
                      high = low + 2 * width < n ? low + 2 * width : n;
            for (int i = low, j = middle, k = low; k < high; k++)
                y[k] = i < middle && (j >= high || compare(a, &x[i], &x[j]) <= 0) ? x[i++] : x[j++];
        }
        memcpy(x, y, sizeof *x * (size_t)n);
    }
    a->n_stack = top;
    return 1;
}

/* ---- sums ---- */

/* The terms of x, times a number, as pairs (number, rest); rest NULL: the number alone. */
static int push_terms(hol__algebra *a, hol__exact number, hol__sym x) {
    if (x->kind == HOL__SYM_SUM) {
        for (int i = 0; i < x->n; i++)
            if (!push_terms(a, number, x->arg[i])) return 0;
        return 1;
    }
    hol__sym_pair pair = {.number = number, .key = x};
    if (x->kind == HOL__SYM_NUMBER)
        pair = (hol__sym_pair){.number = hol__exact_mul(number, x->number)};
    else if (x->kind == HOL__SYM_PRODUCT)
        pair = (hol__sym_pair){.number = hol__exact_mul(number, x->number), .key = x->rest};
    return hol__sym_push(a, pair);
}

/* Whether a sum of like terms, the largest of which is `largest`, is nothing but their rounding: a
 * real that comes of 32 operations is off by 16 units of its last digit at most. */
static int is_rounding(hol__exact sum, double largest) {
    return sum.d == 0 && fabs(sum.x) <= 16 * DBL_EPSILON * largest;
}

/* A sum without what rounding left in its last digits: the decimal of twelve digits where it is one
 * to within the rounding of the largest term. */
static hol__exact without_rounding(hol__exact sum, double largest) {
    if (sum.d || !isfinite(sum.x)) return sum;
    const double power = pow(10, 11 - floor(log10(fabs(sum.x)))),
                 rounded = round(sum.x * power) / power;
    return fabs(rounded - sum.x) <= 4 * DBL_EPSILON * largest ? hol__exact_of(rounded) : sum;
}

/* Like terms added up: how many are left above `from`. */
static int collect_terms(hol__algebra *a, int from) {
    const int all = a->n_stack - from;
    int n = 0;
    hol__sym_pair *x = a->stack + from;
    for (int i = 0; i < all;) {
        hol__sym_pair sum = x[i++];
        double largest = fabs(hol__exact_value(sum.number));
        for (; i < all && x[i].key == sum.key; i++) {
            largest = fmax(largest, fabs(hol__exact_value(x[i].number)));
            sum.number = hol__exact_add(sum.number, x[i].number);
        }
        if (hol__exact_is(sum.number, 0) || is_rounding(sum.number, largest)) continue;
        sum.number = without_rounding(sum.number, largest);
        x[n++] = sum;
    }
    return n;
}

hol__sym hol__sym_scaled(hol__algebra *a, hol__exact number, hol__sym rest) {
    if (!rest) return a->status ? NULL : hol__sym_exact(a, number);
    if (hol__exact_is(number, 0)) return a->zero;
    if (hol__exact_is(number, 1)) return rest;
    if (rest->kind == HOL__SYM_NUMBER)
        return hol__sym_exact(a, hol__exact_mul(number, rest->number));
    if (rest->kind == HOL__SYM_PRODUCT)
        return hol__exact_is(rest->number, 1)
                   ? hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_PRODUCT,
                                                              .number = number,
                                                              .n = rest->n,
                                                              .arg = rest->arg,
                                                              .rest = rest})
                   : hol__sym_scaled(a, hol__exact_mul(number, rest->number), rest->rest);
    if (rest->kind == HOL__SYM_SUM) {
        const hol__sym both[2] = {hol__sym_exact(a, number), rest};
        return hol__sym_product(a, 2, both);
    }
    return hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_PRODUCT,
                                                    .number = number,
                                                    .n = 1,
                                                    .arg = (hol__sym[]){rest},
                                                    .rest = rest});
}

/* The sum of the pairs above `from`, which leave the stack. */
static hol__sym sum_of_stack(hol__algebra *a, int from) {
    hol__sym out = NULL;
    if (!sort_pairs(a, from, a->n_stack - from, by_key)) return NULL;
    const int n = collect_terms(a, from);
    a->n_stack = from + n;
    if (n == 0) return a->zero;
    if (!sort_pairs(a, from, n, by_order)) return NULL;
    if (n == 1) {
        const hol__sym_pair one = a->stack[from];
        a->n_stack = from;
        return hol__sym_scaled(a, one.number, one.key);
    }
    hol__sym *terms = hol__alloc(a->ctx, (size_t)n, sizeof *terms);
    if (!terms) a->status = HOL_ERR_MEMORY;
    for (int i = 0; terms && i < n; i++)
        terms[i] = hol__sym_scaled(a, a->stack[from + i].number, a->stack[from + i].key);
    if (terms)
        out = hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_SUM, .n = n, .arg = terms});
    hol__release(a->ctx, terms);
    a->n_stack = from;
    return out;
}

hol__sym hol__sym_sum(hol__algebra *a, int n, const hol__sym *terms) {
    const int from = a->n_stack;
    if (a->status) return NULL;
    for (int i = 0; i < n; i++)
        if (!terms[i] || !push_terms(a, hol__exact_integer(1), terms[i])) {
            a->n_stack = from;
            return NULL;
        }
    const hol__sym out = sum_of_stack(a, from);
    a->n_stack = from;
    return out;
}

/* ---- products ---- */

/* The factors of x as pairs (base, exponent); numbers go to *number. */
static int push_factors(hol__algebra *a, hol__sym x, hol__exact *number) {
    if (x->kind == HOL__SYM_NUMBER) {
        *number = hol__exact_mul(*number, x->number);
        return 1;
    }
    if (x->kind == HOL__SYM_PRODUCT) {
        *number = hol__exact_mul(*number, x->number);
        for (int i = 0; i < x->n; i++)
            if (!push_factors(a, x->arg[i], number)) return 0;
        return 1;
    }
    return hol__sym_push(
        a, (hol__sym_pair){.key = hol__sym_base(x), .exponent = hol__sym_exponent(a, x)});
}

/* Like bases with their exponents added: powers as keys; numbers go to *number. */
static int collect_factors(hol__algebra *a, int from, hol__exact *number) {
    int n = 0;
    for (int i = from; i < a->n_stack;) {
        const hol__sym base = a->stack[i].key;
        hol__sym exponent = a->stack[i++].exponent;
        for (; i < a->n_stack && a->stack[i].key == base; i++)
            exponent = hol__sym_add(a, exponent, a->stack[i].exponent);
        const hol__sym power = exponent ? hol__sym_power(a, base, exponent) : NULL;
        if (!power) return -1;
        if (power->kind == HOL__SYM_NUMBER || power->kind == HOL__SYM_PRODUCT)
            *number = hol__exact_mul(*number, power->number);
        if (power->kind == HOL__SYM_NUMBER) continue;
        /* what a power became: the product of powers of numbers, at most */
        a->stack[from + n++] =
            (hol__sym_pair){.key = power->kind == HOL__SYM_PRODUCT ? power->rest : power};
    }
    return n;
}

/* A number times one sum, term by term. */
static hol__sym spread(hol__algebra *a, hol__exact number, hol__sym sum) {
    const int from = a->n_stack;
    if (!push_terms(a, number, sum)) return NULL;
    const hol__sym out = sum_of_stack(a, from);
    a->n_stack = from;
    return out;
}

hol__sym hol__sym_product(hol__algebra *a, int n, const hol__sym *factors) {
    const int from = a->n_stack;
    hol__exact number = hol__exact_integer(1);
    hol__sym out = NULL;
    if (a->status) return NULL;
    for (int i = 0; i < n; i++)
        if (!factors[i] || !push_factors(a, factors[i], &number)) goto done;
    if (hol__exact_is(number, 0)) {
        out = a->zero;
        goto done;
    }
    if (!sort_pairs(a, from, a->n_stack - from, by_key)) goto done;
    const int left = collect_factors(a, from, &number);
    if (left < 0) goto done;
    a->n_stack = from + left;
    if (!sort_pairs(a, from, left, by_order)) goto done;
    if (left == 0) {
        out = hol__sym_exact(a, number);
    } else if (left == 1) {
        const hol__sym one = a->stack[from].key;
        out = one->kind == HOL__SYM_SUM && !hol__exact_is(number, 1)
                  ? spread(a, number, one)
                  : hol__sym_scaled(a, number, one);
    } else {
        hol__sym *args = hol__alloc(a->ctx, (size_t)left, sizeof *args);
        if (!args) a->status = HOL_ERR_MEMORY;
        for (int i = 0; args && i < left; i++) args[i] = a->stack[from + i].key;
        const hol__sym rest =
            args ? hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_PRODUCT,
                                                            .number = hol__exact_integer(1),
                                                            .n = left,
                                                            .arg = args})
                 : NULL;
        hol__release(a->ctx, args);
        out = rest ? hol__sym_scaled(a, number, rest) : NULL;
    }
done:
    a->n_stack = from;
    return out;
}

/* ---- powers ---- */

/* A number to an exponent that is a number: exact where it can be, the node where a root of a
 * small integer is left. */
static hol__sym power_of_number(hol__algebra *a, hol__sym base, hol__sym exponent) {
    const hol__exact b = base->number, e = exponent->number;
    hol__exact root;
    if (hol__exact_is_integer(e) && e.n > -64 && e.n < 64 && !(hol__exact_is(b, 0) && e.n < 0))
        return hol__sym_exact(a, hol__exact_power(b, e.n));
    if (e.d == 2 && hol__exact_root(b, &root))
        return hol__sym_exact(a, hol__exact_power(root, e.n));
    if (b.d == 1 && !b.decimal && b.n > 0 && b.n < 1000 && e.d == 2 && e.n == 1)
        return hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_POWER,
                                                        .n = 2,
                                                        .arg = (hol__sym[]){base, exponent}});
    if (b.d == 1 && !b.decimal && b.n > 0 && b.n < 1000 && e.d == 2) /* b^(3/2) = b sqrt(b) */
        return hol__sym_scaled(a, hol__exact_power(b, (e.n - 1) / 2),
                               power_of_number(a, base, a->half));
    const double x = pow(hol__exact_value(b), hol__exact_value(e));
    return isfinite(x) ? hol__sym_exact(a, (hol__exact){.x = x, .decimal = 1}) : NULL;
}

/* (x y)^e = x^e y^e: for integers always, else for factors that are positive. */
static hol__sym power_of_product(hol__algebra *a, hol__sym base, hol__sym exponent) {
    const int whole = hol__sym_is_integer(exponent);
    const int sign = hol__exact_value(base->number) > 0 ? 1 : -1;
    hol__sym out = a->one, inside = a->one;
    if (whole || sign > 0)
        out = hol__sym_power(a, hol__sym_exact(a, base->number), exponent);
    else
        inside = hol__sym_exact(a, base->number);
    for (int i = 0; i < base->n; i++) {
        const hol__sym x = base->arg[i];
        if (whole || hol__sym_is_positive(a, x))
            out = hol__sym_mul(a, out, hol__sym_power(a, x, exponent));
        else
            inside = hol__sym_mul(a, inside, x);
    }
    if (hol__sym_is(inside, 1)) return out;
    const hol__sym left =
        inside ? hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_POWER,
                                                          .n = 2,
                                                          .arg = (hol__sym[]){inside, exponent}})
               : NULL;
    return hol__sym_is(out, 1) ? left : hol__sym_mul(a, out, left);
}

int hol__sym_is_negative_sum(hol__sym x) {
    if (x->kind != HOL__SYM_SUM) return 0;
    for (int i = 0; i < x->n; i++) {
        const hol__sym t = x->arg[i];
        if ((t->kind != HOL__SYM_NUMBER && t->kind != HOL__SYM_PRODUCT) ||
            hol__exact_value(t->number) > 0)
            return 0;
    }
    return 1;
}

hol__sym hol__sym_power(hol__algebra *a, hol__sym base, hol__sym exponent) {
    if (!base || !exponent || a->status) return NULL;
    if (hol__sym_is(exponent, 0) || hol__sym_is(base, 1)) return a->one;
    if (hol__sym_is(exponent, 1)) return base;
    if (hol__sym_is(base, 0) && hol__sym_is_number(exponent) &&
        hol__exact_value(exponent->number) > 0)
        return a->zero;
    if (hol__sym_is_number(base) && hol__sym_is_number(exponent)) {
        const hol__sym x = power_of_number(a, base, exponent);
        if (x || a->status) return x;
    }
    if (base->kind == HOL__SYM_POWER &&
        (hol__sym_is_integer(exponent) || hol__sym_is_positive(a, base->arg[0])))
        return hol__sym_power(a, base->arg[0], hol__sym_mul(a, base->arg[1], exponent));
    if (base->kind == HOL__SYM_PRODUCT) return power_of_product(a, base, exponent);
    if (hol__sym_is_negative_sum(base) && hol__sym_is_integer(exponent) &&
        exponent->number.n % 2 == 0)
        base = hol__sym_neg(a, base); /* (-x - y)^2 = (x + y)^2 */
    if (!base) return NULL;
    return hol__sym_node(a, &(struct hol__sym_node){.kind = HOL__SYM_POWER,
                                                    .n = 2,
                                                    .arg = (hol__sym[]){base, exponent}});
}

/* ---- short forms ---- */

hol__sym hol__sym_add(hol__algebra *a, hol__sym x, hol__sym y) {
    const hol__sym both[2] = {x, y};
    return hol__sym_sum(a, 2, both);
}

hol__sym hol__sym_mul(hol__algebra *a, hol__sym x, hol__sym y) {
    const hol__sym both[2] = {x, y};
    return hol__sym_product(a, 2, both);
}

hol__sym hol__sym_neg(hol__algebra *a, hol__sym x) {
    return hol__sym_mul(a, a->minus_one, x);
}

hol__sym hol__sym_sub(hol__algebra *a, hol__sym x, hol__sym y) {
    return hol__sym_add(a, x, hol__sym_neg(a, y));
}

hol__sym hol__sym_div(hol__algebra *a, hol__sym x, hol__sym y) {
    return hol__sym_mul(a, x, hol__sym_power(a, y, a->minus_one));
}

hol__sym hol__sym_square(hol__algebra *a, hol__sym x) {
    return hol__sym_power(a, x, a->two);
}

hol__sym hol__sym_sqrt(hol__algebra *a, hol__sym x) {
    return hol__sym_power(a, x, a->half);
}
