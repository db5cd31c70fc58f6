/* dag.c: nodes of a computation, each made once and simplified. See dag.h. */
#include "generate/dag.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { FIRST_TABLE = 1024 };

int hol__dag_init(hol__dag *d, hol_context *ctx, int most) {
    *d = (hol__dag){.most = most, .table_size = FIRST_TABLE};
    hol__arena_init(&d->arena, ctx);
    d->table = HOL__NEW_N(&d->arena, hol__ref, FIRST_TABLE);
    if (!d->table) return 0;
    memset(d->table, -1, sizeof *d->table * FIRST_TABLE);
    d->zero = hol__dag_number(d, 0);
    d->one = hol__dag_number(d, 1);
    return !d->status;
}

void hol__dag_free(hol__dag *d) {
    hol__arena_free(&d->arena);
}

/* ---- the one node like this ---- */

static unsigned place_of(const hol__dag *d, const hol__dag_node *n) {
    const long long key[5] = {n->op, n->a, n->b, n->c, n->index};
    unsigned long long h = hol__hash(HOL__HASH_START, key, sizeof key);
    h = hol__hash(h, &n->value, sizeof n->value);
    return (unsigned)(h ^ (h >> 32)) & (unsigned)(d->table_size - 1);
}

static int same(const hol__dag_node *x, const hol__dag_node *y) {
    return x->op == y->op && x->a == y->a && x->b == y->b && x->c == y->c && x->index == y->index &&
           memcmp(&x->value, &y->value, sizeof x->value) == 0;
}

/* A table of twice the size. */
static int grow_table(hol__dag *d) {
    const int size = 2 * d->table_size;
    hol__ref *table = HOL__NEW_N(&d->arena, hol__ref, size);
    if (!table) return 0;
    memset(table, -1, sizeof *table * (size_t)size);
    d->table = table;
    d->table_size = size;
    for (int i = 0; i < d->count; i++) {
        const unsigned at = place_of(d, &d->nodes[i]);
        d->nodes[i].next = table[at];
        table[at] = i;
    }
    return 1;
}

static hol__ref fail(hol__dag *d, hol_status status) {
    if (!d->status) d->status = status;
    return -1;
}

hol__ref hol__dag_refuse(hol__dag *d, const char *why) {
    if (!d->status) d->why = why;
    return fail(d, HOL_ERR_ARGUMENT);
}

void hol__dag_mark(const hol__dag *d, int n, unsigned char *need) {
    for (hol__ref i = n - 1; i >= 0; i--) {
        const hol__dag_node *x = &d->nodes[i];
        if (!need[i]) continue;
        if (x->a >= 0) need[x->a] = 1;
        if (x->b >= 0) need[x->b] = 1;
        if (x->c >= 0 && x->op != HOL__OP_TABLE) need[x->c] = 1;
    }
}

static hol__ref node(hol__dag *d, hol__dag_node like) {
    if (d->status) return -1;
    unsigned at = place_of(d, &like);
    for (hol__ref i = d->table[at]; i >= 0; i = d->nodes[i].next)
        if (same(&d->nodes[i], &like)) return i;
    if (d->count >= d->most) return hol__dag_refuse(d, "it takes too many operations");
    hol__dag_node *nodes =
        hol__arena_grow(&d->arena, d->nodes, sizeof *nodes, d->count, &d->capacity, d->count + 1);
    if (!nodes) return fail(d, HOL_ERR_MEMORY);
    d->nodes = nodes;
    if (d->count >= d->table_size) {
        if (!grow_table(d)) return fail(d, HOL_ERR_MEMORY);
        at = place_of(d, &like);
    }
    like.next = d->table[at];
    nodes[d->count] = like;
    return d->table[at] = d->count++;
}

/* ---- numbers and inputs ---- */

hol__ref hol__dag_number(hol__dag *d, double x) {
    return node(d, (hol__dag_node){HOL__OP_CONSTANT, -1, -1, -1, 0, x == 0 ? 0 : x, -1});
}

hol__ref hol__dag_input(hol__dag *d) {
    return node(d, (hol__dag_node){HOL__OP_INPUT, -1, -1, -1, d->n_inputs++, 0, -1});
}

int hol__dag_is_number(const hol__dag *d, hol__ref a) {
    return a >= 0 && d->nodes[a].op == HOL__OP_CONSTANT;
}

int hol__dag_is(const hol__dag *d, hol__ref a, double x) {
    return hol__dag_is_number(d, a) && d->nodes[a].value == x;
}

static int is_op(const hol__dag *d, hol__ref a, hol__expr_op op) {
    return a >= 0 && d->nodes[a].op == op;
}

/* ---- operations ---- */

/* The number of an operation on numbers. */
static hol__ref fold(hol__dag *d, hol__dag_node n) {
    const hol__ref of[3] = {n.a, n.b, n.op == HOL__OP_TABLE ? -1 : n.c};
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = of[i] >= 0 ? d->nodes[of[i]].value : 0;
    return hol__dag_number(d, hol__dag_apply(d, &n, x[0], x[1], x[2]));
}

hol__ref hol__dag_1(hol__dag *d, hol__expr_op op, hol__ref a) {
    if (a < 0 || d->status) return -1;
    const hol__dag_node n = {op, a, -1, -1, 0, 0, -1};
    if (hol__dag_is_number(d, a)) return fold(d, n);
    if (op == HOL__OP_NEG && is_op(d, a, HOL__OP_NEG)) return d->nodes[a].a;
    if (op == HOL__OP_NEG && is_op(d, a, HOL__OP_SUB))
        return hol__dag_sub(d, d->nodes[a].b, d->nodes[a].a);
    return node(d, n);
}

/* The factor k of x = k y with a number k, and y. */
static double factor_of(const hol__dag *d, hol__ref x, hol__ref *y) {
    const hol__dag_node *n = &d->nodes[x];
    *y = x;
    if (n->op != HOL__OP_MUL || !hol__dag_is_number(d, n->a)) return 1;
    *y = n->b;
    return d->nodes[n->a].value;
}

/* a + sign b where both are numbers times one node; -1: they are not. */
static hol__ref collect(hol__dag *d, hol__ref a, hol__ref b, double sign) {
    hol__ref x, y;
    const double k = factor_of(d, a, &x), l = factor_of(d, b, &y);
    if (x != y || hol__dag_is_number(d, x)) return -1;
    return hol__dag_mul(d, hol__dag_number(d, k + sign * l), x);
}

static hol__ref add(hol__dag *d, hol__ref a, hol__ref b) {
    if (hol__dag_is(d, a, 0)) return b;
    if (hol__dag_is(d, b, 0)) return a;
    if (is_op(d, b, HOL__OP_NEG)) return hol__dag_sub(d, a, d->nodes[b].a);
    if (is_op(d, a, HOL__OP_NEG)) return hol__dag_sub(d, b, d->nodes[a].a);
    if (is_op(d, a, HOL__OP_SUB) && d->nodes[a].b == b) return d->nodes[a].a; /* (x - b) + b */
    if (is_op(d, b, HOL__OP_SUB) && d->nodes[b].b == a) return d->nodes[b].a;
    return collect(d, a, b, 1);
}

/* What is left of a - b where one is a sum or a difference with the other in it; -1: nothing. */
static hol__ref cancel(hol__dag *d, hol__ref a, hol__ref b) {
    const hol__dag_node x = d->nodes[a], y = d->nodes[b];
    if (x.op == HOL__OP_ADD && (x.a == b || x.b == b)) return x.a == b ? x.b : x.a;
    if (x.op == HOL__OP_SUB && x.a == b) return hol__dag_neg(d, x.b);
    if (y.op == HOL__OP_ADD && (y.a == a || y.b == a)) return hol__dag_neg(d, y.a == a ? y.b : y.a);
    if (y.op == HOL__OP_SUB && y.a == a) return y.b;
    return -1;
}

static hol__ref subtract(hol__dag *d, hol__ref a, hol__ref b) {
    if (a == b) return d->zero;
    const hol__ref left = cancel(d, a, b);
    if (left >= 0) return left;
    if (hol__dag_is(d, b, 0)) return a;
    if (hol__dag_is(d, a, 0)) return hol__dag_neg(d, b);
    if (is_op(d, b, HOL__OP_NEG)) return hol__dag_add(d, a, d->nodes[b].a);
    if (is_op(d, a, HOL__OP_NEG)) return hol__dag_neg(d, hol__dag_add(d, d->nodes[a].a, b));
    return collect(d, a, b, -1);
}

/* A number times (a number times x). */
static hol__ref scale(hol__dag *d, double k, hol__ref x) {
    const hol__ref inner = d->nodes[x].a;
    if (is_op(d, x, HOL__OP_MUL) && hol__dag_is_number(d, inner))
        return hol__dag_mul(d, hol__dag_number(d, k * d->nodes[inner].value), d->nodes[x].b);
    return -1;
}

/* Numbers stand first in products. */
static hol__ref multiply(hol__dag *d, hol__ref a, hol__ref b) {
    if (hol__dag_is(d, a, 0) || hol__dag_is(d, b, 0)) return d->zero;
    if (hol__dag_is(d, a, 1)) return b;
    if (hol__dag_is(d, b, 1)) return a;
    if (hol__dag_is(d, a, -1)) return hol__dag_neg(d, b);
    if (hol__dag_is(d, b, -1)) return hol__dag_neg(d, a);
    if (hol__dag_is_number(d, b)) return hol__dag_mul(d, b, a);
    if (is_op(d, b, HOL__OP_NEG) && hol__dag_is_number(d, a))
        return hol__dag_mul(d, hol__dag_number(d, -d->nodes[a].value), d->nodes[b].a);
    if (is_op(d, a, HOL__OP_NEG)) return hol__dag_neg(d, hol__dag_mul(d, d->nodes[a].a, b));
    if (is_op(d, b, HOL__OP_NEG)) return hol__dag_neg(d, hol__dag_mul(d, a, d->nodes[b].a));
    return hol__dag_is_number(d, a) ? scale(d, d->nodes[a].value, b) : -1;
}

static hol__ref divide(hol__dag *d, hol__ref a, hol__ref b) {
    if (hol__dag_is(d, a, 0)) return d->zero;
    if (hol__dag_is_number(d, b) && d->nodes[b].value != 0)
        return hol__dag_mul(d, a, hol__dag_number(d, 1 / d->nodes[b].value));
    if (is_op(d, a, HOL__OP_NEG)) return hol__dag_neg(d, hol__dag_over(d, d->nodes[a].a, b));
    return -1;
}

hol__ref hol__dag_2(hol__dag *d, hol__expr_op op, hol__ref a, hol__ref b) {
    if (a < 0 || b < 0 || d->status) return -1;
    const int free = op == HOL__OP_ADD || op == HOL__OP_MUL; /* of the order */
    hol__ref out = -1;
    if (hol__dag_is_number(d, a) && hol__dag_is_number(d, b))
        return fold(d, (hol__dag_node){op, a, b, -1, 0, 0, -1});
    if (op == HOL__OP_ADD) out = add(d, a, b);
    if (op == HOL__OP_SUB) out = subtract(d, a, b);
    if (op == HOL__OP_MUL) out = multiply(d, a, b);
    if (op == HOL__OP_DIV) out = divide(d, a, b);
    if (out >= 0 || d->status) return out;
    const int swap = free && a > b && !hol__dag_is_number(d, a);
    return node(d, (hol__dag_node){op, swap ? b : a, swap ? a : b, -1, 0, 0, -1});
}

hol__ref hol__dag_select(hol__dag *d, hol__ref condition, hol__ref a, hol__ref b) {
    if (condition < 0 || a < 0 || b < 0 || d->status) return -1;
    if (hol__dag_is_number(d, condition) && !isnan(d->nodes[condition].value))
        return d->nodes[condition].value != 0 ? a : b;
    return a == b ? a : node(d, (hol__dag_node){HOL__OP_SELECT, condition, a, b, 0, 0, -1});
}

hol__ref hol__dag_table(hol__dag *d, hol__ref a, const hol__expr_spline *spline, int order) {
    int k = 0;
    if (a < 0 || d->status) return -1;
    if (order > 2) return hol__dag_refuse(d, "a table has no third derivative");
    while (k < d->n_splines && d->splines[k] != spline) k++;
    if (k >= HOL__DAG_TABLES) return hol__dag_refuse(d, "there are too many tables");
    if (k == d->n_splines) {
        const hol__expr_spline **grown =
            hol__arena_grow(&d->arena, (void *)d->splines, sizeof *grown, d->n_splines,
                            &d->spline_capacity, d->n_splines + 1);
        if (!grown) return fail(d, HOL_ERR_MEMORY);
        grown[d->n_splines++] = spline;
        d->splines = grown;
    }
    const hol__dag_node n = {HOL__OP_TABLE, a, -1, k, order, 0, -1};
    return hol__dag_is_number(d, a) ? fold(d, n) : node(d, n);
}

/* a^k by squaring, k > 0. */
static hol__ref whole_power(hol__dag *d, hol__ref a, int k) {
    if (k == 1) return a;
    const hol__ref half = whole_power(d, a, k / 2), square = hol__dag_mul(d, half, half);
    return k % 2 ? hol__dag_mul(d, square, a) : square;
}

hol__ref hol__dag_power(hol__dag *d, hol__ref a, hol__ref b) {
    enum { MOST = 16 };
    if (a < 0 || b < 0 || d->status) return -1;
    if (!hol__dag_is_number(d, b)) return hol__dag_2(d, HOL__OP_POW, a, b);
    const double e = d->nodes[b].value, size = fabs(e);
    hol__ref out = -1;
    if (e == 0) return d->one;
    if (size == floor(size) && size <= MOST)
        out = whole_power(d, a, (int)size);
    else if (size == 0.5)
        out = hol__dag_1(d, HOL__OP_SQRT, a);
    else if (size == 1.5)
        out = hol__dag_mul(d, a, hol__dag_1(d, HOL__OP_SQRT, a));
    else
        return hol__dag_2(d, HOL__OP_POW, a, b);
    return e < 0 ? hol__dag_over(d, d->one, out) : out;
}
