/* sym.h: formulas: numbers, symbols, sums, products, powers and functions.
 *
 * An expression is a node of an algebra. Equal nodes are one node (they are equal where their
 * pointers are), nodes never change, and all live until the algebra is freed.
 *
 * Invariants:
 *   1. Every node comes from the constructors below and is in normal form: sums and products are
 *      flat, without 0 and 1, like terms and like factors are collected, numbers are folded; a
 *      product has its number in front; what is left of sin and cos has an argument without a
 *      leading minus and without quarter turns.
 *   2. NULL stands for what could not be made (no memory, more nodes than the algebra may have);
 *      every function takes it and hands it on. status of the algebra says which it was.
 */
#ifndef HOL_SYMBOLIC_SYM_H
#define HOL_SYMBOLIC_SYM_H

#include "base/arena.h"
#include "base/text.h"
#include "symbolic/exact.h"

typedef const struct hol__sym_node *hol__sym;

typedef enum hol__sym_kind {
    HOL__SYM_NUMBER,
    HOL__SYM_SYMBOL,
    HOL__SYM_POWER,   /* arg[0] to the arg[1] */
    HOL__SYM_PRODUCT, /* number times arg[0] … */
    HOL__SYM_SUM,
    HOL__SYM_CALL /* a function of arg[0] (and arg[1]) */
} hol__sym_kind;

typedef enum hol__sym_function {
    HOL__SYM_SIN,
    HOL__SYM_COS,
    HOL__SYM_TAN,
    HOL__SYM_ASIN,
    HOL__SYM_ACOS,
    HOL__SYM_ATAN,
    HOL__SYM_ATAN2,
    HOL__SYM_SINH,
    HOL__SYM_COSH,
    HOL__SYM_TANH,
    HOL__SYM_EXP,
    HOL__SYM_LOG,
    HOL__SYM_ABS,
    HOL__SYM_SIGN
} hol__sym_function;

struct hol__sym_node {
    hol__sym_kind kind;
    hol__sym_function function;
    int id, symbol; /* number among all nodes; of a SYMBOL its index */
    int n;
    hol__exact number; /* of a NUMBER; of a PRODUCT what stands in front */
    hol__sym *arg;
    hol__sym rest;   /* of a PRODUCT: without its number; of others the node itself */
    long operations; /* how many it takes to compute, as it is written */
    unsigned long long hash;
    struct hol__sym_node *next; /* with the same place in the table */
};

/* What a symbol is: decides where it stands in products. */
typedef enum hol__sym_class {
    HOL__SYM_CONSTANT, /* pi */
    HOL__SYM_PARAMETER,
    HOL__SYM_COORDINATE,
    HOL__SYM_OTHER,
    HOL__SYM_TIME,
    HOL__SYM_VELOCITY,
    HOL__SYM_ACCELERATION
} hol__sym_class;

typedef struct hol__sym_symbol {
    const char *name, *latex; /* as text and in LaTeX */
    hol__sym_class what;
    int positive; /* so that sqrt(l^2) = l */
    hol__sym node;
} hol__sym_symbol;

typedef struct hol__sym_pair {
    hol__exact number;
    hol__sym key, exponent;
} hol__sym_pair;

/* What a walk over nodes found for one of them. */
typedef struct hol__sym_memo {
    long walk;
    hol__sym result;
} hol__sym_memo;

typedef struct hol__algebra {
    hol_context *ctx;
    hol__arena arena;
    hol_status status; /* HOL_OK, HOL_ERR_MEMORY, or HOL_ERR_ARGUMENT: more nodes than `most` */
    int n_nodes, most;
    struct hol__sym_node **table;
    int table_size;
    hol__sym_symbol *symbols;
    int n_symbols, symbol_capacity;
    hol__sym zero, one, minus_one, two, half, pi;
    /* pairs of sums and products that are being collected: a stack */
    hol__sym_pair *stack;
    int n_stack, stack_capacity;
    /* of the walks of walk.c: by node; rates of a derivative by one symbol */
    hol__sym_memo *memo;
    int memo_size;
    long walks;
    hol__sym *unit;
    int unit_size;
    /* unit quaternions: first symbols of four, p0^2 = 1 - p1^2 - p2^2 - p3^2 */
    int n_quaternions, quaternion_capacity;
    int *quaternion;
} hol__algebra;

/* An algebra of at most `most` nodes; NULL without memory. */
hol__algebra *hol__algebra_new(hol_context *ctx, int most);
void hol__algebra_free(hol__algebra *a);

/* ---- constructors ---- */

hol__sym hol__sym_integer(hol__algebra *a, long long n);
hol__sym hol__sym_fraction(hol__algebra *a, long long n, long long d);
hol__sym hol__sym_number(hol__algebra *a, double x); /* hol__exact_of */
hol__sym hol__sym_exact(hol__algebra *a, hol__exact x);

/* A new symbol; names are copied. latex NULL: made from the name. */
hol__sym hol__sym_new(hol__algebra *a, const char *name, const char *latex, hol__sym_class what);

hol__sym hol__sym_add(hol__algebra *a, hol__sym x, hol__sym y);
hol__sym hol__sym_sub(hol__algebra *a, hol__sym x, hol__sym y);
hol__sym hol__sym_neg(hol__algebra *a, hol__sym x);
hol__sym hol__sym_mul(hol__algebra *a, hol__sym x, hol__sym y);
hol__sym hol__sym_div(hol__algebra *a, hol__sym x, hol__sym y);
hol__sym hol__sym_power(hol__algebra *a, hol__sym base, hol__sym exponent);
hol__sym hol__sym_square(hol__algebra *a, hol__sym x);
hol__sym hol__sym_sqrt(hol__algebra *a, hol__sym x);
hol__sym hol__sym_call(hol__algebra *a, hol__sym_function f, hol__sym x, hol__sym y);
hol__sym hol__sym_sin(hol__algebra *a, hol__sym x);
hol__sym hol__sym_cos(hol__algebra *a, hol__sym x);
hol__sym hol__sym_sum(hol__algebra *a, int n, const hol__sym *terms);
hol__sym hol__sym_product(hol__algebra *a, int n, const hol__sym *factors);

/* The value of a function; y: the second argument of atan2. */
double hol__sym_apply(hol__sym_function f, double x, double y);

/* For the constructors: the one node like this one (its args are copied). */
hol__sym hol__sym_node(hol__algebra *a, const struct hol__sym_node *like);
hol__sym hol__sym_scaled(hol__algebra *a, hol__exact number, hol__sym rest);

/* Push a pair on the stack; 0 without memory. */
int hol__sym_push(hol__algebra *a, hol__sym_pair pair);

/* The order in which factors and terms are written. */
int hol__sym_compare(const hol__algebra *a, hol__sym x, hol__sym y);

/* ---- questions ---- */

static inline int hol__sym_is(hol__sym x, long long n) {
    return x && x->kind == HOL__SYM_NUMBER && hol__exact_is(x->number, n);
}

/* Base and exponent of a factor (the exponent of what is no power is 1). */
hol__sym hol__sym_base(hol__sym x);
hol__sym hol__sym_exponent(const hol__algebra *a, hol__sym x);

/* Whether it is a sum whose terms all have a minus in front. */
int hol__sym_is_negative_sum(hol__sym x);

/* Whether it is a number; an integer. */
int hol__sym_is_number(hol__sym x);
int hol__sym_is_integer(hol__sym x);

/* Whether the symbol stands in it; whether it surely is positive. */
int hol__sym_has(hol__algebra *a, hol__sym x, int symbol);
int hol__sym_is_positive(const hol__algebra *a, hol__sym x);

/* ---- calculus (walk.c) ---- */

/* The derivative along symbols that change with these rates (by symbol; NULL: not at all). */
hol__sym hol__sym_along(hol__algebra *a, hol__sym x, const hol__sym *rates);

/* The derivative by one symbol. */
hol__sym hol__sym_derivative(hol__algebra *a, hol__sym x, hol__sym symbol);

/* With symbols replaced (by symbol; NULL: it stays). */
hol__sym hol__sym_replace(hol__algebra *a, hol__sym x, const hol__sym *by);

/* The value of one or of n, with those of the symbols; work: as many doubles as the algebra has
 * nodes. NaN for NULL. */
void hol__sym_values(const hol__algebra *a, int n, const hol__sym *x, const double *symbols,
                     double *work, double *out);
double hol__sym_value(const hol__algebra *a, hol__sym x, const double *symbols, double *work);

/* ---- simplification ---- */

/* Products of sums multiplied out. */
hol__sym hol__sym_expand(hol__algebra *a, hol__sym x);

/* Of an expanded sum: products of sines and cosines as sums of single ones (trig.c); or squares of
 * one of both replaced by 1 minus the square of the other. */
hol__sym hol__sym_single_angles(hol__algebra *a, hol__sym x);
hol__sym hol__sym_pythagoras(hol__algebra *a, hol__sym x, hol__sym_function square_of);

/* Four symbols in a row are a unit quaternion; of an expanded sum p0^2 = 1 - p1^2 - p2^2 - p3^2. */
void hol__sym_unit_quaternion(hol__algebra *a, hol__sym p0);
hol__sym hol__sym_unit(hol__algebra *a, hol__sym x);

/* Common factors taken out where that makes it shorter (factor.c). */
hol__sym hol__sym_factor(hol__algebra *a, hol__sym x);

/* The shortest of the forms that the functions above give (shorten.c). */
hol__sym hol__sym_shorten(hol__algebra *a, hol__sym x);

/* ---- text ---- */

/* How formulas are written: plain text or LaTeX. */
void hol__sym_write(const hol__algebra *a, hol__sym x, int latex, hol__text *out);

/* A name in LaTeX: Greek letters, subscripts; into out. */
void hol__latex_name(const char *name, hol__text *out);

#endif
