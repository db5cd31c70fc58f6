/* expr_switch.c: where an expression is not smooth.
 *
 *     a < b, a <= b, min, max    g = a - b      changes at 0
 *     abs(a), sign(a)            g = a          changes at 0
 *     floor(a), ceil(a)          g = a          changes at whole numbers
 *     mod(a, b)                  g = a/b        changes at whole numbers
 *     atan2(a, b)                g = a + 1.6 max(b, 0)   changes at 0: the ray b < 0, a = 0, at
 *                                               which the angle jumps by a turn, and one more,
 *                                               since no continuous g tells the sides of one ray
 *     ramp(a) of step()          g = a          changes at 0 and 1, smoothly
 *     table(a, …)                g = a          changes at the abscissae, smoothly but for
 *                                               straight lines
 *
 * a == b and a != b choose otherwise at single points only, which no step can resolve; what jumps
 * beside them has switches of its own.
 */
#include "base/expr_internal.h"

#include <math.h>

const hol__cells hol__cells_of_sign = {HOL__OP_LT, NULL};

enum { BY_TIME = 1, BY_OTHERS = 2 };

/* Whether an operation chooses. */
static int chooses(hol__expr_op op) {
    switch (op) {
    case HOL__OP_ABS:
    case HOL__OP_SIGN:
    case HOL__OP_FLOOR:
    case HOL__OP_CEIL:
    case HOL__OP_RAMP:
    case HOL__OP_TABLE:
    case HOL__OP_MOD:
    case HOL__OP_ATAN2:
    case HOL__OP_MIN:
    case HOL__OP_MAX:
    case HOL__OP_LT:
    case HOL__OP_LE: return 1;
    default: return 0;
    }
}

double hol__expr_switch_value(const hol__expr_instruction *i, double a, double b) {
    switch ((hol__expr_op)i->op) {
    case HOL__OP_MIN:
    case HOL__OP_MAX:
    case HOL__OP_LT:
    case HOL__OP_LE: return a - b;
    case HOL__OP_MOD: return a / b;
    /* the second ray at -58 degrees, where a direction rests least often */
    case HOL__OP_ATAN2: return a + 1.6 * fmax(b, 0);
    default: return a;
    }
}

/* How many abscissae lie at or below x. */
static double knots_passed(const hol__expr_spline *spline, double x) {
    int low = 0, high = spline->n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (spline->x[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double hol__expr_switch_cell(const hol__cells *cells, double a, double b) {
    switch ((hol__expr_op)cells->op) {
    case HOL__OP_LT: return !(a < b);
    case HOL__OP_LE:
    case HOL__OP_MIN:
    case HOL__OP_MAX: return a > b;
    case HOL__OP_ABS: return !(a < 0);
    case HOL__OP_ATAN2: return !(a + 1.6 * fmax(b, 0) < 0);
    case HOL__OP_SIGN: return (a > 0) - (a < 0);
    case HOL__OP_FLOOR: return floor(a);
    case HOL__OP_CEIL: return ceil(a);
    case HOL__OP_MOD: return round((a - hol__expr_mod(a, b)) / b);
    case HOL__OP_RAMP: return (a >= 0) + (a >= 1);
    case HOL__OP_TABLE: return knots_passed(cells->spline, a);
    default: return 0;
    }
}

double hol__cell(const hol__cells *cells, double g) {
    if (isnan(g)) g = 0;
    return hol__expr_switch_cell(cells, g, cells->op == HOL__OP_MOD);
}

double hol__cell_boundary(const hol__cells *cells, double a, double b) {
    const double cell = hol__cell(cells, a);
    const int up = b > a;
    switch ((hol__expr_op)cells->op) {
    case HOL__OP_FLOOR:
    case HOL__OP_MOD: return up ? cell + 1 : cell;
    case HOL__OP_CEIL: return up ? cell : cell - 1;
    case HOL__OP_RAMP: return up ? cell : cell - 1;
    case HOL__OP_TABLE: {
        const double i = up ? cell : cell - 1, last = cells->spline->n - 1;
        return cells->spline->x[(int)fmin(last, fmax(0, i))];
    }
    default: return 0;
    }
}

int hol__cells_are_smooth(const hol__cells *cells) {
    return cells->op == HOL__OP_RAMP ||
           (cells->op == HOL__OP_TABLE && cells->spline->kind != HOL__SPLINE_LINEAR);
}

int hol__cells_are_pieces(const hol__cells *cells) {
    return cells->op == HOL__OP_RAMP || cells->op == HOL__OP_TABLE;
}

/* What an operand depends on; registers: of those before it. */
static unsigned depends(const unsigned char *registers, unsigned operand) {
    const unsigned index = HOL__OPERAND_INDEX(operand);
    switch (HOL__OPERAND_FROM(operand)) {
    case HOL__FROM_CONSTANT: return 0;
    case HOL__FROM_INPUT: return index == 0 ? BY_TIME : BY_OTHERS;
    default: return registers[index];
    }
}

/* What an instruction depends on. */
static unsigned instruction_depends(const hol__expr_instruction *i,
                                    const unsigned char *registers) {
    unsigned by = depends(registers, i->a);
    if (i->op >= HOL__OP_ADD) by |= depends(registers, i->b);
    if (i->op == HOL__OP_SELECT) by |= depends(registers, i->c);
    return by;
}

int hol__expr_list_switches(hol__arena *arena, hol__expr *e) {
    int n = 0;
    for (int i = 0; i < e->n_code; i++) n += chooses((hol__expr_op)e->code[i].op);
    unsigned char *registers = HOL__NEW_N(arena, unsigned char, n ? e->n_registers : 0);
    hol__expr_switch *timed = HOL__NEW_N(arena, hol__expr_switch, n),
                     *recorded = HOL__NEW_N(arena, hol__expr_switch, n);
    if (!registers || !timed || !recorded) return 0;
    e->timed = timed;
    e->recorded = recorded;
    for (int i = 0; n && i < e->n_code; i++) {
        const hol__expr_instruction *code = &e->code[i];
        const unsigned by = instruction_depends(code, registers);
        registers[code->to] = (unsigned char)by;
        if (!chooses((hol__expr_op)code->op)) continue;
        const hol__expr_switch made = {
            i, {code->op, code->op == HOL__OP_TABLE ? &e->splines[code->c] : NULL}};
        if (by == BY_TIME)
            timed[e->n_timed++] = made;
        else
            recorded[e->n_recorded++] = made;
    }
    return 1;
}

int hol__expr_timed(const hol__expr *e) {
    return e->n_timed;
}

int hol__expr_recorded(const hol__expr *e) {
    return e->n_recorded;
}

const hol__cells *hol__expr_timed_cells(const hol__expr *e, int k) {
    return &e->timed[k].cells;
}

const hol__cells *hol__expr_recorded_cells(const hol__expr *e, int k) {
    return &e->recorded[k].cells;
}

void hol__expr_record(hol__expr *e, int first) {
    e->record = e->n_recorded ? 1 + first : 0;
}

int hol__expr_first_recorded(const hol__expr *e) {
    return e->record ? e->record - 1 : 0;
}
