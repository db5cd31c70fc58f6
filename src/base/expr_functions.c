/* expr_functions.c: the functions and constants of expressions, as a table. */
#include "base/expr_internal.h"

#include <string.h>

/* clang-format off */
static const hol__expr_builtin functions[] = {
    /* name  arguments           operation       dimensions       built by */
    {"sin",   1, 1,             HOL__OP_SIN,    HOL__DIM_PLAIN, hol__expr_call_simple,
     "sin(x)", "sine of an angle in radians"},
    {"cos",   1, 1,             HOL__OP_COS,    HOL__DIM_PLAIN, hol__expr_call_simple,
     "cos(x)", "cosine of an angle in radians"},
    {"tan",   1, 1,             HOL__OP_TAN,    HOL__DIM_PLAIN, hol__expr_call_simple,
     "tan(x)", "tangent of an angle in radians"},
    {"asin",  1, 1,             HOL__OP_ASIN,   HOL__DIM_TO_ANGLE, hol__expr_call_simple,
     "asin(x)", "angle in [-pi/2, pi/2] whose sine is x"},
    {"acos",  1, 1,             HOL__OP_ACOS,   HOL__DIM_TO_ANGLE, hol__expr_call_simple,
     "acos(x)", "angle in [0, pi] whose cosine is x"},
    {"atan",  1, 1,             HOL__OP_ATAN,   HOL__DIM_TO_ANGLE, hol__expr_call_simple,
     "atan(x)", "angle in (-pi/2, pi/2) whose tangent is x"},
    {"atan2", 2, 2,             HOL__OP_ATAN2,  HOL__DIM_RATIO_TO_ANGLE,  hol__expr_call_simple,
     "atan2(y, x)", "angle in (-pi, pi] of the direction (x, y)"},
    {"sinh",  1, 1,             HOL__OP_SINH,   HOL__DIM_PLAIN, hol__expr_call_simple,
     "sinh(x)", "hyperbolic sine"},
    {"cosh",  1, 1,             HOL__OP_COSH,   HOL__DIM_PLAIN, hol__expr_call_simple,
     "cosh(x)", "hyperbolic cosine"},
    {"tanh",  1, 1,             HOL__OP_TANH,   HOL__DIM_PLAIN, hol__expr_call_simple,
     "tanh(x)", "hyperbolic tangent"},
    {"exp",   1, 1,             HOL__OP_EXP,    HOL__DIM_PLAIN, hol__expr_call_simple,
     "exp(x)", "e to the power x"},
    {"log",   1, 1,             HOL__OP_LOG,    HOL__DIM_PLAIN, hol__expr_call_simple,
     "log(x)", "natural logarithm"},
    {"log10", 1, 1,             HOL__OP_LOG10,  HOL__DIM_PLAIN, hol__expr_call_simple,
     "log10(x)", "logarithm to base 10"},
    {"sqrt",  1, 1,             HOL__OP_SQRT,   HOL__DIM_SQUARE_ROOT,  hol__expr_call_simple,
     "sqrt(x)", "square root; NaN for x < 0"},
    {"cbrt",  1, 1,             HOL__OP_CBRT,   HOL__DIM_CUBE_ROOT,  hol__expr_call_simple,
     "cbrt(x)", "cube root, also of negative x"},
    {"pow",   2, 2,             HOL__OP_POW,    HOL__DIM_ANY,   hol__expr_call_pow,
     "pow(x, y)", "x to the power y, the same as x^y"},
    {"hypot", 2, HOL__EXPR_ANY, HOL__OP_HYPOT,  HOL__DIM_ALIKE, hol__expr_call_fold,
     "hypot(x, y, ...)", "sqrt(x^2 + y^2 + ...) without overflow"},
    {"abs",   1, 1,             HOL__OP_ABS,    HOL__DIM_ALIKE, hol__expr_call_simple,
     "abs(x)", "x or -x, whichever is not negative"},
    {"sign",  1, 1,             HOL__OP_SIGN,   HOL__DIM_ANY,   hol__expr_call_simple,
     "sign(x)", "1, 0 or -1"},
    {"floor", 1, 1,             HOL__OP_FLOOR,  HOL__DIM_ALIKE, hol__expr_call_simple,
     "floor(x)", "largest integer not above x"},
    {"ceil",  1, 1,             HOL__OP_CEIL,   HOL__DIM_ALIKE, hol__expr_call_simple,
     "ceil(x)", "smallest integer not below x"},
    {"mod",   2, 2,             HOL__OP_MOD,    HOL__DIM_ALIKE, hol__expr_call_simple,
     "mod(x, y)", "x - y*floor(x/y), with the sign of y"},
    {"min",   2, HOL__EXPR_ANY, HOL__OP_MIN,    HOL__DIM_ALIKE, hol__expr_call_fold,
     "min(a, b, ...)", "the smallest; the first of equals"},
    {"max",   2, HOL__EXPR_ANY, HOL__OP_MAX,    HOL__DIM_ALIKE, hol__expr_call_fold,
     "max(a, b, ...)", "the largest; the first of equals"},
    {"clamp", 3, 3,             HOL__OP_MIN,    HOL__DIM_ALIKE, hol__expr_call_clamp,
     "clamp(x, lo, hi)", "x, but not below lo and not above hi"},
    {"if",    3, 3,             HOL__OP_SELECT, HOL__DIM_ANY,   hol__expr_call_if,
     "if(c, a, b)", "a where c holds, else b; the same as c ? a : b"},
    {"step",  5, 5,             HOL__OP_RAMP,   HOL__DIM_ANY,   hol__expr_call_step,
     "step(x, x0, y0, x1, y1)", "y0 up to x0, y1 from x1 on, a quintic with continuous second "
     "derivative between"},
    {"poly",  2, HOL__EXPR_ANY, HOL__OP_ADD,    HOL__DIM_ANY,   hol__expr_call_poly,
     "poly(x, c0, c1, ...)", "c0 + c1*x + c2*x^2 + ..."},
    {"table", 5, HOL__EXPR_ANY, HOL__OP_TABLE,  HOL__DIM_ANY,   hol__expr_call_table,
     "table(x, x1, y1, x2, y2, ...)", "natural cubic spline through the points, straight outside"},
};
/* clang-format on */

static const struct constant_row {
    const char *name;
    double value;
    const char *doc;
} constants[] = {
    {"pi", 3.14159265358979323846,
     "ratio of circumference to diameter, unless the name is defined"},
};

enum {
    N_FUNCTIONS = sizeof functions / sizeof *functions,
    N_CONSTANTS = sizeof constants / sizeof *constants
};

const hol__expr_builtin *hol__expr_builtin_find(hol__expr_token name) {
    for (int i = 0; i < N_FUNCTIONS; i++)
        if (hol__expr_token_is(name, functions[i].name)) return &functions[i];
    return NULL;
}

int hol__expr_builtin_constant(hol__expr_token name, double *value) {
    for (int i = 0; i < N_CONSTANTS; i++)
        if (hol__expr_token_is(name, constants[i].name)) {
            *value = constants[i].value;
            return 1;
        }
    return 0;
}

const char *hol__expr_builtin_name(const void *list, int i) {
    (void)list;
    return i < N_FUNCTIONS ? functions[i].name : NULL;
}

hol__function_doc hol__expr_function(int i) {
    if (i >= 0 && i < N_FUNCTIONS)
        return (hol__function_doc){functions[i].name, functions[i].signature, functions[i].doc};
    if (i >= N_FUNCTIONS && i < N_FUNCTIONS + N_CONSTANTS) {
        const struct constant_row *row = &constants[i - N_FUNCTIONS];
        return (hol__function_doc){row->name, row->name, row->doc};
    }
    return (hol__function_doc){NULL, NULL, NULL};
}
