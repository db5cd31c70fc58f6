/* expr_instant.c: the next instant at which a switch that depends on time alone changes its cell.
 *
 * A span of time is clear where the interval of g (expr_range.c) lies in one cell. From the left: a
 * span that is not clear is halved, one that is clear is left behind and the next is twice as long.
 * What is too short to be halved holds a change if the cells at its ends differ; the instant is
 * then bisected down to two neighbouring numbers, low in the old cell and high in the next. So no
 * change is passed over, however short the time between two of them, but where g touches a boundary
 * and turns back within the shortest span.
 */
#include "base/expr_internal.h"

#include <math.h>

/* The shortest span that is halved, and the shortest distance of low and high, of the size of the
 * time. */
static const double shortest = 1e-12, finest = 1e-18;

/* The cell at t, exactly as the program chooses. */
static double cell_at(const hol__expr *e, const hol__expr_switch *s, double t, double *in,
                      double *r) {
    const hol__expr_instruction *i = e->code + s->at;
    const double *const base[] = {r, e->constants, in};
    in[0] = t;
    hol__expr_run(e->code, s->at, e->constants, e->splines, in, r);
    return hol__expr_switch_cell(
        &s->cells, base[HOL__OPERAND_FROM(i->a)][HOL__OPERAND_INDEX(i->a)],
        i->op < HOL__OP_ADD ? 0 : base[HOL__OPERAND_FROM(i->b)][HOL__OPERAND_INDEX(i->b)]);
}

/* Whether g stays in one cell over a span. */
static int is_clear(const hol__expr *e, const hol__expr_switch *s, hol__range t, double *r) {
    const hol__expr_instruction *i = e->code + s->at;
    hol__expr_run_range(e, s->at, t, r);
    const hol__range a = hol__expr_range_operand(e, i->a, t, r),
                     b = i->op < HOL__OP_ADD ? (hol__range){0, 0}
                                             : hol__expr_range_operand(e, i->b, t, r);
    double low = a.low - b.high, high = a.high - b.low;
    if (i->op == HOL__OP_MOD) {
        const double q[4] = {a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high};
        if (b.low <= 0 && b.high >= 0) return 0;
        low = fmin(fmin(q[0], q[1]), fmin(q[2], q[3]));
        high = fmax(fmax(q[0], q[1]), fmax(q[2], q[3]));
        low -= 1e-15 * fabs(low), high += 1e-15 * fabs(high);
    }
    if (i->op == HOL__OP_ATAN2) { /* grows with both */
        low = hol__expr_switch_value(i, a.low, b.low);
        high = hol__expr_switch_value(i, a.high, b.high);
    }
    return !isnan(low) && !isnan(high) && hol__cell(&s->cells, low) == hol__cell(&s->cells, high);
}

/* Bisect the change between low and high, in cells `cell` and another one. */
static void bisect(const hol__expr *e, const hol__expr_switch *s, double cell, double size,
                   hol__instant *search, double *in, double *r) {
    double low = search->low, high = search->high;
    for (;;) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high) || high - low <= finest * size) break;
        if (cell_at(e, s, middle, in, r) == cell)
            low = middle;
        else
            high = middle;
    }
    /* sign(x) has a cell that is one number wide: it is passed with the change */
    const double next = nextafter(high, INFINITY), there = cell_at(e, s, high, in, r);
    if (s->cells.op == HOL__OP_SIGN && there == 0 && cell_at(e, s, next, in, r) != 0) high = next;
    search->low = low;
    search->high = high;
}

void hol__expr_next_instant(const hol__expr *e, int k, double end, int looks, hol__instant *search,
                            double *in, double *scratch) {
    const hol__expr_switch *s = &e->timed[k];
    const double size = fmax(fabs(search->clear), fabs(end)), least = shortest * size,
                 cell = cell_at(e, s, search->clear, in, scratch);
    double span = end - search->clear;
    while (!search->found && search->clear < end && looks-- > 0) {
        const double high = fmin(end, search->clear + span);
        if (is_clear(e, s, (hol__range){search->clear, high}, scratch)) {
            search->clear = high;
            span *= 2;
        } else if (span > least)
            span *= 0.5;
        else {
            search->low = search->clear;
            search->high = high;
            search->found = cell_at(e, s, high, in, scratch) != cell;
            if (search->found) bisect(e, s, cell, size, search, in, scratch);
            search->clear = search->found ? search->low : high;
            span *= 2;
        }
    }
}
