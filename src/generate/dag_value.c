/* dag_value.c: the values of a computation: what generated code computes, in the library. */
#include "generate/dag.h"

#include <math.h>

double hol__dag_apply(const hol__dag *d, const hol__dag_node *node, double a, double b, double c) {
    const double x[3] = {a, b, c};
    double f[3];
    if (node->op == HOL__OP_TABLE) {
        hol__expr_spline_at(d->splines[node->c], a, f);
        return f[node->index];
    }
    const hol__expr_instruction code = {.op = (unsigned short)node->op,
                                        .to = 0,
                                        .a = HOL__OPERAND(HOL__FROM_CONSTANT, 0),
                                        .b = HOL__OPERAND(HOL__FROM_CONSTANT, 1),
                                        .c = HOL__OPERAND(HOL__FROM_CONSTANT, 2)};
    double out = NAN;
    hol__expr_run(&code, 1, x, NULL, NULL, &out);
    return out;
}

void hol__dag_values(const hol__dag *d, const double *inputs, double *values) {
    for (int i = 0; i < d->count; i++) {
        const hol__dag_node *n = &d->nodes[i];
        if (n->op == HOL__OP_CONSTANT)
            values[i] = n->value;
        else if (n->op == HOL__OP_INPUT)
            values[i] = inputs[n->index];
        else
            values[i] = hol__dag_apply(d, n, values[n->a], n->b >= 0 ? values[n->b] : 0,
                                       n->c >= 0 && n->op != HOL__OP_TABLE ? values[n->c] : 0);
    }
}
