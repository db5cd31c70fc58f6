/* linear.h: the right-hand side of a formulation linearised, for implicit integrators: J = df/dy is
 * never formed as a whole, I - g J is factored and solved with (linear.c). */
#ifndef HOL_FORM_LINEAR_H
#define HOL_FORM_LINEAR_H

#include "form/form.h"

typedef struct hol__linear hol__linear;

/* Whether the formulation has derivatives of its own: state dependent, a kernel that gives
 * multipliers, no Braun–Goldfarb terms. */
int hol__linear_serves(const hol__form *form);

/* Allocates everything. */
hol_status hol__linear_new(hol_context *ctx, hol__form *form, hol__linear **linear);
void hol__linear_free(hol__linear *linear);

/* J at (t, y) is kept; ft = df/dt. h: a time in which f changes
 * smoothly. ft NULL: J is for iterations and lacks the row of W. */
hol_status hol__linear_update(hol__linear *linear, double t, const double *y, double h, double *ft);

/* Factor I - g J; x = (I - g J)^-1 r. */
hol_status hol__linear_shift(hol__linear *linear, double g);
hol_status hol__linear_solve(hol__linear *linear, const double *r, double *x);

/* r <- S^T r at y, or S r (frames.h). */
void hol__linear_turn(hol__linear *linear, const double *y, int back, double *r);

#endif
