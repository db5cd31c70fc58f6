/* expr_graph.c: the operations of an expression as a graph, simplified while it is built.
 *
 *   - an operation on constants is carried out at once, by the same loop that runs programs;
 *   - an operation that exists is shared: sin(q) is computed once however often it is written;
 *   - x + 0, x - 0, x 1, x/1, -(-x), x^0, x^1 and small powers become cheaper equals (up to the
 *     sign of a zero). Nothing that could hide a NaN, such as 0 x = 0, is simplified.
 *
 * x^2, x^3, x^4 become products and x^-1 a quotient: exact for negative x, and with the right
 * derivatives at 0.
 */
#include "base/expr_internal.h"
#include "base/text.h"

#include <math.h>

/* Append a node; -1 without memory. */
static int append(hol__expr_graph *g, const hol__expr_node *node) {
    hol__expr_node *nodes =
        hol__arena_grow(g->arena, g->nodes, sizeof *node, g->count, &g->capacity, g->count + 1);
    if (!nodes) return -1;
    g->nodes = nodes;
    g->nodes[g->count] = *node;
    g->nodes[g->count].offset = g->offset;
    return g->count++;
}

/* Whether two nodes compute the same, down to the sign of a zero. */
static int same(const hol__expr_node *p, const hol__expr_node *q) {
    return p->op == q->op && p->a == q->a && p->b == q->b && p->c == q->c && p->index == q->index &&
           p->value == q->value && !signbit(p->value) == !signbit(q->value);
}

/* The equal of node that was built last with its hash, or a new one. */
static int share(hol__expr_graph *g, const hol__expr_node *node) {
    const int key[] = {(int)node->op, node->a, node->b, node->c, node->index};
    unsigned long long h = hol__hash(HOL__HASH_START, key, sizeof key);
    h = hol__hash(h, &node->value, sizeof node->value);
    int *slot = &g->cache[(h ^ h >> 32) % HOL__EXPR_CACHE];
    if (*slot && same(&g->nodes[*slot - 1], node)) return *slot - 1;
    const int made = append(g, node);
    if (made >= 0) *slot = made + 1;
    return made;
}

int hol__expr_constant_node(hol__expr_graph *g, double value) {
    const hol__expr_node node = {HOL__OP_CONSTANT, -1, -1, -1, 0, value, 0};
    /* one that is not finite is not shared: its offset leads to the culprit */
    return isfinite(value) ? share(g, &node) : append(g, &node);
}

int hol__expr_input_node(hol__expr_graph *g, int input) {
    const hol__expr_node node = {HOL__OP_INPUT, -1, -1, -1, input, 0, 0};
    return share(g, &node);
}

int hol__expr_node_constant(const hol__expr_graph *g, int node, double *value) {
    if (node < 0 || g->nodes[node].op != HOL__OP_CONSTANT) return 0;
    *value = g->nodes[node].value;
    return 1;
}

/* Whether a node is this constant. */
static int is_value(const hol__expr_graph *g, int node, double value) {
    double v;
    return hol__expr_node_constant(g, node, &v) && v == value;
}

/* The constant that node amounts to, when all its operands are constants; else -1. */
static int fold(hol__expr_graph *g, const hol__expr_node *node) {
    const int operands[] = {node->a, node->b, node->c};
    double k[3] = {0}, result;
    int origin = g->offset;
    for (int i = 2; i >= 0; i--) {
        if (operands[i] < 0) continue;
        if (!hol__expr_node_constant(g, operands[i], &k[i])) return -1;
        if (!isfinite(k[i])) origin = g->nodes[operands[i]].offset;
    }
    const hol__expr_instruction one = {
        (unsigned short)node->op, 0, HOL__OPERAND(HOL__FROM_CONSTANT, 0),
        HOL__OPERAND(HOL__FROM_CONSTANT, 1),
        node->op == HOL__OP_TABLE ? (unsigned)node->index : HOL__OPERAND(HOL__FROM_CONSTANT, 2)};
    hol__expr_run(&one, 1, k, g->splines, NULL, &result);
    const int made = hol__expr_constant_node(g, result);
    if (made >= 0 && !isfinite(result)) g->nodes[made].offset = origin;
    return made;
}

/* The constant, the equal or the new node. */
static int make(hol__expr_graph *g, const hol__expr_node *node) {
    const int folded = fold(g, node);
    return folded >= 0 ? folded : share(g, node);
}

int hol__expr_node1(hol__expr_graph *g, hol__expr_op op, int a) {
    const hol__expr_node node = {op, a, -1, -1, 0, 0, 0};
    if (a < 0) return -1;
    if (op == HOL__OP_NEG && g->nodes[a].op == HOL__OP_NEG) return g->nodes[a].a;
    return make(g, &node);
}

/* x^n for the exponents that have something cheaper; -1 for others. */
static int small_power(hol__expr_graph *g, int x, double n) {
    if (n == 0) return hol__expr_constant_node(g, 1);
    if (n == 1) return x;
    if (n == -1) return hol__expr_node2(g, HOL__OP_DIV, hol__expr_constant_node(g, 1), x);
    if (n == 0.5) return hol__expr_node1(g, HOL__OP_SQRT, x);
    if (n != 2 && n != 3 && n != 4) return -1;
    const int square = hol__expr_node2(g, HOL__OP_MUL, x, x);
    return n == 2 ? square : hol__expr_node2(g, HOL__OP_MUL, square, n == 3 ? x : square);
}

/* What a op b simplifies to; -1 when it does not. */
static int simplify(hol__expr_graph *g, hol__expr_op op, int a, int b) {
    double k;
    switch (op) {
    case HOL__OP_ADD: return is_value(g, b, 0) ? a : is_value(g, a, 0) ? b : -1;
    case HOL__OP_SUB:
        if (is_value(g, b, 0)) return a;
        return is_value(g, a, 0) ? hol__expr_node1(g, HOL__OP_NEG, b) : -1;
    case HOL__OP_MUL: return is_value(g, b, 1) ? a : is_value(g, a, 1) ? b : -1;
    case HOL__OP_DIV: return is_value(g, b, 1) ? a : -1;
    case HOL__OP_POW: return hol__expr_node_constant(g, b, &k) ? small_power(g, a, k) : -1;
    default: return -1;
    }
}

int hol__expr_node2(hol__expr_graph *g, hol__expr_op op, int a, int b) {
    const hol__expr_node node = {op, a, b, -1, 0, 0, 0};
    if (a < 0 || b < 0) return -1;
    const int folded = fold(g, &node);
    if (folded >= 0) return folded;
    const int simple = simplify(g, op, a, b);
    return simple >= 0 ? simple : share(g, &node);
}

int hol__expr_select_node(hol__expr_graph *g, int condition, int a, int b) {
    const hol__expr_node node = {HOL__OP_SELECT, condition, a, b, 0, 0, 0};
    double value;
    if (condition < 0 || a < 0 || b < 0) return -1;
    if (hol__expr_node_constant(g, condition, &value) && !isnan(value)) return value != 0 ? a : b;
    return make(g, &node);
}

int hol__expr_table_node(hol__expr_graph *g, int a, const hol__expr_spline *spline) {
    if (a < 0) return -1;
    hol__expr_spline *splines = hol__arena_grow(g->arena, g->splines, sizeof *splines, g->n_splines,
                                                &g->splines_capacity, g->n_splines + 1);
    if (!splines) return -1;
    g->splines = splines;
    g->splines[g->n_splines] = *spline;
    const hol__expr_node node = {HOL__OP_TABLE, a, -1, -1, g->n_splines++, 0, 0};
    return make(g, &node);
}
