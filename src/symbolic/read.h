/* read.h: expressions of a model file as formulas. */
#ifndef HOL_SYMBOLIC_READ_H
#define HOL_SYMBOLIC_READ_H

#include "base/expr.h"
#include "symbolic/sym.h"

/* The formula of a text with these names; numbers with units are in SI units, multiples of a
 * degree are fractions of pi. NULL where it cannot be read (nothing is reported), has other names,
 * or has no formula: conditions, tables, min, max, floor, mod, step. */
hol__sym hol__sym_read(hol__algebra *a, const char *text, int n, const char *const *names,
                       const hol__sym *values);

#endif
