/* expr.h: expressions, compiled to a register program with exact derivatives.
 *
 * A text such as "5*sin(2*pi*t) - k*(x - 60 mm)" becomes a straight-line program over registers.
 * The names in it are either constants (folded when compiled) or inputs (read when evaluated). A
 * number may carry a unit, which converts it to SI. No program can loop, read outside its inputs or
 * fail: where a function is not defined the value is NaN, and the caller sees it.
 */
#ifndef HOL_BASE_EXPR_H
#define HOL_BASE_EXPR_H

#include "base/arena.h"

typedef struct hol__expr hol__expr;

/* Physical dimension as exponents of metre, kilogram, second, radian; known is 0 where a plain
 * number or a name without a unit leaves it open. cycle is 1 for a frequency in Hz, which counts
 * cycles and not radians. soft is 1 where it is that of a quantity (the time, a measure) and no
 * unit was written: a plain number times such a quantity may have any unit. scaled is 1 where a
 * unit was written that is not that of SI (mm, deg, rpm): a plain number is then not added to
 * it. */
typedef struct hol__dim {
    signed char m, kg, s, rad;
    unsigned char known;
    signed char cycle;
    unsigned char soft, scaled;
} hol__dim;

/* What a name means. */
typedef struct hol__symbol {
    enum { HOL__SYMBOL_UNKNOWN, HOL__SYMBOL_CONSTANT, HOL__SYMBOL_INPUT, HOL__SYMBOL_ERROR } kind;
    double value;      /* of a constant */
    int input;         /* index of an input */
    hol__dim dim;      /* as far as it is known */
    const char *shown; /* the unit in which users see an input that is in SI here; NULL: that one */
} hol__symbol;

/* What a table says beyond its ends: nothing (NaN), the value of the end, the straight line along
 * the slope of the end, or the same again. */
typedef enum hol__outside {
    HOL__OUTSIDE_ERROR,
    HOL__OUTSIDE_CLAMP,
    HOL__OUTSIDE_STRAIGHT,
    HOL__OUTSIDE_PERIODIC
} hol__outside;

/* A table that is called like a function: n >= 2 points with x increasing, in SI units. */
typedef struct hol__table {
    const char *name;
    int n;
    const double *x, *y;
    int linear; /* straight between the points, else a cubic spline */
    hol__outside outside;
    hol__dim x_dim, y_dim; /* as far as they are known */
} hol__table;

/* Beyond this share of the range of its points a curve is not what was meant. */
#define HOL__OVERSHOOT 1.0

/* How far the curve of a table goes beyond its points, as a share of their range, and where; work
 * comes from the arena. */
double hol__table_overshoot(hol__arena *arena, const hol__table *table, double *x, double *y);

/* How names are found. find may report an error itself and return HOL__SYMBOL_ERROR (the compiler
 * then says no more); name(self, i) lists the known names for suggestions, NULL past the end. Both
 * may be called in any order. means(self, name) says in words what a name that could also be a unit
 * stands for here ("the parameter"), NULL when for nothing; it may be NULL, and reports nothing.
 * table(self, name) is the table of that name, or NULL. */
typedef struct hol__scope {
    void *self;
    hol__symbol (*find)(void *self, const char *name, const hol_location *where);
    const char *(*name)(const void *self, int i);
    const char *(*means)(const void *self, const char *name);
    const hol__table *(*table)(const void *self, const char *name); /* NULL: there are none */
} hol__scope;

/* Compile text, which starts at *where in its file, with n_inputs inputs. scope may be NULL (no
 * names). element is for messages (may be NULL). The program lives in the arena. NULL and a message
 * with the exact column on error. */
hol__expr *hol__expr_compile(hol__arena *arena, const char *text, const hol__scope *scope,
                             int n_inputs, const hol_location *where, const char *element);

/* Whether the text is a number alone, with a minus sign or without and in no unit: its value then,
 * which compiling would give too. */
int hol__expr_is_number(const char *text, double *value);

/* Whether it depends on no input, and then its value (no registers needed). */
int hol__expr_is_constant(const hol__expr *e);
double hol__expr_constant(const hol__expr *e);

/* The i-th input that it reads, increasing, -1 behind the last; and whether it reads an input. */
int hol__expr_read(const hol__expr *e, int i);
int hol__expr_reads(const hol__expr *e, int input);

/* What keeps it from having continuous second derivatives ("abs", "floor", "a condition"); NULL
 * when nothing does. */
const char *hol__expr_kink(const hol__expr *e);

/* The dimension of the value, as far as the units in the text tell. */
hol__dim hol__expr_dim(const hol__expr *e);

/* A unit that was read directly behind a number although the name means something else as well
 * ("t", "m"); "" when there was none. */
const char *hol__expr_doubt(const hol__expr *e);

/* What was written; "" for a constant, which is known by its value. */
const char *hol__expr_text(const hol__expr *e);

/* Doubles of scratch that an evaluation needs (for any of the calls below). */
int hol__expr_scratch(const hol__expr *e);

/* f(in). */
double hol__expr_value(const hol__expr *e, const double *in, double *scratch);

/* A table that is read beyond its ends, where it has no value. */
typedef struct hol__beyond {
    const char *table;
    double at, low, high;
} hol__beyond;

/* Whether a table is read beyond its ends at these inputs, and the first that is. */
int hol__expr_beyond(const hol__expr *e, const double *in, double *scratch, hol__beyond *out);

/* f, df/ds and d2f/ds2 along a curve in(s) with derivatives d1 = in', d2 = in'' (exact). */
typedef struct hol__jet {
    double f, d1, d2;
} hol__jet;

hol__jet hol__expr_jet(const hol__expr *e, const double *in, const double *d1, const double *d2,
                       double *scratch);

/* f and its gradient with respect to all inputs. */
double hol__expr_gradient(const hol__expr *e, const double *in, double *gradient, double *scratch);

/* f, gradient and symmetric Hessian (n_inputs x n_inputs, row-major). */
double hol__expr_hessian(const hol__expr *e, const double *in, double *gradient, double *hessian,
                         double *scratch);

/* ---- where an expression is not smooth (expr_switch.c) ----
 *
 * A switch is a place of the program that chooses: a comparison, abs, min, floor, the pieces of
 * step() and table(). It watches a number g, and chooses by the cell in which g lies; the value of
 * the expression is smooth while no g changes its cell. */

/* The cells of a switch: intervals of g. */
typedef struct hol__cells {
    unsigned short op;
    const struct hol__expr_spline *spline;
} hol__cells;

/* Two cells: g < 0, and the others. */
extern const hol__cells hol__cells_of_sign;

/* The number of the cell of g; it grows with g. NaN lies in the cell of 0. */
double hol__cell(const hol__cells *cells, double g);

/* The boundary between the cells of a and of b, with a in the lower one, that is nearest to a. */
double hol__cell_boundary(const hol__cells *cells, double a, double b);

/* Whether the value keeps two continuous derivatives where g goes from one cell to the next; and
 * whether cells are the pieces of a curve, of which there may be many. */
int hol__cells_are_smooth(const hol__cells *cells);
int hol__cells_are_pieces(const hol__cells *cells);

/* Switches that depend on the time (input 0) alone, and all others, which are recorded; and the
 * cells of one of them. */
int hol__expr_timed(const hol__expr *e);
int hol__expr_recorded(const hol__expr *e);
const hol__cells *hol__expr_timed_cells(const hol__expr *e, int k);
const hol__cells *hol__expr_recorded_cells(const hol__expr *e, int k);

/* From now on every evaluation writes g of the recorded switch k to scratch[-1 - first - k]: the
 * scratch that it is given has that room in front. */
void hol__expr_record(hol__expr *e, int first);

/* That `first`; 0 where nothing is recorded. */
int hol__expr_first_recorded(const hol__expr *e);

/* The search for the next instant after `from` at which the switch k, of time alone, changes its
 * cell. in: as many as the inputs, scratch as for an evaluation; both are overwritten. */
typedef struct hol__instant {
    double clear;     /* nothing happens up to here, from where the search began … */
    int found;        /* … and then, if found: */
    double low, high; /* the last time in the old cell, and the first in the next one */
} hol__instant;

/* Go on with the search from its `clear`, up to `end` or until it has looked at `looks` spans. */
void hol__expr_next_instant(const hol__expr *e, int k, double end, int looks, hol__instant *search,
                            double *in, double *scratch);

/* The first time in the span at which f of time alone (order 0), or its rate (order 1), jumps, of
 * the first thousand instants of each switch; 0: none. */
int hol__expr_find_jump(const hol__expr *e, int order, const double span[2], double *scratch,
                        double *at);

/* The dimension of a product of units such as "kg*m^2" or "N/m" or "" (known, all zero is a plain
 * number). */
hol__dim hol__dim_of(const char *units);

/* Whether a value of dimension have may stand where want is expected; angles count as plain numbers
 * beside others. What is soft fits everywhere. */
int hol__dim_fits(hol__dim have, hol__dim want);

/* What to try where a dimension does not fit because of angles, cycles or a number without its
 * unit, else "". */
const char *hol__dim_hint(hol__dim have, hol__dim want);

/* "m/s^2", "N" of a dimension into buf; "a plain number" when all exponents are zero. Returns
 * buf. */
const char *hol__dim_text(hol__dim dim, char *buf, size_t size);

/* The functions and constants there are, for the reference page: name(i), signature and one line;
 * NULL past the end. */
typedef struct hol__function_doc {
    const char *name, *signature, *doc;
} hol__function_doc;

hol__function_doc hol__expr_function(int i);

/* The units there are, for the reference page; name NULL past the end. */
typedef struct hol__unit_doc {
    const char *name;
    double factor;
    const char *si;
} hol__unit_doc;

hol__unit_doc hol__unit_get(int i);

#endif
