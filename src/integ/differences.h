/* differences.h: linearize, shift and solve for any system, out of its right-hand side alone: J by
 * differences, I - g J dense.
 *
 * J takes 2 n evaluations of f, f_t four. A system that knows its derivatives is faster and nearer
 * to rounding; this serves all others. */
#ifndef HOL_INTEG_DIFFERENCES_H
#define HOL_INTEG_DIFFERENCES_H

#include "integ/system.h"

typedef struct hol__differences hol__differences;

/* Of a system whose n, self, rhs and scale are used, and which outlives it; NULL without memory. */
hol__differences *hol__differences_new(hol_context *ctx, const hol__system *system);
void hol__differences_free(hol__differences *differences);

/* For hol__system.linearize, shift and solve. */
hol_status hol__differences_linearize(hol__differences *differences, double t, const double *y,
                                      const double *f, double h, double *ft);
hol_status hol__differences_shift(hol__differences *differences, double g);
hol_status hol__differences_solve(hol__differences *differences, const double *r, double *x);

/* The entry (i, j) of J. */
double hol__differences_entry(const hol__differences *differences, int i, int j);

#endif
