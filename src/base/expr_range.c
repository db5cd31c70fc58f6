/* expr_range.c: the values of an expression over a span of time, by interval arithmetic.
 *
 * Each operation gives an interval that holds its value for all operands in theirs. Where an
 * operand stands twice the interval may be too wide, by an amount that falls with the span. What
 * rounding may add is put on at each operation. A result that is not a number makes the interval
 * the whole line.
 */
#include "base/expr_internal.h"

#include <math.h>

typedef hol__range range;

static const range everything = {-INFINITY, INFINITY};
static const double pi = 3.14159265358979323846;

/* From low to high, and a little more: functions are off by some units in the last place. */
static range hull(double low, double high) {
    if (isnan(low) || isnan(high)) return everything;
    const double slack = 4e-16;
    return (range){low - slack * fabs(low) - 1e-320, high + slack * fabs(high) + 1e-320};
}

static range hull4(double a, double b, double c, double d) {
    if (isnan(a) || isnan(b) || isnan(c) || isnan(d)) return everything;
    return hull(fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d)));
}

/* A function that grows. */
static range growing(double f(double), range x, double least) {
    const double low = x.low < least ? f(least) : f(x.low);
    return x.high < least ? everything : hull(low, f(x.high));
}

/* sin over x: whether a place c + 2 pi k lies in it. */
static int holds(range x, double c) {
    return floor((x.high - c) / (2 * pi) + 1e-12) > floor((x.low - c) / (2 * pi) - 1e-12);
}

static range sine(range x, double shift) {
    if (!(x.high - x.low < 2 * pi)) return (range){-1, 1};
    const range y = {x.low + shift, x.high + shift};
    const double a = sin(y.low), b = sin(y.high);
    const range out = hull(fmin(a, b), fmax(a, b));
    return (range){holds(y, -pi / 2) ? -1 : fmax(-1, out.low),
                   holds(y, pi / 2) ? 1 : fmin(1, out.high)};
}

/* cos x = sin(x + pi/2), with what the sum loses for large x. */
static range cosine(range x) {
    const range out = sine(x, pi / 2);
    const double lost = 4e-16 * (1 + fmax(fabs(x.low), fabs(x.high)));
    return (range){fmax(-1, out.low - lost), fmin(1, out.high + lost)};
}

static range tangent(range x) {
    if (!(x.high - x.low < pi)) return everything;
    return floor(x.high / pi + 0.5) > floor(x.low / pi + 0.5) ? everything
                                                              : hull(tan(x.low), tan(x.high));
}

static range size(range x) {
    if (x.low >= 0) return x;
    if (x.high <= 0) return (range){-x.high, -x.low};
    return (range){0, fmax(-x.low, x.high)};
}

static range times(range x, range y) {
    /* 0 times infinity: the factor that is 0 decides, as no time makes the other infinite */
    const double a = x.low * y.low, b = x.low * y.high, c = x.high * y.low, d = x.high * y.high;
    return hull4(isnan(a) ? 0 : a, isnan(b) ? 0 : b, isnan(c) ? 0 : c, isnan(d) ? 0 : d);
}

static range over(range x, range y) {
    if (y.low <= 0 && y.high >= 0) return everything;
    return times(x, hull(1 / y.high, 1 / y.low));
}

static range power(range x, range y) {
    const int whole = y.low == y.high && y.low == floor(y.low) && fabs(y.low) < 1e9;
    if (x.low > 0)
        return hull4(pow(x.low, y.low), pow(x.low, y.high), pow(x.high, y.low),
                     pow(x.high, y.high));
    if (!whole || y.low < 0) return everything;
    const int even = fmod(y.low, 2) == 0;
    const range z = even ? size(x) : x;
    return hull(pow(z.low, y.low), pow(z.high, y.low));
}

static range modulo(range x, range y) {
    if (y.low == y.high && isfinite(x.low) && isfinite(x.high)) {
        const double a = hol__expr_mod(x.low, y.low), b = hol__expr_mod(x.high, y.low),
                     p = x.low / y.low, q = x.high / y.low;
        if (floor(fmin(p, q) - 1e-12) == floor(fmax(p, q) + 1e-12))
            return hull(fmin(a, b), fmax(a, b));
    }
    return (range){fmin(0, y.low), fmax(0, y.high)};
}

static range angle(range y, range x) {
    if (x.low <= 0) return (range){-pi, pi};
    return hull4(atan2(y.low, x.low), atan2(y.low, x.high), atan2(y.high, x.low),
                 atan2(y.high, x.high));
}

static range hypotenuse(range x, range y) {
    const range a = size(x), b = size(y);
    return hull(hypot(a.low, b.low), hypot(a.high, b.high));
}

/* Truth: known to hold, known not to, or open. */
static range truth(int holds_always, int never) {
    return (range){holds_always ? 1 : 0, never ? 0 : 1};
}

static int is_true(range x) {
    return x.low > 0 || x.high < 0;
}

static int is_false(range x) {
    return x.low == 0 && x.high == 0;
}

static double sign_of(double x) {
    return (x > 0) - (x < 0);
}

static range unite(range x, range y) {
    return (range){fmin(x.low, y.low), fmax(x.high, y.high)};
}

/* Operations of one operand. */
static range apply_one(const hol__expr *e, const hol__expr_instruction *i, range x) {
    switch ((hol__expr_op)i->op) {
    case HOL__OP_NEG: return (range){-x.high, -x.low};
    case HOL__OP_NOT: return truth(is_false(x), is_true(x));
    case HOL__OP_SIN: return sine(x, 0);
    case HOL__OP_COS: return cosine(x);
    case HOL__OP_TAN: return tangent(x);
    case HOL__OP_ASIN: return hull(asin(fmax(-1, x.low)), asin(fmin(1, x.high)));
    case HOL__OP_ACOS: return hull(acos(fmin(1, x.high)), acos(fmax(-1, x.low)));
    case HOL__OP_ATAN: return growing(atan, x, -INFINITY);
    case HOL__OP_SINH: return growing(sinh, x, -INFINITY);
    case HOL__OP_COSH: return growing(cosh, size(x), 0);
    case HOL__OP_TANH: return growing(tanh, x, -INFINITY);
    case HOL__OP_EXP: return growing(exp, x, -INFINITY);
    case HOL__OP_LOG: return growing(log, x, 0);
    case HOL__OP_LOG10: return growing(log10, x, 0);
    case HOL__OP_SQRT: return growing(sqrt, x, 0);
    case HOL__OP_CBRT: return growing(cbrt, x, -INFINITY);
    case HOL__OP_ABS: return size(x);
    case HOL__OP_SIGN: return (range){sign_of(x.low), sign_of(x.high)};
    case HOL__OP_FLOOR: return growing(floor, x, -INFINITY);
    case HOL__OP_CEIL: return growing(ceil, x, -INFINITY);
    case HOL__OP_RAMP: return growing(hol__expr_ramp, x, -INFINITY);
    case HOL__OP_TABLE: return hol__expr_spline_range(&e->splines[i->c], x);
    default: return everything;
    }
}

/* Operations of two operands. */
static range apply_two(hol__expr_op op, range x, range y) {
    switch (op) {
    case HOL__OP_ADD: return hull(x.low + y.low, x.high + y.high);
    case HOL__OP_SUB: return hull(x.low - y.high, x.high - y.low);
    case HOL__OP_MUL: return times(x, y);
    case HOL__OP_DIV: return over(x, y);
    case HOL__OP_POW: return power(x, y);
    case HOL__OP_ATAN2: return angle(x, y);
    case HOL__OP_HYPOT: return hypotenuse(x, y);
    case HOL__OP_MOD: return modulo(x, y);
    case HOL__OP_MIN: return (range){fmin(x.low, y.low), fmin(x.high, y.high)};
    case HOL__OP_MAX: return (range){fmax(x.low, y.low), fmax(x.high, y.high)};
    case HOL__OP_LT: return truth(x.high < y.low, x.low >= y.high);
    case HOL__OP_LE: return truth(x.high <= y.low, x.low > y.high);
    case HOL__OP_EQ:
        return truth(x.low == x.high && y.low == y.high && x.low == y.low,
                     x.high < y.low || y.high < x.low);
    case HOL__OP_NE:
        return truth(x.high < y.low || y.high < x.low,
                     x.low == x.high && y.low == y.high && x.low == y.low);
    case HOL__OP_AND: return truth(is_true(x) && is_true(y), is_false(x) || is_false(y));
    case HOL__OP_OR: return truth(is_true(x) || is_true(y), is_false(x) && is_false(y));
    default: return everything;
    }
}

hol__range hol__expr_range_operand(const hol__expr *e, unsigned operand, hol__range t,
                                   const double *r) {
    const unsigned i = HOL__OPERAND_INDEX(operand);
    switch (HOL__OPERAND_FROM(operand)) {
    case HOL__FROM_CONSTANT: return (range){e->constants[i], e->constants[i]};
    case HOL__FROM_INPUT: return i == 0 ? t : everything;
    default: return (range){r[2 * i], r[2 * i + 1]};
    }
}

void hol__expr_run_range(const hol__expr *e, int n, hol__range t, double *r) {
    for (const hol__expr_instruction *i = e->code; i < e->code + n; i++) {
        const hol__expr_op op = (hol__expr_op)i->op;
        const range x = hol__expr_range_operand(e, i->a, t, r);
        range f;
        if (op < HOL__OP_ADD)
            f = apply_one(e, i, x);
        else if (op < HOL__OP_SELECT)
            f = apply_two(op, x, hol__expr_range_operand(e, i->b, t, r));
        else {
            const range y = hol__expr_range_operand(e, i->b, t, r),
                        z = hol__expr_range_operand(e, i->c, t, r);
            f = is_true(x) ? y : is_false(x) ? z : unite(y, z);
        }
        if (isnan(f.low) || isnan(f.high)) f = everything;
        r[2 * i->to] = f.low;
        r[2 * i->to + 1] = f.high;
    }
}
