/* expr_same.c: programs of expressions compared. */
#include "base/expr_internal.h"

#include <string.h>

/* Whether an operand is the same: a register or an input by its number, a constant by its value. */
static int is_same_operand(const hol__expr *x, unsigned a, const hol__expr *y, unsigned b) {
    if (HOL__OPERAND_FROM(a) != HOL__OPERAND_FROM(b)) return 0;
    if (HOL__OPERAND_FROM(a) != HOL__FROM_CONSTANT) return a == b;
    return memcmp(&x->constants[HOL__OPERAND_INDEX(a)], &y->constants[HOL__OPERAND_INDEX(b)],
                  sizeof *x->constants) == 0;
}

static int is_same_spline(const hol__expr_spline *a, const hol__expr_spline *b) {
    const size_t size = sizeof *a->x * (size_t)a->n;
    return a->n == b->n && a->kind == b->kind && memcmp(a->x, b->x, size) == 0 &&
           memcmp(a->y, b->y, size) == 0;
}

int hol__expr_is_same(const hol__expr *a, const hol__expr *b) {
    int same = a->n_code == b->n_code && is_same_operand(a, a->result, b, b->result);
    for (int i = 0; same && i < a->n_code; i++) {
        const hol__expr_instruction *x = &a->code[i], *y = &b->code[i];
        const hol__expr_op op = (hol__expr_op)x->op;
        same = x->op == y->op && x->to == y->to && is_same_operand(a, x->a, b, y->a);
        if (same && op >= HOL__OP_ADD && op != HOL__OP_TABLE)
            same = is_same_operand(a, x->b, b, y->b);
        if (same && op == HOL__OP_SELECT) same = is_same_operand(a, x->c, b, y->c);
        if (same && op == HOL__OP_TABLE)
            same = is_same_spline(&a->splines[x->c], &b->splines[y->c]);
    }
    return same;
}
