/* expr_emit.c: the graph of an expression into a register program.
 *
 * Backwards over the graph: which nodes the root needs, and which node reads each of them last.
 * Forwards: an instruction for each node that is needed; its operands' registers become free
 * at their last reader, and its result takes a free register. Constants and inputs are read where
 * they are and take no register.
 */
#include "base/expr_internal.h"

#include <limits.h>
#include <string.h>

typedef struct emitter {
    const hol__expr_graph *g;
    int *last;         /* node: its last reader, -1 when it is not needed */
    unsigned *operand; /* node: where its value is */
    int *free;         /* registers to use again */
    int n_free, n_registers;
    hol__expr_instruction *code;
    double *constants;
    int n_code, n_constants;
} emitter;

static int is_leaf(const hol__expr_node *node) {
    return node->op == HOL__OP_CONSTANT || node->op == HOL__OP_INPUT;
}

/* Fill last, and count the instructions and constants. */
static void find_last_readers(emitter *e, int root) {
    for (int i = 0; i <= root; i++) e->last[i] = -1;
    e->last[root] = INT_MAX;
    for (int i = root; i >= 0; i--) {
        const hol__expr_node *node = &e->g->nodes[i];
        const int operands[] = {node->a, node->b, node->c};
        if (e->last[i] < 0) continue;
        e->n_code += !is_leaf(node);
        e->n_constants += node->op == HOL__OP_CONSTANT;
        for (int k = 0; k < 3; k++)
            if (operands[k] >= 0 && e->last[operands[k]] < 0) e->last[operands[k]] = i;
    }
}

/* Give back the register of an operand that reader is the last to read. */
static void release(emitter *e, int node, int reader) {
    if (node < 0 || e->last[node] != reader) return;
    e->last[node] = INT_MAX; /* once, also when it is read twice here */
    if (HOL__OPERAND_FROM(e->operand[node]) == HOL__FROM_REGISTER)
        e->free[e->n_free++] = (int)HOL__OPERAND_INDEX(e->operand[node]);
}

static unsigned operand_of(const emitter *e, int node) {
    return node < 0 ? 0 : e->operand[node];
}

/* The instruction of node i. */
static void emit_node(emitter *e, int i) {
    const hol__expr_node *node = &e->g->nodes[i];
    release(e, node->a, i);
    release(e, node->b, i);
    release(e, node->c, i);
    const int to = e->n_free ? e->free[--e->n_free] : e->n_registers++;
    const unsigned c = node->op == HOL__OP_TABLE ? (unsigned)node->index : operand_of(e, node->c);
    e->operand[i] = HOL__OPERAND(HOL__FROM_REGISTER, to);
    e->code[e->n_code++] =
        (hol__expr_instruction){(unsigned short)node->op, (unsigned short)to,
                                operand_of(e, node->a), operand_of(e, node->b), c};
}

/* All instructions and constants; 0 when the registers do not suffice. */
static int emit_all(emitter *e, int root) {
    e->n_code = e->n_constants = 0;
    for (int i = 0; i <= root && e->n_registers <= HOL__EXPR_MAX_REGISTERS; i++) {
        const hol__expr_node *node = &e->g->nodes[i];
        if (e->last[i] < 0) continue;
        if (node->op == HOL__OP_INPUT) {
            e->operand[i] = HOL__OPERAND(HOL__FROM_INPUT, node->index);
        } else if (node->op == HOL__OP_CONSTANT) {
            e->operand[i] = HOL__OPERAND(HOL__FROM_CONSTANT, e->n_constants);
            e->constants[e->n_constants++] = node->value;
        } else {
            emit_node(e, i);
        }
    }
    return e->n_registers <= HOL__EXPR_MAX_REGISTERS;
}

/* A copy of the splines in arena; NULL without memory. */
static const hol__expr_spline *copy_splines(hol__arena *arena, const hol__expr_graph *g) {
    hol__expr_spline *copy = HOL__NEW_N(arena, hol__expr_spline, g->n_splines);
    for (int i = 0; copy && i < g->n_splines; i++) {
        const hol__expr_spline *from = &g->splines[i];
        if (!hol__expr_spline_make(arena, from->kind, from->n, from->x, from->y, &copy[i]))
            return NULL;
        if (from->ends) copy[i].ends = hol__arena_text(arena, from->ends);
    }
    return copy;
}

/* The inputs that are read, increasing, into e; 0 without memory. */
static int list_inputs(hol__arena *arena, const emitter *m, int root, hol__expr *e) {
    int n = 0;
    for (int i = 0; i <= root; i++) n += m->last[i] >= 0 && m->g->nodes[i].op == HOL__OP_INPUT;
    int *read = HOL__NEW_N(arena, int, n);
    if (!read) return 0;
    e->read = read;
    for (int i = 0; i <= root; i++) {
        if (m->last[i] < 0 || m->g->nodes[i].op != HOL__OP_INPUT) continue;
        const int input = m->g->nodes[i].index;
        int at = e->n_read;
        while (at > 0 && read[at - 1] > input) at--;
        if (at > 0 && read[at - 1] == input) continue;
        memmove(read + at + 1, read + at, (size_t)(e->n_read - at) * sizeof *read);
        read[at] = input;
        e->n_read++;
    }
    return 1;
}

hol__expr *hol__expr_emit(hol__arena *arena, const hol__expr_graph *g, int root, int n_inputs,
                          int *registers) {
    emitter m = {.g = g};
    *registers = 0;
    m.last = HOL__NEW_N(g->arena, int, root + 1);
    m.operand = HOL__NEW_N(g->arena, unsigned, root + 1);
    m.free = HOL__NEW_N(g->arena, int, root + 1);
    if (!m.last || !m.operand || !m.free) return NULL;
    find_last_readers(&m, root);
    hol__expr *e = HOL__NEW(arena, hol__expr);
    m.code = HOL__NEW_N(arena, hol__expr_instruction, m.n_code);
    m.constants = HOL__NEW_N(arena, double, m.n_constants);
    const hol__expr_spline *splines = copy_splines(arena, g);
    if (!e || !m.code || !m.constants || !splines) return NULL;
    const int fits = emit_all(&m, root);
    *registers = m.n_registers;
    if (!fits || !list_inputs(arena, &m, root, e)) return NULL;
    e->code = m.code;
    e->n_code = m.n_code;
    e->n_registers = m.n_registers;
    e->n_inputs = n_inputs;
    e->result = m.operand[root];
    e->constants = m.constants;
    e->splines = splines;
    return hol__expr_list_switches(arena, e) ? e : NULL;
}
