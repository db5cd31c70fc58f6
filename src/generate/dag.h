/* dag.h: computations as a graph of scalar operations: what generated code is made of.
 *
 * A node is an operation of expressions (base/expr_internal.h) on nodes before it. Equal operations
 * are one node, operations on numbers are numbers, and what adds 0 or multiplies by 0 or 1 is never
 * made: structure that a mechanism does not use leaves nothing behind. What no result needs is left
 * out when code is written (emit.h).
 *
 * Invariants:
 *   1. Operands come before the node: every pass over the nodes is one loop.
 *   2. A ref of -1 stands for what could not be made; every function takes it and hands it on, and
 *      status says why.
 */
#ifndef HOL_GENERATE_DAG_H
#define HOL_GENERATE_DAG_H

#include "base/expr_internal.h"

typedef int hol__ref;

enum { HOL__DAG_TABLES = 64 }; /* at most */

typedef struct hol__dag_node {
    hol__expr_op op;
    hol__ref a, b, c; /* operands, -1: none; of a TABLE c is the number of the spline */
    int index;        /* of an INPUT; of a TABLE the order of the derivative */
    double value;     /* of a CONSTANT */
    hol__ref next;    /* with the same place in the table */
} hol__dag_node;

typedef struct hol__dag {
    hol__arena arena;
    hol_status status; /* HOL_OK, HOL_ERR_MEMORY, or HOL_ERR_ARGUMENT with … */
    const char *why;   /* … the reason: more nodes than `most`, or what cannot be computed */
    hol__dag_node *nodes;
    int count, capacity, most;
    hol__ref *table;
    int table_size; /* a power of two */
    int n_inputs;
    const hol__expr_spline *const *splines;
    int n_splines, spline_capacity;
    hol__ref zero, one;
} hol__dag;

/* An empty graph of at most `most` nodes; 0 without memory. */
int hol__dag_init(hol__dag *d, hol_context *ctx, int most);
void hol__dag_free(hol__dag *d);

hol__ref hol__dag_number(hol__dag *d, double x);
hol__ref hol__dag_input(hol__dag *d); /* the next input */

/* Operations of one, two and three operands. */
hol__ref hol__dag_1(hol__dag *d, hol__expr_op op, hol__ref a);
hol__ref hol__dag_2(hol__dag *d, hol__expr_op op, hol__ref a, hol__ref b);
hol__ref hol__dag_select(hol__dag *d, hol__ref condition, hol__ref a, hol__ref b);
hol__ref hol__dag_table(hol__dag *d, hol__ref a, const hol__expr_spline *spline, int order);

static inline hol__ref hol__dag_add(hol__dag *d, hol__ref a, hol__ref b) {
    return hol__dag_2(d, HOL__OP_ADD, a, b);
}
static inline hol__ref hol__dag_sub(hol__dag *d, hol__ref a, hol__ref b) {
    return hol__dag_2(d, HOL__OP_SUB, a, b);
}
static inline hol__ref hol__dag_mul(hol__dag *d, hol__ref a, hol__ref b) {
    return hol__dag_2(d, HOL__OP_MUL, a, b);
}
static inline hol__ref hol__dag_neg(hol__dag *d, hol__ref a) {
    return hol__dag_1(d, HOL__OP_NEG, a);
}
static inline hol__ref hol__dag_over(hol__dag *d, hol__ref a, hol__ref b) {
    return hol__dag_2(d, HOL__OP_DIV, a, b);
}

/* a^b; whole powers are products. */
hol__ref hol__dag_power(hol__dag *d, hol__ref a, hol__ref b);

/* Whether it is a number, and that one. */
int hol__dag_is_number(const hol__dag *d, hol__ref a);
int hol__dag_is(const hol__dag *d, hol__ref a, double x);

/* The derivative of x where `n` nodes change at these rates and all else that they do not lead to
 * is constant (dag_rate.c). */
hol__ref hol__dag_rate(hol__dag *d, hol__ref x, int n, const hol__ref *of, const hol__ref *rates);

/* The values of all nodes with those of the inputs (dag_value.c). */
void hol__dag_values(const hol__dag *d, const double *inputs, double *values);

/* Of the first n nodes mark those that marked ones need. */
void hol__dag_mark(const hol__dag *d, int n, unsigned char *need);

/* What cannot be made: -1, with the reason. */
hol__ref hol__dag_refuse(hol__dag *d, const char *why);

/* The value of one operation. */
double hol__dag_apply(const hol__dag *d, const hol__dag_node *node, double a, double b, double c);

#endif
