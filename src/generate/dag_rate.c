/* dag_rate.c: derivatives of a computation along given rates.
 *
 *     f(x, y)' = f_x x' + f_y y'
 *
 * Conditions, floor and sign are constant between their jumps, as expressions have it
 * (base/expr_jet.c).
 */
#include "generate/dag.h"

#include <math.h>
#include <string.h>

static hol__ref square(hol__dag *d, hol__ref x) {
    return hol__dag_mul(d, x, x);
}

/* f' of an operation of one operand x, whose node is f. */
static hol__ref slope(hol__dag *d, hol__ref f, hol__ref x) {
    const hol__ref one = d->one;
    switch (d->nodes[f].op) {
    case HOL__OP_NEG: return hol__dag_number(d, -1);
    case HOL__OP_SIN: return hol__dag_1(d, HOL__OP_COS, x);
    case HOL__OP_COS: return hol__dag_neg(d, hol__dag_1(d, HOL__OP_SIN, x));
    case HOL__OP_TAN: return hol__dag_add(d, one, square(d, f));
    case HOL__OP_ASIN:
    case HOL__OP_ACOS: {
        const hol__ref root = hol__dag_1(d, HOL__OP_SQRT, hol__dag_sub(d, one, square(d, x)));
        return hol__dag_over(d, hol__dag_number(d, d->nodes[f].op == HOL__OP_ASIN ? 1 : -1), root);
    }
    case HOL__OP_ATAN: return hol__dag_over(d, one, hol__dag_add(d, one, square(d, x)));
    case HOL__OP_SINH: return hol__dag_1(d, HOL__OP_COSH, x);
    case HOL__OP_COSH: return hol__dag_1(d, HOL__OP_SINH, x);
    case HOL__OP_TANH: return hol__dag_sub(d, one, square(d, f));
    case HOL__OP_EXP: return f;
    case HOL__OP_LOG: return hol__dag_over(d, one, x);
    case HOL__OP_LOG10: return hol__dag_over(d, hol__dag_number(d, 1 / log(10)), x);
    case HOL__OP_SQRT: return hol__dag_over(d, hol__dag_number(d, 0.5), f);
    case HOL__OP_CBRT: return hol__dag_over(d, hol__dag_number(d, 1.0 / 3), square(d, f));
    case HOL__OP_ABS: return hol__dag_1(d, HOL__OP_SIGN, x);
    case HOL__OP_RAMP: { /* 30 s^2 (1 - s)^2 between 0 and 1 */
        const hol__ref s = hol__dag_2(d, HOL__OP_MIN, one, hol__dag_2(d, HOL__OP_MAX, d->zero, x));
        return hol__dag_mul(d, hol__dag_number(d, 30),
                            square(d, hol__dag_mul(d, s, hol__dag_sub(d, one, s))));
    }
    case HOL__OP_TABLE:
        return hol__dag_table(d, x, d->splines[d->nodes[f].c], d->nodes[f].index + 1);
    default: return d->zero;
    }
}

/* The derivative of an operation of two operands. */
static hol__ref rate_2(hol__dag *d, hol__ref f, const hol__dag_node n, hol__ref da, hol__ref db) {
    const hol__ref a = n.a, b = n.b;
    switch (n.op) {
    case HOL__OP_ADD: return hol__dag_add(d, da, db);
    case HOL__OP_SUB: return hol__dag_sub(d, da, db);
    case HOL__OP_MUL: return hol__dag_add(d, hol__dag_mul(d, da, b), hol__dag_mul(d, a, db));
    case HOL__OP_DIV: return hol__dag_over(d, hol__dag_sub(d, da, hol__dag_mul(d, f, db)), b);
    case HOL__OP_POW: {
        const hol__ref less = hol__dag_power(d, a, hol__dag_sub(d, b, d->one));
        const hol__ref first = hol__dag_mul(d, hol__dag_mul(d, b, less), da);
        if (hol__dag_is(d, db, 0)) return first;
        return hol__dag_add(d, first,
                            hol__dag_mul(d, hol__dag_mul(d, f, hol__dag_1(d, HOL__OP_LOG, a)), db));
    }
    case HOL__OP_ATAN2:
        return hol__dag_over(d, hol__dag_sub(d, hol__dag_mul(d, da, b), hol__dag_mul(d, a, db)),
                             hol__dag_add(d, square(d, a), square(d, b)));
    case HOL__OP_HYPOT:
        return hol__dag_over(d, hol__dag_add(d, hol__dag_mul(d, a, da), hol__dag_mul(d, b, db)), f);
    case HOL__OP_MOD: { /* x - y floor(x/y) */
        const hol__ref turns = hol__dag_1(d, HOL__OP_FLOOR, hol__dag_over(d, a, b));
        return hol__dag_sub(d, da, hol__dag_mul(d, turns, db));
    }
    case HOL__OP_MIN: return hol__dag_select(d, hol__dag_2(d, HOL__OP_LE, a, b), da, db);
    case HOL__OP_MAX: return hol__dag_select(d, hol__dag_2(d, HOL__OP_LE, b, a), da, db);
    default: return d->zero;
    }
}

/* The rate of node i from those of the nodes before it. */
static hol__ref rate_of(hol__dag *d, hol__ref i, const hol__ref *rates) {
    const hol__dag_node n = d->nodes[i];
    if (n.op == HOL__OP_CONSTANT || n.op == HOL__OP_INPUT) return d->zero;
    if (n.op == HOL__OP_SELECT) return hol__dag_select(d, n.a, rates[n.b], rates[n.c]);
    const hol__ref da = rates[n.a], db = n.b >= 0 ? rates[n.b] : d->zero;
    if (hol__dag_is(d, da, 0) && hol__dag_is(d, db, 0)) return d->zero;
    return n.b < 0 ? hol__dag_mul(d, slope(d, i, n.a), da) : rate_2(d, i, n, da, db);
}

hol__ref hol__dag_rate(hol__dag *d, hol__ref x, int n, const hol__ref *of, const hol__ref *rates) {
    if (x < 0 || d->status) return -1;
    hol__ref *found = HOL__NEW_N(&d->arena, hol__ref, x + 1);
    unsigned char *need = HOL__NEW_N(&d->arena, unsigned char, x + 1);
    if (!found || !need) {
        d->status = HOL_ERR_MEMORY;
        return -1;
    }
    need[x] = 1;
    hol__dag_mark(d, x + 1, need);
    for (hol__ref i = 0; i <= x && !d->status; i++) {
        int k = n - 1;
        if (!need[i]) continue;
        while (k >= 0 && of[k] != i) k--;
        found[i] = k >= 0 ? rates[k] : rate_of(d, i, found);
    }
    return d->status ? -1 : found[x];
}
