/* expr_beyond.c: which table an expression reads beyond its ends.
 *
 * The program is run up to each call of a table, where the operand of the call is looked at.
 */
#include "base/expr_internal.h"

int hol__expr_beyond(const hol__expr *e, const double *in, double *scratch, hol__beyond *out) {
    const double *const base[] = {scratch, e->constants, in};
    for (int k = 0; k < e->n_code; k++) {
        const hol__expr_instruction *i = &e->code[k];
        if (i->op == HOL__OP_TABLE && e->splines[i->c].ends) {
            const hol__expr_spline *s = &e->splines[i->c];
            const double x = base[HOL__OPERAND_FROM(i->a)][HOL__OPERAND_INDEX(i->a)];
            *out = (hol__beyond){s->ends, x, s->x[0], s->x[s->n - 1]};
            if (x < out->low || x > out->high) return 1;
        }
        hol__expr_run(i, 1, e->constants, e->splines, in, scratch);
    }
    return 0;
}
