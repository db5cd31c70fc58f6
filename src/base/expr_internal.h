/* expr_internal.h: what the files of the expression compiler share.
 *
 *   text --lex--> tokens --parse--> graph of operations --emit--> register program
 *                                                          --run--> values, derivatives
 *
 * Invariants:
 *   I1  A node of the graph comes after its operands, so every pass over the graph is one loop;
 *       only the parser recurses, and its depth is limited.
 *   I2  A node whose operands are all constants is a constant.
 *   I3  An instruction reads all its operands before it writes its register, so they may be the
 *       same.
 */
#ifndef HOL_BASE_EXPR_INTERNAL_H
#define HOL_BASE_EXPR_INTERNAL_H

#include "base/expr.h"

/* Limits of a text: bytes, levels of nesting, registers. */
enum { HOL__EXPR_MAX_TEXT = 65536, HOL__EXPR_MAX_DEPTH = 100, HOL__EXPR_MAX_REGISTERS = 4096 };

/* ---- tokens (expr_lex.c) ---- */

/* A token of one character has that character as its kind. */
enum {
    HOL__TOKEN_END = 256,
    HOL__TOKEN_NUMBER,
    HOL__TOKEN_NAME,
    HOL__TOKEN_LE,
    HOL__TOKEN_GE,
    HOL__TOKEN_EQ,
    HOL__TOKEN_NE,
    HOL__TOKEN_AND,
    HOL__TOKEN_OR,
    HOL__TOKEN_NOT,
    HOL__TOKEN_BAD
};

typedef struct hol__expr_token {
    int kind;
    int offset, length; /* in the text, in bytes */
    const char *text;
} hol__expr_token;

typedef struct hol__expr_lexer {
    const char *text;
    int length, at;
} hol__expr_lexer;

/* The next token; END for ever after the last. */
hol__expr_token hol__expr_lex(hol__expr_lexer *lexer);

/* The value of a NUMBER, rounded once, the same in every locale; infinite when it is too large. */
double hol__expr_token_number(hol__expr_token token);

/* Whether the token is this word. */
int hol__expr_token_is(hol__expr_token token, const char *word);

/* ---- operations and the program (expr_program.c, expr_jet.c) ---- */

typedef enum hol__expr_op {
    HOL__OP_CONSTANT,
    HOL__OP_INPUT,
    /* one operand */
    HOL__OP_NEG,
    HOL__OP_NOT,
    HOL__OP_SIN,
    HOL__OP_COS,
    HOL__OP_TAN,
    HOL__OP_ASIN,
    HOL__OP_ACOS,
    HOL__OP_ATAN,
    HOL__OP_SINH,
    HOL__OP_COSH,
    HOL__OP_TANH,
    HOL__OP_EXP,
    HOL__OP_LOG,
    HOL__OP_LOG10,
    HOL__OP_SQRT,
    HOL__OP_CBRT,
    HOL__OP_ABS,
    HOL__OP_SIGN,
    HOL__OP_FLOOR,
    HOL__OP_CEIL,
    HOL__OP_RAMP,  /* the quintic from 0 to 1 of step() */
    HOL__OP_TABLE, /* a spline */
    /* two */
    HOL__OP_ADD,
    HOL__OP_SUB,
    HOL__OP_MUL,
    HOL__OP_DIV,
    HOL__OP_POW,
    HOL__OP_ATAN2,
    HOL__OP_HYPOT,
    HOL__OP_MOD,
    HOL__OP_MIN,
    HOL__OP_MAX,
    HOL__OP_LT,
    HOL__OP_LE,
    HOL__OP_EQ,
    HOL__OP_NE,
    HOL__OP_AND,
    HOL__OP_OR,
    /* three */
    HOL__OP_SELECT
} hol__expr_op;

/* An operand: where it is read (two high bits) and which one there. */
enum { HOL__FROM_REGISTER, HOL__FROM_CONSTANT, HOL__FROM_INPUT };
#define HOL__OPERAND(from, index) ((unsigned)(from) << 30 | (unsigned)(index))
#define HOL__OPERAND_FROM(operand) ((operand) >> 30)
#define HOL__OPERAND_INDEX(operand) ((operand)&0x3fffffffu)

typedef struct hol__expr_instruction {
    unsigned short op, to;
    unsigned a, b, c; /* operands; of a TABLE c is the number of the spline */
} hol__expr_instruction;

/* What stands between the points of a table: a natural cubic spline, one whose ends meet, or
 * straight lines. */
typedef enum hol__spline_kind {
    HOL__SPLINE_NATURAL,
    HOL__SPLINE_PERIODIC,
    HOL__SPLINE_LINEAR
} hol__spline_kind;

/* A curve through points: abscissae x, ordinates y, slopes s behind and second derivatives m at
 * them. */
typedef struct hol__expr_spline {
    int n;
    const double *x, *y, *s, *m;
    hol__spline_kind kind;
    const char
        *ends; /* the name of the table where it has no value beyond its ends; NULL: it has */
} hol__expr_spline;

/* A place of the program that chooses. */
typedef struct hol__expr_switch {
    int at; /* instruction */
    hol__cells cells;
} hol__expr_switch;

struct hol__expr {
    const hol__expr_instruction *code;
    int n_code, n_registers, n_inputs, n_read;
    unsigned result; /* operand */
    const double *constants;
    const hol__expr_spline *splines;
    const int *read; /* the inputs that are read, increasing */
    int n_timed, n_recorded;
    const hol__expr_switch *timed, *recorded; /* switches, in the order of the program */
    int record;                               /* where they are recorded, from 1; 0: nowhere */
    hol__dim dim;
    const char *text;  /* as it was written; "" where it is constant */
    const char *doubt; /* hol__expr_doubt */
};

/* Whether two programs do the same with the same numbers. */
int hol__expr_is_same(const hol__expr *a, const hol__expr *b);

/* Execute n instructions on registers r. */
void hol__expr_run(const hol__expr_instruction *code, int n, const double *constants,
                   const hol__expr_spline *splines, const double *in, double *r);

/* One instruction whose operands are a, b: its g, and the cell in which it chooses (which rounding
 * of g cannot change). */
double hol__expr_switch_value(const hol__expr_instruction *i, double a, double b);
double hol__expr_switch_cell(const hol__cells *cells, double a, double b);

/* List the switches of a program; 0 without memory. */
int hol__expr_list_switches(hol__arena *arena, hol__expr *e);

/* An interval, and the program up to instruction n over the times from t.low to t.high, in pairs of
 * registers; other inputs are not known. The operand of an instruction after it. */
typedef struct hol__range {
    double low, high;
} hol__range;

void hol__expr_run_range(const hol__expr *e, int n, hol__range t, double *r);
hol__range hol__expr_range_operand(const hol__expr *e, unsigned operand, hol__range t,
                                   const double *r);

/* The range of a spline. */
hol__range hol__expr_spline_range(const hol__expr_spline *spline, hol__range x);

/* mod(x, y) = x - y floor(x/y), and the quintic ramp 10 s^3 - 15 s^4 + 6 s^5 between 0 and 1. */
double hol__expr_mod(double x, double y);
double hol__expr_ramp(double s);

/* ---- splines (expr_spline.c) ---- */

/* The curve through n >= 2 points with x increasing; 0 without memory (work comes from the arena
 * too). */
int hol__expr_spline_make(hol__arena *arena, hol__spline_kind kind, int n, const double *x,
                          const double *y, hol__expr_spline *spline);

/* How far the curve goes beyond the ordinates of its points, as a share of their range, and where:
 * a spline through a steep step swings. */
double hol__expr_spline_overshoot(const hol__expr_spline *spline, double *x, double *y);
hol__spline_kind hol__table_kind(const hol__table *table);

/* f, f' and f'' at x. */
void hol__expr_spline_at(const hol__expr_spline *spline, double x, double f[3]);

/* ---- the graph (expr_graph.c) ---- */

typedef struct hol__expr_node {
    hol__expr_op op;
    int a, b, c;  /* operands, -1 where there is none */
    int index;    /* of an input or a spline */
    double value; /* of a constant */
    int offset;   /* where in the text it arose */
} hol__expr_node;

enum { HOL__EXPR_CACHE = 512 };

typedef struct hol__expr_graph {
    hol__arena *arena;
    hol__expr_node *nodes;
    int count, capacity;
    hol__expr_spline *splines;
    int n_splines, splines_capacity;
    int offset;                 /* given to new nodes */
    int cache[HOL__EXPR_CACHE]; /* node + 1 by hash, to share equal operations */
} hol__expr_graph;

/* Nodes; an equal one that exists is returned instead. Operands < 0 and lack of memory give -1. */
int hol__expr_constant_node(hol__expr_graph *g, double value);
int hol__expr_input_node(hol__expr_graph *g, int input);
int hol__expr_node1(hol__expr_graph *g, hol__expr_op op, int a);
int hol__expr_node2(hol__expr_graph *g, hol__expr_op op, int a, int b);
int hol__expr_select_node(hol__expr_graph *g, int condition, int a, int b);
int hol__expr_table_node(hol__expr_graph *g, int a, const hol__expr_spline *spline);

/* Whether a node is a constant, and then its value. */
int hol__expr_node_constant(const hol__expr_graph *g, int node, double *value);

/* The program that computes root, in arena; NULL without memory or, with *registers set, with too
 * many registers. */
hol__expr *hol__expr_emit(hol__arena *arena, const hol__expr_graph *g, int root, int n_inputs,
                          int *registers);

/* ---- parsing (expr_parse.c, expr_literal.c) ---- */

/* A part of the text that has been parsed. It is bare when it is a plain number for certain: made
 * of numbers without units, or the value of a function such as sin; has_pi: a bare one with pi in
 * it, which turns cycles into radians. */
typedef struct hol__expr_term {
    int node;   /* -1 after an error */
    int offset; /* where it starts */
    int bare, has_pi;
    hol__dim dim;
    const char *shown; /* of an input by itself: hol__symbol */
    const char *unit;  /* of a number by itself: its unit in the text, … */
    int unit_length;   /* … as many characters */
} hol__expr_term;

typedef struct hol__expr_parser {
    hol__arena scratch;      /* the graph and the names; freed when compiled */
    const hol__arena *arena; /* of the program, and of the names that the scope makes */
    hol_context *ctx;
    hol__expr_lexer lexer;
    hol__expr_token token, before; /* the one to look at, and the last one taken */
    hol__expr_graph graph;
    const hol__scope *scope;
    int n_inputs;
    hol_location where;
    const char *element;
    int depth, failed;
    const char *doubt; /* a unit behind a number whose name has another meaning; NULL: none */
    hol__expr_term *arguments; /* a stack of the arguments of open calls */
    int n_arguments, arguments_capacity;
} hol__expr_parser;

/* The whole text as one term. */
hol__expr_term hol__expr_parse(hol__expr_parser *p);

/* Step to the next token. */
void hol__expr_advance(hol__expr_parser *p);

/* Report an error at an offset in the text, unless one was reported before; the failed term. */
hol__expr_term hol__expr_fail(hol__expr_parser *p, int offset, const char *format, ...)
    HOL__PRINTF(3, 4);
hol__expr_term hol__expr_failed(hol__expr_parser *p);

/* A copy of the text of a token, "" without memory, and what the scope says about that name. */
const char *hol__expr_token_text(hol__expr_parser *p, hol__expr_token token);
hol__symbol hol__expr_look_up(hol__expr_parser *p, hol__expr_token token);

/* What a name that may also be a unit stands for, in words; NULL when for nothing. */
const char *hol__expr_meaning(hol__expr_parser *p, hol__expr_token token);

/* A number and the unit that may follow it. */
hol__expr_term hol__expr_literal(hol__expr_parser *p);

/* "tip.magnitude", the length of a vector whose components the scope has; 0 where it has none
 * (expr_magnitude.c). */
int hol__expr_magnitude(hol__expr_parser *p, hol__expr_token name, hol__expr_term *out);

/* ---- dimensions (expr_dim.c) ---- */

/* Whether a and b may be added (compared …): an error "cannot <verb> m and s" at the offset if not;
 * then the dimension of the sum into *out. */
int hol__expr_same_dim(hol__expr_parser *p, const char *verb, int offset, const hol__expr_term *a,
                       const hol__expr_term *b, hol__expr_term *out);

/* The dimension of a b^sign (sign is 1 or -1) into *out. */
void hol__expr_product_dim(const hol__expr_term *a, const hol__expr_term *b, int sign,
                           hol__expr_term *out);

/* The dimension of a^b into *out; 0 and an error when the exponent has a unit. */
int hol__expr_power_dim(hol__expr_parser *p, int offset, const hol__expr_term *a,
                        const hol__expr_term *b, hol__expr_term *out);

/* The dimension of a^n; open where it is not one of whole exponents. */
hol__dim hol__expr_dim_power(hol__dim a, double n);

/* ---- functions (expr_functions.c, expr_calls.c) ---- */

/* What a function says about dimensions: nothing of its arguments, and a plain number as its value;
 * an angle (or a plain number) gives a plain number; a plain number gives an angle; arguments that
 * are alike give an angle; arguments and value are alike; the value is a root of the argument. */
typedef enum hol__expr_dim_rule {
    HOL__DIM_ANY,
    HOL__DIM_PLAIN,
    HOL__DIM_TO_ANGLE,
    HOL__DIM_RATIO_TO_ANGLE,
    HOL__DIM_ALIKE,
    HOL__DIM_SQUARE_ROOT,
    HOL__DIM_CUBE_ROOT
} hol__expr_dim_rule;

typedef struct hol__expr_builtin hol__expr_builtin;
typedef hol__expr_term hol__expr_build(hol__expr_parser *p, const hol__expr_builtin *f,
                                       const hol__expr_term *x, int n);

enum { HOL__EXPR_ANY = -1 }; /* arguments: no upper limit */

struct hol__expr_builtin {
    const char *name;
    int least, most; /* arguments */
    hol__expr_op op;
    hol__expr_dim_rule rule;
    hol__expr_build *build;
    const char *signature, *doc;
};

/* Whether the argument of function f has the dimension that its rule asks for; an error if not. */
int hol__expr_check_argument(hol__expr_parser *p, const hol__expr_builtin *f,
                             const hol__expr_term *x);

/* Warn of a written number that looks like degrees beside an angle (NULL: as the argument of a
 * function of angles) in radians. */
void hol__expr_doubt_angle(hol__expr_parser *p, const hol__expr_term *angle,
                           const hol__expr_term *number);

/* A call of a table of the scope: its value at x. */
hol__expr_term hol__expr_call_named(hol__expr_parser *p, const hol__table *table,
                                    const hol__expr_term *x);

/* The function of that name, or NULL; the value of a constant such as pi. */
const hol__expr_builtin *hol__expr_builtin_find(hol__expr_token name);
int hol__expr_builtin_constant(hol__expr_token name, double *value);

/* Names of functions (list is not used), for suggestions. */
const char *hol__expr_builtin_name(const void *list, int i);

hol__expr_build hol__expr_call_simple, hol__expr_call_fold, hol__expr_call_if, hol__expr_call_clamp,
    hol__expr_call_step, hol__expr_call_poly, hol__expr_call_table, hol__expr_call_pow;

/* ---- units (units.c) ---- */

/* A product of units: SI value = number * times / over. Two factors, because 1000 is exact and
 * 0.001 is not. */
typedef struct hol__unit_product {
    double times, over;
    hol__dim dim;
} hol__unit_product;

enum { HOL__UNIT_MAX_POWER = 9 };

/* Whether text of that length names a unit. */
int hol__unit_is(const char *name, int length);

/* Whether a unit of the dimension of energy is one of torque: a product, or Nm. */
int hol__unit_is_torque(const char *text);

/* Multiply by unit^power; 0 when there is no such unit or the exponents grow out of range. */
int hol__unit_multiply(hol__unit_product *product, const char *name, int length, int power);

/* The product of units that a text names ("N/mm", "1/s", ""); 0 when it names none, with *bad at
 * the word of *length bytes that is not a unit (0: the text is put together wrongly). */
int hol__unit_read(const char *text, hol__unit_product *product, const char **bad, int *length);

/* Names of units, then common products of them (list is not used), for suggestions. */
const char *hol__unit_name(const void *list, int i);

/* Whether two known dimensions are equal. */
int hol__dim_equal(hol__dim a, hol__dim b);

#endif
