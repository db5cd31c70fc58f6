/* expr_program.c: a register program and its evaluation.
 *
 * A program is a straight line of instructions "register = op(a, b, c)" over three arrays that are
 * only read (registers written before, constants, inputs) and one that is written. It cannot loop,
 * branch or read anything else.
 *
 * Truth is a number: 0 is false, others are true, NaN is "not known". Comparison with NaN is NaN,
 * and "and", "or" and "not" follow the logic of three values: false and NaN is false, true and NaN
 * is NaN.
 */
#include "base/expr_internal.h"

#include <math.h>

double hol__expr_mod(double x, double y) {
    const double r = fmod(x, y);
    return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}

double hol__expr_ramp(double s) {
    if (s <= 0) return 0;
    if (s >= 1) return 1;
    return s * s * s * (10 + s * (-15 + 6 * s));
}

static double sign_of(double x) {
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

/* a < b, a <= b: 1, 0 or NaN. */
static double less(double a, double b) {
    return isunordered(a, b) ? NAN : a < b;
}

static double less_equal(double a, double b) {
    return isunordered(a, b) ? NAN : a <= b;
}

static double equal(double a, double b) {
    return isunordered(a, b) ? NAN : a == b;
}

/* The smaller of a and b, the first of equals, NaN if either is. */
static double smaller(double a, double b) {
    return isunordered(a, b) ? NAN : a <= b ? a : b;
}

static double larger(double a, double b) {
    return isunordered(a, b) ? NAN : a >= b ? a : b;
}

/* a and b with three values of truth. */
static double both(double a, double b) {
    if (a == 0 || b == 0) return 0;
    return isunordered(a, b) ? NAN : 1;
}

/* a or b with three values of truth. */
static double either(double a, double b) {
    if ((a != 0 && !isnan(a)) || (b != 0 && !isnan(b))) return 1;
    return isunordered(a, b) ? NAN : 0;
}

static double spline_value(const hol__expr_spline *spline, double x) {
    double f[3];
    hol__expr_spline_at(spline, x, f);
    return f[0];
}

void hol__expr_run(const hol__expr_instruction *code, int n, const double *constants,
                   const hol__expr_spline *splines, const double *in, double *r) {
    const double *const base[] = {r, constants, in};
#define READ(operand) base[HOL__OPERAND_FROM(operand)][HOL__OPERAND_INDEX(operand)]
#define A READ(i->a)
#define B READ(i->b)
    for (const hol__expr_instruction *i = code; i < code + n; i++) {
        double *to = &r[i->to];
        switch ((hol__expr_op)i->op) {
        case HOL__OP_CONSTANT:
        case HOL__OP_INPUT: break; /* operands, never instructions */
        case HOL__OP_NEG: *to = -A; break;
        case HOL__OP_NOT: *to = isnan(A) ? A : A == 0; break;
        case HOL__OP_SIN: *to = sin(A); break;
        case HOL__OP_COS: *to = cos(A); break;
        case HOL__OP_TAN: *to = tan(A); break;
        case HOL__OP_ASIN: *to = asin(A); break;
        case HOL__OP_ACOS: *to = acos(A); break;
        case HOL__OP_ATAN: *to = atan(A); break;
        case HOL__OP_SINH: *to = sinh(A); break;
        case HOL__OP_COSH: *to = cosh(A); break;
        case HOL__OP_TANH: *to = tanh(A); break;
        case HOL__OP_EXP: *to = exp(A); break;
        case HOL__OP_LOG: *to = log(A); break;
        case HOL__OP_LOG10: *to = log10(A); break;
        case HOL__OP_SQRT: *to = sqrt(A); break;
        case HOL__OP_CBRT: *to = cbrt(A); break;
        case HOL__OP_ABS: *to = fabs(A); break;
        case HOL__OP_SIGN: *to = sign_of(A); break;
        case HOL__OP_FLOOR: *to = floor(A); break;
        case HOL__OP_CEIL: *to = ceil(A); break;
        case HOL__OP_RAMP: *to = hol__expr_ramp(A); break;
        case HOL__OP_TABLE: *to = spline_value(&splines[i->c], A); break;
        case HOL__OP_ADD: *to = A + B; break;
        case HOL__OP_SUB: *to = A - B; break;
        case HOL__OP_MUL: *to = A * B; break;
        case HOL__OP_DIV: *to = A / B; break;
        case HOL__OP_POW: *to = pow(A, B); break;
        case HOL__OP_ATAN2: *to = atan2(A, B); break;
        case HOL__OP_HYPOT: *to = hypot(A, B); break;
        case HOL__OP_MOD: *to = hol__expr_mod(A, B); break;
        case HOL__OP_MIN: *to = smaller(A, B); break;
        case HOL__OP_MAX: *to = larger(A, B); break;
        case HOL__OP_LT: *to = less(A, B); break;
        case HOL__OP_LE: *to = less_equal(A, B); break;
        case HOL__OP_EQ: *to = equal(A, B); break;
        case HOL__OP_NE: *to = isunordered(A, B) ? NAN : A != B; break;
        case HOL__OP_AND: *to = both(A, B); break;
        case HOL__OP_OR: *to = either(A, B); break;
        case HOL__OP_SELECT: *to = isnan(A) ? A : A != 0 ? B : READ(i->c); break;
        }
    }
#undef A
#undef B
#undef READ
}

/* The program, with g of its switches written in front of the registers. */
static void run_recording(const hol__expr *e, const double *in, double *r) {
    const double *const base[] = {r, e->constants, in};
    int done = 0;
    for (int k = 0; k < e->n_recorded; k++) {
        const hol__expr_instruction *i = e->code + e->recorded[k].at;
        hol__expr_run(e->code + done, e->recorded[k].at - done, e->constants, e->splines, in, r);
        done = e->recorded[k].at;
        const double a = base[HOL__OPERAND_FROM(i->a)][HOL__OPERAND_INDEX(i->a)],
                     b = base[HOL__OPERAND_FROM(i->b)][HOL__OPERAND_INDEX(i->b)];
        r[-e->record - k] = hol__expr_switch_value(i, a, b);
    }
    hol__expr_run(e->code + done, e->n_code - done, e->constants, e->splines, in, r);
}

double hol__expr_value(const hol__expr *e, const double *in, double *scratch) {
    const unsigned index = HOL__OPERAND_INDEX(e->result);
    if (e->record)
        run_recording(e, in, scratch);
    else
        hol__expr_run(e->code, e->n_code, e->constants, e->splines, in, scratch);
    switch (HOL__OPERAND_FROM(e->result)) {
    case HOL__FROM_CONSTANT: return e->constants[index];
    case HOL__FROM_INPUT: return in[index];
    default: return scratch[index];
    }
}

int hol__expr_is_constant(const hol__expr *e) {
    return HOL__OPERAND_FROM(e->result) == HOL__FROM_CONSTANT;
}

double hol__expr_constant(const hol__expr *e) {
    return hol__expr_is_constant(e) ? e->constants[HOL__OPERAND_INDEX(e->result)] : NAN;
}

int hol__expr_read(const hol__expr *e, int i) {
    return i < e->n_read ? e->read[i] : -1;
}

int hol__expr_reads(const hol__expr *e, int input) {
    int low = 0, high = e->n_read;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (e->read[middle] < input)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->n_read && e->read[low] == input;
}

const char *hol__expr_kink(const hol__expr *e) {
    for (int i = 0; i < e->n_code; i++) switch ((hol__expr_op)e->code[i].op) {
        case HOL__OP_ABS: return "abs";
        case HOL__OP_SIGN: return "sign";
        case HOL__OP_FLOOR: return "floor";
        case HOL__OP_CEIL: return "ceil";
        case HOL__OP_MOD: return "mod";
        case HOL__OP_MIN: return "min";
        case HOL__OP_MAX: return "max";
        case HOL__OP_NOT:
        case HOL__OP_LT:
        case HOL__OP_LE:
        case HOL__OP_EQ:
        case HOL__OP_NE:
        case HOL__OP_AND:
        case HOL__OP_OR:
        case HOL__OP_SELECT: return "a condition";
        case HOL__OP_TABLE:
            if (e->splines[e->code[i].c].kind == HOL__SPLINE_LINEAR)
                return "a table of straight lines";
            break;
        default: break;
        }
    return NULL;
}

hol__dim hol__expr_dim(const hol__expr *e) {
    return e->dim;
}

/* A value and three derivatives for each register (expr_jet.c). */
int hol__expr_scratch(const hol__expr *e) {
    return 4 * e->n_registers;
}
